"""Constraint rows equal MuJoCo's: what they are, their Jacobians in compressed form, and all their numbers.

Models of the corpus, and generated ones that combine every attribute of equalities, friction, limits and contacts.
LOCKSTEP_STATES sets the number of random and of visited states of each model; 50 is the full run.
"""
import os

import mujoco
import numpy as np
import parity
import pytest
import residuals
import states
from test_parity import MODELS

import lockstep

STATES = int(os.environ.get('LOCKSTEP_STATES', '3'))
TOLERANCE = 1e-9 * float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))

COUNTS = ('ne', 'nf', 'nl', 'nefc', 'nJ')
EXACT = ('efc_type', 'efc_id', 'efc_J_rownnz', 'efc_J_rowadr', 'efc_J_rowsuper', 'efc_J_colind', 'tendon_efcadr')
NUMBERS = ('efc_J', 'efc_pos', 'efc_margin', 'efc_frictionloss', 'efc_diagA', 'efc_KBIP', 'efc_D', 'efc_R', 'efc_vel',
           'efc_aref')
CONTACT = mujoco.mjtDisableBit.mjDSBL_CONTACT
FRICTIONLESS = int(mujoco.mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)
seen = {}  # kinds of rows, by model
worst = residuals.Worst()


@pytest.fixture(scope='module', autouse=True)
def summary():
    yield
    print('\n' + worst.table('models', 'field'))


# differences of places in models of about a meter may be rounding alone
LEAST = {'efc_J': 1e-6, 'efc_pos': 1e-6, 'efc_vel': 1e-5, 'efc_aref': 1e-4}


def residual(own, ref, columns, least):
    """Largest difference, relative to the largest number of its column."""
    own, ref = (np.asarray(x).reshape(-1, columns) for x in (own, ref))
    scale = np.maximum(np.abs(ref).max(axis=0), least)
    return float((np.abs(own - ref) / scale).max())


def differences(own, ref, group='generated'):
    """What differs between the rows of two Datas."""
    found = [f'{name}: {getattr(own, name)} instead of {getattr(ref, name)}' for name in COUNTS
             if getattr(own, name) != getattr(ref, name)]
    if found or not ref.nefc:
        return found
    found = [f'{name}: {getattr(own, name)} instead of {getattr(ref, name)}' for name in EXACT
             if not np.array_equal(getattr(own, name), getattr(ref, name))]
    for name in NUMBERS:
        gap = residual(getattr(own, name), getattr(ref, name), 4 if name == 'efc_KBIP' else 1, LEAST.get(name, 1e-12))
        worst.note(gap, group, name)
        if not gap <= TOLERANCE:
            found.append(f'{name}: {gap:.1e}')
    return found


def same_contacts(own, ref):
    """Whether both found the same contacts; what they should be is tested elsewhere."""
    if own.ncon != ref.ncon:
        return False
    gaps = [np.abs(getattr(own.contact, name) - getattr(ref.contact, name)).max(initial=0)
            for name in ('dist', 'pos', 'frame')]
    return max(gaps) < 1e-12


def disable(disabled, *models):
    for model in models:
        model.opt.disableflags |= disabled
        model.opt.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE


def visited(reference, count, rng):
    """States that MuJoCo reaches under random controls."""
    data = mujoco.MjData(reference)
    for _ in range(count):
        if np.abs(data.qvel).max(initial=0) > 1e3:
            mujoco.mj_resetData(reference, data)  # what exploded says nothing
        for _ in range(20):
            data.ctrl = rng.normal(size=reference.nu)
            mujoco.mj_step(reference, data)
        if np.abs(data.qvel).max(initial=0) < 1e3:
            yield data


def thrown(reference, count, rng):
    data = mujoco.MjData(reference)
    for _ in range(count):
        states.randomize(reference, data, rng)
        yield data


def check(own, reference, label, count=STATES, seed=0, group='generated'):
    """The rows of random and visited states; returns the kinds of rows that were seen."""
    rng = np.random.default_rng(seed)
    own_data, kinds = lockstep.MjData(own), set()
    ref_data = mujoco.MjData(reference)
    for source in (thrown, visited):
        for number, data in enumerate(source(reference, count, rng)):
            states.give(data, own_data)
            states.give(data, ref_data)
            for target in (own_data, ref_data):
                target.eq_active[:] = data.eq_active
            for flags in (own.opt.disableflags, own.opt.disableflags | CONTACT):
                kept = own.opt.disableflags
                own.opt.disableflags = reference.opt.disableflags = flags
                lockstep.mj_forward(own, own_data)
                mujoco.mj_forward(reference, ref_data)
                own.opt.disableflags = reference.opt.disableflags = kept
                if same_contacts(own_data, ref_data):
                    break
            found = differences(own_data, ref_data, group)
            assert not found, f'{label}, {source.__name__} state {number}:\n' + '\n'.join(found)
            kinds |= set(ref_data.efc_type.tolist())
    return kinds


@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_model(path):
    reference = parity.load_reference(path)
    if reference.nflex or reference.nplugin:
        pytest.skip('flexes and plugins are not simulated')
    own = lockstep.MjModel.from_xml_path(str(path))
    disable(0, own, reference)
    seen[path] = check(own, reference, parity.label(path), group=residuals.group(path))


def test_models_touch():
    """Contacts were compared in many models, whatever collides differently."""
    if len(seen) < len(MODELS) / 2:
        pytest.skip('runs after all models')
    touching = [path for path, kinds in seen.items() if max(kinds, default=0) >= FRICTIONLESS]
    assert len(touching) > len(seen) / 3


SOLREF = ('0.02 1', '0.001 0.3', '0.3 2', '-100 -5', '-30 -0.1', '0 -1', '0.02 -1', '-50 0')
SOLIMP = ('0.9 0.95 0.001 0.5 2', '0 1 0.3 0.2 1', '0.5 0.5 0.1', '0.9 0.2 0.5 0.9 3', '0.3 0.95 2 0.4 6',
          '0.1 0.8 0 0.5 2', '0.2 0.9 4 0.7 1.5', '0.95 0.99 0.01 0.5 2')

BODIES = """
<mujoco>
  <option timestep="{timestep}" impratio="{impratio}" integrator="{integrator}"><flag {flags}/></option>
  <worldbody>
    <site name="w0" pos="0.3 0.2 1" euler="10 20 30"/>
    <geom name="fix" type="sphere" size="0.02" pos="0 0 3"/>
    <body name="a0" pos="0 0 1">
      <joint name="ja" type="{joint0}" axis="1 2 3" {limit0}/>
      <geom type="capsule" size="0.03 0.2" pos="0.1 0 0" euler="0 80 0"/>
      <site name="sa0" pos="0.2 0 0.1" euler="40 0 10"/>
      <body name="a1" pos="0.3 0 0">
        <joint name="jb" type="hinge" axis="0 1 0.2" pos="0.02 0 0" {limit1} frictionloss="{loss0}" {friction} {springs}/>
        <joint name="js" type="slide" axis="0 0 1" {limit2} frictionloss="{loss1}"/>
        <geom type="box" size="0.1 0.05 0.03" pos="0.1 0 0"/>
        <site name="sa1" pos="0.1 0.1 0" euler="0 50 10"/>
        <body name="a2" pos="0.2 0 0" euler="20 0 0">
          <joint name="jball" type="ball" pos="0.05 0 0" {limit3} frictionloss="{loss2}" {springs}/>
          <geom type="ellipsoid" size="0.1 0.05 0.07"/>
          <site name="sa2" pos="0 0.1 0.05" euler="5 50 10"/>
        </body>
        <body name="a3" pos="0 0.2 0">
          <joint name="jc" type="hinge" axis="1 0 0" {limit1}/>
          <joint name="jd" type="hinge" axis="0 1 0" pos="0.1 0 0"/>
          <geom type="box" size="0.03 0.1 0.06"/>
          <site name="sa3" pos="0.1 0 0.05"/>
        </body>
      </body>
    </body>
    <body name="b0" pos="1 0.3 1">
      <freejoint name="jf"/>
      <geom type="box" size="0.1 0.2 0.05" pos="0.02 0.01 0"/>
      <site name="sb0" pos="0.1 0.2 0.05" euler="30 10 -50"/>
      <body name="b1" pos="0.2 0 0">
        <joint name="je" type="slide" axis="1 0 0.1" {limit2}/>
        <geom type="sphere" size="0.08"/>
        <site name="sb1" pos="0 0 0.1"/>
        <body name="fixed" pos="0 0.1 0"><geom type="sphere" size="0.02"/><site name="sf" pos="0.1 0 0"/></body>
      </body>
    </body>
    <body name="m" mocap="true" pos="0 1 1"><geom type="sphere" size="0.05"/><site name="sm" euler="9 8 7"/></body>
  </worldbody>
  <contact><exclude body1="a0" body2="b0"/></contact>
  <tendon>
    <fixed name="t0" {ten0}><joint joint="jb" coef="0.7"/><joint joint="je" coef="-1.2"/></fixed>
    <spatial name="t1" {ten1} {springs}><site site="sa2"/><site site="sb0"/><site site="w0"/></spatial>
    <spatial name="t2" {ten0}><site site="sa1"/><site site="sa0"/><pulley divisor="2"/><site site="sb1"/><site site="sa3"/></spatial>
    <spatial name="t3" limited="true" range="1 2"><site site="w0"/><site site="sm"/></spatial>
  </tendon>
  <actuator><position joint="jb" kp="40" kv="3"/><position tendon="t0" kp="70" forcerange="-20 20"/></actuator>
  <equality>{equalities}</equality>
</mujoco>"""


# equalities that nothing can change: a body and what is fixed to it
DEAD = '<weld body1="b1" body2="fixed"/><connect body1="b1" body2="fixed" anchor="0 0 0"/>'


def generate(seed):
    """A model with random kinds and attributes of equalities, friction and limits."""
    rng = np.random.default_rng(seed)
    pick = lambda options: options[rng.integers(len(options))]
    solver = lambda tail='': f'solref{tail}="{pick(SOLREF)}" solimp{tail}="{pick(SOLIMP)}"'
    numbers = lambda count, scale=1.0: ' '.join(f'{x:.3f}' for x in scale * rng.normal(size=count))
    frames = ('a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'fixed', 'm')
    sites = ('w0', 'sa0', 'sa1', 'sa2', 'sa3', 'sb0', 'sb1', 'sf', 'sm')

    def two(names):
        return rng.choice(names, size=2, replace=False)

    def body_pair():
        first, second = two(frames)
        return f'body1="{first}"' + (f' body2="{second}"' if rng.random() < 0.8 else '')

    def equality():
        kind = rng.integers(6)
        tail = solver() + (' active="false"' if rng.random() < 0.2 else '')
        if kind == 0:
            return f'<connect {body_pair()} anchor="{numbers(3)}" {tail}/>'
        if kind == 1:
            first, second = two(sites)
            return f'<connect site1="{first}" site2="{second}" {tail}/>'
        if kind == 2:
            extra = f' anchor="{numbers(3)}"' if rng.random() < 0.5 else ''
            extra += f' relpose="{numbers(7)}"' if rng.random() < 0.5 else ''
            extra += f' torquescale="{abs(rng.normal()):.3f}"' if rng.random() < 0.7 else ''
            return f'<weld {body_pair()}{extra} {tail}/>'
        if kind == 3:
            first, second = two(sites)
            extra = f' torquescale="{abs(rng.normal()):.3f}"' if rng.random() < 0.5 else ''
            return f'<weld site1="{first}" site2="{second}"{extra} {tail}/>'
        poly = f' polycoef="{numbers(5)}"' if rng.random() < 0.8 else ''
        if kind == 4:
            first, second = two(('jb', 'js', 'jc', 'jd', 'je'))
            other = f' joint2="{second}"' if rng.random() < 0.7 else ''
            return f'<joint joint1="{first}"{other}{poly} {tail}/>'
        first, second = two(('t0', 't1', 't2'))
        other = f' tendon2="{second}"' if rng.random() < 0.7 else ''
        return f'<tendon tendon1="{first}"{other}{poly} {tail}/>'

    def limit(low, high):
        lo, hi = sorted(rng.uniform(low, high, size=2))
        return f'limited="true" range="{lo:.3f} {hi:.3f}" margin="{pick((0, 0.01, 0.5, 2))}" {solver("limit")}'

    def tendon():
        return (limit(0.1, 2) + f' frictionloss="{pick((0, 0.3, 2))}" {solver("friction")}')

    return BODIES.format(
        timestep=pick((0.002, 0.01, 0.0005)), impratio=pick((1, 0.3, 10)), integrator=pick(('Euler', 'discrete')),
        flags=pick(('refsafe="enable"', 'refsafe="disable"', 'diagexact="enable"')),
        springs=pick(('', 'stiffness="30" damping="2 1"')), joint0=pick(('hinge', 'slide')),
        limit0=limit(-90, 90), limit1=limit(-90, 90), limit2=limit(-0.5, 0.5),
        limit3='limited="true" ' + f'range="0 {rng.uniform(10, 120):.1f}" margin="{pick((0, 0.3))}" {solver("limit")}',
        loss0=pick((0, 0.1, 3)), loss1=pick((0, 0.2)), loss2=pick((0, 0.3)), friction=solver('friction'),
        ten0=tendon(), ten1=tendon(), equalities='\n'.join(equality() for _ in range(6)))


@pytest.mark.parametrize('seed', range(int(os.environ.get('LOCKSTEP_GENERATED', '60'))))
def test_generated(seed):
    text = generate(seed)
    reference = mujoco.MjModel.from_xml_string(text)
    own = lockstep.MjModel.from_xml_string(text)
    disable(CONTACT, own, reference)
    kinds = check(own, reference, text, count=6, seed=seed)
    assert mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT in kinds


@pytest.mark.parametrize('seed', range(20))
def test_dense(seed):
    """Rows without effect are left out where MuJoCo keeps dense Jacobians."""
    text = generate(seed).replace('</equality>', DEAD + '</equality>')
    reference, own = mujoco.MjModel.from_xml_string(text), lockstep.MjModel.from_xml_string(text)
    rng = np.random.default_rng(seed)
    ref_data, own_data, dropped = mujoco.MjData(reference), lockstep.MjData(own), 0
    for model in (own, reference):
        model.opt.disableflags |= CONTACT
    for data in thrown(reference, 4, rng):
        states.give(data, own_data)
        states.give(data, ref_data)
        counts = []
        for kind in (mujoco.mjtJacobian.mjJAC_SPARSE, mujoco.mjtJacobian.mjJAC_DENSE):
            reference.opt.jacobian = own.opt.jacobian = kind
            mujoco.mj_forward(reference, ref_data)
            lockstep.mj_forward(own, own_data)
            counts.append(own_data.nefc)
            assert [own_data.nefc, own_data.ne] == [ref_data.nefc, ref_data.ne]
            for name in ('efc_type', 'efc_id'):
                np.testing.assert_array_equal(getattr(own_data, name), getattr(ref_data, name))
            for name in NUMBERS:
                ours, theirs = getattr(own_data, name), getattr(ref_data, name)
                # MuJoCo shows the room of dropped rows too
                theirs = theirs[:ours.size] if name == 'efc_J' else theirs
                columns = 4 if name == 'efc_KBIP' else 1
                assert residual(ours, theirs, columns, LEAST.get(name, 1e-12)) < TOLERANCE
        dropped += counts[0] - counts[1]
    assert dropped


@pytest.mark.parametrize('flag', ('CONSTRAINT', 'EQUALITY', 'FRICTIONLOSS', 'LIMIT'))
def test_disabled(flag):
    text = generate(1)
    reference, own = mujoco.MjModel.from_xml_string(text), lockstep.MjModel.from_xml_string(text)
    disable(CONTACT | getattr(mujoco.mjtDisableBit, f'mjDSBL_{flag}'), own, reference)
    check(own, reference, flag)


SCENE = """
<mujoco>
  <option timestep="{timestep}" impratio="{impratio}" cone="{cone}" integrator="{integrator}" {override}><flag {flags}/></option>
  <default><geom density="800"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" {g0}/>
    <geom name="post" type="sphere" size="0.3" pos="0.4 0 0.1" {g1}/>
    <body name="a" pos="0 0 0.2">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.15" {g2}/>
      <body name="a1" pos="0.25 0 0">
        <joint axis="0 1 0.3" {springs}/>
        <geom type="capsule" size="0.08 0.2" {g3}/>
        <body name="a2" pos="0.3 0 0"><geom type="sphere" size="0.12" {g4}/></body>
        <body name="a3" pos="0 0.3 0"><joint type="ball"/><geom type="sphere" size="0.2" {g0}/></body>
      </body>
    </body>
    <body name="b" pos="0.1 0.2 0.4">
      <joint type="slide" axis="0 0 1"/><joint type="hinge" axis="1 1 0"/>
      <geom name="bs" type="sphere" size="0.25" {g1}/>
      <geom type="capsule" size="0.1 0.2" pos="0 0.3 0" {g2}/>
    </body>
    <body name="m" mocap="true" pos="-0.2 0 0.3"><geom type="box" size="0.2 0.2 0.2" {g3}/></body>
  </worldbody>
  <contact>
    <pair geom1="post" geom2="bs" {pair}/>
  </contact>
</mujoco>"""


def scene(seed):
    """A pile of primitive shapes with random attributes of contacts."""
    rng = np.random.default_rng(seed)
    pick = lambda options: options[rng.integers(len(options))]
    numbers = lambda *x: ' '.join(f'{y:.3f}' for y in x)
    overrides = rng.random() < 0.2

    def geom():
        text = f'condim="{pick((1, 3, 4, 6))}" friction="{numbers(*rng.uniform(0.001, 1.5, size=3))}"'
        text += f' solref="{pick(SOLREF[:5])}" solimp="{pick(SOLIMP)}" solmix="{rng.uniform():.2f}"'
        text += f' margin="{pick((0, 0.01, 0.2))}" gap="{0 if overrides else pick((0, 0, 0.1))}" priority="{pick((0, 0, 1))}"'
        if rng.random() < 0.3:
            text += f' surfacevel="{numbers(*rng.normal(size=6))}"'
        if rng.random() < 0.3:
            text += f' adhesion="{rng.uniform(0, 10):.2f}"'
        return text

    pair = (f'condim="{pick((1, 3, 4, 6))}" friction="{numbers(*rng.uniform(0.001, 1, size=5))}" margin="0.3" '
            f'solref="{pick(SOLREF)}" solimp="{pick(SOLIMP)}" solreffriction="{pick(SOLREF + ("0 0",))}"')
    override = 'o_margin="0.05" o_solref="0.05 0.7" o_friction="0.6 0.5 0.3 0.2 0.1"' if overrides else ''
    flags = pick(('', 'refsafe="disable"', 'diagexact="enable"')) + (' override="enable"' if overrides else '')
    return SCENE.format(timestep=pick((0.002, 0.02)), impratio=pick((1, 0.2, 20)), cone=pick(('pyramidal', 'elliptic')),
                        integrator=pick(('Euler', 'discrete')), springs=pick(('', 'stiffness="30" damping="2 1"')),
                        override=override, flags=flags, pair=pair, **{f'g{k}': geom() for k in range(5)})


@pytest.mark.parametrize('seed', range(int(os.environ.get('LOCKSTEP_GENERATED', '60'))))
def test_contacts(seed):
    text = scene(seed)
    reference, own = mujoco.MjModel.from_xml_string(text), lockstep.MjModel.from_xml_string(text)
    disable(0, own, reference)
    rng = np.random.default_rng(seed)
    ref_data, own_data, rows = mujoco.MjData(reference), lockstep.MjData(own), 0
    for _ in range(8):
        states.randomize(reference, ref_data, rng)
        ref_data.qpos[2] = rng.uniform(0, 0.3)
        states.give(ref_data, own_data)
        mujoco.mj_forward(reference, ref_data)
        lockstep.mj_forward(own, own_data)
        found = differences(own_data, ref_data)
        for name in ('efc_address', 'exclude', 'mu'):
            theirs, ours = getattr(ref_data.contact, name), getattr(own_data.contact, name)
            if not np.allclose(ours, theirs, rtol=TOLERANCE, atol=0):
                found.append(f'contact.{name}: {ours} instead of {theirs}')
        for name in ('qfrc_adhesion', 'qfrc_passive'):
            if states.residual(getattr(own_data, name), getattr(ref_data, name)) > TOLERANCE:
                found.append(name)
        assert not found, f'{text}\n' + '\n'.join(found)
        rows += ref_data.nefc
    assert rows
