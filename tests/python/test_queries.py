"""Functions that ask about a world: Jacobians, velocities, products with M; against MuJoCo."""
import mujoco
import numpy as np
import pytest

import lockstep

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/> <site name="fixed" pos="1 2 3"/>
    <body name="hand" mocap="true" pos=".3 .2 .1"><geom size=".02"/><body pos=".1 0 0"><geom size=".01"/></body></body>
    <body name="torso" pos="0 0 1" euler="10 20 30">
      <freejoint name="root"/>
      <geom size=".1 .2 .3" type="box" pos=".1 .05 0" euler="40 0 20"/>
      <camera pos=".1 .2 .3" euler="1 2 3"/>
      <body name="arm" pos=".2 0 0">
        <joint type="ball" pos=".01 .02 .03" armature=".01"/>
        <geom type="capsule" size=".03 .2" pos="0 0 -.2"/>
        <body name="leg" pos="0 0 -.4">
          <joint name="hinge" axis="0 1 .3" pos=".1 0 0"/> <joint type="slide" axis="1 0 1"/>
          <geom size=".05 .1" type="capsule" pos=".1 0 0"/> <site name="tip" pos=".1 .2 .3" euler="30 20 10"/>
        </body>
      </body>
      <body pos="0 .3 0"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body>
    </body>
    <body name="free"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
    <body name="cart" pos="2 0 0"><joint type="slide"/><joint axis="0 0 1"/><geom size=".1" pos=".1 0 0"/></body>
  </worldbody>
  <tendon><fixed name="t" armature=".02"><joint joint="hinge" coef="1.5"/></fixed></tendon>
</mujoco>
"""


class Pair:
    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.rm = mujoco.MjModel.from_xml_string(XML)
        self.om = lockstep.MjModel.from_xml_string(XML)
        self.rd, self.od = mujoco.MjData(self.rm), lockstep.MjData(self.om)
        mujoco.mj_integratePos(self.rm, self.rd.qpos, rng.normal(size=self.rm.nv), 1)
        self.rd.qvel[:] = rng.normal(size=self.rm.nv)
        self.od.qpos[:], self.od.qvel[:] = self.rd.qpos, self.rd.qvel
        mujoco.mj_forward(self.rm, self.rd)
        lockstep.mj_forward(self.om, self.od)
        self.rng, self.nv = rng, self.rm.nv

    def same(self, call, *shapes, tolerance=1e-12):
        """Calls both with zeroed arrays of these shapes and compares what they wrote."""
        results = []
        for engine, m, d in ((mujoco, self.rm, self.rd), (lockstep, self.om, self.od)):
            arrays = [np.zeros(shape) for shape in shapes]
            call(engine, m, d, *arrays)
            results.append(arrays)
        for expected, got in zip(*results):
            np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance * max(1, np.abs(expected).max(initial=0)))


@pytest.fixture(params=range(5))
def pair(request):
    return Pair(request.param)


def test_jacobians_of_points(pair):
    point, axis = pair.rng.normal(size=3), pair.rng.normal(size=3)
    shape = (3, pair.nv)
    for body in range(pair.rm.nbody):
        pair.same(lambda e, m, d, p, r: e.mj_jac(m, d, p, r, point, body), shape, shape)
        pair.same(lambda e, m, d, p: e.mj_jac(m, d, p, None, point, body), shape)
        pair.same(lambda e, m, d, r: e.mj_jac(m, d, None, r, point, body), shape)
        pair.same(lambda e, m, d, p, r: e.mj_jacDot(m, d, p, r, point, body), shape, shape)
        pair.same(lambda e, m, d, p, r: e.mj_jacPointAxis(m, d, p, r, point, axis, body), shape, shape)
        pair.same(lambda e, m, d, p, r: e.mj_jacBody(m, d, p, r, body), shape, shape)
        pair.same(lambda e, m, d, p, r: e.mj_jacBodyCom(m, d, p, r, body), shape, shape)
        pair.same(lambda e, m, d, p: e.mj_jacSubtreeCom(m, d, p, body), shape)
        pair.same(lambda e, m, d, p: e.mj_angmomMat(m, d, p, body), shape)
    for geom in range(pair.rm.ngeom):
        pair.same(lambda e, m, d, p, r: e.mj_jacGeom(m, d, p, r, geom), shape, shape)
    for site in range(pair.rm.nsite):
        pair.same(lambda e, m, d, p, r: e.mj_jacSite(m, d, p, r, site), shape, shape)


def test_jacobian_rate_is_the_derivative(pair):
    """J of a point that moves along, a little later and earlier."""
    m, d, h = pair.om, pair.od, 1e-6
    body, local = m.body("leg").id, np.array([0.1, 0.2, 0.3])

    def jacobian(time):
        other = lockstep.MjData(m)
        other.qpos[:] = d.qpos
        lockstep.mj_integratePos(m, other.qpos, d.qvel, time)
        lockstep.mj_forward(m, other)
        jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        point = other.xpos[body] + other.xmat[body].reshape(3, 3) @ local
        lockstep.mj_jac(m, other, jacp, jacr, point, body)
        return np.vstack([jacp, jacr])

    rate = np.zeros((6, m.nv))
    point = d.xpos[body] + d.xmat[body].reshape(3, 3) @ local
    jacp, jacr = rate[:3].copy(), rate[3:].copy()
    lockstep.mj_jacDot(m, d, jacp, jacr, point, body)
    np.testing.assert_allclose(np.vstack([jacp, jacr]), (jacobian(h) - jacobian(-h)) / (2 * h), atol=1e-7)


def test_velocities(pair):
    kinds = {mujoco.mjtObj.mjOBJ_BODY: "nbody", mujoco.mjtObj.mjOBJ_XBODY: "nbody", mujoco.mjtObj.mjOBJ_GEOM: "ngeom",
             mujoco.mjtObj.mjOBJ_SITE: "nsite", mujoco.mjtObj.mjOBJ_CAMERA: "ncam"}
    for kind, count in kinds.items():
        for i in range(getattr(pair.rm, count)):
            for local in (0, 1):
                pair.same(lambda e, m, d, r: e.mj_objectVelocity(m, d, int(kind), i, r, local), 6)


def test_accelerations(pair):
    for model in (pair.rm, pair.om):
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    for engine, m, d in ((mujoco, pair.rm, pair.rd), (lockstep, pair.om, pair.od)):
        engine.mj_forward(m, d)
        engine.mj_rnePostConstraint(m, d)
    for body in range(pair.rm.nbody):
        for local in (0, 1):
            for kind in (1, 2):
                pair.same(lambda e, m, d, r: e.mj_objectAcceleration(m, d, kind, body, r, local), 6, tolerance=1e-11)


def test_inertia(pair):
    vec, nv = pair.rng.normal(size=pair.nv), pair.nv
    rows = pair.rng.normal(size=(3, nv))
    pair.same(lambda e, m, d, r: e.mj_mulM(m, d, r, vec), nv)
    pair.same(lambda e, m, d, r: e.mj_mulM2(m, d, r, vec), nv)
    pair.same(lambda e, m, d, r: e.mj_fullM(m, d, r), (nv, nv))
    pair.same(lambda e, m, d, r: e.mj_solveM(m, d, r, rows), (3, nv), tolerance=1e-11)
    pair.same(lambda e, m, d, r: e.mj_solveM2(m, d, r, rows, np.sqrt(d.qLDiagInv)), (3, nv), tolerance=1e-11)
    full, product = np.zeros((nv, nv)), np.zeros(nv)
    lockstep.mj_fullM(pair.om, pair.od, full)
    lockstep.mj_mulM(pair.om, pair.od, product, vec)
    np.testing.assert_allclose(full @ vec, product, atol=1e-12)
    root = np.zeros(nv)
    lockstep.mj_mulM2(pair.om, pair.od, root, vec)
    assert root @ root == pytest.approx(vec @ full @ vec, rel=1e-12)


def test_add_m(pair):
    m, d = pair.om, pair.od
    dense = [np.arange(row + 1, dtype=np.int32) for row in range(m.nv)]
    rownnz = np.array([len(row) for row in dense], np.int32)
    rowadr = np.concatenate([[0], np.cumsum(rownnz)[:-1]]).astype(np.int32)
    target = np.ones(rownnz.sum())
    lockstep.mj_addM(m, d, target, rownnz, rowadr, np.concatenate(dense))
    full = np.zeros((m.nv, m.nv))
    lockstep.mj_fullM(m, d, full)
    np.testing.assert_allclose(target, 1 + np.concatenate([full[row, : row + 1] for row in range(m.nv)]))


def test_forces_and_frames(pair):
    force, torque, point, pos = (pair.rng.normal(size=3) for _ in range(4))
    quat = pair.rng.normal(size=4)
    quat /= np.linalg.norm(quat)
    for body in range(pair.rm.nbody):
        def twice(e, m, d, target):
            e.mj_applyFT(m, d, force, torque, point, body, target)
            e.mj_applyFT(m, d, force, torque, point, body, target)

        pair.same(twice, pair.nv)
        for same in range(5):
            pair.same(lambda e, m, d, x, r: e.mj_local2Global(d, x, r, pos, quat, body, same), 3, 9)


def test_positions(pair):
    vel = pair.rng.normal(size=pair.nv)
    start = pair.rd.qpos.copy()

    def integrate(e, m, d, qpos, back):
        qpos[:] = start
        e.mj_integratePos(m, qpos, vel, 0.3)
        e.mj_differentiatePos(m, back, 0.3, start, qpos)

    pair.same(integrate, pair.rm.nq, pair.nv)

    def normalize(e, m, d, qpos):
        qpos[:] = 2 * start
        e.mj_normalizeQuat(m, qpos)

    pair.same(normalize, pair.rm.nq)


@pytest.mark.parametrize("call", [
    lambda e, m, d, z: e.mj_jac(m, d, z((3, 2)), None, z(3), 1),
    lambda e, m, d, z: e.mj_jacSite(m, d, None, z((2, m.nv)), 1),
    lambda e, m, d, z: e.mj_jacSubtreeCom(m, d, z((3, 2)), 1),
    lambda e, m, d, z: e.mj_angmomMat(m, d, z((3, 2)), 1),
    lambda e, m, d, z: e.mj_fullM(m, d, z((3, 2))),
    lambda e, m, d, z: e.mj_mulM(m, d, z(2), z(m.nv)),
    lambda e, m, d, z: e.mj_mulM2(m, d, z(m.nv), z(2)),
    lambda e, m, d, z: e.mj_solveM(m, d, z((1, 3)), z((1, m.nv))),
    lambda e, m, d, z: e.mj_solveM(m, d, z((1, m.nv)), z((2, m.nv))),
    lambda e, m, d, z: e.mj_solveM2(m, d, z((1, m.nv)), z((1, m.nv)), z((1, 2))),
    lambda e, m, d, z: e.mj_applyFT(m, d, z(3), z(3), z(3), 1, z(2)),
    lambda e, m, d, z: e.mj_integratePos(m, z(2), z(m.nv), 1),
    lambda e, m, d, z: e.mj_integratePos(m, z(m.nq), z(2), 1),
    lambda e, m, d, z: e.mj_differentiatePos(m, z(m.nv), 1, z(2), z(m.nq)),
    lambda e, m, d, z: e.mj_normalizeQuat(m, z(2)),
    lambda e, m, d, z: e.mj_objectVelocity(m, d, 3, 1, z(6), 0),
])
def test_refuses_in_mujocos_words(call):
    pair = Pair(0)
    texts = []
    for engine, m, d in ((mujoco, pair.rm, pair.rd), (lockstep, pair.om, pair.od)):
        with pytest.raises(Exception) as error:
            call(engine, m, d, np.zeros)
        texts.append((error.type.__name__, str(error.value)))
    assert texts[0] == texts[1]


def test_bad_ids_are_errors_not_crashes():
    pair = Pair(0)
    m, d, jac = pair.om, pair.od, np.zeros((3, pair.nv))
    for i in (-1, 99):
        for call in (
            lambda: lockstep.mj_jac(m, d, jac, None, np.zeros(3), i),
            lambda: lockstep.mj_jacSite(m, d, jac, None, i),
            lambda: lockstep.mj_applyFT(m, d, np.zeros(3), np.zeros(3), np.zeros(3), i, np.zeros(m.nv)),
            lambda: lockstep.mj_objectVelocity(m, d, 5, i, np.zeros(6), 0),
            lambda: lockstep.mj_local2Global(d, np.zeros(3), np.zeros(9), np.zeros(3), np.zeros(4), i, 0),
        ):
            with pytest.raises(IndexError):
                call()


ACTUATED = """
<mujoco>
  <option integrator="{}"><flag constraint="disable"/></option>
  <worldbody>
    <body><joint name="a" axis="0 1 0" damping=".3" stiffness="2"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -.5"/>
      <body pos="0 0 -.5"><joint name="b" type="ball" damping=".1"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 -.2"/></body>
    </body>
    <body pos="1 0 0"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
  </worldbody>
  <actuator><motor joint="a" ctrlrange="-1 1"/><motor joint="a" ctrllimited="false"/><position joint="a" kp="3" timeconst=".1"/></actuator>
  <sensor><jointpos joint="a"/><jointvel joint="a"/></sensor>
</mujoco>
"""


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("centered", [False, True])
def test_transition_matrices(integrator, centered):
    xml = ACTUATED.format(integrator)
    rng = np.random.default_rng(1)
    rm, om = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    start = rm.qpos0.copy()
    mujoco.mj_integratePos(rm, start, rng.normal(size=rm.nv), 1)
    qvel, act = rng.normal(size=rm.nv), rng.normal(size=rm.na)
    results = []
    for engine, m in ((mujoco, rm), (lockstep, om)):
        d = engine.MjData(m)
        d.qpos[:], d.qvel[:], d.act[:] = start, qvel, act
        d.ctrl[:] = [1, 0.3, 0.2]  # the first is at the end of its range
        nx = 2 * m.nv + m.na
        a, b = np.zeros((nx, nx)), np.zeros((nx, m.nu))
        engine.mjd_transitionFD(m, d, 1e-6, centered, a, b, None, None)
        np.testing.assert_array_equal(d.qpos, start)
        np.testing.assert_array_equal(d.ctrl, [1, 0.3, 0.2])
        results.append((a, b))
    for expected, got in zip(*results):
        np.testing.assert_allclose(got, expected, atol=1e-8 if centered else 1e-7)
    assert np.abs(results[1][1][:, 0]).max() > 0


def test_transition_matrices_of_runge_kutta():
    """MuJoCo refuses them; ours are differences of whole steps."""
    m = lockstep.MjModel.from_xml_string(ACTUATED.format("RK4"))
    d = lockstep.MjData(m)
    d.qvel[:] = np.linspace(-1, 1, m.nv)
    a, h, nv = np.zeros((2 * m.nv + m.na,) * 2), 1e-6, m.nv
    lockstep.mjd_transitionFD(m, d, h, True, a, None, None, None)

    def after(change):
        other = lockstep.MjData(m)
        other.qpos[:], other.qvel[:] = d.qpos, d.qvel
        other.qvel[0] += change
        lockstep.mj_step(m, other)
        return other.qvel.copy()

    np.testing.assert_allclose(a[nv : 2 * nv, nv], (after(h) - after(-h)) / (2 * h), atol=1e-12)


def test_transition_matrices_refuse():
    pair = Pair(0)
    for name in range(4):
        texts = []
        for engine, m, d in ((mujoco, pair.rm, pair.rd), (lockstep, pair.om, pair.od)):
            arguments = [None] * 4
            arguments[name] = np.zeros((2, 2))
            with pytest.raises(TypeError) as error:
                engine.mjd_transitionFD(m, d, 1e-6, True, *arguments)
            texts.append(str(error.value))
        assert texts[0] == texts[1]


@pytest.mark.parametrize("actuation", [0, 1])
def test_inverse_derivatives(actuation):
    xml = ACTUATED.format("Euler")
    rng = np.random.default_rng(1)
    rm, om = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    start, nv = rm.qpos0.copy(), rm.nv
    mujoco.mj_integratePos(rm, start, rng.normal(size=nv), 1)
    qvel, qacc = rng.normal(size=nv), rng.normal(size=nv)
    results = []
    for engine, m in ((mujoco, rm), (lockstep, om)):
        d = engine.MjData(m)
        d.qpos[:], d.qvel[:], d.qacc[:], d.ctrl[:] = start, qvel, qacc, 0.3
        arrays = [np.zeros((nv, nv)) for _ in range(3)] + [np.zeros((nv, m.nC))]
        engine.mjd_inverseFD(m, d, 1e-6, actuation, *arrays[:3], None, None, None, arrays[3])
        engine.mj_inverse(m, d)
        forces = d.qfrc_inverse.copy()
        results.append(arrays)
    # forces are rounded before they are divided by eps: a few units in the last place of the largest one
    noise = 4 * np.spacing(np.abs(forces).max()) / 1e-6
    for expected, got in zip(*results):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=noise)
        assert np.abs(got).max() > 0


@pytest.mark.parametrize("skip", [0, 1, 2])
def test_forward_with_skips(skip):
    """What is skipped keeps its old values, the rest follows the state."""
    pair = Pair(1)
    for model in (pair.rm, pair.om):
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    for engine, m, d in ((mujoco, pair.rm, pair.rd), (lockstep, pair.om, pair.od)):
        engine.mj_forward(m, d)
        d.qpos[0] += 1
        d.qvel[:] *= 2
        d.qfrc_applied[:] = 1
        engine.mj_forwardSkip(m, d, skip, 1)
    for field in ("xpos", "M", "cvel", "qfrc_bias", "qfrc_smooth", "qacc"):
        np.testing.assert_allclose(getattr(pair.od, field), getattr(pair.rd, field), atol=1e-9, err_msg=field)


@pytest.mark.parametrize("name", ["mj_Euler", "mj_implicit", "mj_RungeKutta"])
def test_integrators_by_name(name):
    """Whatever the option says."""
    pair = Pair(2)
    for engine, m, d in ((mujoco, pair.rm, pair.rd), (lockstep, pair.om, pair.od)):
        m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        m.opt.integrator = 0 if name == "mj_RungeKutta" else int(mujoco.mjtIntegrator.mjINT_IMPLICIT)
        engine.mj_forward(m, d)
        getattr(engine, name)(m, d, *((4,) if name == "mj_RungeKutta" else ()))
    for field in ("qpos", "qvel", "time"):
        np.testing.assert_allclose(getattr(pair.od, field), getattr(pair.rd, field), atol=1e-12, err_msg=field)
