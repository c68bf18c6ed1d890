"""Swimmer-v5: three links in a viscous fluid."""
from lockstep.gym.parts import Mover


class Swimmer(Mover):
    task = 'Swimmer'
    xml_file: str = 'swimmer.xml'
    frame_skip: int = 4
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-4
    reset_noise_scale: float = 0.1
