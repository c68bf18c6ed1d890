"""Flexcomps: what they expand to and compile to, compared with MuJoCo field by field."""
import warnings

import lockstep
import mujoco
import numpy as np
import pytest

from parity import FIELDS, array, compare, getter

ASSETS = """<asset>
  <material name="m"/> <material name="n"/>
  <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".3 .4 .5" refpos=".1 0 0" refquat="1 0 0 1"/>
  <mesh name="grid" builtin="grid" params="3 3 3 .1 .1 .1" scale="1 2 1"/>
  <mesh name="ball" builtin="sphere" params="1" scale=".2 .2 .2"/>
</asset>"""
SHEET = 'type="grid" count="4 3 1" spacing=".1 .12 .1"'
CUBE = 'type="grid" dim="3" count="3 4 3" spacing=".1 .12 .15"'
LINE = 'type="grid" dim="1" count="5 1 1" spacing=".1 .1 .1"'
BENT = 'type="direct" dim="1" point="0 0 0 .1 0 0 .2 .05 0 .3 .05 .1 .3 .2 .2" element="0 1 1 2 2 3 3 4"'
DOME = ('type="direct" point="0 0 .1 .2 0 0 .1 .2 .02 -.1 .2 0 -.2 0 .03 -.1 -.2 0 .1 -.2 .01"'
        ' element="0 1 2 0 2 3 0 3 4 0 4 5 0 5 6 0 6 1"')
TET = 'type="direct" dim="3" point="0 0 0 1 .1 0 .2 1.3 0 .1 .2 .9" element="0 1 2 3"'
EDGE = '<edge equality="true"/>'


def world(attributes, children=''):
    return f'<worldbody><flexcomp name="f" {attributes}>{children}</flexcomp></worldbody>'


def inside(body, attributes, children=''):
    return f'<worldbody><body name="b" pos="1 2 3">{body}<flexcomp name="f" {attributes}>{children}</flexcomp>' \
           '</body></worldbody>'


CASES = {
    'sheet': world(SHEET, EDGE),
    'sheet, textured': world(SHEET + ' material="m"', EDGE),
    'sheet, materials': world('type="grid" count="2 2 1" spacing=".1 .1 .1" material="m n"', EDGE),
    'sheet, loose': world(SHEET),
    'cube': world(CUBE + ' material="m" rgba=".1 .2 .3 .4" group="2" radius=".01"', EDGE),
    'line': world(LINE, '<edge stiffness="3" damping=".1"/>'),
    'circle': world('type="circle" dim="1" count="7 1 1" spacing=".1 .1 .1"', EDGE),
    'box': world('type="box" dim="3" count="3 4 3" spacing=".1 .12 .15" material="m"', EDGE),
    'box, surface': world('type="box" dim="2" count="3 4 3" spacing=".1 .12 .15" material="m"', EDGE),
    'box, line': world('type="box" dim="1" count="2 2 2" spacing=".1 .12 .15"', EDGE),
    'cylinder': world('type="cylinder" dim="3" count="4 4 3" spacing=".1 .1 .15"', EDGE),
    'cylinder, surface': world('type="cylinder" dim="2" count="4 4 3" spacing=".1 .1 .15"', EDGE),
    'ellipsoid': world('type="ellipsoid" dim="3" count="4 3 4" spacing=".1 .2 .15"', EDGE),
    'square': world('type="square" dim="1" count="4 3 1" spacing=".1 .1 .15"', EDGE),
    'disc': world('type="disc" count="5 5 1" spacing=".1 .1 .15" material="m"', EDGE),
    'direct': world(DOME + ' scale="2 1 1"', EDGE),
    'direct, unused point': world('type="direct" point="0 0 0 9 9 9 .1 0 0 0 .1 0" element="0 2 3"'
                                  ' texcoord="0 0 .1 .1 .2 .2 .3 .3"', EDGE),
    'mesh': world('mesh="tet"', EDGE),
    'mesh, lines': world('mesh="tet" dim="1"', EDGE),
    'mesh, solid': world('mesh="tet" dim="3" origin=".02 .03 .04" scale="2 1 1"', EDGE),
    'mesh, tetrahedra': world('mesh="grid"', EDGE),
    'mesh, ball': world('mesh="ball" type="gmsh"', EDGE),
    'pins': world(SHEET, '<pin id="0 3"/><pin range="5 6"/>' + EDGE),
    'pins on the grid': world(SHEET, '<pin grid="0 1 3 2"/><pin gridrange="1 0 2 0"/>' + EDGE),
    'pins in a cube': world(CUBE, '<pin gridrange="0 0 0 0 3 2"/>' + EDGE),
    'all pinned': world(SHEET, '<pin range="0 11"/>'),
    'rigid': inside('<freejoint/><geom size=".1"/>', SHEET + ' rigid="true"'),
    'radial': inside('<freejoint/><geom size=".1"/>', 'type="box" dim="3" count="3 3 3" spacing=".1 .1 .1" dof="radial"',
                     EDGE),
    'plane': world(SHEET + ' dof="2d" quat=".6 0 .8 0"', EDGE),
    'posed': world(SHEET + ' pos="1 2 3" euler="10 20 30" mass="3" inertiabox=".02"', EDGE),
    'in frames': '<worldbody><frame pos="1 0 0" euler="0 0 30"><frame axisangle="1 0 0 40"><flexcomp name="f" '
                 + SHEET + ' pos="0 .5 0">' + EDGE + '</flexcomp></frame></frame></worldbody>',
    'on a moving body': inside('<joint/><geom size=".1"/>', SHEET, '<pin id="0 1"/>' + EDGE),
    'contact': world(SHEET, '<contact contype="2" conaffinity="4" condim="4" priority="1" friction=".5 .1 .01" '
                     'solmix="2" solref=".03 1" solimp=".8 .9 .01" margin=".001" gap=".002" selfcollide="bvh" '
                     'activelayers="2"/><edge equality="true" solref=".01 1" solimp=".7 .8 .002"/>'),
    'shell, bending': world(SHEET, '<elasticity young="1e4" poisson=".2" thickness=".01" elastic2d="bend" damping=".1"/>'),
    'shell, stretching': world(SHEET, '<elasticity young="1e4" poisson=".2" thickness=".01" elastic2d="stretch"/>'),
    'shell, both': world(DOME, '<elasticity young="1e4" poisson=".2" thickness=".01" elastic2d="both" yield=".1"/>'),
    'shell, yields in bending': world(SHEET, '<elasticity young="1e4" thickness=".01" elastic2d="both" yield="0 .1"/>'),
    'solid': world(CUBE, '<elasticity young="1e4" poisson=".3" damping=".01" yield=".2"/>'),
    'rod': world(LINE, '<elasticity young="1e5" poisson=".3"/>' + EDGE),
    'rod, sheared': world(LINE, '<elasticity young="1e5" shear="3e4"/>'),
    'rod, bent': world(BENT, '<elasticity young="1e5" poisson=".3"/>'),
    'rod, box': world(BENT, '<elasticity young="1e5" section="box" sectionsize=".01 .02"/>'),
    'rod, other box': world(BENT, '<elasticity young="1e5" section="box" sectionsize=".02 .01"/>'),
    'rod, clamped': inside('<joint/><geom size=".1"/>', LINE, '<elasticity young="1e5"/><pin id="0 1"/>'),
    'rod, clamped at the end': world(LINE, '<elasticity young="1e5"/><pin id="3 4"/>'),
    'rod, backwards': world(LINE.replace('grid', 'direct') + ' point="0 0 0 .1 0 0 .2 0 0" element="2 1 1 0"',
                            '<elasticity young="1e5"/>'),
    'ring': world('type="circle" dim="1" count="8 1 1" spacing=".1 .1 .1"', '<elasticity young="1e5" poisson=".1"/>'),
    'star': world('type="direct" dim="1" point="0 0 0 .1 0 0 .2 .1 0 .3 .1 .1 .1 .2 .2" element="0 1 1 2 2 3 1 4"',
                  '<elasticity young="1e5" poisson=".1"/>'),
    'trilinear': world(CUBE + ' dof="trilinear"', '<elasticity damping="1"/>'),
    'trilinear, cells': world(CUBE + ' dof="trilinear" cellcount="2 1 3" pos="1 2 3"', '<elasticity damping="1"/>'),
    'trilinear, pins': inside('<joint/><geom size=".1"/>', CUBE + ' dof="trilinear" cellcount="2 1 1"',
                              '<pin id="0 1"/><elasticity damping="1"/>'),
    'trilinear, grid pins': world(CUBE + ' dof="trilinear" cellcount="2 1 1"',
                                  '<pin gridrange="0 0 0 0 1 1"/><elasticity damping="1"/>'),
    'trilinear, elastic': world(CUBE + ' dof="trilinear" cellcount="2 2 1"',
                                '<elasticity young="1e4" poisson=".3" damping="1" yield=".1"/>'),
    'trilinear, partly filled': world('type="direct" dim="3" point="0 0 0 1 .1 0 .2 1.3 0 .1 .2 .9 .9 1.1 1.2" '
                                      'element="0 1 2 3 1 2 4 3" dof="trilinear" cellcount="2 1 3"',
                                      '<elasticity young="1e3" poisson=".3"/>'),
    'trilinear, inside of a surface': world('mesh="ball" dim="2" dof="trilinear" cellcount="2 3 2"',
                                            '<elasticity young="1e3" poisson=".3"/>'),
    'quadratic, inside of a surface': world('type="direct" dim="2" point="0 0 0 1 .1 0 .2 1.3 0 .1 .2 .9" '
                                            'element="0 1 2 0 3 1 1 3 2 0 2 3" dof="quadratic"',
                                            '<elasticity young="1e3" poisson=".3"/>'),
    'trilinear, one tetrahedron': world(TET + ' dof="trilinear"', '<elasticity young="1e3" poisson=".2"/>'),
    'trilinear, one tetrahedron in cells': world(TET + ' dof="trilinear" cellcount="2 2 2" pos="1 2 3" quat=".6 0 .8 0"',
                                                 '<elasticity young="1e3" poisson=".2"/>'),
    'quadratic, one tetrahedron': world(TET + ' dof="quadratic"', '<elasticity young="1e3" poisson=".2"/>'),
    'quadratic, partly filled': world('type="cylinder" dim="3" count="3 3 3" spacing=".1 .12 .15" dof="quadratic" '
                                      'cellcount="2 1 2"', '<elasticity young="1e3" poisson=".3"/>'),
    'quadratic': world(CUBE + ' dof="quadratic"', '<elasticity damping="1"/>'),
    'quadratic, elastic': world(CUBE + ' dof="quadratic" cellcount="2 1 1"',
                                '<elasticity young="1e4" poisson=".3" damping="1"/>'),
    'interpolated shell': world(CUBE + ' dof="trilinear" cellcount="2 2 1"',
                                '<elasticity young="1e4" poisson=".3" thickness=".01" elastic2d="both"/>'),
    'interpolated shell, bending': world(CUBE + ' dof="quadratic" cellcount="2 1 2"',
                                         '<elasticity young="1e4" thickness=".01" elastic2d="bend"/>'),
    'young without a section': world(SHEET, '<elasticity young="1e4"/>'),
    'passive contact': '<option integrator="discrete"/>' + world(SHEET, '<contact passive="true"/>'),
    'unused edges behind used ones': '<worldbody><flexcomp name="a" ' + SHEET + '>' + EDGE
                                     + '</flexcomp><flexcomp name="b" ' + SHEET + '/></worldbody>',
    'one triangle that would bend': world('type="direct" point="0 0 0 .1 0 0 0 .1 0 .3 0 0 .4 0 0 .4 .1 0 .3 .1 0" '
                                          'element="0 1 2 3 4 5 3 5 6"', '<elasticity young="1e4" thickness=".01" '
                                          'elastic2d="bend"/>'),
    'rods copied': '<worldbody><replicate count="2" offset="0 1 0"><body name="c"><flexcomp name="f" ' + LINE
                   + '><elasticity young="1e5"/></flexcomp></body></replicate></worldbody>',
    'bending beside a grid of nodes': '<worldbody><flexcomp name="a" ' + SHEET
                                      + '><elasticity young="1e4" thickness=".01" elastic2d="bend"/></flexcomp>'
                                      '<flexcomp name="b" pos="0 0 1" ' + CUBE
                                      + ' dof="trilinear"><elasticity young="1e4"/></flexcomp></worldbody>',
    'bending without springs': '<option timestep=".01"><flag spring="disable"/></option>'
                               + world(SHEET, '<elasticity young="1e4" thickness=".01" elastic2d="bend" damping="1"/>'),
    'bending, pinned and turned': inside('', SHEET + ' euler="10 20 30"', '<pin id="0 5"/><elasticity young="1e4" '
                                         'thickness=".01" elastic2d="both" damping=".1"/>'),
    'sheet on a moving body': inside('<joint/><geom size=".1"/>', SHEET, '<pin id="0 1"/><elasticity young="1e4" '
                                     'thickness=".01" elastic2d="both"/>'),
    'three materials': '<worldbody><flexcomp name="a" pos="0 0 1" ' + BENT + '><elasticity young="1e5"/></flexcomp>'
                       '<flexcomp name="b" ' + SHEET + '><elasticity young="1e4" thickness=".01" elastic2d="both"/>'
                       '</flexcomp><flexcomp name="c" pos="0 0 2" ' + CUBE + '><elasticity young="1e4"/></flexcomp>'
                       '</worldbody>',
    'attached twice': '<worldbody><replicate count="2" offset="1 0 0"><body name="c"><flexcomp name="f" ' + SHEET
                      + '><pin id="0"/>' + EDGE + '</flexcomp></body></replicate></worldbody>',
}
WRONG = {
    'no name': '<worldbody><body><flexcomp name="f"/></body></worldbody>',
    'dimension': world('dim="4"'),
    'count': world('count="0 1 1"'),
    'count without elements': world('count="3 1 1"'),
    'count beyond the dimension': world('count="3 3 2"'),
    'spacing': world('count="3 3 1" spacing=".001 .1 .1"'),
    'scale': world('count="3 3 1" scale="0 1 1"'),
    'mass': world('count="3 3 1" mass="0"'),
    'inertiabox': world('count="3 3 1" inertiabox="0"'),
    'flat box': world('type="box" dim="3" count="1 3 3"'),
    'short circle': world('type="circle" dim="1" count="3 1 1"'),
    'no points': world('type="direct"'),
    'incomplete point': world('type="direct" point="0 0 0 1 0 0 0 1" element="0 1 2"'),
    'no such point': world('type="direct" point="0 0 0 1 0 0 0 1 0" element="0 1 3"'),
    'no file': world('type="mesh"'),
    'missing file': world('type="mesh" file="nowhere.obj"'),
    'no such mesh': world('mesh="nowhere"'),
    'mesh and file': world('mesh="tet" file="a.obj"'),
    'mesh of a grid': world('type="grid" mesh="tet"'),
    'no origin': world('mesh="tet" dim="3"'),
    'pin': world(SHEET, '<pin id="12"/>'),
    'pin range': world(SHEET, '<pin range="0"/>'),
    'pin grid': world(SHEET, '<pin grid="4 0"/>'),
    'pin grid of a disc': world('type="disc" count="5 5 1" spacing=".1 .1 .1"', '<pin grid="0 0"/>'),
    'pin grid of a line': world(LINE, '<pin grid="0"/>'),
    'pin node': world(CUBE + ' dof="trilinear"', '<pin id="8"/>'),
    'free points in a moving body': inside('<freejoint/><geom size=".1"/>', SHEET),
    'damped points': '<default><joint damping="1"/></default>' + world(SHEET),
    'flat grid of nodes': world(SHEET + ' dof="trilinear"'),
    'strain of a sheet': world(SHEET, '<edge equality="strain"/>'),
    'box ring': world('type="circle" dim="1" count="8 1 1" spacing=".1 .1 .1"',
                      '<elasticity young="1" section="box" sectionsize=".01 .02"/>'),
    'box radius': world(LINE + ' radius=".006"', '<elasticity young="1" section="box" sectionsize=".01 .02"/>'),
    'yielding rod': world(LINE, '<elasticity young="1" yield=".1"/>'),
    'bending yield of a solid': world(CUBE, '<elasticity young="1" yield=".1 .1"/>'),
    'poisson': world(CUBE, '<elasticity young="1" poisson=".5"/>'),
    'shear': world(LINE, '<elasticity young="1" shear="-1"/>'),
    'constraint and elasticity': world(SHEET, '<elasticity young="1" thickness=".01" elastic2d="both"/>' + EDGE),
    'plugin': world(SHEET, '<plugin plugin="nowhere"/>'),
}


def load(module, xml):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return module.MjModel.from_xml_string(f'<mujoco>{ASSETS}{xml}</mujoco>')


@pytest.mark.parametrize('name', CASES)
def test_model(name):
    own, ref = load(lockstep, CASES[name]), load(mujoco, CASES[name])
    result = compare(own, ref, FIELDS)
    assert not result.deviations, str(result)


@pytest.mark.parametrize('name', WRONG)
def test_refused(name):
    for module in (mujoco, lockstep):
        with pytest.raises(ValueError):
            load(module, WRONG[name])


@pytest.mark.parametrize('name', CASES)
def test_saved(name):
    """What is saved (bodies, joints, flex, equalities) compiles to the same model."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        spec = lockstep.MjSpec.from_string(f'<mujoco>{ASSETS}{CASES[name]}</mujoco>')
        first = spec.compile()
        again = lockstep.MjModel.from_xml_string(spec.to_xml())
    assert 'flexcomp' not in spec.to_xml()
    for field in FIELDS:
        a, b = array(getter(field)(first)), array(getter(field)(again))
        assert a.shape == b.shape, field
        if a.dtype.kind == 'f':
            np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-5, err_msg=field)
        elif not field.startswith(('names', 'bvh')):  # six digits decide otherwise between equal coordinates
            np.testing.assert_array_equal(b, a, err_msg=field)


@pytest.mark.parametrize('shell', (False, True))
@pytest.mark.parametrize('dof', ('trilinear', 'quadratic'))
def test_strain_modes(dof, shell):
    """Modes of strain constraints: their span counts, not which vectors span it."""
    elasticity = '<elasticity thickness=".01" elastic2d="stretch"/>' if shell else ''
    xml = world(CUBE + f' dof="{dof}" cellcount="2 1 1"', '<edge equality="strain"/>' + elasticity)
    own, ref = load(lockstep, xml), load(mujoco, xml)
    fields = [field for field in FIELDS if field != 'flex_stiffness']
    assert not compare(own, ref, fields).deviations
    n = 3 * {'trilinear': 2, 'quadratic': 3}[dof]**(2 if shell else 3)

    def gram(model):
        for block in model.flex_stiffness.reshape(-1, n * n):
            count = int(block[0])
            modes = block[1:1 + count * n].reshape(count, n)
            yield modes.T @ modes
    for a, b in zip(gram(own), gram(ref), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-7 * np.abs(b).max())


def test_make_flex():
    def build(module):
        spec = module.MjSpec()
        body = spec.worldbody.add_body(name='b', pos=[1, 2, 3])
        flex = body.make_flex(name='f', type='grid', dim=2, count=[3, 4, 1], spacing=[.1, .1, .1], pos=[0, 0, 1],
                              quat=[.6, 0, .8, 0], mass=2, elastic2d=1)
        flex.young, flex.thickness = 1e3, .01
        return spec.compile()
    result = compare(build(lockstep), build(mujoco), FIELDS)
    assert not result.deviations, str(result)


SLIDES = ''.join(f'<joint type="slide" axis="{axis}"/>' for axis in ('1 0 0', '0 1 0', '0 0 1'))
LAST = {
    'free': '<freejoint/>', 'hinge': '<joint/>', 'ball': '<joint type="ball"/>', 'fixed': '',
    'other order': ''.join(f'<joint type="slide" axis="{axis}"/>' for axis in ('0 0 1', '-1 0 0', '0 1 0')),
    'oblique': ''.join(f'<joint type="slide" axis="{axis}"/>' for axis in ('1 1 0', '-1 1 0', '0 0 1')),
    'slides': SLIDES,
}


@pytest.mark.parametrize('turned', (False, True))
@pytest.mark.parametrize('last', LAST)
def test_metric_of_bodies(last, turned):
    """Which bodies count as points in the effective inertia."""
    def body(i, place, joints, euler=''):
        return f'<body name="b{i}" pos="{place}" {euler}>{joints}<geom size=".01" mass=".{i + 1}"/></body>'
    euler = 'euler="10 20 30"' if turned else ''
    bodies = ''.join(body(i, place, SLIDES) for i, place in enumerate(('0 0 0', '1 0 0', '0 1 0')))
    xml = ('<option timestep=".1"/><worldbody>' + bodies + body(3, '1 1 .1', LAST[last], euler) + '</worldbody>'
           '<deformable><flex name="f" dim="2" radius=".01" body="b0 b1 b2 b3" vertex="' + '0 0 0 ' * 4
           + '" element="0 1 2 1 3 2"><elasticity young="1e3" thickness=".1" elastic2d="both" damping=".2"/></flex>'
           '</deformable>')
    result = compare(load(lockstep, xml), load(mujoco, xml), FIELDS)
    assert not result.deviations, str(result)


def test_metric_follows_set_const():
    xml = '<option timestep=".01"/>' + world(SHEET, '<elasticity young="1e4" thickness=".01" elastic2d="both"/>')
    models = []
    for module in (lockstep, mujoco):
        model = load(module, xml)
        before = model.efm0_L.copy()
        model.opt.timestep = .1
        model.flex_damping[:] = .3
        model.dof_armature[:] = .01
        module.mj_setConst(model, module.MjData(model))
        assert abs(model.efm0_L - before).max() > 1e-3
        models.append(model)
    result = compare(*models, FIELDS)
    assert not result.deviations, str(result)
