"""Actuation against MuJoCo: controls, delays, activations, forces and their limits, on generated models."""
import os

import mujoco
import numpy as np
import pytest

import lockstep

TOLERANCE = 1e-10 * float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))  # 0 shows the true residuals
FIELDS = ('act_dot', 'actuator_force', 'qfrc_actuator')
STATE = ('time', 'qpos', 'qvel', 'act', 'history', 'ctrl')

WORLD = """
<mujoco>
  <option gravity="0 0 -3" {option}/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <site name="ground" pos=".1 .2 .3" euler="10 20 30"/>
    <body name="upper" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" armature=".1" {hinge}/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <site name="crank" pos=".1 .02 0"/>
      <body name="lower" pos=".3 0 0" {lower}>
        <joint name="slide" type="slide" axis="1 .2 .1" armature=".2" {slide}/>
        <geom type="box" size=".1 .05 .08"/>
        <site name="slider" pos=".02 .1 0" euler="0 60 20"/>
        <body name="hand" pos=".3 0 .1">
          <joint name="ball" type="ball" armature=".05" {ball}/>
          <geom type="ellipsoid" size=".1 .05 .08" pos=".1 0 0"/>
          <site name="tip" pos=".2 0 .05" euler="40 10 -50"/>
        </body>
      </body>
    </body>
    <body name="float" pos="0 1 1">
      <freejoint name="free"/>
      <geom type="box" size=".1 .15 .08"/>
      <site name="jet" pos=".05 0 .02" euler="-20 30 70"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="cable" {cable}><joint joint="hinge" coef="1.2"/><joint joint="slide" coef="-2"/></fixed>
    <spatial name="rope" {rope}><site site="ground"/><site site="crank"/><site site="tip"/></spatial>
  </tendon>
  <actuator>{actuators}</actuator>
  {extra}
</mujoco>
"""


def models(actuators, extra='', **attributes):
    """The same model here and there; words for elements of the world by keyword."""
    words = dict.fromkeys(('option', 'hinge', 'slide', 'ball', 'lower', 'cable', 'rope'), '') | attributes
    xml = WORLD.format(actuators=actuators, extra=extra, **words)
    pair = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    for m in pair:
        m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    return pair


def excite(m, d, rng, size=1.0):
    """A random state; activations and controls beyond their ranges."""
    q = m.qpos0.copy()
    mujoco.mj_integratePos(m, q, rng.normal(size=m.nv) * 1.5 * size, 1)
    d.qpos[:] = q
    d.qvel[:] = rng.normal(size=m.nv) * size
    d.act[:] = rng.normal(size=m.na) * rng.choice([.3, 1, 4])
    d.ctrl[:] = rng.normal(size=m.nu) * rng.choice([.3, 1, 4])


def copy_state(source, target):
    for name in STATE:
        if name == 'time':
            target.time = source.time
        else:
            getattr(target, name)[:] = getattr(source, name)


def residual(own, ref):
    own, ref = np.asarray(own), np.asarray(ref)
    assert own.shape == ref.shape
    if not ref.size:
        return 0.0
    assert np.array_equal(np.isfinite(own), np.isfinite(ref))
    return float(np.max(np.abs(own - ref)) / max(1.0, np.max(np.abs(ref))))


def expect_same(own, ref, fields, what):
    for field in fields:
        assert residual(getattr(own, field), getattr(ref, field)) <= TOLERANCE, \
            f'{what}: {field}\nown {getattr(own, field)}\nref {getattr(ref, field)}'


def compare(pair, what, states=25, steps=12, seed=0):
    """Forces of random states, then states after steps under random controls."""
    ref_model, own_model = pair
    rng = np.random.default_rng(seed)
    ref, own = mujoco.MjData(ref_model), lockstep.MjData(own_model)
    expect_same(own, ref, STATE[1:], f'{what}, start')
    for state in range(states):
        mujoco.mj_resetData(ref_model, ref)
        lockstep.mj_resetData(own_model, own)
        excite(ref_model, ref, rng)
        copy_state(ref, own)
        for step in range(steps if state % 5 == 0 else 1):
            mujoco.mj_forward(ref_model, ref)
            lockstep.mj_forward(own_model, own)
            expect_same(own, ref, FIELDS, f'{what}, state {state}, step {step}')
            mujoco.mj_step(ref_model, ref)
            lockstep.mj_step(own_model, own)
            expect_same(own, ref, ('act', 'history', 'ctrl'), f'{what}, state {state}, after step {step}')
            assert abs(own.time - ref.time) < 1e-15
            copy_state(ref, own)
            own.ctrl[:] = ref.ctrl[:] = rng.normal(size=ref_model.nu) * rng.choice([.3, 1, 4])


TRANSMISSIONS = {
    'hinge': 'joint="hinge" gear="3"',
    'slide': 'joint="slide" gear="-2"',
    'ball': 'joint="ball" gear=".3 -1 2"',
    'ball in parent': 'jointinparent="ball" gear=".3 -1 2"',
    'free': 'joint="free" gear=".3 -1 2 .5 .6 -.7"',
    'free in parent': 'jointinparent="free" gear=".3 -1 2 .5 .6 -.7"',
    'fixed tendon': 'tendon="cable" gear="1.5"',
    'spatial tendon': 'tendon="rope" gear="-1.5"',
    'site': 'site="jet" gear=".3 -1 2 .5 .6 -.7"',
    'refsite': 'site="tip" refsite="ground" gear=".3 -1 2 .5 .6 -.7"',
    'refsite turning': 'site="tip" refsite="ground" gear="0 0 0 .5 .6 -.7"',
    'refsite moving': 'site="tip" refsite="jet" gear=".3 -1 2 0 0 0"',
    'slidercrank': 'cranksite="crank" slidersite="slider" cranklength=".4" gear="2"',
}
SINGLE = {
    'motor': '<motor {} ctrlrange="-1 1"/>',
    'motor unclamped': '<motor {} ctrlrange="-1 1" ctrllimited="false"/>',
    'motor force': '<motor {} forcerange="-.5 .7"/>',
    'position': '<position {} kp="7" kv=".3"/>',
    'position ranges': '<position {} kp="7" ctrlrange="-.4 .5" forcerange="-1 2"/>',
    'position late': '<position {} kp="7" kv=".2" timeconst=".03"/>',
    'position dampratio': '<position {} kp="7" dampratio=".8"/>',
    'velocity': '<velocity {} kv="2" ctrlrange="-1 1"/>',
    'intvelocity': '<intvelocity {} kp="3" kv=".1" actrange="-1.5 1.2"/>',
    'intvelocity free': '<intvelocity {} kp="3" kv=".1"/>',
    'damper': '<damper {} kv="2" ctrlrange="0 1"/>',
    'cylinder': '<cylinder {} timeconst=".05" area="2" bias=".1 .2 -.3" ctrlrange="-1 1"/>',
    'muscle': '<muscle {} lengthrange="-1 2" timeconst=".02 .05"/>',
    'muscle smooth': '<muscle {} lengthrange=".1 1.2" tausmooth=".6" force="30" range=".6 1.3" lmin=".3" lmax="1.9"'
                     ' vmax="2" fpmax="1.7" fvmax="1.4"/>',
    'muscle scale': '<muscle {} lengthrange="-.1 .2" scale="300"/>',
    'integrator': '<general {} dyntype="integrator" gainprm="2" biastype="affine" biasprm=".1 .2 .3"/>',
    'integrator early': '<general {} dyntype="integrator" gainprm="2" actearly="true" actrange="-1 1"/>',
    'filter': '<general {} dyntype="filter" dynprm=".07" gainprm="2"/>',
    'filter early': '<general {} dyntype="filter" dynprm=".07" gainprm="2" actearly="true"/>',
    'filterexact': '<general {} dyntype="filterexact" dynprm=".003" gainprm="2" actrange="-.6 1"/>',
    'filterexact early': '<general {} dyntype="filterexact" dynprm=".003" gainprm="2" actearly="true"/>',
    'filterexact 0': '<general {} dyntype="filterexact" dynprm="0" gainprm="2"/>',
    'affine gain': '<general {} gaintype="affine" gainprm="2 .3 -.4" biastype="affine" biasprm="1 2 3"/>',
    'affine integrator': '<general {} dyntype="integrator" gaintype="affine" gainprm="2 .3 -.4"/>',
    'muscle dynamics': '<general {} dyntype="muscle" dynprm=".01 .04 .3" gainprm="2"/>',
    'muscle servo': '<general {} dyntype="muscle" dynprm=".1 .4 .3" gainprm="2" biastype="affine" biasprm="0 -2 0"/>',
    'filter servo': '<general {} dyntype="filter" dynprm=".05" gainprm="2" biastype="affine" biasprm="0 -2 0"/>',
    'filter early servo': '<general {} dyntype="filterexact" dynprm=".05" gainprm="2" biastype="affine"'
                          ' biasprm=".1 -2 -.2" actearly="true" actrange="-6 5"/>',
    'muscle parts': '<general {} gaintype="muscle" biastype="muscle" lengthrange="0 1" gainprm=".7 1.1 5 1 .4 1.7 2 1.3'
                    ' 1.4" biasprm=".6 1.2 -1 3 .5 1.6 1.5 1.3 1.2"/>',
    'user': '<general {} dyntype="user" actdim="3" gaintype="user" biastype="user"/>',
    'user gain': '<general {} dyntype="filter" dynprm=".1" gaintype="user" biastype="affine" biasprm="1 2 3"/>',
    'pid': '<pid {} kp="5" kv="2"/>',
    'pid all': '<pid {} kp="5" kv="2" ki="3" imax=".4" slewmax="40" input="pos vel ff" posrange="-1 1" velrange="-.5 2"'
               ' ffrange="-3 3" forcerange="-9 9"/>',
    'pid slew': '<pid {} kp="5" kv="2" slewmax="40" input="pos"/>',
    'pid integral': '<pid {} kp="5" kv="2" ki="4" input="pos ff"/>',
    'pid ff': '<pid {} kp="5" kv="2" input="ff"/>',
    'pid vel': '<pid {} kp="5" kv="2" input="vel ff"/>',
    'pid early': '<general {} dyntype="pid" gaintype="pid" gainprm="3" dynprm=".3 50" biastype="affine" biasprm=".7 -5 -2"'
                 ' input="pos vel" actearly="true"/>',
    'pid actrange': '<general {} dyntype="pid" gaintype="pid" gainprm="3" dynprm=".3 50" biastype="affine"'
                    ' biasprm="0 -5 -2" input="pos vel" actrange="-.1 .2"/>',
}
MOTOR_INPUTS = ('', 'input="voltage"', 'input="none"', 'input="pos" controller="5 3 .2 40 .3 20"',
                'input="pos vel ff voltage" controller="5 3 .2 40 .3 6"', 'input="vel" controller="0 0 .2 40 0 0"',
                'input="ff voltage" controller="0 0 0 40 0 3"', 'input="pos vel" controller="5 0 .2 0 0 0"',
                'input="vel voltage" controller="0 0 .3 0 0 4"')
MOTOR_PARTS = ('', 'thermal="2 3 0 .01 20 30"', 'inductance=".1 0"', 'inductance="0 .01" saturation="0 0 30"',
               'lugre="10 .3 .2 .4 .1"', 'cogging=".3 6 .1"', 'saturation=".4"', 'saturation="0 .8"',
               'thermal="2 0 9 .02 25 20" inductance=".02 0" lugre="10 .3 .2 .4 .1" cogging=".3 6 .1" saturation="1 0 50"')


@pytest.mark.parametrize('transmission', TRANSMISSIONS)
def test_every_kind_on_every_transmission(transmission):
    for name, actuator in SINGLE.items():
        if ' site=' in ' ' + TRANSMISSIONS[transmission] and '<muscle' in actuator:
            continue  # not in the language
        pair = models(actuator.format(TRANSMISSIONS[transmission]))
        compare(pair, f'{name} on {transmission}', states=15)


@pytest.mark.parametrize('words', MOTOR_INPUTS)
def test_dc_motor(words):
    for parts in MOTOR_PARTS:
        for transmission in ('hinge', 'fixed tendon', 'ball'):
            where = TRANSMISSIONS[transmission]
            pair = models(f'<dcmotor {where} motorconst=".5 .6" resistance="2" {words} {parts}/>')
            compare(pair, f'{words} {parts} on {transmission}', states=15)


@pytest.mark.parametrize('where', ['joint="ball"', 'site="tip" refsite="ground"', 'site="jet" refsite="tip"'])
@pytest.mark.parametrize('words', ['', 'input="expmap"', 'input="quat"', 'kv="2"', 'forcerange="0 3"', 'dampratio=".7"',
                                   'input="quat" kv=".4" forcerange="0 2" ctrlrange="-.5 .6"',
                                   'input="quat" delay=".01" nsample="6"'])
def test_orientation(where, words):
    compare(models(f'<orientation {where} kp="6" {words}/>'), f'orientation {where} {words}')


@pytest.mark.parametrize('words', ['', 'actearly="true"', 'actrange="-2 1"'])
def test_integrated_orientation(words):
    servo = f'<general joint="ball" gaintype="so3" biastype="so3" gainprm="5" biasprm=".2 -5 -.3" dyntype="integrator" {words}/>'
    compare(models(servo), f'integrated orientation {words}', states=40)


@pytest.mark.parametrize('interp', ['zoh', 'linear', 'cubic'])
@pytest.mark.parametrize('delay, samples', [(.004, 2), (.0043, 3), (.011, 6), (.05, 4), (0, 3), (.002, 1), (.0171, 12)])
def test_delay(interp, delay, samples):
    late = f'delay="{delay}" nsample="{samples}" interp="{interp}"'
    actuators = (f'<motor joint="hinge" {late}/><pid joint="slide" input="pos vel ff" ki="2" slewmax="90" {late}/>'
                 f'<position joint="ball" gear="1 0 0" kp="3" ctrlrange="-1 1" {late}/>'
                 f'<orientation joint="ball" input="quat" {late}/><motor joint="free" gear="1 0 0 0 1 0"/>'
                 f'<dcmotor joint="hinge" motorconst=".3" resistance="1" input="none"/>'
                 f'<muscle tendon="rope" lengthrange="0 2" {late}/>')
    compare(models(actuators), f'{late}', states=11, steps=30)


def test_delay_while_time_jumps():
    """Samples are kept by time: a jump back in time overwrites or inserts, as MuJoCo does."""
    pair = models('<pid joint="hinge" input="pos vel" delay=".007" nsample="5" interp="linear"/>')
    data = mujoco.MjData(pair[0]), lockstep.MjData(pair[1])
    rng = np.random.default_rng(3)
    for step in range(200):
        ctrl, jump = rng.normal(size=2), rng.choice([0, 0, 0, -.002, -.004, -.0055, -.03, .009])
        for d in data:
            d.ctrl[:] = ctrl
            d.time += jump
        mujoco.mj_step(pair[0], data[0])
        lockstep.mj_step(pair[1], data[1])
        expect_same(data[1], data[0], ('history', 'actuator_force'), f'step {step}')
        copy_state(data[0], data[1])


def test_sensor_history_starts_as_in_mujoco():
    sensors = ('<sensor><jointpos joint="hinge" nsample="3" delay=".004"/><jointvel joint="hinge" nsample="4"'
               ' interval=".01"/><jointvel joint="slide" nsample="4" interval=".011 -.003"/>'
               '<ballquat joint="ball" nsample="2"/><jointpos joint="hinge" nsample="7" interval=".0035 -.0012"/></sensor>')
    for step in ('.002', '.0037', '.1'):
        ref, own = (kind.MjData(m) for kind, m in zip((mujoco, lockstep),
                                                      models('', sensors, option=f'timestep="{step}"')))
        np.testing.assert_array_equal(own.history, ref.history)


@pytest.mark.parametrize('flags', ['', 'clampctrl', 'actuation', 'gravity'])
@pytest.mark.parametrize('groups', ['', '0', '1 3', '2 30', '0 1 2 3'])
def test_groups_and_flags(flags, groups):
    actuators = ''.join(
        f'<motor joint="hinge" group="{k}" ctrlrange="-.5 .5"/><intvelocity joint="slide" group="{k}" kp="2"/>'
        f'<dcmotor joint="hinge" group="{k}" motorconst=".3" resistance="1" lugre="10 .3 .2 .4 .1" inductance=".1 0"/>'
        f'<general joint="slide" group="{k}" dyntype="filterexact" dynprm=".1" actrange="-.3 .3"/>'
        for k in (-1, 0, 1, 2, 3, 30, 31, 40))
    option = f'actuatorgroupdisable="{groups}"' if groups else ''
    ref, own = models(actuators, option=option)
    for m in (ref, own):
        if flags:
            m.opt.disableflags |= getattr(mujoco.mjtDisableBit, f'mjDSBL_{flags.upper()}')
    compare((ref, own), f'{flags} {groups}')


@pytest.mark.parametrize('bad', [np.nan, np.inf, -np.inf, 1e11, -1e11, 1e10])
def test_bad_control(bad):
    actuators = ('<motor joint="hinge"/><position joint="slide" kp="3" kv="1"/><intvelocity joint="slide"/>'
                 '<motor joint="hinge" ctrlrange="-1 1"/><orientation joint="ball" input="quat"/>'
                 '<pid joint="hinge" input="pos vel ff" ki="1" slewmax="9"/>')
    ref_model, own_model = models(actuators)
    for place in range(ref_model.nu):
        ref, own = mujoco.MjData(ref_model), lockstep.MjData(own_model)
        excite(ref_model, ref, np.random.default_rng(place))
        ref.ctrl[place] = bad
        copy_state(ref, own)
        mujoco.mj_forward(ref_model, ref)
        lockstep.mj_forward(own_model, own)
        expect_same(own, ref, FIELDS, f'{bad} at {place}')
        np.testing.assert_array_equal(own.ctrl, ref.ctrl)


@pytest.mark.parametrize('joint', ['', 'actuatorfrcrange="-.6 .4"', 'actuatorfrcrange="-9 9"'])
@pytest.mark.parametrize('cable', ['', 'actuatorfrcrange="-.3 .2"', 'actuatorfrcrange="-1 2"'])
@pytest.mark.parametrize('force', ['', 'forcerange="-.7 .8"'])
def test_limits_of_joints_and_tendons(joint, cable, force):
    actuators = (f'<motor joint="hinge" {force}/><position tendon="cable" kp="3" {force}/><motor tendon="cable"/>'
                 f'<motor tendon="cable" gear="-2" {force}/><motor tendon="rope"/><motor joint="slide" gear="2"/>'
                 f'<dcmotor tendon="cable" motorconst=".3" resistance="1" cogging=".4 3 0" lugre="9 .1 .2 .3 .1"'
                 f' saturation=".2"/><intvelocity tendon="rope" {force}/><motor joint="hinge" group="2"/>')
    pair = models(actuators, hinge=joint, slide=joint, cable=cable, rope=cable,
                  option='actuatorgroupdisable="2"')
    compare(pair, f'{joint} {cable} {force}', states=60)


@pytest.mark.parametrize('actuators', ['', '<motor joint="hinge"/>'])
@pytest.mark.parametrize('range_', ['', 'actuatorfrcrange="-1 1"'])
@pytest.mark.parametrize('flag', [None, 'gravity', 'actuation'])
def test_gravity_compensation_by_actuators(actuators, range_, flag):
    words = f'actuatorgravcomp="true" {range_}'
    pair = models(actuators, hinge=words, slide=range_, ball='actuatorgravcomp="true"', lower='gravcomp=".7"')
    for m in pair:
        if flag:
            m.opt.disableflags |= getattr(mujoco.mjtDisableBit, f'mjDSBL_{flag.upper()}')
    compare(pair, f'{actuators} {range_} {flag}')


def test_several_actuators_share_a_model():
    """All kinds in one model, so that addresses of controls, outputs and states differ."""
    places = list(TRANSMISSIONS.values())
    actuators = ''.join(actuator.format(places[k % len(places)]) for k, actuator in enumerate(SINGLE.values()))
    actuators += ''.join(f'<dcmotor joint="hinge" motorconst=".5" resistance="2" {words} {MOTOR_PARTS[k % 9]}/>'
                         f'<orientation joint="ball" input="{"quat" if k % 2 else "expmap"}"/>'
                         for k, words in enumerate(MOTOR_INPUTS))
    compare(models(actuators), 'all kinds', states=40)


def test_keyframes():
    actuators = ('<orientation joint="ball" input="quat" nsample="3" delay=".004"/><intvelocity joint="hinge"/>'
                 '<motor joint="slide"/>')
    keys = ('<keyframe><key time="3.5"/><key ctrl="1 2 3 4 5 6" act=".3" qvel="1 2 3 4 5 6 7 8 9 10 11"/>'
            '<key qpos=".1 .2 1 2 3 4 5 6 7 .1 .2 .3 .4"/></keyframe>')
    ref_model, own_model = models(actuators, keys, hinge='stiffness="2" springyield=".1"')
    ref, own = mujoco.MjData(ref_model), lockstep.MjData(own_model)
    rng = np.random.default_rng(0)
    for key in (0, 1, 2, -1, 3):
        excite(ref_model, ref, rng)
        copy_state(ref, own)
        own.plastic[:] = ref.plastic[:] = .05
        mujoco.mj_resetDataKeyframe(ref_model, ref, key)
        lockstep.mj_resetDataKeyframe(own_model, own, key)
        for name in STATE + ('plastic', 'mocap_pos', 'mocap_quat'):
            np.testing.assert_allclose(getattr(own, name), getattr(ref, name), rtol=1e-15, err_msg=f'key {key}: {name}')
    excite(ref_model, ref, rng)
    ref.time = 1.25
    copy_state(ref, own)
    own.plastic[:] = ref.plastic[:] = .07
    mujoco.mj_setKeyframe(ref_model, ref, 1)
    lockstep.mj_setKeyframe(own_model, own, 1)
    for name in ('time', 'qpos', 'qvel', 'act', 'ctrl', 'mpos', 'mquat', 'plastic'):
        np.testing.assert_array_equal(getattr(own_model, f'key_{name}')[1], getattr(ref_model, f'key_{name}')[1], err_msg=name)
    for key in (-1, 3):
        with pytest.raises(mujoco.FatalError):
            mujoco.mj_setKeyframe(ref_model, ref, key)
        with pytest.raises(lockstep.FatalError):
            lockstep.mj_setKeyframe(own_model, own, key)


def test_control_functions():
    late = 'nsample="4" delay=".005"'
    actuators = (f'<orientation joint="ball" input="quat" {late} interp="cubic"/><pid joint="hinge" {late} interp="linear"/>'
                 '<motor joint="slide"/><orientation joint="ball"/><general joint="slide" nsample="3" input="pressure"/>'
                 '<dcmotor joint="hinge" motorconst=".1" resistance="1" input="pos ff voltage"/>'
                 '<dcmotor joint="hinge" motorconst=".1" resistance="1" input="none"/><position joint="hinge"/>')
    ref_model, own_model = models(actuators)
    ref, own = mujoco.MjData(ref_model), lockstep.MjData(own_model)
    rng = np.random.default_rng(0)
    for step in range(12):
        own.ctrl[:] = ref.ctrl[:] = rng.normal(size=ref_model.nu)
        mujoco.mj_step(ref_model, ref)
        lockstep.mj_step(own_model, own)
        for actuator in range(ref_model.nactuator):
            count = ref_model.actuator_ctrlnum[actuator]
            for time in np.concatenate([rng.uniform(-.01, .03, 5), ref.time - np.arange(6) * .002 + .005]):
                for interp in (-1, 0, 1, 2):
                    results = np.full(count, 9.), np.full(count, 9.)
                    mujoco.mj_readCtrl(ref_model, ref, actuator, time, results[0], interp)
                    lockstep.mj_readCtrl(own_model, own, actuator, time, results[1], interp)
                    np.testing.assert_allclose(results[1], results[0], rtol=1e-12, atol=1e-12,
                                               err_msg=f'{step} {actuator} {time} {interp}')
    for actuator in (0, 1, 4):
        samples, count = ref_model.actuator_history[actuator][0], ref_model.actuator_ctrlnum[actuator]
        for times in (None, np.sort(rng.normal(size=samples))):
            values = rng.normal(size=(samples, count))
            mujoco.mj_initCtrlHistory(ref_model, ref, actuator, times, values)
            lockstep.mj_initCtrlHistory(own_model, own, actuator, times, values)
            np.testing.assert_array_equal(own.history, ref.history)
    for kind, m, d in ((mujoco, ref_model, ref), (lockstep, own_model, own)):
        with pytest.raises(kind.FatalError):
            kind.mj_initCtrlHistory(m, d, 0, np.arange(4.)[::-1], np.zeros((4, 4)))
        with pytest.raises(kind.FatalError):
            kind.mj_initCtrlHistory(m, d, 2, None, np.zeros((0, 1)))
        with pytest.raises(TypeError):
            kind.mj_initCtrlHistory(m, d, 0, np.arange(3.), np.zeros((4, 4)))
        with pytest.raises(TypeError):
            kind.mj_readCtrl(m, d, 0, 0, np.zeros(3), 0)
        with pytest.raises(IndexError):
            kind.mj_readCtrl(m, d, 99, 0, np.zeros(3), 0)
        kind.mj_resetCtrl(m, d)
    np.testing.assert_array_equal(own.ctrl, ref.ctrl)
    for actuator in range(-1, ref_model.nactuator + 1):
        for i in range(-1, 6):
            assert lockstep.mj_actuatorInputName(own_model, actuator, i) == \
                mujoco.mj_actuatorInputName(ref_model, actuator, i), (actuator, i)


def test_muscle_functions():
    rng = np.random.default_rng(0)
    for _ in range(500):
        prm = np.array([rng.uniform(.5, .9), rng.uniform(1, 1.5), rng.choice([-1, 50]), 200, rng.uniform(.2, .6),
                        rng.uniform(1.3, 2), rng.uniform(.5, 3), rng.uniform(.5, 2), rng.uniform(1, 1.6)])
        length, velocity, acc0 = rng.uniform(-.5, 3), rng.normal() * 2, rng.choice([0, 1e-16, 3.])
        span = np.array([0, rng.uniform(0, 2)])
        pairs = (('mju_muscleGain', (length, velocity, span, acc0, prm)), ('mju_muscleBias', (length, span, acc0, prm)),
                 ('mju_muscleDynamics', (rng.normal(), rng.normal(), np.array([.01, .04, rng.choice([0, .3, 1])]))))
        for name, arguments in pairs:
            ref, own = getattr(mujoco, name)(*arguments), getattr(lockstep, name)(*arguments)
            assert abs(own - ref) <= 1e-12 * max(1, abs(ref)), (name, arguments)


@pytest.mark.parametrize('integrator', ['RK4', 'implicit', 'implicitfast'])
@pytest.mark.parametrize('more', [
    '', '<dcmotor joint="hinge" motorconst=".5" resistance="2"/>', '<intvelocity joint="ball" gear="1 2 3"/>',
    '<position joint="ball" gear="1 2 3" kp="2" timeconst=".02"/>', '<pid joint="ball" ki="1" slewmax="9" gear="1 2 3"/>',
    '<dcmotor joint="hinge" motorconst=".5" resistance="2" lugre="10 .3 .2 .4 .1" inductance=".1 0"'
    ' thermal="2 3 0 .01 20 30" input="pos voltage" controller="5 3 .2 40 .3 6"/>'])
def test_states_under_other_integrators(integrator, more):
    actuators = more + ('<intvelocity joint="hinge" kp="3"/><general joint="slide" dyntype="filter" dynprm=".02" actrange="-1 1"/>'
                 '<general joint="hinge" dyntype="filterexact" dynprm=".01" actearly="true"/><pid joint="slide" ki="2"'
                 ' slewmax="30"/><orientation joint="ball"/>'
                 '<motor joint="free" gear="1 2 3 4 5 6" delay=".004" nsample="3" interp="linear"/>')
    ref_model, own_model = models(actuators, option=f'integrator="{integrator}"')
    ref, own = mujoco.MjData(ref_model), lockstep.MjData(own_model)
    rng = np.random.default_rng(0)
    for state in range(20):
        mujoco.mj_resetData(ref_model, ref)
        excite(ref_model, ref, rng)
        copy_state(ref, own)
        for step in range(5):
            mujoco.mj_step(ref_model, ref)
            lockstep.mj_step(own_model, own)
            expect_same(own, ref, ('act', 'act_dot', 'history', 'qpos', 'qvel', 'actuator_length', 'actuator_velocity'),
                        f'state {state}, step {step}')
            copy_state(ref, own)


def expect_same_slopes(pair, what, states=20):
    """How forces change with velocity, as the implicit integrators see it."""
    ref_model, own_model = pair
    for m in pair:
        m.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    rng = np.random.default_rng(0)
    ref, own = mujoco.MjData(ref_model), lockstep.MjData(own_model)
    for state in range(states):
        mujoco.mj_resetData(ref_model, ref)
        excite(ref_model, ref, rng)
        copy_state(ref, own)
        mujoco.mj_step(ref_model, ref)
        lockstep.mj_step(own_model, own)
        expect_same(own, ref, ('qDeriv',), f'{what}, state {state}')


@pytest.mark.parametrize('transmission', ['hinge', 'ball', 'fixed tendon', 'spatial tendon', 'refsite', 'slidercrank'])
def test_slopes(transmission):
    where = TRANSMISSIONS[transmission]
    for name, actuator in SINGLE.items():
        if ' site=' in ' ' + where and '<muscle' in actuator:
            continue
        expect_same_slopes(models(actuator.format(where)), f'{name} on {transmission}')
    for words in MOTOR_INPUTS:
        for parts in MOTOR_PARTS:
            pair = models(f'<dcmotor {where} motorconst=".5 .6" resistance="2" {words} {parts}/>')
            expect_same_slopes(pair, f'{words} {parts} on {transmission}')


@pytest.mark.parametrize('joint', ['', 'actuatorfrcrange="-.6 .4"', 'actuatorfrcrange="-9 9"'])
@pytest.mark.parametrize('cable', ['', 'actuatorfrcrange="-.3 .2"', 'actuatorfrcrange="-1 2"'])
@pytest.mark.parametrize('force', ['', 'forcerange="-.7 .8"'])
def test_saturated_actuators_have_no_slope(joint, cable, force):
    actuators = (f'<velocity joint="hinge" {force}/><position tendon="cable" kp="3" kv="2" {force}/>'
                 f'<velocity tendon="cable" gear="-2" {force}/><position tendon="rope" kv="1"/>'
                 f'<dcmotor tendon="cable" motorconst=".3" resistance="1" cogging=".4 3 0" lugre="9 .1 .2 .3 .1"'
                 f' saturation=".2"/><dcmotor joint="hinge" motorconst=".3" resistance="1" cogging=".4 3 0" saturation=".3"/>'
                 f'<position joint="slide" kv="1.5" group="2"/><orientation joint="ball" kv="2"'
                 f' {force.replace("-.7", "0")}/>')
    pair = models(actuators, hinge=joint, slide=joint, cable=cable, rope=cable, option='actuatorgroupdisable="2"')
    expect_same_slopes(pair, f'{joint} {cable} {force}', states=60)


def test_actuators_switched_off_stand_still():
    xml = ('<mujoco><option><flag actuation="disable"/></option><worldbody><body><joint name="j"/><geom size=".1"/></body>'
           '</worldbody><actuator><position name="a" joint="j" kp="3" kv="1"/></actuator>'
           '<sensor><actuatorvel actuator="a"/><actuatorpos actuator="a"/></sensor></mujoco>')
    found = []
    for engine in (mujoco, lockstep):
        m = engine.MjModel.from_xml_string(xml)
        d = engine.MjData(m)
        d.qpos[0], d.qvel[0], d.actuator_velocity[0] = 0.5, 2, 7
        engine.mj_forward(m, d)
        found.append([*d.actuator_velocity, *d.actuator_length, *d.sensordata])
    np.testing.assert_array_equal(found[0], found[1])
    assert found[0][0] == 0 and found[0][1] == 0.5
