"""lockstep.gym.MjcfVectorEnv: a model and functions make an environment."""
import gymnasium
import numpy as np
import pytest
from gym_pairs import actions, ours

import lockstep
from lockstep.gym import MjcfVectorEnv
from lockstep.gym.environment import ASSETS

XML = """
<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size=".2 .1 .1" mass="1"/>
      <body name="pole" pos="0 0 .1">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size=".05" mass=".1"/>
        <site name="tip" pos="0 0 1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="slide" ctrlrange="-3 3" ctrllimited="true"/>
    <motor joint="hinge"/>
  </actuator>
</mujoco>
"""


def height(d, actions):
    return d.site_xpos[:, 0, 2] - 0.01 * np.square(actions).sum(1)


@pytest.fixture
def model():
    return lockstep.MjModel.from_xml_string(XML)


def test_is_hopper_when_told_so():
    """Hopper made of functions is Hopper."""
    def reward(d, actions, velocity):
        return velocity[:, 0] + ~fallen(d) - 1e-3 * np.square(actions, dtype=np.float64).sum(1)

    def fallen(d):
        return (d.qpos[:, 1] <= 0.7) | (np.abs(d.qpos[:, 2]) >= 0.2)

    env = MjcfVectorEnv(
        ASSETS / 'hopper.xml', 4, reward=reward, terminated=fallen, frame_skip=4, reset_noise_scale=5e-3,
        observe=lambda d: np.concatenate([d.qpos[:, 1:], np.clip(d.qvel, -10, 10)], 1), place=lambda d: d.qpos[:, :1],
        info=lambda d: {'x_position': d.qpos[:, 0]})
    expected = ours('Hopper', 4)
    np.testing.assert_array_equal(env.reset(seed=3)[0], expected.reset(seed=3)[0])
    rng, ends = np.random.default_rng(0), 0
    for _ in range(60):
        controls = actions(env, rng)
        found, wanted = env.step(controls), expected.step(controls)
        for a, b in zip(found[:4], wanted[:4]):
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(found[4]['x_position'], wanted[4]['x_position'])
        ends += found[2].sum()
    assert ends > 4


def test_steps_are_those_of_a_world_alone(model):
    env = MjcfVectorEnv(model, 3, reward=height, frame_skip=2, max_episode_steps=5)
    observations, _ = env.reset(options={'qpos': [[0, .1], [0, .2], [0, .3]], 'qvel': [0, 0]})
    controls = np.array([[1, 0], [0, .5], [-1, .1]], np.float32)
    data = [lockstep.MjData(model) for _ in range(3)]
    for world, d in enumerate(data):
        d.qpos[1], d.ctrl = (.1, .2, .3)[world], controls[world]
    for step in range(5):
        observations, rewards, terminated, truncated, _ = env.step(controls)
        for world, d in enumerate(data):
            lockstep.mj_step(model, d, 2)
            np.testing.assert_array_equal(observations[world], np.concatenate([d.qpos, d.qvel]))
            np.testing.assert_allclose(rewards[world], d.site_xpos[0, 2] - 0.01 * (controls[world]**2).sum(), rtol=1e-6)
        assert not terminated.any() and truncated.all() == (step == 4)


def test_action_space(model):
    env = MjcfVectorEnv(model, 2, reward=height)
    np.testing.assert_array_equal(env.single_action_space.high, [3, np.inf])
    assert isinstance(env, gymnasium.vector.VectorEnv) and env.observation_space.shape == (2, 4)


def test_own_start_and_named_parts(model):
    def start(random):
        angle = random.uniform(1, 2, 1)
        return np.concatenate([np.zeros_like(angle), angle], 1), np.zeros((len(angle), 2))

    env = MjcfVectorEnv(model, 50, reward=height, start=start, dtype=np.float32,
                        observe=lambda d: {'tip': d.site_xpos[:, 0], 'speed': d.qvel})
    observations, _ = env.reset(seed=0)
    assert env.observation_structure == {'tip': 3, 'speed': 2}
    angle = env.batch.qpos[:, 1]
    assert 1 <= angle.min() < 1.1 and 1.9 < angle.max() <= 2
    np.testing.assert_allclose(observations[:, 2], 0.1 + np.cos(angle), atol=1e-6)


def test_rewards_and_reports_have_a_row_per_world(model):
    """One number stands for all worlds; a column, which would broadcast with other arrays unnoticed, is refused."""
    env = MjcfVectorEnv(model, 3, reward=lambda d, actions: 2, terminated=lambda d: d.qpos[:, 0] > 0.5,
                        info=lambda d: {'goal': 7.0})
    _, infos = env.reset(options={'qpos': [[0, 0], [1, 0], [0, 0]]})
    np.testing.assert_array_equal(infos['goal'], [7, 7, 7])
    for expected in ([2, 2, 2], [2, 0, 2]):
        _, rewards, _, _, infos = env.step(np.zeros((3, 2)))
        np.testing.assert_array_equal(rewards, expected)
        np.testing.assert_array_equal(infos['goal'], [7, 7, 7])
    for wrong in (np.zeros((3, 1)), np.zeros(2)):
        env = MjcfVectorEnv(model, 3, reward=lambda d, actions, wrong=wrong: wrong)
        env.reset()
        with pytest.raises(ValueError, match='broadcast'):
            env.step(np.zeros((3, 2)))


def test_fields_are_known_beforehand(model):
    late = []
    env = MjcfVectorEnv(model, 2, reward=lambda d, actions: d.xpos[:, 1, 0] + (d.energy[:, 0] if late else 0))
    env.reset()
    env.step(np.zeros((2, 2)))
    late.append(1)
    with pytest.raises(AttributeError, match='energy was not read when .* fields='):
        env.step(np.zeros((2, 2)))
    with pytest.raises(AttributeError, match="did you mean 'qpos'"):
        MjcfVectorEnv(model, 2, reward=lambda d, actions: d.qops[:, 0])


@pytest.mark.parametrize('compiled', [False, True])
def test_parameters_of_a_world_act_at_starts_and_in_velocities(tmp_path, compiled):
    """Where its mocap bodies stand, which equalities act, how long its steps are."""
    path = tmp_path / 'held.xml'
    path.write_text("""
<mujoco>
  <option timestep=".01" gravity="0 0 0"/>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 1"/>
    <body name="cart">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint name="hinge" axis="0 1 0"/>
      <geom size=".1"/>
    </body>
  </worldbody>
  <equality><weld body1="hand" body2="cart" active="false"/></equality>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
""")
    if compiled:
        env = lockstep.gym.Hopper(3, xml_file=str(path), frame_skip=2, reset_noise_scale=0., terminate_when_unhealthy=False)
    else:
        env = MjcfVectorEnv(str(path), 3, place=lambda d: d.qpos[:, :1], reward=lambda d, a, velocity: velocity[:, 0],
                            frame_skip=2, reset_noise_scale=0.)
    batch = env.batch
    batch.expand('eq_active0')[1] = 1
    batch.expand('body_pos')[1, 1] = [0, 0, 3]
    batch.expand('opt.timestep')[2] *= .5
    env.reset(seed=0, options={'qvel': np.array([3., 0, 0])})
    np.testing.assert_array_equal(batch.eq_active[:, 0], [0, 1, 0])
    np.testing.assert_array_equal(batch.mocap_pos[:, 0, 2], [1, 3, 1])
    _, rewards, _, _, info = env.step(np.zeros((3, 1)))
    velocity = info['x_velocity'] if compiled else rewards
    np.testing.assert_allclose(velocity[[0, 2]], 3, rtol=1e-12)
    np.testing.assert_allclose(batch.time, [.02, .02, .01], rtol=1e-12)
