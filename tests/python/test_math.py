"""mju_ functions with random arguments, against MuJoCo's."""

import copy
import re

import mujoco
import numpy as np
import pytest

import lockstep
from lockstep import text


def random_arguments(name, rng):
    """Arguments that fit the signature in MuJoCo's documentation string."""
    line = getattr(mujoco, name).__doc__.split("\n")[0]
    inner = line[line.index("(") + 1 : line.rindex(") ->")]
    values = []
    for part in re.split(r", (?=\w+: )", inner):
        argument, kind = part.split(": ", 1)
        shape = re.search(r'"\[(\w+), (\w+)\]"', kind)
        if shape:
            rows, cols = (5 if size in "mn" else int(size) for size in shape.groups())
            rows = {"pyramid": 4, "force": 3, "mu": 2}.get(argument, rows)
            value = rng.normal(size=(rows, cols) if cols > 1 else rows)
            if "int32" in kind:
                value = rng.integers(0, 9, size=rows)
            if "quat" in argument.lower() or argument in ("qa", "qb", "axis"):
                value /= np.linalg.norm(value)
            if argument == "mu":
                value = abs(value)
            if argument == "mat" and "chol" in name:
                value = value @ value.T + 5 * np.eye(5)
            if argument == "mat" and name == "mju_eig3":
                value = (value.reshape(3, 3) + value.reshape(3, 3).T).ravel()
            if argument == "mat" and name == "mju_mat2Quat":
                rotation, _ = np.linalg.qr(value.reshape(3, 3))
                value = (rotation * np.linalg.det(rotation)).ravel()
            dtype = next(t for t in ("float64", "float32", "int32") if t in kind)
            values.append(value.astype(dtype))
        elif kind == "str":
            values.append("xYz")
        elif "Int" in kind:
            values.append(3)
        else:
            values.append(float(rng.normal()))
    return values


MATH = [
    name for name in dir(lockstep)
    if name.startswith("mju_")
    and not name.startswith("mju_ray")
    and name not in ("mju_sparse2dense", "mju_sym2dense", "mju_dense2sparse", "mju_str2Type", "mju_type2Str",
                     "mju_writeNumBytes", "mju_mat2Rot", "mju_boxQP")
    and "and" not in name.lower() and name not in text.__all__  # tests of their own
]


@pytest.mark.parametrize("name", MATH)
def test_math(name):
    rng = np.random.default_rng(len(name))
    for _ in range(5):
        arguments = random_arguments(name, rng)
        expected, found = copy.deepcopy(arguments), copy.deepcopy(arguments)
        results = getattr(mujoco, name)(*expected), getattr(lockstep, name)(*found)
        assert (results[0] is None) == (results[1] is None)
        if results[0] is not None:
            assert results[1] == pytest.approx(results[0], rel=1e-12)
        for a, b in zip(expected, found):
            if isinstance(a, str):
                continue
            np.testing.assert_allclose(b, a, rtol=1e-11, atol=1e-13)


def test_math_arguments_are_checked():
    with pytest.raises(TypeError):
        lockstep.mju_mulQuat(np.zeros(5), [1, 0, 0, 0], [1, 0, 0, 0])
    with pytest.raises(TypeError):
        lockstep.mju_mulQuat([0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0])
    with pytest.raises(TypeError):
        lockstep.mju_mulQuat(np.zeros(4, np.float32), [1, 0, 0, 0], [1, 0, 0, 0])
    with pytest.raises(TypeError):
        lockstep.mju_add(np.zeros(3), np.zeros(3), np.zeros(4))
    dense = np.zeros((2, 2))
    with pytest.raises(TypeError):
        lockstep.mju_sparse2dense(dense, [1.0], [1, 1], [0, 7], [0])
    lockstep.mju_sparse2dense(dense, [1.0, 2.0], [1, 1], [0, 1], [1, 0])
    assert dense.tolist() == [[0, 1], [2, 0]]
