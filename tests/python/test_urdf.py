"""URDF, compared with MuJoCo's reading of it."""
import re

import mujoco
import parity
import pytest

import lockstep

TETRAHEDRON = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
INERTIA = ('<inertial><origin xyz=".1 .2 .3" rpy=".1 .2 .3"/><mass value="2"/>'
           '<inertia ixx="1" iyy="1.1" izz="1.2" ixy=".01" ixz=".02" iyz=".03"/></inertial>')
BALL = '<collision><geometry><sphere radius=".1"/></geometry></collision>'
KEEP = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>'


def robot(*parts, name=' name="r"'):
    return f'<robot{name}>{"".join(parts)}</robot>'


def link(name, inside=INERTIA + BALL):
    return f'<link name="{name}">{inside}</link>'


def joint(kind, inside='', name='j', parent='a', child='b'):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def pair(kind, inside=''):
    return robot(link('a'), link('b'), joint(kind, inside))


def shape(text, kind='collision'):
    return robot(KEEP, link('a', f'<{kind} name="g"><origin xyz="1 2 3" rpy="1 .5 .2"/><geometry>{text}</geometry></{kind}>'))


def follower(attributes, kind='revolute'):
    return robot(link('a'), link('b'), link('c'), joint('revolute', f'<mimic {attributes}/>', 'k', 'b', 'c'), joint(kind))


PLACE = '<origin xyz="1 2 3" rpy=".3 -.2 .5"/><axis xyz="0 1 2"/><dynamics damping="2" friction=".5"/>'
KINDS = ('revolute', 'continuous', 'prismatic', 'floating', 'planar', 'spherical', 'fixed')
LIMITS = ('lower="-1" upper="2" effort="3"', 'lower="1" upper="1"', 'upper="1" effort="-4"', 'lower="2" upper="1"', '')
MODELS = {
    **{f'{kind} joint': pair(kind, PLACE) for kind in KINDS},
    **{f'limits {limits}': pair('revolute', f'<limit {limits}/>') for limits in LIMITS},
    'limits of a continuous joint': pair('continuous', '<limit lower="-1" upper="x" effort="2"/>'),
    'limits of a planar joint': pair('planar', '<limit lower="-1" upper="1" effort="2"/>'),
    'robot without a name': robot(link('a'), name=''),
    'robot with an empty name': robot(link('a'), name=' name=""'),
    'several roots': robot(link('a'), link('b')),
    'static bodies kept': robot(KEEP, link('a'), link('b', ''), link('c'), joint('fixed'), joint('revolute', '', 'k', 'b', 'c')),
    'a link called world': robot(link('world'), link('b'), joint('revolute', parent='world')),
    'joints before links': robot(joint('revolute'), link('b'), link('a')),
    'joints of one name': robot(link('a'), link('b'), link('c'), joint('revolute'), joint('revolute', child='c')),
    'geoms of one name': robot(link('a', BALL.replace('<collision', '<collision name="x"') * 2 + BALL)),
    'settings': robot('<mujoco><compiler angle="degree" balanceinertia="true" noise="1"/><option timestep=".01"><flag gravity='
                      '"disable"/></option><default/></mujoco>', link('a'), link('b'), joint('revolute', '<limit lower="-1" upper="1"/>')),
    'unknown elements': robot('<transmission/><gazebo><x/></gazebo>', link('a')),
    'colors': robot(KEEP, '<material name="m"><color rgba="1 0 0 1"/></material>', link(
        'a', '<visual><geometry><box size="1 2 3"/></geometry><material name="m"/></visual>' + BALL), link(
        'b', '<visual><geometry><box size="1 2 3"/></geometry><material name="?"/></visual>' + BALL)),
    'negative color': robot(KEEP, link('a', (
        '<visual><geometry><box size="1 2 3"/></geometry><material name="m"><color rgba="-1 0 0 1"/></material></visual>'))),
    'visuals are left out': robot(link('a', BALL + '<visual><geometry><nothing/></geometry></visual>')),
    'box': shape('<box size="1 2 3"/>'), 'cylinder': shape('<cylinder radius="1" length="3"/>'), 'sphere': shape('<sphere radius="1"/>'),
    'capsule': shape('<capsule radius="1" length="3"/>'), 'visual': shape('<box size="1 2 3"/>', 'visual'),
    'mimic': follower('joint="j" multiplier="2" offset="1"'), 'mimic without numbers': follower('joint="j"'),
    'mimic of nothing': follower('joint="?"'), 'mimic of a planar joint': follower('joint="j"', 'planar'),
}
MESHES = {
    'mesh': '<mesh filename="x.obj"/>', 'mesh in a folder': '<mesh filename="a/x.obj" scale="1 2 3"/>',
    'mesh of two dots': '<mesh filename="x.y.obj"/>',
}
WRONG = {
    'no name': robot('<link/>'), 'repeated link': robot(link('a'), link('a')), 'unknown joint': pair('elastic'),
    'unknown parent': robot(link('b'), joint('revolute')), 'no child': robot(link('a'), '<joint name="j" type="fixed"><parent link="a"/></joint>'),
    'two parents': robot(link('a'), link('b'), link('c'), joint('revolute'), joint('revolute', '', 'k', 'c')),
    'loop': robot(link('a'), link('b'), joint('revolute'), joint('revolute', '', 'k', 'b', 'a')),
    'no mass': robot(link('a', '<inertial><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')),
    'part of an inertia': robot(link('a', '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>')),
    'negative inertia': robot(link('a', INERTIA.replace('ixx="1"', 'ixx="-1"'))),
    'no inertia of a moving link': robot(link('a'), link('b', ''), joint('revolute')),
    'no geometry': robot(link('a', '<collision/>')), 'no shape': shape(''), 'box without size': shape('<box/>'),
    'flat box': shape('<box size="1 2 0"/>'), 'missing mesh': shape('<mesh filename="nowhere.stl"/>'),
    'word for a number': pair('revolute', '<limit lower="x"/>'), 'two numbers for an angle': pair('revolute', '<origin rpy="1 2"/>'),
    'axis without direction': pair('revolute', '<axis/>'), 'no axis': pair('revolute', '<axis xyz="0 0 0"/>'),
    'repeated origin': pair('revolute', '<origin/><origin/>'), 'short color': robot(link('a', (
        '<visual><geometry/><material name="m"><color rgba="1 0"/></material></visual>'))),
    'empty color': robot('<material name="m"><color rgba=""/></material>', link('a')),
    'empty radius': shape('<sphere radius=""/>'), 'empty axis': pair('revolute', '<axis xyz=" "/>'),
    'mimic without joint': follower('multiplier="2"'), 'mimic of itself': follower('joint="k"'),
    'two settings': robot('<mujoco/><mujoco/>', link('a')),
}


@pytest.mark.filterwarnings('ignore::UserWarning')
@pytest.mark.parametrize('text', MODELS.values(), ids=MODELS)
def test_model(text):
    result = parity.compare(lockstep.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text))
    assert not result.deviations, str(result)


@pytest.mark.parametrize('text', MESHES.values(), ids=MESHES)
def test_meshes(text, tmp_path):
    """Two of each, and one more of another scale."""
    for name in ('x.obj', 'x.y.obj', 'a/x.obj'):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(TETRAHEDRON)
    other = re.sub(r'( scale="[^"]*")?/>', ' scale="2 2 2"/>', text)
    geoms = ''.join(f'<collision><geometry>{mesh}</geometry></collision>' for mesh in (text, text, other, '<mesh filename="x.obj"/>'))
    path = tmp_path / 'model.urdf'
    path.write_text(robot(link('a', geoms)))
    result = parity.compare(lockstep.MjModel.from_xml_path(str(path)), mujoco.MjModel.from_xml_path(str(path)))
    assert not result.deviations, str(result)


@pytest.mark.parametrize('text', WRONG.values(), ids=WRONG)
def test_wrong(text, tmp_path):
    path = tmp_path / 'model.urdf'
    path.write_text(text)
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(str(path))
    with pytest.raises(ValueError, match=re.escape(str(path)) + r':\d+'):
        lockstep.MjModel.from_xml_path(str(path))


def test_saved_as_mjcf():
    spec = lockstep.MjSpec.from_string(pair('revolute', PLACE))
    own = spec.compile()
    again = lockstep.MjModel.from_xml_string(spec.to_xml())
    assert (again.nbody, again.njnt, again.ngeom) == (own.nbody, own.njnt, own.ngeom)
