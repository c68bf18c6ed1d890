"""lockstep.gym: worlds are independent of each other; what is ours alone."""
import os
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gym_pairs import NAMES, actions, ours, theirs

import lockstep.gym
from lockstep.streams import Draws, Streams


def run(name, count, steps=25, **options):
    """Observations and rewards of the first worlds, whose actions do not depend on the number of worlds."""
    env = ours(name, count, **options)
    rngs = [np.random.default_rng(world) for world in range(count)]
    low, high = env.single_action_space.low, env.single_action_space.high
    history = [env.reset(seed=2)[0]]
    for _ in range(steps):
        observations, rewards, terminated, _, _ = env.step(np.array([rng.uniform(low, high) for rng in rngs], np.float32))
        history += [observations, rewards[:, None], terminated[:, None]]
    return np.concatenate(history, 1)


@pytest.mark.parametrize('name', NAMES)
def test_worlds_do_not_depend_on_their_number(name):
    """Bit for bit, also across resets and threads."""
    expected = run(name, 3, nthread=1)
    for count, nthread in ((3, 2), (43, 1), (43, 2)):
        np.testing.assert_array_equal(run(name, count, nthread=nthread)[:3], expected)


def test_streams_are_numpys():
    """Also where the normal ziggurat needs more than one word, and for seeds of two words."""
    seeds = np.concatenate([np.arange(300, dtype=np.uint64), np.array([2**40 + 17, 2**64 - 1], np.uint64)])
    streams = Streams(len(seeds))
    worlds = np.arange(len(seeds))
    streams.seed(worlds, seeds)
    draws = Draws(streams, worlds)
    found = [draws.uniform(-0.1, 0.3, 9), draws.normal(30), draws.uniform(0, 1, 1), draws.normal(1)]
    alone = Draws(streams, np.array([7]))
    for world, seed in enumerate(seeds.tolist()):
        rng = np.random.Generator(np.random.PCG64(seed))
        expected = [rng.uniform(-0.1, 0.3, 9), rng.standard_normal(30), rng.uniform(0, 1, 1), rng.standard_normal(1)]
        for a, b in zip(found, expected):
            np.testing.assert_array_equal(a[world], b)
        if world == 7:
            np.testing.assert_array_equal(alone.uniform(1, 2, 3)[0], rng.uniform(1, 2, 3))
            np.testing.assert_array_equal(alone.normal(3)[0], rng.standard_normal(3))
            np.testing.assert_array_equal(draws.uniform(1, 2, 3)[7], rng.uniform(1, 2, 3))


def test_resets_of_others_leave_a_stream_alone():
    a, b = ours('Hopper', 4), ours('Hopper', 4)
    a.reset(seed=9), b.reset(seed=9)
    for _ in range(3):
        a.reset(options={'ids': [0, 2]})
    found, expected = a.reset(options={'mask': np.arange(4) == 3}), b.reset()
    np.testing.assert_array_equal(found[0][3], expected[0][3])


def test_a_broken_world_is_alone():
    """A world that is driven to NaN starts again; its neighbours do not notice."""
    a, b = ours('Walker2d', 9, autoreset_mode='SameStep'), ours('Walker2d', 9, autoreset_mode='SameStep')
    a.reset(seed=1), b.reset(seed=1)
    rng = np.random.default_rng(0)
    others = np.arange(9) != 4
    for step in range(20):
        controls = actions(a, rng)
        if step == 3:
            a.unwrapped.batch.qvel[4] = np.nan
        if step == 6:
            a.unwrapped.batch.qpos[4] = 1e12
        found, expected = a.step(controls), b.step(controls)
        assert np.isfinite(found[0]).all() and np.isfinite(found[1]).all()
        for x, y in zip(found[:4], expected[:4]):
            np.testing.assert_array_equal(x[others], y[others])
        if step == 3:
            assert a.unwrapped.batch.warning[4, :, 1].any() and not a.unwrapped.batch.warning[others][..., 1].any()


@pytest.mark.parametrize('mode', ['SameStep', 'NextStep'])
def test_failed_worlds_can_end(mode):
    env = ours('HalfCheetah', 3, terminate_failed=True, autoreset_mode=mode)
    env.reset(seed=0)
    *_, terminated, _, infos = env.step(np.zeros((3, 6)))
    assert not terminated.any() and not infos['failed'].any()
    env.unwrapped.batch.qvel[1] = np.nan
    _, rewards, terminated, _, infos = env.step(np.zeros((3, 6)))
    assert rewards[1] == 0
    np.testing.assert_array_equal(terminated, [False, True, False])
    told = infos['final_info'] if mode == 'SameStep' else infos
    np.testing.assert_array_equal(told['failed'], [False, True, False])
    for _ in range(2):
        *_, terminated, _, _ = env.step(np.zeros((3, 6)))
        assert not terminated.any()


def test_a_world_ends_in_the_step_that_spoils_it():
    """A velocity that integration makes enormous is not handed out first."""
    env = ours('HalfCheetah', 8, terminate_failed=True, frame_skip=1)
    env.reset(seed=0)
    batch = env.unwrapped.batch
    batch.expand('dof_armature')[3, 0] = 1e3
    batch.qvel[3, 0], batch.qfrc_applied[3, 0] = 9.99999e9, 1e12
    observations, rewards, terminated, _, infos = env.step(np.zeros((8, 6)))
    assert batch.qvel[3, 0] > 1e10 and np.abs(observations).max() < 100 and rewards[3] == 0
    np.testing.assert_array_equal(terminated, np.arange(8) == 3)
    np.testing.assert_array_equal(infos['failed'], np.arange(8) == 3)
    observations, _, terminated, _, _ = env.step(np.zeros((8, 6)))
    assert not terminated.any() and np.abs(observations).max() < 100


def test_reset_to_given_states():
    env = ours('Hopper', 5)
    env.reset(seed=0)
    batch = env.unwrapped.batch
    qpos = np.tile(env.unwrapped.init_qpos, (5, 1))
    qpos[:, 0] = np.arange(5)
    _, info = env.reset(options={'qpos': qpos, 'qvel': np.zeros(6)})
    np.testing.assert_array_equal(batch.qpos, qpos)
    np.testing.assert_array_equal(batch.qvel, 0)
    np.testing.assert_array_equal(info['x_position'], np.arange(5))
    before = batch.qpos.copy()
    observations, info = env.reset(options={'ids': [1, 3], 'qpos': qpos[[1, 3]] + 0.01})
    np.testing.assert_array_equal(batch.qpos[[1, 3]], qpos[[1, 3]] + 0.01)
    np.testing.assert_array_equal(batch.qpos[[0, 2, 4]], before[[0, 2, 4]])
    np.testing.assert_array_equal(observations[:, :5], batch.qpos[:, 1:])
    np.testing.assert_array_equal(info['_x_position'], [False, True, False, True, False])
    mask = np.array([True, False, False, False, True])
    env.reset(options={'mask': mask, 'qpos': qpos + 0.02})
    np.testing.assert_array_equal(batch.qpos[mask], qpos[mask] + 0.02)


@pytest.mark.parametrize('options, message', [
    ({'qpos': np.zeros((2, 6))}, r'shape \(5, 6\)'),
    ({'ids': [3, 1]}, 'sorted'),
    ({'ids': [5]}, 'between 0 and 4'),
    ({'mask': np.zeros(5, bool)}, 'some of them True'),
    ({'mask': np.ones(5, bool), 'ids': [1]}, 'without ids'),
    ({'qvle': 1}, 'qvle'),
], ids=str)
def test_wrong_options_of_reset(options, message):
    env = ours('Hopper', 5)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=message):
        env.reset(options=options)


def test_seeds():
    env = ours('Hopper', 3)
    first = env.reset(seed=4)[0]
    np.testing.assert_array_equal(env.reset(seed=[5, 4, 6])[0][[1, 0]], first[:2])
    np.testing.assert_array_equal(env.reset(seed=4)[0], first)
    assert not np.array_equal(env.reset()[0], first)
    again = env.reset(seed=[4, None, None])[0]
    np.testing.assert_array_equal(again[0], first[0])
    assert not np.array_equal(again[1:], first[1:])
    with pytest.raises(ValueError, match='3 seeds'):
        env.reset(seed=[1, 2])
    assert not np.array_equal(ours('Hopper', 3).reset()[0], ours('Hopper', 3).reset()[0])


@pytest.mark.parametrize('seed', [2**64 - 2, 2**70, [3, 2**127, None]], ids=str)
def test_large_seeds_are_gymnasiums(seed):
    """np_random_seed, for example, has 128 bits."""
    known = slice(0, 2 if isinstance(seed, list) else 3)
    np.testing.assert_array_equal(ours('Hopper', 3).reset(seed=seed)[0][known], theirs('Hopper', 3).reset(seed=seed)[0][known])


def test_wrong_seeds():
    env = ours('Hopper', 3)
    for seed in (1.5, [1, 2.0, 3]):
        with pytest.raises(TypeError, match='integer'):
            env.reset(seed=seed)
    for seed in (-1, [1, -2, 3]):
        with pytest.raises((ValueError, gymnasium.error.Error), match='negative|greater or equal to zero'):
            env.reset(seed=seed)


def test_single_precision():
    single, double = ours('Hopper', 4, dtype=np.float32), ours('Hopper', 4)
    assert single.single_observation_space.dtype == np.float32
    a, b = single.reset(seed=1)[0], double.reset(seed=1)[0]
    rng = np.random.default_rng(0)
    for _ in range(5):
        controls = actions(single, rng, 0.3)
        a, b = single.step(controls)[0], double.step(controls)[0]
    assert a.dtype == np.float32 and not np.array_equal(a, b)
    np.testing.assert_allclose(a, b, atol=1e-3)


@pytest.mark.parametrize('copy', [True, False])
def test_returned_arrays(copy):
    env = ours('Hopper', 3, copy=copy, nthread=1)
    first = env.reset(seed=1)[0]
    kept = first.copy()
    second, rewards, *_, infos = env.step(np.ones((3, 3), np.float32))
    reward, x = rewards.copy(), infos['x_position'].copy()
    assert (first is second) != copy
    assert np.array_equal(first, kept) == copy
    env.step(-np.ones((3, 3), np.float32))
    np.testing.assert_array_equal(rewards, reward)
    np.testing.assert_array_equal(infos['x_position'], x)


def test_wrong_use():
    with pytest.raises(TypeError, match="did you mean 'ctrl_cost_weight'"):
        ours('Hopper', 2, control_cost_weight=1)
    with pytest.raises(ValueError, match='rendering is not supported'):
        ours('Hopper', 2, render_mode='rgb_array')
    with pytest.raises(OSError, match='nowhere.xml'):
        ours('Hopper', 2, xml_file='nowhere.xml')
    env = ours('Hopper', 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros((2, 3)))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.reset(options={'ids': [0]})
    env.reset()
    with pytest.raises(ValueError, match=r'\(2, 3\)'):
        env.step(np.zeros(3))


def test_arguments_of_pictures_are_accepted():
    ours('Hopper', 2, width=100, camera_name='track', default_camera_config={'distance': 2.0}).reset()


def test_needs_no_mujoco():
    """Only Gymnasium itself, whose model files are read."""
    program = """
import sys
sys.modules.update(mujoco=None, imageio=None)
import gymnasium
import lockstep.gym
envs = gymnasium.make_vec('lockstep/Ant-v5', num_envs=3)
envs.reset(seed=0)
print(*envs.step(envs.action_space.sample())[0].shape)
"""
    environment = os.environ | {'PYTHONPATH': os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ['3', '105'], done.stderr


def test_wrappers_and_spec():
    """Gymnasium's vector wrappers find what they need, and a spec makes the same environment again."""
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(ours('Hopper', 4, ctrl_cost_weight=0.1))
    env.reset(seed=0)
    for _ in range(60):
        *_, infos = env.step(np.ones((4, 3), np.float32))
        if 'episode' in infos:
            break
    assert infos['episode']['l'][infos['_episode']].min() > 3
    again = gymnasium.make_vec(env.unwrapped.spec)
    assert again.num_envs == 4 and again.unwrapped.ctrl_cost_weight == 0.1
    assert isinstance(again.unwrapped, lockstep.gym.Hopper)
