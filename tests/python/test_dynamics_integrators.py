"""Trajectories under every integrator, against MuJoCo, without constraints."""
import warnings

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
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3, "discrete": 4}

# springs, dampers, a medium, servos: everything that an implicit integrator differentiates
STIFF = """
<mujoco>
  <option gravity="0 0 -9" timestep="0.02" wind="1 2 3" tolerance="1e-15" {option}>
    <flag constraint="disable" {flag}/>
  </option>
  <worldbody>
    <body>
      <joint name="a" axis="0 1 0" damping="1 .1 .2" stiffness="30 2 5" springref="20"/>
      <geom size=".1" pos=".1 .2 .3"/>
      <body pos="1 0 0">
        <joint name="b" axis="0 1 1" damping=".3" stiffness="3"/>
        <geom {shape} type="box" size=".1 .2 .3" pos=".1 .2 .3"/>
      </body>
      <body pos="1 1 0">
        <joint name="c" type="ball" stiffness="4 1 2" damping=".1 .2 .3"/>
        <geom {shape} type="capsule" size=".1 .2" pos=".1 .2 .3"/>
      </body>
    </body>
    <body pos="3 3 3"><freejoint name="f"/><geom {shape} type="box" size=".1 .2 .3"/><site name="s"/></body>
    <body pos="3 3 3">
      <joint type="free" stiffness="4 1 2" damping=".1 -.5 .3"/><geom {shape} type="ellipsoid" size=".1 .2 .3"/>
      <body pos="1 0 1"><joint/><geom size=".1"/></body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="t" stiffness="50 2 3" damping="3 1 2" springlength=".1 .2">
      <joint joint="a" coef="1"/><joint joint="b" coef="-2"/>
    </fixed>
  </tendon>
  <actuator>
    <position joint="a" kp="20" kv="2"/><position tendon="t" kp="10" kv="3"/>
    <velocity joint="b" kv="3" forcerange="-1 1"/>{actuator}
  </actuator>
</mujoco>
"""
STIFF_CASES = {
    "dry": {},
    "dual solver": {"option": 'solver="PGS"'},
    "no springs": {"flag": 'spring="disable"'},
    "no dampers": {"flag": 'damper="disable"'},
    "viscous": {"option": 'viscosity=".3"'},
    "boxes": {"option": 'density="12" viscosity=".3"'},
    "ellipsoids": {"option": 'density="12" viscosity=".3"', "shape": 'fluidshape="ellipsoid"'},
    "lift": {"option": 'density="12"', "shape": 'fluidshape="ellipsoid" fluidcoef=".5 .25 1.5 2 1"'},
    "driven free body": {"actuator": '<velocity joint="f" kv=".3" gear="1 2 3 4 5 6"/>'
                                     '<position site="s" kp="3" kv="2" gear="0 0 1 0 1 0"/>'},
}


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


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast", "discrete"])
@pytest.mark.parametrize("case", STIFF_CASES)
def test_implicit_terms(case, integrator):
    xml = STIFF.format_map({"option": "", "flag": "", "shape": "", "actuator": ""} | STIFF_CASES[case])
    for seed in range(3):
        pair = Pair(xml, INTEGRATORS[integrator], seed, speed=1)
        controls = np.random.default_rng(seed).normal(size=pair.m.nu)
        pair.d.ctrl[:] = pair.data.ctrl[:] = controls
        mujoco.mj_forward(pair.m, pair.d), lockstep.mj_forward(pair.own, pair.data)
        for name in ("qfrc_smooth", "qacc_smooth", "qacc"):
            assert pair.residual(name) < 1e-10, name
        for _ in range(10):
            pair.step()
        for name in ("qpos", "qvel", "qDeriv"):
            assert pair.residual(name) < 1e-9, name


def spring_step(m, d):
    """(M + hD + h2K) v+ = M v + h f - h K (q - q_eq) for hinges and one fixed tendon, as dense matrices."""
    h, J = m.opt.timestep, np.zeros((m.ntendon, m.nv))
    for row in range(m.ntendon):
        for k in range(m.ten_J_rownnz[row]):
            J[row, m.ten_J_colind[m.ten_J_rowadr[row] + k]] = d.ten_J[m.ten_J_rowadr[row] + k]
    M = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, M)
    D = np.diag(m.dof_damping) + J.T * m.tendon_damping @ J
    K = np.diag(m.jnt_stiffness) + J.T * m.tendon_stiffness @ J
    other = d.qfrc_smooth - d.qfrc_spring - d.qfrc_damper
    pull = m.jnt_stiffness * (d.qpos - m.qpos_spring) + J.T * m.tendon_stiffness @ (d.ten_length - m.tendon_lengthspring[:, 0])
    return np.linalg.solve(M + h * D + h * h * K, M @ d.qvel + h * other - h * pull)


SPRINGS = """
<mujoco>
  <option timestep="0.01" {integrator}><flag constraint="disable" energy="enable"/></option>
  <worldbody>
    <body><joint name="a" axis="0 1 0" stiffness="{k}" damping="{c}"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".5 0 0"><joint name="b" axis="0 1 1" stiffness="{k}"/><geom size=".1" pos=".1 .2 .3"/></body>
    </body>
  </worldbody>
  <tendon><fixed stiffness="{k}" damping="{c}" springlength=".2"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
  <actuator><position joint="a" kp="3" kv="1"/></actuator>
</mujoco>
"""


@pytest.mark.parametrize("k, c", [(10, 1), (1e4, 0), (1e9, 1e3), (1e12, 0)])
def test_implicit_spring_damper(k, c):
    """Our own integrator: its formula, and no growth of energy however stiff the springs are."""
    m = mujoco.MjModel.from_xml_string(SPRINGS.format(k=k, c=c, integrator=""))
    own = lockstep.MjModel.from_xml_string(SPRINGS.format(k=k, c=c, integrator='integrator="implicitspringdamper"'))
    assert own.opt.integrator == lockstep.mjtIntegrator.mjINT_IMPLICITSPRINGDAMPER
    d, data = mujoco.MjData(m), lockstep.MjData(own)
    d.qpos[:], d.qvel[:] = [0.3, -0.2], [1, 2]
    data.qpos[:], data.qvel[:] = d.qpos, d.qvel
    mujoco.mj_forward(m, d)
    expected = spring_step(m, d)
    lockstep.mj_step(own, data)
    assert np.abs(data.qvel - expected).max() < 1e-9 * max(1, np.abs(expected).max())
    assert np.allclose(data.qacc, (expected - d.qvel) / m.opt.timestep, rtol=1e-9)
    start = d.energy.sum()
    for _ in range(500):
        lockstep.mj_step(own, data)
        assert data.energy.sum() < start + 1
    assert np.abs(data.qvel).max() < 10


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


@pytest.mark.parametrize("speed", [300, 310, 400, 640, 1000])
def test_runge_kutta_beyond_half_a_turn(speed):
    """A step that turns a body by more than pi takes the shorter way to the same orientation."""
    xml = """<mujoco><option gravity="0 0 0" integrator="RK4" timestep="0.01"/><worldbody>
      <body><joint type="ball"/><geom type="box" size=".1 .2 .3" contype="0"/></body></worldbody></mujoco>"""
    pair = Pair(xml, 1)
    pair.d.qvel[:] = pair.data.qvel[:] = speed * np.array([0.8639, 0.432, 0.2592])
    pair.step()
    assert pair.residual("qpos") < 1e-11


def test_energy_of_runge_kutta():
    """A frictionless pendulum keeps its energy: 1000 steps of 1 ms."""
    xml = """<mujoco><option integrator="RK4" timestep="0.001"><flag energy="enable"/></option><worldbody>
      <body><joint axis="0 1 0"/><geom type="capsule" size=".02 .3" pos="0 0 -.3"/></body></worldbody></mujoco>"""
    m = lockstep.MjModel.from_xml_string(xml)
    d = lockstep.MjData(m)
    d.qpos[:] = 1.5
    lockstep.mj_forward(m, d)
    energies = []
    for _ in range(1000):
        lockstep.mj_step(m, d)
        lockstep.mj_forward(m, d)
        energies.append(d.energy.sum())
    assert np.ptp(energies) < 1e-10 * np.abs(d.energy).max()


def end_of_swing(integrator, h, seconds=0.4):
    xml = f"""<mujoco><option integrator="{integrator}" timestep="{h}"/><worldbody><body><joint axis="0 1 0"/>
      <geom type="capsule" size=".02 .3" pos="0 0 -.3"/><body pos="0 0 -.6"><joint axis="0 1 0"/>
      <geom type="capsule" size=".02 .3" pos="0 0 -.3" contype="0"/></body></body></worldbody></mujoco>"""
    m = lockstep.MjModel.from_xml_string(xml)
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    d = lockstep.MjData(m)
    d.qpos[:] = [1.5, 0.5]
    lockstep.mj_step(m, d, round(seconds / h))
    return d.qpos.copy()


def test_runge_kutta_and_euler_agree_in_the_limit():
    """Four times the step is still more accurate than Euler, and both tend to the same motion."""
    exact = end_of_swing("RK4", 1e-4)
    euler, runge_kutta = end_of_swing("Euler", 1e-3), end_of_swing("RK4", 4e-3)
    assert np.abs(runge_kutta - exact).max() < np.abs(euler - exact).max()
    assert np.abs(end_of_swing("Euler", 1e-5) - exact).max() < np.abs(euler - exact).max() / 50


@pytest.mark.parametrize("field, value, warning", [("qpos", np.nan, 3), ("qvel", 1e11, 4), ("qfrc_applied", 1e15, 5)])
def test_bad_state_resets(field, value, warning):
    pair = Pair(TREES, 0)
    getattr(pair.d, field)[2] = getattr(pair.data, field)[2] = value
    pair.step()
    assert pair.d.warning[warning].number == 1
    for name in ("qpos", "qvel", "time", "qfrc_applied"):
        assert pair.residual(name) < 1e-12, name


def test_what_is_left_out_is_named():
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><joint/><geom size=".1"/></body>%s
      </worldbody></mujoco>"""
    cloth = '<flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" radius=".01" mass="1"/>'
    m = lockstep.MjModel.from_xml_string(xml % cloth)
    with pytest.warns(UserWarning, match="not simulated yet: flexes"):
        lockstep.mj_step(m, lockstep.MjData(m))
    m = lockstep.MjModel.from_xml_string(xml % '')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lockstep.mj_step(m, lockstep.MjData(m))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_energy_after_a_step(integrator):
    """Both kinds of energy are those of the last state that the step evaluated."""
    m = mujoco.MjModel.from_xml_string(TREES)
    m.opt.integrator = INTEGRATORS[integrator]
    m.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    own_m = lockstep.MjModel._from_mujoco(m)
    ref, own = mujoco.MjData(m), lockstep.MjData(own_m)
    ref.qvel[:] = own.qvel[:] = np.random.default_rng(0).normal(size=m.nv)
    for _ in range(3):
        mujoco.mj_step(m, ref), lockstep.mj_step(own_m, own)
        np.testing.assert_allclose(own.energy, ref.energy, rtol=1e-9)
        assert own.energy[1] > 0
