"""Reacher-v5: two links that reach for a target."""
import numpy as np

from lockstep.gym.environment import Environment


class Reacher(Environment):
    task = 'Reacher'
    xml_file: str = 'reacher.xml'
    frame_skip: int = 2
    reward_dist_weight: float = 1
    reward_control_weight: float = 1
    max_episode_steps = 50

    def settings(self):
        return {'tip': self.model.body('fingertip').id, 'target': self.model.body('target').id}

    def start(self, random):
        def within_reach(points):
            return np.linalg.norm(points, axis=1) < 0.2

        qpos = random.uniform(-0.1, 0.1, self.model.nq) + self.init_qpos
        qpos[:, -2:] = random.uniform_until(within_reach, low=(-0.2, -0.2), high=(0.2, 0.2))
        qvel = self.init_qvel + random.uniform(-0.005, 0.005, self.model.nv)
        qvel[:, -2:] = 0
        return qpos, qvel
