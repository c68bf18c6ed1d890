"""A world in a batch has the bits it has alone, however many are beside it, however many threads and lanes there are,
and whatever befalls its neighbours.

By default 67 worlds take 60 steps, of large models 20. LOCKSTEP_BITS=long lets 64 worlds take 1000 steps and 1000 worlds
60 (half an hour on two cores), LOCKSTEP_BITS=full 1000 worlds 1000 steps (hours). All models have passed the full run in
double, each on the kernels of its day; the hashes pinned below tell whether kernels since have changed a bit.
"""
import functools
import hashlib
import json
import os
import pathlib
import sys

import numpy as np
import parity
import pytest
import states

import lockstep
import lockstep.batch

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'bench'))
import one_world  # noqa: E402

LENGTH = os.environ.get('LOCKSTEP_BITS', 'short')
# number of worlds: steps
COUNTS = {'short': {1: 60, 3: 60, 67: 60}, 'long': {1: 1000, 3: 1000, 64: 1000, 1000: 60},
          'full': {1: 1000, 3: 1000, 64: 1000, 1000: 1000}}[LENGTH]
CHUNK = 20  # steps between new controls
MODELS = {parity.label(path): path for path in one_world.models()}
PINNED = pathlib.Path(__file__).parents[1] / 'data' / 'batch_hashes.json'


def runs_here(width, dtype):
    """Whether lanes so wide are compiled and the machine has their registers."""
    model = lockstep.MjModel.from_xml_string('<mujoco/>')
    try:
        return lockstep.batch.Batch(model, 1, dtype=dtype, width=width).width == width
    except ValueError:
        return False


# 16 numbers in single precision fill a register of AVX-512
WIDTHS = {np.float64: (1, 2, 4, 8), np.float32: (1, 8, *(width for width in (16,) if runs_here(width, np.float32)))}


@functools.cache
def load(label):
    return lockstep.MjModel.from_xml_path(str(MODELS[label]))


def start(model, world):
    """Where a world begins, and its random numbers."""
    rng = np.random.default_rng(world)
    qpos = lockstep.MjData(model).qpos.copy()
    lockstep.mj_integratePos(model, qpos, rng.normal(0, 0.02, model.nv), 1)
    return qpos, rng.normal(0, 0.3, model.nv), rng


def run(model, count, steps, nthread, width, dtype, disturb=lambda batch, step: None):
    """States of the worlds after all steps."""
    batch = lockstep.batch.Batch(model, count, nthread, dtype=dtype, width=width)
    starts = [start(model, world) for world in range(count)]
    batch.qpos = np.array([s[0] for s in starts])
    batch.qvel = np.array([s[1] for s in starts])
    for step in range(0, steps, CHUNK):
        if model.nu:
            batch.ctrl = np.array([s[2].uniform(-1, 1, model.nu) for s in starts])
        disturb(batch, step)
        batch.step(nstep=CHUNK)
    assert batch.width == width
    return batch.state.copy()


def runs(model):
    """{number of worlds: steps}; large models take a third of the short run"""
    share = 3 if LENGTH == 'short' and model.nv > states.LARGE else 1
    return {count: steps // share for count, steps in COUNTS.items()}


@functools.cache
def alone(label, dtype, steps):
    """States of single worlds: of a MjData each in double, of a batch of one world each in single precision."""
    model = load(label)
    most = max(count for count, number in runs(model).items() if number == steps)
    if dtype == np.float32:
        return run(model, most, steps, 2, 1, dtype)
    states, all_parts = [], (1 << 15) - 1
    for world in range(most):
        data = lockstep.MjData(model)
        data.qpos, data.qvel, rng = start(model, world)
        for _ in range(0, steps, CHUNK):
            data.ctrl = rng.uniform(-1, 1, model.nu)
            lockstep.mj_step(model, data, CHUNK)
        state = np.empty(lockstep.mj_stateSize(model, all_parts))
        lockstep.mj_getState(model, data, state, all_parts)
        states.append(state)
    return np.array(states)


@pytest.mark.parametrize('dtype', WIDTHS, ids=('double', 'float'))
@pytest.mark.parametrize('label', MODELS)
def test_bits_depend_on_nothing_else(label, dtype):
    for count, steps in runs(load(label)).items():
        expected = alone(label, dtype, steps)
        for nthread in (1, 2):
            for width in WIDTHS[dtype]:
                states = run(load(label), count, steps, nthread, width, dtype)
                np.testing.assert_array_equal(states, expected[:count], f'{count=} {nthread=} {width=}')


@pytest.mark.parametrize('label', ['assets/half_cheetah.xml', 'assets/ant.xml', 'suite/humanoid.xml'])
def test_neighbours_that_fail_reset_or_differ_change_nothing(label):
    label = next(name for name in MODELS if name.endswith(label))
    model, count, steps = load(label), 19, COUNTS[3]
    touched = {5: 'fails', 6: 'is reset', 12: 'is heavier'}

    def disturb(batch, step):
        if step == 0:
            masses = batch.expand('body_mass')
            masses[12] *= 2
        if step == CHUNK:
            batch.qvel[5] = np.nan
            batch.reset([6])

    for width in WIDTHS[np.float64]:
        states = run(model, count, steps, 2, width, np.float64, disturb)
        same = (states == alone(label, np.float64, steps)[:count]).all(1)
        assert set(np.flatnonzero(~same)) == set(touched), width
        assert np.isfinite(states).all()


@pytest.mark.parametrize('solver', ['Newton', 'CG', 'PGS'])
def test_limits_on_either_side(solver):
    """One world is at the lower limit of a tendon, its neighbour at the upper one; tendons tie trees into islands."""
    rng, trees, tendons = np.random.default_rng(0), 42, 50
    slides = ''.join(f'<joint name="%d{a}" type="slide" axis="{axis}"/>' for a, axis in zip('xyz', ('1 0 0', '0 1 0', '0 0 1')))
    bodies = ''.join(f'<body pos="{3 * i} 0 0">{slides % (i, i, i)}<geom size=".1" mass="{rng.uniform(.5, 2)}"/></body>'
                     for i in range(trees))
    ends = [rng.choice(trees, 2, replace=False) for _ in range(tendons)]
    ties = ''.join(f'<fixed limited="true" range="-.2 .2"><joint joint="{a}{rng.choice(list("xyz"))}" coef="{rng.uniform(.5, 2)}"/>'
                   f'<joint joint="{b}{rng.choice(list("xyz"))}" coef="{rng.uniform(-2, -.5)}"/></fixed>' for a, b in ends)
    model = lockstep.MjModel.from_xml_string(f'<mujoco><option gravity="0 0 0" solver="{solver}"/><worldbody>{bodies}</worldbody>'
                                             f'<tendon>{ties}</tendon></mujoco>')
    starts, found = rng.uniform(-.6, .6, (24, model.nq)), []
    for width in WIDTHS[np.float64]:
        batch = lockstep.batch.Batch(model, len(starts), 1, width=width)
        batch.qpos = starts
        batch.step(nstep=2)
        found.append(batch.state.copy())
    for states in found[1:]:
        np.testing.assert_array_equal(states, found[0])


def test_hashes_are_pinned():
    """Results do not change unnoticed; LOCKSTEP_PIN=1 writes the hashes anew, after a change that is meant."""
    hashes = {label: hashlib.sha256(np.ascontiguousarray(run(load(label), 8, 60, 1, 4, np.float64))).hexdigest()[:16]
              for label in MODELS}
    if os.environ.get('LOCKSTEP_PIN'):
        PINNED.write_text(json.dumps(hashes, indent=1) + '\n')
    assert hashes == json.loads(PINNED.read_text())
