"""Sensors of contacts, rays and distances, against MuJoCo, in states that were visited."""
import lockstep
import mujoco
import numpy as np
import pytest

SCENE = """
<mujoco>
  <option cone="{cone}" iterations="200" tolerance="1e-14"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1.3 1 0 1 0 1 1" scale=".3 .3 .3"/>
    <hfield name="hills" nrow="3" ncol="4" size="2 2 .5 .1" elevation="0 .5 0 1 .3 .2 .9 0 0 .1 .8 .4"/>
  </asset>
  <worldbody>
    <body name="ground"><geom name="floor" type="plane" size="3 3 .1" {friction}/></body>
    <body pos="0 4 0"><geom type="hfield" hfield="hills" contype="0" conaffinity="0"/></body>
    <body name="table" pos="0 0 .2"><geom name="top" type="box" size="1 1 .2"/></body>
    <body name="a" pos="0 0 .8">
      <freejoint/><geom name="ball" size=".15" {friction} margin=".05" gap=".03"/>
      <geom name="rod" type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
      <site name="probe" type="ellipsoid" size=".2 .3 .25" pos=".1 0 -.1" euler="10 20 30"/>
      <site name="eye" pos=".2 0 0" euler="150 20 10"/>
      <body name="arm" pos=".4 0 0"><joint axis="0 1 0" damping=".1"/>
        <geom name="hand" type="box" size=".1 .12 .08" pos=".1 0 0" {friction}/>
        <site name="pad" type="box" size=".12 .13 .05" pos=".1 0 -.08"/>
        <camera name="wide" pos=".1 0 0" euler="20 150 0" resolution="5 3" fovy="80"/>
        <camera name="lens" pos=".1 0 0" euler="160 10 0" resolution="3 4" sensorsize="4 3" focal="2 2.5" principal=".3 .1"/>
        <camera name="flat" pos=".1 0 0" euler="170 30 0" resolution="4 3" projection="orthographic" fovy="1.5"/>
      </body>
    </body>
    <body name="b" pos=".3 .1 1.1"><freejoint/><geom name="can" type="sphere" size=".12"/></body>
    <body name="c" pos="-.4 0 .9" euler="10 20 0"><freejoint/><geom name="crate" type="box" size=".15 .1 .2" {friction}/>
      <site name="room" type="cylinder" size=".5 .4"/><site name="zone" type="capsule" size=".3 .2"/>
      <site name="hull" type="mesh" mesh="wedge"/></body>
  </worldbody>
  <sensor>{sensors}</sensor>
</mujoco>
"""
FIELDS = "found force torque dist pos normal tangent linvel angvel"
SIDES = ["", 'geom1="ball"', 'geom2="ball"', 'body1="a"', 'subtree1="a"', 'subtree2="a"', 'subtree1="a" body2="ground"',
         'geom1="floor" subtree2="a"', 'body1="table" body2="c"', 'body1="c" body2="table"', 'site="probe"',
         'site="zone" body2="c"', 'site="hull"', 'subtree1="a" subtree2="a"']


def contact_sensors():
    for sides in SIDES:
        yield f'<contact {sides} num="3" data="{FIELDS}"/>'
        yield f'<contact {sides} num="2" data="{FIELDS}" reduce="mindist"/>'
        yield f'<contact {sides} num="5" data="force pos" reduce="maxforce"/>'
        yield f'<contact {sides} data="found force torque dist pos normal tangent" reduce="netforce"/>'
        yield f'<contact {sides} num="20" data="found dist"/><contact {sides} data="linvel"/>'
    yield f'<contact num="4" data="{FIELDS}" cutoff=".01"/>'


def ranges():
    for where in ('site="eye"', 'camera="wide"', 'camera="lens"', 'camera="flat"'):
        yield f'<rangefinder {where}/><rangefinder {where} cutoff=".2"/>'
        yield f'<rangefinder {where} data="dist dir origin point normal depth"/><rangefinder {where} data="depth" cutoff=".3"/>'


def distances():
    pairs = ['geom1="ball" geom2="crate"', 'geom1="crate" geom2="ball"', 'body1="a" body2="ground"', 'body1="ground" geom2="can"',
             'body1="arm" body2="c"', 'geom1="rod" geom2="can"']
    for pair in pairs:
        for cutoff in (0, 0.05, 0.5, 10):
            yield "".join(f'<{kind} {pair} cutoff="{cutoff}"/>' for kind in ("distance", "normal", "fromto"))


def insides():
    for site in ("probe", "pad", "room", "zone", "hull"):
        for kind, name in (("body", "a"), ("xbody", "b"), ("geom", "hand"), ("site", "eye"), ("camera", "wide")):
            yield f'<insidesite site="{site}" objtype="{kind}" objname="{name}"/>'


def others():
    yield '<touch site="probe"/><touch site="pad"/><touch site="room"/><touch site="zone" cutoff="5"/>'


KINDS = {"contact": contact_sensors, "range": ranges, "distance": distances, "inside": insides, "touch": others}


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("kind", KINDS)
def test_readings(kind, cone):
    for friction in ("", 'condim="1"', 'condim="6" friction=".8 .02 .01"'):
        xml = SCENE.format(cone=cone, friction=friction, sensors="".join(KINDS[kind]()))
        m, own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
        d, data = mujoco.MjData(m), lockstep.MjData(own)
        rng = np.random.default_rng(0)
        changed = np.zeros(m.nsensordata, bool)
        for step in range(300):
            d.xfrc_applied[4:] = 2 * rng.normal(size=d.xfrc_applied[4:].shape)
            mujoco.mj_step(m, d)
            if step % 10:
                continue
            data.qpos[:], data.qvel[:], data.xfrc_applied[:] = d.qpos, d.qvel, d.xfrc_applied
            data.qacc_warmstart[:] = d.qacc_warmstart
            mujoco.mj_forward(m, d), lockstep.mj_forward(own, data)
            assert data.ncon == d.ncon
            # the same forces, whatever the last digits of the solver
            np.testing.assert_allclose(data.efc_force, d.efc_force, rtol=1e-5, atol=1e-5)
            data.efc_force[:] = d.efc_force
            lockstep.mj_rnePostConstraint(own, data), lockstep.mj_sensorAcc(own, data)
            for i in range(m.nsensor):
                rows = slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
                expected, found = d.sensordata[rows], data.sensordata[rows]
                residual = np.abs(found - expected).max() / max(1, np.abs(expected).max())
                assert residual < 1e-8, (step, mujoco.mjtSensor(m.sensor_type[i]).name, i, expected, found)
            changed |= d.sensordata != 0
        assert changed.mean() > 0.1


SHAPES = {"sphere": 'type="sphere" size=".3"', "capsule": 'type="capsule" size=".2 .3"', "box": 'type="box" size=".3 .2 .4"',
          "ellipsoid": 'type="ellipsoid" size=".2 .3 .4"', "cylinder": 'type="cylinder" size=".25 .3"',
          "mesh": 'type="mesh" mesh="wedge"'}


@pytest.mark.parametrize("site", SHAPES)
def test_enclosed(site):
    """MuJoCo's search ends up to 1e-5 below a distance that is the largest nearby, most often the largest: nothing that it
    finds may be larger than ours."""
    geoms = "".join(f'<body name="{name}"><freejoint/><geom name="{name}" {shape}/><site name="of_{name}" {shape}/></body>'
                    for name, shape in SHAPES.items())
    sensors = "".join(f'<insidesite site="s" objtype="{kind}" objname="{prefix}{name}" enclosed="true"/>'
                      f'<insidesite site="s" objtype="{kind}" objname="{prefix}{name}"/>' for name in SHAPES
                      for kind, prefix in (("geom", ""), ("site", "of_"), ("body", "")))
    xml = f"""<mujoco><option><flag contact="disable"/></option>
      <asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1.3 1 0 1 0 1 1" scale=".7 .7 .7"/></asset>
      <worldbody>{geoms}<body euler="10 20 30"><site name="s" {SHAPES[site]}/></body></worldbody><sensor>{sensors}</sensor></mujoco>"""
    m, own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    d, data = mujoco.MjData(m), lockstep.MjData(own)
    rng = np.random.default_rng(0)
    inside, agrees = [], []
    for _ in range(100):
        mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv), 1)
        d.qpos.reshape(-1, 7)[:, :3] = rng.uniform(-0.4, 0.4, (len(SHAPES), 3)) * rng.choice([0.1, 1])
        data.qpos[:] = d.qpos
        mujoco.mj_forward(m, d), lockstep.mj_forward(own, data)
        assert np.array_equal(data.sensordata[1::2], d.sensordata[1::2])
        inside.append(d.sensordata[1::2].copy())
        more = data.sensordata - d.sensordata
        assert more.min() > -1e-7, (more, d.sensordata)
        agrees.append(more < 2e-5)
        if site == "cylinder":  # what is known of balls in cylinders
            x, y, z = d.site("s").xmat.reshape(3, 3).T @ (d.geom("sphere").xpos - d.site("s").xpos)
            out = np.array([np.hypot(x, y) - 0.25, abs(z) - 0.3])
            known = min(out.max(), 0) + np.linalg.norm(np.maximum(out, 0)) + 0.3
            assert abs(data.sensordata[0] - known) < 1e-12
    assert 0.1 < np.mean(inside) < 0.9 and np.mean(agrees) > 0.8
