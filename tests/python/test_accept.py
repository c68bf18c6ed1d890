"""Models that look wrong, but which MuJoCo accepts: they compile here too, to the same numbers."""
import pathlib
import shutil

import mujoco
import parity
import pytest

import lockstep

DATA = pathlib.Path(__file__).parents[1] / 'data' / 'mesh'
WORLD = '<mujoco><worldbody>{}</worldbody>{}</mujoco>'
HINGE = '<site name="a"/><site name="b" pos="1 0 0"/><body><joint name="j"/><geom size="1"/></body>'
MODELS = {
    # inside frames and replicates what is unknown or repeated is overlooked
    'frame attribute': WORLD.format('<frame noise="1" class="main" pos="1 0 0"><geom size="1"/></frame>', ''),
    'replicate attribute': WORLD.format('<replicate count="2" SEP="-"><geom size="1"/></replicate>', ''),
    'geom attribute in a frame': WORLD.format('<frame><body foo="1"><geom size="1" foo="1"/></body></frame>', ''),
    'child of a geom in a frame': WORLD.format('<frame><geom size="1"><size nkey="2"/></geom></frame>', ''),
    'two inertials in a frame': WORLD.format(
        '<frame><body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        '<inertial pos="0 0 1" mass="2" diaginertia="2 2 1"/></body></frame>', ''),
    'fovy and sensorsize in a frame': WORLD.format(
        '<frame><camera fovy="30" sensorsize="1 1" resolution="2 2" focal="1 1"/></frame>', ''),
    'type and directional in a frame': WORLD.format('<frame><light directional="true" type="spot"/></frame>', ''),
    'plane in a mocap body': WORLD.format(
        '<body mocap="true"><geom type="plane" size="1 1 1"/><body><geom type="plane" size="1 1 1"/></body></body>', ''),
    'namespaces': '<mujoco xmlns="a" xmlns:xi="b" xi:c="d"/>',
    'pulley without a number': WORLD.format(
        HINGE, '<tendon><spatial><site site="a"/><site site="b"/><pulley divisor="nan"/><site site="b"/><site site="a"/>'
        '</spatial></tendon>'),
    # infinite numbers, and what is no number
    'site of no size': WORLD.format('<site type="box" size="1 nan 1"/>', ''),
    'infinite camera and light': WORLD.format('<camera pos="inf 0 0"/><light pos="nan 0 0"/>', ''),
    'infinite sphere': WORLD.format('<geom size="inf"/>', ''),
    'infinite shapes': WORLD.format(
        '<geom type="box" size="1 inf 2"/><geom type="capsule" size="1 inf"/><geom type="cylinder" size="inf 1"/>'
        '<geom type="ellipsoid" size="1 2 inf"/>', ''),
    'free joint in a fused body': '<mujoco><compiler fusestatic="true"/><worldbody><body pos="1 0 0"><geom size="1"/>'
                                  '<body pos="0 1 0"><freejoint/><geom size="1"/></body></body></worldbody></mujoco>',
    'full inertia with an orientation in a frame': WORLD.format(
        '<frame euler="10 20 30"><body><inertial pos="1 2 3" mass="1" fullinertia="1 1.1 1.2 .01 .02 .03" quat=".5 .1 .2 .3"/>'
        '<joint/></body></frame>', ''),
    'full inertia with an orientation in a frame of the body': WORLD.format(
        '<body><joint/><frame euler="10 20 30"><inertial pos="1 2 3" mass="1" fullinertia="1 1.1 1.2 .01 .02 .03"'
        ' quat=".5 .1 .2 .3"/></frame></body>', ''),
    'shell of an ellipsoid among others': WORLD.format(
        '<body><geom type="ellipsoid" size="1 2 3" shellinertia="true"/><geom size=".1"/></body>', ''),
    'damping ratio without inertia': WORLD.format(
        HINGE, '<actuator><position joint="j" dampratio="1" gear="0"/></actuator>'),
}

# positions that are infinite or no numbers stay so; only the boxes of search structures around them differ
NOWHERE = {
    'infinite position': WORLD.format('<geom size="1" pos="inf 0 0"/><site pos="0 -inf 1"/>', ''),
    'infinite positions': WORLD.format('<geom size="1" pos=".5 -inf inf"/><geom size="1" pos="inf -inf inf"/>', ''),
    'position without numbers': WORLD.format('<geom size="1" pos="nan 0 0"/><site pos="nan 1 2"/>', ''),
    'body of no place': WORLD.format('<body><geom size="1" pos="nan nan nan"/><geom size="1" pos="1 0 nan"/></body>', ''),
    'infinite body': WORLD.format('<body><geom size="1" pos="inf 1 2"/><geom size="1" pos="1 0 -inf"/></body>', ''),
}

MESH = '<mujoco><asset><mesh name="m" file="f.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
CORNERS = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n'
FACES = 'f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
# OBJ files and whether MuJoCo reads them
FILES = {
    'lines end with CR': ((CORNERS + FACES).replace('\n', '\r'), True),
    'lines end with CR LF': ((CORNERS + FACES).replace('\n', '\r\n'), True),
    'comment within a face': (CORNERS + FACES + 'f 1 2 3 # last\n', False),
    'texture coordinates without faces': (CORNERS + 'vt 0 0\n', False),
}


@pytest.mark.parametrize('text, good', FILES.values(), ids=FILES)
def test_obj(text, good):
    files = {'f.obj': text.encode()}
    if good:
        own, ref = lockstep.MjModel.from_xml_string(MESH, files), mujoco.MjModel.from_xml_string(MESH, files)
        assert not parity.compare(own, ref).deviations
        return
    for module in (lockstep, mujoco):
        with pytest.raises(ValueError):
            module.MjModel.from_xml_string(MESH, files)


@pytest.mark.parametrize('folder, file', [('meshes\\', 'f.stl'), ('', 'meshes\\f.stl'), ('.\\', '.\\meshes\\f.stl')])
def test_paths_of_windows(tmp_path, folder, file):
    (tmp_path / 'meshes').mkdir()
    shutil.copy(DATA / 'cube.stl', tmp_path / 'meshes' / 'f.stl')
    model = tmp_path / 'model.xml'
    model.write_text(f'<mujoco><compiler meshdir="{folder}"/><asset><mesh name="m" file="{file}"/></asset>'
                     '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>')
    own, ref = lockstep.MjModel.from_xml_path(str(model)), mujoco.MjModel.from_xml_path(str(model))
    assert not parity.compare(own, ref).deviations


@pytest.mark.parametrize('xml', MODELS.values(), ids=MODELS)
def test_accepted(xml):
    own, ref = lockstep.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    deviations = parity.compare(own, ref).deviations
    assert not deviations, deviations


@pytest.mark.filterwarnings('ignore::UserWarning')
@pytest.mark.parametrize('xml', NOWHERE.values(), ids=NOWHERE)
def test_nowhere(xml):
    own, ref = lockstep.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    assert parity.compare(own, ref).deviations.keys() <= {'bvh_aabb'}


# attributes of flexcomp and of what stands in it, by the shape of their values
FLEXCOMP_VALUES = ['', 'x', '1', '1.5', '1 2', '1 2 3', '1 2 3 4', '1 2 3 4 5 6', '1 2 3 x', 'true', '1,2', 'full']
FLEXCOMP = {
    '': 'type group dof cellcount spacing rigid mass inertiabox scale rgba flatskin pos quat axisangle xyaxes zaxis euler origin',
    'edge': 'equality solref solimp damping', 'elasticity': 'young poisson damping thickness section',
    'contact': 'contype conaffinity condim priority friction solmix solref solimp selfcollide activelayers', 'pin': 'id range grid',
}


def accepts(package, xml):
    try:
        package.MjModel.from_xml_string(xml)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize('tag', FLEXCOMP)
@pytest.mark.filterwarnings('ignore')
def test_flexcomp_values(tag):
    """Values that MuJoCo cannot read are refused, although flexes are not simulated."""
    wrong = []
    for name in FLEXCOMP[tag].split():
        for value in FLEXCOMP_VALUES:
            own = f'{name}="{value}"' if not tag else ''
            inside = f'<{tag} {name}="{value}"/>' if tag else ''
            kind = '' if name == 'type' else 'type="grid"'
            xml = (f'<mujoco><worldbody><flexcomp name="f" {kind} dim="2" count="3 3 1" {own}>{inside}</flexcomp></worldbody></mujoco>')
            if accepts(mujoco, xml) != accepts(lockstep, xml):
                wrong.append(f'{tag} {name}="{value}"')
    assert not wrong, '\n'.join(wrong)
