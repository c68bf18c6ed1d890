"""Ant-v5: a torso with four legs."""
from lockstep.gym.parts import Mover


class Ant(Mover):
    task = 'Ant'
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

    def settings(self):
        return {'body': self.model.body(self.main_body).id}
