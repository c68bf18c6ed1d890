"""Numbers of a model that decide what there is, given to some worlds: the worlds beside them do not notice."""
import mujoco
import mujoco.batch
import numpy as np
import pytest

import lockstep
import lockstep.batch

SERVO = """
<mujoco>
  <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
  <actuator><pid joint="j" kp="5" kv="2" input="pos" ki="4" slewmax="2"/></actuator>
</mujoco>
"""
MOTOR = """
<mujoco>
  <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
  <actuator>
    <dcmotor joint="j" motorconst=".05 .05" resistance="2" inductance=".002"/>
    <general joint="j" dyntype="filter" dynprm=".1"/>
  </actuator>
</mujoco>
"""
CAMERA = """
<mujoco>
  <worldbody>
    <body><joint/><geom size=".1"/><site name="s" pos=".1 .1 .2"/></body>
    <camera name="c" pos="0 -1 .2" xyaxes="1 0 0 0 .1 1" focal=".03 .02" sensorsize=".02 .02" resolution="4 4"/>
  </worldbody>
  <sensor><camprojection site="s" camera="c"/></sensor>
</mujoco>
"""
ROPE = """
<mujoco>
  <worldbody>
    <geom name="pulley" type="cylinder" size=".1 .2" zaxis="0 1 0" pos="0 0 .5"/>
    <site name="up" pos="0 0 .7"/><site name="down" pos="0 0 .3"/><site name="a" pos="-.5 0 .5"/>
    <body pos=".5 0 .5"><joint axis="0 1 0" pos=".2 0 0"/><geom size=".05"/><site name="b"/></body>
  </worldbody>
  <tendon><spatial stiffness="50"><site site="a"/><geom geom="pulley" sidesite="up"/><site site="b"/></spatial></tendon>
</mujoco>
"""
# model, field, place in it, value in one world
SWITCHES = {'integral of a pid': (SERVO, 'actuator_gainprm', (0, 0), 0), 'slew of a pid': (SERVO, 'actuator_dynprm', (0, 1), 0),
            'gain of a pid': (SERVO, 'actuator_gainprm', (0, 0), 9), 'size of a sensor': (CAMERA, 'cam_sensorsize', (0, 0), .05),
            'lens of a camera': (CAMERA, 'cam_intrinsic', (0, 1), .05), 'side of a tendon': (ROPE, 'wrap_prm', (1,), 1),
            'bounding sphere': (ROPE, 'geom_rbound', (0,), 0)}


@pytest.mark.parametrize('world', [0, 3])
@pytest.mark.parametrize('name', SWITCHES)
def test_neighbours_do_not_notice(name, world):
    xml, field, place, value = SWITCHES[name]
    found = []
    for package, width in ((mujoco, None), *((lockstep, width) for width in (1, 2, 4, 8))):
        options = {} if width is None else {'width': width}
        batch = package.batch.Batch(package.MjModel.from_xml_string(xml), 9, 1, **options)
        batch.bind('sensordata'), batch.bind('ten_length')
        batch.expand(field)[(world, *place)] = value
        if batch.ctrl.size:
            batch.ctrl = 1
        batch.qvel = np.linspace(-1, 1, 9)[:, None]
        batch.step(nstep=40)
        found.append(np.hstack([batch.qpos, batch.qvel, batch.act, batch.sensordata, batch.ten_length]))
    theirs, alone, *lanes = found
    np.testing.assert_allclose(alone, theirs, rtol=1e-8, atol=1e-10)
    for rows in lanes:
        np.testing.assert_array_equal(rows, alone)


@pytest.mark.parametrize('field, prm', [('actuator_dynprm', 0), ('actuator_dynprm', 2), ('actuator_dynprm', 5),
                                        ('actuator_dynprm', 7), ('actuator_gainprm', 5)])
def test_motors_with_other_states_are_refused(field, prm):
    value = 0 if (field, prm) == ('actuator_dynprm', 0) else 0.3
    for package in (lockstep, mujoco):
        model = package.MjModel.from_xml_string(MOTOR)
        batch, plain = (package.batch.Batch(model, 5, 1) for _ in range(2))
        batch.expand(field)[1, 0, prm] = value
        batch.ctrl = plain.ctrl = 1
        with pytest.raises(RuntimeError, match='inconsistent state array dimension in DC motor') as refused:
            batch.step(nstep=5)
        np.testing.assert_array_equal(refused.value.ids, [1])
        plain.step(nstep=5)
        others = [0, 2, 3, 4]
        np.testing.assert_array_equal(batch.state[others], plain.state[others])
        getattr(model, field)[0, prm] = value
        with pytest.raises(package.FatalError, match='DC motor'):
            package.mj_step(model, package.MjData(model))


@pytest.mark.parametrize('side', [100, 1e9, 1e300])
def test_sides_of_tendons_that_are_no_sites_are_refused(side):
    for package in (lockstep, mujoco):
        model = package.MjModel.from_xml_string(ROPE)
        batch = package.batch.Batch(model, 5, 1)
        batch.expand('wrap_prm')[1, 1] = side
        with pytest.raises(RuntimeError, match='invalid sideid') as refused:
            batch.step(nstep=2)
        np.testing.assert_array_equal(refused.value.ids, [1])
    model = lockstep.MjModel.from_xml_string(ROPE)
    model.wrap_prm[1] = side
    with pytest.raises(lockstep.FatalError, match='invalid sideid'):
        lockstep.mj_step(model, lockstep.MjData(model))
    lockstep.mj_fwdPosition(model, lockstep.MjData(model))


@pytest.mark.parametrize('field', ['geom_condim', 'opt.iterations'])
def test_wrong_motors_are_refused_whatever_else_differs(field):
    for package in (lockstep, mujoco):
        model = package.MjModel.from_xml_string(MOTOR)
        model.actuator_dynprm[0, 2] = .3
        batch = package.batch.Batch(model, 2, 1)
        batch.expand(field)
        with pytest.raises(RuntimeError, match='DC motor'):
            batch.step()
