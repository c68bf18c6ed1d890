"""Sensors with delays, periods and histories, and the camera sensor, against MuJoCo."""
import lockstep
import mujoco
import numpy as np
import pytest

XML = """
<mujoco>
  <option timestep=".01" {option}><flag constraint="disable"/></option>
  <worldbody>
    <camera name="fixed" pos="0 -3 0" xyaxes="1 0 0 0 0 1" resolution="640 480"/>
    <body><joint name="j" axis="1 1 0" damping=".1"/><geom type="box" size=".1 .2 .3" pos=".2 0 0"/>
      <site name="s" pos=".1 .2 .1"/><camera name="moving" pos="0 0 1" resolution="320 200" sensorsize=".02 .01" focal=".03 .04"/>
      <body pos="0 0 .4"><joint name="b" type="ball"/><geom size=".1" pos=".1 0 0"/><site name="t" pos=".2 0 0"/></body>
    </body>
  </worldbody>
  <actuator><position name="p" joint="j" kp="3"/></actuator>
  <sensor>{sensors}</sensor>
</mujoco>
"""
MODES = ['nsample="4"', 'nsample="5" delay=".03"', 'nsample="5" delay=".025" interp="linear"',
         'nsample="6" delay=".033" interp="cubic"', 'nsample="3" interval=".025"', 'nsample="3" interval=".04 -.01"',
         'nsample="4" interval=".03" delay=".05"', 'nsample="5" interval=".025 -.015" delay=".06" interp="linear"',
         'nsample="3" delay=".01" cutoff=".2"']
KINDS = ['<jointpos joint="j" {0}/>', '<jointvel joint="j" {0}/>', '<accelerometer site="t" {0}/>', '<ballangvel joint="b" {0}/>',
         '<actuatorfrc actuator="p" {0}/>']


def pair(sensors, option=''):
    xml = XML.format(sensors=sensors, option=option)
    models = [api.MjModel.from_xml_string(xml) for api in (lockstep, mujoco)]
    return models, [api.MjData(m) for api, m in zip((lockstep, mujoco), models)]


@pytest.mark.parametrize('option', ['', 'integrator="RK4"', 'integrator="implicitfast"'])
@pytest.mark.parametrize('mode', MODES)
def test_histories(mode, option):
    (m, n), (d, e) = pair(''.join(kind.format(mode) for kind in KINDS), option)
    rng = np.random.default_rng(1)
    for _ in range(40):
        d.ctrl[:] = e.ctrl[:] = rng.normal(size=1)
        lockstep.mj_step(m, d)
        mujoco.mj_step(n, e)
        np.testing.assert_allclose(d.sensordata, e.sensordata, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(d.history, e.history, rtol=1e-9, atol=1e-9)
    for sensor in range(m.nsensor):
        for time in rng.uniform(d.time - .1, d.time + .05, size=20):
            found, expected = np.zeros(m.sensor_dim[sensor]), np.zeros(m.sensor_dim[sensor])
            for interp in (-1, 0, 1, 2):
                found = lockstep.mj_readSensor(m, d, sensor, time, found, interp)
                mujoco.mj_readSensor(n, e, sensor, time, expected, interp)
                np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_initial_history():
    (m, n), (d, e) = pair('<jointpos joint="j" nsample="3" interval=".02"/><ballquat joint="b" nsample="2" delay=".02"/>')
    values = np.arange(8.).reshape(2, 4)
    for api, model, data in ((lockstep, m, d), (mujoco, n, e)):
        api.mj_initSensorHistory(model, data, 0, [-.05, -.03, -.02], np.array([[1.], [2.], [3.]]), -.01)
        api.mj_initSensorHistory(model, data, 1, None, values, 0)
        for _ in range(5):
            api.mj_step(model, data)
    np.testing.assert_allclose(d.history, e.history, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(d.sensordata, e.sensordata, rtol=1e-12, atol=1e-12)


def test_history_refuses():
    (m, _), (d, _) = pair('<jointpos joint="j" nsample="3"/><jointpos joint="j"/>')
    with pytest.raises(IndexError):
        lockstep.mj_readSensor(m, d, 2, 0, np.zeros(1), 0)
    with pytest.raises(TypeError):
        lockstep.mj_readSensor(m, d, 0, 0, np.zeros(2), 0)
    with pytest.raises(lockstep.FatalError, match='no history'):
        lockstep.mj_initSensorHistory(m, d, 1, None, np.zeros(3), 0)
    with pytest.raises(lockstep.FatalError, match='times must grow'):
        lockstep.mj_initSensorHistory(m, d, 0, [0, 0, 1], np.zeros(3), 0)
    with pytest.raises(TypeError):
        lockstep.mj_initSensorHistory(m, d, 0, [0, 1], np.zeros(3), 0)


@pytest.mark.parametrize('camera', ['fixed', 'moving'])
def test_camera_projection(camera):
    (m, n), (d, e) = pair(f'<camprojection site="t" camera="{camera}"/>')
    rng = np.random.default_rng(2)
    for _ in range(20):
        d.qpos[:] = e.qpos[:] = rng.normal(size=m.nq)
        lockstep.mj_forward(m, d)
        mujoco.mj_forward(n, e)
        np.testing.assert_allclose(d.sensordata, e.sensordata, rtol=1e-11)


def test_a_site_in_the_plane_of_the_camera():
    (m, n), (d, e) = pair('<camprojection site="s" camera="fixed"/>')
    for height in (0, 1e-16, -1e-16):
        for api, model, data in ((lockstep, m, d), (mujoco, n, e)):
            model.cam_pos[0] = [0, 0, 0]
            model.site_pos[0] = [.3, -height, .2]
            api.mj_forward(model, data)
        np.testing.assert_allclose(d.sensordata, e.sensordata, rtol=1e-11)
