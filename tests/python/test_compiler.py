"""What the compiler does with a body tree, one small model per rule, field by field against MuJoCo."""
import mujoco
import parity
import pytest

import lockstep


def model(body='', head='', tail=''):
    return f'<mujoco>{head}<worldbody>{body}</worldbody>{tail}</mujoco>'


TETRAHEDRON = 'vertex="0 0 0 1 0 0 0 2 0 0 0 1.5" face="0 2 1 0 1 3 1 2 3 2 0 3"'
MESH = f'<asset><mesh name="m" {TETRAHEDRON}/></asset>'

SETTINGS = ['', 'inertiagrouprange="0 3"', 'inertiafromgeom="false"', 'inertiafromgeom="true"',
            'boundmass="2" boundinertia=".5"', 'balanceinertia="true"', 'settotalmass="10"', 'alignfree="true"']
BODIES = [
    '<body pos="1 2 3"><geom type="box" size=".3 .2 .1" pos="1 0 0" quat="1 1 0 0"/>'
    '<geom size=".1" group="4" pos="0 1 0"/></body>',
    '<body pos="1 2 3" quat="1 2 3 4"><inertial pos="1 2 3" mass="1" diaginertia="1 1.5 2" euler="10 20 30"/>'
    '<geom type="capsule" size=".1" fromto="0 0 0 1 1 1"/></body>',
    '<body><freejoint/><geom type="box" size=".3 .2 .1" pos="1 0 0" quat="1 1 0 0"/><site pos="1 0 0"/>'
    '<camera pos="0 1 0"/><light pos="0 0 1" dir="1 0 0"/></body>',
    '<body><inertial pos="0 0 0" mass="1" fullinertia="1 2 2.5 .1 .2 .3"/><joint type="slide"/><site/></body>',
    '<frame pos="1 0 0" euler="0 0 30"><body pos="1 2 3" axisangle="1 1 0 40"></body></frame>',
    '<body><frame euler="0 0 30" pos="1 0 0"><inertial pos="1 0 0" mass="1" diaginertia="1 1.5 2"/>'
    '<joint axis="1 0 0" pos="0 1 0"/></frame></body>',
    '<body><geom size=".1" mass="0" pos="1 0 0"/><geom size=".1" mass="0"/></body>',
]
SHAPES = {'sphere': '.1', 'capsule': '.1 .2', 'cylinder': '.1 .2', 'ellipsoid': '.1 .2 .3', 'box': '.1 .2 .3'}
JOINTS = ['range="1 -1"', 'range="-1 1" limited="false"', 'springdamper="1 2"', 'actuatorfrcrange="-2 1"',
          'type="free" range="1 2" limited="true"', 'type="ball" springdamper="1 2" pos="1 0 0" springyield="30"',
          'stiffness="1 2 3" damping="4 5 6" ref="10" springref="20" range="-10 20" springyield="30" margin="1"',
          'type="slide" axis="1 2 3" pos="1 0 0" ref="10" springref="20" range="-1 2" user="1 2 3"']
ARM = ('<body name="a" pos="0 0 1"><joint name="j"/><geom size=".1" name="ga"/>'
       '<body name="b" pos="1 0 0" euler="0 0 30"><geom type="box" size=".1 .2 .3" name="gb"/><site name="sb"/>'
       '<body name="c" pos="0 1 0"><joint/><geom size=".1"/></body></body>'
       '<geom name="g2" size=".1"/><frame pos="0 0 1"><body name="d"><geom name="gd" size=".1"/></body></frame></body>')
KEEPS = ['', '<contact><exclude body1="b" body2="c"/></contact>', '<sensor><force site="sb"/></sensor>',
         '<equality><weld body1="b"/></equality>', '<sensor><framepos objtype="site" objname="sb"/></sensor>']
VISUAL = ('<body name="b"><joint/><geom name="c" size=".1" material="a1"/>'
          '<geom name="v" contype="0" conaffinity="0" size=".2" pos="1 0 0"/>'
          '<geom name="mv" contype="0" conaffinity="0" type="mesh" mesh="m2" mass="0"/>'
          '<geom name="mc" type="mesh" mesh="m1"/><site type="mesh" mesh="m3"/></body>')
VISUAL_ASSETS = ('<asset>' + ''.join(f'<mesh name="m{i}" {TETRAHEDRON}/>' for i in (1, 2, 3)) +
                 '<texture name="t1" type="2d" builtin="flat" width="8" height="8"/>'
                 '<material name="a1" texture="t1"/><material name="a2"/></asset>')
SCALED = ('<frame pos="1 2 3" {}><body pos="1 1 1"><joint axis="0 1 0" stiffness="1 2 3" damping="1 2 3" armature=".1" '
          'frictionloss=".2" actuatorfrcrange="-1 1"/><geom type="box" size=".1 .2 .3" pos="1 0 0" friction="1 .1 .01" '
          'margin=".01" gap=".02" adhesion="2"/><geom type="mesh" mesh="m" density="500"/>'
          '<geom type="box" size=".1 .1 .1" shellinertia="true" density="10"/><site pos="0 0 1" size=".1"/>'
          '<camera pos="1 0 0"/><light pos="0 0 1" range="3" attenuation="1 2 3"/><body pos="0 0 1">'
          '<joint type="slide" stiffness="1 2 3" damping="1 2 3" range="-1 1" ref=".5"/>'
          '<inertial pos=".1 0 0" mass="2" diaginertia="1 1.5 2"/></body></body></frame>'
          '<geom type="mesh" mesh="m"/>')
SCALES = ['scale="2"', 'scale="2" massscale="3"', 'scale="2" scaling="geometry"', 'massscale="3"',
          'scale="2" euler="10 20 30"']


def cases():
    for setting in SETTINGS:
        for body in BODIES:
            yield model(body, f'<compiler {setting}/>')
    for shape, size in SHAPES.items():
        for more in ('', 'shellinertia="true"', 'mass="3"', 'density="7"', 'fluidshape="ellipsoid"'):
            yield model(f'<body><joint/><geom type="{shape}" size="{size}" {more} pos=".1 .2 .3" zaxis="1 1 1"/>'
                        f'<geom type="{shape}" size="{size}" {more} xyaxes="1 1 0 0 1 1"/></body>')
        for fit in ('false', 'true'):
            yield model(f'<body><joint/><geom mesh="m" type="{shape}" fitscale="1.5" pos="1 2 3" quat="1 0 0 1"/></body>',
                        f'<compiler fitaabb="{fit}"/>' + MESH)
    for joint in JOINTS:
        yield model(f'<body><joint {joint}/><geom size="1"/></body>')
    for keep in KEEPS:
        yield model(ARM, '<compiler fusestatic="true"/>', keep)
    for setting in ('inertiafromgeom="true"', 'inertiafromgeom="true" boundmass="9"', 'boundmass="100"'):
        yield model(ARM, f'<compiler fusestatic="true" {setting}/>')
    yield model(ARM, '<compiler fusestatic="true"/><option density="1"/>')
    for visual in (VISUAL, VISUAL.replace('size=".2"', 'size=".2" fluidshape="ellipsoid"')):
        yield model(visual, '<compiler discardvisual="true"/>' + VISUAL_ASSETS)
    for scale in SCALES:
        yield model(SCALED.format(scale), MESH)
    yield model('<frame scale="1 2 3" scaling="geometry"><frame euler="0 0 90"><geom type="box" size=".1 .2 .3"/></frame>'
                '<body pos="1 1 1"><joint type="slide" axis="0 1 0" range="-1 1"/><inertial pos="1 0 0" mass="2" '
                'diaginertia="1 1.5 2" euler="10 20 30"/><site type="box" euler="0 0 20"/></body></frame>')


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize('xml', list(cases()), ids=lambda _: '')
def test_model_equals_mujoco(xml):
    try:
        reference = mujoco.MjModel.from_xml_string(xml)
    except ValueError:  # some settings do not fit some bodies
        with pytest.raises(ValueError):
            lockstep.MjModel.from_xml_string(xml)
        return
    result = parity.compare(lockstep.MjModel.from_xml_string(xml), reference)
    assert not result.deviations, f'{xml}: {result}'


WRONG = {
    '<body name="a"/><body name="a"/>': 'name',
    '<body name="a"><joint/></body>': 'mass',
    '<geom type="plane" size="0 0 0"/>': 'size',
    '<body><joint/><geom type="plane" size="1 1 1"/></body>': 'type',
    '<body mocap="true"><joint/><geom size="1"/></body>': 'mocap',
    '<body><joint type="ball"/><joint/><geom size="1"/></body>': 'type',
    '<body><joint axis="0 0 0"/><geom size="1"/></body>': 'axis',
    '<body><joint springdamper="1 -1"/><geom size="1"/></body>': 'springdamper',
    '<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>': 'diaginertia',
    '<geom type="capsule" fromto="0 0 0 0 0 0" size="1"/>': 'fromto',
    '<body zaxis="0 0 0"/>': 'zaxis',
    '<light dir="0 0 0"/>': 'dir',
    '<geom size="1" material="zzz"/>': 'material',
    '<frame scale="1 2 3"><geom size=".1"/></frame>': 'scale',
}


@pytest.mark.parametrize('body, attribute', WRONG.items(), ids=lambda value: value if value.isalpha() else '')
def test_error_names_the_attribute(body, attribute):
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(model(body))
    with pytest.raises(ValueError, match=f"attribute '{attribute}'"):
        lockstep.MjModel.from_xml_string(model(body))


CLASSES = ('<default><default class="a"><geom rgba="1 0 0 1"/></default>'
           '<default class="b"><geom rgba="0 1 0 1"/></default></default>')
GEOM = '<geom size="1"/>'


@pytest.mark.parametrize('tree', [
    f'<frame class="a">{GEOM}</frame>', f'<frame class="a" childclass="b">{GEOM}</frame>',
    f'<frame class="a"><body>{GEOM}</body></frame>', f'<body childclass="b"><frame class="a">{GEOM}</frame></body>',
    f'<frame childclass="b"><body class="a">{GEOM}</body></frame>', f'<frame><body class="a">{GEOM}</body></frame>',
    f'<frame><body class="a">{GEOM}<body class="b">{GEOM}</body></body></frame>',
    f'<frame><body>{GEOM}<body class="b">{GEOM}</body></body></frame>',
    f'<frame><body class="a" childclass="b">{GEOM}</body></frame>', f'<replicate count="1" class="a">{GEOM}</replicate>',
    f'<replicate count="2"><body class="a">{GEOM}</body></replicate>',
    f'<frame class="a"><frame class="b">{GEOM}</frame>{GEOM}</frame>',
    f'<frame childclass="a"><frame class="main">{GEOM}</frame>{GEOM}</frame>',
])
def test_class_stands_for_childclass_inside_frames(tree):
    xml = model(tree, CLASSES)
    result = parity.compare(lockstep.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml))
    assert not result.deviations, str(result)


@pytest.mark.parametrize('tree', [
    f'<body class="a">{GEOM}</body>', f'<frame class="zz">{GEOM}</frame>', f'<frame class="">{GEOM}</frame>',
    f'<frame><body class="zz" childclass="a">{GEOM}</body></frame>'])
def test_refused_classes(tree):
    for package in (mujoco, lockstep):
        with pytest.raises(ValueError, match='class'):
            package.MjModel.from_xml_string(model(tree, CLASSES))
