"""Timers of stages and the global callbacks, against MuJoCo."""
import contextlib

import lockstep
import mujoco
import numpy as np
import pytest

XML = """
<mujoco>
  <option {option}><flag constraint="disable"/></option>
  <worldbody>
    <body><joint name="j" damping="1" stiffness="2"/><geom size=".1" pos=".1 0 0"/>
      <body pos=".3 0 0"><joint name="k" axis="0 1 0"/><geom size=".1"/></body></body>
  </worldbody>
  <actuator>
    <general joint="j" gaintype="user" biastype="user" dyntype="user" actdim="1"/>
    <general joint="k" gaintype="user" biastype="user" dyntype="user" actdim="2"/>
    <motor joint="k"/>
  </actuator>
  <sensor>
    <user dim="2" needstage="pos" cutoff="1" datatype="real"/><jointvel joint="j"/>
    <user dim="1" needstage="acc" cutoff="2" datatype="positive"/>
  </sensor>
</mujoco>
"""
CALLS = {
    'step': lambda api, m, d: api.mj_step(m, d),
    'step1': lambda api, m, d: api.mj_step1(m, d),
    'step2': lambda api, m, d: api.mj_step2(m, d),
    'forward': lambda api, m, d: api.mj_forward(m, d),
    'skip velocity': lambda api, m, d: api.mj_forwardSkip(m, d, 2, 0),
    'skip sensors': lambda api, m, d: api.mj_forwardSkip(m, d, 0, 1),
    'inverse': lambda api, m, d: api.mj_inverse(m, d),
    'inverse without sensors': lambda api, m, d: api.mj_inverseSkip(m, d, 0, 1),
    'passive': lambda api, m, d: api.mj_passive(m, d),
    'sensors': lambda api, m, d: api.mj_sensorPos(m, d),
    'actuation': lambda api, m, d: api.mj_fwdActuation(m, d),
}


@contextlib.contextmanager
def callbacks(api, **given):
    try:
        for name, function in given.items():
            getattr(api, 'set_mjcb_' + name)(function)
        yield
    finally:
        for name in given:
            getattr(api, 'set_mjcb_' + name)(None)


def trace(api, call, option, flags=0):
    """What is called, in order, and what comes of it."""
    m = api.MjModel.from_xml_string(XML.format(option=option))
    m.opt.disableflags |= flags
    d = api.MjData(m)
    d.qpos[:], d.qvel[:] = [.3, -.2], [1, 2]
    log = []

    def control(m, d):
        log.append('control')
        d.ctrl[2] = .5 + d.qvel[0]

    def passive(m, d):
        log.append('passive')
        d.qfrc_passive[1] += 3

    def sensor(m, d, stage):
        log.append(f'sensor {stage}')
        d.sensordata[:] = 5

    def dyn(m, d, i):
        log.append(f'dyn {i}')
        d.act_dot[2] = .25
        return 2

    def gain(m, d, i):
        log.append(f'gain {i}')
        return 3.5

    def bias(m, d, i):
        log.append(f'bias {i}')
        return d.qpos[0]

    with callbacks(api, control=control, passive=passive, sensor=sensor, act_dyn=dyn, act_gain=gain, act_bias=bias):
        call(api, m, d)
    fields = ('qpos', 'qvel', 'qacc', 'act', 'act_dot', 'ctrl', 'qfrc_passive', 'actuator_force', 'sensordata')
    return log, {name: getattr(d, name).copy() for name in fields}


@pytest.mark.parametrize('option', ['', 'integrator="RK4"'])
@pytest.mark.parametrize('name', CALLS)
def test_callbacks(name, option):
    (log, found), (expected_log, expected) = (trace(api, CALLS[name], option) for api in (lockstep, mujoco))
    assert log == expected_log
    for field, value in expected.items():
        np.testing.assert_allclose(found[field], value, rtol=1e-12, atol=1e-12, err_msg=field)


@pytest.mark.parametrize('flag', ['ACTUATION', 'SENSOR', 'SPRING', 'DAMPER'])
def test_callbacks_are_switched_off(flag):
    bits = int(getattr(mujoco.mjtDisableBit, 'mjDSBL_' + flag))
    assert trace(lockstep, CALLS['step'], '', bits)[0] == trace(mujoco, CALLS['step'], '', bits)[0]


def test_nothing_passive_is_left_without_springs_and_dampers():
    bits = int(mujoco.mjtDisableBit.mjDSBL_SPRING) | int(mujoco.mjtDisableBit.mjDSBL_DAMPER)
    assert 'passive' not in trace(lockstep, CALLS['step'], '', bits)[0]


def test_an_error_in_a_callback_reaches_the_caller_once():
    m = lockstep.MjModel.from_xml_string(XML.format(option='integrator="RK4"'))
    d = lockstep.MjData(m)
    calls = []

    def fails(m, d):
        calls.append(1)
        raise ValueError('no')

    with callbacks(lockstep, control=fails):
        with pytest.raises(ValueError, match='no'):
            lockstep.mj_step(m, d)
    assert len(calls) == 1
    lockstep.mj_step(m, d)  # and is forgotten


@pytest.mark.parametrize('option', ['', 'integrator="RK4"', 'integrator="implicit"'])
@pytest.mark.parametrize('name', ['step', 'step1', 'step2', 'forward', 'inverse'])
def test_timers_count_as_mujoco(name, option):
    numbers = {}
    for api in (lockstep, mujoco):
        m = api.MjModel.from_xml_string(XML.format(option=option))
        d = api.MjData(m)
        if api is lockstep:
            api.time_stages(d)
        CALLS[name](api, m, d)
        numbers[api] = {name: d.timer[t].number for name, t in mujoco.mjtTimer.__members__.items() if name != 'mjNTIMER'}
    # these are no stages of their own here
    skipped = ('POS_PROJECT', 'COL_BROAD', 'COL_NARROW')
    if name == 'inverse':
        skipped += ('CONSTRAINT',)
    for timer, number in numbers[mujoco].items():
        if not timer.endswith(skipped):
            assert numbers[lockstep][timer] == number, timer


def test_stage_times():
    m = lockstep.MjModel.from_xml_string(XML.format(option=''))
    d = lockstep.MjData(m)
    lockstep.mj_step(m, d)
    assert lockstep.stage_times(d) == {}
    assert d.timer[mujoco.mjtTimer.mjTIMER_STEP].number == 1
    assert d.timer[mujoco.mjtTimer.mjTIMER_POSITION].number == 0  # not asked for
    lockstep.time_stages(d)
    for _ in range(3):
        lockstep.mj_step(m, d, 2)
    times = lockstep.stage_times(d)
    assert list(times)[0] == 'wake' and list(times)[-1] == 'integrate'
    assert all(number == 6 for _, number in times.values())
    position = d.timer[mujoco.mjtTimer.mjTIMER_POSITION]
    kinematics = sum(times[name][0] for name in ('wake', 'kinematics', 'com_pos', 'cam_light', 'tendon', 'wake_tendon'))
    assert d.timer[mujoco.mjtTimer.mjTIMER_POS_KINEMATICS].duration == pytest.approx(kinematics)
    assert 0 < kinematics < position.duration < d.timer[mujoco.mjtTimer.mjTIMER_STEP].duration
    lockstep.time_stages(d, False)
    assert lockstep.stage_times(d) == {}
