"""Solvers go the way that MuJoCo's go: what they hold after few iterations, when they stop, what they report.

Gauss-Seidel visits rows in MuJoCo's order and extrapolates as it does, so that forces agree after any number of sweeps,
converged or not, island by island; the same for the pass against slip. Newton's method and conjugate gradients
stop after the same number of iterations. States in which MuJoCo itself, shaken in the last digits, does something else are left out.

LOCKSTEP_STATES sets the number of visited and of random states per model.
"""
import collections
import os

import mujoco
import numpy as np
import parity
import pytest
import states
from test_parity import MODELS
from test_solver_parity import CONES, SOLVERS, give, random, same_rows, visited

import lockstep

STATES = int(os.environ.get('LOCKSTEP_STATES', '2'))
PGS, CG, NEWTON = SOLVERS
COUNTS = ('nactive', 'nchange', 'nupdate')

seen = collections.Counter()


@pytest.fixture(scope='module', autouse=True)
def summary():
    yield
    print()
    for key, number in sorted(seen.items()):
        print(f'{key[0]:30} {number:6}')


def load(path):
    m = parity.load_reference(path)
    if m.nflex or m.nplugin:
        pytest.skip('flexes and plugins are not simulated')
    m.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    return m, lockstep.MjModel._from_mujoco(m)


def states_of(m):
    """States of both kinds, whose solver is Newton's whatever is tested with them."""
    solver, noslip = m.opt.solver, m.opt.noslip_iterations
    rng = np.random.default_rng(1)
    for kind in (visited, random):
        m.opt.solver, m.opt.noslip_iterations = NEWTON, 0
        for number, d in enumerate(kind(m, rng, STATES)):
            m.opt.solver, m.opt.noslip_iterations = solver, noslip
            yield f'{kind.__name__} state {number}', d
            m.opt.solver, m.opt.noslip_iterations = NEWTON, 0
    m.opt.solver, m.opt.noslip_iterations = solver, noslip


def solve(m, own_m, d):
    """Both engines in the same state, with MuJoCo's options, or None where they have different problems."""
    for name in ('solver', 'cone', 'iterations', 'noslip_iterations'):
        setattr(own_m.opt, name, getattr(m.opt, name))
    own, ref = lockstep.MjData(own_m), mujoco.MjData(m)
    give(d, own), give(d, ref)
    lockstep.mj_forward(own_m, own)
    mujoco.mj_forward(m, ref)
    if not ref.nefc or not np.isfinite(ref.qacc).all() or not same_rows(own, ref, ('efc_J', 'efc_aref', 'efc_D')):
        return None
    return own, ref


def statistics(d, field, island=0):
    count = min(d.solver_niter[island], mujoco.mjNSOLVER)
    return np.asarray(getattr(d.solver, field)).reshape(mujoco.mjNISLAND, mujoco.mjNSOLVER)[island, :count]


def steady(m, d, attempts=3):
    """Whether MuJoCo's forces and iterations stay when its state is shaken in the last digits."""
    rng = np.random.default_rng(2)
    for _ in range(attempts):
        other = mujoco.MjData(m)
        give(d, other)
        other.qpos[:] *= 1 + 1e-14 * rng.normal(size=m.nq)
        other.qvel[:] *= 1 + 1e-14 * rng.normal(size=m.nv)
        mujoco.mj_forward(m, other)
        if other.nefc != d.nefc or (other.solver_niter != d.solver_niter).any():
            return False
        if states.residual(other.efc_force, d.efc_force) > 1e-10:
            return False
    return True


def compare_forces(m, own_m, d, what, deviating):
    pair = solve(m, own_m, d)
    if pair is None:
        return
    own, ref = pair
    gap = states.residual(own.efc_force, ref.efc_force)
    same = (own.solver_niter == ref.solver_niter).all()
    if not (same and gap < 1e-9) and not steady(m, ref):
        seen['Gauss-Seidel, MuJoCo unsteady',] += 1
        return
    seen['Gauss-Seidel, compared',] += 1
    if not same or gap > 1e-9:
        deviating.append(f'{what}: forces {gap:.1e}, iterations {own.solver_niter[:4]} {ref.solver_niter[:4]}')
        return
    for island in range(min(ref.nisland, mujoco.mjNISLAND)):
        one, other = (statistics(x, 'improvement', island) for x in (own, ref))
        if states.residual(one, other) > 1e-9:
            deviating.append(f'{what}: improvement {one} {other}')
        # at the surface of a cone rounding decides
        if m.opt.cone == mujoco.mjtCone.mjCONE_PYRAMIDAL and not m.opt.noslip_iterations:
            for field in COUNTS:
                one, other = (statistics(x, field, island) for x in (own, ref))
                if (one != other).any():
                    deviating.append(f'{what}: {field} {one} {other}')


@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_pgs(path):
    m, own_m = load(path)
    m.opt.solver, m.opt.noslip_iterations = PGS, 0
    deviating = []
    for cone in CONES:
        m.opt.cone = cone
        for name, d in states_of(m):
            for m.opt.iterations in (1, 2, 3, 10, 50):
                compare_forces(m, own_m, d, f'{CONES[cone]}, {name}, {m.opt.iterations} iterations', deviating)
    assert not deviating, '\n'.join(deviating)


@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_noslip(path):
    m, own_m = load(path)
    m.opt.solver = PGS
    deviating = []
    for cone in CONES:
        m.opt.cone = cone
        for name, d in states_of(m):
            for m.opt.iterations, m.opt.noslip_iterations in ((0, 2), (2, 1), (3, 20)):
                compare_forces(m, own_m, d, f'{CONES[cone]}, {name}, {m.opt.noslip_iterations} against slip', deviating)
    assert not deviating, '\n'.join(deviating)


# of states that MuJoCo solves as one problem; islands are solved together here
@pytest.mark.parametrize('solver', (CG, NEWTON), ids=SOLVERS.get)
@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_iterations(path, solver):
    m, own_m = load(path)
    m.opt.solver, m.opt.noslip_iterations = solver, 0
    deviating = []
    for cone in CONES:
        m.opt.cone = cone
        for name, d in states_of(m):
            pair = solve(m, own_m, d)
            if pair is None or pair[1].nisland != 1:
                continue
            own, ref = pair
            what = f'{CONES[cone]}, {name}'
            gap = states.residual(own.efc_force, ref.efc_force)
            same = own.solver_niter[0] == ref.solver_niter[0]
            if not same and not steady(m, ref):
                seen[f'{SOLVERS[solver]}, MuJoCo unsteady',] += 1
                continue
            seen[f'{SOLVERS[solver]}, compared',] += 1
            if not same:
                counts = own.solver_niter[0], ref.solver_niter[0]
                # conjugate gradients carry rounding from step to step: after dozens one may be more or less
                late = solver == CG and min(counts) > 50 and abs(counts[0] - counts[1]) == 1 and gap < 1e-9
                if not late:
                    deviating.append(f'{what}: iterations {counts}, forces {gap:.1e}')
                continue
            for field in ('improvement', 'gradient'):
                one, other = statistics(own, field), statistics(ref, field)
                if states.residual(one, other) > 1e-6 and steady(m, ref):
                    deviating.append(f'{what}: {field} {one} {other}')
            for field in COUNTS:
                one, other = statistics(own, field), statistics(ref, field)
                # MuJoCo makes its matrix anew where updates lose digits
                anew = (other == ref.nefc) & (field == 'nupdate')
                if ((one != other) & ~anew).any() and steady(m, ref):
                    deviating.append(f'{what}: {field} {one} {other}')
    assert not deviating, '\n'.join(deviating)


def test_nothing_to_do():
    """At rest a solver stops before it starts: CG where the cost is known, Newton where forces are."""
    m = mujoco.MjModel.from_xml_string("""
        <mujoco><worldbody><geom type="plane" size="1 1 1"/>
          <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>""")
    for solver in (CG, NEWTON):
        m.opt.solver = solver
        own_m = lockstep.MjModel._from_mujoco(m)
        own, ref = lockstep.MjData(own_m), mujoco.MjData(m)
        counts = []
        for _ in range(300):
            lockstep.mj_step(own_m, own), mujoco.mj_step(m, ref)
            counts.append((own.solver_niter[0], ref.solver_niter[0]))
        assert counts[-1] == (0, 0)
        assert sum(a == b for a, b in counts) > 290
