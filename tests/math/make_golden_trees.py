"""Writes golden_trees.h: inertia matrices of small trees, and MuJoCo's factors and solutions.

usage: python tests/math/make_golden_trees.py > tests/math/golden_trees.h
"""

import mujoco
import numpy as np

rng = np.random.default_rng(3)
GEOM = '<geom type="capsule" size=".05" fromto="0 0 0 .1 .05 -.3"/>'


def body(joint, inner=""):
    return f'<body pos=".1 .02 -.3" euler="10 20 30">{joint}{GEOM}{inner}</body>'


HINGE, SLIDE = '<joint axis="1 .5 .2" armature=".01"/>', '<joint type="slide" axis="0 1 1"/>'
BALL, FREE = '<joint type="ball"/>', "<freejoint/>"
TREES = {
    "one_hinge": body(HINGE),
    "two_links": body(HINGE, body(HINGE)),
    "branching": body(HINGE, body(HINGE, body(HINGE)) + body(SLIDE, body(HINGE) + body(HINGE))),
    "ball_chain": body(BALL, body(BALL, body(BALL, body(BALL)))),
    "free_and_chain": body(FREE, body(HINGE, body(HINGE, body(HINGE)))),
    "mixed": body(FREE, body(BALL, body(HINGE)) + body(SLIDE + HINGE)) + body(HINGE, body(BALL)) + body(FREE)
    + '<body pos="3 0 0"><freejoint/><geom size=".1"/></body>',
}


def array(kind, name, values):
    text = ", ".join(float(v).hex() if kind == "double" else str(int(v)) for v in values)
    print(f"inline constexpr {kind} {name}[] = {{{text}}};")


def prefix_rows(m):
    """every ancestor's row must be a prefix of its descendants' rows"""
    rows = [m.M_colind[a:a + n] for a, n in zip(m.M_rowadr, m.M_rownnz)]
    return all((rows[c] == row[:k + 1]).all() for row in rows for k, c in enumerate(row))


def emit(name, xml):
    m = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{xml}</worldbody></mujoco>")
    d = mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv), 1)
    mujoco.mj_forward(m, d)
    assert prefix_rows(m), name
    b = rng.normal(size=(1, m.nv))
    x, half = np.zeros((1, m.nv)), np.zeros((1, m.nv))
    mujoco.mj_solveM(m, d, x, b)
    mujoco.mj_solveM2(m, d, half, b, np.sqrt(d.qLDiagInv))
    print(f"namespace {name} {{")
    array("int", "rownnz", m.M_rownnz)
    array("int", "rowadr", m.M_rowadr)
    array("int", "colind", m.M_colind)
    array("double", "mass", d.M)
    array("double", "factor", d.qLD)
    array("double", "diag_inv", d.qLDiagInv)
    array("double", "right", b[0])
    array("double", "solution", x[0])
    array("double", "half", half[0])
    print(f"}}  // namespace {name}\n")


def main():
    print("// golden_trees.h: trees with MuJoCo's factors, written by make_golden_trees.py.")
    print("#pragma once\n\n// clang-format off\nnamespace lockstep::golden {\n")
    for name, xml in TREES.items():
        emit(name, xml)
    print("}  // namespace lockstep::golden\n// clang-format on")


main()
