"""Worlds with parameters of their own, and what persistent batches keep, beside mujoco.batch."""
import copy
import threading

import mujoco
import mujoco.batch
import numpy as np
import pytest

import lockstep
import lockstep.batch

SITES = """
<mujoco>
  <worldbody>
    <body>
      <joint/>
      <geom size=".1" mass="1"/>
      <geom name="second" size=".05" pos="0 .2 0"/>
      <site name="s"/>
    </body>
  </worldbody>
</mujoco>
"""
# body 2 is simple: its inertia must stay where its joint is
SIMPLE = """
<mujoco>
  <worldbody>
    <body name="far" pos="1 0 0"><joint/><geom name="far" size=".1" pos=".2 0 .3"/></body>
    <body name="simple" pos="3 0 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>
"""
FALLING = '<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
RESTING = """
<mujoco>
  <option><flag sleep="%s"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


def pair(xml, nsim, **options):
    """The same batch of both engines."""
    return [package.batch.Batch(package.MjModel.from_xml_string(xml), nsim, 1, **options) for package in (lockstep, mujoco)]


def test_set_const_keeps_integers_of_every_world():
    """Whether a site sits at its body differs from world to world, and not only in the first that says so."""
    places = []
    for batch in pair(SITES, 5):
        batch.expand('site_pos')[:, 0, 0] = [0, .1, .2, 0, .3]
        batch.expand('geom_pos')[3:, 1, 2] = .5
        batch.set_const()
        batch.bind('site_xpos'), batch.bind('geom_xpos')
        batch.forward()
        places.append([batch.site_xpos.copy(), batch.geom_xpos.copy(), batch.expanded('site_sameframe').copy()])
    for ours, theirs in zip(*places):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_refused_set_const_touches_no_other_world():
    for batch in pair(SIMPLE, 3):
        batch.expand('geom_contype')  # integers: worlds are computed on Models of their own
        geom = batch.model.geom('far').id
        batch.expand('geom_pos')[1, geom] = 0
        batch.expand('body_ipos')[1, 2] = [.01, 0, 0]
        places = batch.bind('geom_xpos')
        batch.forward()
        before = places.copy()
        with pytest.raises(RuntimeError):
            batch.set_const([1])
        batch.forward()
        np.testing.assert_array_equal(places[[0, 2]], before[[0, 2]])
        np.testing.assert_array_equal(batch.ray([1.2, 0, 3], [0, 0, -1])[1][[0, 2]], geom)


@pytest.mark.parametrize('spoiled', ['qpos', 'qvel'])
@pytest.mark.parametrize('stage', ['NONE', 'POS', 'VEL', 'ACC'])
@pytest.mark.parametrize('persistent', [False, True])
def test_forward_starts_spoiled_worlds_anew(spoiled, stage, persistent):
    found = []
    for batch in pair(FALLING, 3, persistent=persistent):
        getattr(batch, spoiled)[1, 2] = np.nan
        batch.forward(stage=getattr(lockstep.mjtStage, f'mjSTAGE_{stage}').value)
        found.append((batch.qpos.copy(), batch.qvel.copy(), batch.warning[:, :7, 1].copy()))
    for ours, theirs in zip(*found):
        np.testing.assert_array_equal(ours, theirs)


def test_fields_bound_late_show_what_was_kept():
    ours, theirs = pair(FALLING, 2, persistent=True)
    for batch in (ours, theirs):
        batch.qvel[:, 0] = [1, 2]
        batch.step(nstep=3)
    np.testing.assert_allclose(ours.bind('xpos'), theirs.bind('xpos'), atol=1e-12)
    assert ours.xpos[1, 1, 0] > 0


@pytest.mark.parametrize('change', ['expand', 'set_const', 'set_models', 'back'])
def test_persistent_worlds_keep_results_when_their_models_change(change):
    """A tree that sleeps goes on sleeping."""
    asleep = []
    for batch in pair(RESTING % 'enable', 3, persistent=True):
        trees = batch.bind('tree_asleep')
        batch.step(nstep=600)
        model = copy.copy(batch.model)
        if change == 'expand':
            batch.expand('geom_friction')
        elif change == 'set_const':
            batch.set_const()
        else:
            batch.set_models([model] * 3)
        if change == 'back':
            batch.set_models(None)
        kept = batch.get_data(1).tree_asleep.copy()
        batch.step()
        asleep.append((kept, trees.copy()))
    for ours, theirs in zip(*asleep):
        np.testing.assert_array_equal(ours, theirs)
    assert (asleep[0][1] >= 0).all()


def test_sleep_needs_a_persistent_batch():
    model, sleepy = (lockstep.MjModel.from_xml_string(RESTING % flag) for flag in ('disable', 'enable'))
    batch = lockstep.batch.Batch(model, 2)
    with pytest.raises(ValueError, match='persistent=True'):
        lockstep.batch.Batch(sleepy, 2)
    with pytest.raises(ValueError, match='persistent=True'):
        batch.set_models([model, sleepy])
    batch.expand('opt.enableflags')[1] = int(lockstep.mjtEnableBit.mjENBL_SLEEP)
    with pytest.raises(lockstep.batch.SimulationError, match='persistent') as refused:
        batch.step()
    np.testing.assert_array_equal(refused.value.ids, [1])
    assert batch.time[0] > 0


def test_rays_without_length_fail_in_their_worlds():
    along = np.zeros((3, 1, 3))
    along[:, 0, 2] = -1
    along[1] = 0
    for batch in pair(FALLING, 3):
        with pytest.raises(RuntimeError, match='length') as refused:
            batch.ray([0, 0, 2], along)
        np.testing.assert_array_equal(refused.value.ids, [1])
        np.testing.assert_array_equal(batch.status, [0, 1, 0])


@pytest.mark.parametrize('nstep', [0, -1])
def test_no_steps_are_refused(nstep):
    for batch in pair(FALLING, 2):
        with pytest.raises((ValueError, mujoco.FatalError), match='positive'):
            batch.step(nstep=nstep)


def test_models_of_callers_are_no_expanded_fields():
    for package, batch in zip((lockstep, mujoco), pair(SIMPLE, 2)):
        models = [package.MjModel.from_xml_string(SIMPLE) for _ in range(2)]
        models[1].body_mass[1] = 7
        models[1].stat.extent = 5
        batch.set_models(models)
        assert batch.expanded('body_mass') is None
        own = batch.get_model(1)
        assert (own.body_mass[1], own.stat.extent) == (7, 5)


def test_get_data_shows_the_contacts_of_persistent_worlds():
    ours, theirs = pair(RESTING % 'disable', 2, persistent=True)
    for batch in (ours, theirs):
        batch.step(nstep=20)
    for package, batch in zip((lockstep, mujoco), (ours, theirs)):
        data = batch.get_data(1)
        assert data.ncon == len(data.contact) == 8
        force = np.zeros(6)
        package.mj_contactForce(batch.model, data, 3, force)
        np.testing.assert_allclose(force[0], 8 * .1 ** 3 * 1000 * 9.81 / 4, rtol=0.2)
    np.testing.assert_allclose(ours.get_data(0).efc_force, theirs.get_data(0).efc_force, rtol=1e-6)


@pytest.mark.parametrize('persistent', [False, True])
def test_get_data_wants_a_data_of_its_model(persistent):
    batch = pair(FALLING, 2, persistent=persistent)[0]
    batch.step()
    # as many numbers of state, other sizes
    other = lockstep.MjModel.from_xml_string(FALLING.replace('<geom', '<site/><geom'))
    with pytest.raises(ValueError, match='another model'):
        batch.get_data(0, lockstep.MjData(other))


@pytest.mark.parametrize('option, value, message', [('solver', 99, 'unknown solver type 99'), ('integrator', -1, 'invalid integrator')])
def test_unknown_options_are_refused(option, value, message):
    models = [package.MjModel.from_xml_string(RESTING % 'disable') for package in (lockstep, mujoco)]
    for package, model in zip((lockstep, mujoco), models):
        batch = package.batch.Batch(model, 3, 1)
        batch.expand(f'opt.{option}')[1] = value
        with pytest.raises(RuntimeError, match=message) as refused:
            batch.step(nstep=2)
        np.testing.assert_array_equal(refused.value.ids, [1])
        assert batch.time[0] > 0 and batch.time[1] == 0
        setattr(model.opt, option, value)
        with pytest.raises(package.FatalError, match=message):
            package.mj_step(model, package.MjData(model), nstep=2)


@pytest.mark.parametrize('persistent', [False, True])
@pytest.mark.parametrize('name', ['jnt_qposadr', 'jnt_type', 'dof_parentid', 'geom_type', 'body_parentid', 'M_colind'])
def test_integers_that_lead_nowhere_are_refused(name, persistent):
    """A world with such integers is not run, whatever is done with it; once they are mended it goes on."""
    batch = pair(RESTING % 'disable', 3, persistent=persistent)[0]
    values = batch.expand(name)
    before = values[1].copy()
    values[1] = 10 ** 8
    calls = [batch.step, batch.forward, batch.reset, batch.set_const, lambda: batch.jac(1, [0, 0, 0]), lambda: batch.rollout(2)]
    for call in calls:
        with pytest.raises(lockstep.batch.SimulationError, match=f'{name} is out of range') as refused:
            call()
        np.testing.assert_array_equal(refused.value.ids, [1])
    values[1] = before
    batch.reset()
    batch.step(nstep=3)
    np.testing.assert_array_equal(batch.state[1], batch.state[0])


@pytest.mark.parametrize('what', ['bind', 'expand', 'get_data', 'save', 'clone', 'set_const'])
def test_two_threads_may_use_one_batch(what):
    model = lockstep.MjModel.from_xml_string(SITES)
    calls = {'bind': lambda batch: [batch.bind(name) for name in sorted(lockstep.batch.DATA_FIELDS)],
             'expand': lambda batch: [batch.expand(name) for name in sorted(lockstep.batch.MODEL_FIELDS)],
             'get_data': lambda batch: [(batch.get_data(3), batch.get_model(3), batch.error(3)) for _ in range(20)],
             'save': lambda batch: [batch.save() for _ in range(20)], 'clone': lambda batch: [batch.clone() for _ in range(5)],
             'set_const': lambda batch: [(batch.set_const(), batch.expanded('body_mass')) for _ in range(20)]}
    for _ in range(10):
        batch = lockstep.batch.Batch(model, 64, 1)
        stepping = threading.Thread(target=lambda: [batch.step() for _ in range(300)])
        stepping.start()
        calls[what](batch)
        stepping.join()
        assert np.isclose(batch.time, 300 * model.opt.timestep).all()


def test_persistent_batches_have_no_lanes():
    with pytest.raises(ValueError, match='no lanes'):
        lockstep.batch.Batch(lockstep.MjModel.from_xml_string(SITES), 8, persistent=True, width=4)
