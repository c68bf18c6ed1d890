"""Contacts of primitive geoms, pair by pair, compared with MuJoCo: number, order, distance, place and frame."""
import os

import mujoco
import numpy as np
import pytest

import lockstep
from lockstep import _core

TOLERANCE = 1e-9 * float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))  # 0 shows the true residuals
PAIRS = [('plane', other) for other in ('sphere', 'capsule', 'ellipsoid', 'cylinder', 'box')]
PAIRS += [('sphere', other) for other in ('sphere', 'capsule', 'cylinder', 'box')]
PAIRS += [('capsule', 'capsule'), ('capsule', 'box'), ('box', 'box')]
MOST = {('plane', 'capsule'): 2, ('plane', 'cylinder'): 4, ('plane', 'box'): 4, ('capsule', 'capsule'): 2,
        ('capsule', 'box'): 2, ('box', 'box'): 8}
RIGHT = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0]])


class Pair:
    """Two geoms that can be put anywhere, in both engines."""

    def __init__(self, first, second):
        size = {'plane': '0 0 1'}.get(first, '.1 .1 .1')
        joint = ('mocap="true"', '') if first == 'plane' else ('', '<freejoint/>')
        xml = (f'<mujoco><worldbody><body {joint[0]}>{joint[1]}<geom type="{first}" size="{size}"/></body>'
               f'<body><freejoint/><geom type="{second}" size=".1 .1 .1"/></body></worldbody></mujoco>')
        self.plane = first == 'plane'
        self.ref, self.own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
        self.a, self.b = mujoco.MjData(self.ref), lockstep.MjData(self.own)
        # bounds as large as can be: the colliders alone decide
        self.ref.geom_rbound[:] = (0 if self.plane else 10, 10)
        self.ref.geom_aabb[:, 3:] = 10

    def contacts(self, poses, sizes, margin):
        """MuJoCo's and our contacts, a row of 13 numbers each."""
        self.ref.geom_margin[0] = margin
        for m, d in ((self.ref, self.a), (self.own, self.b)):
            m.geom_size[:] = sizes
            if self.plane:
                d.mocap_pos[0], d.mocap_quat[0] = poses[0][:3], poses[0][3:]
                d.qpos[:] = poses[1]
            else:
                d.qpos[:] = np.concatenate(poses)
        mujoco.mj_kinematics(self.ref, self.a)
        mujoco.mj_comPos(self.ref, self.a)
        mujoco.mj_collision(self.ref, self.a)
        lockstep.mj_kinematics(self.own, self.b)
        found = self.a.contact
        return (np.column_stack((found.dist, found.pos.reshape(-1, 3), found.frame.reshape(-1, 9))),
                np.hstack(_core._collide(self.own, self.b, 0, 1, margin)))


def rotation(rng, noise=True):
    """Any, or a right angle, or almost one."""
    q = rng.normal(size=4) if rng.random() < 1 / 3 else RIGHT[rng.integers(len(RIGHT))].astype(float)
    if noise and rng.random() < 0.5:
        q += rng.normal(size=4) * 10.0**rng.uniform(-16, -1)
    return q / np.linalg.norm(q)


def compare(pair, cases, seed, place):
    rng, worst, found = np.random.default_rng(seed), 0.0, 0
    both = Pair(*pair)
    for case in range(cases):
        poses, sizes, margin = place(rng)
        want, got = both.contacts(poses, sizes, margin)
        where = f'case {case}: poses {poses}, sizes {sizes}, margin {margin}'
        assert want.shape == got.shape, f'{len(want)} contacts, ours are {len(got)}; {where}'
        residual = np.abs(want - got).max(initial=0)
        assert residual <= TOLERANCE, f'{residual}; {where}\n{want}\n{got}'
        worst, found = max(worst, residual), found + len(want)
    print(f'{"-".join(pair)}: {found} contacts, worst residual {worst:.1e}')
    assert found > cases / 2


def anywhere(rng):
    turn = rotation(rng)
    other = turn if rng.random() < 0.3 else rotation(rng)
    start = rng.uniform(-0.3, 0.3, 3)
    offset = rng.uniform(-1, 1, 3) * rng.choice([0.1, 0.5, 0.8])
    return ((np.r_[start, turn], np.r_[start + offset, other]), rng.uniform(0.05, 0.6, (2, 3)),
            rng.choice([0, 0.02, 0.2]))


def on_grid(rng):
    """Axes, ends and faces coincide; margins are such that no distance equals one."""
    turn = rotation(rng, noise=False)
    other = turn if rng.random() < 0.5 else rotation(rng, noise=False)
    start, offset = rng.integers(-2, 3, 3) / 8, rng.integers(-4, 5, 3) / 8
    return ((np.r_[start, turn], np.r_[start + offset, other]), rng.integers(1, 4, (2, 3)) / 8,
            rng.choice([0.02, 0.06, 0.2]))


@pytest.mark.parametrize('pair', PAIRS, ids='-'.join)
def test_random_poses(pair):
    compare(pair, 2000, 1, anywhere)


@pytest.mark.parametrize('pair', PAIRS, ids='-'.join)
def test_coinciding_axes_and_faces(pair):
    compare(pair, 1000, 2, on_grid)


@pytest.mark.parametrize('pair', PAIRS, ids='-'.join)
def test_number_and_frames(pair):
    """No pair has more contacts than MuJoCo's, their frames are orthonormal, the order of geoms does not matter."""
    rng, both = np.random.default_rng(3), Pair(*pair)
    for _ in range(200):
        expected, got = both.contacts(*anywhere(rng))
        assert len(got) <= MOST.get(pair, 1)
        for frame, theirs in zip(got[:, 4:].reshape(-1, 3, 3), expected[:, 4:].reshape(-1, 3, 3)):
            # the second axis of a capsule that stands (almost) upright on a plane is lost to rounding in MuJoCo too
            if np.allclose(theirs @ theirs.T, np.eye(3), rtol=0, atol=1e-13):
                np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
        if pair[0] != pair[1]:
            margin = 0.1
            there, back = (np.hstack(_core._collide(both.own, both.b, *order, margin)) for order in ((0, 1), (1, 0)))
            np.testing.assert_array_equal(there, back)


def test_refusals():
    m = lockstep.MjModel.from_xml_string('<mujoco><worldbody><geom type="cylinder" size=".1 .1"/>'
                                         '<geom type="cylinder" size=".1 .1"/></worldbody></mujoco>')
    d = lockstep.MjData(m)
    with pytest.raises(ValueError, match='closed form'):
        _core._collide(m, d, 0, 1, 0.0)
    for geoms in ((0, 2), (-1, 0)):
        with pytest.raises(IndexError):
            _core._collide(m, d, *geoms, 0.0)
