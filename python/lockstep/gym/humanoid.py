"""Humanoid-v5: a body with arms and legs, that walks."""
import numpy as np

from lockstep.gym.parts import Mover


class Body(Mover):
    """What both humanoids have."""

    frame_skip: int = 5
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 1e-2
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True
    info_types = {}


class Humanoid(Body):
    task = 'Humanoid'
    xml_file: str = 'humanoid.xml'
    forward_reward_weight: float = 1.25
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple = (-np.inf, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (1.0, 2.0)
