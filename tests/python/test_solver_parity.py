"""Accelerations and forces under constraints equal MuJoCo's, with both solvers run to convergence.

The reference is MuJoCo's Newton method, which ends at the lowest cost to the last digits. CG, which knows a solution
only to the square root of the cost's digits, may be as far from it as MuJoCo's own CG is. PGS need not end there (an
elliptic contact that opens stays open) or needs more sweeps than anybody has time for: where it is not there, it is
compared with MuJoCo's PGS, converged or after as many sweeps. Each solution is compared with the one that Lockstep
finds without islands, too; where that is another one, it must be MuJoCo's without islands.

States are those that MuJoCo visits under random controls, and random ones in which bodies may overlap by any depth.
LOCKSTEP_STATES sets their number per model, solver and cone (3, of large models 1); 50 of each kind is the full run.
Contacts of a pair may come in another order, which the last bit decides. States whose rows differ (contacts of shapes
that are found by searching) are counted and left to the tests of contacts and rows. States of which MuJoCo itself,
shaken in the last digits, does not know the solution to a tenth of the tolerance are undecided; they are listed at the
end with how far it moves.
"""
import collections
import copy
import functools
import os
import types

import mujoco
import numpy as np
import parity
import pytest
import residuals
import states
from test_parity import MODELS

import lockstep

STATES = int(os.environ.get('LOCKSTEP_STATES', '0'))
SCALE = float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))  # 0 shows the true residuals
TOLERANCE = 1e-6 * SCALE
FIELDS = ('qacc', 'qfrc_constraint', 'efc_force')
ROWS = ('J', 'efc_aref', 'efc_D')
SOLVERS = {0: 'PGS', 1: 'CG', 2: 'Newton'}
CONES = {0: 'pyramidal', 1: 'elliptic'}
PGS, CG, NEWTON = SOLVERS
ISLAND = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
USUAL, PATIENCE = 3000, 30000  # iterations, and where these are too few
KEPT = (*states.INPUTS, 'history', 'eq_active', 'qacc_warmstart')

worst = residuals.Worst()
other_rows = collections.Counter()
undecided, slow, elsewhere, apart = [], [], [], []


@pytest.fixture(scope='module', autouse=True)
def summary():
    yield
    print(f'\nstates with other rows: {dict(other_rows)}')
    for title, lines in (('undecided', undecided), ('CG farther than the tolerance from Newton', slow),
                         ('PGS judged by MuJoCo\'s PGS', elsewhere),
                         ('solutions with and without islands farther apart than the tolerance', apart)):
        print(f'{title}: {len(lines)}', *lines, sep='\n  ')
    print(worst.table('models', 'solver', 'cone', 'field'))


def load(path):
    """MuJoCo's model with enough memory for everything: where an arena is full, MuJoCo drops constraints."""
    spec = mujoco.MjSpec.from_file(str(path))
    spec.memory = 2**28
    return spec.compile()


def converged(m, solver, cone):
    m.opt.solver, m.opt.cone = solver, cone
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 1e-14, USUAL, 100
    m.opt.noslip_iterations = 0
    m.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    return m


def visited(m, rng, count):
    """Data after some steps under random controls, from different starts."""
    d = mujoco.MjData(m)
    for _ in range(count):
        mujoco.mj_resetData(m, d)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, rng.integers(m.nkey))
        d.qvel[:] += 0.3 * rng.normal(size=m.nv)
        for _ in range(rng.integers(5, 60)):
            if rng.integers(10) == 0:
                d.ctrl[:] = rng.normal(size=m.nu)
            mujoco.mj_step(m, d)
        if np.isfinite(d.qpos).all():
            yield d


def random(m, rng, count):
    d = mujoco.MjData(m)
    for _ in range(count):
        states.randomize(m, d, rng)
        yield d


def give(source, target):
    for name in KEPT:
        getattr(target, name)[:] = getattr(source, name)
    target.time = source.time


def kept(d):
    """A copy of a state, which outlives the Data."""
    return types.SimpleNamespace(time=d.time, **{name: getattr(d, name).copy() for name in KEPT})


def order_of_rows(d):
    """Rows, with contacts sorted by their geoms and places."""
    pushing = np.flatnonzero(d.contact.efc_address >= 0)
    if not len(pushing):
        return np.arange(d.nefc)
    address = d.contact.efc_address[pushing]
    blocks = np.split(np.arange(d.nefc), address)
    keys = np.column_stack([d.contact.geom[pushing], d.contact.pos[pushing].round(6)])
    return np.concatenate([blocks[0], *(blocks[1 + contact] for contact in np.lexsort(keys.T[::-1]))])


def jacobian(module, m, d):
    """The rows of constraints as a matrix."""
    if not module.mj_isSparse(m):
        return d.efc_J[:d.nefc * m.nv].reshape(d.nefc, m.nv).copy()
    dense = np.zeros((d.nefc, m.nv))
    row = np.repeat(np.arange(d.nefc), d.efc_J_rownnz)
    place = np.repeat(d.efc_J_rowadr - np.cumsum(d.efc_J_rownnz) + d.efc_J_rownnz, d.efc_J_rownnz) + np.arange(len(row))
    dense[row, d.efc_J_colind[place]] = d.efc_J[place]
    return dense


def solution(module, m, d):
    """Accelerations, forces and rows, which outlive the Data."""
    order = order_of_rows(d)
    return types.SimpleNamespace(nefc=d.nefc, niter=max(d.solver_niter), J=jacobian(module, m, d)[order], efc_D=d.efc_D[order],
                                 efc_aref=d.efc_aref[order], efc_force=d.efc_force[order], qacc=d.qacc.copy(),
                                 qfrc_constraint=d.qfrc_constraint.copy())


@functools.lru_cache(maxsize=len(CONES))
def problems(path, cone):
    """States that are constrained, with their rows and the solution of MuJoCo's Newton method."""
    m = converged(load(path), NEWTON, cone)
    newton, rng, found = Engine(mujoco, m), np.random.default_rng(1), []
    for kind in (visited, random):
        for number, d in enumerate(kind(m, rng, STATES or (3 if m.nv <= states.LARGE else 1))):
            state = kept(d)
            ref = newton.solve(state)
            if ref.nefc and np.isfinite(ref.qacc).all():
                found.append((f'{kind.__name__} {number}', state, ref))
    return found


def same_rows(own, ref, fields=ROWS):
    """Whether both engines solve the same problem, to 1e-9."""
    return own.nefc == ref.nefc and all(states.residual(getattr(own, name), getattr(ref, name)) < 1e-9 for name in fields)


def distances(d, ref):
    return {name: states.residual(getattr(d, name), getattr(ref, name)) for name in FIELDS}


def largest(gaps):
    return max(gaps.values())


def shaken(engine, state, ref, **limits):
    """How far MuJoCo's own solution moves when its state is shaken in the last digits, some times if need be."""
    rng, moved = np.random.default_rng(2), 0.0
    for _ in range(8):
        other = copy.deepcopy(state)
        other.qpos *= 1 + 1e-14 * rng.normal(size=other.qpos.size)
        other.qvel *= 1 + 1e-14 * rng.normal(size=other.qvel.size)
        found = engine.solve(other, **limits)
        moved = max(moved, largest(distances(found, ref)) if found.nefc == ref.nefc else np.inf)
        if 10 * moved > TOLERANCE:
            break
    return moved


class Engine:
    """A solver of one engine, for one model."""

    def __init__(self, module, m, disabled=0):
        self.module, self.m = module, copy.copy(m)
        self.m.opt.disableflags |= disabled
        self.d = module.MjData(self.m)

    def solve(self, state, limits=(USUAL, PATIENCE)):
        """With more iterations where the first limit was too low."""
        for self.m.opt.iterations in limits:
            give(state, self.d)
            self.module.mj_forward(self.m, self.d)
            if max(self.d.solver_niter) < self.m.opt.iterations:
                break
        return solution(self.module, self.m, self.d)


def sweeps(rows):
    """How many sweeps of PGS MuJoCo can make in seconds: each takes time by the square of the rows."""
    return int(np.clip(3e8 / rows**2, 100, PATIENCE))


class Engines:
    """A solver of Lockstep, for one model and cone, and those that its solutions are compared with."""

    def __init__(self, path, solver, cone):
        m = converged(load(path), solver, cone)
        own = lockstep.MjModel._from_mujoco(m)
        self.solver, self.name = solver, f'{parity.label(path)}, {SOLVERS[solver]}, {CONES[cone]}'
        self.own, self.whole = Engine(lockstep, own), Engine(lockstep, own, ISLAND)
        self.peer, self.whole_peer = Engine(mujoco, m), Engine(mujoco, m, ISLAND)
        self.ntree = m.ntree
        self.newton = Engine(mujoco, converged(copy.copy(m), NEWTON, cone))

    def decided(self, judge, where, state, ref, gap, **limits):
        """Whether MuJoCo knows its solution well enough to judge a gap."""
        moved = shaken(judge, state, ref, **limits) if gap > TOLERANCE else 0
        if 10 * moved > TOLERANCE:
            undecided.append(f'{self.name}, {where}: shaken {moved:.1e}, Lockstep {gap:.1e}')
        return 10 * moved <= TOLERANCE

    def compare(self, where, state, ref):
        """Our solution, how far it is from MuJoCo's and how far it may be; no gaps where nobody knows."""
        own = self.own.solve(state, (USUAL,) if self.solver == PGS else (USUAL, PATIENCE))
        if not same_rows(own, ref):
            return own, None, None
        gaps, allowed = distances(own, ref), dict.fromkeys(FIELDS, TOLERANCE)
        if largest(gaps) > TOLERANCE and self.solver == PGS:
            return self.compare_sweeps(where, state, ref)
        if largest(gaps) > TOLERANCE and self.solver == CG:
            peer = distances(self.peer.solve(state), ref)
            allowed = {name: max(TOLERANCE, 3 * gap) for name, gap in peer.items()}
            slow.append(f'{self.name}, {where}: MuJoCo {largest(peer):.1e}, Lockstep {largest(gaps):.1e} from Newton')
        return own, gaps if self.decided(self.newton, where, state, ref, largest(gaps)) else {}, allowed

    def compare_sweeps(self, where, state, newton):
        """The same with MuJoCo's PGS, converged or after as many sweeps."""
        limits = (sweeps(newton.nefc),)
        own, ref = self.own.solve(state, limits), self.peer.solve(state, limits)
        gaps = distances(own, ref)
        elsewhere.append(f'{self.name}, {where}: {largest(distances(own, newton)):.1e} from Newton, {largest(gaps):.1e} from '
                         f'MuJoCo\'s PGS ({ref.niter} sweeps of at most {limits[0]}, Lockstep {own.niter})')
        decided = self.decided(self.peer, where, state, ref, largest(gaps), limits=limits)
        return own, gaps if decided else {}, dict.fromkeys(FIELDS, TOLERANCE)

    def compare_islands(self, where, state, own):
        """How far a solution is from the one without islands, or that from MuJoCo's; None where nobody knows."""
        limits = (max(USUAL, sweeps(own.nefc)),) if self.solver == PGS else (USUAL, PATIENCE)
        whole = self.whole.solve(state, limits)
        gap = largest(distances(whole, own))
        if gap <= TOLERANCE or self.solver == NEWTON:
            return gap
        limits = (sweeps(own.nefc),) if self.solver == PGS else limits
        whole, ref, peer = (some.solve(state, limits) for some in (self.whole, self.whole_peer, self.peer))
        peer_gap = largest(distances(whole, ref))
        apart.append(f'{self.name}, {where}: {gap:.1e}, MuJoCo {largest(distances(ref, peer)):.1e}, '
                     f'both without islands {peer_gap:.1e}')
        decided = self.decided(self.whole_peer, f'{where}, no islands', state, ref, peer_gap, limits=limits)
        return peer_gap if decided else None


@pytest.mark.parametrize('solver', SOLVERS, ids=SOLVERS.get)
@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_solution(path, solver):
    reference = parity.load_reference(path)
    if reference.nflex or reference.nplugin:
        pytest.skip('flexes and plugins are not simulated')
    deviating = []
    for cone in CONES:
        engines = Engines(path, solver, cone)
        for where, state, ref in problems(path, cone):
            own, gaps, allowed = engines.compare(where, state, ref)
            if gaps is None:
                other_rows[parity.label(path)] += 1
            if not gaps:
                continue
            # one tree is one island
            between = engines.compare_islands(where, state, own) if engines.ntree > 1 else None
            if between is not None:
                gaps['islands'], allowed['islands'] = between, largest(allowed)
            for name, gap in gaps.items():
                worst.note(gap, residuals.group(path), SOLVERS[solver], CONES[cone], name)
                if not gap <= allowed[name]:
                    deviating.append(f'{engines.name}, {where}: {name} {gap:.1e}')
    assert not deviating, '\n'.join(deviating)
