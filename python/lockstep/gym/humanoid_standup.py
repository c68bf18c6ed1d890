"""HumanoidStandup-v5: a body that lies and should get up."""
import numpy as np

from lockstep.gym.humanoid import Body
from lockstep.gym.parts import squares


class HumanoidStandup(Body):
    xml_file: str = 'humanoidstandup.xml'
    uph_cost_weight: float = 1  # Gymnasium's rewards do not use it either
    impact_cost_weight: float = 0.5e-6
    impact_cost_range: tuple = (-np.inf, 10.0)

    def judge(self, d, actions, velocity):
        up = d.qpos[:, 2] / self.model.opt.timestep
        cost = self.ctrl_cost_weight * squares(d.ctrl)
        impact = np.clip(self.impact_cost_weight * squares(d.cfrc_ext), *self.impact_cost_range)
        terms = {'reward_linup': up, 'reward_quadctrl': -cost, 'reward_impact': -impact}
        return up - cost - impact + 1, False, terms

    def info(self, d):
        info = super().info(d)
        del info['distance_from_origin']
        return info | {'z_distance_from_origin': d.qpos[:, 2] - self.init_qpos[2]}
