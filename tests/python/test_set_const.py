"""mj_setConst against MuJoCo's."""

import copy

import mujoco
import numpy as np

import lockstep


def test_set_const(theirs, ours):
    reference = copy.copy(theirs)
    for model, package in ((reference, mujoco), (ours, lockstep)):
        model.body_mass[1:] *= 2
        model.body_inertia[1:] *= 3
        model.qpos0[7] = 0.3
        package.mj_setConst(model, package.MjData(model))
    for name in mujoco.MjModel._setconst_outputs:
        np.testing.assert_allclose(getattr(ours, name), getattr(reference, name), rtol=1e-12, atol=1e-14, err_msg=name)


def test_setconst_tables():
    for name in ("groups", "inputs", "outputs", "scalars", "fields"):
        assert getattr(lockstep.MjModel, f"_setconst_{name}") == getattr(mujoco.MjModel, f"_setconst_{name}"), name
