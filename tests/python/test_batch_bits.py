"""A world in a batch has the bits it has alone, however many are beside it, however many threads and lanes there are,
and whatever befalls its neighbours.

By default 67 worlds take 60 steps; LOCKSTEP_BITS=full runs 1000 worlds for 1000 steps (hours on few cores).
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

import lockstep
import lockstep.batch

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'bench'))
import one_world  # noqa: E402

FULL = os.environ.get('LOCKSTEP_BITS') == 'full'
MOST, STEPS = (1000, 1000) if FULL else (67, 60)
COUNTS = (1, 3, 64, 1000) if FULL else (1, 3, 67)
CHUNK = 20  # steps between new controls
MODELS = {parity.label(path): path for path in one_world.models()}
PINNED = pathlib.Path(__file__).parents[1] / 'data' / 'batch_hashes.json'
WIDTHS = {np.float64: (1, 2, 4, 8), np.float32: (1, 8)}


@functools.cache
def load(label):
    return lockstep.MjModel.from_xml_path(str(MODELS[label]))


def start(model, world):
    """Where a world begins, and its random numbers."""
    rng = np.random.default_rng(world)
    qpos = lockstep.MjData(model).qpos.copy()
    lockstep.mj_integratePos(model, qpos, rng.normal(0, 0.02, model.nv), 1)
    return qpos, rng.normal(0, 0.3, model.nv), rng


def run(model, count, nthread, width, dtype, disturb=lambda batch, step: None):
    """States of the worlds after all steps."""
    batch = lockstep.batch.Batch(model, count, nthread, dtype=dtype, width=width)
    starts = [start(model, world) for world in range(count)]
    batch.qpos = np.array([s[0] for s in starts])
    batch.qvel = np.array([s[1] for s in starts])
    for step in range(0, STEPS, CHUNK):
        if model.nu:
            batch.ctrl = np.array([s[2].uniform(-1, 1, model.nu) for s in starts])
        disturb(batch, step)
        batch.step(nstep=CHUNK)
    assert batch.width == width
    return batch.state.copy()


@functools.cache
def alone(label, dtype):
    """States of single worlds: of a MjData each in double, of a batch of one world each in single precision."""
    model = load(label)
    if dtype == np.float32:
        return run(model, MOST, 2, 1, dtype)
    states, all_parts = [], (1 << 15) - 1
    for world in range(MOST):
        data = lockstep.MjData(model)
        data.qpos, data.qvel, rng = start(model, world)
        for _ in range(0, STEPS, CHUNK):
            data.ctrl = rng.uniform(-1, 1, model.nu)
            lockstep.mj_step(model, data, CHUNK)
        state = np.empty(lockstep.mj_stateSize(model, all_parts))
        lockstep.mj_getState(model, data, state, all_parts)
        states.append(state)
    return np.array(states)


@pytest.mark.parametrize('dtype', WIDTHS, ids=('double', 'float'))
@pytest.mark.parametrize('label', MODELS)
def test_bits_depend_on_nothing_else(label, dtype):
    expected = alone(label, dtype)
    for count in COUNTS:
        for nthread in (1, 2):
            for width in WIDTHS[dtype]:
                states = run(load(label), count, nthread, width, dtype)
                np.testing.assert_array_equal(states, expected[:count], f'{count=} {nthread=} {width=}')


@pytest.mark.parametrize('label', ['assets/half_cheetah.xml', 'assets/ant.xml', 'suite/humanoid.xml'])
def test_neighbours_that_fail_reset_or_differ_change_nothing(label):
    label = next(name for name in MODELS if name.endswith(label))
    model, count = load(label), 19
    touched = {5: 'fails', 6: 'is reset', 12: 'is heavier'}

    def disturb(batch, step):
        if step == 0:
            masses = batch.expand('body_mass')
            masses[12] *= 2
        if step == CHUNK:
            batch.qvel[5] = np.nan
            batch.reset([6])

    for width in WIDTHS[np.float64]:
        states = run(model, count, 2, width, np.float64, disturb)
        same = (states == alone(label, np.float64)[:count]).all(1)
        assert set(np.flatnonzero(~same)) == set(touched), width
        assert np.isfinite(states).all()


def test_hashes_are_pinned():
    """Results do not change unnoticed; LOCKSTEP_PIN=1 writes the hashes anew, after a change that is meant."""
    if FULL:
        pytest.skip('hashes are those of the short run')
    hashes = {label: hashlib.sha256(np.ascontiguousarray(run(load(label), 8, 1, 4, np.float64))).hexdigest()[:16]
              for label in MODELS}
    if os.environ.get('LOCKSTEP_PIN'):
        PINNED.write_text(json.dumps(hashes, indent=1) + '\n')
    assert hashes == json.loads(PINNED.read_text())
