"""lockstep.gym returns what Gymnasium's v5 environments return: observations, rewards, ends, infos."""
import copy
import pickle

import gymnasium
import mujoco
import numpy as np
import pytest
from gym_pairs import CALM, MODEL, NAMES, PGS, actions, assert_equal, assert_same_step, copy_states, ours, theirs
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

# other values than the defaults for all keyword arguments
OPTIONS = {
    'Ant': dict(forward_reward_weight=2, ctrl_cost_weight=.3, contact_cost_weight=1e-2, healthy_reward=.7, main_body='torso',
                healthy_z_range=(.5, .8), contact_force_range=(-.2, .3), reset_noise_scale=.05, frame_skip=3,
                exclude_current_positions_from_observation=False, include_cfrc_ext_in_observation=False),
    'HalfCheetah': dict(forward_reward_weight=2., ctrl_cost_weight=.3, reset_noise_scale=.3, frame_skip=2,
                        exclude_current_positions_from_observation=False),
    'Hopper': dict(forward_reward_weight=2., ctrl_cost_weight=.1, healthy_reward=.4, terminate_when_unhealthy=False,
                   healthy_state_range=(-1., 1.), healthy_z_range=(1.2, 1.3), healthy_angle_range=(-.1, .05),
                   reset_noise_scale=.02, exclude_current_positions_from_observation=False, frame_skip=3),
    'Humanoid': dict(forward_reward_weight=2., ctrl_cost_weight=.3, contact_cost_weight=1e-4, contact_cost_range=(.1, 2.),
                     healthy_reward=2., terminate_when_unhealthy=False, healthy_z_range=(1.3, 1.4), reset_noise_scale=.02,
                     exclude_current_positions_from_observation=False, include_cinert_in_observation=False,
                     include_qfrc_actuator_in_observation=False, frame_skip=2),
    'HumanoidStandup': dict(ctrl_cost_weight=.3, impact_cost_weight=1e-4, impact_cost_range=(.1, .5), uph_cost_weight=2,
                            reset_noise_scale=.02, exclude_current_positions_from_observation=False,
                            include_cvel_in_observation=False, include_cfrc_ext_in_observation=False, frame_skip=2),
    'InvertedDoublePendulum': dict(healthy_reward=3., reset_noise_scale=.2, frame_skip=2),
    'InvertedPendulum': dict(reset_noise_scale=.1, frame_skip=1),
    'Pusher': dict(reward_near_weight=2., reward_dist_weight=3, reward_control_weight=.3, frame_skip=2),
    'Reacher': dict(reward_dist_weight=3, reward_control_weight=.3, frame_skip=4),
    'Swimmer': dict(forward_reward_weight=2., ctrl_cost_weight=.1, reset_noise_scale=.3, frame_skip=2,
                    exclude_current_positions_from_observation=False),
    'Walker2d': dict(forward_reward_weight=2., ctrl_cost_weight=.1, healthy_reward=.4, terminate_when_unhealthy=False,
                     healthy_z_range=(1.2, 1.3), healthy_angle_range=(-.1, .05), reset_noise_scale=.02, frame_skip=3,
                     exclude_current_positions_from_observation=False),
}

@pytest.mark.parametrize('name', NAMES)
def test_spaces(name):
    a, b = ours(name, 3), theirs(name, 3)
    assert a.single_observation_space == b.single_observation_space
    assert (a.observation_space, a.action_space) == (b.observation_space, b.action_space)
    single = b.envs[0]
    assert (a.unwrapped.dt, a.spec.max_episode_steps) == (single.unwrapped.dt, single.spec.max_episode_steps)
    assert a.spec.reward_threshold == single.spec.reward_threshold
    structure = getattr(single.unwrapped, 'observation_structure', {})
    found = a.unwrapped.observation_structure
    assert {k: v for k, v in structure.items() if v and k != 'skipped_qpos'} == (found if structure else {})


@pytest.mark.parametrize('name', NAMES)
def test_a_hundred_steps(name):
    a, b = ours(name, 5, **MODEL[name]), theirs(name, 5, **MODEL[name])
    rng, moved = np.random.default_rng(0), 0
    for found, expected in zip(a.reset(seed=11), b.reset(seed=11)):
        assert_equal(found, expected)
    for _ in range(100):
        controls = actions(a, rng, CALM.get(name, 1))
        expected = b.step(controls)
        assert_same_step(a.step(controls), expected)
        moved = max(moved, np.ptp(expected[0], axis=0).max())
    assert moved > 0.1


@pytest.mark.parametrize('name', NAMES)
def test_step_from_the_same_state(name):
    """With all of the range of actions, which no trajectory survives: each step begins where Gymnasium's begins."""
    _compare_steps(ours(name, 3, **MODEL[name]), theirs(name, 3, **MODEL[name]))


@pytest.mark.parametrize('name', PGS)
def test_step_with_pgs(name):
    _compare_steps(ours(name, 3), theirs(name, 3))


def _compare_steps(a, b):
    a.reset(seed=5), b.reset(seed=5)
    rng = np.random.default_rng(1)
    for _ in range(100):
        copy_states(a, b)
        controls = actions(a, rng)
        assert_same_step(a.step(controls), b.step(controls))


@pytest.mark.parametrize('name', NAMES)
def test_options(name):
    options = OPTIONS[name] | MODEL[name]
    a, b = ours(name, 3, **options), theirs(name, 3, **options)
    rng = np.random.default_rng(2)
    for found, expected in zip(a.reset(seed=7), b.reset(seed=7)):
        assert_equal(found, expected)
    for _ in range(10):
        copy_states(a, b)
        controls = actions(a, rng)
        assert_same_step(a.step(controls), b.step(controls))


@pytest.mark.parametrize('mode', list(AutoresetMode), ids=lambda mode: mode.name)
@pytest.mark.parametrize('name, limit', [('Hopper', 20), ('InvertedDoublePendulum', 1000), ('Reacher', 7), ('Ant', 5)])
def test_autoreset(name, limit, mode):
    """Ends and new starts, one by one and all at once, as Gymnasium's SyncVectorEnv has them."""
    a = ours(name, 6, autoreset_mode=mode, max_episode_steps=limit)
    make = [lambda: gymnasium.make(f'{name}-v5', max_episode_steps=limit)] * 6
    b = gymnasium.vector.SyncVectorEnv(make, autoreset_mode=mode)
    assert a.metadata['autoreset_mode'] is mode
    a.reset(seed=1), b.reset(seed=1)
    rng, ends = np.random.default_rng(3), 0
    for _ in range(60):
        controls = actions(a, rng)
        expected = b.step(controls)
        assert_same_step(a.step(controls), expected)
        done = expected[2] | expected[3]
        ends += done.sum()
        if mode is AutoresetMode.DISABLED and done.any():
            with pytest.raises(gymnasium.error.ResetNeeded):
                a.step(controls)
            for found, expected in zip(a.reset(options={'reset_mask': done}), b.reset(options={'reset_mask': done})):
                assert_equal(found, expected)
    assert ends > 6


WRAPPERS = {
    'statistics': wrappers.RecordEpisodeStatistics, 'rewards': wrappers.NormalizeReward, 'clip': wrappers.ClipAction,
    'list': wrappers.DictInfoToList, 'rescale': lambda env: wrappers.RescaleAction(env, -2, 2),
    'clip reward': lambda env: wrappers.ClipReward(env, 0, 1),
    'each': lambda env: wrappers.VectorizeTransformReward(env, gymnasium.wrappers.ClipReward, min_reward=0, max_reward=1),
}
OBSERVATION_WRAPPERS = {  # which know one mode only
    'observations': wrappers.NormalizeObservation, 'dtype': lambda env: wrappers.DtypeObservation(env, np.float32)}


@pytest.mark.parametrize('wrap, mode', [
    pytest.param(wrap, mode, id=f'{name} {mode.name}') for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
    for name, wrap in (WRAPPERS | (OBSERVATION_WRAPPERS if mode is AutoresetMode.NEXT_STEP else {})).items()])
def test_wrapped(wrap, mode):
    """Gymnasium's wrappers of vector environments make the same of both."""
    a, b = (wrap(make('Hopper', 4, autoreset_mode=mode)) for make in (ours, theirs))
    a.reset(seed=8), b.reset(seed=8)
    rng, ends = np.random.default_rng(5), 0
    for _ in range(40):
        controls = rng.uniform(-1, 1, a.action_space.shape).astype(np.float32)
        found, expected = a.step(controls), b.step(controls)
        ends += expected[2].sum()
        if isinstance(expected[4], list):
            assert [set(info) for info in found[4]] == [set(info) for info in expected[4]]
            found, expected = (result[:4] for result in (found, expected))
        elif 'episode' in expected[4]:
            for result in (found, expected):
                del result[4]['episode']['t']  # seconds
        for x, y in zip(found, expected):
            assert_equal(x, y)
    assert ends > 3


@pytest.mark.parametrize('name', NAMES)
def test_single(name):
    """Gymnasium's own checker, and a run beside Gymnasium's environment."""
    a, b = (gymnasium.make(f'{space}{name}-v5', **MODEL[name]) for space in ('lockstep/', ''))
    check_env(a.unwrapped, skip_render_check=True)
    assert a.observation_space == b.observation_space and a.action_space == b.action_space
    rng = np.random.default_rng(4)
    for found, expected in zip(a.reset(seed=3), b.reset(seed=3)):
        assert_equal(*map(_arrays, (found, expected)))
    for _ in range(5):
        action = rng.uniform(a.action_space.low, a.action_space.high).astype(np.float32)
        found, expected = a.step(action), b.step(action)
        assert found[2:4] == expected[2:4] and isinstance(found[2], bool)
        for x, y in zip((found[0], found[1], found[4]), (expected[0], expected[1], expected[4])):
            assert_equal(*map(_arrays, (x, y)))


@pytest.mark.parametrize('name', ['Ant', 'Hopper', 'Reacher'])
def test_single_from_a_given_state(name):
    """set_state, and what users give it."""
    found = []
    for space in ('lockstep/', ''):
        env = gymnasium.make(f'{space}{name}-v5').unwrapped
        env.reset(seed=3)
        qpos, qvel = env.init_qpos + 0.01, env.init_qvel - 0.1
        env.set_state(qpos, qvel)
        np.testing.assert_array_equal(env.state_vector(), np.concatenate([qpos, qvel]))
        observation, reward, *_ = env.step(np.full(env.action_space.shape, 0.1, np.float32))
        found.append(np.append(observation, reward))
    np.testing.assert_allclose(*found, rtol=0, atol=1e-6)


@pytest.mark.parametrize('way', [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=['deepcopy', 'pickle'])
def test_copies_of_single_environments(way):
    env = gymnasium.make('lockstep/Hopper-v5', ctrl_cost_weight=0.5)
    first = env.reset(seed=3)[0]
    other = way(env)
    np.testing.assert_array_equal(other.reset(seed=3)[0], first)
    assert other.unwrapped.vector.ctrl_cost_weight == 0.5 and other.unwrapped.vector is not env.unwrapped.vector


def test_set_state_takes_whole_states():
    env = gymnasium.make('lockstep/Hopper-v5').unwrapped
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r'\(6,\) and \(6,\)'):
        env.set_state(np.zeros(6), np.zeros(5))


def test_data_of_single_environments():
    """Users read env.unwrapped.data."""
    ours, theirs = (gymnasium.make(f'{space}Walker2d-v5').unwrapped for space in ('lockstep/', ''))
    for env in (ours, theirs):
        env.reset(seed=5)
        env.step(np.full(6, 0.3, np.float32))
    mujoco.mj_forward(theirs.model, theirs.data)
    for name in ('qpos', 'qvel', 'ctrl', 'xpos', 'cinert', 'qacc'):
        np.testing.assert_allclose(getattr(ours.data, name), getattr(theirs.data, name), rtol=1e-9, atol=1e-9, err_msg=name)
    assert ours.data.body('foot').xpos.shape == (3,)
    batch = ours.vector.batch
    batch.expand('opt.gravity')[:] = 0
    batch.expand('body_mass')[:] *= 3
    batch.set_const()
    ours.set_state(ours.init_qpos, ours.init_qvel)
    np.testing.assert_allclose(ours.data.qfrc_bias, 0, atol=1e-9)


def _arrays(value):
    if isinstance(value, dict):
        return {key: np.asarray(item, np.float64) for key, item in value.items()}
    return np.asarray(value, np.float64)


def test_time_limit():
    env = gymnasium.make('lockstep/Reacher-v5')
    env.reset(seed=0)
    ends = [env.step(env.action_space.sample())[3] for _ in range(50)]
    assert ends == [False] * 49 + [True]


@pytest.mark.parametrize('limit', [None, -1])
def test_no_time_limit(limit):
    envs = ours('Reacher', 2, max_episode_steps=limit)
    envs.reset(seed=0)
    assert not any(envs.step(envs.action_space.sample())[3].any() for _ in range(60))


def test_time_limits_are_positive():
    for limit in (0, -2):
        with pytest.raises(ValueError, match='positive'):
            ours('Reacher', 2, max_episode_steps=limit)
