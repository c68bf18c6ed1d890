"""Probe models: for every element and attribute of the MJCF schema a small model that uses it with a value other
than its default. What makes unseen models work is that every single attribute was seen once.

A probe is the host model below plus one element with one attribute under test. Values are not written down per
attribute: candidates by name, keyword and count are offered to MuJoCo until one is accepted and changes the model.
"""
import itertools

import mujoco
import numpy as np
import parity

HOST = """
<mujoco model="probe">
  <compiler usethread="false"/>
  {top}
  <default>
    <default class="cls">
      <joint armature=".1" damping=".2"/> <geom rgba=".1 .2 .3 1" friction=".7"/> <site size=".02"/> <camera fovy="50"/>
      <light cutoff="40"/> <mesh scale="1 1.1 1.2"/> <material shininess=".3"/> <texture rgb1=".1 .2 .3"/> <tendon width=".01" damping=".3"/>
      <pair condim="4"/> <equality solref=".04 1"/> <general ctrlrange="-.3 .4" gear="1.7" group="2"/>
    </default>
  </default>
  <asset>
    <mesh name="tet" vertex="0 0 0  .2 0 0  0 .3 0  0 0 .4"/>
    <mesh name="wedge" vertex="0 0 0  .2 0 0  0 .3 0  0 0 .4  .2 .3 .1"/>
    <hfield name="hf" nrow="2" ncol="3" size="1 2 .3 .1" elevation="0 1 2 3 1 0"/>
    <texture name="tx" type="2d" builtin="checker" width="4" height="4"/>
    <texture name="cube" type="cube" builtin="flat" width="2" height="2"/>
    <material name="mat" texture="tx" rgba=".2 .3 .4 1"/>
    {asset}
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <site name="w1" pos="0 0 1"/>
    <camera name="cam" pos="0 -1 1"/>
    <light name="lamp" pos="0 0 2"/>
    <body name="b1" pos="0 0 1">
      <joint name="h1" type="hinge" axis="0 1 0" range="-30 40"/>
      <geom name="g1" type="capsule" size=".05" fromto="0 0 0 .2 0 0"/>
      <site name="s1" pos=".1 0 .1"/>
      <body name="b2" pos=".2 0 0">
        <joint name="h2" type="hinge" axis="0 .6 .8"/>
        <joint name="sl" type="slide" axis="1 0 0" range="-1 1"/>
        <geom name="g2" type="box" size=".1 .05 .02"/>
        <geom name="sph" type="sphere" size=".03" pos="0 .1 0" contype="0" conaffinity="0"/>
        <geom name="cyl" type="cylinder" size=".03 .1" pos="0 -.1 0" contype="0" conaffinity="0"/>
        <site name="s2" pos="0 .2 0"/>
        <site name="side" pos="0 .1 .06"/>
        <body name="b3" pos="0 0 .3">
          <joint name="ball" type="ball" range="0 60"/>
          <geom name="g3" type="ellipsoid" size=".1 .05 .07"/>
          <site name="s3" pos="0 .1 0"/>
          <site name="s4" pos=".1 .1 0" size=".1 .2 .3" type="box"/>
          <body pos=".1 0 0" euler="10 20 30"><geom name="static" type="box" size=".02 .03 .04" euler="40 50 60"/></body>
        </body>
      </body>
    </body>
    <body name="fly" pos="1 0 1">
      <freejoint name="free"/>
      <geom name="g4" type="box" size=".1 .2 .3" pos=".01 .02 .03"/>
      <geom name="fit" type="box" mesh="wedge" contype="0" conaffinity="0" group="1"/>
      <body name="given" pos="0 0 .5">
        <inertial pos=".1 0 0" mass="1.5" diaginertia=".1 .2 .15"/>
        <joint name="hg" axis="0 0 1"/>
        <geom name="gg" type="mesh" mesh="tet" group="4" mass=".3"/>
      </body>
    </body>
    <body name="moc" mocap="true" pos="0 1 1"><geom name="gm" size=".05"/></body>
    {world}
    <body name="extra" pos="0 -1 1">
      <joint name="he" type="hinge" axis="1 0 0"/>
      <geom name="ge" type="box" size=".1 .1 .1" pos=".1 0 0"/>
      {body}
    </body>
  </worldbody>
  <tendon>
    <fixed name="tl" range="-1 2"><joint joint="sl" coef="1"/></fixed>
    <fixed name="tf"><joint joint="h1" coef="1.5"/><joint joint="h2" coef="-.5"/></fixed>
    <spatial name="ts"><site site="w1"/><site site="s1"/><geom geom="sph" sidesite="side"/><site site="s3"/></spatial>
  </tendon>
  <actuator>
    <motor name="m1" joint="h1" gear="2"/>
    <position name="p1" joint="sl" kp="10"/>
  </actuator>
  <equality><joint name="e1" joint1="h1" joint2="h2"/></equality>
  <sensor><jointpos name="jp" joint="h1"/></sensor>
  {section}
</mujoco>
"""

SECTIONS = ('contact', 'equality', 'tendon', 'actuator', 'sensor', 'keyframe', 'custom', 'deformable', 'extension')

# attributes that an element needs before it can carry another one
BASE = {
    'asset/mesh': {'name': 'probe', 'vertex': '0 0 0  1 0 0  0 1 0  0 0 1'},
    'asset/hfield': {'name': 'probe', 'nrow': '2', 'ncol': '2', 'size': '1 1 1 1'},
    'asset/texture': {'name': 'probe', 'builtin': 'flat', 'width': '3', 'height': '3', 'type': '2d'},
    'asset/material': {'name': 'probe'},
    'asset/material/layer': {'role': 'rgb', 'texture': 'tx'},
    'body': {'name': 'probe'},
    'body/inertial': {'mass': '1', 'pos': '0 0 .1', 'diaginertia': '1 1 1'},
    'body/joint': {'name': 'probe'},
    'body/geom': {'name': 'probe', 'size': '.1 .2 .3', 'type': 'box'},
    'body/site': {'name': 'probe'},
    'body/camera': {'name': 'probe'},
    'body/light': {'name': 'probe'},
    'body/frame': {'name': 'probe'},
    'body/replicate': {'count': '2'},
    'contact/pair': {'geom1': 'g1', 'geom2': 'floor'},
    'contact/exclude': {'body1': 'b1', 'body2': 'b3'},
    'equality/connect': {'body1': 'b1', 'body2': 'b3', 'anchor': '.1 .2 .3'},
    'equality/weld': {'body1': 'b1', 'body2': 'b3'},
    'equality/joint': {'joint1': 'h1', 'joint2': 'sl'},
    'equality/tendon': {'tendon1': 'tf', 'tendon2': 'ts'},
    'tendon/spatial/geom': {'geom': 'sph'},
    'tendon/spatial/pulley': {'divisor': '2'},
    'tendon/spatial/site': {'site': 's2'},
    'tendon/fixed/joint': {'joint': 'h2', 'coef': '1'},
    'custom/numeric': {'name': 'probe', 'data': '1 2'},
    'custom/text': {'name': 'probe', 'data': 'words'},
    'custom/tuple': {'name': 'probe'},
    'custom/tuple/element': {'objtype': 'body', 'objname': 'b1'},
    'keyframe/key': {'name': 'probe'},
    'sensor/user': {'dim': '2'},
    'sensor/contact': {'geom1': 'g1'},
    'sensor/insidesite': {'site': 's4', 'objtype': 'body', 'objname': 'b1'},
    'sensor/camprojection': {'site': 's1', 'camera': 'cam2'},
    'sensor/tactile': {'mesh': 'tet', 'geom': 'g1'},
    'actuator/damper': {'joint': 'h2', 'ctrlrange': '0 2'},
    'actuator/adhesion': {'body': 'b1', 'ctrlrange': '0 2'},
    'actuator/orientation': {'joint': 'ball'},
    'actuator/dcmotor': {'joint': 'h1', 'motorconst': '.05 .06', 'resistance': '2'},
}
SENSOR_OBJECT = {
    'site': 's1', 'joint': 'h1', 'tendon': 'tf', 'actuator': 'm1', 'camera': 'cam2', 'geom1': 'g1', 'geom2': 'g4',
    'body': 'b1',
}
CAMERA = '<camera name="cam2" resolution="4 3" pos="0 0 2"/>'

# what must stand beside an attribute so that it has a meaning
BESIDE = {
    'slidersite': {'cranksite': 's1', 'cranklength': '.5'}, 'cranksite': {'slidersite': 's2', 'cranklength': '.5'},
    'refsite': {'site': 's3'}, 'interp': {'nsample': '5', 'delay': '.01'}, 'delay': {'nsample': '5'},
    'interval': {'nsample': '4'}, 'actlimited': {'actrange': '-1 1', 'dyntype': 'integrator'},
    'ctrllimited': {'ctrlrange': '-1 2'}, 'forcelimited': {'forcerange': '-1 2'}, 'limited': {'range': '-1 2'},
    'actuatorfrclimited': {'actuatorfrcrange': '-1 2'}, 'hfield': {'type': 'hfield'}, 'mesh': {'type': 'mesh'},
    'fluidcoef': {'fluidshape': 'ellipsoid'}, 'target': {'mode': 'targetbody'}, 'refname': {'reftype': 'body'},
    'reftype': {'refname': 'b2'}, 'fitscale': {'mesh': 'tet', 'type': 'box'}, 'focal': {'sensorsize': '.1 .2', 'resolution': '3 4'},
    'focalpixel': {'sensorsize': '.1 .2', 'resolution': '3 4'}, 'principal': {'sensorsize': '.1 .2', 'resolution': '3 4', 'focal': '.1 .1'},
    'principalpixel': {'sensorsize': '.1 .2', 'resolution': '3 4', 'focal': '.1 .1'}, 'sensorsize': {'focal': '.1 .1', 'resolution': '3 4'},
    'massscale': {'scale': '2'}, 'scaling': {'scale': '2'}, 'normal': {'face': '0 2 1  0 1 3  1 2 3  0 3 2'},
    'texcoord': {'face': '0 2 1  0 1 3  1 2 3  0 3 2'}, 'params': {'builtin': 'sphere'}, 'timeconst': {}, 'kv': {},
    'cranklength': {'cranksite': 's1', 'slidersite': 's2'}, 'nchannel': {}, 'actearly': {'dyntype': 'integrator'}, 'actrange': {'dyntype': 'integrator'},
    'subtree1': {}, 'gridlayout': {'gridsize': '3 4'}, 'anchor': {}, 'mode': {}, 'random': {'mark': 'random'},
}
# attributes that exclude each other: the one under test stays
EXCLUSIVE = (
    {'joint', 'jointinparent', 'tendon', 'site', 'body', 'cranksite'}, {'quat', 'euler', 'axisangle', 'xyaxes', 'zaxis'},
    {'kv', 'dampratio'}, {'fullinertia', 'diaginertia'}, {'geom1', 'body1', 'subtree1', 'site'}, {'geom2', 'body2', 'subtree2'},
    {'builtin', 'vertex'}, {'body1', 'site1'}, {'body2', 'site2'}, {'area', 'diameter'}, {'mesh', 'fromto'}, {'site', 'camera'},
    {'anchor', 'site1'}, {'anchor', 'site2'}, {'body1', 'site2'}, {'body2', 'site1'}, {'directional', 'type'}, {'body', 'frame'},
)
PARTNERS = {'site1': {'site2': 's3'}, 'site2': {'site1': 's1'}, 'body2': {}, 'geom2': {}}

# values worth trying, by attribute name; then by keyword; then by count
NAMED = {
    'joint': ['h1', 'ball', 'sl', 'free'], 'jointinparent': ['ball', 'free', 'h1'], 'tendon': ['tf', 'ts'], 'site': ['s3', 's4'],
    'body': ['b2', 'extra'], 'geom': ['cyl', 'g2'], 'actuator': ['p1'], 'camera': ['cam2'], 'body1': ['b2'], 'body2': ['fly', 'b1'],
    'geom1': ['g2'], 'geom2': ['g3', 'g4'], 'joint1': ['h2'], 'joint2': ['h2', 'h1'], 'tendon1': ['tl'], 'tendon2': ['tl'],
    'site1': ['s2'], 'site2': ['s3'], 'subtree1': ['b2'], 'subtree2': ['fly'], 'material': ['mat'], 'texture': ['tx', 'cube'],
    'mesh': ['wedge', 'tet'], 'hfield': ['hf'], 'target': ['b2'], 'cranksite': ['s1'], 'slidersite': ['s2'], 'refsite': ['w1', 's2'],
    'sidesite': ['side'], 'objname': ['b2', 's1', 'g1', 'cam'], 'refname': ['b2', 's1', 'g1'], 'objtype': ['geom', 'site', 'xbody', 'body', 'camera'],
    'reftype': ['site', 'xbody', 'body'], 'name': ['another'], 'class': ['cls'], 'childclass': ['cls'], 'user': ['1 2 3'],
    'fromto': ['0 0 0 .1 .2 .3'], 'quat': ['.5 .1 .2 .3'], 'euler': ['10 20 30'], 'axisangle': ['1 2 3 40'], 'relpose': ['.1 .2 .3 .7 .1 .2 .3'],
    'xyaxes': ['1 .1 0 0 1 .2'], 'zaxis': ['.1 .2 .9'], 'fullinertia': ['1 1.1 1.2 .01 .02 .03'], 'diaginertia': ['1 1.2 1.3'],
    'range': ['-.5 .7', '.2 .7'], 'ctrlrange': ['-.5 .7', '0 3', '.1 .7'], 'forcerange': ['-.5 .7', '0 2'], 'actrange': ['-.5 .7'], 'actuatorfrcrange': ['-3 4'],
    'lengthrange': ['.1 2'], 'solreflimit': ['.03 .9'], 'solreffriction': ['.03 .9'], 'solref': ['.03 .9'], 'solimp': ['.8 .9 .01 .4 3'],
    'solimplimit': ['.8 .9 .01 .4 3'], 'solimpfriction': ['.8 .9 .01 .4 3'], 'qpos': ['.1'], 'qvel': ['.2'], 'ctrl': ['.1'], 'act': [],
    'mpos': ['1 2 3'], 'mquat': ['.5 .5 .5 .6'], 'polycoef': ['.1 .2 .3 .4 .5'], 'gear': ['2 .1 .2 .3 .4 .5', '3'], 'elevation': ['0 1 2 5'],
    'gridsize': ['3 4', '1 6'], 'memory': ['10M'], 'nsample': ['6'], 'interp': ['linear', 'cubic'], 'eulerseq': ['zyx', 'XYZ'], 'angle': ['radian'],
    'face': ['0 2 1  0 1 3  1 2 3  0 3 2'], 'vertex': ['0 0 0  1 0 0  0 1 0  0 0 2'], 'normal': ['0 0 1  1 0 0  0 1 0  .5 .5 .5'],
    'texcoord': ['0 0  1 0  0 1  1 1'], 'params': ['1', '8', '.5 .2', '10 .5 .4', '5 5 1 .5 .5', '8 8 .5 .5 .5'], 'count': ['3'],
    'data': ['force torque', 'found dist', 'dist normal', '3 4 5', 'other words'], 'input': ['pos', 'pos vel', 'vel', 'quat', 'none', 'voltage'],
    'inheritrange': ['.8'], 'condim': ['1', '4', '6'], 'resolution': ['8 6'], 'output': ['depth', 'rgb depth'], 'actdim': ['2'],
    'dyntype': ['integrator', 'filter', 'filterexact', 'muscle', 'none'], 'size': ['.11 .12 .13', '5', '.11 .12 .13 .14'],
    'inertiagrouprange': ['1 3'], 'cutoff': ['2'], 'interval': ['.004', '.004 -.001'], 'springlength': ['.1 .3'], 'springdamper': ['.1 .9'],
    'stiffness': ['2 .3 .4', '2'], 'damping': ['2 .3 .4', '2'], 'friction': ['.5 .6 .01 .02 .03', '.5 .01 .02'], 'surfacevel': ['.1 .2 .3 .4 .5 .6'],
    'scale': ['2', '1.5 1.5 1.5', '1 2 3'], 'refpos': ['.1 .2 .3'], 'refquat': ['.5 .1 .2 .3'], 'sep': ['_'], 'offset': ['0 0 .1'], 'prefix': ['p_'],
    'motorconst': ['.04 .05'], 'controller': ['1 2 3'], 'cogging': ['.1 4 .2'], 'lugre': ['1 2 3 .1 .2 .01'], 'thermal': ['1 2 3 4 5 6', '1 2 3'],
    'saturation': ['1 2 3', '1 2'], 'nominal': ['12 .5 100'], 'inductance': ['.01', '.01 .001'], 'imax': ['2'], 'slewmax': ['3'], 'posrange': ['-.5 .6'],
    'velrange': ['-.5 .6'], 'ffrange': ['-.5 .6'], 'bias': ['.1 .2 .3'], 'gainprm': ['2 .1 .2'], 'biasprm': ['1 -2 -3'], 'dynprm': ['.5 .1'],
    'actuatorgroupdisable': ['1 3'], 'center': ['1 2 3'], 'cameraid': ['0'], 'meshdir': ['somewhere'], 'texturedir': ['somewhere'],
    'assetdir': ['somewhere'], 'role': ['normal', 'roughness'], 'objprm': [], 'prm': ['.5'], 'model': ['another'], 'coordinate': ['local'],
    'plastic': [], 'mocap': [], 'file': [], 'content_type': [], 'dim': ['3'], 'needstage': ['vel'], 'datatype': ['positive', 'axis', 'quaternion'],
    'num': ['2'], 'reduce': ['mindist', 'netforce'],
}
BY_COUNT = ['.3', '2', '3', '-1', '.3 .4', '.3 .4 .5', '.3 .4 .5 .6', '.1 .2 .3 .4 .5', '.1 .2 .3 .4 .5 .6', 'true', 'false', 'enable', 'disable']


def render(tag, attributes, inside=''):
    text = ' '.join(f'{name}="{value}"' for name, value in attributes.items())
    return f'<{tag} {text}>{inside}</{tag}>'


def place(path, element, attributes):
    """The slots of HOST that put an element with these attributes where it belongs."""
    parts = path.split('/')
    slots = dict.fromkeys(('top', 'asset', 'world', 'body', 'section'), '')
    slots['world'] = CAMERA
    if parts[0] == 'default':
        slots['top'] = f'<default>{nest(parts[1:], attributes)}</default>' if len(parts) > 1 else ''
        slots['section'] = default_user(parts[-1])
    elif parts[0] == 'asset':
        slots['asset'] = nest(parts[1:], attributes)
    elif parts[0] == 'body':
        if len(parts) == 1:
            slots['world'] += render('body', attributes, '<joint/><geom size=".1 .2 .3" type="box" pos=".1 .2 .3"/>')
        elif parts[1] in ('frame', 'replicate'):
            slots['world'] += render(parts[1], attributes, '<body name="inner"><joint name="ji" stiffness="2" damping="3"/>'
                                     '<geom name="gi" size=".1 .2 .3" type="box"/><site name="si"/></body><geom name="gf" size=".1"/>')
        elif parts[1] == 'freejoint':
            slots['world'] += '<body name="loose">' + render('freejoint', attributes) + '<geom size=".1" pos=".1 0 0"/></body>'
        elif parts[1] == 'joint' and attributes.get('type') == 'free':
            slots['world'] += '<body name="loose">' + render('joint', attributes) + '<geom size=".1" pos=".1 0 0"/></body>'
        else:
            slots['body'] = nest(parts[1:], attributes)
    elif parts[0] in SECTIONS:
        inside = nest(parts[1:], attributes)
        slots['section'] = f'<{parts[0]}>{inside}</{parts[0]}>'
    else:
        slots['top'] = nest(parts, attributes)
    return slots


ACTUATORS = ('general', 'motor', 'position', 'velocity', 'intvelocity', 'orientation', 'pid', 'damper', 'cylinder', 'muscle',
             'adhesion', 'dcmotor')


def default_user(tag):
    """A section with an element that shows what a default of this kind does, where the host has none."""
    if tag in ACTUATORS:
        return f'<actuator>{render(tag, minimal(f"actuator/{tag}"))}</actuator>'
    return '<contact><pair geom1="g1" geom2="floor"/></contact>' if tag == 'pair' else ''


def nest(parts, attributes):
    """Element chain parts with the attributes on the innermost."""
    if len(parts) == 1:
        inside = ''
        if parts[0] == 'spatial':
            inside = '<site site="s1"/><site site="s3"/>'
        elif parts[0] == 'fixed':
            inside = '<joint joint="h1" coef="2"/>'
        elif parts[0] == 'tuple':
            inside = '<element objtype="body" objname="b1"/>'
        return render(parts[0], attributes, inside)
    outer, inner = parts[0], nest(parts[1:], attributes)
    if outer == 'spatial':
        return f'<spatial><site site="w1"/><site site="s2"/>{inner}<site site="s3"/><site site="s1"/></spatial>'
    if outer == 'fixed':
        return f'<fixed><joint joint="h1" coef="2"/>{inner}</fixed>'
    if outer in ('tuple', 'material', 'model', 'skin'):
        return f'<{outer} name="outer">{inner}</{outer}>'
    return f'<{outer}>{inner}</{outer}>'


def minimal(path):
    """Attributes an element needs in any case."""
    if path in BASE:
        return dict(BASE[path])
    kind, _, tag = path.partition('/')
    if kind == 'actuator':
        return {'joint': 'h2'}
    if kind == 'default' and tag in ('adhesion', 'damper', 'dcmotor'):
        return {k: v for k, v in BASE[f'actuator/{tag}'].items() if k not in ('joint', 'body')}
    return {}


def load(xml):
    try:
        return mujoco.MjModel.from_xml_string(xml)
    except (ValueError, RuntimeError):  # MuJoCo refuses, sometimes without words
        return None


def sensor_base(path, attributes):
    """The smallest set of objects with which MuJoCo takes a sensor."""
    objects = [(n, SENSOR_OBJECT[n]) for n in attributes if n in SENSOR_OBJECT]
    if 'objtype' in attributes:
        objects = [('objtype', 'body'), ('objname', 'b1')]
    for size in range(len(objects) + 1):
        for chosen in itertools.combinations(objects, size):
            for joint, tendon in (('h1', 'tf'), ('ball', 'tl'), ('sl', 'tl')):
                base = {n: {'joint': joint, 'tendon': tendon}.get(n, v) for n, v in chosen}
                if load(HOST.format(**place(path, None, base))):
                    return base
    return None


def same(a, b):
    """Whether two models of MuJoCo are equal in all that is written in files."""
    if a.nbuffer != b.nbuffer:
        return False
    for name in parity.FIELDS:
        x, y = parity.getter(name)(a), parity.getter(name)(b)
        if not parity.identical(x, y) and not np.array_equal(x, y, equal_nan=getattr(x, 'dtype', np.dtype(int)).kind == 'f'):
            return False
    return True


def attributes_with(base, name, value):
    """base plus the attribute under test and what it needs, minus what it excludes."""
    groups = () if base.keys() >= {'site', 'camera'} else EXCLUSIVE  # a projected site needs both
    result = {k: v for k, v in base.items() if k != name and not any(name in g and k in g for g in groups)}
    result |= {k: v for k, v in PARTNERS.get(name, {}).items() if k in result or name.startswith('site')}
    result[name] = value
    return result


def probes(schema, every=1):
    """Yields (path, attribute, xml, MuJoCo's model, changed), of each so many one: schema maps element paths to
    {attribute: keywords}."""
    number = itertools.count()
    for path, attributes in schema.items():
        chosen = [name for name in attributes if next(number) % every == 0]
        if not chosen:
            continue
        base = minimal(path)
        if path.startswith('sensor/') and path not in BASE:
            base = sensor_base(path, attributes)
        reference = load(HOST.format(**place(path, None, base))) if base is not None else None
        for name in chosen:
            yield path, name, *probe(path, name, attributes, base or {}, reference)


def probe(path, name, attributes, base, reference):
    candidates = [*NAMED.get(name, []), *attributes[name], *BY_COUNT]
    accepted = None, None
    beside = {k: v for k, v in BESIDE.get(name, {}).items() if k in attributes}
    for extra in ([beside, {}] if beside else [{}]):
        plain = reference
        if extra:
            plain = load(HOST.format(**place(path, None, base | extra))) or reference
        for value in candidates:
            full = attributes_with(base | extra, name, value)
            xml = HOST.format(**place(path, None, full))
            model = load(xml)
            if model is None:
                continue
            if plain is None or not same(model, plain):
                return xml, model, True
            accepted = accepted if accepted[0] else (xml, model)
    return *accepted, False
