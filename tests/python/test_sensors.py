"""Readings of sensors, against MuJoCo, without constraints."""
import lockstep
import mujoco
import numpy as np
import pytest

OBJECTS = {"body": "arm", "xbody": "arm", "geom": "g", "site": "s", "camera": "c"}
REFERENCES = [None, ("body", "base"), ("xbody", "base"), ("geom", "bg"), ("site", "bs"), ("camera", "bc")]
FRAMES = ["framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"]
BODY = """
<mujoco>
  <option gravity="1 2 -9" density="2" {option}><flag constraint="disable"/></option>
  <worldbody>
    <body name="base" pos="0 0 1" euler="10 20 30">
      <freejoint/><geom name="bg" type="box" size=".1 .2 .3" pos=".1 0 0" euler="1 2 3"/>
      <site name="bs" pos=".1 .2 .3" euler="30 10 20"/><camera name="bc" pos="0 .1 0" euler="10 0 50"/>
      <body name="arm" pos=".3 .1 0" euler="0 40 10">
        <joint name="h" axis="1 1 0" stiffness="2" damping=".1"/><geom name="g" type="capsule" size=".05 .2" euler="20 0 0"/>
        <site name="s" pos="0 .1 .2" euler="30 60 10"/><camera name="c" pos=".1 0 0" euler="50 10 20"/>
        <body name="hand" pos="0 0 .4"><joint name="b" type="ball"/><geom size=".1" pos=".1 0 0"/></body>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="h" coef="2"/></fixed></tendon>
  <actuator>
    <position name="p" joint="h" kp="3"/><motor name="m" tendon="t"/><motor tendon="t" gear="2"/>
    <orientation name="o" joint="b"/>
  </actuator>
  <sensor>{sensors}</sensor>
</mujoco>
"""
PLAIN = """
<magnetometer site="s"/><jointpos joint="h"/><jointvel joint="h"/><tendonpos tendon="t"/><tendonvel tendon="t"/>
<actuatorpos actuator="p"/><actuatorvel actuator="p"/><actuatorfrc actuator="p"/><actuatorpos actuator="o"/>
<actuatorvel actuator="o"/><actuatorfrc actuator="o"/><jointactuatorfrc joint="h"/><tendonactuatorfrc tendon="t"/>
<ballquat joint="b"/><ballangvel joint="b"/><subtreecom body="arm"/><subtreelinvel body="arm"/><subtreeangmom body="base"/>
<e_potential/><e_kinetic/><clock/><velocimeter site="s"/><gyro site="s"/><accelerometer site="s"/><force site="s"/>
<torque site="s"/><force site="bs"/><gyro site="bs" cutoff=".5"/><jointpos joint="h" cutoff=".1"/>
<accelerometer site="bs" cutoff="3"/><framequat objtype="site" objname="s"/>
"""


def frame_sensors():
    for kind in FRAMES + ["framelinacc", "frameangacc"]:
        for objtype, objname in OBJECTS.items():
            for reference in REFERENCES if kind in FRAMES else [None]:
                ref = f'reftype="{reference[0]}" refname="{reference[1]}"' if reference else ""
                yield f'<{kind} objtype="{objtype}" objname="{objname}" {ref}/>'


@pytest.mark.parametrize("option", ["", 'integrator="RK4"', 'integrator="implicitfast"'])
def test_readings(option):
    xml = BODY.format(option=option, sensors=PLAIN + "".join(frame_sensors()))
    m, own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    d, data = mujoco.MjData(m), lockstep.MjData(own)
    rng = np.random.default_rng(0)
    for _ in range(20):
        mujoco.mj_resetData(m, d)
        mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv), 1)
        d.qvel[:], d.ctrl[:], d.time = rng.normal(size=m.nv), rng.normal(size=m.nu), rng.normal()
        d.xfrc_applied[:] = rng.normal(size=d.xfrc_applied.shape)
        for name in ("qpos", "qvel", "ctrl", "xfrc_applied"):
            getattr(data, name)[:] = getattr(d, name)
        data.time = d.time
        for run in ("mj_forward", "mj_step"):
            getattr(mujoco, run)(m, d), getattr(lockstep, run)(own, data)
            for i in range(m.nsensor):
                rows = slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
                expected, found = d.sensordata[rows], data.sensordata[rows]
                residual = np.abs(found - expected).max() / max(1, np.abs(expected).max())
                assert residual < 1e-10, (run, mujoco.mjtSensor(m.sensor_type[i]).name, i, expected, found)


def test_parts_of_the_step():
    """mj_sensorPos, mj_sensorVel and mj_sensorAcc read their own sensors and leave the others."""
    m = lockstep.MjModel.from_xml_string(BODY.format(option="", sensors=PLAIN))
    d = lockstep.MjData(m)
    lockstep.mj_forward(m, d)
    expected = d.sensordata.copy()
    d.sensordata[:] = np.nan
    for read in (lockstep.mj_sensorPos, lockstep.mj_sensorVel, lockstep.mj_sensorAcc):
        assert np.isnan(d.sensordata).any()
        read(m, d)
    assert np.array_equal(d.sensordata, expected)


@pytest.mark.parametrize('seed', range(12))
def test_lenses_round_as_mujoco(seed):
    """Cameras are kept in single precision, and pixels per focal length are computed in it."""
    rng = np.random.default_rng(seed)
    focal, size, principal = rng.uniform(.01, .05, 2), rng.uniform(.01, .05, 2), rng.uniform(-.002, .002, 2)
    lens = ' '.join(f'{name}="{a:.9g} {b:.9g}"' for name, (a, b) in
                    {'focal': focal, 'sensorsize': size, 'principal': principal}.items())
    xml = f"""
    <mujoco>
      <worldbody>
        <body pos="0 3 0"><joint/><geom type="box" size="50 .5 50" contype="0"/></body>
        <body><joint/><geom size=".1"/><site name="s" pos=".1 .1 .2"/></body>
        <camera name="c" pos="0 -1 .2" xyaxes="1 0 0 0 .1 1" {lens} resolution="{rng.integers(2, 9)} {rng.integers(2, 9)}"/>
      </worldbody>
      <sensor><camprojection site="s" camera="c"/><rangefinder camera="c"/></sensor>
    </mujoco>"""
    found = []
    for package in (lockstep, mujoco):
        model = package.MjModel.from_xml_string(xml)
        data = package.MjData(model)
        package.mj_forward(model, data)
        found.append(data.sensordata)
    assert (found[1][2:] > 0).any()
    np.testing.assert_allclose(*found, rtol=1e-12, atol=1e-12)
