"""GMSH files as mesh assets and as flexes, compared with MuJoCo field by field."""
import itertools
import struct
import warnings

import lockstep
import mujoco
import pytest

from parity import FIELDS, compare

TRIANGLE, TETRAHEDRON = 2, 4
# a cube of six tetrahedra, one turned inside out, with a node inside no face and one nobody names
NODES = [(x, y, .5 * z) for x in (0, 1, 2) for y in (0, 1) for z in (0, 1)] + [(9, 9, 9)]
TETS = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (1, 0, 5, 7), (4, 6, 7, 11), (4, 5, 7, 9)]
FACES = [(0, 2, 1), (1, 2, 3), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5),
         (4, 5, 7), (4, 7, 6)]


def text_22(nodes, elements, kind):
    lines = ['$MeshFormat', '2.2 0 8', '$EndMeshFormat', '$Nodes', len(nodes)]
    lines += [f'{i} {x} {y} {z}' for i, (x, y, z) in enumerate(nodes, 1)]
    lines += ['$EndNodes', '$Elements', len(elements)]
    lines += [f'{i} {kind} 2 5 6 ' + ' '.join(str(n + 1) for n in e) for i, e in enumerate(elements, 1)]
    return '\n'.join(map(str, lines + ['$EndElements', ''])).encode()


def binary_22(nodes, elements, kind):
    node = b''.join(struct.pack('<i3d', i, *p) for i, p in enumerate(nodes, 1))
    element = struct.pack('<3i', kind, len(elements), 0)
    element += b''.join(struct.pack(f'<{1 + len(e)}i', i, *(n + 1 for n in e)) for i, e in enumerate(elements, 1))
    return (b'$MeshFormat\n2.2 1 8\n' + struct.pack('<i', 1) + b'\n$EndMeshFormat\n$Nodes\n%d\n' % len(nodes) + node
            + b'\n$EndNodes\n$Elements\n%d\n' % len(elements) + element + b'\n$EndElements\n')


def text_41(nodes, elements, kind):
    dim = 2 if kind == TRIANGLE else 3
    n, e = len(nodes), len(elements)
    lines = ['$MeshFormat', '4.1 0 8', '$EndMeshFormat', '$Nodes', f'1 {n} 1 {n}', f'{dim} 1 0 {n}', *range(1, n + 1)]
    lines += [f'{x} {y} {z}' for x, y, z in nodes]
    lines += ['$EndNodes', '$Elements', f'1 {e} 1 {e}', f'{dim} 1 {kind} {e}']
    lines += [f'{i} ' + ' '.join(str(n + 1) for n in element) for i, element in enumerate(elements, 1)]
    return '\n'.join(map(str, lines + ['$EndElements', ''])).encode()


def binary_41(nodes, elements, kind):
    dim = 2 if kind == TRIANGLE else 3
    n, e = len(nodes), len(elements)
    node = struct.pack('<4Q3iQ', 1, n, 1, n, dim, 1, 0, n) + struct.pack(f'<{n}Q', *range(1, n + 1))
    node += b''.join(struct.pack('<3d', *p) for p in nodes)
    element = struct.pack('<4Q3iQ', 1, e, 1, e, dim, 1, kind, e)
    element += b''.join(struct.pack(f'<{1 + len(x)}Q', i, *(k + 1 for k in x)) for i, x in enumerate(elements, 1))
    return (b'$MeshFormat\n4.1 1 8\n' + struct.pack('<i', 1) + b'\n$EndMeshFormat\n$Nodes\n' + node
            + b'\n$EndNodes\n$Elements\n' + element + b'\n$EndElements\n')


FORMATS = {f.__name__: f for f in (text_22, text_41, binary_41)}
SHAPES = {'solid': (NODES, TETS, TETRAHEDRON), 'surface': (NODES, FACES, TRIANGLE)}
numbers = itertools.count()  # MuJoCo remembers files by name
BODIES = {
    'geom': '<geom type="mesh" mesh="m"/>',
    'flex': '<flexcomp name="f" mesh="m" radius=".01" mass="1"/>',
    'flex, dim': '<flexcomp name="f" mesh="m" type="gmsh" dim="3" origin=".5 .5 .2" radius=".01"/>',
    'flex of a file': '<flexcomp name="f" type="mesh" file="{name}" radius=".01"/>',
    'flex of a gmsh file': '<flexcomp name="f" type="gmsh" file="{name}" radius=".01"/>',
}


def load(module, xml, files):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return module.MjModel.from_xml_string(xml, files)


def both(xml, files):
    """Both engines' models, or None where they refuse."""
    models = []
    for module in (lockstep, mujoco):
        try:
            models.append(load(module, xml, files))
        except ValueError:
            models.append(None)
    return models


def check(xml, files):
    own, ref = both(xml, files)
    assert (own is None) == (ref is None), 'accepted' if own else 'refused'
    if own is not None:
        result = compare(own, ref, FIELDS)
        assert not result.deviations, str(result)
    return own


@pytest.mark.parametrize('body', BODIES)
@pytest.mark.parametrize('shape', SHAPES)
@pytest.mark.parametrize('form', FORMATS)
def test_model(form, shape, body):
    bytes_ = FORMATS[form](*SHAPES[shape])
    mesh = 'scale="1 -2 1.5" refpos=".1 .2 .3" refquat="1 0 0 1"' if 'flex' in body else 'inertia="exact"'
    name = f'{next(numbers)}.gmsh'
    check(f'<mujoco><asset><mesh name="m" file="{name}" {mesh}/></asset><worldbody>{BODIES[body].format(name=name)}'
          '</worldbody></mujoco>', {name: bytes_})


@pytest.mark.parametrize('shape', SHAPES)
def test_binary_22(shape):
    """MuJoCo expects other headers in these files than GMSH writes."""
    xml = ('<mujoco><asset><mesh name="m" file="{}.gmsh"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody>'
           '</mujoco>')
    models = [load(lockstep, xml.format(form.__name__), {f'{form.__name__}.gmsh': form(*SHAPES[shape])})
              for form in (text_22, binary_22)]
    result = compare(*models, [field for field in FIELDS if not field.startswith(('path', 'npath'))])
    assert not result.deviations, str(result)


def test_surface_of_a_solid():
    model = check('<mujoco><asset><mesh name="m" file="solid.gmsh"/></asset><worldbody><geom type="mesh" mesh="m"/>'
                  '</worldbody></mujoco>', {'solid.gmsh': text_22(NODES, TETS, TETRAHEDRON)})
    assert (model.nmeshvert, model.nmeshface) == (10, 16)


TYPES = ('', 'model/obj', 'model/vnd.gmsh', 'model/vnd.gmsh;a=1', 'model/gmsh', 'model/vnd.mujoco.msh', 'model/', 'obj')
OBJ = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'


@pytest.mark.parametrize('extension', ('gmsh', 'GMSH', 'msh', 'obj', 'stl', 'other'))
@pytest.mark.parametrize('content', ('gmsh', 'obj'))
def test_content_type(content, extension):
    for kind in TYPES:
        name = f'{next(numbers)}{content}.{extension}'
        attribute = f'content_type="{kind}"' if kind else ''
        check(f'<mujoco><asset><mesh name="m" file="{name}" {attribute}/></asset><worldbody>'
              '<geom type="mesh" mesh="m"/></worldbody></mujoco>',
              {name: OBJ if content == 'obj' else text_22(NODES, TETS, TETRAHEDRON)})


@pytest.mark.parametrize('cut', range(20, 700, 37))
def test_broken(cut):
    bytes_ = text_22(NODES, TETS, TETRAHEDRON)[:-cut]
    name = f'{cut}_broken.gmsh'
    models = both(f'<mujoco><asset><mesh name="m" file="{name}"/></asset><worldbody><geom type="mesh" mesh="m"/>'
                  '</worldbody></mujoco>', {name: bytes_})
    assert models == [None, None]
