"""Islands: trees that constraints tie together, as MuJoCo reports them, and solved one by one where a Model is large.

The models have trees tied in every way: contacts, couplings of bodies, sites, joints and tendons, limits of tendons
that span trees, dry friction, and the couplings of discrete steps.
"""
import mujoco
import numpy as np
import parity
import pytest
import states

import lockstep

INTEGERS = ('tree_island', 'island_ntree', 'island_itreeadr', 'map_itree2tree', 'dof_island', 'island_nv',
            'island_idofadr', 'island_dofadr', 'map_dof2idof', 'map_idof2dof', 'efc_island', 'island_ne', 'island_nf',
            'island_nefc', 'island_iefcadr', 'map_efc2iefc', 'map_iefc2efc', 'iefc_type', 'iefc_id')
NUMBERS = ('ifrc_smooth', 'iacc_smooth', 'iefc_frictionloss', 'iefc_D', 'iefc_R', 'iefc_aref')
SOLVED = ('iacc', 'iefc_force', 'ifrc_constraint')
SOLVERS = ('Newton', 'CG', 'PGS')

TIES = """
<equality>
  <connect body1="b1" body2="b3" anchor="0 0 0.2"/>
  <weld site1="s4" site2="s5"/>
  <joint joint1="h6" joint2="h7"/>
  <joint joint1="h8"/>
  <connect body1="b9" anchor="0 0 0.1"/>
  <tendon tendon1="t0" tendon2="t1" active="{tendons}"/>
</equality>"""
TENDONS = """
<tendon>
  <fixed name="t0"><joint joint="h0" coef="1"/><joint joint="h1" coef="-1"/></fixed>
  <fixed name="t1"><joint joint="h2" coef="2"/></fixed>
  <fixed name="t2" limited="true" range="-0.1 0.1"><joint joint="h3" coef="1"/><joint joint="h4" coef="0"/>
    <joint joint="h5" coef="1"/></fixed>
  <spatial name="t3" limited="true" range="0 0.9"><site site="s6"/><site site="s7"/></spatial>
  <spatial name="t4" frictionloss="0.5"><site site="s8"/><site site="s0"/></spatial>
  <spatial name="t5" stiffness="{stiffness}"><site site="s2"/><site site="s9"/></spatial>
</tendon>"""


def trees(count, heights=0.1):
    """Free balls on a plane with a hinged rod beside each."""
    text = ''
    for i in range(count):
        text += f"""
    <body name="b{i}" pos="{0.3 * (i % 5)} {0.3 * (i // 5)} {heights}"><freejoint/><geom name="g{i}" size="0.1"/>
      <site name="s{i}"/></body>
    <body name="r{i}" pos="{0.5 * i} 3 1"><joint name="h{i}" axis="0 1 0" frictionloss="{0.1 * (i == 9)}"
      range="-20 20" limited="{'true' if i % 4 == 0 else 'false'}"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.3"/></body>"""
    return text


def model(count=10, solver='Newton', cone='pyramidal', integrator='Euler', extra='', ties='', heights=0.095, option=''):
    return f"""<mujoco><option solver="{solver}" cone="{cone}" integrator="{integrator}" tolerance="1e-12"
      iterations="500" {option}>{extra}</option>
  <worldbody><geom type="plane" size="5 5 0.1"/>{trees(count, heights)}</worldbody>{ties}</mujoco>"""


def tied(tendons='true', stiffness=0):
    return TIES.format(tendons=tendons) + TENDONS.format(stiffness=stiffness)


def load(xml):
    m = mujoco.MjModel.from_xml_string(xml)
    own_m = lockstep.MjModel.from_xml_string(xml)
    return m, mujoco.MjData(m), own_m, lockstep.MjData(own_m)


def give(ref, own):
    states.give(ref, own)
    own.qacc_warmstart[:] = ref.qacc_warmstart
    own.eq_active[:] = ref.eq_active


def some_states(m, d, rng, count):
    for k in range(count):
        mujoco.mj_resetData(m, d)
        mujoco.mj_integratePos(m, d.qpos, 0.03 * (k % 4) * rng.normal(size=m.nv), 1)
        d.qvel[:] = 0.5 * rng.normal(size=m.nv)
        if k % 3 == 2:
            d.eq_active[:] = rng.integers(2, size=m.neq)
        yield k


def check(m, ref, own_m, own, tolerance=1e-9):
    dual = m.opt.solver == mujoco.mjtSolver.mjSOL_PGS  # MuJoCo leaves vectors that its solver does not use empty then
    assert (own.nisland, own.nidof) == (ref.nisland, ref.nidof)
    for name in INTEGERS:
        np.testing.assert_array_equal(getattr(own, name), getattr(ref, name), name)
    for name in NUMBERS:
        if dual and (name[1:4] != 'efc' or name == 'iefc_aref'):
            continue
        assert states.residual(getattr(own, name), getattr(ref, name)) < tolerance, name
    for name in SOLVED if not dual else ():
        assert states.residual(getattr(own, name), getattr(ref, name)) < 1e-6, name


CASES = {
    'contacts': model(),
    'contacts, sparse': model(option='jacobian="sparse"'),
    'ties': model(ties=tied()),
    'ties, sparse': model(ties=tied(), option='jacobian="sparse"'),
    'ties in the air': model(ties=tied(), heights=1),
    'elliptic': model(ties=tied(), cone='elliptic'),
    'CG': model(ties=tied(), solver='CG'),
    'few': model(count=3),
    'discrete': model(integrator='discrete', ties=tied(stiffness=5)),
    'discrete, no springs': model(integrator='discrete', ties=tied(stiffness=5), extra='<flag spring="disable"/>'),
    'discrete, PGS': model(integrator='discrete', solver='PGS', ties=TENDONS.format(stiffness=5)),
    'discrete, servo': model(integrator='discrete', ties=TENDONS.format(stiffness=0)
                             + '<actuator><position tendon="t0" kp="3"/><motor tendon="t2"/></actuator>'),
    'island off': model(ties=tied(), extra='<flag island="disable"/>'),
    'constraint off': model(ties=tied(), extra='<flag constraint="disable"/>'),
}


@pytest.mark.parametrize('case', CASES)
def test_islands_are_mujocos(case):
    m, ref, own_m, own = load(CASES[case])
    rng = np.random.default_rng(0)
    seen = set()
    for _ in some_states(m, ref, rng, 12):
        give(ref, own)
        mujoco.mj_forward(m, ref)
        lockstep.mj_forward(own_m, own)
        check(m, ref, own_m, own)
        seen.add((ref.nisland, int(ref.island_ntree.max(initial=0))))
    if 'off' in case:
        assert seen == {(0, 0)}
    else:
        assert len(seen) > 1 or max(n for n, _ in seen) > 1  # there is something to compare


def test_discrete_steps_join_trees():
    """Couplings of discrete steps join trees, whatever rows there are; other integrators leave them apart."""
    counts = {}
    for integrator in ('Euler', 'discrete'):
        _, _, own_m, own = load(model(integrator=integrator, ties=TENDONS.format(stiffness=5)))
        lockstep.mj_forward(own_m, own)
        counts[integrator] = own.dof_island[own_m.body('b2').dofadr[0]] == own.dof_island[own_m.body('b9').dofadr[0]]
    assert counts == {'Euler': False, 'discrete': True}


def test_islands_follow_the_rows():
    """They are found anew whenever they are read, from the rows that there are."""
    _, _, m, d = load(model(heights=0.095))
    assert d.nisland == 0 and (d.tree_island == -1).all()
    lockstep.mj_forward(m, d)
    assert d.nisland > 1
    before = d.tree_island
    d.qpos[2] = 2  # lifts the first ball
    lockstep.mj_forward(m, d)
    assert d.tree_island[0] == -1 and before[0] == 0
    lockstep.mj_resetData(m, d)
    assert d.nisland == 0


# ---- solved one by one ----

def large(solver, cone='pyramidal', option='', ties=True):
    return model(count=20, solver=solver, cone=cone, option=option, ties=tied() if ties else '')


@pytest.mark.parametrize('noslip', (0, 3))
@pytest.mark.parametrize('cone', ('pyramidal', 'elliptic'))
@pytest.mark.parametrize('solver', SOLVERS)
def test_one_by_one_as_all_at_once(solver, cone, noslip):
    """Forces do not depend on whether islands are solved on their own. CG and PGS know a solution only to the square
    root of the digits of its cost."""
    tolerance = 1e-9 if solver == 'Newton' else 1e-6
    xml = large(solver, cone, f'noslip_iterations="{noslip}" noslip_tolerance="0"')
    m, ref, own_m, own = load(xml)
    own_m.opt.tolerance, own_m.opt.iterations = (1e-15, 200) if solver == 'Newton' else (0, 3000)
    if noslip:
        own_m.opt.noslip_iterations = 200
    whole_m = lockstep.MjModel.from_xml_string(xml)
    whole_m.opt.tolerance, whole_m.opt.iterations = own_m.opt.tolerance, own_m.opt.iterations
    whole_m.opt.noslip_iterations = own_m.opt.noslip_iterations
    whole_m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    whole = lockstep.MjData(whole_m)
    rng = np.random.default_rng(2)
    for k in some_states(m, ref, rng, 6):
        give(ref, own), give(ref, whole)
        lockstep.mj_forward(own_m, own)
        lockstep.mj_forward(whole_m, whole)
        assert own.nefc == whole.nefc > 40 and own.nisland > 5
        for name in ('qacc', 'qfrc_constraint'):
            assert states.residual(getattr(own, name), getattr(whole, name)) < tolerance, f'{name} of state {k}'


@pytest.mark.parametrize('cone', ('pyramidal', 'elliptic'))
def test_a_large_island(cone):
    """Newton's factor follows the rows that change; the solution is that of factors made anew."""
    rng = np.random.default_rng(4)
    bodies = ''
    for i in range(48):  # three layers, each shifted against the one below
        layer, shift = i // 16, 0.05 * (i // 16 % 2)
        pos = 0.11 * (i % 4) + shift, 0.11 * (i // 4 % 4) + shift, 0.05 + 0.099 * layer
        bodies += (f'<body pos="{pos[0]} {pos[1]} {pos[2]}"><freejoint/><geom type="box" size="0.05 0.05 0.05"/></body>')
    xml = (f'<mujoco><option cone="{cone}" tolerance="1e-22"/><worldbody><geom type="plane" size="3 3 0.1"/>{bodies}'
           '</worldbody></mujoco>')
    m, ref, own_m, own = load(xml)
    whole_m = lockstep.MjModel.from_xml_string(xml)
    whole_m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    whole = lockstep.MjData(whole_m)
    most = 0
    for _ in range(8):
        mujoco.mj_step(m, ref, 3)
        ref.qvel[:] += 0.1 * rng.normal(size=m.nv)
        give(ref, own), give(ref, whole)
        lockstep.mj_forward(own_m, own)
        lockstep.mj_forward(whole_m, whole)
        assert own.island_nv.max() > 200
        most = max(most, own.solver_niter[own.island_nv.argmax()])
        for name in ('qacc', 'qfrc_constraint'):
            assert states.residual(getattr(own, name), getattr(whole, name)) < 1e-9, name
    assert most > 3


@pytest.mark.parametrize('cone', ('pyramidal', 'elliptic'))
@pytest.mark.parametrize('solver', ('Newton', 'CG'))
def test_iterations_per_island(solver, cone):
    """Each island stops on its own: statistics stand per island, as in MuJoCo, and none for what is in no island."""
    m, ref, own_m, own = load(large(solver, cone))
    rng = np.random.default_rng(3)
    most = lockstep.mjNISLAND
    for _ in some_states(m, ref, rng, 4):
        give(ref, own)
        mujoco.mj_forward(m, ref)
        lockstep.mj_forward(own_m, own)
        check(m, ref, own_m, own)
        count = min(own.nisland, most)
        niter = own.solver_niter[:count]
        assert len(set(niter)) > 1 and (own.solver_niter[count:] == 0).all()
        if solver == 'Newton':
            assert np.abs(niter - ref.solver_niter[:count]).max() <= 2


def test_rest_needs_no_iterations():
    """Islands at rest cost nothing, though others move."""
    m, ref, own_m, own = load(large('Newton', ties=False))
    own_m.opt.tolerance = m.opt.tolerance = 1e-8
    lockstep.mj_step(own_m, own, 1500)
    own.qvel[0] = 1
    lockstep.mj_step(own_m, own, 1)
    assert own.solver_niter[0] > 0 and (own.solver_niter[1:own.nisland] == 0).all()


def test_small_models_are_solved_at_once():
    """Below 120 dofs, or with one tree that holds most of them, statistics stand in the first place."""
    _, _, m, d = load(model(count=17))
    lockstep.mj_forward(m, d)
    assert d.nisland > 1 and d.solver_niter[0] > 0 and (d.solver_niter[1:] == 0).all()


@pytest.mark.parametrize('name', ['manipulator.xml', 'stacker.xml'])
def test_conjugate_gradients_take_islands_one_by_one(name):
    """As MuJoCo: one length of step for islands of different stiffness takes many times the iterations."""
    path = next(p for p in parity.package_models() if p.name == name)
    ref_m = parity.load_reference(path)
    ref_m.opt.solver = mujoco.mjtSolver.mjSOL_CG
    ref_m.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    ref_m.opt.iterations = 3000
    own_m = lockstep.MjModel._from_mujoco(ref_m)
    own, ref, rng = lockstep.MjData(own_m), mujoco.MjData(ref_m), np.random.default_rng(1)
    counts = []
    for _ in range(60):
        states.randomize(ref_m, ref, rng)
        ref.qacc_warmstart[:] = 10 * rng.normal(size=ref_m.nv)
        for field in [*states.INPUTS, 'qacc_warmstart']:
            getattr(own, field)[:] = getattr(ref, field)
        mujoco.mj_forward(ref_m, ref)
        lockstep.mj_forward(own_m, own)
        if ref.nisland > 1 and own.nefc == ref.nefc:
            counts.append([d.solver_niter[:ref.nisland].copy() for d in (own, ref)])
    same = [np.array_equal(own_count, ref_count) for own_count, ref_count in counts]
    assert len(counts) > 20 and np.mean(same) > 0.8


def test_islands_start_alike():
    """One decision for the whole world: from the last acceleration, or from that without constraints."""
    ref_m, ref, own_m, own = load(model(count=20))
    ref_m.opt.iterations = own_m.opt.iterations = 1
    rng = np.random.default_rng(3)
    started = set()
    for _ in range(20):
        states.randomize(ref_m, ref, rng)
        mujoco.mj_forward(ref_m, ref)
        good = rng.random(ref_m.nv) < rng.random()  # some islands would start from it, others not
        ref.qacc_warmstart[:] = np.where(good, ref.qacc, ref.qacc + 1e3 * rng.normal(size=ref_m.nv))
        for field in [*states.INPUTS, 'qacc_warmstart']:
            getattr(own, field)[:] = getattr(ref, field)
        mujoco.mj_forward(ref_m, ref)
        lockstep.mj_forward(own_m, own)
        if own.nefc != ref.nefc:
            continue
        started.add(tuple(ref.solver_niter[:ref.nisland]))
        assert list(own.solver_niter[:ref.nisland]) == list(ref.solver_niter[:ref.nisland])
    assert len(started) > 2
