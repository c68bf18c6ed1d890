"""Reacher-v5: two links that reach for a target."""
import numpy as np

from lockstep.gym.environment import Environment
from lockstep.gym.parts import squares


class Reacher(Environment):
    xml_file: str = 'reacher.xml'
    frame_skip: int = 2
    reward_dist_weight: float = 1
    reward_control_weight: float = 1
    max_episode_steps = 50

    def prepare(self):
        self._tip, self._target = (self.model.body(name).id for name in ('fingertip', 'target'))

    def start(self, random):
        def within_reach(points):
            return np.linalg.norm(points, axis=1) < 0.2

        qpos = random.uniform(-0.1, 0.1, self.model.nq) + self.init_qpos
        qpos[:, -2:] = random.uniform_until(within_reach, low=(-0.2, -0.2), high=(0.2, 0.2))
        qvel = self.init_qvel + random.uniform(-0.005, 0.005, self.model.nv)
        qvel[:, -2:] = 0
        return qpos, qvel

    def missing(self, d):
        """From the target to the fingertip."""
        return d.xpos[:, self._tip] - d.xpos[:, self._target]

    def observe(self, d):
        angles = d.qpos[:, :2]
        return {'cos': np.cos(angles), 'sin': np.sin(angles), 'target': d.qpos[:, 2:], 'qvel': d.qvel[:, :2],
                'missing': self.missing(d)[:, :2]}

    def judge(self, d, actions, velocity):
        distance = -np.linalg.norm(self.missing(d), axis=1) * self.reward_dist_weight
        control = -squares(actions) * self.reward_control_weight
        return distance + control, False, {'reward_dist': distance, 'reward_ctrl': control}
