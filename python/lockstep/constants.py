"""Constants with MuJoCo's names and values; array lengths come from the engine."""

import numpy as _np

from lockstep import _core

# lengths of parameter arrays and numeric limits the engine works with
globals().update(_core.constant_table)

MJTNUM_BYTES = 8
MJTNUM_DTYPE = _np.float64
mjVERSION_HEADER = _core.mj_version()

# limits
mjMAXVAL = 10000000000.0
mjMINMU = 1e-05
mjMINIMP = 0.0001
mjMAXIMP = 0.9999
mjMAXCONPAIR = 50
mjMAXTREEDEPTH = 50
mjMAXFLEXNODES = 27

# sizes of statistics and of what a viewer shows
mjNGROUP = 6
mjMAXLIGHT = 100
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXOVERLAY = 500
mjMAXPLANEGRID = 200

# directions of shared buffers
mjSC_IN = 1
mjSC_OUT = 2
mjSC_INOUT = 3

# labels of flags, frames and timers
mjDISABLESTRING = (
    "Constraint", "Equality", "Frictionloss", "Limit", "Contact", "Spring", "Damper", "Gravity",
    "Clampctrl", "Warmstart", "Filterparent", "Actuation", "Refsafe", "Sensor", "Midphase",
    "Eulerdamp", "AutoReset", "NativeCCD", "Island", "MultiCCD",
)
mjENABLESTRING = (
    "Override", "Energy", "Fwdinv", "InvDiscrete", "Sleep", "DiagExact", "IPC", "Speculative",
)
mjTIMERSTRING = (
    "step", "forward", "inverse", "position", "velocity", "actuation", "constraint", "advance",
    "pos_kinematics", "pos_inertia", "pos_collision", "pos_make", "pos_project",
    "col_broadphase", "col_narrowphase",
)
mjLABELSTRING = (
    "None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator",
    "Constraint", "Flex", "Skin", "Selection", "SelPoint", "Contact", "ContactForce", "Island",
)
mjFRAMESTRING = (
    "None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World",
)
mjVISSTRING = (
    ("Convex Hull", "0", "H"),
    ("Texture", "1", "X"),
    ("Joint", "0", "J"),
    ("Camera", "0", "Q"),
    ("Actuator", "0", "U"),
    ("Activation", "0", ","),
    ("Light", "0", "Z"),
    ("Tendon", "1", "V"),
    ("Range Finder", "1", "Y"),
    ("Equality", "0", "E"),
    ("Inertia", "0", "I"),
    ("Scale Inertia", "0", "'"),
    ("Perturb Force", "0", "B"),
    ("Perturb Object", "1", "O"),
    ("Contact Point", "0", "C"),
    ("Island", "0", "N"),
    ("Contact Force", "0", "F"),
    ("Contact Split", "0", "P"),
    ("Transparent", "0", "T"),
    ("Auto Connect", "0", "A"),
    ("Center of Mass", "0", "M"),
    ("Select Point", "0", ""),
    ("Static Body", "1", "D"),
    ("Skin", "1", ";"),
    ("Flex Vert", "0", ""),
    ("Flex Edge", "1", ""),
    ("Flex Face", "0", ""),
    ("Flex Skin", "1", ""),
    ("Body Tree", "0", "`"),
    ("Mesh Tree", "0", "\\"),
    ("SDF iters", "0", ""),
)
mjRNDSTRING = (
    ("Shadow", "1", "S"),
    ("Wireframe", "0", "W"),
    ("Reflection", "1", "R"),
    ("Additive", "0", "L"),
    ("Skybox", "1", "K"),
    ("Fog", "0", "G"),
    ("Haze", "1", "/"),
    ("Depth", "0", ""),
    ("Segment", "0", ","),
    ("Id Color", "0", ""),
    ("Cull Face", "1", ""),
    ("Post Processing", "1", ""),
)

__all__ = [name for name in globals() if name.startswith(("mj", "MJ"))]
