"""Passive forces, bias, energies, momentum, forces on bodies and inverse dynamics, compared with MuJoCo."""
import itertools
import os

import mujoco
import numpy as np
import pytest
from states import give, randomize, residual

import lockstep

TOLERANCE = 1e-10 * float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))  # 0 shows the true residuals
FORWARD = ('qfrc_spring', 'qfrc_damper', 'qfrc_gravcomp', 'qfrc_fluid', 'qfrc_adhesion', 'qfrc_passive', 'qfrc_bias',
           'energy')
LATER = ('subtree_linvel', 'subtree_angmom', 'cacc', 'cfrc_ext', 'cfrc_int', 'qfrc_inverse')
worst = {}


def model(worldbody, option='', flags='', rest=''):
    return (f'<mujoco><option {option}><flag constraint="disable" energy="enable" {flags}/></option>'
            f'<asset><mesh name="tetra" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .4"/></asset>'
            f'<worldbody>{worldbody}</worldbody>{rest}</mujoco>')


def check(xml, states=10, seed=0):
    """All forces of random states, stage by stage; the last stages start from MuJoCo's own actuator forces and qacc."""
    ref, own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    a, b = mujoco.MjData(ref), lockstep.MjData(own)
    rng = np.random.default_rng(seed)
    for state in range(states):
        randomize(ref, a, rng, speed=3 if state % 2 else 0.3)
        given = a.qacc.copy()
        give(a, b)
        for engine, m, d in ((mujoco, ref, a), (lockstep, own, b)):
            engine.mj_fwdPosition(m, d)
            engine.mj_fwdVelocity(m, d)
            engine.mj_energyPos(m, d)
            engine.mj_energyVel(m, d)
        compare(FORWARD, a, b)
        mujoco.mj_fwdActuation(ref, a)
        b.actuator_force[:] = a.actuator_force
        a.qacc, b.qacc[:] = given, given
        for engine, m, d in ((mujoco, ref, a), (lockstep, own, b)):
            engine.mj_subtreeVel(m, d)
            engine.mj_rnePostConstraint(m, d)
            engine.mj_inverse(m, d)
        compare(LATER, a, b)
        for flag in (0, 1):
            theirs, ours = np.zeros(ref.nv), np.zeros(ref.nv)
            mujoco.mj_rne(ref, a, flag, theirs)
            lockstep.mj_rne(own, b, flag, ours)
            note('mj_rne', ours, theirs)


def compare(names, a, b):
    for name in names:
        note(name, getattr(b, name), getattr(a, name))


def note(name, own, ref):
    gap = residual(own, ref)
    worst[name] = max(gap, worst.get(name, 0))
    assert gap <= TOLERANCE, f'{name} off by {gap:.1e}\n{np.asarray(own)}\n{np.asarray(ref)}'


@pytest.fixture(scope='module', autouse=True)
def summary():
    yield
    print('\nworst residuals:', ', '.join(f'{name} {gap:.1e}' for name, gap in sorted(worst.items())))


GEOM = '<geom type="box" size=".1 .2 .3" pos=".1 .05 -.1"/>'
COEFFICIENTS = {'none': '', 'linear': '2', 'square': '0 1.5', 'cubic': '0 0 .7', 'all': '2 -1.5 .7'}


@pytest.mark.parametrize('damping', COEFFICIENTS)
@pytest.mark.parametrize('stiffness', COEFFICIENTS)
@pytest.mark.parametrize('kind', ['hinge', 'slide', 'ball', 'free'])
def test_joints(kind, stiffness, damping):
    attributes = f'type="{kind}"'
    if stiffness != 'none':
        attributes += f' stiffness="{COEFFICIENTS[stiffness]}"'
    if damping != 'none':
        attributes += f' damping="{COEFFICIENTS[damping]}"'
    rests = ['', 'springref="20"'] if kind in ('hinge', 'slide') else ['']
    yields = ['', 'springyield=".2"'] if kind != 'free' and stiffness != 'none' else ['']
    for rest, limit in itertools.product(rests, yields):
        check(model(f'<body pos=".1 .2 .3" euler="10 20 30"><joint {attributes} {rest} {limit}/>{GEOM}</body>'), 6)


@pytest.mark.parametrize('actuators', [0, 1, 2, 3])
def test_damping_of_actuators(actuators):
    kinds = ['<motor joint="{}" damping=".5 .2 .1" armature=".3" gear="3"/>',
             '<position jointinparent="{}" damping="0 .7" gear="-2"/>', '<velocity joint="{}" damping=".1" kv="2"/>']
    tree = (f'<body><joint name="a" damping="1 1 1"/>{GEOM}<body pos="0 0 .3"><joint name="b" type="slide"/>{GEOM}'
            f'<body pos="0 .3 0"><joint name="c" type="ball"/>{GEOM}</body></body></body>')
    for joints in ('abc', 'b', 'aac'):
        rest = ''.join(kind.format(joint) for joint in joints for kind in kinds[:actuators])
        check(model(tree, rest=f'<actuator>{rest}</actuator>'))


SITES = ('<site name="w" pos="0 0 .8"/><site name="side" pos=".4 0 .2"/><geom name="ball" size=".15" pos=".2 .1 .4"/>'
         '<geom name="rod" type="cylinder" size=".1 .3" pos="-.2 .3 .4" euler="30 0 60"/>'
         '<body name="A" pos=".3 0 0"><joint name="a" axis="0 1 .3" pos="0 0 .2"/><geom size=".1"/>'
         '<site name="s" pos=".1 0 .3"/><site name="s2" pos=".2 .1 .1"/>'
         '<body name="B" pos=".5 0 0"><joint name="b" type="ball"/><geom size=".1" pos=".1 .1 0"/>'
         '<site name="t" pos=".1 0 .2"/>'
         '<body name="C" pos=".2 .1 .1"><joint name="c" type="slide"/><geom size=".05"/><site name="u" pos="0 .1 0"/>'
         '</body></body></body><body name="F" pos="0 1 0"><freejoint/><geom size=".1 .2 .1" type="ellipsoid"/>'
         '<site name="v" pos=".1 0 .1"/>'
         '</body><body name="S" pos="1 0 0"><geom size=".1"/><site name="x" pos="0 0 .2"/></body>')
PATHS = {
    'fixed': '<fixed {}><joint joint="a" coef="2"/><joint joint="c" coef="-.7"/></fixed>',
    'sites': '<spatial {}><site site="w"/><site site="s"/><site site="s2"/><site site="t"/><site site="u"/></spatial>',
    'pulley': '<spatial {}><site site="w"/><site site="s"/><pulley divisor="2"/><site site="t"/><site site="u"/>'
              '<pulley divisor="3"/><site site="s2"/><site site="v"/></spatial>',
    'trees': '<spatial {}><site site="v"/><site site="u"/></spatial>',
    'static': '<spatial {}><site site="w"/><site site="x"/><site site="u"/></spatial>',
    'wrap': '<spatial {}><site site="w"/><geom geom="ball"/><site site="s"/><geom geom="rod" sidesite="side"/>'
            '<site site="t"/></spatial>',
}


@pytest.mark.parametrize('driven', ['', 'motor', 'inert', 'two'])
@pytest.mark.parametrize('path', PATHS)
def test_tendons(path, driven):
    actuators = {
        '': '', 'motor': '<motor tendon="t" gear="2" damping="1 .5 .25"/>',
        'inert': '' if path == 'wrap' else '<motor tendon="t" gear="2" armature=".3"/>',
        'two': '<motor tendon="t" damping=".3"/><position tendon="t" kp="3" gear="-1.5" damping="0 .2 .1"/>',
    }[driven]
    inertias = [''] if path == 'wrap' else ['', 'armature=".4"']
    for attributes, inertia in itertools.product(
            ['', 'stiffness="3"', 'damping="2"', 'stiffness="2 1 .5" springlength=".3 .6" damping="1 .5 .2"',
             'stiffness="5 0 1" springlength=".4" springyield=".1"',
             'stiffness="0 2" springlength="0 .5" springyield=".2"'],
            inertias):
        tendon = PATHS[path].format(f'name="t" {attributes} {inertia}')
        check(model(SITES, rest=f'<tendon>{tendon}</tendon><actuator>{actuators}</actuator>'), 6)


@pytest.mark.parametrize('gravity', ['0 0 -9.81', '1 2 3', '0 0 0', 'off'])
@pytest.mark.parametrize('carried', [False, True])
def test_gravity_compensation(gravity, carried):
    attribute = f'actuatorgravcomp="{str(carried).lower()}"'
    tree = (f'<body gravcomp="1"><freejoint/>{GEOM}</body><body gravcomp=".4"><joint {attribute}/>{GEOM}'
            f'<body pos="0 .2 0"><joint type="ball" {attribute}/>{GEOM}'
            f'<body gravcomp="-2"><joint type="slide"/>{GEOM}</body>'
            f'<body><joint type="slide" {attribute}/><joint axis="1 0 0"/>{GEOM}</body></body></body>')
    option, flags = (f'gravity="{gravity}"', '') if gravity != 'off' else ('', 'gravity="disable"')
    check(model(tree, option, flags))


SHAPES = {
    'sphere': 'size=".2"', 'capsule': 'size=".1 .3"', 'cylinder': 'size=".2 .05"', 'box': 'size=".1 .2 .3"',
    'ellipsoid': 'size=".3 .2 .05"', 'mesh': 'mesh="tetra"',
}
MEDIA = ['density="1.2"', 'viscosity=".3"', 'density="1000" viscosity=".01"',
         'density="1.2" viscosity="2" wind="1 -2 .5"', 'wind="1 2 3"']


@pytest.mark.parametrize('fluid', ['', 'fluidshape="ellipsoid"',
                                   'fluidshape="ellipsoid" fluidcoef=".1 .7 2 .4 1.9"'])
@pytest.mark.parametrize('shape', SHAPES)
def test_fluid(shape, fluid):
    geom = f'<geom type="{shape}" {SHAPES[shape]} {fluid} euler="20 30 40" pos=".1 -.1 .2"/>'
    tree = (f'<body pos="0 0 1"><freejoint/>{geom}</body><body><joint axis="1 1 0"/>{geom}'
            f'<body pos="0 0 .5"><joint type="ball"/>{geom}{GEOM}'
            f'<geom type="capsule" size=".1 .2" fluidshape="ellipsoid"/>'
            f'<body><joint type="slide" axis="1 2 3"/>{GEOM}</body><body><site name="massless"/></body></body></body>')
    for medium in MEDIA:
        check(model(tree, medium), 6)


def test_tiny_bodies_in_a_medium():
    """Where MuJoCo's guards against division by zero act; so dense that the forces are not small."""
    for size in (1e-2, 1e-3, 1e-4, 1e-5):
        body = '<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{}</body>'
        geom = f'<geom type="ellipsoid" size="{size} {2 * size} {3 * size}" fluidshape="ellipsoid"/>'
        box = '<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="{0} {0} {0}"/></body>'
        check(model(body.format(geom) + box.format(size**2), f'density="{1 / size**2}" viscosity="{1 / size}"'))


FLAGS = [' '.join(f'{name}="disable"' for name in names) for count in range(4)
         for names in itertools.combinations(['spring', 'damper', 'gravity'], count)]


@pytest.mark.parametrize('flags', FLAGS)
def test_flags(flags):
    tree = (f'<body gravcomp=".5"><joint stiffness="2 1" damping="1 2" name="a"/>{GEOM}<site name="s" pos=".3 0 0"/>'
            f'<body pos=".2 0 .1"><joint type="ball" stiffness="1" damping=".5"/>{GEOM}<site name="t" pos="0 .3 0"/>'
            f'</body></body>')
    rest = ('<tendon><spatial name="t" stiffness="3" springlength=".1" damping="2" armature=".1"><site site="s"/>'
            '<site site="t"/></spatial></tendon><actuator><motor tendon="t" damping="1"/></actuator>')
    check(model(tree, 'density="2" viscosity=".3"', flags, rest))


class Tree:
    """A random model with every attribute that forces depend on."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.bodies = self.sites = 0
        self.joints = []

    def number(self, low=-1.0, high=1.0, count=1):
        return ' '.join(f'{x:.3f}' for x in self.rng.uniform(low, high, count))

    def chance(self, p):
        return self.rng.uniform() < p

    def joint(self, kind):
        name = f'j{len(self.joints)}'
        self.joints.append((name, kind))
        text = f'<joint name="{name}" type="{kind}"'
        if kind in ('hinge', 'slide'):
            text += f' axis="{self.number(count=3)}" springref="{self.number()}"'
        if kind != 'free':
            text += f' pos="{self.number(-.3, .3, 3)}"'
        if self.chance(.6):
            text += f' stiffness="{self.number(0, 3, self.rng.integers(1, 4))}"'
            if kind != 'free' and self.chance(.5):
                text += f' springyield="{self.number(.1, 1)}"'
        if self.chance(.6):
            text += f' damping="{self.number(0, 2, self.rng.integers(1, 4))}"'
        if self.chance(.4):
            text += f' armature="{self.number(0, .5)}"'
        if self.chance(.3):
            text += ' actuatorgravcomp="true"'
        return text + '/>'

    def geom(self):
        shape = self.rng.choice(list(SHAPES))
        text = f'<geom type="{shape}" {SHAPES[shape]} pos="{self.number(-.3, .3, 3)}" euler="{self.number(-90, 90, 3)}"'
        if self.chance(.4):
            text += ' fluidshape="ellipsoid"'
            if self.chance(.5):
                text += f' fluidcoef="{self.number(0, 2, 5)}"'
        return text + '/>'

    def body(self, depth):
        self.bodies += 1
        carried = f' gravcomp="{self.number(-1, 2)}"' if self.chance(.4) else ''
        text = f'<body pos="{self.number(-.5, .5, 3)}" euler="{self.number(-90, 90, 3)}"{carried}>'
        kinds = ['free'] if depth == 0 and self.chance(.3) else \
            list(self.rng.choice(['hinge', 'slide', 'hinge', 'slide', 'ball'], self.rng.integers(0 if depth else 1, 4)))
        text += ''.join(self.joint(kind) for kind in dict.fromkeys(kinds) if kind != 'ball' or 'ball' not in kinds[:-1])
        text += ''.join(self.geom() for _ in range(self.rng.integers(1, 3)))
        for _ in range(self.rng.integers(0, 3)):
            text += f'<site name="s{self.sites}" pos="{self.number(-.3, .3, 3)}"/>'
            self.sites += 1
        for _ in range(self.rng.integers(0, 3) if depth < 4 and self.bodies < 12 else 0):
            text += self.body(depth + 1)
        return text + '</body>'

    def tendon(self, id):
        text = f'name="t{id}"'
        if self.chance(.7):
            text += f' stiffness="{self.number(0, 3, self.rng.integers(1, 4))}"'
            if self.chance(.5):
                text += f' springlength="{self.number(0, .3)} {self.number(.3, 1)}"'
            if self.chance(.5):
                text += f' springyield="{self.number(.1, 1)}"'
        if self.chance(.6):
            text += f' damping="{self.number(0, 2, self.rng.integers(1, 4))}"'
        if self.chance(.5):
            text += f' armature="{self.number(0, .5)}"'
        scalar = [name for name, kind in self.joints if kind in ('hinge', 'slide')]
        if scalar and (self.sites < 2 or self.chance(.4)):
            chosen = dict.fromkeys(self.rng.choice(scalar, self.rng.integers(1, 4)))
            path = ''.join(f'<joint joint="{joint}" coef="{self.number(.2, 2)}"/>' for joint in chosen)
            return f'<fixed {text}>{path}</fixed>'
        if self.sites < 2:
            return ''
        sites = self.rng.permutation(self.sites)[:self.rng.integers(2, 6)]
        path = ''.join(f'<site site="s{i}"/>' for i in sites)
        if self.sites > 5 and self.chance(.4):
            path += f'<pulley divisor="{self.number(1, 3)}"/>' + ''.join(f'<site site="s{i}"/>' for i in sites[:2])
        return f'<spatial {text}>{path}</spatial>'

    def actuator(self, tendons):
        joint = self.joints[self.rng.integers(len(self.joints))][0] if self.joints else None
        tendon = tendons[self.rng.integers(len(tendons))] if tendons else None
        target = f'tendon="{tendon}"' if tendon and (self.chance(.4) or not joint) else f'joint="{joint}"'
        text = f'<motor {target} gear="{self.number(-2, 2)}"'
        if self.chance(.6):
            text += f' damping="{self.number(0, 1, self.rng.integers(1, 4))}"'
        if self.chance(.4):
            text += f' armature="{self.number(0, .4)}"'
        return text + '/>'

    def xml(self):
        tree = ''.join(self.body(0) for _ in range(self.rng.integers(1, 4)))
        tendons = [self.tendon(i) for i in range(self.rng.integers(0, 4))]
        names = [f't{i}' for i, text in enumerate(tendons) if text]
        actuators = [self.actuator(names) for _ in range(self.rng.integers(0, 5))]
        option = f'gravity="{self.number(-10, 10, 3)}"'
        if self.chance(.5):
            option += f' density="{self.number(0, 5)}"'
        if self.chance(.5):
            option += f' viscosity="{self.number(0, 1)}" wind="{self.number(-3, 3, 3)}"'
        return model(tree, option, rest=f'<tendon>{"".join(tendons)}</tendon><actuator>{"".join(actuators)}</actuator>')


@pytest.mark.parametrize('seed', range(60))
def test_random_trees(seed):
    check(Tree(seed).xml(), 10, seed)


@pytest.mark.parametrize('seed', range(10))
def test_inverse_explains_forward(seed):
    m = lockstep.MjModel.from_xml_string(Tree(seed).xml())
    ref = mujoco.MjModel.from_xml_string(Tree(seed).xml())
    d, a = lockstep.MjData(m), mujoco.MjData(ref)
    rng = np.random.default_rng(seed)
    for _ in range(10):
        randomize(ref, a, rng)
        give(a, d)
        lockstep.mj_forward(m, d)
        expected = d.qfrc_smooth + d.qfrc_bias - d.qfrc_passive
        lockstep.mj_inverse(m, d)
        assert residual(d.qfrc_inverse, expected) <= 1e-10


def both(xml):
    """The two engines, each with a Model and a Data in the same random state."""
    ref, own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    a, b = mujoco.MjData(ref), lockstep.MjData(own)
    randomize(ref, a, np.random.default_rng(1))
    give(a, b)
    return (mujoco, ref, a), (lockstep, own, b)


INTEGRATORS = ['Euler', 'implicit', 'implicitfast']


@pytest.mark.parametrize('seed', range(8))
@pytest.mark.parametrize('integrator', INTEGRATORS)
@pytest.mark.parametrize('flags', ['', 'eulerdamp="disable"'])
def test_inverse_of_discrete_steps(integrator, flags, seed):
    xml = Tree(seed).xml().replace('<option ', f'<option integrator="{integrator}" timestep=".01" ')
    (_, ref, a), (_, own, b) = both(xml.replace('<flag ', f'<flag invdiscrete="enable" {flags} '))
    for engine, m, d in ((mujoco, ref, a), (lockstep, own, b)):
        before = d.qacc.copy()
        engine.mj_inverse(m, d)
        assert np.array_equal(before, d.qacc)
    assert residual(b.qfrc_inverse, a.qfrc_inverse) <= 1e-10


def test_inverse_of_runge_kutta_steps_is_refused():
    xml = model(f'<body><joint/>{GEOM}</body>', 'integrator="RK4"', 'invdiscrete="enable"')
    for engine, m, d in both(xml):
        with pytest.raises(engine.FatalError):
            engine.mj_inverse(m, d)


@pytest.mark.parametrize('enabled', [False, True])
def test_energy_by_flag(enabled):
    """What fills energy, what clears it and what leaves it alone."""
    found = []
    for engine, m, d in both(Tree(3).xml()):
        m.opt.enableflags = int(engine.mjtEnableBit.mjENBL_ENERGY) if enabled else 0
        for call in (engine.mj_forward, engine.mj_step1, engine.mj_inverse, engine.mj_fwdPosition,
                     engine.mj_fwdVelocity, lambda m, d: engine.mj_inverseSkip(m, d, 1, 0),
                     lambda m, d: engine.mj_inverseSkip(m, d, 2, 0)):
            d.energy[:] = 7, 8
            call(m, d)
            found.append(d.energy.copy())
    half = len(found) // 2
    assert residual(np.array(found[half:]), np.array(found[:half])) <= TOLERANCE or TOLERANCE == 0


def test_forces_of_unequal_arguments():
    m = lockstep.MjModel.from_xml_string(model(f'<body><joint/>{GEOM}</body>'))
    with pytest.raises(TypeError):
        lockstep.mj_rne(m, lockstep.MjData(m), 0, np.zeros(2))


def test_force_along_tendons():
    """Spring, damper and actuator parts of ten_force are what qfrc_spring, qfrc_damper and moments tell."""
    rest = ('<tendon><fixed name="t" stiffness="3 1" springlength=".1 .3" damping="2 .5"><joint joint="a" coef="2"/>'
            '</fixed></tendon><actuator><motor tendon="t" gear="3"/>'
            '<motor tendon="t" gear="-1" damping=".5"/></actuator>')
    _, (_, m, d) = both(model(f'<body><joint name="a"/>{GEOM}</body>', rest=rest))
    lockstep.mj_forward(m, d)
    d.actuator_force[:] = 4, 5
    parts = np.zeros((m.ntendon, 6))
    lockstep.ten_force(m, d, parts)
    expected = d.qfrc_spring[0] / 2, d.qfrc_damper[0] / 2, 0, 0, 3 * 4 - 5
    assert np.allclose(parts[0], [*expected, sum(expected)], rtol=1e-14, atol=0)
    with pytest.raises(TypeError):
        lockstep.ten_force(m, d, np.zeros(6))


@pytest.mark.parametrize('seed', range(20))
@pytest.mark.parametrize('integrator', ['implicit', 'implicitfast'])
def test_derivative_of_fluid_forces(integrator, seed):
    """qDeriv of a step without actuators, whose derivatives are tested with the integrators."""
    xml = Tree(seed).xml().replace('<option ', f'<option integrator="{integrator}" timestep=".01" ')
    (_, ref, a), (_, own, b) = both(xml)
    for engine, m, d in ((mujoco, ref, a), (lockstep, own, b)):
        m.opt.density, m.opt.viscosity = 3, 0.5
        m.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)
        engine.mj_inverse(m, d)
    assert residual(b.qDeriv, a.qDeriv) <= 1e-10
    assert residual(b.qfrc_inverse, a.qfrc_inverse) <= 1e-10
