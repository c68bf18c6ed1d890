"""Environments of ours and of Gymnasium side by side, for tests."""
import atexit
import pathlib
import shutil
import tempfile
import warnings

import gymnasium
import mujoco
import numpy as np

import lockstep.gym

NAMES = sorted(lockstep.gym.environments)
# how much of the range of actions keeps rounding from growing beyond 1e-6 in 100 steps: with all of it, MuJoCo itself
# does not repeat its trajectory when a start is moved by 1e-15
CALM = {'Ant': 0.15, 'HalfCheetah': 0.5}
TOLERANCE = 1e-6


def _newton(name):
    """A copy of a model with Newton's solver: the environments themselves are compared without PGS, which does not
    converge in these models and so carries rounding from step to step. test_gym.py compares the originals too."""
    text = (lockstep.gym.environment.ASSETS / f'{name.lower()}.xml').read_text()
    path = _folder / f'{name.lower()}_newton.xml'
    path.write_text(text.replace('solver="PGS"', ''))
    return {'xml_file': str(path)}


_folder = pathlib.Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, _folder)
PGS = 'Humanoid', 'HumanoidStandup'
MODEL = {name: _newton(name) if name in PGS else {} for name in NAMES}


def ours(name, count, **options):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return gymnasium.make_vec(f'lockstep/{name}-v5', num_envs=count, **options)


def theirs(name, count, autoreset_mode=gymnasium.vector.AutoresetMode.NEXT_STEP, **options):
    return gymnasium.make_vec(f'{name}-v5', num_envs=count, vectorization_mode='sync',
                              vector_kwargs={'autoreset_mode': autoreset_mode}, **options)


def actions(env, rng, scale=1.0):
    return (scale * rng.uniform(env.action_space.low, env.action_space.high)).astype(np.float32)


def copy_states(to, source):
    """Puts our worlds where Gymnasium's are."""
    everything = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    for world, env in enumerate(source.envs):
        model, data = env.unwrapped.model, env.unwrapped.data
        row = np.empty(mujoco.mj_stateSize(model, everything))
        mujoco.mj_getState(model, data, row, everything)
        to.unwrapped.batch.state[world] = row


def assert_equal(found, expected, tolerance=TOLERANCE, where=''):
    """Arrays, or infos key by key with their types."""
    if isinstance(expected, dict):
        assert set(found) == set(expected), where
        for key in expected:
            assert_equal(found[key], expected[key], tolerance, f'{where}[{key}]')
        return
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype), where
    if expected.dtype == object:  # final observations
        there = [row is not None for row in expected]
        assert [row is not None for row in found] == there, where
        found, expected = (np.array([row for row in rows if row is not None]) for rows in (found, expected))
    if expected.dtype.kind in 'bi':
        np.testing.assert_array_equal(found, expected, err_msg=where)
    else:
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, err_msg=where)


def assert_same_step(found, expected, tolerance=TOLERANCE):
    for name, a, b in zip(('observations', 'rewards', 'terminated', 'truncated', 'infos'), found, expected):
        assert_equal(a, b, tolerance, name)
