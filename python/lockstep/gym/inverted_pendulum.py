"""InvertedPendulum-v5: a pole on a cart."""
import numpy as np

from lockstep.gym.environment import Environment
from lockstep.gym.parts import finite, uniform_start


class InvertedPendulum(Environment):
    xml_file: str = 'inverted_pendulum.xml'
    frame_skip: int = 2
    reset_noise_scale: float = 0.01
    normal_velocities = False

    start = uniform_start

    def observe(self, d):
        return {'qpos': d.qpos, 'qvel': d.qvel}

    def judge(self, d, actions, velocity):
        upright = finite(d) & (np.abs(d.qpos[:, 1]) <= 0.2)
        reward = upright.astype(int)
        return reward, ~upright, {'reward_survive': reward}
