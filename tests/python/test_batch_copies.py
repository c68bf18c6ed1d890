"""lockstep.batch: save, restore, clone and pickle a whole batch; worlds go on bit for bit."""
import copy
import pickle

import numpy as np
import pytest

import lockstep
import lockstep.batch

XML = """
<mujoco>
  <option integrator="%s"><flag %s/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="box" pos="0 0 .4" euler="20 10 0"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
    <body name="ball" pos="1 0 .3"><joint name="x" type="slide" axis="1 0 0" damping=".1"/><geom size=".1"/></body>
  </worldbody>
  <actuator><general joint="x" dyntype="filter" dynprm=".1" gainprm="3"/></actuator>
</mujoco>
"""
COUNT = 7


def make(integrator='Euler', flag='contact="enable"', **options):
    return lockstep.batch.Batch(lockstep.MjModel.from_xml_string(XML % (integrator, flag)), COUNT, **options)


def randomize(batch):
    batch.randomize('body_mass', 0.5, 2.0, seed=1)
    batch.randomize('geom_friction', 0.5, 2.0, seed=2)
    batch.randomize('opt.gravity', [-1, 0, -11], [1, 0, -9], how='set')
    batch.set_const()


def disturb(batch, nstep=100):
    """Brings worlds into motion, each in its own way."""
    batch.ctrl = np.linspace(-1, 1, COUNT)[:, None]
    batch.qvel[:, 3:6] = np.linspace(-3, 3, 3 * COUNT).reshape(COUNT, 3)
    batch.step(nstep=nstep)


KINDS = {'double': {}, 'float': {'dtype': np.float32}, 'RK4': {'integrator': 'RK4'}, 'persistent': {'persistent': True}}


@pytest.mark.parametrize('kind', KINDS)
def test_restored_worlds_go_on_bit_for_bit(kind):
    batch = make(**KINDS[kind])
    randomize(batch)
    disturb(batch)
    saved, masses = batch.save(), batch.expand('body_mass')
    batch.step(nstep=100)
    end, heavy = batch.state.copy(), masses.copy()
    assert batch.ncon.shape == (COUNT,)
    masses *= 3
    batch.expand('dof_damping')[:] = 7  # was not saved: the model's again
    batch.qpos = 0
    batch.restore(saved)
    np.testing.assert_array_equal(batch.expand('dof_damping')[2], batch.model.dof_damping)
    np.testing.assert_array_equal(masses, heavy)
    batch.step(nstep=100)
    np.testing.assert_array_equal(batch.state, end)
    other = make(**KINDS[kind])  # which never had values of its own
    other.restore(saved)
    other.step(nstep=100)
    np.testing.assert_array_equal(other.state, end)
    np.testing.assert_array_equal(other.expanded('body_mass'), heavy)


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('way', [copy.copy, copy.deepcopy, lockstep.batch.Batch.clone, lambda b: pickle.loads(pickle.dumps(b))],
                         ids=['copy', 'deepcopy', 'clone', 'pickle'])
def test_clones_are_equal_and_apart(kind, way):
    batch = make(**KINDS[kind])
    randomize(batch)
    shown = batch.xpos
    disturb(batch)
    batch.model.opt.gravity[2] = 5  # the batch has a copy
    other = way(batch)
    batch.model.opt.gravity[2] = -9.81
    assert (other.dtype, other.persistent, other.nsim) == (batch.dtype, batch.persistent, COUNT)
    np.testing.assert_array_equal(other.warning, batch.warning)
    before = batch.state.copy()
    other.step(nstep=50)
    np.testing.assert_array_equal(batch.state, before)
    assert not np.shares_memory(other.xpos, shown) and not np.array_equal(other.state, before)
    batch.step(nstep=50)
    np.testing.assert_array_equal(other.state, batch.state)
    np.testing.assert_array_equal(other.xpos, shown)
    other.expand('body_mass')[:] *= 2
    assert not np.array_equal(other.expand('body_mass'), batch.expand('body_mass'))


def test_sleeping_worlds_stay_asleep():
    batch = make(flag='sleep="enable"', persistent=True)
    batch.step(nstep=1500)
    asleep = batch.tree_asleep.copy()
    assert (asleep[:, 0] >= 0).all()
    saved = batch.save()
    other = make(flag='sleep="enable"', persistent=True)
    other.restore(saved)
    assert other.tree_asleep.shape == (COUNT, 2)
    for b in (batch, other):
        b.ctrl[3:] = 0.5
        b.step(nstep=50)
    np.testing.assert_array_equal(other.state, batch.state)
    np.testing.assert_array_equal(other.tree_asleep, batch.tree_asleep)
    assert (other.tree_asleep[:, 0] >= 0).all()


def test_integers_and_models():
    """What lanes cannot hold, and models given for each world."""
    batch = make()
    batch.expand('opt.disableflags')[2] |= int(lockstep.mjtDisableBit.mjDSBL_GRAVITY)
    disturb(batch)
    other = make()
    other.restore(batch.save())
    for b in (batch, other):
        b.step(nstep=30)
    np.testing.assert_array_equal(other.state, batch.state)
    assert batch.qpos[2, 2] > batch.qpos[:2, 2].max()
    models = [copy.copy(batch.model) for _ in range(COUNT)]
    for i, model in enumerate(models):
        model.opt.gravity[2] = -i
    batch = make()
    batch.set_models(models)
    disturb(batch, 20)
    clone = batch.clone()
    assert clone.models == batch.models
    other.restore(batch.save())
    for b in (batch, clone, other):
        b.step(nstep=20)
        np.testing.assert_array_equal(b.state, batch.state)
    assert other.models is None and other.get_model(3).opt.gravity[2] == -3


def test_models_are_shared_again():
    """set_models(None) leaves nothing of the models before."""
    for options in ({}, {'persistent': True}, {'dtype': np.float32}):
        batch, fresh = make(**options), make(**options)
        heavy = copy.copy(batch.model)
        heavy.body_mass[:] *= 3
        heavy.opt.gravity[2] = -1
        batch.set_models(heavy)
        batch.step(nstep=5)
        batch.set_models(None)
        batch.reset()
        for b in (batch, fresh):
            b.step(nstep=40)
        np.testing.assert_array_equal(batch.state, fresh.state)


def test_other_bytes_are_refused():
    batch = make()
    randomize(batch)
    saved, before = batch.save(), batch.state.copy()
    tiny = lockstep.batch.Batch(lockstep.MjModel.from_xml_string('<mujoco/>'), COUNT)
    more = lockstep.batch.Batch(batch.model, COUNT + 1)
    for other, message in ((tiny, 'another model'), (more, 'number of worlds'), (make(dtype=np.float32), 'precision'),
                           (make(persistent=True), 'persistent')):
        with pytest.raises(ValueError, match=message):
            other.restore(saved)
    with pytest.raises(ValueError, match='not the bytes'):
        batch.restore(b'something')
    for wrong in (saved[:-1], saved + b'0', saved[:1000]):
        with pytest.raises(ValueError, match='damaged'):
            batch.restore(wrong)
    np.testing.assert_array_equal(batch.state, before)


@pytest.mark.parametrize('dtype', [np.float64, np.float32])
def test_contacts_of_persistent_worlds_are_kept(dtype):
    """What follows from the contacts of the last step is the same after a copy, and after fields were expanded."""
    batch = make(persistent=True, dtype=dtype)
    forces = batch.bind('cfrc_ext')
    disturb(batch, 300)
    batch.forward(stage=0)
    expected = forces.copy()
    assert np.abs(expected).max() > 1
    other = make(persistent=True, dtype=dtype)
    other.restore(batch.save())
    batch.expand('geom_rgba')
    for one in (batch, batch.clone(), other):
        one.bind('cfrc_ext')
        one.forward(stage=0)
        np.testing.assert_array_equal(one.cfrc_ext, expected)
        for world in range(COUNT):
            data = one.get_data(world)
            assert data.ncon == len(data.contact) and data.nefc == len(data.efc_force)
            np.testing.assert_allclose(data.efc_J.reshape(data.nefc, -1).T @ data.efc_force, data.qfrc_constraint, atol=1e-3)


def test_damage_is_noticed():
    batch, rng = make(persistent=True), np.random.default_rng(0)
    disturb(batch)
    saved = batch.save()
    before = batch.state.copy()
    for at in rng.integers(0, 8 * len(saved), 300):
        damaged = bytearray(saved)
        damaged[at // 8] ^= 1 << at % 8
        with pytest.raises(ValueError):
            batch.restore(bytes(damaged))
    np.testing.assert_array_equal(batch.state, before)
