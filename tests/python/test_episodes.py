"""lockstep.episodes: results in one block, limits of episodes, failures."""
import mujoco
import numpy as np
import pytest

import lockstep
import lockstep.batch
from lockstep.episodes import Episodes, Results

XML = """
<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="ball" pos="0 0 .5"><freejoint/><geom size=".1"/></body>
    <body name="pole" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .5" size=".03"/></body>
  </worldbody>
  <actuator><motor joint="hinge" gear="2"/></actuator>
</mujoco>
"""
NQ, NV = 8, 7
BAD = {name: int(getattr(lockstep.mjtWarning, f'mjWARN_{name}')) + 1 for name in ('BADQPOS', 'BADQVEL', 'BADQACC', 'INERTIA')}


@pytest.fixture
def model():
    return lockstep.MjModel.from_xml_string(XML)


def make(model, count=9, nthread=2, dtype=np.float64, **options):
    return Episodes(lockstep.batch.Batch(model, count, nthread, dtype=dtype), **options)


def controls(count, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.uniform(-1, 1, (count, 1)) for _ in range(30)]


@pytest.mark.parametrize('dtype', [np.float64, np.float32])
def test_layout_is_frozen(model, dtype):
    """Where the arrays lie, written out by hand: programs in other languages rely on it."""
    count = 9
    episodes = make(model, count, dtype=dtype)
    size = np.dtype(dtype).itemsize

    def padded(nbytes):
        return -(-nbytes // 64) * 64

    ends = np.cumsum([padded(count * 15 * size), padded(count * 8), padded(count), padded(count), padded(count * 4)])
    assert episodes.results.dtype == np.uint8 and episodes.results.shape == (ends[-1],)
    places = [array.__array_interface__['data'][0] - episodes.results.__array_interface__['data'][0] for array in episodes.arrays]
    assert places == [0, *ends[:-1]]
    assert [array.dtype for array in episodes.arrays] == [dtype, np.float64, bool, bool, np.int32]
    assert episodes.states.shape == (count, NQ + NV) and all(array.flags.c_contiguous for array in episodes.arrays)
    assert Results._fields == ('states', 'rewards', 'terminated', 'truncated', 'errors')


def test_layout_in_numbers(model):
    """The same for one size, so that no formula can drift with the code."""
    episodes = make(model, 10)
    start = episodes.results.__array_interface__['data'][0]
    assert [array.__array_interface__['data'][0] - start for array in episodes.arrays] == [0, 1216, 1344, 1408, 1472]
    assert episodes.results.size == 1536


def test_states_are_those_of_worlds_alone(model):
    count = 9
    episodes = make(model, count, nstep=3)
    alone = [lockstep.MjData(model) for _ in range(count)]
    for actions in controls(count):
        states, rewards, terminated, truncated, errors = episodes.step(actions)
        assert states is episodes.states
        for world, data in enumerate(alone):
            data.ctrl[:] = actions[world]
            lockstep.mj_step(model, data, 3)
            np.testing.assert_array_equal(states[world], np.concatenate([data.qpos, data.qvel]))
    assert not rewards.any() and not terminated.any() and not truncated.any() and not errors.any()
    np.testing.assert_array_equal(episodes.steps, 30)


def test_memory_of_the_caller(model):
    own = make(model, 5)
    memory = np.full(own.results.size, 255, np.uint8)
    episodes = make(model, 5, out=memory)
    assert episodes.results is memory
    for actions in controls(5):
        own.step(actions), episodes.step(actions)
    np.testing.assert_array_equal(memory[:8 * 15 * 5].view(np.float64).reshape(5, 15), own.states)
    np.testing.assert_array_equal(np.from_dlpack(episodes.rewards), own.rewards)
    assert np.shares_memory(np.from_dlpack(episodes.states), memory)
    with pytest.raises(ValueError, match='bytes'):
        make(model, 5, out=np.zeros(100, np.uint8))
    with pytest.raises(ValueError, match='aligned to 8'):
        make(model, 5, out=np.zeros(own.results.size + 1, np.uint8)[1:])
    for wrong in (np.zeros(own.results.size // 8), np.zeros(2 * own.results.size, np.uint8)[::2], bytes(own.results.size)):
        with pytest.raises(TypeError, match='contiguous array of uint8'):
            make(model, 5, out=wrong)


def test_limits_of_each_world(model):
    """In steps, in seconds of simulated time, in both; what ends begins anew at the next step."""
    inf = np.inf
    episodes = make(model, 5, nstep=2, max_steps=[0, 3, 5, 0, 2], max_seconds=[inf, inf, 0.08, 0.06, 1])
    seen = []
    for actions in controls(5)[:9]:
        before = episodes.states.copy()
        result = episodes.step(actions)
        seen.append(result.truncated.copy())
        begun = episodes.steps == 0
        np.testing.assert_array_equal(episodes.batch.time[begun], 0)
        np.testing.assert_array_equal(result.states[begun, :NQ], np.tile(model.qpos0, (begun.sum(), 1)))
        assert not (result.states[~begun] == before[~begun]).all(1).any()
        assert not result.terminated.any()
    # an episode and the step that begins the next: 3 + 1, 4 + 1, 3 + 1 and 2 + 1 steps
    expected = np.zeros((9, 5), bool)
    for world, first, period in ((1, 2, 4), (2, 3, 5), (3, 2, 4), (4, 1, 3)):
        expected[first::period, world] = True
    np.testing.assert_array_equal(seen, expected)
    episodes.max_steps[:] = 1  # may change
    assert episodes.step(controls(5)[0]).truncated.any()


def test_functions_of_rewards_and_ends(model):
    def reward(d, actions):
        return d.xpos[:, 1, 2] - 0.1 * np.square(actions).sum(1)

    def terminated(d):
        return d.qpos[:, 2] < 0.3

    episodes = make(model, 6, nstep=2, reward=reward, terminated=terminated)
    episodes.starts[:, 2] = [0.31, 0.5, 1, 2, 3, 4]
    episodes.reset()
    np.testing.assert_array_equal(episodes.states[:, 2], episodes.starts[:, 2])
    ends = np.zeros(6, int)
    for actions in controls(6):
        states, rewards, ended, _, _ = episodes.step(actions)
        begun = episodes.steps == 0
        expected = reward(episodes.batch, actions)
        np.testing.assert_array_equal(rewards, np.where(begun, 0, expected))
        np.testing.assert_array_equal(ended, ~begun & terminated(episodes.batch))
        ends += ended
    assert ends[0] > ends[1] > 0 == ends[-1]


def test_compiled_task():
    gymnasium = pytest.importorskip('gymnasium')
    import lockstep.gym
    env = gymnasium.make_vec('lockstep/InvertedPendulum-v5', num_envs=20, nthread=2, autoreset_mode='NextStep')
    model = env.unwrapped.model
    episodes = make(model, 20, nstep=env.unwrapped.frame_skip, task='InvertedPendulum')
    env.reset(seed=0)
    episodes.starts[:] = np.concatenate([env.unwrapped.batch.qpos, env.unwrapped.batch.qvel], 1)
    episodes.reset()
    for step in range(30):
        actions = np.full((20, 1), 3, np.float32)
        found, expected = episodes.step(actions), env.step(actions)
        if step and expected[2].any():
            break
        np.testing.assert_array_equal(episodes.observations, expected[0])
        np.testing.assert_array_equal(found.rewards, expected[1])
        np.testing.assert_array_equal(found.terminated, expected[2])
    assert found.terminated.any()
    np.testing.assert_array_equal(found.terminated, expected[2])
    np.testing.assert_array_equal(found.rewards, expected[1])


# ---- failures ----

def break_world(episodes, world, how):
    """Spoils a world before its next step; returns what is told about it."""
    batch = episodes.batch
    if how == 'position':
        batch.qpos[world, 1] = np.nan
        return BAD['BADQPOS']
    if how == 'velocity':
        batch.qvel[world, 2] = np.inf
        return BAD['BADQVEL']
    if how == 'acceleration':
        batch.qfrc_applied[world, 0] = 1e30
        return BAD['BADQACC']
    if how == 'flies off':  # noticed at the end of the step, before the state is shown
        batch.qfrc_applied[world, 6] = 1e11
        batch.expand('dof_armature')[world, 6] = 100
        batch.qvel[world, 6] = 9.9999e9
        return BAD['BADQVEL']
    batch.expand('dof_armature')[world, 6] = -1  # singular; without a force on it nothing else happens
    return BAD['INERTIA']


WAYS = ['position', 'velocity', 'acceleration', 'flies off', 'singular']


@pytest.mark.parametrize('nthread', [1, 2])
@pytest.mark.parametrize('dtype', [np.float64, np.float32])
@pytest.mark.parametrize('policy', ['reset', 'keep'])
@pytest.mark.parametrize('how', WAYS)
def test_a_failing_world_is_flagged_and_alone(model, how, policy, dtype, nthread):
    if how == 'flies off' and dtype == np.float32:
        pytest.skip('so large a velocity and its change do not go together in single precision')
    count, bad = 41, 6
    others = np.arange(count) != bad
    broken, clean = (make(model, count, nthread, dtype, on_failure=policy, reward=lambda d, actions: d.qpos[:, 2] + 1)
                     for _ in range(2))
    steps = controls(count)
    for step, actions in enumerate(steps[:12]):
        if step == 5:
            good = broken.batch.state[bad].copy()
            code = break_world(broken, bad, how)
            spoiled = broken.batch.state[bad].copy()
        found, expected = broken.step(actions), clean.step(actions)
        assert np.isfinite(found.states).all()
        np.testing.assert_array_equal(broken.batch.state[others], clean.batch.state[others])
        for a, b in zip(found, expected):
            np.testing.assert_array_equal(a[others], b[others])
        if step == 5:
            if how == 'singular':  # dividing by next to nothing makes its acceleration enormous
                code = BAD['BADQACC']
            assert found.errors[bad] == code and found.rewards[bad] == 0
            np.testing.assert_array_equal(found.terminated, ~others & (policy == 'reset'))
            assert broken.batch.warning[bad, code - 1, 1] == 1
            if policy == 'keep':
                kept = good if how in ('position', 'velocity') else spoiled
                np.testing.assert_array_equal(broken.batch.state[bad], kept)
                np.testing.assert_array_equal(found.states[bad], kept[1:1 + NQ + NV])
                mend(broken, bad)
            elif how == 'singular':
                mend(broken, bad)
        if step == 6 and policy == 'reset':  # begins anew
            assert broken.steps[bad] == 0 and found.errors[bad] == 0 and found.rewards[bad] == 0
            np.testing.assert_array_equal(found.states[bad], np.concatenate([model.qpos0, np.zeros(NV)]).astype(dtype))
        if step > 6:
            assert not found.errors.any() and found.rewards[bad] != 0


def mend(episodes, world):
    """A world that keeps its state, or its numbers, goes on once it is made whole."""
    batch = episodes.batch
    batch.qfrc_applied[world] = 0
    batch.qvel[world] = 0
    if batch.expanded('dof_armature') is not None:
        batch.expand('dof_armature')[world] = batch.model.dof_armature


@pytest.mark.parametrize('policy', ['reset', 'keep'])
@pytest.mark.parametrize('count', [1, 3, 64, 200])
def test_all_worlds_fail(model, count, policy):
    episodes = make(model, count, on_failure=policy)
    for _ in range(3):
        episodes.batch.qvel[:] = np.nan
        result = episodes.step(np.zeros((count, 1)))
        assert (result.errors == BAD['BADQVEL']).all()
        assert result.terminated.all() == (policy == 'reset')
        assert (episodes.batch.warning[:, BAD['BADQVEL'] - 1, 1] > 0).all()
        if policy == 'reset':
            result = episodes.step(np.zeros((count, 1)))
            assert not result.errors.any() and not result.terminated.any()


def test_refused_worlds(model):
    """A world whose integers make no sense has a message; the others run."""
    spec = XML.replace('<actuator>', '<equality><joint joint1="hinge" polycoef="0.1"/></equality><actuator>')
    episodes = make(lockstep.MjModel.from_xml_string(spec), 5)
    episodes.batch.expand('eq_type')[3] = 99
    result = episodes.step(np.zeros((5, 1)))
    np.testing.assert_array_equal(result.errors, [0, 0, 0, lockstep.episodes.REFUSED, 0])
    np.testing.assert_array_equal(result.terminated, result.errors != 0)
    assert 'eq_type is out of range' in episodes.batch.error(3) and (episodes.batch.time > 0).sum() == 4


def test_mujoco_notices_the_same(model):
    """Which step fails, and by what, is MuJoCo's."""
    theirs = mujoco.MjModel.from_xml_string(XML)
    for how in (*WAYS[:3], 'singular'):
        episodes, data = make(model, 2), mujoco.MjData(theirs)
        code = break_world(episodes, 1, how)
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = (getattr(episodes.batch, name)[1]
                                                            for name in ('qpos', 'qvel', 'qfrc_applied'))
        if how == 'singular':
            theirs.dof_armature[6] = -1
        mujoco.mj_step(theirs, data)
        assert data.warning[code - 1].number == 1
        assert episodes.step(np.zeros((2, 1))).errors[1] == code


def test_wrong_arguments(model):
    with pytest.raises(ValueError, match='on_failure'):
        make(model, on_failure='ignore')
    with pytest.raises(TypeError, match='either functions or a task'):
        make(model, task='Hopper', terminated=lambda d: False)
    with pytest.raises(ValueError, match='there is no task'):
        make(model, task='Hoper')
    with pytest.raises(ValueError):
        make(model).step(np.zeros((9, 2)))


def test_callbacks_are_refused(model):
    episodes = make(model, 2)
    lockstep.set_mjcb_control(lambda m, d: None)
    try:
        for call in (episodes.reset, lambda: episodes.step(0)):
            with pytest.raises(ValueError, match='mjcb_control'):
                call()
    finally:
        lockstep.set_mjcb_control(None)
    episodes.reset()
    assert (episodes.step(0).errors == 0).all()


def test_steps_are_positive(model):
    for nstep in (0, -1):
        with pytest.raises(ValueError, match='positive'):
            make(model, 2, nstep=nstep)


def test_seconds_are_those_of_each_world(model):
    """Worlds may have time steps of their own."""
    episodes = make(model, 2, max_seconds=.1)
    episodes.batch.expand('opt.timestep')[1] = .001
    episodes.reset()
    lengths = [0, 0]
    for step in range(1, 102):
        truncated = episodes.step(0.).truncated
        lengths = [length or step * bool(over) for length, over in zip(lengths, truncated)]
    assert lengths == [10, 100]
