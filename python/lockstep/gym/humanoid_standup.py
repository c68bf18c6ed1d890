"""HumanoidStandup-v5: a body that lies and should get up."""
import numpy as np

from lockstep.gym.humanoid import Body


class HumanoidStandup(Body):
    task = 'HumanoidStandup'
    xml_file: str = 'humanoidstandup.xml'
    uph_cost_weight: float = 1  # Gymnasium's rewards do not use it either
    impact_cost_weight: float = 0.5e-6
    impact_cost_range: tuple = (-np.inf, 10.0)

    def settings(self):
        return {'start_height': self.init_qpos[2], 'timestep': self.model.opt.timestep}
