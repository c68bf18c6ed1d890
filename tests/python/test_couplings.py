"""Our own couplings: distance of two geoms, gears, differentials, networks of tendons."""
import pathlib
import subprocess
import sys

import mujoco
import numpy as np
import parity
import pytest

import lockstep
import lockstep.batch

PENDULA = '''
<mujoco><option timestep=".002" gravity="0 0 -9.81"{option}/>
  <worldbody>
    <geom name="post" type="sphere" size=".02" pos=".1 .05 1.2" contype="0" conaffinity="0"/>
    <body pos="0 0 1"><joint name="a" axis="0 1 0"/><joint name="b" type="slide" axis="1 0 0" stiffness="200" damping="1"/>
      <geom name="first" size=".04" pos=".2 0 -.3" mass="1.5" contype="0" conaffinity="0"/>
      <body pos=".2 0 -.3"><joint name="c" axis="0 0 1"/><geom size=".03" pos=".1 .1 0" mass=".4" contype="0" conaffinity="0"/></body>
    </body>
    <body name="free" pos=".5 .1 .4"><freejoint/>
      <geom name="second" type="box" size=".05 .04 .03" pos=".02 .03 .01" mass=".7" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality>{equality}</equality>
</mujoco>'''
DISTANCE = '<distance name="rod" geom1="first" geom2="second"{more}/>'


def model(equality, option=''):
    m = lockstep.MjModel.from_xml_string(PENDULA.format(equality=equality, option=option))
    return m, lockstep.MjData(m)


def random_state(m, d, rng):
    d.qpos[:3] = rng.normal(size=3)
    d.qpos[3:6] += .3 * rng.normal(size=3)
    turn = rng.normal(size=4)
    d.qpos[6:] = turn / np.linalg.norm(turn)
    d.qvel[:] = rng.normal(size=m.nv)


def centers(m, d):
    ids = m.geom('first').id, m.geom('second').id
    return d.geom_xpos[ids[0]], d.geom_xpos[ids[1]]


def dense_rows(m, d):
    J = np.zeros((d.nefc, m.nv))
    flat = np.asarray(d.efc_J)
    if lockstep.mj_isSparse(m):
        lockstep.mju_sparse2dense(J, flat, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind)
        return J
    return flat.reshape(d.nefc, m.nv)


def length_at(m, qpos):
    d = lockstep.MjData(m)
    d.qpos[:] = qpos
    lockstep.mj_kinematics(m, d)
    first, second = centers(m, d)
    return np.linalg.norm(first - second)


def test_initial_and_given_length():
    m, d = model(DISTANCE.format(more=''))
    lockstep.mj_forward(m, d)
    assert m.eq_type[0] == mujoco.mjtEq.mjEQ_DISTANCE
    assert abs(m.eq_data[0, 0] - length_at(m, m.qpos0)) < 1e-15
    assert d.nefc == 1 and abs(d.efc_pos[0]) < 1e-15
    m, d = model(DISTANCE.format(more=' distance=".3"'))
    lockstep.mj_forward(m, d)
    assert abs(d.efc_pos[0] - (length_at(m, m.qpos0) - .3)) < 1e-15
    # qpos0 changes, and what follows from it
    m, d = model(DISTANCE.format(more=''))
    m.qpos0[3] += .2
    lockstep.mj_setConst(m, d)
    assert abs(m.eq_data[0, 0] - length_at(m, m.qpos0)) < 1e-15


def test_row_of_a_distance():
    """Jacobian and its rate by finite differences; impedance and aref by their formulas."""
    m, d = model(DISTANCE.format(more=' distance=".3" solref=".05 .7" solimp=".8 .9 .1"'))
    rng, h = np.random.default_rng(1), 1e-6
    for _ in range(10):
        lockstep.mj_resetData(m, d)
        random_state(m, d, rng)
        lockstep.mj_forward(m, d)
        J = dense_rows(m, d)[0]
        moved = []
        for dof in range(m.nv):
            ends = []
            for sign in (1, -1):
                qpos, step = d.qpos.copy(), np.zeros(m.nv)
                step[dof] = sign
                lockstep.mj_integratePos(m, qpos, step, h)
                ends.append(length_at(m, qpos))
            moved.append((ends[0] - ends[1]) / (2 * h))
        assert np.abs(J - moved).max() < 1e-8
        # rate of J along the motion, times the velocity
        rates = []
        for sign in (1, -1):
            e = lockstep.MjData(m)
            e.qpos[:] = d.qpos
            lockstep.mj_integratePos(m, e.qpos, d.qvel, sign * h)
            lockstep.mj_forward(m, e)
            rates.append(dense_rows(m, e)[0])
        bias = (rates[0] - rates[1]) / (2 * h) @ d.qvel
        K, B, imp, _ = d.efc_KBIP[0]
        assert abs(d.efc_vel[0] - J @ d.qvel) < 1e-12
        assert abs(d.efc_aref[0] - (-B * d.efc_vel[0] - K * imp * d.efc_pos[0] - bias)) < 1e-6 * (1 + abs(bias))
        assert abs(K - 1 / (.9 * .05 * .7)**2) < 1e-9 and abs(B - 2 / (.9 * .05)) < 1e-9
        assert abs(d.efc_R[0] - (1 - imp) / imp * d.efc_diagA[0]) < 1e-15


def test_force_along_the_line():
    """The force on the free body is along the line, and equal and opposite on the other side."""
    m, d = model(DISTANCE.format(more=' distance=".3"'))
    rng = np.random.default_rng(2)
    for _ in range(5):
        lockstep.mj_resetData(m, d)
        random_state(m, d, rng)
        lockstep.mj_forward(m, d)
        lockstep.mj_rnePostConstraint(m, d)
        first, second = centers(m, d)
        along = (first - second) / np.linalg.norm(first - second)
        body = m.body('free').id
        assert abs(d.efc_force[0]) > 1e-3
        assert np.abs(d.cfrc_ext[body][3:] + along * d.efc_force[0]).max() < 1e-9
        assert np.abs(d.cfrc_ext[m.geom_bodyid[m.geom('first').id]][3:] - along * d.efc_force[0]).max() < 1e-9
        assert np.abs(d.qfrc_constraint - dense_rows(m, d).T @ d.efc_force).max() < 1e-12


@pytest.mark.parametrize('integrator', ['Euler', 'RK4', 'implicitfast', 'discrete'])
@pytest.mark.parametrize('solver', ['Newton', 'CG', 'PGS'])
def test_length_is_kept(integrator, solver):
    m, d = model(DISTANCE.format(more=' solimp=".99 .999 .001"'), f' integrator="{integrator}" solver="{solver}"')
    length, far = m.eq_data[0, 0], 0
    for _ in range(500):
        lockstep.mj_step(m, d)
        far = max(far, abs(length_at(m, d.qpos) - length))
    assert far < 2e-3
    assert np.linalg.norm(d.qvel) > .1
    d.eq_active[0] = 0
    for _ in range(500):
        lockstep.mj_step(m, d)
    assert abs(length_at(m, d.qpos) - length) > .1


def test_a_pendulum_on_a_rod():
    """A ball on a rod from a post swings as one on a hinge."""
    swing = lockstep.MjModel.from_xml_string(
        '<mujoco><option timestep=".0005" integrator="RK4"/><worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom size=".001" pos=".5 0 0" mass="1"/>'
        '</body></worldbody></mujoco>')
    rod = lockstep.MjModel.from_xml_string(
        '<mujoco><option timestep=".0005" integrator="RK4"/><worldbody><geom name="post" size=".001" pos="0 0 1"/>'
        '<body pos=".5 0 1"><freejoint/><geom name="ball" size=".001" mass="1"/></body></worldbody>'
        '<equality><distance geom1="post" geom2="ball" solimp=".9999 .9999 .001" solref=".01 1"/></equality></mujoco>')
    a, b = lockstep.MjData(swing), lockstep.MjData(rod)
    for _ in range(1000):
        lockstep.mj_step(swing, a)
        lockstep.mj_step(rod, b)
    assert np.abs(a.geom_xpos[0] - b.geom_xpos[1]).max() < 1e-3


def test_coinciding_centers():
    """One direction is as good as another; nothing is undefined."""
    xml = ('<mujoco><worldbody><geom name="post" size=".1" contype="0" conaffinity="0"/><body><freejoint/>'
           '<geom name="ball" size=".1" contype="0" conaffinity="0"/></body></worldbody>'
           '<equality><distance geom1="post" geom2="ball" distance="{}"/></equality></mujoco>')
    for distance in (0, .2):
        m = lockstep.MjModel.from_xml_string(xml.format(distance))
        d = lockstep.MjData(m)
        for _ in range(300):
            lockstep.mj_step(m, d)
            assert np.isfinite(d.qpos).all() and np.isfinite(d.efc_force).all()
        assert abs(np.linalg.norm(d.qpos[:3]) - distance) < (.01 if distance else .05)


def test_islands_and_sleep_know_distances():
    """Two free bodies tied by a distance are one island."""
    balls = ''.join(f'<body pos="{x} 0 0"><freejoint/><geom name="g{x}" size=".1" mass="1"/></body>' for x in range(4))
    m = lockstep.MjModel.from_xml_string(f'<mujoco><worldbody>{balls}</worldbody><equality><distance geom1="g0" geom2="g1"/>'
                                         '<distance geom1="g2" geom2="g3"/></equality></mujoco>')
    d = lockstep.MjData(m)
    d.qvel[2] = d.qvel[14] = 1
    lockstep.mj_step(m, d)
    assert d.nisland == 2 and d.nefc == 2


def test_lanes_equal_one_world():
    m, _ = model(DISTANCE.format(more='') + '<gear joint1="a" joint2="c" ratio="2"/>')
    rng, n = np.random.default_rng(5), 7
    b = lockstep.batch.Batch(m, n)
    qpos = b.bind('qpos')
    qvel = b.bind('qvel')
    worlds = []
    for k in range(n):
        d = lockstep.MjData(m)
        random_state(m, d, rng)
        qpos[k], qvel[k] = d.qpos, d.qvel
        worlds.append(d)
    for _ in range(50):
        b.step()
        for d in worlds:
            lockstep.mj_step(m, d)
    for k, d in enumerate(worlds):
        assert (np.asarray(qpos[k]) == d.qpos).all()


def test_gear():
    m, d = model('<gear name="g" joint1="a" joint2="c" ratio="-2.5" solimp=".99 .99 .1"/>')
    same, _ = model('<joint name="g" joint1="a" joint2="c" polycoef="0 -2.5 0 0 0" solimp=".99 .99 .1"/>')
    assert (m.eq_data == same.eq_data).all() and m.eq_type[0] == same.eq_type[0] == mujoco.mjtEq.mjEQ_JOINT
    for _ in range(300):
        lockstep.mj_step(m, d)
    assert abs(d.qpos[0] + 2.5 * d.qpos[2]) < 1e-2 < abs(d.qpos[2])


@pytest.mark.parametrize('kind, weights', [('type="average"', (.5, .5)), ('', (.5, .5)), ('type="difference"', (1, -1)),
                                           ('type="weighted" weight=".3 -2"', (.3, -2))])
def test_differential(kind, weights):
    m, d = model(f'<differential name="diff" joint1="a" joint2="b" joint3="c" {kind} solimp=".99 .99 .1"/>')
    assert m.ntendon == 1 and m.eq_type[0] == mujoco.mjtEq.mjEQ_TENDON
    d.qfrc_applied[:3] = 3, 2, .1
    for _ in range(300):
        lockstep.mj_step(m, d)
    assert abs(d.qpos[0] - weights[0] * d.qpos[1] - weights[1] * d.qpos[2]) < 1e-2 < np.abs(d.qpos[:3]).max()
    lockstep.mj_forward(m, d)
    assert np.abs(dense_rows(m, d)[0, :3] - (1, -weights[0], -weights[1])).max() < 1e-15


def test_differentials_without_names():
    m, _ = model('<differential joint1="a" joint2="b" joint3="c"/><differential joint1="b" joint2="a" joint3="c"/>')
    assert m.ntendon == 2 and m.tendon(0).name != m.tendon(1).name


HARNESS = '''
<mujoco><option timestep=".002"/>
  <worldbody>
    <site name="hook1" pos="-.5 0 1"/><site name="hook2" pos=".5 .2 1.1"/><site name="hook3" pos="0 -.4 1.2"/>
    <geom name="post" type="cylinder" size=".05 .2" pos="-.2 0 .8" euler="90 0 0" contype="0" conaffinity="0"/>
    <body name="load" pos="0 0 .5"><freejoint/><geom type="box" size=".2 .1 .05" mass="1" contype="0" conaffinity="0"/>
      <site name="end1" pos="-.2 0 .05"/><site name="end2" pos=".2 0 .05"/><site name="end3" pos="0 -.1 .05"/></body>
    <body pos="1 0 1"><joint name="a" axis="0 1 0" damping=".05"/><geom size=".05" pos=".1 0 0" mass=".5" contype="0" conaffinity="0"/></body>
    <body pos="1 1 1"><joint name="b" type="slide" axis="0 0 1" damping=".5"/><geom size=".05" mass=".5" contype="0" conaffinity="0"/></body>
    <body pos="1 2 1"><joint name="c" axis="0 1 0" damping=".05"/><geom size=".05" pos=".1 0 0" mass=".2" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality>{equality}</equality>
  <tendon>
    <spatial name="one"><site site="hook1"/><geom geom="post"/><site site="end1"/></spatial>
    <spatial name="two"><site site="hook2"/><site site="end2"/></spatial>
    <spatial name="three"><pulley divisor="2"/><site site="hook3"/><site site="end3"/><pulley divisor="4"/><site site="hook2"/>
      <site site="end3"/></spatial>
    <fixed name="ab"><joint joint="a" coef=".3"/><joint joint="b" coef="-1"/></fixed>
    <fixed name="bc"><joint joint="b" coef="2"/><joint joint="c" coef=".5"/></fixed>
  </tendon>
</mujoco>'''
TERMS = [  # terms of a network, tendons that it adds
    ({'one': 1, 'two': 1}, 1), ({'one': -1, 'two': -2.5}, 1), ({'one': 1, 'two': -1}, 0), ({'one': .5, 'two': -3}, 2),
    ({'one': 1, 'two': 2, 'three': .7}, 1), ({'three': 1.5, 'two': -1}, 1), ({'three': -1}, 0), ({'ab': 1, 'bc': 1}, 1),
    ({'ab': 2, 'bc': 1, 'a': -.4, 'c': .1}, 1), ({'a': 1, 'b': -1}, 1), ({'one': 1, 'a': .3}, 1),
    ({'one': -1, 'two': -1, 'a': .3, 'bc': 1}, 2), ({'one': 2, 'three': 1, 'ab': -1}, 2)]


def program():
    return str(pathlib.Path(sys.executable).with_name('lockstep'))


def network(terms, more=''):
    kind = {name: 'joint' if len(name) == 1 else 'tendon' for name in terms}
    inside = ''.join(f'<{kind[name]} {kind[name]}="{name}" coef="{coef}"/>' for name, coef in terms.items())
    return f'<network name="net" {more}>{inside}</network>'


def harness(equality):
    m = lockstep.MjModel.from_xml_string(HARNESS.format(equality=equality))
    return m, lockstep.MjData(m)


def weighted_sum(m, d, terms):
    """Of lengths and positions, their Jacobians and rates."""
    total, row = 0, np.zeros(m.nv)
    J = np.zeros((m.ntendon, m.nv))
    lockstep.mju_sparse2dense(J, np.asarray(d.ten_J), m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind)
    for name, coef in terms.items():
        if len(name) == 1:
            joint = m.joint(name)
            total += coef * d.qpos[joint.qposadr[0]]
            row[joint.dofadr[0]] += coef
        else:
            total += coef * d.ten_length[m.tendon(name).id]
            row += coef * J[m.tendon(name).id]
    return total, row


@pytest.mark.parametrize('terms, added', TERMS, ids=lambda x: str(x))
def test_row_of_a_network(terms, added):
    """One row: the weighted sum, from its value at the start, less the offset; up to the sign."""
    m, d = harness(network(terms, 'offset=".07"'))
    assert m.ntendon == 5 + added and m.neq == 1 and m.eq_type[0] == mujoco.mjtEq.mjEQ_TENDON
    lockstep.mj_forward(m, d)
    start = weighted_sum(m, d, terms)[0]
    rng = np.random.default_rng(4)
    for _ in range(5):
        lockstep.mj_resetData(m, d)
        lockstep.mj_integratePos(m, d.qpos, rng.normal(size=m.nv), .1)
        lockstep.mj_forward(m, d)
        total, row = weighted_sum(m, d, terms)
        assert d.nefc == 1
        assert abs(abs(d.efc_pos[0]) - abs(total - start - .07)) < 1e-14
        found = dense_rows(m, d)[0] * np.sign(d.efc_pos[0] * (total - start - .07))
        assert np.abs(found - row).max() < 1e-14


def test_network_moves():
    """A load on two ropes over one drum: what the drum winds up is the sum of what the ropes give."""
    terms = {'one': 1, 'two': 1, 'a': .2}
    m, d = harness(network(terms, 'solimp=".99 .999 .001"'))
    lockstep.mj_forward(m, d)
    start = weighted_sum(m, d, terms)[0]
    for _ in range(400):
        lockstep.mj_step(m, d)
    lockstep.mj_forward(m, d)
    assert abs(weighted_sum(m, d, terms)[0] - start) < 1e-3 < .1 < abs(d.qpos[m.joint('a').qposadr[0]])
    d.eq_active[0] = 0
    for _ in range(400):
        lockstep.mj_step(m, d)
    lockstep.mj_forward(m, d)
    assert abs(weighted_sum(m, d, terms)[0] - start) > .05


def test_networks_are_saved_as_what_mujoco_reads(tmp_path):
    text = HARNESS.format(equality=''.join(network(terms).replace('"net"', f'"net{i}"') for i, (terms, _) in enumerate(TERMS))
                          + network({'one': 1, 'two': 2}).replace('name="net"', ''))
    own = lockstep.MjModel.from_xml_string(text)
    for save in (lambda path: lockstep.mj_saveLastXML(path, own),
                 lambda path: subprocess.run([program(), 'convert', '--for-mujoco', str(source), path], check=True)):
        source, path = tmp_path / 'model.xml', str(tmp_path / 'saved.xml')
        source.write_text(text)
        save(path)
        for engine in (lockstep, mujoco):
            again = engine.MjModel.from_xml_path(path)
            comparison = parity.compare(again if engine is lockstep else own, own if engine is lockstep else again,
                                        [name for name in parity.FIELDS if not name.startswith('path')])
            assert not comparison.deviations, str(comparison)
    spec = lockstep.MjSpec.from_string(text)
    assert mujoco.MjModel.from_xml_string(spec.to_xml()).neq == len(TERMS) + 1


def test_networks_in_parts():
    """Attached models bring their networks, and networks reach into attached models and later sections."""
    parent = lockstep.MjSpec.from_string('<mujoco><worldbody><frame name="here"/></worldbody></mujoco>')
    parent.attach(lockstep.MjSpec.from_string(HARNESS.format(equality=network({'one': 1, 'two': 2}))), prefix='x/', frame='here')
    m = parent.compile()
    assert m.neq == 1 and m.tendon(m.eq_obj1id[0]).name == 'x/net'
    inner = HARNESS.format(equality='').encode()
    m = lockstep.MjModel.from_xml_string(
        '<mujoco><asset><model name="h" file="h.xml"/></asset><worldbody><frame><attach model="h" prefix="y/"/></frame></worldbody>'
        '<equality><network name="n"><tendon tendon="y/one" coef="1"/><tendon tendon="y/two" coef="2"/></network></equality></mujoco>',
        {'h.xml': inner})
    assert m.neq == 1 and m.ntendon == 6


def test_wrong_networks_are_explained():
    for bad, words in ((network({}), 'nothing is coupled'), (network({'one': 0}), 'nothing is coupled'),
                       (network({'a': 1, 'ab': -1, 'b': -1}).replace('"1"', '".3"'), 'nothing is coupled'),
                       (network({'onne': 1}), "unknown tendon.*onne.*'one'"),
                       (network({'one': 1, 'two': -1, 'a': 1}), 'both signs'),
                       (network({'one': 1}, 'ofset="1"'), 'offset'), (network({'x': 1}), 'x'),
                       ('<network><tendon tendon="one"/></network>', 'coef'), ('<network><site site="hook1"/></network>', 'site')):
        with pytest.raises(ValueError, match=r'(?s):\d+: error: .*' + words):
            harness(bad)


def test_saved_and_loaded():
    text = PENDULA.format(option='', equality=DISTANCE.format(more='') + DISTANCE.format(more=' distance=".3"').replace('rod', 'other')
                          + '<gear joint1="a" joint2="c" ratio="3"/><differential joint1="a" joint2="b" joint3="c"/>')
    spec = lockstep.MjSpec.from_string(text)
    first = spec.compile()
    again = lockstep.MjSpec.from_string(spec.to_xml())
    second = again.compile()
    for name in ('eq_type', 'eq_obj1id', 'eq_obj2id', 'eq_solref', 'wrap_prm'):
        assert (getattr(first, name) == getattr(second, name)).all(), name
    assert np.abs(first.eq_data - second.eq_data).max() < 1e-5
    assert '<distance' in spec.to_xml()


def test_wrong_couplings_are_explained():
    for bad, words in (('<distance geom1="first"/>', 'geom2'), ('<distance geom1="first" geom2="nobody"/>', 'nobody'),
                       ('<distance geom1="first" geom2="first"/>', 'itself'), ('<gear joint1="a" joint2="nobody"/>', 'nobody'),
                       ('<differential joint1="a" joint2="b" joint3="c" type="mean"/>', 'average'),
                       ('<differential joint1="a" joint2="b" joint3="c" type="weighted"/>', 'weight'),
                       ('<differential joint1="a" joint2="b" joint3="c" weight="1 2"/>', 'weight')):
        with pytest.raises(ValueError, match=words):
            model(bad)


def test_spec_api():
    spec = lockstep.MjSpec.from_string(PENDULA.format(option='', equality=''))
    equality = spec.add_equality(name='rod', type=lockstep.mjtEq.mjEQ_DISTANCE, name1='first', name2='second')
    equality.data[0] = .4
    m = spec.compile()
    assert m.eq_data[0, 0] == .4
    equality.data[0] = -1
    m = spec.compile()
    assert abs(m.eq_data[0, 0] - length_at(m, m.qpos0)) < 1e-15
