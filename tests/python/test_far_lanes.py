"""Worlds in lanes have the contacts of worlds alone where two convex shapes are far, near, touching or inside each other:
lanes that are seen to be far together are left out of the search that each of the others gets."""
import itertools

import numpy as np
import pytest

import lockstep
import lockstep.batch

SHAPES = {
    'sphere': 'type="sphere" size=".1"',
    'capsule': 'type="capsule" size=".06 .1"',
    'ellipsoid': 'type="ellipsoid" size=".1 .07 .15"',
    'cylinder': 'type="cylinder" size=".08 .12"',
    'box': 'type="box" size=".1 .07 .05"',
    'hull': 'type="mesh" mesh="hull"',
    'ball': 'type="mesh" mesh="ball"',
}
PAIRS = list(itertools.combinations_with_replacement(SHAPES, 2))
WORLDS = 96


def model(first, second, margin):
    corners = np.random.default_rng(3).normal(size=(300, 3))
    corners *= 0.1 / np.linalg.norm(corners, axis=1, keepdims=True)
    text = ' '.join(f'{x:.6g}' for x in corners.ravel())  # a hull with so many corners is walked
    return lockstep.MjModel.from_xml_string(f"""
      <mujoco>
        <option gravity="0 0 0"/>
        <asset>
          <mesh name="hull" vertex="0 0 .1  .1 0 -.05  -.1 .02 -.05  0 .1 -.05  0 -.1 -.06  .05 .05 .07"/>
          <mesh name="ball" vertex="{text}"/>
        </asset>
        <worldbody>
          <body><freejoint/><geom {SHAPES[first]} margin="{margin}"/></body>
          <body pos=".3 0 0"><freejoint/><geom {SHAPES[second]} margin="{margin}"/></body>
        </worldbody>
      </mujoco>""")


def starts(m):
    """From deep inside to half a metre apart, turned at random; the last worlds at the very same place."""
    rng = np.random.default_rng(7)
    qpos, qvel = np.zeros((WORLDS, m.nq)), rng.normal(size=(WORLDS, m.nv))
    away = rng.normal(size=(WORLDS, 3))
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    qpos[:, 7:10] = away * np.linspace(0.5, 0, WORLDS)[:, None]
    for at in (3, 10):
        turn = rng.normal(size=(WORLDS, 4))
        qpos[:, at:at + 4] = turn / np.linalg.norm(turn, axis=1, keepdims=True)
    qpos[-8:, 3:7] = qpos[-8:, 10:14] = [1, 0, 0, 0]  # aligned: ties between corners
    order = rng.permutation(WORLDS)  # far and near ones share lanes
    return qpos[order], qvel[order]


def stepped(m, width, dtype):
    batch = lockstep.batch.Batch(m, WORLDS, 1, dtype=dtype, width=width)
    batch.qpos, batch.qvel = starts(m)
    contacts = batch.bind('ncon')
    batch.step()
    return batch.state.copy(), np.array(contacts).ravel()


@pytest.mark.parametrize('margin', (0, 0.03))
@pytest.mark.parametrize('first, second', PAIRS, ids=map('-'.join, PAIRS))
def test_lanes_find_the_contacts_of_one_world(first, second, margin):
    m = model(first, second, margin)
    for dtype in (np.float64, np.float32):
        expected, contacts = stepped(m, 1, dtype)
        assert (contacts == 0).any() and (contacts > 0).any()
        wide = [8] if dtype == np.float32 else [2, 4, 8]
        for width in (*wide, 0):  # 0: as wide as the machine
            state, count = stepped(m, width, dtype)
            np.testing.assert_array_equal(count, contacts, f'{dtype} {width=}')
            np.testing.assert_array_equal(state, expected, f'{dtype} {width=}')
