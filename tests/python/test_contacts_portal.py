"""Contacts of models that disable nativeccd: another search, whose rounds end where MuJoCo's end."""
import mujoco
import numpy as np
import pytest

import lockstep
from test_contacts_convex import CUBE, PAIRS, ROUND, SHAPES, Pair

POSES = 60
SINGLE = ('sphere', 'ellipsoid')


class PortalPair(Pair):
    """The pair of the native search with the flag off; poses are found by exact distances."""

    def __init__(self, first, second, flags):
        super().__init__(first, second, '')
        for m in (self.m, self.own):
            m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_NATIVECCD)
            if flags == 'single':
                m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_MULTICCD)

    def place(self, rng):
        flags = self.m.opt.disableflags
        self.m.opt.disableflags = 0
        super().place(rng)
        self.m.opt.disableflags = flags


def rows(contacts):
    return np.hstack([contacts.dist[:, None], contacts.pos, np.asarray(contacts.frame)])


@pytest.mark.parametrize('flags', ['single', 'several'])
@pytest.mark.parametrize('first, second', PAIRS)
def test_pair(first, second, flags):
    """Same number, points, frames and distances in the same order; flat sides hang on the last bit now and then."""
    pair, rng = PortalPair(first, second, flags), np.random.default_rng(3)
    same, found, several = 0, 0, 0
    for _ in range(POSES):
        pair.place(rng)
        ref, own = pair.collide()
        found, several = found + (len(ref) > 0), several + (len(ref) > 1)
        same += len(ref) == len(own) and np.abs(rows(ref) - rows(own)).max(initial=0) < 1e-6
        assert bool(len(ref)) == bool(len(own))
        assert np.isfinite(rows(own)).all()
    assert found > 20
    assert same >= (POSES if flags == 'single' or first in SINGLE else 0.97 * POSES)
    assert flags == 'several' or several == 0


def test_tilts_find_flat_sides():
    """A cylinder standing on a cylinder: up to five contacts, as many as MuJoCo's in most poses."""
    pair, rng = PortalPair('cylinder', 'cylinder', 'several'), np.random.default_rng(1)
    counts = []
    for _ in range(40):
        turn = np.array([1, *(1e-3 * rng.normal(size=2)), rng.normal()])
        pair.d.qpos = [0, 0, 0, 1, 0, 0, 0, *rng.uniform(-.05, .05, 2), .235, *(turn / np.linalg.norm(turn))]
        ref, own = pair.collide()
        assert len(ref) == len(own)
        assert np.abs(rows(ref) - rows(own)).max(initial=0) < 1e-6
        counts.append(len(ref))
    assert max(counts) > 2


@pytest.mark.parametrize('shape', sorted(SHAPES))
@pytest.mark.parametrize('margin', [0, .02])
def test_height_field(shape, margin):
    """Columns of a height field are searched by the same rounds."""
    xml = (f'<mujoco><option><flag nativeccd="disable"/></option><asset><mesh name="cube" vertex="{CUBE}"/>'
           f'<mesh name="stone" vertex="{ROUND}"/><hfield name="hills" nrow="9" ncol="11" size=".5 .4 .2 .1"/></asset><worldbody>'
           f'<geom type="hfield" hfield="hills" euler="5 3 2" pos=".1 0 .05" margin="{margin}"/>'
           f'<body><freejoint/><geom {SHAPES[shape]}/></body></worldbody></mujoco>')
    m, own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    rng = np.random.default_rng(7)
    m.hfield_data[:] = own.hfield_data[:] = rng.uniform(0, 1, m.hfield_data.shape)
    d, e = mujoco.MjData(m), lockstep.MjData(own)
    found, same = 0, 0
    for _ in range(30):
        turn = rng.normal(size=4)
        d.qpos = [*rng.uniform(-.3, .3, 2), rng.uniform(.1, .35), *(turn / np.linalg.norm(turn))]
        e.qpos[:] = d.qpos
        mujoco.mj_forward(m, d)
        lockstep.mj_forward(own, e)
        found += d.ncon
        same += d.ncon == e.ncon and np.abs(rows(d.contact) - rows(e.contact)).max(initial=0) < 1e-6
    assert found > 30
    assert same == 30
