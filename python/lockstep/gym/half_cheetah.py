"""HalfCheetah-v5: a planar runner with six motors."""
from lockstep.gym.parts import Walker, squares


class HalfCheetah(Walker):
    xml_file: str = 'half_cheetah.xml'
    frame_skip: int = 5
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 0.1
    normal_velocities = True

    def judge(self, d, actions, velocity):
        forward = self.forward_reward_weight * velocity[:, 0]
        cost = self.ctrl_cost_weight * squares(actions)
        return forward - cost, False, {'x_velocity': velocity[:, 0], 'reward_forward': forward, 'reward_ctrl': -cost}
