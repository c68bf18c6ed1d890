"""Lockstep: MuJoCo's physics, many worlds per core, the same bits everywhere.

The API is MuJoCo's: ``import lockstep as mujoco``.
"""

from lockstep import _core
from lockstep._core import *
from lockstep.enums import *

__version__ = _core.mj_versionString()  # of the API
lockstep_version = _core.lockstep_version
