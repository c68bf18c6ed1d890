"""lockstep.gym.sb3: what Stable-Baselines3's own vector environment makes of single environments. Needs stable_baselines3."""
import functools

import gymnasium
import numpy as np
import pytest

stable_baselines3 = pytest.importorskip('stable_baselines3')

from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize  # noqa: E402

import lockstep.gym  # noqa: E402
from lockstep.gym.sb3 import VecEnv  # noqa: E402


@pytest.mark.parametrize('name, limit', [('Hopper', 20), ('Reacher', 7)])
def test_is_like_theirs(name, limit):
    ours = VecEnv(name, 5, max_episode_steps=limit, tell_all=True)
    theirs = DummyVecEnv([functools.partial(gymnasium.make, f'lockstep/{name}-v5', max_episode_steps=limit)] * 5)
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    for env in (ours, theirs):
        env.seed(3)
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    rng, ends = np.random.default_rng(0), 0
    for _ in range(50):
        actions = rng.uniform(-1, 1, (5, *ours.action_space.shape)).astype(np.float32)
        found, expected = ours.step(actions), theirs.step(actions)
        for a, b in zip(found[:3], expected[:3]):
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b)
        for a, b, done in zip(found[3], expected[3], expected[2]):
            ends += done
            assert done == ('episode' in a) == ('terminal_observation' in a)
            if done:
                np.testing.assert_array_equal(a.pop('terminal_observation'), b.pop('terminal_observation'))
                assert a.pop('TimeLimit.truncated') == b.pop('TimeLimit.truncated')
                assert 0 < a.pop('episode')['l'] <= limit
            b.pop('TimeLimit.truncated', None)
            assert a == b
    assert ends > 5


def test_episodes_are_summed():
    env = VecEnv('Reacher', 2, max_episode_steps=4)
    env.reset()
    total = 0
    for step in range(4):
        _, rewards, dones, infos = env.step(np.zeros((2, 2), np.float32))
        total += rewards[1]
        assert dones.all() == (step == 3) and bool(infos[1]) == (step == 3)
    assert infos[1]['episode']['r'] == pytest.approx(total, rel=1e-5) and infos[1]['episode']['l'] == 4
    assert infos[1]['TimeLimit.truncated']


def test_a_policy_learns_on_it():
    env = VecNormalize(VecEnv('InvertedPendulum', 8))
    model = stable_baselines3.PPO('MlpPolicy', env, n_steps=32, batch_size=64, n_epochs=2, seed=0, device='cpu')
    before = model.policy.state_dict()['action_net.weight'].clone()
    model.learn(512)
    assert model.num_timesteps == 512 and len(model.ep_info_buffer) > 5
    assert (model.policy.state_dict()['action_net.weight'] != before).any()


def test_wrong_use():
    with pytest.raises(ValueError, match='SameStep'):
        VecEnv(lockstep.gym.Hopper(2))
    env = VecEnv('Hopper', 2)
    with pytest.raises(NotImplementedError, match='no methods'):
        env.env_method('reset')
    with pytest.raises(ValueError, match='common to all'):
        env.set_attr('frame_skip', 3, indices=[1])
    assert env.get_attr('frame_skip', [0]) == [4] and env.env_is_wrapped(object) == [False, False]
