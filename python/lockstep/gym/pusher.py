"""Pusher-v5: an arm that moves an object to a goal."""
import numpy as np

from lockstep.gym.environment import Environment
from lockstep.gym.parts import squares


class Pusher(Environment):
    xml_file: str = 'pusher_v5.xml'
    frame_skip: int = 5
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1
    reward_control_weight: float = 0.1
    max_episode_steps = 100
    goal = 0.0, 0.0

    def prepare(self):
        self._tip, self._object, self._goal = (self.model.body(name).id for name in ('tips_arm', 'object', 'goal'))

    def start(self, random):
        def far_enough(points):
            return np.linalg.norm(points - self.goal, axis=1) > 0.17

        points = random.uniform_until(far_enough, low=(-0.3, -0.2), high=(0.0, 0.2))
        qpos = np.tile(self.init_qpos, (len(points), 1))
        qpos[:, -4:-2], qpos[:, -2:] = points, self.goal
        qvel = self.init_qvel + random.uniform(-0.005, 0.005, self.model.nv)
        qvel[:, -4:] = 0
        return qpos, qvel

    def observe(self, d):
        return {'qpos': d.qpos[:, :7], 'qvel': d.qvel[:, :7], 'tip': d.xpos[:, self._tip],
                'object': d.xpos[:, self._object], 'goal': d.xpos[:, self._goal]}

    def judge(self, d, actions, velocity):
        thing = d.xpos[:, self._object]
        near = -np.linalg.norm(thing - d.xpos[:, self._tip], axis=1) * self.reward_near_weight
        distance = -np.linalg.norm(thing - d.xpos[:, self._goal], axis=1) * self.reward_dist_weight
        control = -squares(actions) * self.reward_control_weight
        return distance + control + near, False, {'reward_dist': distance, 'reward_ctrl': control, 'reward_near': near}
