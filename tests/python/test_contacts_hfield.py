"""Contacts of height fields with every convex shape: the set, the order and the numbers of MuJoCo."""
import mujoco
import numpy as np
import pytest

import lockstep
from lockstep import rollout

STONE = np.random.default_rng(5).normal(size=(30, 3))
STONE = ' '.join('%g %g %g' % tuple(v) for v in .12 * STONE / np.linalg.norm(STONE, axis=1, keepdims=True))
SHAPES = {
    'sphere': 'type="sphere" size=".08"', 'capsule': 'type="capsule" size=".05 .1"',
    'ellipsoid': 'type="ellipsoid" size=".1 .06 .14"', 'cylinder': 'type="cylinder" size=".1 .12"',
    'box': 'type="box" size=".1 .15 .08"', 'mesh': 'type="mesh" mesh="stone"',
}


def terrain(rng, shape, rows=None, columns=None):
    rows, columns = rows or rng.integers(2, 9), columns or rng.integers(2, 9)
    heights = ' '.join('%.4f' % x for x in rng.uniform(0, 1, rows * columns))
    xml = f"""<mujoco><asset><mesh name="stone" vertex="{STONE}"/>
      <hfield name="h" nrow="{rows}" ncol="{columns}" elevation="{heights}" size=".5 .4 .12 .1"/></asset>
      <worldbody><geom type="hfield" hfield="h" pos=".1 -.2 .3" euler="10 20 30"/>
      <body><freejoint/><geom {SHAPES[shape]}/></body></worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)


def largest_difference(ref, own):
    return max(np.abs(getattr(ref, name) - getattr(own, name)).max(initial=0) for name in ('dist', 'pos', 'frame'))


@pytest.mark.parametrize('margin', [0, 0.01])
@pytest.mark.parametrize('shape', SHAPES)
def test_shape_on_terrain(shape, margin):
    rng, same, most = np.random.default_rng(1), 0, 0
    for k in range(60):
        if k % 6 == 0:
            m, own = terrain(rng, shape)
            d, e = mujoco.MjData(m), lockstep.MjData(own)
            m.geom_margin[0] = own.geom_margin[0] = margin
            mujoco.mj_kinematics(m, d)
        place = [*rng.uniform(-.5, .5, 2) * [1, .8], rng.uniform(-.02, .2)]
        turn = rng.normal(size=4)
        d.qpos[:3] = d.geom_xpos[0] + d.geom_xmat[0].reshape(3, 3) @ place
        d.qpos[3:] = turn / np.linalg.norm(turn)
        e.qpos[:] = d.qpos
        mujoco.mj_forward(m, d)
        lockstep.mj_forward(own, e)
        assert d.ncon == e.ncon
        assert (np.asarray(e.contact.geom) == d.contact.geom).all()
        most = max(most, d.ncon)
        same += largest_difference(d.contact, e.contact) < 1e-6
    assert most > 5
    assert same >= 59  # of equally deep points of two hulls either may be found


def test_at_most_fifty_contacts():
    """A box on sixty by sixty points: as many contacts as MuJoCo reports of one pair, and the first ones."""
    heights = ' '.join(['0'] * 3600)
    xml = f"""<mujoco><asset><hfield name="h" nrow="60" ncol="60" elevation="{heights}" size="1 1 .5 .1"/></asset>
      <worldbody><geom type="hfield" hfield="h"/><body pos="0 0 .095"><freejoint/><geom type="box" size=".4 .4 .1"/></body>
      </worldbody></mujoco>"""
    m, own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    d, e = mujoco.MjData(m), lockstep.MjData(own)
    mujoco.mj_forward(m, d)
    lockstep.mj_forward(own, e)
    assert d.ncon == e.ncon == 50
    assert largest_difference(d.contact, e.contact) < 1e-9


def test_steps_on_terrain():
    """A ball that rolls over hills, for as long as both can be compared."""
    rng = np.random.default_rng(3)
    m, own = terrain(rng, 'sphere', 9, 9)
    d, e = mujoco.MjData(m), lockstep.MjData(own)
    d.qpos[:] = e.qpos[:] = [0.1, -0.2, 0.6, 1, 0, 0, 0]
    touched = 0
    for _ in range(150):
        mujoco.mj_step(m, d)
        lockstep.mj_step(own, e)
        touched += d.ncon > 0
        assert np.abs(d.qpos - e.qpos).max() < 1e-6
    assert touched > 5


def test_batch_keeps_the_bits_of_one_world():
    rng = np.random.default_rng(4)
    _, own = terrain(rng, 'capsule', 6, 6)
    worlds, data = 5, lockstep.MjData(own)
    state = np.zeros((worlds, 1 + own.nq + own.nv))
    state[:, 1:4] = [0.1, -0.2, 0.6]
    state[:, 4:8] = rng.normal(size=(worlds, 4))
    state[:, 4:8] /= np.linalg.norm(state[:, 4:8], axis=1, keepdims=True)
    states, _ = rollout.rollout(own, data, state, np.zeros((worlds, 120, 0)))
    for world in range(worlds):
        lockstep.mj_resetData(own, data)
        lockstep.mj_setState(own, data, state[world], lockstep.mjtState.mjSTATE_FULLPHYSICS)
        for _ in range(120):
            lockstep.mj_step(own, data)
        assert (data.qpos == states[world, -1, 1:1 + own.nq]).all()
