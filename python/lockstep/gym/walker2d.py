"""Walker2d-v5: two legs in a plane."""
from lockstep.gym.parts import HealthyWalker


class Walker2d(HealthyWalker):
    task = 'Walker2d'
    xml_file: str = 'walker2d_v5.xml'
    frame_skip: int = 4
    healthy_z_range: tuple = (0.8, 2.0)
    healthy_angle_range: tuple = (-1.0, 1.0)
