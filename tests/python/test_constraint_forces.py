"""What constraint rows do to bodies, tendons and actuators equals MuJoCo's: contact forces, forces on bodies and
through joints, forces along tendons, adhesion actuators, products with the Jacobian.

LOCKSTEP_STATES sets the number of states of each generated model.
"""
import os

import mujoco
import numpy as np
import pytest
import states
from test_constraint_rows import generate, same_contacts, scene

import lockstep

STATES = int(os.environ.get('LOCKSTEP_STATES', '6'))
TOLERANCE = 1e-7  # of solved forces


def solved(model):
    model.opt.tolerance = 0
    model.opt.iterations = 300
    model.opt.ls_iterations = 100
    model.opt.ls_tolerance = 1e-6


def both(text):
    reference, own = mujoco.MjModel.from_xml_string(text), lockstep.MjModel.from_xml_string(text)
    for model in (reference, own):
        solved(model)
    return reference, own, mujoco.MjData(reference), lockstep.MjData(own)


def forward(reference, own, ref_data, own_data, rng):
    states.randomize(reference, ref_data, rng)
    ref_data.qpos[2] = rng.uniform(0, 0.3)
    states.give(ref_data, own_data)
    own_data.eq_active[:] = ref_data.eq_active
    for engine, model, data in ((mujoco, reference, ref_data), (lockstep, own, own_data)):
        engine.mj_forward(model, data)
        engine.mj_rnePostConstraint(model, data)


def forces_agree(own_data, ref_data):
    scale = max(1, np.abs(ref_data.efc_force).max(initial=0))
    return np.abs(own_data.efc_force - ref_data.efc_force).max(initial=0) < 1e-9 * scale


@pytest.mark.parametrize('make', (generate, scene), ids=('joints', 'contacts'))
@pytest.mark.parametrize('seed', range(25))
def test_bodies(make, seed):
    reference, own, ref_data, own_data = both(make(seed))
    rng, compared = np.random.default_rng(seed), 0
    for _ in range(STATES):
        forward(reference, own, ref_data, own_data, rng)
        if not same_contacts(own_data, ref_data) or not forces_agree(own_data, ref_data):
            continue  # tested elsewhere; here only what follows from equal forces
        compared += 1
        scale = max(1, np.abs(ref_data.efc_force).max(initial=0))
        for name in ('cfrc_ext', 'cfrc_int', 'cacc'):
            gap = np.abs(getattr(own_data, name) - getattr(ref_data, name)).max()
            assert gap < TOLERANCE * scale, name
        for contact in range(ref_data.ncon):
            theirs, ours = np.ones(6), np.ones(6)
            mujoco.mj_contactForce(reference, ref_data, contact, theirs)
            lockstep.mj_contactForce(own, own_data, contact, ours)
            np.testing.assert_allclose(ours, theirs, atol=TOLERANCE * scale)
    assert compared


ADHESION = """<actuator><adhesion body="a1" ctrlrange="0 5" gain="3"/><adhesion body="b" ctrlrange="0 2" gain="2"/>
<general body="a" gear="4"/><motor joint="hinge"/><adhesion body="m" ctrlrange="0 2" gain="2"/></actuator></mujoco>"""


def moments(engine, model, data):
    dense = np.zeros((model.nout, model.nv))
    engine.mju_sparse2dense(dense, data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind)
    return dense


@pytest.mark.parametrize('seed', range(30))
def test_body_transmission(seed):
    """Adhesion actuators pull along the mean normal of all contacts, also those in the gap."""
    text = scene(seed).replace('</mujoco>', ADHESION).replace('<joint axis', '<joint name="hinge" axis')
    reference, own, ref_data, own_data = both(text)
    rng, compared = np.random.default_rng(seed), 0
    for _ in range(STATES):
        forward(reference, own, ref_data, own_data, rng)
        if not same_contacts(own_data, ref_data):
            continue
        theirs = moments(mujoco, reference, ref_data)
        np.testing.assert_allclose(moments(lockstep, own, own_data), theirs, atol=1e-12)
        for name in ('actuator_length', 'actuator_velocity', 'actuator_force', 'qfrc_actuator'):
            np.testing.assert_allclose(getattr(own_data, name), getattr(ref_data, name), atol=1e-10)
        compared += theirs[[0, 1, 2, 4]].any()
    assert compared


@pytest.mark.parametrize('seed', range(10))
def test_products(seed):
    reference, own, ref_data, own_data = both(generate(seed))
    rng = np.random.default_rng(seed)
    own.opt.disableflags = reference.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT
    forward(reference, own, ref_data, own_data, rng)
    assert own_data.nefc == ref_data.nefc > 0
    x, f = rng.normal(size=own.nv), rng.normal(size=own_data.nefc)
    results = []
    for engine, model, data in ((mujoco, reference, ref_data), (lockstep, own, own_data)):
        along, back = np.zeros(data.nefc), np.zeros(model.nv)
        engine.mj_mulJacVec(model, data, along, x)
        engine.mj_mulJacTVec(model, data, back, f)
        results.append((along, back))
    np.testing.assert_allclose(results[1][0], results[0][0], atol=1e-12)
    np.testing.assert_allclose(results[1][1], results[0][1], atol=1e-12)
    for function, first, second in ((lockstep.mj_mulJacVec, 1, own.nv), (lockstep.mj_mulJacTVec, own.nv, 1)):
        with pytest.raises(TypeError):
            function(own, own_data, np.zeros(first), np.zeros(second))


@pytest.mark.parametrize('seed', range(20))
def test_tendons(seed):
    """Parts of the force along a tendon add up to what its rows do."""
    reference, own, ref_data, own_data = both(generate(seed))
    rng = np.random.default_rng(seed)
    for _ in range(STATES):
        forward(reference, own, ref_data, own_data, rng)
        kinds = mujoco.mjtConstraint
        expected = np.zeros((own.ntendon, 2))
        for row in range(own_data.nefc):
            kind, tendon = own_data.efc_type[row], own_data.efc_id[row]
            if kind not in (kinds.mjCNSTR_LIMIT_TENDON.value, kinds.mjCNSTR_FRICTION_TENDON.value):
                continue
            length, (low, high) = own_data.ten_length[tendon], own.tendon_range[tendon]
            limit = kind == kinds.mjCNSTR_LIMIT_TENDON.value
            upper = limit and abs(own_data.efc_pos[row] - (high - length)) < abs(own_data.efc_pos[row] - (length - low))
            expected[tendon, 0 if limit else 1] += own_data.efc_force[row] * (-1 if upper else 1)
        parts = np.zeros((own.ntendon, 6))
        lockstep.ten_force(own, own_data, parts)
        np.testing.assert_allclose(parts[:, 2:4], expected, rtol=1e-12)


LIMITS = """<sensor>{}</sensor></mujoco>""".format(''.join(
    f'<{kind}limit{what} {kind}="{name}" cutoff="{cutoff}"/>' for what, cutoff in (('pos', 0), ('vel', 1), ('frc', 0))
    for kind, names in (('joint', ('ja', 'jb', 'js', 'jball', 'jc', 'je')), ('tendon', ('t0', 't1', 't2', 't3')))
    for name in names))


@pytest.mark.parametrize('seed', range(20))
def test_limit_sensors(seed):
    reference, own, ref_data, own_data = both(generate(seed).replace('</mujoco>', LIMITS))
    own.opt.disableflags = reference.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT
    rng, read = np.random.default_rng(seed), 0
    for _ in range(STATES):
        forward(reference, own, ref_data, own_data, rng)
        if forces_agree(own_data, ref_data):
            scale = max(1, np.abs(ref_data.efc_force).max())
            np.testing.assert_allclose(own_data.sensordata, ref_data.sensordata, atol=TOLERANCE * scale)
            np.testing.assert_allclose(own_data.sensordata[:20], ref_data.sensordata[:20], atol=1e-9)
            read += np.count_nonzero(ref_data.sensordata)
    assert read
