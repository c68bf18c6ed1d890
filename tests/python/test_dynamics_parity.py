"""Every field of every stage equals MuJoCo's, from random states of every model of the corpus and of probe models.

Constraints are disabled. LOCKSTEP_STATES sets the number of random states of each model; 100 is the full run.
"""
import collections
import os

import mujoco
import parity
import probes
import pytest
import test_probes
from test_parity import MODELS

import lockstep
from lockstep import compare

STATES = int(os.environ.get('LOCKSTEP_STATES', '3'))
FULL = STATES >= 100
SCALE = float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))  # 0 shows the true residuals
TOLERANCE = compare.TOLERANCE * SCALE

# sections of the schema that say nothing about dynamics
QUIET = ('asset', 'visual', 'statistic', 'custom', 'contact', 'sensor', 'keyframe')


# MuJoCo factors qH for a joint with an actuator that has armature but no damping, where qH is M; we leave it alone.
# Nothing else depends on it: accelerations agree.
UNUSED_FACTOR = ('armature', ('qH', 'qHDiagInv'))


def reason(model):
    """Why the dynamics of a model cannot be compared yet, or None."""
    if model.nflex:
        return 'flexes are not simulated'
    if model.nplugin:
        return 'plugins are not simulated'
    return None


worst = collections.defaultdict(lambda: compare.Residual('', ''))


@pytest.fixture(scope='module', autouse=True)
def summary():
    """The worst residual of each stage and field over all models."""
    yield
    print('\nworst residuals over all models')
    print('\n'.join(compare.table(list(worst.values()), everything=True, tolerance=TOLERANCE)))


def check(reference, states, label):
    comparison = compare.Comparison(mujoco, reference)
    residuals = comparison.run(states)
    for entry in residuals:
        seen = worst[entry.stage, entry.field]
        if entry.size >= seen.size:
            worst[entry.stage, entry.field] = entry
    return [f'{label}: {entry.stage}: {entry.field} {entry.size:.1e} of {entry.scale:.1e}, state {entry.state}'
            for entry in residuals if entry.size > TOLERANCE]


@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_model(path):
    reference = parity.load_reference(path)
    if reason(reference):
        pytest.skip(reason(reference))
    deviating = check(reference, STATES, parity.label(path))
    assert not deviating, '\n'.join(deviating)


@pytest.mark.parametrize('section', sorted({p.split('/')[0] for p in test_probes.schema()} - set(QUIET)))
def test_probes_of(section):
    elements = {p: rows for p, rows in test_probes.schema().items() if p.split('/')[0] == section}
    deviating, count = [], 0
    for path, name, _, reference, changed in probes.probes(elements, every=1 if FULL else 4):
        if changed and not reason(reference):
            count += 1
            found = check(reference, max(1, STATES // 10), f'{path}@{name}')
            if name == UNUSED_FACTOR[0]:
                found = [line for line in found if line.split(': ')[2].split()[0] not in UNUSED_FACTOR[1]]
            deviating += found[:1]
    print(section, count, 'probes')
    assert not deviating, '\n'.join([f'{len(deviating)} of {count} probes deviate', *deviating[:40]])


def test_a_deviation_is_found():
    """The comparison itself: a changed mass shows in the stage that first reads it."""
    reference = mujoco.MjModel.from_xml_path(str(parity.own_models()[0]))
    own = lockstep.MjModel._from_mujoco(reference)
    own.body_mass[-1] *= 1 + 1e-6
    comparison = compare.Comparison(mujoco, reference, own)
    first = next(entry for entry in comparison.run(2) if entry.size > TOLERANCE)
    assert first.stage == 'com_pos' and first.size < 1e-3
