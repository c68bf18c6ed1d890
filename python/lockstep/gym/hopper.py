"""Hopper-v5: a leg that hops."""
from lockstep.gym.parts import HealthyWalker, between


class Hopper(HealthyWalker):
    xml_file: str = 'hopper.xml'
    frame_skip: int = 4
    healthy_state_range: tuple = (-100.0, 100.0)
    healthy_z_range: tuple = (0.7, float('inf'))
    healthy_angle_range: tuple = (-0.2, 0.2)

    def healthy(self, d):
        state = self.healthy_state_range
        return super().healthy(d) & between(d.qpos[:, 2:], state).all(1) & between(d.qvel, state).all(1)
