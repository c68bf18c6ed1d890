"""Batches in single precision find the accelerations of double precision, to what rounding leaves of them."""
import numpy as np
import parity
import pytest

import lockstep
from lockstep.batch import Batch

MODELS = {path.stem: path for path in parity.package_models() if path.name in ('half_cheetah.xml', 'ant.xml')}
MODELS |= {path.stem: path for path in parity.own_models() if path.name in ('humanoid.xml', 'arm.xml')}
TYPICAL, WORST = 3e-5, 1e-3  # part of the acceleration; measured: 2e-6 (median) and 9e-5


@pytest.mark.filterwarnings('ignore::UserWarning')
@pytest.mark.parametrize('name', MODELS)
def test_accelerations(name):
    """Searches end where rounding hides the slope, and no earlier: 10 x 32 visited states with contacts."""
    m = lockstep.MjModel.from_xml_path(str(MODELS[name]))
    double, single = Batch(m, 32), Batch(m, 32, dtype=np.float32)
    exact, rounded, contacts = double.bind('qacc'), single.bind('qacc'), double.bind('ncon')
    low, high = np.where(m.actuator_ctrllimited[:, None], m.actuator_ctrlrange, [-1.0, 1.0]).T
    rng = np.random.default_rng(0)
    errors, touching = [], 0
    for _ in range(10):
        double.ctrl = rng.uniform(low, high, double.ctrl.shape)
        double.step(nstep=20)
        single.state[:] = double.state
        double.forward()
        single.forward()
        errors.append(np.linalg.norm(rounded - exact, axis=1) / np.linalg.norm(exact, axis=1))
        touching += (contacts > 0).sum()
    assert touching > 20
    assert np.median(errors) < TYPICAL and np.max(errors) < WORST


@pytest.mark.filterwarnings('ignore::UserWarning')
def test_rounds_of_a_stiff_model():
    """Newton's method ends where it ends in double, not at its cap, where rounding hides the gradient (104 rounds were seen)."""
    path = next(path for path in parity.package_models() if str(path).endswith('suite/dog.xml'))
    m = lockstep.MjModel.from_xml_path(str(path))
    most = {}
    for dtype in (np.float64, np.float32):
        batch, rng = Batch(m, 256, 2, dtype=dtype), np.random.default_rng(1)
        rounds = batch.bind('solver_niter')
        seen = []
        for _ in range(12):
            batch.ctrl = rng.uniform(*m.actuator_ctrlrange.T, batch.ctrl.shape)
            for _ in range(5):
                batch.step(nstep=4)
                seen.append(rounds.reshape(256, -1)[:, 0].copy())
        most[dtype] = np.max(seen)
    assert most[np.float32] <= 2 * most[np.float64]
