"""Hopper-v5: a leg that hops."""
from lockstep.gym.parts import HealthyWalker


class Hopper(HealthyWalker):
    task = 'Hopper'
    xml_file: str = 'hopper.xml'
    frame_skip: int = 4
    healthy_state_range: tuple = (-100.0, 100.0)
    healthy_z_range: tuple = (0.7, float('inf'))
    healthy_angle_range: tuple = (-0.2, 0.2)
