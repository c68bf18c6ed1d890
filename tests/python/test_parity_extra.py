"""Small models with what files in the wild do: each is compared with MuJoCo's, or refused by both."""
import math

import mujoco
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
