"""Enumerations and constants against MuJoCo's own package."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import lockstep

OWN_MEMBERS = {  # docs/differences.md
    "mjtIntegrator": {"mjINT_IMPLICITSPRINGDAMPER": 5},
    "mjtSolver": {"mjSOL_CGSTRICT": 3},
    "mjtWarning": {"mjWARN_UNCONVERGED": 7, "mjWARN_FALLBACK": 8, "mjNWARNING": 9},
}


def test_enumerations():
    names = [name for name in dir(mujoco) if hasattr(getattr(mujoco, name), "__members__")]
    assert len(names) > 80
    for name in names:
        expected, found = getattr(mujoco, name), getattr(lockstep, name)
        assert {k: v.value for k, v in found.__members__.items()} == {
            k: v.value for k, v in expected.__members__.items()
        } | OWN_MEMBERS.get(name, {})


@pytest.mark.parametrize("expression", [
    "J(3)", "J.mjJNT_HINGE == 3", "J.mjJNT_HINGE == 3.0", "J.mjJNT_HINGE | 4", "4 | J.mjJNT_HINGE", "J.mjJNT_HINGE & 2",
    "J.mjJNT_HINGE + 1", "J.mjJNT_HINGE / 2", "-J.mjJNT_HINGE", "J.mjJNT_HINGE << 2", "hash(J.mjJNT_HINGE)",
    "{J.mjJNT_HINGE: 1}[3]", "[0, 1, 2, 3][J.mjJNT_HINGE]", "str(J.mjJNT_HINGE)", "repr(J.mjJNT_HINGE)",
    "f'{J.mjJNT_HINGE}'", "'%d' % J.mjJNT_HINGE", "float(J.mjJNT_HINGE)", "J.mjJNT_HINGE != None",
    "J.mjJNT_HINGE == G.mjGEOM_CAPSULE", "bool(J.mjJNT_FREE)", "isinstance(J.mjJNT_HINGE, int)", "J.mjJNT_HINGE.name",
    "np.array([3, 2]) == J.mjJNT_HINGE", "np.int32(3) | J.mjJNT_HINGE",
])
def test_enumeration_behaviour(expression):
    results = [
        eval(expression, {"J": package.mjtJoint, "G": package.mjtGeom, "np": np}) for package in (mujoco, lockstep)
    ]
    assert repr(results[0]) == repr(results[1])


def test_enumeration_errors_and_pickling():
    with pytest.raises(ValueError, match="Invalid int value for mjtJoint: 77"):
        lockstep.mjtJoint(77)
    with pytest.raises(AttributeError):
        lockstep.mjtJoint.mjJNT_FREE.value = 3
    member = lockstep.mjtJoint.mjJNT_BALL
    assert pickle.loads(pickle.dumps(member)) is member and copy.deepcopy(member) is member


def test_constants():
    for name in dir(mujoco):
        value = getattr(mujoco, name)
        if isinstance(value, (int, float, tuple)) and not name.startswith("_"):
            assert getattr(lockstep, name) == value, name
    assert lockstep.__version__ == mujoco.__version__
    assert lockstep.mj_version() == mujoco.mj_version()
