"""Contacts ahead of fast geoms equal MuJoCo's, and keep balls from passing through walls."""
import itertools
import os
import warnings

import mujoco
import numpy as np
import pytest

import lockstep
import lockstep.batch

STATES = int(os.environ.get('LOCKSTEP_STATES', '25'))
SCALE = float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))  # 0 shows the true residuals
TOLERANCE = 1e-9 * SCALE
ASSET = ('<asset><mesh name="stone" vertex="0 0 .12  .1 0 .02  -.05 .09 .03  -.06 -.08 .01  .02 .03 -.1  .09 .07 -.05  '
         '-.1 0 -.05"/></asset>')
SHAPES = {'sphere': 'type="sphere" size=".06"', 'capsule': 'type="capsule" size=".03 .1"',
          'box': 'type="box" size=".08 .05 .03"', 'mesh': 'type="mesh" mesh="stone"'}
SMOOTH = {'ellipsoid': 'type="ellipsoid" size=".05 .08 .1"', 'cylinder': 'type="cylinder" size=".06 .04"'}
H = 0.01


def world(body, flags='', options='', default='', extra=''):
    return f'''<mujoco><option timestep="{H}" gravity="0 0 0" {options}><flag speculative="enable" {flags}/></option>
      {ASSET}<default>{default}</default><worldbody>{body}{extra}</worldbody></mujoco>'''


def free(geom, pos='0 0 0'):
    return f'<body pos="{pos}"><freejoint/><geom {geom}/></body>'


def both(xml):
    pair = []
    for engine in (mujoco, lockstep):
        m = engine.MjModel.from_xml_string(xml)
        pair.append((engine, m, engine.MjData(m)))
    return pair


def forward(pair, qpos, qvel):
    for engine, m, d in pair:
        engine.mj_resetData(m, d)
        d.qpos[:], d.qvel[:] = qpos, qvel
        engine.mj_forward(m, d)
    return pair[0][2], pair[1][2]


def residual(ref, own, axes=slice(3)):
    """Largest difference of the contacts; infinite if there are others."""
    if ref.ncon != own.ncon or not np.array_equal(ref.contact.geom, own.contact.geom):
        return np.inf
    if not np.array_equal(ref.contact.exclude, own.contact.exclude) or ref.nefc != own.nefc:
        return np.inf
    worst = 0
    for name in ('dist', 'pos', 'frame'):
        a, b = (np.asarray(getattr(d.contact, name)) for d in (ref, own))
        if name == 'pos':
            a, b = a[:, axes], b[:, axes]
        worst = max(worst, (np.abs(a - b) / np.maximum(1, np.abs(a))).max(initial=0))
    return worst


def chase(rng, distance, speed):
    """Two free bodies, of which the second flies at the first; both turn."""
    at = rng.normal(size=3)
    at *= distance / np.linalg.norm(at)
    turned = rng.normal(size=(2, 4))
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    common = rng.normal(size=3) * 10
    spin = rng.normal(size=(2, 3)) * rng.choice([0, 20, 100], size=(2, 1))
    velocity = (rng.normal(size=3) * 0.08 - at) * rng.uniform(*speed) / H
    return np.r_[0, 0, 0, turned[0], at, turned[1]], np.r_[common, spin[0], velocity + common, spin[1]]


@pytest.mark.parametrize('start', [(0.6, (0.5, 2.5)), (0.25, (0.3, 2))], ids=['far', 'close'])
@pytest.mark.parametrize('shapes', list(itertools.combinations_with_replacement(SHAPES, 2)), ids='-'.join)
def test_single_contacts(shapes, start):
    default = '<geom margin=".01" gap=".02"/>' if start[0] < 0.5 else ''
    pair = both(world(''.join(free(SHAPES[s]) for s in shapes), 'multiccd="disable"', default=default))
    rng = np.random.default_rng(7)
    found = 0
    for _ in range(STATES):
        ref, own = forward(pair, *chase(rng, *start))
        found += ref.ncon
        assert residual(ref, own) <= TOLERANCE
    assert found > STATES / 4


@pytest.mark.parametrize('shapes', [*itertools.product(SMOOTH, SHAPES), ('ellipsoid', 'cylinder')], ids='-'.join)
def test_curved_shapes(shapes):
    """A search on curved shapes ends by a tolerance; rounding decides where below it."""
    kinds = SHAPES | SMOOTH
    pair = both(world(''.join(free(kinds[s]) for s in shapes), 'multiccd="disable"'))
    rng = np.random.default_rng(8)
    found = 0
    for _ in range(STATES):
        ref, own = forward(pair, *chase(rng, 0.6, (0.5, 2.5)))
        found += ref.ncon
        assert residual(ref, own) <= 2e-4 * SCALE
    assert found > STATES / 4


@pytest.mark.parametrize('shape', [*SHAPES, *SMOOTH])
@pytest.mark.parametrize('floor', ['type="plane" size="1 1 1"', 'type="box" size="1 1 .02"'], ids=['plane', 'box'])
def test_falling_flat(shape, floor):
    """Corners of a side that lands flat. Which four of a disk's are taken is a tie that rounding decides."""
    kinds = SHAPES | SMOOTH
    pair = both(world(f'<geom {floor}/>' + free(kinds[shape])))
    rng = np.random.default_rng(9)
    found = 0
    for _ in range(STATES):
        qpos = np.r_[rng.uniform(-0.3, 0.3, 2), 0.6, 1, 0, 0, 0]
        ref, own = forward(pair, qpos, np.r_[rng.normal(size=2) * 10, -rng.uniform(40, 120), 0, 0, 0])
        found += ref.ncon
        axes = slice(2, 3) if shape == 'cylinder' else slice(3)
        assert residual(ref, own, axes) <= (TOLERANCE if shape != 'ellipsoid' else 2e-4 * SCALE)
    assert found >= STATES / 2


@pytest.mark.parametrize('shape', ['sphere', 'box', 'mesh'])
def test_tumbling_onto_a_plane(shape):
    pair = both(world('<geom type="plane" size="1 1 1"/>' + free(SHAPES[shape])))
    rng = np.random.default_rng(10)
    found = 0
    for state in range(STATES):
        turned = np.r_[1, 0, 0, 0] + rng.normal(size=4) * (1 if state % 2 else 0.05)
        qpos = np.r_[rng.uniform(-0.3, 0.3, 2), 0.6, turned / np.linalg.norm(turned)]
        spin = rng.normal(size=3) * rng.choice([0, 3, 30])
        ref, own = forward(pair, qpos, np.r_[rng.normal(size=2) * 10, -rng.uniform(40, 120), spin])
        found += ref.ncon
        assert residual(ref, own) <= TOLERANCE
    assert found >= STATES / 2


@pytest.mark.parametrize('integrator', ['Euler', 'implicitfast', 'discrete'])
@pytest.mark.parametrize('solref', ['.02 1', '.02 .5', '.001 1', '.05 1', '-5000 -30', '-1e5 -2000', '0 -100', '-100 0'])
def test_distance_by_spring(integrator, solref):
    geom = f'solref="{solref}"'
    body = f'<geom type="box" size=".02 1 1" {geom}/>' + free(f'type="sphere" size=".05" {geom}', '-.57 0 0')
    pair = both(world(body, options=f'integrator="{integrator}"'))
    ref, own = forward(pair, pair[0][1].qpos0, np.r_[80, 3, 0, 0, 0, 0.])
    assert ref.ncon == 1 and residual(ref, own) <= TOLERANCE
    for name in ('efc_aref', 'qacc'):
        a, b = getattr(ref, name), getattr(own, name)
        assert np.abs(a - b).max() <= TOLERANCE * np.abs(a).max(), name


@pytest.mark.parametrize('settings, hides', [('', True), ('contype="0" conaffinity="0"', False), ('rgba="0 0 0 0"', True),
                                             ('contype="2" conaffinity="2"', False)])
def test_what_stands_between_hides(settings, hides):
    screen = f'<geom name="screen" type="box" size=".001 .1 .1" pos="-.2 0 0" {settings}/>'
    body = '<geom type="box" size=".02 1 1"/>' + free('type="sphere" size=".05"', '-.57 0 0')
    pair = both(world(body, extra=screen))
    ref, own = forward(pair, pair[0][1].qpos0, np.r_[80, 0, 0, 0, 0, 0.])
    assert residual(ref, own) <= TOLERANCE
    assert own.ncon == 1 and (own.contact.geom[0].max() == 2) and (1 in own.contact.geom[0]) == hides


def bullet(flag):
    return f'''<mujoco><option timestep="{H}"><flag speculative="{flag}"/></option><worldbody>
      <geom type="box" size=".01 1 1"/><geom type="plane" size="3 3 1" pos="0 0 -1"/>
      <body pos="-.6 0 .1"><freejoint/><geom type="sphere" size=".03" mass="1"/></body></worldbody></mujoco>'''


def test_a_fast_ball_stays_before_a_thin_wall():
    ends = {}
    for flag in ('disable', 'enable'):
        m = lockstep.MjModel.from_xml_string(bullet(flag))
        d = lockstep.MjData(m)
        d.qvel[0] = 47
        with warnings.catch_warnings():
            warnings.simplefilter('error')  # nothing is said to be left out
            lockstep.mj_step(m, d, 20)
        ends[flag] = d.qpos[0]
    assert ends['disable'] > 1 and ends['enable'] < 0


def test_trajectories():
    pair = both(bullet('enable'))
    for speed in (20, 47, 90, 300):
        for engine, m, d in pair:
            engine.mj_resetData(m, d)
            d.qvel[:] = speed, 7, 3, 0, 30, 0
        for step in range(100):
            for engine, m, d in pair:
                engine.mj_step(m, d)
            ref, own = pair[0][2], pair[1][2]
            assert np.abs(ref.qpos - own.qpos).max() <= TOLERANCE * 100, (speed, step)


@pytest.mark.parametrize('width', [1, 4])
def test_a_world_among_others_keeps_its_bits(width):
    xml = world(free(SHAPES['box']) + free(SHAPES['mesh'], '-.6 0 0') + free(SHAPES['sphere'], '.6 .1 0') +
                free(SHAPES['capsule'], '0 .7 0') + '<geom type="plane" size="3 3 1" pos="0 0 -1"/>')
    m = lockstep.MjModel.from_xml_string(xml)
    count, steps = 9, 12
    rng = np.random.default_rng(3)
    speeds = rng.normal(size=(count, m.nv)) * 5
    speeds[:, 6] += rng.uniform(30, 90, count)
    speeds[:, 12] -= rng.uniform(0, 90, count)
    speeds[:, 19] -= rng.uniform(30, 90, count)
    batch = lockstep.batch.Batch(m, count, 1, width=width)
    batch.qvel = speeds
    batch.step(nstep=steps)
    contacts = 0
    for world_id in range(count):
        d = lockstep.MjData(m)
        d.qvel[:] = speeds[world_id]
        for _ in range(steps):
            lockstep.mj_step(m, d)
            contacts += d.ncon
        assert np.array_equal(d.qpos, batch.qpos[world_id]) and np.array_equal(d.qvel, batch.qvel[world_id])
    assert contacts > count
