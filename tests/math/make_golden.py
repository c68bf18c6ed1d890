"""Writes golden.h: what MuJoCo's own quaternion, spatial and eigenvalue helpers answer.

usage: python tests/math/make_golden.py > tests/math/golden.h
"""

import itertools

import mujoco
import numpy as np

rng = np.random.default_rng(7)


def call(function, size, *args):
    out = np.zeros(size)
    function(out, *args)
    return out


def unit(q):
    return q / np.linalg.norm(q)


def quats():
    yield np.array([1.0, 0, 0, 0])
    for i in range(4):
        yield np.eye(4)[i]
        yield -np.eye(4)[i]
    for signs in itertools.product([1, -1], repeat=3):
        yield 0.5 * np.array([1.0, *signs])
    yield np.zeros(4)
    yield np.array([3.0, 4.0, -1.0, 2.0])
    yield np.array([1e-16, 0, 0, 1e-17])
    yield np.array([1.0 + 4e-16, 0, 0, 0])
    yield unit(np.array([1.0, 1e-9, -2e-9, 3e-10]))
    for _ in range(24):
        yield unit(rng.normal(size=4))


def vectors():
    yield np.zeros(3)
    for i in range(3):
        yield np.eye(3)[i]
        yield -np.eye(3)[i]
    yield np.array([0.0, 1e-16, -1.0])
    yield np.array([1e-9, -1e-9, -1.0])
    yield np.array([1e-16, 0.0, 0.0])
    yield np.array([0.0, 2e-15, 0.0])
    for scale in (1e-6, 1.0, 30.0):
        for _ in range(8):
            yield scale * rng.normal(size=3)


def symmetric():
    for d in itertools.permutations([3.0, 2.0, 1.0]):
        yield np.diag(d)
    for d in itertools.permutations([2.0, 2.0, 1.0]):
        yield np.diag(d)
    yield np.zeros((3, 3))
    yield np.eye(3) * 0.4
    yield np.full((3, 3), 1.0)
    yield np.array([[2.0, 1, 0], [1, 2, 0], [0, 0, 3]])
    for scale in (1e-10, 1e-5, 1e-2, 1.0, 1e3):
        for _ in range(12):
            a = rng.normal(size=(3, 3))
            yield scale * (a + a.T)
        for _ in range(8):  # inertia-like: positive, with pairs of nearly equal moments
            r, _ = np.linalg.qr(rng.normal(size=(3, 3)))
            d = scale * np.array([1.0, 1.0 + rng.choice([0, 1e-13, 1e-9, 0.3]), rng.uniform(0.1, 3)])
            a = r @ np.diag(d) @ r.T
            yield 0.5 * (a + a.T)


def emit(name, rows):
    width = len(rows[0])
    print(f"inline constexpr double {name}[{len(rows)}][{width}] = {{")
    for row in rows:
        print("    {" + ", ".join(float(x).hex() for x in row) + "},")
    print("};\n")


def quat_rows():
    qs, vs = list(quats()), list(vectors())
    rows = []
    for i, q in enumerate(qs):
        v, p = vs[i % len(vs)], qs[(5 * i + 3) % len(qs)]
        n, turned = q.copy(), q.copy()
        mujoco.mju_normalize4(n)
        mujoco.mju_quatIntegrate(turned, v, 0.7)
        rows.append([*q, *v, *p, *n, *call(mujoco.mju_rotVecQuat, 3, v, q), *call(mujoco.mju_mulQuat, 4, q, p),
                     *call(mujoco.mju_quat2Mat, 9, q), *call(mujoco.mju_quat2Vel, 3, q, 0.3),
                     *call(mujoco.mju_subQuat, 3, q, p), *call(mujoco.mju_derivQuat, 4, q, v), *turned])
    return rows


def vec_rows():
    rows = []
    for v in vectors():
        n = v.copy()
        length = mujoco.mju_normalize3(n)
        rows.append([*v, *n, length, *call(mujoco.mju_quatZ2Vec, 4, v),
                     *call(mujoco.mju_axisAngle2Quat, 4, n, 2.5 * v[0])])
    return rows


def mat_rows():
    rows = []
    for q in quats():
        if np.linalg.norm(q) < 0.5:
            continue
        mat = call(mujoco.mju_quat2Mat, 9, unit(q))
        rows.append([*mat, *call(mujoco.mju_mat2Quat, 4, mat)])
    return rows


def eig_rows():
    rows = []
    for a in symmetric():
        value, vec, quat = np.zeros(3), np.zeros(9), np.zeros(4)
        mujoco.mju_eig3(value, vec, quat, a.flatten())
        rows.append([*a.flatten(), *value, *quat])
    return rows


def spatial_rows():
    rows = []
    for force in (0, 1):
        for _ in range(8):
            v, new, old = rng.normal(size=6), rng.normal(size=3), rng.normal(size=3)
            rot = call(mujoco.mju_quat2Mat, 9, unit(rng.normal(size=4)))
            out = call(mujoco.mju_transformSpatial, 6, v, force, new, old, rot)
            rows.append([force, *v, *new, *old, *rot, *out])
    return rows


def main():
    print("// golden.h: answers of MuJoCo's helpers, written by make_golden.py.")
    print("#pragma once\n\n// clang-format off\nnamespace lockstep::golden {\n")
    print("// q v p | normalize(q) rotate(q,v) q*p mat(q) vel(q,0.3) sub(q,p) deriv(q,v) integrate(q,v,0.7)")
    emit("quat", quat_rows())
    print("// v | normalize(v) norm z-to-v axis_angle(normalize(v), 2.5 v0)")
    emit("vec", vec_rows())
    print("// mat | quat")
    emit("mat", mat_rows())
    print("// symmetric matrix | eigenvalues quat")
    emit("eig", eig_rows())
    print("// force? v new old rot | transformed")
    emit("spatial", spatial_rows())
    print("}  // namespace lockstep::golden\n// clang-format on")


main()
