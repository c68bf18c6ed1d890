"""Trajectories under every integrator, against MuJoCo, without constraints."""
import lockstep
import mujoco
import numpy as np
import pytest

TREES = """
<mujoco>
  <option gravity="0 1 -9" timestep="0.01"><flag constraint="disable"/></option>
  <worldbody>
    <body>
      <joint name="a" axis="0 1 0"/><geom type="box" size=".1 .2 .3" pos=".1 .2 .3"/>
      <body pos="1 0 0">
        <joint name="b" axis="0 1 1"/><joint axis="1 1 1" type="slide"/><geom size=".1" pos=".1 .2 .3"/>
      </body>
      <body pos="1 1 0">
        <joint name="c" type="ball"/><geom type="box" size=".1 .2 .3" pos=".1 .2 .3"/>
        <body pos=".1 .2 .3"><joint type="ball" pos=".1 .1 .2"/><geom size=".1 .2 .1" type="box"/></body>
      </body>
    </body>
    <body pos="3 3 3">
      <freejoint/><geom type="box" size=".1 .2 .3"/>
      <body pos="1 0 1"><joint/><geom size=".1"/></body>
    </body>
    <body pos="3 3 3"><freejoint/><geom type="box" size=".1 .2 .3"/><geom pos=".2 .3 .1" size=".1"/></body>
    <body pos="3 3 3"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
  </worldbody>
</mujoco>
"""
# springs so weak that only their yielding shows
YIELDING = """
<mujoco>
  <option gravity="0 0 0" timestep="0.05"><flag constraint="disable"/></option>
  <worldbody>
    <site name="o" pos="1 0.3 0"/>
    <body><joint type="ball" stiffness="1e-14" springyield="20"/><geom size=".1"/></body>
    <body pos="1 0 0"><joint name="s" type="slide" stiffness="1e-14" springyield="0.05"/><geom size=".1"/></body>
    <body><joint axis="0 1 1"/><geom size=".1"/><site name="p" pos="0 0.2 0.5"/></body>
  </worldbody>
  <tendon>
    <fixed stiffness="1e-14" springlength="0.1 0.2" springyield="0.03"><joint joint="s" coef="2"/></fixed>
    <spatial stiffness="1e-14" springlength="0.1 0.2" springyield="0.03"><site site="o"/><site site="p"/></spatial>
  </tendon>
</mujoco>
"""
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}


class Pair:
    """The same model and state in both engines."""

    def __init__(self, xml, integrator, seed=0, speed=2):
        self.m, self.own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
        self.m.opt.integrator = self.own.opt.integrator = integrator
        self.d, self.data = mujoco.MjData(self.m), lockstep.MjData(self.own)
        rng = np.random.default_rng(seed)
        mujoco.mj_integratePos(self.m, self.d.qpos, rng.normal(size=self.m.nv), 1)
        self.d.qvel[:] = speed * rng.normal(size=self.m.nv)
        self.data.qpos[:], self.data.qvel[:] = self.d.qpos, self.d.qvel

    def step(self):
        mujoco.mj_step(self.m, self.d)
        lockstep.mj_step(self.own, self.data)

    def residual(self, name):
        expected, found = getattr(self.d, name), getattr(self.data, name)
        return np.abs(found - expected).max(initial=0) / max(1, np.abs(expected).max(initial=0))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_trajectory(integrator):
    pair = Pair(TREES, INTEGRATORS[integrator])
    for _ in range(100):
        pair.step()
    for name in ("qpos", "qvel", "qacc", "qacc_warmstart", "time", "qH", "qLU", "qDeriv"):
        assert pair.residual(name) < 1e-10, name


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_springs_yield(integrator):
    pair = Pair(YIELDING, INTEGRATORS[integrator])
    start = pair.data.plastic.copy()
    for _ in range(20):
        pair.step()
        assert pair.residual("plastic") < 1e-12
    assert np.all(pair.data.plastic != start)


def test_step_in_two_parts():
    """Controls are chosen between the parts; Runge-Kutta becomes Euler."""
    for integrator in INTEGRATORS.values():
        pair = Pair(TREES, integrator)
        for _ in range(10):
            mujoco.mj_step1(pair.m, pair.d), mujoco.mj_step2(pair.m, pair.d)
            lockstep.mj_step1(pair.own, pair.data), lockstep.mj_step2(pair.own, pair.data)
        assert pair.residual("qpos") < 1e-12


def pendulum_error(h, steps):
    xml = f"""<mujoco><option integrator="RK4" timestep="{h}"><flag energy="enable"/></option><worldbody>
      <body><joint type="ball"/><geom type="box" size=".1 .2 .3" pos=".3 .2 .1"/></body></worldbody></mujoco>"""
    m = lockstep.MjModel.from_xml_string(xml)
    d = lockstep.MjData(m)
    d.qvel[:] = [1, 2, 3]
    for _ in range(steps):
        lockstep.mj_step(m, d)
    return d.qpos.copy()


def test_order_of_runge_kutta():
    """Halving the step divides the error by about 16, for orientations too."""
    exact = pendulum_error(0.0005, 1024)
    errors = [np.abs(pendulum_error(0.512 / n, n) - exact).max() for n in (16, 32, 64)]
    for coarse, fine in zip(errors, errors[1:]):
        assert 12 < coarse / fine < 20


@pytest.mark.parametrize("field, value, warning", [("qpos", np.nan, 3), ("qvel", 1e11, 4), ("qfrc_applied", 1e15, 5)])
def test_bad_state_resets(field, value, warning):
    pair = Pair(TREES, 0)
    getattr(pair.d, field)[2] = getattr(pair.data, field)[2] = value
    pair.step()
    assert pair.d.warning[warning].number == 1
    for name in ("qpos", "qvel", "time", "qfrc_applied"):
        assert pair.residual(name) < 1e-12, name
