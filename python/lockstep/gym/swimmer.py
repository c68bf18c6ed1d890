"""Swimmer-v5: three links in a viscous fluid."""
from lockstep.gym.parts import Roamer, squares


class Swimmer(Roamer):
    xml_file: str = 'swimmer.xml'
    frame_skip: int = 4
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-4
    reset_noise_scale: float = 0.1

    def place(self, d):
        return d.qpos[:, :2]

    def judge(self, d, actions, velocity):
        forward = self.forward_reward_weight * velocity[:, 0]
        cost = self.ctrl_cost_weight * squares(actions)
        return forward - cost, False, {'x_velocity': velocity[:, 0], 'y_velocity': velocity[:, 1],
                                       'reward_forward': forward, 'reward_ctrl': -cost}
