"""Ant-v5: a torso with four legs."""
import numpy as np

from lockstep.gym.parts import Roamer, finite, squares


class Ant(Roamer):
    xml_file: str = 'ant.xml'
    frame_skip: int = 5
    forward_reward_weight: float = 1
    ctrl_cost_weight: float = 0.5
    contact_cost_weight: float = 5e-4
    healthy_reward: float = 1.0
    main_body: int | str = 1
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (0.2, 1.0)
    contact_force_range: tuple = (-1.0, 1.0)
    reset_noise_scale: float = 0.1
    include_cfrc_ext_in_observation: bool = True
    normal_velocities = True

    def prepare(self):
        self._body = self.model.body(self.main_body).id

    def place(self, d):
        return d.xpos[:, self._body, :2]

    def observe(self, d):
        parts = super().observe(d)
        if self.include_cfrc_ext_in_observation:
            parts['cfrc_ext'] = np.clip(d.cfrc_ext[:, 1:], *self.contact_force_range)
        return parts

    def healthy(self, d):
        low, high = self.healthy_z_range
        z = d.qpos[:, 2]
        return finite(d) & (low <= z) & (z <= high)

    def judge(self, d, actions, velocity):
        healthy = self.healthy(d)
        forward, survive = velocity[:, 0] * self.forward_reward_weight, healthy * self.healthy_reward
        cost = self.ctrl_cost_weight * squares(actions)
        contact = self.contact_cost_weight * squares(np.clip(d.cfrc_ext, *self.contact_force_range))
        terms = {'x_velocity': velocity[:, 0], 'y_velocity': velocity[:, 1], 'reward_forward': forward,
                 'reward_ctrl': -cost, 'reward_contact': -contact, 'reward_survive': survive}
        return forward + survive - (cost + contact), ~healthy & bool(self.terminate_when_unhealthy), terms
