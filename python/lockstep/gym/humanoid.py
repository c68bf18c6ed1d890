"""Humanoid-v5: a body with arms and legs, that walks."""
import numpy as np

from lockstep.gym.parts import Roamer, between, squares


class Body(Roamer):
    """What both humanoids observe and report."""

    frame_skip: int = 5
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 1e-2
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    def observe(self, d):
        parts = super().observe(d)
        if self.include_cinert_in_observation:
            parts['cinert'] = d.cinert[:, 1:]
        if self.include_cvel_in_observation:
            parts['cvel'] = d.cvel[:, 1:]
        if self.include_qfrc_actuator_in_observation:
            parts['qfrc_actuator'] = d.qfrc_actuator[:, 6:]
        if self.include_cfrc_ext_in_observation:
            parts['cfrc_ext'] = d.cfrc_ext[:, 1:]
        return parts

    def info(self, d):
        return super().info(d) | {'tendon_length': d.ten_length, 'tendon_velocity': d.ten_velocity}


class Humanoid(Body):
    xml_file: str = 'humanoid.xml'
    forward_reward_weight: float = 1.25
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple = (-np.inf, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (1.0, 2.0)

    def place(self, d):
        return d.subtree_com[:, 0, :2]

    def judge(self, d, actions, velocity):
        healthy = between(d.qpos[:, 2], self.healthy_z_range)
        forward, survive = self.forward_reward_weight * velocity[:, 0], healthy * self.healthy_reward
        cost = self.ctrl_cost_weight * squares(d.ctrl)
        contact = np.clip(self.contact_cost_weight * squares(d.cfrc_ext), *self.contact_cost_range)
        terms = {'x_velocity': velocity[:, 0], 'y_velocity': velocity[:, 1], 'reward_survive': survive,
                 'reward_forward': forward, 'reward_ctrl': -cost, 'reward_contact': -contact}
        return forward + survive - (cost + contact), ~healthy & bool(self.terminate_when_unhealthy), terms
