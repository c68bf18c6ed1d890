"""What MuJoCo finds wrong late: with plugins, flexes and options. Both refuse it, and we name file and line."""
import re

import mujoco
import pytest

import lockstep

TOUCH = {'nchannel': '1', 'size': '7 7', 'fov': '45 45', 'gamma': '0'}


def config(settings):
    return ''.join(f'<config key="{key}" value="{value}"/>' for key, value in settings.items())


def with_plugin(kind, settings, users=''):
    return (f'<mujoco><extension><plugin plugin="{kind}"><instance name="i">{config(settings)}</instance></plugin></extension>'
            '<worldbody><site name="s"/><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>'
            f'{users}</mujoco>')


def pid(actdim=0, **settings):
    return with_plugin('mujoco.pid', settings, f'<actuator><plugin joint="j" instance="i" actdim="{actdim}"/></actuator>')


def touch(place='objtype="site" objname="s"', **settings):
    user = f'<sensor><plugin plugin="mujoco.sensor.touch_grid" instance="i" {place}/></sensor>'
    return with_plugin('mujoco.sensor.touch_grid', TOUCH | settings, user)


def flex(attributes='', inside='', dim=2, body='b', vertex='0 0 0  1 0 0  0 1 0', element='0 1 2', after=''):
    return ('<mujoco><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody><deformable>'
            f'<flex name="f" dim="{dim}" body="{body}" vertex="{vertex}" element="{element}" {attributes}>{inside}</flex>'
            f'</deformable>{after}</mujoco>')


def option(attributes, flag=''):
    return f'<mujoco><option {attributes}><flag {flag}/></option><worldbody><geom size="1"/></worldbody></mujoco>'


REFUSED = {
    'controller without an actuator': with_plugin('mujoco.pid', {'kp': '1'}),
    'negative imax': pid(1, ki='1', imax='-1'),
    'negative slewmax': pid(1, slewmax='-1'),
    'touch grid without resolution': with_plugin('mujoco.sensor.touch_grid', {}),
    'touch grid with one resolution': touch(size='7'),
    'touch grid with three resolutions': touch(size='7 7 7'),
    'touch grid below one cell': touch(size='.5 2'),
    'touch grid with a wide view': touch(fov='200 45'),
    'touch grid with a high view': touch(fov='45 100'),
    'touch grid without view': touch(fov=''),
    'touch grid with many channels': touch(nchannel='7'),
    'touch grid with a word for channels': touch(nchannel='x'),
    'touch grid with large gamma': touch(gamma='2'),
    'touch grid on a body': touch('objtype="body" objname="b"'),
    'flex of an unknown body': flex(body='c'),
    'flex with two bodies for three vertices': flex(body='b b'),
    'flex with part of a vertex': flex(vertex='0 0 0  1 0 0  0 1'),
    'flex with two vertices': flex(vertex='0 0 0  1 0 0'),
    'flex with part of an element': flex(element='0 1'),
    'flex with a missing vertex': flex(element='0 1 3'),
    'flex with a negative vertex': flex(element='0 -1 2'),
    'flex with a repeated vertex': flex(element='0 1 1'),
    'flex of no dimension': flex(dim=0),
    'flex of four dimensions': flex(dim=4),
    'flex of an unknown material': flex('material="m"'),
    'flex with one texture point': flex('texcoord="0 0"'),
    'flex with texture indices alone': flex('elemtexcoord="0 1 2"'),
    'flex with few texture indices': flex('elemtexcoord="0 1" texcoord="0 0  1 0  0 1"'),
    'flex with a missing texture point': flex('elemtexcoord="0 1 3" texcoord="0 0  1 0  0 1"'),
    'flex interpolated without nodes': flex('dof="trilinear"'),
    'flex with nodes of no order': flex('node="b"'),
    'flex with stiff edges': flex(inside='<edge stiffness="1"/>'),
    'flex that cannot be compressed': flex(inside='<elasticity young="1" poisson=".5"/>'),
    'flex that bends without thickness': flex(inside='<elasticity young="1" elastic2d="bend"/>'),
    'flex that yields early': flex(inside='<elasticity young="1" yield="-1"/>'),
    'flex that bends in one dimension': flex(dim=1, vertex='0 0 0  1 0 0', element='0 1',
                                             inside='<elasticity young="1" elastic2d="bend" thickness=".1"/>'),
    'equality of an unknown flex': flex(after='<equality><flex flex="g"/></equality>'),
    'ipc with Euler': option('integrator="Euler"', 'ipc="enable"'),
    'ipc with PGS': option('integrator="discrete" solver="PGS"', 'ipc="enable"'),
    'no memory': '<mujoco><size memory="0"/></mujoco>',
}
ACCEPTED = {
    'controller': pid(kp='1'), 'controller with a word': pid(imax='x'), 'controller with a limit': pid(1, slewmax='0'),
    'touch grid': touch(), 'touch grid without channels': touch(nchannel=''), 'touch grid with no channel': touch(nchannel='0'),
    'touch grid with fractions': touch(size='1.5 2'), 'touch grid with two gammas': touch(gamma='0 1'),
    'touch grid without gamma': touch(gamma=''), 'touch grid that nobody uses': with_plugin('mujoco.sensor.touch_grid', TOUCH),
    'flex': flex(), 'flex with texture': flex('elemtexcoord="0 1 2" texcoord="0 0  1 0  0 1"'), 'flex without radius': flex('radius="0"'),
    'ipc': option('integrator="discrete"', 'ipc="enable"'),
}


@pytest.mark.parametrize('xml', REFUSED.values(), ids=REFUSED)
def test_refused(xml, tmp_path):
    path = tmp_path / 'model.xml'
    path.write_text(xml)
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(str(path))
    with pytest.raises(ValueError, match=re.escape(str(path)) + r':\d+'):
        lockstep.MjModel.from_xml_path(str(path))


@pytest.mark.filterwarnings('ignore::UserWarning')
@pytest.mark.parametrize('xml', ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(xml):
    mujoco.MjModel.from_xml_string(xml)
    lockstep.MjModel.from_xml_string(xml)


def test_plugins_are_named_once():
    with pytest.warns(UserWarning) as caught:
        lockstep.MjModel.from_xml_string(pid(kp='1'))
    assert len([w for w in caught if 'not simulated' in str(w.message)]) == 1
