"""InvertedDoublePendulum-v5: two poles on a cart."""
import numpy as np

from lockstep.gym.environment import Environment
from lockstep.gym.parts import uniform_start


class InvertedDoublePendulum(Environment):
    xml_file: str = 'inverted_double_pendulum.xml'
    frame_skip: int = 5
    healthy_reward: float = 10.0
    reset_noise_scale: float = 0.1
    normal_velocities = True

    start = uniform_start

    def observe(self, d):
        angles = d.qpos[:, 1:]
        return {'cart': d.qpos[:, :1], 'sin': np.sin(angles), 'cos': np.cos(angles), 'qvel': np.clip(d.qvel, -10, 10),
                'qfrc_constraint': np.clip(d.qfrc_constraint[:, :1], -10, 10)}

    def judge(self, d, actions, velocity):
        x, y = d.site_xpos[:, 0, 0], d.site_xpos[:, 0, 2]
        distance = 0.01 * x**2 + (y - 2)**2
        speed = 1e-3 * d.qvel[:, 1]**2 + 5e-3 * d.qvel[:, 2]**2
        fallen = y <= 1
        alive = self.healthy_reward * ~fallen
        return alive - distance - speed, fallen, {'reward_survive': alive, 'distance_penalty': -distance,
                                                  'velocity_penalty': -speed}
