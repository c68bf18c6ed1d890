"""Pusher-v5: an arm that moves an object to a goal."""
import numpy as np

from lockstep.gym.environment import Environment


class Pusher(Environment):
    task = 'Pusher'
    xml_file: str = 'pusher_v5.xml'
    frame_skip: int = 5
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1
    reward_control_weight: float = 0.1
    max_episode_steps = 100
    goal = 0.0, 0.0

    def settings(self):
        return {name: self.model.body(body).id for name, body in (('tip', 'tips_arm'), ('object', 'object'), ('goal', 'goal'))}

    def start(self, random):
        def far_enough(points):
            return np.linalg.norm(points - self.goal, axis=1) > 0.17

        points = random.uniform_until(far_enough, low=(-0.3, -0.2), high=(0.0, 0.2))
        qpos = np.tile(self.init_qpos, (len(points), 1))
        qpos[:, -4:-2], qpos[:, -2:] = points, self.goal
        qvel = self.init_qvel + random.uniform(-0.005, 0.005, self.model.nv)
        qvel[:, -4:] = 0
        return qpos, qvel
