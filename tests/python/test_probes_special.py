"""Probes of attributes that need a model of their own to have an effect: with the attribute MuJoCo's model differs from the one
without it, and ours is MuJoCo's."""
import mujoco
import parity
import probes
import pytest

import lockstep

HINGE = ('<body name="b"><joint name="j" range="-30 40"/><geom name="g" size=".1 .2 .3" type="box"/><site name="s" pos=".2 0 0"/></body>')
ARM = '<body><joint name="j" axis="0 1 0" range="-60 70"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body>'
CUBE = '0 0 0  1 0 0  0 1 0  0 0 1  1 1 0  1 0 1  0 1 1  1 1 1'


def world(body, after='', before=''):
    return f'<mujoco>{before}<worldbody>{body}</worldbody>{after}</mujoco>'


def compiler(attributes, body, after=''):
    return world(body, after, f'<compiler {attributes}/>')


def muscle(attributes='', actuator=''):
    return world(ARM, f'<actuator><muscle joint="j" {actuator}/></actuator>', f'<compiler><lengthrange {attributes}/></compiler>')


def actuator(tag, attributes, joint='j', before=''):
    return world(HINGE, f'<actuator><{tag} joint="{joint}" {attributes}/></actuator>', before)


def default(tag, attributes, body=HINGE, after='', assets=''):
    return world(body, after, f'<default><{tag} {attributes}/></default>{assets}')


def asset(text, body='<geom size="1"/>'):
    return world(body, '', f'<asset>{text}</asset>')


def mesh(attributes):
    return asset(f'<mesh name="m" {attributes}/>', '<geom type="mesh" mesh="m"/>')


TEXTURE = '<texture name="t" type="2d" builtin="{}" width="6" height="4" {}/>'
BALL = '<body><joint name="ball" type="ball"/><geom size=".1"/></body><body><joint name="round" type="ball"/><geom size=".1"/></body>'
TENDONS = ('<tendon><fixed name="t" range="0 1"><joint joint="j" coef="1"/></fixed><fixed name="u" range="0 2"><joint joint="j" coef="2"/>'
           '</fixed></tendon>')
SMALL = ('<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1.5"/><joint/></body>')

# attribute: model without, model with it
PROBES = {
    '@model': (world(HINGE), world(HINGE).replace('<mujoco', '<mujoco model="other"')),
    'compiler@inertiagrouprange': (world(HINGE + '<body><joint/><geom size=".1" group="3"/><geom size=".2"/></body>'),
                                   compiler('inertiagrouprange="0 1"', HINGE + '<body><joint/><geom size=".1" group="3"/><geom size=".2"/></body>')),
    'compiler@autolimits': (world(HINGE.replace('range=', 'limited="false" range=')),
                            compiler('autolimits="true"', HINGE)),
    'compiler@balanceinertia': (world(SMALL), compiler('balanceinertia="true"', SMALL.replace('1 1 1.5', '1 1 3'))),
    'compiler@alignfree': (world('<body><freejoint/><geom size=".1" pos=".1 0 0"/></body>'),
                           compiler('alignfree="true"', '<body><freejoint/><geom size=".1" pos=".1 0 0"/></body>')),
    'lengthrange@useexisting': (muscle('', 'lengthrange=".1 .2"'), muscle('useexisting="false"', 'lengthrange=".1 .2"')),
    'lengthrange@uselimit': (muscle(), muscle('uselimit="true"')),
    'lengthrange@accel': (muscle(), muscle('accel="40"')),
    'lengthrange@maxforce': (muscle(), muscle('maxforce=".5"')),
    'lengthrange@timeconst': (muscle('inttotal="3" interval=".5"'), muscle('timeconst=".5" inttotal="3" interval=".5"')),
    'lengthrange@timestep': (muscle(), muscle('timestep=".004"')),
    'lengthrange@inttotal': (muscle(), muscle('inttotal="4"')),
    'lengthrange@interval': (muscle(), muscle('interval="9" tolrange="2"')),
    'flag@ipc': (world(HINGE, '', '<option integrator="discrete"/>'),
                 world(HINGE, '', '<option integrator="discrete"><flag ipc="enable"/></option>')),
    'mesh@maxhullvert': (mesh(f'vertex="{CUBE}"'), mesh(f'vertex="{CUBE}" maxhullvert="5"')),
    'mesh@params': (mesh('builtin="sphere" params="1"'), mesh('builtin="sphere" params="2"')),
    'mesh@builtin': (mesh('builtin="sphere" params="1"'), mesh('builtin="hemisphere" params="1"')),
    'default/mesh@maxhullvert': (mesh(f'vertex="{CUBE}"'), mesh(f'vertex="{CUBE}"').replace(
        '<asset>', '<default><mesh maxhullvert="5"/></default><asset>')),
    'texture@rgb2': (asset(TEXTURE.format('checker', '')), asset(TEXTURE.format('checker', 'rgb2="1 0 0"'))),
    'texture@markrgb': (asset(TEXTURE.format('flat', 'mark="edge"')), asset(TEXTURE.format('flat', 'mark="edge" markrgb="1 0 0"'))),
    'body@mocap': (world('<body><geom size=".1"/></body>'), world('<body mocap="true"><geom size=".1"/></body>')),
    'body@simple': (world('<body><freejoint/><geom size=".1"/></body>'), world('<body simple="false"><freejoint/><geom size=".1"/></body>')),
    'body@fuse': (compiler('fusestatic="true"', HINGE + '<body name="x" pos="1 0 0"><geom size=".1"/></body>'),
                  compiler('fusestatic="true"', HINGE + '<body name="x" pos="1 0 0" fuse="false"><geom size=".1"/></body>')),
    'site@fromto': (world('<site type="capsule" size=".1 .2"/>'), world('<site type="capsule" size=".1" fromto="0 0 0 .1 .2 .3"/>')),
    'site@mesh': (mesh(f'vertex="{CUBE}"'), mesh(f'vertex="{CUBE}"').replace('</worldbody>', '<site type="mesh" mesh="m"/></worldbody>')),
    'general@actdim': (actuator('general', 'dyntype="user" gainprm="1"'), actuator('general', 'dyntype="user" actdim="3"')),
    'general@actrange': (actuator('general', 'dyntype="integrator"'), actuator('general', 'dyntype="integrator" actrange="-1 2"')),
    'default/intvelocity@actrange': (actuator('intvelocity', 'actrange="-2 2"'),
                                     actuator('intvelocity', '', before='<default><intvelocity actrange="-1 2"/></default>')),
    'position@inheritrange': (actuator('position', ''), actuator('position', 'inheritrange=".5"')),
    'intvelocity@inheritrange': (actuator('intvelocity', 'actrange="-2 2"'), actuator('intvelocity', 'inheritrange=".5"')),
    'pid@inheritrange': (actuator('pid', ''), actuator('pid', 'inheritrange=".5"')),
    'pid@imax': (actuator('pid', 'ki="2"'), actuator('pid', 'ki="2" imax="3"')),
    'pid@ffrange': (actuator('pid', 'input="pos vel ff"'), actuator('pid', 'input="pos vel ff" ffrange="-1 2"')),
    'pid@velrange': (actuator('pid', 'input="pos vel"'), actuator('pid', 'input="pos vel" velrange="-1 2"')),
    'default/position@inheritrange': (actuator('position', ''),
                                      actuator('position', '', before='<default><position inheritrange=".5"/></default>')),
    'orientation@joint': (world(BALL, '<actuator><orientation joint="ball"/></actuator>'),
                          world(BALL, '<actuator><orientation joint="round"/></actuator>')),
    'ballquat@joint': (world(BALL, '<sensor><ballquat joint="ball"/></sensor>'), world(BALL, '<sensor><ballquat joint="round"/></sensor>')),
    'ballangvel@joint': (world(BALL, '<sensor><ballangvel joint="ball"/></sensor>'),
                         world(BALL, '<sensor><ballangvel joint="round"/></sensor>')),
    **{f'{kind}@tendon': (world(HINGE, TENDONS + f'<sensor><{kind} tendon="t"/></sensor>'),
                          world(HINGE, TENDONS + f'<sensor><{kind} tendon="u"/></sensor>'))
       for kind in ('tendonlimitpos', 'tendonlimitvel', 'tendonlimitfrc')},
    'user@objname': (world(HINGE, '<sensor><user dim="2" needstage="pos"/></sensor>'),
                     world(HINGE, '<sensor><user dim="2" needstage="pos" objtype="site" objname="s"/></sensor>')),
    'key@act': (world(HINGE, '<actuator><cylinder joint="j"/></actuator><keyframe><key/></keyframe>'),
                world(HINGE, '<actuator><cylinder joint="j"/></actuator><keyframe><key act="2"/></keyframe>')),
    'key@plastic': (world(HINGE.replace('range=', 'stiffness="1" springyield="1" range='), '<keyframe><key/></keyframe>'),
                    world(HINGE.replace('range=', 'stiffness="1" springyield="1" range='), '<keyframe><key plastic=".3"/></keyframe>')),
    'default/joint@axis': (default('joint', 'damping="1"'), default('joint', 'damping="1" axis="1 2 0"')),
    'default/geom@type': (world('<geom size=".1 .2 .3"/>'), default('geom', 'type="box"', '<geom size=".1 .2 .3"/>')),
    'default/geom@shellinertia': (world(HINGE), default('geom', 'shellinertia="true"')),
    'default/geom@mesh': (mesh(f'vertex="{CUBE}"'), mesh(f'vertex="{CUBE}"').replace(
        '<asset>', '<default><geom type="mesh" mesh="m"/></default><asset>').replace('<geom type="mesh" mesh="m"/></world', '<geom pos="1 0 0"/></world')),
    'default/tendon@armature': (world(HINGE, TENDONS), default('tendon', 'armature=".3"', HINGE, TENDONS)),
    'default/general@actlimited': (actuator('general', 'dyntype="integrator" actrange="-1 2"'), actuator(
        'general', 'dyntype="integrator" actrange="-1 2"', before='<default><general actlimited="false"/></default>')),
    'default/material@rgba': (asset('<material name="m"/>', '<geom size="1" material="m"/>'), world(
        '<geom size="1" material="m"/>', '', '<default><material rgba=".1 .2 .3 .4"/></default><asset><material name="m"/></asset>')),
    'default/texture@builtin': (asset(TEXTURE.format('flat', '')), world('<geom size="1"/>', '', (
        '<default><texture builtin="checker" rgb2="1 0 0"/></default><asset><texture name="t" type="2d" width="6" height="4"/></asset>'))),
    'default/dcmotor@resistance': (actuator('dcmotor', 'motorconst=".05 .06" resistance="2"'), actuator(
        'dcmotor', 'motorconst=".05 .06"', before='<default><dcmotor motorconst=".05 .06" resistance="3"/></default>')),
    'dcmotor@nominal': (actuator('dcmotor', 'motorconst=".05 .06" resistance="2"'), actuator('dcmotor', 'nominal="12 .5 100"')),
    'dcmotor@controller': (actuator('dcmotor', 'motorconst=".05 .06" resistance="2" input="pos"'),
                           actuator('dcmotor', 'motorconst=".05 .06" resistance="2" input="pos" controller="1 2 3"')),
}


@pytest.mark.filterwarnings('ignore::UserWarning')
@pytest.mark.parametrize('without, used', PROBES.values(), ids=PROBES)
def test_probe(without, used):
    plain, ref = mujoco.MjModel.from_xml_string(without), mujoco.MjModel.from_xml_string(used)
    assert not probes.same(plain, ref), 'the attribute has no effect in this model'
    for xml, model in ((without, plain), (used, ref)):
        result = parity.compare(lockstep.MjModel.from_xml_string(xml), model)
        assert not result.deviations, str(result)
