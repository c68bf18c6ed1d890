"""Tactile sensors against MuJoCo: taxels of plates, wedges and plain meshes on bodies that touch every kind of geom."""
import mujoco
import numpy as np
import pytest

import lockstep
from lockstep import batch

TOLERANCE = 1e-8
SCENE = """
<mujoco>
  <option gravity="0 0 0"/>
  <asset>
    <mesh name="plate" builtin="plate" params="7 8" scale=".4 .3 .05"/>
    <mesh name="wedge" builtin="wedge" params="5 6 80 60 .5" scale=".3 .3 .3"/>
    <mesh name="ball" builtin="sphere" params="2" scale=".3 .3 .3"/>
    <mesh name="rock" vertex="0 0 0 .5 0 0 0 .4 0 0 0 .3 .4 .4 .4"/>
    {assets}
  </asset>
  <worldbody>
    {world}
    <body name="pad" pos="0 0 .3"><freejoint/>
      <geom name="box" type="box" size=".4 .3 .05"/>
      <body pos=".1 0 .1"><geom name="block" type="box" size=".2 .2 .2"/>
        <geom name="inner" type="sphere" size=".1" contype="0" conaffinity="0" mass="0" pos=".1 0 0"/>
        <body pos="0 .2 .1"><joint axis="1 0 0"/><geom name="finger" type="capsule" size=".05 .1"/></body></body>
      <geom name="skin" type="mesh" mesh="plate" contype="0" conaffinity="0" mass="0" pos=".02 .03 .01" euler="10 20 30"/>
    </body>
  </worldbody>
  <contact>{contact}</contact>
  <sensor>
    <tactile geom="skin" mesh="plate"/><tactile geom="box" mesh="wedge"/><tactile geom="inner" mesh="ball"/>
    <tactile geom="finger" mesh="plate" cutoff=".1"/><tactile geom="box" mesh="rock"/>{sensors}
  </sensor>
</mujoco>"""


def free(*geoms):
    return '<body><freejoint/>' + ''.join(f'<geom {geom}/>' for geom in geoms) + '</body>'


WORLDS = {
    'plane': '<geom type="plane" size="0 0 1"/>',
    'sphere': free('type="sphere" size=".3"'),
    'capsule': free('type="capsule" size=".2 .3"'),
    'ellipsoid': free('type="ellipsoid" size=".3 .2 .4"'),
    'cylinder': free('type="cylinder" size=".25 .3"'),
    'box': free('type="box" size=".3 .2 .25"'),
    'mesh without octree': free('type="mesh" mesh="rock"', 'size=".2"'),
    'static': '<geom name="still" type="sphere" size=".4"/>',
    'mocap': '<body mocap="true"><geom type="box" size=".3 .2 .25"/></body>',
    'several': free('size=".3"', 'type="box" size=".2 .3 .25" pos=".1 .1 0"') + free('type="capsule" size=".2 .3"'),
    'gap and margin': free('size=".3" gap=".3"', 'size=".25" margin=".2" pos=".1 .1 0"', 'size=".3" contype="0" conaffinity="0"'),
    'moving surface': free('size=".3" surfacevel="1 2 3 1 2 3"'),
    'chain': '<body><freejoint/><geom size=".1"/><body pos=".1 0 0"><joint axis="0 1 1"/><geom size=".3"/>'
             '<body pos=".1 0 .2"><geom type="capsule" size=".2 .1"/></body></body></body>',
}


def scene(world, assets='', contact='', sensors=''):
    return SCENE.format(world=world, assets=assets, contact=contact, sensors=sensors)


def load(text, octree=False):
    models = []
    for engine in (mujoco, lockstep):
        spec = engine.MjSpec.from_string(text)
        spec.mesh('rock').needsdf = octree
        models.append(spec.compile())
    return models


def randomize(m, d, rng):
    mujoco.mj_resetData(m, d)
    mujoco.mj_integratePos(m, d.qpos, 0.3 * rng.normal(size=m.nv), 1)
    d.qvel = rng.normal(size=m.nv)
    d.mocap_pos += 0.1 * rng.normal(size=(m.nmocap, 3))


def compare(m, own_m, states=60):
    """The worst difference over random states in which something was felt."""
    rng, worst, felt = np.random.default_rng(0), 0.0, np.zeros(m.nsensordata, bool)
    d, own = mujoco.MjData(m), lockstep.MjData(own_m)
    for _ in range(states):
        randomize(m, d, rng)
        own.qpos[:], own.qvel[:], own.mocap_pos[:] = d.qpos, d.qvel, d.mocap_pos
        mujoco.mj_forward(m, d)
        lockstep.mj_forward(own_m, own)
        worst = max(worst, np.abs(own.sensordata - d.sensordata).max())
        felt |= d.sensordata != 0
    assert worst <= TOLERANCE
    return felt


@pytest.mark.parametrize('kind', WORLDS)
def test_readings(kind):
    assert compare(*load(scene(WORLDS[kind]))).sum() > 50


def test_octree():
    """Meshes are felt if they have an octree."""
    text = scene(free('type="mesh" mesh="rock"'))
    assert not compare(*load(text)).any()
    assert compare(*load(text, octree=True)).sum() > 20


def test_static_pad():
    """A pad that is fixed to the world feels what touches any static geom, and moving bodies only."""
    world = '<geom name="still" type="box" size=".4 .3 .05"/><body><geom type="box" size=".1 .2 .2"/></body>' + WORLDS['several']
    assert compare(*load(scene(world, sensors='<tactile geom="still" mesh="plate"/>'))).sum() > 200


def test_pair_on_one_body():
    """Geoms of the body itself count where a pair makes them touch, except for the sensor's own."""
    text = scene('', contact='<pair geom1="box" geom2="block"/>', sensors='<tactile geom="block" mesh="plate"/>')
    assert compare(*load(text), states=10).any()


def test_delay():
    """Late readings, step by step."""
    text = scene(WORLDS['several'], sensors='<tactile geom="skin" mesh="plate" nsample="4" delay=".006"/>')
    m, own_m = load(text)
    d, own = mujoco.MjData(m), lockstep.MjData(own_m)
    for _ in range(20):
        mujoco.mj_step(m, d)
        lockstep.mj_step(own_m, own)
        assert np.abs(own.sensordata - d.sensordata).max() <= TOLERANCE
    assert d.sensordata[-m.sensor_dim[-1]:].any()


def test_sleep():
    """Sensors on sleeping bodies keep their readings, those on static ones feel nothing of what sleeps."""
    text = """
    <mujoco>
      <option timestep=".005"><flag sleep="enable"/></option>
      <asset><mesh name="plate" builtin="plate" params="7 8" scale=".4 .3 .05"/></asset>
      <worldbody>
        <geom name="table" type="box" size=".4 .3 .05"/>
        <body pos="0 0 .14"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
      </worldbody>
      <sensor><tactile geom="table" mesh="plate"/><tactile geom="box" mesh="plate"/></sensor>
    </mujoco>"""
    models = [engine.MjModel.from_xml_string(text) for engine in (mujoco, lockstep)]
    d, own = mujoco.MjData(models[0]), lockstep.MjData(models[1])
    for _ in range(200):
        mujoco.mj_step(models[0], d)
        lockstep.mj_step(models[1], own)
        assert np.abs(own.sensordata - d.sensordata).max() <= TOLERANCE
    assert d.tree_asleep[0] >= 0
    assert d.sensordata.reshape(2, -1).any(axis=1).tolist() == [False, True]


def test_sdf_geoms_are_named():
    model = lockstep.MjModel.from_xml_string(scene(free('type="sdf" mesh="rock"')))
    with pytest.warns(UserWarning, match='tactile readings of SDF geoms'):
        lockstep.mj_forward(model, lockstep.MjData(model))


def test_height_fields_are_not_felt():
    """MuJoCo ends with an error there."""
    world = '<geom type="hfield" hfield="hills"/>'
    assets = '<hfield name="hills" nrow="2" ncol="2" size="1 1 .3 .1" elevation="0 1 1 0"/>'
    _, own_m = load(scene(world, assets))
    own = lockstep.MjData(own_m)
    lockstep.mj_forward(own_m, own)
    assert own.ncon and not own.sensordata.any()


@pytest.mark.parametrize('kind', ('several', 'chain', 'octree'))
def test_lanes_equal_one_world(kind):
    octree = kind == 'octree'
    m, own_m = load(scene(free('type="mesh" mesh="rock"') if octree else WORLDS[kind]), octree)
    worlds, d, rng = batch.Batch(own_m, 24), mujoco.MjData(m), np.random.default_rng(1)
    for world in range(24):
        randomize(m, d, rng)
        worlds.bind('qpos')[world], worlds.bind('qvel')[world] = d.qpos, d.qvel
    alone = [lockstep.MjData(own_m) for _ in range(24)]
    for world, own in enumerate(alone):
        own.qpos[:], own.qvel[:] = worlds.bind('qpos')[world], worlds.bind('qvel')[world]
    readings = worlds.bind('sensordata')
    for _ in range(3):
        worlds.step()
        for world, own in enumerate(alone):
            lockstep.mj_step(own_m, own)
            np.testing.assert_array_equal(readings[world], own.sensordata)
    assert readings.any()
