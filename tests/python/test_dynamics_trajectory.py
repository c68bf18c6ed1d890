"""A hundred steps of every model of the corpus under random controls, with each integrator, against MuJoCo.

Constraints are disabled. Without contacts and limits many models fall into fast, chaotic motion: a model is compared as
long as MuJoCo itself, shaken in the last digit, stays within a tenth of the tolerance, and as long as it does not
explode (dog under RK4 turns a million times in a step); what is left out is printed.
"""
import lockstep
import mujoco
import numpy as np
import parity
import pytest
from test_parity import MODELS

INTEGRATORS = ("mjINT_EULER", "mjINT_RK4", "mjINT_IMPLICIT", "mjINT_IMPLICITFAST", "mjINT_DISCRETE")
STEPS, TOLERANCE, SHAKE = 100, 1e-9, 1e-15
EXPLODED = 10  # radians or meters in one step
LARGE = 100  # models with more dofs take a tenth of the steps


class Run:
    """One engine on its way."""

    def __init__(self, api, m, integrator):
        self.api, self.m = api, m
        m.opt.integrator = int(getattr(mujoco.mjtIntegrator, integrator))
        m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        m.opt.tolerance = 1e-15
        self.d = api.MjData(m)

    def step(self, ctrl):
        self.d.ctrl[:] = ctrl
        self.api.mj_step(self.m, self.d)
        return np.concatenate([self.d.qpos, self.d.qvel, self.d.act])


def distance(a, b):
    return np.abs(a - b).max(initial=0) / max(1, np.abs(b).max(initial=0))


def compare(m, own_model, integrator, steps):
    """Steps both engines; returns why it stopped early, if it did."""
    reference, shaken, own = Run(mujoco, m, integrator), Run(mujoco, m, integrator), Run(lockstep, own_model, integrator)
    rng = np.random.default_rng(0)
    shaken.d.qpos[:] += SHAKE * rng.normal(size=m.nq)
    for step in range(steps):
        ctrl = rng.uniform(-1, 1, size=m.nu)
        expected = reference.step(ctrl)
        if np.abs(reference.d.qvel).max(initial=0) * m.opt.timestep > EXPLODED:
            return f"explodes at step {step}"
        if distance(shaken.step(ctrl), expected) > TOLERANCE / 10:
            return f"chaotic from step {step} on"
        assert distance(own.step(ctrl), expected) < TOLERANCE, f"{integrator}, step {step}"
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", MODELS, ids=parity.label)
def test_trajectory(path):
    m, own = mujoco.MjModel.from_xml_path(str(path)), lockstep.MjModel.from_xml_path(str(path))
    steps = STEPS if m.nv <= LARGE else STEPS // 10
    for integrator in INTEGRATORS:
        if why := compare(m, own, integrator, steps):
            print(f"{parity.label(path)} {integrator}: {why}")
