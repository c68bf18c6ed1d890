"""Contacts of whole models equal MuJoCo's: which, in what order, where, and with what settings.

LOCKSTEP_STATES sets the number of random and of visited states of each model; 50 is the full run.
"""
import os

import mujoco
import numpy as np
import parity
import pytest
import residuals
from test_parity import MODELS

import lockstep

STATES = int(os.environ.get('LOCKSTEP_STATES', '4'))
SCALE = float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))  # 0 shows the true residuals
ANALYTIC, CONVEX = 1e-9 * SCALE, 1e-6 * SCALE
G = mujoco.mjtGeom
EXACT = {(G.mjGEOM_PLANE, other) for other in (G.mjGEOM_SPHERE, G.mjGEOM_CAPSULE, G.mjGEOM_ELLIPSOID,
                                               G.mjGEOM_CYLINDER, G.mjGEOM_BOX)}
EXACT |= {(G.mjGEOM_SPHERE, other) for other in (G.mjGEOM_SPHERE, G.mjGEOM_CAPSULE, G.mjGEOM_CYLINDER, G.mjGEOM_BOX)}
EXACT |= {(G.mjGEOM_CAPSULE, G.mjGEOM_CAPSULE), (G.mjGEOM_CAPSULE, G.mjGEOM_BOX), (G.mjGEOM_BOX, G.mjGEOM_BOX)}
EXACT = {(int(a), int(b)) for a, b in EXACT}
SETTINGS = ('includemargin', 'friction', 'solref', 'solreffriction', 'solimp', 'adhesion')
LENGTH = {
    'geom': 2, 'friction': 5, 'solref': 2, 'solreffriction': 2, 'solimp': 5, 'pos': 3,
    'frame': 9, 'surfacevel': 3
}
WHICH = ('geom', 'dim', 'exclude')
worst = residuals.Worst()


@pytest.fixture(scope='module', autouse=True)
def summary():
    yield
    print('\n' + worst.table('models', 'contacts of analytic pairs'))


def is_exact(m, geoms):
    return tuple(int(m.geom_type[g]) for g in geoms) in EXACT


def columns(m, d, kind):
    """Members of the contacts whose colliders are of one kind, a row each."""
    use = np.array([is_exact(m, pair) == kind for pair in d.contact.geom], bool)
    return {name: np.asarray(getattr(d.contact, name)).reshape(len(use), LENGTH.get(name, 1))[use]
            for name in (*WHICH, *SETTINGS, 'dist', 'pos', 'frame', 'surfacevel')}


def deviations(m, ref, own, label, group='generated'):
    """What is wrong with our contacts. Of convex pairs, which iterations find, see below."""
    both = [columns(m, d, True) for d in (ref, own)]
    for name in WHICH:
        if not np.array_equal(both[0][name], both[1][name]):
            return [f'{label}: {name}: {both[1][name].tolist()}, not {both[0][name].tolist()}']
    # where the axes of two capsules cross, rounding alone decides the normal
    crossing = [(m.geom_type[pair] == G.mjGEOM_CAPSULE).all() and dist + m.geom_size[pair, 0].sum() < 1e-12
                for pair, dist in zip(both[0]['geom'], both[0]['dist'][:, 0])]
    for some in both:
        some['frame'][crossing] = 0
    wrong = []
    for name, value in both[0].items():
        gap = np.abs(both[1][name] - value).max(initial=0)
        worst.note(gap, group, 'settings' if name in SETTINGS else name)
        if not gap <= (1e-15 * SCALE if name in SETTINGS else ANALYTIC):
            wrong.append(f'{label}: {name} differs by {gap:.1e}')
    return wrong


class Both:
    """A model in both engines."""

    def __init__(self, ref, own):
        self.m, self.own = ref, own
        self.d, self.e = mujoco.MjData(ref), lockstep.MjData(own)

    def check(self, label, group='generated'):
        """Collides MuJoCo's state in both."""
        for name in ('qpos', 'mocap_pos', 'mocap_quat'):
            getattr(self.e, name)[:] = getattr(self.d, name)
        for engine, m, d in ((mujoco, self.m, self.d), (lockstep, self.own, self.e)):
            engine.mj_kinematics(m, d)
            engine.mj_comPos(m, d)
            engine.mj_collision(m, d)
        return deviations(self.m, self.d, self.e, label, group)


def reason(m):
    return 'flexes are not simulated' if m.nflex else 'plugins are not simulated' if m.nplugin else None


def random_states(both, count, rng):
    for i in range(count):
        mujoco.mj_resetData(both.m, both.d)
        if both.m.nkey and i % 2:
            mujoco.mj_resetDataKeyframe(both.m, both.d, i // 2 % both.m.nkey)
        mujoco.mj_integratePos(both.m, both.d.qpos, rng.normal(size=both.m.nv) * rng.choice((0.1, 0.5)), 1)
        both.d.mocap_pos += 0.1 * rng.normal(size=(both.m.nmocap, 3))
        yield f'random {i}'


def visited_states(both, count, rng):
    mujoco.mj_resetData(both.m, both.d)
    for i in range(count):
        for _ in range(20):
            both.d.ctrl = rng.normal(size=both.m.nu)
            mujoco.mj_step(both.m, both.d)
        yield f'visited {i}'


def check_model(both, count, rng, group='generated'):
    wrong = []
    for some in (random_states, visited_states):
        for label in some(both, count, rng):
            wrong += both.check(label, group)
    assert not wrong, '\n'.join(wrong[:10])


@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_model(path):
    reference = parity.load_reference(path)
    if reason(reference):
        pytest.skip(reason(reference))
    check_model(Both(reference, lockstep.MjModel.from_xml_path(str(path))), STATES, np.random.default_rng(0),
                residuals.group(path))


def load(xml):
    return Both(mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml))


def shape(rng, kinds):
    """A geom with everything that a contact takes from it."""
    kind = rng.choice(kinds)
    size = {'plane': '0 0 1'}.get(kind, '%g %g %g' % tuple(rng.uniform(0.05, 0.3, 3)))
    quat = '%g %g %g %g' % tuple(rng.normal(size=4))
    maybe = [('condim', rng.choice((1, 3, 4, 6))), ('priority', rng.integers(-1, 3)), ('solmix', rng.choice((0, 0, 1, 3))),
             ('margin', rng.uniform(0, 0.1)), ('gap', rng.uniform(0, 0.1)), ('adhesion', rng.uniform(0, 5)),
             ('friction', '%g %g %g' % tuple(rng.uniform(0, 1, 3))), ('solref', rng.choice(('.05 .7', '-100 -3', '.01 1'))),
             ('solimp', '.8 .9 .01 .4 3'), ('surfacevel', '%g %g %g %g %g %g' % tuple(rng.normal(size=6))),
             ('contype', rng.integers(0, 4)), ('conaffinity', rng.integers(0, 4))]
    chosen = ' '.join(f'{name}="{value}"' for name, value in maybe if rng.random() < 0.3)
    pos = '%g %g %g' % tuple(0.3 * rng.normal(size=3)) if kind != 'plane' else '0 0 -.3'
    quat = quat if kind != 'plane' else '1 %g %g 0' % tuple(0.2 * rng.normal(size=2))
    return f'<geom type="{kind}" size="{size}" quat="{quat}" pos="{pos}" mass="1" {chosen} name="{{}}"/>'


def scene(rng, kinds, bodies=8, flags=''):
    """Bodies in a tree with static, welded and mocap ones among them, pair elements and exclusions."""
    geoms, text = 0, ''

    def some(most, planes=False):
        nonlocal geoms
        out = ''
        for _ in range(rng.integers(1, most + 1)):
            out += shape(rng, [*kinds, 'plane'] if planes else kinds).format(f'g{geoms}')
            geoms += 1
        return out

    text += some(4, planes=True)
    depth = 0
    for body in range(bodies):
        while depth and rng.random() < 0.5:
            text += '</body>'
            depth -= 1
        joint = rng.choice(('<freejoint/>' if not depth else '<joint type="ball"/>', '<joint axis="1 1 0"/>', ''))
        mocap = 'mocap="true"' if not depth and not joint and rng.random() < 0.5 else ''
        pos = '%g %g %g' % tuple(0.3 * rng.normal(size=3))
        text += f'<body name="b{body}" pos="{pos}" {mocap}>{joint}{some(3)}'
        depth += 1
    text += '</body>' * depth
    contact = ''
    for _ in range(rng.integers(5)):
        a, b = rng.choice(geoms, 2, replace=False)
        contact += f'<pair geom1="g{a}" geom2="g{b}" margin="{rng.uniform(0, 0.1)}" gap="{rng.uniform(0, 0.1)}" ' \
                   f'solreffriction=".03 .8" friction="0 .3 .2 .1 .1" condim="{rng.choice((1, 3, 4, 6))}"/>'
    for _ in range(rng.integers(3)):
        a, b = rng.choice(bodies, 2, replace=False)
        contact += f'<exclude body1="b{a}" body2="b{b}"/>'
    return f'<mujoco>{flags}<worldbody>{text}</worldbody><contact>{contact}</contact></mujoco>'


FLAGS = ['', '<option><flag filterparent="disable"/></option>', '<option><flag midphase="disable"/></option>',
         '<option o_margin=".05" o_solref=".03 .9" o_solimp=".7 .8 .01 .3 1" o_friction="0 .5 .1 .2 .3">'
         '<flag override="enable"/></option>', '<option><flag contact="disable"/></option>',
         '<option><flag constraint="disable"/></option>']
PRIMITIVES = ('sphere', 'capsule', 'cylinder', 'ellipsoid', 'box')


def load_scene(rng, **options):
    """The next scene that compiles: some have the same pair or exclusion twice."""
    while True:
        try:
            return load(scene(rng, PRIMITIVES, **options))
        except ValueError:
            continue


@pytest.mark.parametrize('flags', FLAGS)
def test_scene(flags):
    rng = np.random.default_rng(1)
    for _ in range(10 * STATES):
        both = load_scene(rng, flags=flags, bodies=rng.integers(2, 12))
        if 'override' in flags:  # MuJoCo's broad phase forgets gaps there
            both.m.geom_gap[:] = both.own.geom_gap[:] = 0
        wrong = [text for label in random_states(both, 4, rng) for text in both.check(label)]
        assert not wrong, '\n'.join(wrong[:10])


def test_many_bodies():
    """Enough bodies for the sweep, in a heap and in a long row."""
    rng = np.random.default_rng(2)
    for spread in ((0.6, 0.6, 0.6), (0.2, 8, 0.2)):
        balls = ''.join(f'<body pos="{x} {y} {z}"><freejoint/><geom type="{rng.choice(PRIMITIVES[:2])}" size=".1 .1 .1"/>'
                        '</body>' for x, y, z in rng.normal(size=(80, 3)) * spread)
        both = load(f'<mujoco><worldbody><geom type="plane" size="0 0 1" pos="0 0 -1"/>{balls}</worldbody></mujoco>')
        wrong, most = [], 0
        for label in random_states(both, STATES, rng):
            wrong += both.check(label)
            most = max(most, both.d.ncon)
        assert most > 8
        assert not wrong, '\n'.join(wrong[:10])


TOUCHING = {'sphere': lambda h: (h, 0, 0), 'capsule': lambda h: (.5 * h, .5 * h, 0), 'cylinder': lambda h: (.3, h, 0),
            'box': lambda h: (.3, .2, h)}


@pytest.mark.parametrize('first, second', [('plane', other) for other in TOUCHING] + [('sphere', 'sphere'), ('sphere', 'capsule'),
                         ('sphere', 'cylinder'), ('sphere', 'box'), ('capsule', 'box'), ('box', 'box')])
def test_what_just_touches(first, second):
    """Sizes and places as people write them: the gap is zero but for rounding, which decides as in MuJoCo."""
    rng = np.random.default_rng(3)
    for trial in range(40):
        half1, half2 = np.round(rng.uniform(.02, .9, 2), 3)
        half1, size1 = (0, (5, 5, .1)) if first == 'plane' else (half1, TOUCHING[first](half1))
        margin = (0, .013)[trial % 2]
        low = -half1 if trial % 3 else round(-rng.uniform(0, .9), 3)
        high = round(low + half1 + half2 + margin, 4)
        text = ('<mujoco><worldbody><geom type="{}" size="{} {} {}" margin="{}" pos="0 0 {}"/><body pos="0 0 {}"><freejoint/>'
                '<geom type="{}" size="{} {} {}"/></body></worldbody></mujoco>').format(
                    first, *size1, margin, low, high, second, *TOUCHING[second](half2))
        found = []
        for engine in (mujoco, lockstep):
            m = engine.MjModel.from_xml_string(text)
            d = engine.MjData(m)
            engine.mj_forward(m, d)
            found.append((d.ncon, d.nefc, list(d.contact.exclude)))
        assert found[0] == found[1], text


def test_changed_filters_count_at_once():
    """Pairs of geoms are kept from step to step, but not when someone changes what they depend on."""
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1"/><geom type="box" size=".05 .05 .05" pos=".3 0 -.05"/></body>
      <body pos="0 0 .25"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    models = [module.MjModel.from_xml_string(xml) for module in (lockstep, mujoco)]
    datas = [module.MjData(m) for module, m in zip((lockstep, mujoco), models)]

    def counts():
        for module, m, d in zip((lockstep, mujoco), models, datas):
            module.mj_forward(m, d)
        np.testing.assert_array_equal(datas[0].contact.geom, datas[1].contact.geom)
        return datas[0].ncon

    def change(field, index, value):
        for m in models:
            getattr(m, field)[index] = value
        return counts()

    every = counts()
    assert every >= 4
    assert change('geom_contype', 1, 0) == every  # the others still want it
    without = change('geom_conaffinity', 1, 0)
    assert without < every
    assert change('geom_conaffinity', 1, 1) == every
    assert change('geom_type', 1, int(mujoco.mjtGeom.mjGEOM_CAPSULE)) > 0
    for m in models:
        m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_MIDPHASE)
    assert counts() > 0
