"""InvertedDoublePendulum-v5: two poles on a cart."""
from lockstep.gym.environment import Environment
from lockstep.gym.parts import uniform_start


class InvertedDoublePendulum(Environment):
    task = 'InvertedDoublePendulum'
    xml_file: str = 'inverted_double_pendulum.xml'
    frame_skip: int = 5
    healthy_reward: float = 10.0
    reset_noise_scale: float = 0.1
    normal_velocities = True

    start = uniform_start
