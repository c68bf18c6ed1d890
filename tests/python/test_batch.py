"""lockstep.batch: the names it accepts against MuJoCo's, and what is ours alone."""
import subprocess
import sys

import mujoco
import mujoco.batch
import mujoco.rollout
import numpy as np
import parity
import pytest

import lockstep
import lockstep.batch
import lockstep.rollout

XML = """
<mujoco>
  <option integrator="implicitfast"/>
  <worldbody>
    <body name="arm">
      <joint name="shoulder" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 0 0 .5" size=".03" contype="0" conaffinity="0"/>
      <body name="hand" pos="0 0 .5">
        <joint name="elbow" axis="0 1 0" stiffness="2"/>
        <geom type="capsule" fromto="0 0 0 0 0 .5" size=".03" contype="0" conaffinity="0"/>
        <site name="tip" pos="0 0 .5"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="3"/><motor joint="elbow"/></actuator>
  <sensor><framepos objtype="site" objname="tip"/></sensor>
</mujoco>
"""


@pytest.fixture
def model():
    return lockstep.MjModel.from_xml_string(XML)


def test_field_names_are_mujocos():
    plugins = {'plugin_data', 'plugin_attr'}  # of which there are none
    own = {'solver_residual', 'solver_flags'}
    assert lockstep.batch.DATA_FIELDS == mujoco.batch.DATA_FIELDS - plugins | own
    assert lockstep.batch.MODEL_FIELDS == mujoco.batch.MODEL_FIELDS - plugins


def test_worlds_follow_mujoco(model):
    count = 83  # enough blocks of lanes that both threads have some
    ours, theirs = lockstep.batch.Batch(model, count, 2), mujoco.batch.Batch(mujoco.MjModel.from_xml_string(XML), count, 2)
    rng = np.random.default_rng(0)
    for _ in range(20):
        ours.ctrl = theirs.ctrl = rng.uniform(-1, 1, (count, 2))
        ours.step(nstep=5)
        theirs.step(nstep=5)
    np.testing.assert_allclose(ours.state, theirs.state, rtol=0, atol=1e-9)
    assert np.abs(ours.qvel).max() > 0.1


SEEN = """
<mujoco>
  <option integrator="%s"><flag energy="enable"/></option>
  <worldbody>
    <light name="lamp" mode="track" pos="0 0 3"/>
    <geom type="plane" size="5 5 .1"/>
    <body name="ball" pos="0 0 .11">
      <freejoint/>
      <geom size=".1"/>
      <site name="top" pos="0 0 .1"/>
      <camera name="eye" pos="0 -1 0"/>
    </body>
    <body name="weight" pos="1 0 1"><joint name="slide" type="slide" axis="0 0 1"/><geom size=".1"/><site name="hook"/></body>
  </worldbody>
  <actuator>%s</actuator>
  <sensor>
    <framepos objtype="site" objname="top"/><framelinvel objtype="camera" objname="eye"/><accelerometer site="top"/>
    <touch site="top"/><subtreelinvel body="ball"/>%s
  </sensor>
</mujoco>
"""
SHOWN = ('sensordata', 'site_xpos', 'site_xmat', 'cam_xpos', 'light_xpos', 'energy', 'xpos', 'qacc', 'ncon')


@pytest.mark.parametrize('integrator', ['Euler', 'RK4'])
@pytest.mark.parametrize('actuator', ['<motor joint="slide"/>', '<general site="hook" gear="0 0 1 0 0 0"/>'])
@pytest.mark.parametrize('sensor', ['', '<framepos objtype="site" objname="hook" delay=".01" nsample="4"/>'])
def test_substeps_leave_out_only_what_nobody_sees(integrator, actuator, sensor):
    """Steps inside a call skip sensors, cameras and idle sites; states, and what is shown at the end, do not tell."""
    model = lockstep.MjModel.from_xml_string(SEEN % (integrator, actuator, sensor))
    shown, hidden = lockstep.batch.Batch(model, 5), lockstep.batch.Batch(model, 5)
    for name in SHOWN:
        shown.bind(name)
    alone = [lockstep.MjData(model) for _ in range(5)]
    rng = np.random.default_rng(3)
    start = rng.uniform(-1, 1, (5, model.nv))
    shown.qvel = hidden.qvel = start
    for data, qvel in zip(alone, start):
        data.qvel[:] = qvel
    for _ in range(8):
        ctrl = rng.uniform(-1, 1, (5, model.nu))
        for batch in (shown, hidden):
            batch.ctrl = ctrl
            batch.step(nstep=6)
        for world, data in enumerate(alone):
            data.ctrl[:] = ctrl[world]
            lockstep.mj_step(model, data, 6)
            for name in SHOWN:
                np.testing.assert_array_equal(np.ravel(getattr(shown, name)[world]), np.ravel(getattr(data, name)), name)
            state = np.zeros(lockstep.mj_stateSize(model, lockstep.mjtState.mjSTATE_INTEGRATION))
            lockstep.mj_getState(model, data, state, lockstep.mjtState.mjSTATE_INTEGRATION)
            for batch in (shown, hidden):
                np.testing.assert_array_equal(batch.state[world], state)
    assert shown.ncon.max() > 0


def test_randomized_constants_follow_mujoco(model):
    ours, theirs = lockstep.batch.Batch(model, 6), mujoco.batch.Batch(mujoco.MjModel.from_xml_string(XML), 6)
    for batch in (ours, theirs):
        batch.body('hand').mass = np.linspace(0.5, 2, 6)[:, None]
        batch.set_const()
        batch.ctrl = 0.3
        batch.step(nstep=50)
    np.testing.assert_allclose(ours.expanded('dof_invweight0'), theirs.expanded('dof_invweight0'), rtol=1e-9)
    np.testing.assert_allclose(ours.state, theirs.state, rtol=0, atol=1e-9)
    assert np.ptp(ours.qpos[:, 0]) > 1e-3


def test_forces_on_bodies_are_computed_when_bound(model):
    batch = lockstep.batch.Batch(model, 5)
    forces = batch.cfrc_int
    batch.ctrl[:] = np.linspace(-1, 1, 10).reshape(5, 2)
    batch.step(nstep=3)
    for sim in range(5):
        data = lockstep.MjData(model)
        data.ctrl = batch.ctrl[sim]
        lockstep.mj_step(model, data, 3)
        lockstep.mj_rnePostConstraint(model, data)
        np.testing.assert_array_equal(forces[sim], data.cfrc_int)
    assert np.abs(forces).max() > 1


def test_single_precision(model):
    single, double = (lockstep.batch.Batch(model, 19, dtype=dtype) for dtype in (np.float32, np.float64))
    assert single.qpos.dtype == single.sensordata.dtype == np.float32
    for batch in (single, double):
        batch.ctrl[:] = np.linspace(-3, 3, 38).reshape(19, 2)
        batch.step(nstep=100)
    assert np.abs(double.qpos).max() > 0.1
    np.testing.assert_allclose(single.qpos, double.qpos, atol=1e-3)
    assert not np.array_equal(single.qpos, double.qpos)
    out = single.rollout(2, record=('qvel', lockstep.mjtState.mjSTATE_QPOS))
    assert {array.dtype for array in out.values()} == {np.dtype(np.float32)}


def test_a_failing_world_is_alone(model):
    batch, clean = lockstep.batch.Batch(model, 67, 2), lockstep.batch.Batch(model, 67, 2)
    for b in (batch, clean):
        b.ctrl = 0.5
        b.step(nstep=10)
    batch.qvel[4, 0] = np.nan
    for b in (batch, clean):
        b.step(nstep=10)
    others = np.arange(67) != 4
    np.testing.assert_array_equal(batch.state[others], clean.state[others])
    bad = int(lockstep.mjtWarning.mjWARN_BADQVEL)
    np.testing.assert_array_equal(batch.warning[:, bad, 1], np.arange(67) == 4)
    assert np.isfinite(batch.state).all()


def test_state_can_be_saved_and_restored(model):
    batch = lockstep.batch.Batch(model, 7)
    batch.ctrl = 0.4
    batch.step(nstep=30)
    saved = batch.state.copy()
    batch.step(nstep=30)
    end = batch.state.copy()
    batch.state[:] = saved
    batch.step(nstep=30)
    np.testing.assert_array_equal(batch.state, end)


def test_rollout_equals_steps(model):
    data, count, nstep = lockstep.MjData(model), 5, 12
    size = lockstep.mj_stateSize(model, lockstep.mjtState.mjSTATE_FULLPHYSICS)
    start = np.random.default_rng(3).uniform(-1, 1, (count, size))
    control = np.random.default_rng(4).uniform(-1, 1, (count, nstep, model.nu))
    state, sensordata = lockstep.rollout.rollout(model, [data, lockstep.MjData(model)], start, control)
    for i in range(count):
        lockstep.mj_resetData(model, data)
        lockstep.mj_setState(model, data, start[i], lockstep.mjtState.mjSTATE_FULLPHYSICS)
        for k in range(nstep):
            data.ctrl = control[i, k]
            lockstep.mj_step(model, data)
            now = np.empty(size)
            lockstep.mj_getState(model, data, now, lockstep.mjtState.mjSTATE_FULLPHYSICS)
            np.testing.assert_array_equal(state[i, k], now)
            np.testing.assert_array_equal(sensordata[i, k], data.sensordata)


def test_rollouts_begin_as_their_own_models_say():
    """Where mocap bodies are, and which equalities are active, which a full physics state does not tell."""
    xml = """
    <mujoco>
      <worldbody>
        <body name="hand" mocap="true" pos="0 0 1"/>
        <body name="box"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      </worldbody>
      <equality><weld body1="hand" body2="box" active="false"/></equality>
    </mujoco>
    """
    found = []
    for engine, rollout in ((lockstep, lockstep.rollout.rollout), (mujoco, mujoco.rollout.rollout)):
        models = [engine.MjModel.from_xml_string(xml) for _ in range(3)]
        for i, model in enumerate(models):
            model.eq_active0[:] = i > 0
            model.body_pos[1, 2] = i
        data = engine.MjData(models[0])
        start = np.empty(engine.mj_stateSize(models[0], engine.mjtState.mjSTATE_FULLPHYSICS))
        engine.mj_getState(models[0], data, start, engine.mjtState.mjSTATE_FULLPHYSICS)
        found.append(rollout(models, data, start, nstep=10)[0])
    np.testing.assert_allclose(*found, rtol=0, atol=1e-9)
    assert np.ptp(found[0][:, -1, 3]) > 0.01


def test_rollout_needs_states(model):
    with pytest.raises(ValueError, match='initial_state is needed'):
        lockstep.rollout.rollout(model, lockstep.MjData(model), None)


def test_unknown_precision(model):
    with pytest.raises(ValueError, match='float64 or float32'):
        lockstep.batch.Batch(model, 2, dtype=np.int32)


def test_callbacks_are_refused(model):
    batch = lockstep.batch.Batch(model, 3)
    lockstep.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(ValueError, match='mjcb_control'):
            batch.step()
    finally:
        lockstep.set_mjcb_control(None)
    batch.step()
    assert (batch.time > 0).all()


def test_randomize(model):
    def draw(nsim, **options):
        batch = lockstep.batch.Batch(model, nsim)
        return batch, batch.randomize('body_mass', 0.5, 2.0, **options)

    batch, mass = draw(200, seed=3)
    factors = mass[:, 1:] / model.body_mass[1:]
    assert factors.min() >= 0.5 and factors.max() <= 2.0 and abs(factors.mean() - 1.25) < 0.1
    assert np.unique(factors).size == factors.size
    np.testing.assert_array_equal(draw(5, seed=3)[1], mass[:5])
    np.testing.assert_array_equal(draw(200, seed=3, ids=[7, 50])[1][[7, 50]], mass[[7, 50]])
    np.testing.assert_array_equal(draw(200, seed=3, ids=[7])[1][6], model.body_mass)
    assert (draw(200, seed=4)[1] != mass)[:, 1:].all()
    shared = draw(4, shared=True)[1]
    np.testing.assert_allclose(shared[:, 1] / model.body_mass[1], shared[:, 2] / model.body_mass[2])
    gravity = batch.randomize('opt.gravity', [-1, 0, -10], [1, 0, -9], how='set')
    assert np.ptp(gravity[:, 0]) > 1 and not gravity[:, 1].any() and (gravity[:, 2] <= -9).all()
    batch.set_const()
    batch.step(nstep=20)
    assert np.unique(batch.qpos[:, 0]).size == 200
    with pytest.raises(ValueError, match='how should be'):
        batch.randomize('body_mass', 0, 1, how='times')


def test_fields_without_cells(model):
    """Elements without user data have rows all the same."""
    ours, theirs = lockstep.batch.Batch(model, 3), mujoco.batch.Batch(mujoco.MjModel.from_xml_string(XML), 3)
    for name in ('geom_user', 'body_user', 'key_qpos', 'bvh_aabb'):
        assert ours.expand(name).shape == theirs.expand(name).shape
        assert ours.expanded(name).shape == theirs.expanded(name).shape
    assert ours.randomize('geom_user', 0, 1).shape == (3, 2, 0)


def test_flags_may_be_integers(model):
    """As C has them, and so users of mj_ray."""
    batch = lockstep.batch.Batch(model, 3, persistent=1)
    assert batch.persistent
    for flag in (0, 1):
        np.testing.assert_array_equal(batch.ray([0, 0, 3], [0, 0, -1], flg_static=flag)[0],
                                      batch.ray([0, 0, 3], [0, 0, -1], flg_static=bool(flag))[0])


def test_models_given_to_set_models(model):
    batch = lockstep.batch.Batch(model, 2)
    with pytest.raises(TypeError, match='takes an MjModel'):
        batch.set_models([model, None])
    batch.expand('body_mass')
    batch.set_models(None)  # nothing to take back: what is expanded stays
    assert batch.expanded('body_mass') is not None


def test_arrays_are_shared_with_other_libraries(model):
    batch = lockstep.batch.Batch(model, 3)
    batch.step()
    other = np.from_dlpack(batch.qpos)
    assert np.shares_memory(other, batch.qpos)
    np.testing.assert_array_equal(np.from_dlpack(batch.sensordata), batch.sensordata)
    taken = batch.dlpack('sensordata')  # JAX refuses arrays that cannot be written, or are not contiguous
    assert taken.flags.writeable and taken.flags.c_contiguous and np.shares_memory(taken, batch.sensordata)
    assert batch.state.flags.c_contiguous and np.shares_memory(np.from_dlpack(batch.state), batch.qpos)
    assert np.shares_memory(batch.dlpack('qvel'), batch.state)


def test_memory_of_many_worlds():
    """A hundred thousand half cheetahs, in a process of their own."""
    path = next(path for path in parity.package_models() if path.name == 'half_cheetah.xml')
    program = f'''
import pathlib, re, lockstep.batch
def used():  # at most, so far, by this program alone
    return 1024 * int(re.search(r'VmHWM:\\s*(\\d+)', pathlib.Path('/proc/self/status').read_text())[1])
model = lockstep.MjModel.from_xml_path({str(path)!r})
lockstep.batch.Batch(model, 8, 2).step()
before = used()
batch = lockstep.batch.Batch(model, 100_000, 2)
batch.step()
assert batch.time.min() > 0
print(used(), (used() - before) / 100_000, batch.state[0].nbytes)
'''
    out = subprocess.run([sys.executable, '-W', 'ignore', '-c', program], check=True, capture_output=True, text=True).stdout
    total, per_world, row = map(float, out.split())
    assert total < 1e9
    assert per_world < 1.2 * row
