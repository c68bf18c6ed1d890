"""mju_ and mjd_ functions: banded matrices, bounded minimisation, nearest rotations, derivatives; against MuJoCo."""
import mujoco
import numpy as np
import pytest

import lockstep


def spd(rng, n):
    a = rng.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


@pytest.mark.parametrize("n, nband, ndense", [(6, 3, 2), (5, 1, 0), (5, 5, 0), (4, 0, 4), (7, 2, 3), (1, 1, 0)])
def test_banded(n, nband, ndense):
    rng = np.random.default_rng(n)
    dense, vec = spd(rng, n), rng.normal(size=n)
    size = (n - ndense) * nband + ndense * n
    results = []
    for e in (mujoco, lockstep):
        band = np.zeros(size)
        e.mju_dense2Band(band, dense, n, nband, ndense)
        out = [band.copy()]
        for symmetric in (False, True):
            back, product = np.zeros((n, n)), np.zeros(n)
            e.mju_band2Dense(back, band, n, nband, ndense, symmetric)
            e.mju_bandMulMatVec(product, band.reshape(-1, 1), vec.reshape(-1, 1), n, nband, ndense, 1, symmetric)
            out += [back, product]
        out.append(np.array([e.mju_bandDiag(i, n, nband, ndense) for i in range(n)]))
        out.append(e.mju_cholFactorBand(band, n, nband, ndense, 0.1, 0.2))
        x = np.zeros(n)
        e.mju_cholSolveBand(x, band, vec, n, nband, ndense)
        results.append([*out, band, x])
    for expected, got in zip(*results):
        np.testing.assert_allclose(got, expected, rtol=1e-13, atol=1e-13)
    flat = np.zeros(size)
    lockstep.mju_dense2Band(flat, -dense, n, nband, ndense)
    assert lockstep.mju_cholFactorBand(flat, n, nband, ndense, 0, 0) == 0


def test_banded_refuses():
    for e in (mujoco, lockstep):
        with pytest.raises(TypeError, match="mat should have ntotal rows"):
            e.mju_dense2Band(np.zeros(5 * 2 + 6), np.zeros((2, 2)), 6, 2, 1)
    with pytest.raises(TypeError):
        lockstep.mju_dense2Band(np.zeros(4), np.zeros((2, 2)), 2, 2, 9)


@pytest.mark.parametrize("seed", range(20))
def test_box_qp(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    h, g = spd(rng, n), 10 * rng.normal(size=n)
    bounds = [(None, None), (-0.3 * np.ones(n), 0.4 * np.ones(n)), (None, np.zeros(n))][seed % 3]
    results = []
    for e in (mujoco, lockstep):
        x, r, index = np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, np.int32)
        rank = e.mju_boxQP(x, r, index, h, g, *bounds)
        factor = np.tril(r.ravel()[: max(rank, 0) ** 2].reshape(max(rank, 0), -1)) if rank > 0 else 0
        results.append((rank, x, index[: max(rank, 0)], factor))
    for expected, got in zip(*results):
        np.testing.assert_allclose(got, expected, atol=1e-9)
    assert lockstep.mju_boxQP(np.zeros(n), r, None, -h, g, None, None) == -1


@pytest.mark.parametrize("seed", range(20))
def test_nearest_rotation(seed):
    rng = np.random.default_rng(seed)
    matrix, start = rng.normal(size=9), rng.normal(size=4)
    start /= np.linalg.norm(start)
    results = []
    for e in (mujoco, lockstep):
        quat = start.copy()
        turns = e.mju_mat2Rot(quat, matrix)
        results.append((turns, quat))
    assert results[0][0] == results[1][0]
    np.testing.assert_allclose(results[1][1], results[0][1], atol=1e-12)


@pytest.mark.parametrize("size", [0, 1e-9, 1e-5, 1e-3, 0.1, 1, 3])
def test_quaternion_derivatives(size):
    rng = np.random.default_rng(int(size * 10))
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    qa = rng.normal(size=4)
    qa /= np.linalg.norm(qa)
    qb = qa.copy()
    mujoco.mju_quatIntegrate(qb, axis, size)
    results = []
    for e in (mujoco, lockstep):
        da, db = np.zeros((3, 3)), np.zeros(9)
        e.mjd_subQuat(qa, qb, da, db)
        dquat, dvel, dscale = np.zeros(9), np.zeros(9), np.zeros(3)
        e.mjd_quatIntegrate(2 * size * axis, 0.5, dquat, dvel, dscale)
        results.append((da.ravel(), db, dquat, dvel, dscale))
    for expected, got in zip(*results):
        np.testing.assert_allclose(got, expected, atol=2e-10)


def test_quaternion_derivatives_are_derivatives():
    """Central differences, closer to the truth than MuJoCo's formula near zero."""
    rng = np.random.default_rng(0)
    vel, h = rng.normal(size=3), 1e-6
    dquat, dvel, dscale = np.zeros(9), np.zeros(9), np.zeros(3)
    lockstep.mjd_quatIntegrate(vel, 0.7, dquat, dvel, dscale)

    def turned(start, vel, scale):
        quat = np.array([1.0, 0, 0, 0])
        lockstep.mju_quatIntegrate(quat, start, 1)
        lockstep.mju_quatIntegrate(quat, vel, scale)
        return quat

    def slope(move):
        difference = np.zeros(3)
        lockstep.mju_subQuat(difference, move(h), move(-h))
        return difference / (2 * h)

    eye = np.eye(3)
    zero = np.zeros(3)
    np.testing.assert_allclose(
        np.column_stack([slope(lambda s: turned(s * e, vel, 0.7)) for e in eye]), dquat.reshape(3, 3), atol=1e-8)
    np.testing.assert_allclose(
        np.column_stack([slope(lambda s: turned(zero, vel + s * e, 0.7)) for e in eye]), 0.7 * dvel.reshape(3, 3), atol=1e-8)
    np.testing.assert_allclose(slope(lambda s: turned(zero, vel, 0.7 + s)), dscale, atol=1e-8)
