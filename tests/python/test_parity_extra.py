"""Small models with what files in the wild do: each is compared with MuJoCo's, or refused by both."""
import math

import mujoco
import numpy as np
import parity
import pytest

import lockstep

TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
MESH = '<mujoco><asset><mesh name="a" file="a.obj"/></asset></mujoco>'


def polygon(corners):
    """A tetrahedron and a flat face with many corners above it."""
    angles = [2 * math.pi * k / corners for k in range(corners)]
    points = ''.join(f'v {math.cos(a):.6f} {math.sin(a):.6f} 2\n' for a in angles)
    return TETRAHEDRON + points + 'f ' + ' '.join(str(5 + k) for k in range(corners)) + '\n'


def assert_same(xml, assets=None):
    files = {name: text.encode() for name, text in (assets or {}).items()}
    result = parity.compare(lockstep.MjModel.from_xml_string(xml, files), mujoco.MjModel.from_xml_string(xml, files))
    assert not result.deviations, str(result)


def assert_refused(xml, assets=None, match=None):
    files = {name: text.encode() for name, text in (assets or {}).items()}
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(xml, files)
    with pytest.raises(ValueError, match=match):
        lockstep.MjModel.from_xml_string(xml, files)


@pytest.mark.parametrize('part', [
    '<body name="a"><geom size="1"/></body>',
    '<frame pos="1 0 0"><geom size="1"/></frame>',
    '<body><inertial mass="1"/><site size="0"/><replicate/><flexcomp/></body>',
    '<replicate><geom/></replicate>',
    '<body name="a"/><worldbody><body name="a"><geom size="1"/></body></worldbody><body name="a"/>',
])
def test_bodies_outside_of_the_tree_are_ignored(part):
    assert_same(f'<mujoco>{part}</mujoco>')


@pytest.mark.parametrize('part', ['<body><bogus/></body>', '<body bogus="1"/>', '<geom size="1"/>'])
def test_bodies_outside_of_the_tree_are_checked(part):
    assert_refused(f'<mujoco>{part}</mujoco>')


@pytest.mark.parametrize('corners', [5, 100, 101, 140])
def test_faces_with_many_corners(corners):
    assert_same(MESH, {'a.obj': polygon(corners)})


@pytest.mark.parametrize('line', ['f 1 3 2 # why', 'l 1 2 # why', 'f # 1 3 2'])
def test_comments_end_no_face(line):
    assert_refused(MESH, {'a.obj': TETRAHEDRON + line + '\n'}, 'line 9')


@pytest.mark.parametrize('text', ['', '<!-- nothing -->'])
def test_files_without_elements_are_named_with_a_line(text, tmp_path):
    path = tmp_path / 'nothing.xml'
    path.write_text(text)
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(str(path))
    with pytest.raises(ValueError, match=r'nothing\.xml:1:'):
        lockstep.MjModel.from_xml_path(str(path))


LOOP = """<mujoco><option integrator="{integrator}"/><worldbody><site name="a" pos="0 0 1"/><site name="w" pos=".35 0 .1"/>
<body name="upper" pos="0 0 .5"><joint axis="0 1 0" range="-60 70"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
<site name="m" pos=".1 0 .05"/><body name="lower" pos=".3 0 0"><joint axis="0 1 0" range="-80 20"/>
<geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/><site name="b" pos=".1 0 .05" euler="10 20 30"/></body></body>
<body name="slider" pos=".6 0 .4"><joint type="slide" axis="1 0 0" range="-.3 .3"/><joint type="slide" axis="0 0 1" range="-.2 .3"/>
<joint axis="0 1 0" range="-50 50"/><geom size=".05" pos=".1 0 0"/><site name="s" pos="0 0 .1" euler="0 20 0"/></body></worldbody>
<tendon><spatial name="t"><site site="a"/><site site="m"/><site site="b"/></spatial></tendon>
<actuator><muscle tendon="t"/></actuator><equality>{equality}</equality></mujoco>"""


@pytest.mark.parametrize('integrator', ['Euler', 'RK4', 'implicitfast'])
@pytest.mark.parametrize('equality', [
    '<connect body1="lower" body2="slider" anchor=".3 0 0"/>', '<connect body1="slider" body2="lower" anchor="0 0 .05"/>',
    '<connect site1="b" site2="s"/>', '<weld body1="lower" body2="slider"/>', '<weld body1="slider" body2="lower" torquescale="2"/>',
    '<weld body1="lower" body2="slider" relpose=".3 0 .1 .9 0 .2 0" anchor=".1 0 .1"/>',
    '<connect body1="slider" anchor="0 0 0" active="false"/>', '<connect body1="slider" anchor="0 .1 0"/>',
])
def test_length_ranges_of_loops(equality, integrator):
    xml = LOOP.format(equality=equality, integrator=integrator)
    own, ref = lockstep.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    result = parity.compare(own, ref)
    assert not result.deviations, str(result)


@pytest.mark.parametrize('equality', ['<weld body1="slider" body2="lower" torquescale=".3"/>', '<weld site1="b" site2="s"/>'])
def test_length_ranges_that_do_not_settle(equality):
    assert_refused(LOOP.format(equality=equality, integrator='Euler'), match='did not converge')


@pytest.mark.parametrize('inside', ['<attach model="m" body="b" prefix="p"/>', '<frame pos="1 0 0"><attach model="m" body="b" prefix="p"/></frame>',
                                    '<replicate count="2" offset="0 1 0"><attach model="m" body="b" prefix="p"/></replicate>'])
def test_keyframes_stay_with_the_first_copy(inside):
    model = ('<mujoco><worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody><actuator><motor joint="j"/></actuator>'
             '<keyframe><key name="k" qpos=".3" qvel=".4" ctrl=".5"/></keyframe></mujoco>')
    assert_same('<mujoco><asset><model name="m" file="m.xml"/></asset><worldbody><body><joint/><geom size="1"/></body>'
                f'<replicate count="3" offset="1 0 0">{inside}</replicate></worldbody></mujoco>', {'m.xml': model})
