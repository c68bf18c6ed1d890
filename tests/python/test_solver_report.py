"""Solvers report how they ended; cgstrict refuses steps it could not solve, CG falls back where it breaks down."""
import lockstep
import numpy as np
import pytest
from lockstep.batch import Batch, SimulationError

PILE = """<mujoco><option timestep="0.002" solver="{solver}" cone="{cone}" integrator="{integrator}" iterations="{iterations}"
    tolerance="{tolerance}"/>
  <worldbody><geom type="plane" size="2 2 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".03 .02 .298"><freejoint/><geom type="box" size=".1 .1 .1" mass="20"/></body>
    <body pos="0 0 .49"><freejoint/><geom type="capsule" size=".05 .1" euler="90 0 0"/></body>
    <body pos="1 0 .3"><joint name="swing" type="hinge" axis="0 1 0" damping=".1"/>
      <geom type="capsule" size=".02 .1" pos="0 0 .1"/></body>
  </worldbody>
  <actuator><position name="servo" joint="swing" kp="2" timeconst=".1" delay=".004" nsample="4"/></actuator>
  <sensor><jointpos joint="swing" delay=".004" nsample="4"/></sensor></mujoco>"""


def pile(solver="cgstrict", iterations=100, tolerance=1e-8, cone="elliptic", integrator="Euler"):
    m = lockstep.MjModel.from_xml_string(PILE.format(
        solver=solver, iterations=iterations, tolerance=tolerance, cone=cone, integrator=integrator))
    return m, lockstep.MjData(m)


def whole_state(m, d):
    spec = int(lockstep.mjtState.mjSTATE_FULLPHYSICS) | int(lockstep.mjtState.mjSTATE_WARMSTART)
    spec |= int(lockstep.mjtState.mjSTATE_INTEGRATION)
    state = np.zeros(lockstep.mj_stateSize(m, spec))
    lockstep.mj_getState(m, d, state, spec)
    return state


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "discrete", "RK4"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_strict_is_cg_where_that_converges(cone, integrator):
    options = dict(cone=cone, integrator=integrator, iterations=500, tolerance=1e-10)
    (strict, a), (plain, b) = pile("cgstrict", **options), pile("CG", **options)
    for _ in range(100):
        lockstep.mj_step(strict, a)
        lockstep.mj_step(plain, b)
        assert lockstep.solver_report(b).converged
    np.testing.assert_array_equal(whole_state(strict, a), whole_state(plain, b))
    report = lockstep.solver_report(a)
    assert report.converged and not report.fallback and report.solver == "cgstrict"
    assert 0 < report.iterations < 500 and 0 <= report.residual < 1e-3
    assert not any(w.number for w in a.warning)


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "discrete", "RK4"])
def test_unsolved_step_is_not_taken(integrator):
    m, d = pile(integrator=integrator)
    d.ctrl[0] = 0.3
    for _ in range(20):
        lockstep.mj_step(m, d)
    before = whole_state(m, d)
    m.opt.iterations, m.opt.tolerance = 2, 1e-12
    with pytest.raises(lockstep.FatalError, match=r"cgstrict did not converge in 2 iterations \(at most 2\): residual .*"
                       r"tolerance 1e-12.*Raise option iterations or tolerance"):
        lockstep.mj_step(m, d)
    np.testing.assert_array_equal(whole_state(m, d), before)
    report = lockstep.solver_report(d)
    assert not report.converged and report.iterations == 2 and report.residual > 0
    count = d.warning[int(lockstep.mjtWarning.mjWARN_UNCONVERGED)].number
    assert 1 <= count <= 4 if integrator == "RK4" else count == 1  # each solve that fails counts
    # the step goes on as if nothing had happened
    m.opt.iterations, m.opt.tolerance = 100, 1e-8
    fresh = lockstep.MjData(m)
    spec = int(lockstep.mjtState.mjSTATE_INTEGRATION)
    state = np.zeros(lockstep.mj_stateSize(m, spec))
    lockstep.mj_getState(m, d, state, spec)
    lockstep.mj_setState(m, fresh, state, spec)
    lockstep.mj_step(m, d)
    lockstep.mj_step(m, fresh)
    np.testing.assert_array_equal(whole_state(m, d), whole_state(m, fresh))
    assert d.time > before[0]


def test_any_stage_of_runge_kutta_counts():
    """The first stage starts from the solution of the step before; a later one does not get there."""
    m, d = pile(integrator="RK4", iterations=300, tolerance=1e-10)
    failed_later = 0
    for step in range(60):
        lockstep.mj_step(m, d)
        before = whole_state(m, d)
        lockstep.mj_forward(m, d)
        first = lockstep.solver_report(d).iterations
        m.opt.iterations = max(first, 1)
        try:
            lockstep.mj_step(m, d)
        except lockstep.FatalError:
            failed_later += 1
            np.testing.assert_array_equal(whole_state(m, d), before)
            assert not lockstep.solver_report(d).converged
        m.opt.iterations = 300
    assert failed_later > 5


@pytest.mark.parametrize("call", ["mj_forward", "mj_step2", "mj_fwdConstraint"])
def test_parts_of_a_step_raise_too(call):
    m, d = pile(iterations=1, tolerance=1e-13)
    lockstep.mj_step1(m, d)
    if call == "mj_fwdConstraint":
        lockstep.mj_fwdActuation(m, d)
        lockstep.mj_fwdAcceleration(m, d)
    before = whole_state(m, d)
    with pytest.raises(lockstep.FatalError, match="cgstrict"):
        getattr(lockstep, call)(m, d)
    np.testing.assert_array_equal(whole_state(m, d), before)
    with pytest.raises(lockstep.FatalError, match="cgstrict"):
        lockstep.mj_Euler(m, d)
    np.testing.assert_array_equal(whole_state(m, d), before)
    nx = 2 * m.nv + m.na
    with pytest.raises(lockstep.FatalError, match="cgstrict"):
        lockstep.mjd_transitionFD(m, d, 1e-6, 0, np.zeros((nx, nx)), None, None, None)


def test_several_steps_end_at_the_first_that_fails():
    m, d = pile()
    lockstep.mj_step(m, d, 5)
    time = d.time
    m.opt.iterations, m.opt.tolerance = 1, 1e-13
    with pytest.raises(lockstep.FatalError):
        lockstep.mj_step(m, d, 7)
    assert d.time == time and d.warning[int(lockstep.mjtWarning.mjWARN_UNCONVERGED)].number == 1


def test_tolerance_zero_is_met_by_rounding_only():
    """Nothing is below zero: a capped solve fails; one that no step improves any more has converged."""
    m, d = pile(tolerance=0, iterations=4)
    with pytest.raises(lockstep.FatalError, match="tolerance 0"):
        lockstep.mj_step(m, d)
    assert d.time == 0 and lockstep.solver_report(d).iterations == 4
    # one ball on a plane: CG is exact after a few steps, and then finds none
    text = """<mujoco><option solver="cgstrict" tolerance="0" iterations="200"/><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .0999"><joint type="slide" axis="0 0 1"/><geom size=".1" condim="1"/></body></worldbody></mujoco>"""
    m = lockstep.MjModel.from_xml_string(text)
    d = lockstep.MjData(m)
    lockstep.mj_step(m, d, 10)
    assert d.time == pytest.approx(0.02) and lockstep.solver_report(d).converged
    # without rows there is nothing to solve
    m = lockstep.MjModel.from_xml_string(text.replace(".0999", "5"))
    d = lockstep.MjData(m)
    lockstep.mj_step(m, d, 10)
    assert d.time == pytest.approx(0.02) and lockstep.solver_report(d).iterations == 0


def test_bad_numbers_are_an_error_and_no_reset():
    m, d = pile()
    lockstep.mj_step(m, d, 3)
    d.qfrc_applied[2] = np.nan
    before = whole_state(m, d)
    with pytest.raises(lockstep.FatalError, match="cgstrict became non-finite"):
        lockstep.mj_step(m, d)
    np.testing.assert_array_equal(whole_state(m, d), before)
    assert d.warning[int(lockstep.mjtWarning.mjWARN_BADQACC)].number == 0


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("width", [1, 4])
def test_only_the_lane_that_fails_keeps_its_state(width, integrator):
    """Worlds that fall and worlds that rest, some of which ask for more than the cap allows."""
    m, d = pile(integrator=integrator, iterations=12, tolerance=1e-7)
    nsim, rng = 10, np.random.default_rng(1)
    batch = Batch(m, nsim, width=width)
    batch.qpos[:] += rng.normal(scale=2e-3, size=batch.qpos.shape)
    batch.qvel[:] = rng.normal(scale=0.3, size=batch.qvel.shape)
    singles = []
    for sim in range(nsim):
        one = lockstep.MjData(m)
        one.qpos[:], one.qvel[:] = batch.qpos[sim], batch.qvel[sim]
        singles.append(one)
    failures = 0
    for _ in range(30):
        before = batch.state.copy()
        failed = []
        for sim, one in enumerate(singles):
            try:
                lockstep.mj_step(m, one)
            except lockstep.FatalError:
                failed.append(sim)
        if failed:
            with pytest.raises(SimulationError, match="cgstrict did not converge in 12 iterations|cgstrict did not") as error:
                batch.step()
            np.testing.assert_array_equal(error.value.ids, failed)
            assert "Raise option iterations" in batch.error(failed[0])
        else:
            batch.step()
        np.testing.assert_array_equal(np.flatnonzero(batch.status), failed)
        np.testing.assert_array_equal(batch.state[failed], before[failed])
        for sim, one in enumerate(singles):
            np.testing.assert_array_equal(batch.qpos[sim], one.qpos)
            np.testing.assert_array_equal(batch.qacc_warmstart[sim], one.qacc_warmstart)
        # give those that are stuck another push
        for sim in failed:
            batch.qvel[sim] *= 0.9
            singles[sim].qvel[:] = batch.qvel[sim]
        failures += len(failed)
    assert 0 < failures < 30 * nsim
    kind = int(lockstep.mjtWarning.mjWARN_UNCONVERGED)
    assert [batch.warning[sim, kind, 1] > 0 for sim in range(nsim)] == [one.warning[kind].number > 0 for one in singles]


@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_every_solver_reports(solver):
    m, d = pile(solver, iterations=500, tolerance=1e-8)
    report = lockstep.solver_report(d)
    assert report == (solver, 0, 0.0, True, False)
    for _ in range(10):
        lockstep.mj_step(m, d)
    report = lockstep.solver_report(d)
    assert report.solver == solver and report.converged and not report.fallback
    assert report.iterations == max(d.solver_niter) > 0 and np.isfinite(report.residual)
    m.opt.iterations, m.opt.tolerance = 1, 0
    d.qvel[:] = 0.5
    lockstep.mj_step(m, d)
    capped = lockstep.solver_report(d)
    assert not capped.converged and capped.iterations == 1 and capped.residual > report.residual >= 0


def test_residual_is_the_scaled_gradient():
    m, d = pile("Newton", iterations=2, tolerance=0, cone="pyramidal")
    d.qvel[:] = 0.3
    lockstep.mj_forward(m, d)
    force = np.zeros(m.nv)
    lockstep.mj_mulM(m, d, force, d.qacc)
    gradient = force - d.qfrc_smooth - d.qfrc_constraint
    inertia = np.zeros((m.nv, m.nv))
    lockstep.mj_fullM(m, d, inertia)
    pushed = (d.efc_J.reshape(d.nefc, m.nv) != 0).any(axis=0)
    moved = np.isin(m.dof_treeid, m.dof_treeid[pushed])  # trees that rows move
    assert moved.any() and not moved.all()
    expected = np.linalg.norm(gradient[moved]) / np.trace(inertia[np.ix_(moved, moved)])
    assert lockstep.solver_report(d).residual == pytest.approx(expected, rel=1e-6)


def test_batches_can_bind_the_report():
    m, _ = pile("CG", iterations=3, tolerance=1e-12)
    batch = Batch(m, 5)
    flags, residual = batch.bind("solver_flags"), batch.bind("solver_residual")
    batch.step()
    assert (np.ravel(flags) & 1).all() and (np.ravel(residual) > 0).all()


EXTREME = """<mujoco><option solver="{solver}" iterations="50"><flag autoreset="disable"/></option>
  <worldbody><geom type="plane" size="1 1 1" condim="1"/>
    <body pos="0 0 .05"><joint type="slide" axis="0 0 1"/>
      <geom size=".1" condim="1" solref="{stiff} -1" solimp=".9 .9 .001"/></body>
    <body pos="5 0 .0999"><joint type="slide" axis="0 0 1"/><geom size=".1" condim="1"/></body></worldbody></mujoco>"""


def test_cg_that_breaks_down_falls_back_to_pgs():
    """A spring of 1e200: costs overflow, forces do not."""
    m = lockstep.MjModel.from_xml_string(EXTREME.format(solver="CG", stiff="-1e200"))
    d = lockstep.MjData(m)
    lockstep.mj_forward(m, d)
    report = lockstep.solver_report(d)
    assert report.fallback and np.isfinite(d.qacc).all() and np.isfinite(d.efc_force).all()
    assert d.warning[int(lockstep.mjtWarning.mjWARN_FALLBACK)].number == 1
    pgs = lockstep.MjModel.from_xml_string(EXTREME.format(solver="PGS", stiff="-1e200"))
    reference = lockstep.MjData(pgs)
    lockstep.mj_forward(pgs, reference)
    np.testing.assert_allclose(d.qacc, reference.qacc, rtol=1e-9)
    # strict: an error instead
    m.opt.solver = lockstep.mjtSolver.mjSOL_CGSTRICT
    with pytest.raises(lockstep.FatalError, match="non-finite"):
        lockstep.mj_forward(m, d)
    # an ordinary spring: no fallback
    m = lockstep.MjModel.from_xml_string(EXTREME.format(solver="CG", stiff="-1e4"))
    d = lockstep.MjData(m)
    lockstep.mj_forward(m, d)
    assert not lockstep.solver_report(d).fallback
    assert d.warning[int(lockstep.mjtWarning.mjWARN_FALLBACK)].number == 0


def test_fallback_of_one_lane_leaves_the_others():
    m = lockstep.MjModel.from_xml_string(EXTREME.format(solver="CG", stiff="-1e4"))
    quiet = Batch(m, 4, width=4)
    quiet.bind("qacc")
    quiet.step()
    extreme = Batch(m, 4, width=4)
    acc, flags = extreme.bind("qacc"), extreme.bind("solver_flags")
    extreme.qvel[2, 0] = -1e170
    extreme.step()
    np.testing.assert_array_equal(np.ravel(flags) & 4, [0, 0, 4, 0])
    for sim in (0, 1, 3):
        np.testing.assert_array_equal(extreme.state[sim], quiet.state[sim])
    assert np.isfinite(acc[2]).all()


def test_cgstrict_is_saved():
    m, _ = pile()
    assert m.opt.solver == lockstep.mjtSolver.mjSOL_CGSTRICT == 3
    text = PILE.format(solver="cgstrict", iterations=9, tolerance=1e-8, cone="elliptic", integrator="Euler")
    spec = lockstep.MjSpec.from_string(text)
    spec.compile()
    assert 'solver="cgstrict"' in spec.to_xml()
