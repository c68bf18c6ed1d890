"""Lockstep: MuJoCo's physics, many worlds per core, the same bits everywhere.

The API is MuJoCo's: ``import lockstep as mujoco``.
"""

import os as _os

from lockstep import _core, setconst
from lockstep._alias import as_mujoco
from lockstep._core import *
from lockstep.constants import *
from lockstep.enums import *
from lockstep.solver import *
from lockstep.specs import *
from lockstep.text import *
from lockstep.vfs import MjVfs

__version__ = _core.mj_versionString()  # of the API; lockstep's own is lockstep_version
lockstep_version = _core.lockstep_version

HEADERS_DIR = _os.path.join(_os.path.dirname(__file__), "include")
PLUGINS_DIR = _os.path.join(_os.path.dirname(__file__), "plugin")
PLUGIN_HANDLES: list = []
