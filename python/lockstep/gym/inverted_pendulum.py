"""InvertedPendulum-v5: a pole on a cart."""
import numpy as np

from lockstep.gym.environment import Environment
from lockstep.gym.parts import uniform_start


class InvertedPendulum(Environment):
    task = 'InvertedPendulum'
    xml_file: str = 'inverted_pendulum.xml'
    frame_skip: int = 2
    reset_noise_scale: float = 0.01
    normal_velocities = False
    info_types = {'reward_survive': np.int64}

    start = uniform_start
