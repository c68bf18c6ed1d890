"""HalfCheetah-v5: a planar runner with six motors."""
from lockstep.gym.parts import Mover


class HalfCheetah(Mover):
    task = 'HalfCheetah'
    xml_file: str = 'half_cheetah.xml'
    frame_skip: int = 5
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 0.1
    normal_velocities = True
