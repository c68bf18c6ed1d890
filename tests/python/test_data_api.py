"""MjData in Python: fields, named access, copies, statistics, state; against MuJoCo's own."""
import copy
import gc
import pickle
import threading
import weakref

import mujoco
import numpy as np
import pytest

import lockstep

XML = """
<mujoco>
  <option timestep=".003"/>
  <size nuserdata="3"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="hand" mocap="true"><geom size=".02" contype="0" conaffinity="0"/></body>
    <body name="torso" pos="0 0 1">
      <freejoint name="root"/>
      <geom name="shell" size=".1 .2 .3" type="box"/>
      <site name="tip" pos=".1 0 0"/> <camera name="eye"/> <light name="lamp"/>
      <body name="arm" pos=".2 0 0">
        <joint name="ball" type="ball" stiffness="1" springyield="5"/>
        <geom name="rod" type="capsule" size=".03 .2" pos="0 0 -.2"/>
        <body name="leg" pos="0 0 -.4">
          <joint name="hinge" axis="0 1 0" stiffness="1" springyield="10" damping=".1"/>
          <geom size=".05 .1" type="capsule" pos=".1 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="pull" springlength="0 1" stiffness="2" springyield=".1"><joint joint="hinge" coef="2"/></fixed>
  </tendon>
  <actuator>
    <motor name="motor" joint="hinge" gear="3"/>
    <intvelocity name="servo" joint="hinge" kp="2" actrange="-1 1"/>
    <orientation name="turn" joint="ball" kp="1"/>
  </actuator>
  <sensor><gyro name="gyro" site="tip"/><jointpos name="angle" joint="hinge"/></sensor>
  <equality><joint name="lock" joint1="hinge" active="false"/></equality>
</mujoco>
"""
KINDS = {
    "actuator": "motor", "body": "torso", "cam": "eye", "camera": "eye", "geom": "shell", "jnt": "ball",
    "joint": "root", "light": "lamp", "sensor": "gyro", "site": "tip", "ten": "pull", "tendon": "pull",
}


@pytest.fixture
def pair():
    reference = mujoco.MjModel.from_xml_string(XML)
    own = lockstep.MjModel.from_xml_string(XML)
    return mujoco.MjData(reference), lockstep.MjData(own)


def public(thing):
    return [name for name in dir(type(thing)) if not name.startswith("_")]


def test_has_all_attributes(pair):
    reference, own = pair
    assert set(public(reference)) - set(public(own)) == set()
    own_fields = {"solver_residual", "solver_flags"}  # docs/differences.md
    assert set(mujoco.MjData._all_fields) | own_fields == set(lockstep.MjData._all_fields)


def test_fields_have_shape_type_and_initial_value(pair):
    reference, own = pair
    for name in public(reference):
        expected, got = getattr(reference, name), getattr(own, name)
        if isinstance(expected, np.ndarray):
            assert got.shape == expected.shape and got.dtype == expected.dtype, name
            np.testing.assert_array_equal(got, expected, err_msg=name)
        elif isinstance(expected, (bool, int, float)) and name not in ("nbuffer", "narena", "signature"):
            assert got == expected and type(got) is type(expected), name


def test_arrays_are_live_views(pair):
    _, d = pair
    view = d.qpos
    view[0] = 5
    assert d.qpos[0] == 5 and d.qpos is view
    d.qvel = 1
    np.testing.assert_array_equal(d.qvel, 1)
    with pytest.raises(ValueError, match="could not broadcast"):
        d.qpos = [1, 2]
    d.time = 2
    assert d.time == 2.0
    d.flg_energypos = True
    assert d.flg_energypos is True
    with pytest.raises(AttributeError):
        d.nefc = 3
    with pytest.raises(AttributeError):
        d.model = None


def test_arrays_keep_the_data(pair):
    _, d = pair
    qpos = d.qpos
    del d, pair
    gc.collect()
    qpos[:] = 7
    assert qpos.sum() == 7 * qpos.size


@pytest.mark.parametrize("kind", KINDS)
def test_named_access(pair, kind):
    reference, own = pair
    for d, engine in ((reference, mujoco), (own, lockstep)):
        engine.mj_forward(d.model, d)
    names = [None] if kind not in ("joint", "actuator") else range(3)
    for name in names:
        key = KINDS[kind] if name is None else name
        expected, got = getattr(reference, kind)(key), getattr(own, kind)(key)
        assert public(got) == [n for n in public(expected)]
        assert type(got).__name__ == type(expected).__name__
        for attribute in public(expected):
            a, b = getattr(got, attribute), getattr(expected, attribute)
            if isinstance(b, np.ndarray):
                assert a.shape == b.shape and a.dtype == b.dtype, attribute
                assert a.flags.writeable == b.flags.writeable, attribute
            else:
                assert a == b
    assert getattr(own, kind)(0) is getattr(own, kind)(0)
    assert repr(getattr(own, kind)(0)).startswith(f"<{type(getattr(own, kind)(0)).__name__}\n")


def test_named_access_is_live(pair):
    _, d = pair
    d.joint("root").qpos = [1, 2, 3, 1, 0, 0, 0]
    np.testing.assert_array_equal(d.qpos[:7], [1, 2, 3, 1, 0, 0, 0])
    d.actuator("turn").ctrl[1] = 5
    assert d.ctrl[3] == 5
    d.body("arm").xfrc_applied[2] = 4
    assert d.xfrc_applied[d.body("arm").id, 2] == 4


@pytest.mark.parametrize("call", [lambda d: d.body("none"), lambda d: d.body(), lambda d: d.joint(9), lambda d: d.geom(-1)])
def test_named_access_refuses(pair, call):
    texts = []
    for d in pair:
        with pytest.raises((KeyError, IndexError)) as error:
            call(d)
        texts.append((error.type, str(error.value)))
    assert texts[0] == texts[1]


def test_bind():
    spec = lockstep.MjSpec.from_string(XML)
    m = spec.compile()
    d = lockstep.MjData(m)
    assert d.bind(spec.joint("hinge")) is d.joint("hinge")
    joints = [spec.joint("hinge"), spec.joint("root")]
    bound = d.bind(joints)
    assert bound.name == ["hinge", "root"] and len(bound.qpos) == 8
    with pytest.raises(ValueError):
        bound.qpos = [1]
    with pytest.raises(TypeError):
        d.bind(spec.equalities[0])
    spec.worldbody.add_body()
    spec.compile()
    with pytest.raises(ValueError, match="does not match mjData"):
        d.bind(spec.joint("hinge"))


def randomize(d, seed=0):
    rng = np.random.default_rng(seed)
    for name in ("qvel", "ctrl", "qfrc_applied", "xfrc_applied", "userdata", "act", "qacc_warmstart"):
        getattr(d, name)[...] = rng.normal(size=getattr(d, name).shape)
    d.time = rng.normal()


def all_bytes(d):
    return b"".join(np.ascontiguousarray(getattr(d, name)).tobytes() for name, *_ in lockstep._core.data_fields
                    if name not in ("warning", "warning_info"))


def test_copies_are_exact_and_independent(pair):
    _, d = pair
    randomize(d)
    lockstep.mj_step(d.model, d, 3)
    d.warning[2].number = 4
    for make in (copy.copy, copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))):
        other = make(d)
        assert all_bytes(other) == all_bytes(d)
        assert other.warning == d.warning and other != d and d == d
        lockstep.mj_step(other.model, other)
        assert all_bytes(other) != all_bytes(d)
        lockstep.mj_copyData(other, d.model, d)
        assert all_bytes(other) == all_bytes(d)
        lockstep.mj_step(other.model, other)
        lockstep.mj_step(d.model, d)
        assert all_bytes(other) == all_bytes(d)
    assert copy.copy(d).model is d.model and copy.deepcopy(d).model is not d.model


def test_pickled_data_frees_its_model(pair):
    other = pickle.loads(pickle.dumps(pair[1]))
    mass = weakref.ref(other.model.body_mass)
    del other
    gc.collect()
    assert mass() is None


def test_broken_pickles_are_refused(pair):
    d = pair[1]
    model, state = d.__getstate__()
    with pytest.raises(ValueError):
        lockstep.MjData.__new__(lockstep.MjData).__setstate__((model, state[:-8]))


def test_constructor_wants_a_model():
    for arguments in ((), (3,), (None,)):
        with pytest.raises(TypeError):
            lockstep.MjData(*arguments)


def test_refuses_data_of_another_model(pair):
    small = lockstep.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(lockstep.FatalError):
        lockstep.mj_step(small, pair[1])
    with pytest.raises(lockstep.FatalError):
        lockstep.mj_copyData(lockstep.MjData(small), pair[1].model, pair[1])


@pytest.mark.parametrize("name", ["MjContact", "MjWarningStat", "MjTimerStat", "MjSolverStat"])
def test_records(name):
    expected, got = getattr(mujoco, name)(), getattr(lockstep, name)()
    assert public(got) == public(expected) and repr(got) == repr(expected)
    for attribute in public(expected):
        value = getattr(expected, attribute)
        assert type(getattr(got, attribute)) is type(value)
        changed = copy.copy(got)
        assert changed == got
        setattr(changed, attribute, 1)
        assert changed != got and got != 3
    with pytest.raises(TypeError):
        hash(got)


def test_record_lists(pair):
    for name in ("contact", "warning", "timer", "solver"):
        expected, got = getattr(pair[0], name), getattr(pair[1], name)
        if name == "warning":
            got = got[:len(expected)]  # behind MuJoCo's stand our own
        assert len(got) == len(expected) and repr(got) == repr(expected)
        assert type(got).__name__ == type(expected).__name__
        for attribute in public(expected):
            a, b = getattr(got, attribute), getattr(expected, attribute)
            assert a.shape == b.shape and a.dtype == b.dtype
    warning = pair[1].warning
    assert warning is pair[1].warning and len(list(warning)) == 9 and len(warning[1:3]) == 2
    warning[3].number = 2
    assert warning.number[3] == 2 and warning[::3].number.tolist() == [0, 2, 0]
    with pytest.raises(IndexError):
        warning[9]


def test_bad_numbers_warn(pair):
    numbers = []
    for engine, d in zip((mujoco, lockstep), pair):
        d.qpos[2] = np.nan
        engine.mj_checkPos(d.model, d)
        numbers.append([(entry.number, entry.lastinfo) for entry in d.warning])
    assert numbers[0] == numbers[1][:7] and numbers[1][7:] == [(0, 0), (0, 0)]


SIGNATURES = [1 << i for i in range(15)] + [int(getattr(mujoco.mjtState, f"mjSTATE_{name}")) for name in
                                            ("PHYSICS", "FULLPHYSICS", "USER", "INTEGRATION")] + [0, 0b101010101010101]


@pytest.mark.parametrize("signature", SIGNATURES)
def test_state_vectors(pair, signature):
    states = []
    for engine, d in zip((mujoco, lockstep), pair):
        randomize(d)
        d.mocap_pos[:] = 3
        d.eq_active[:] = 1
        d.plastic[:] = np.arange(d.plastic.size)
        state = np.zeros(engine.mj_stateSize(d.model, signature))
        engine.mj_getState(d.model, d, state, signature)
        states.append(state)
    np.testing.assert_array_equal(states[0], states[1])
    d = pair[1]
    other = lockstep.MjData(d.model)
    lockstep.mj_setState(d.model, other, states[1], signature)
    third = lockstep.MjData(d.model)
    lockstep.mj_copyState(d.model, d, third, signature)
    assert all_bytes(third) == all_bytes(other)
    again = np.zeros_like(states[1])
    lockstep.mj_getState(d.model, other, again, signature)
    np.testing.assert_array_equal(again, states[1])
    full = np.zeros(lockstep.mj_stateSize(d.model, 32767))
    lockstep.mj_getState(d.model, d, full, 32767)
    part = np.zeros_like(states[1])
    lockstep.mj_extractState(d.model, full, 32767, part, signature)
    np.testing.assert_array_equal(part, states[1])


def test_state_refuses(pair):
    m, d = pair[1].model, pair[1]
    with pytest.raises(TypeError, match=r"state size should equal mj_stateSize\(m, sig\)"):
        lockstep.mj_getState(m, d, np.zeros(3), 1)
    with pytest.raises(TypeError, match=r"state size should equal mj_stateSize\(m, sig\)"):
        lockstep.mj_setState(m, d, np.zeros(3), 1)
    with pytest.raises(lockstep.FatalError, match="dstsig is not a subset of srcsig"):
        lockstep.mj_extractState(m, np.zeros(1), 1, np.zeros(m.nq), 2)
    for signature in (-1, 1 << 15):
        with pytest.raises(lockstep.FatalError, match="invalid state signature"):
            lockstep.mj_getState(m, d, np.zeros(1), signature)


def test_restored_state_gives_the_same_trajectory(pair):
    m, d = pair[1].model, pair[1]
    randomize(d)
    lockstep.mj_step(m, d, 5)
    state = np.zeros(lockstep.mj_stateSize(m, 32767))
    lockstep.mj_getState(m, d, state, 32767)
    lockstep.mj_step(m, d, 20)
    other = lockstep.MjData(m)
    lockstep.mj_setState(m, other, state, 32767)
    lockstep.mj_step(m, other, 20)
    np.testing.assert_array_equal(other.qpos, d.qpos)
    np.testing.assert_array_equal(other.qvel, d.qvel)


def test_reset(pair):
    m, d = pair[1].model, pair[1]
    fresh = all_bytes(d)
    randomize(d)
    lockstep.mj_step(m, d, 5)
    lockstep.mj_resetData(m, d)
    assert all_bytes(d) == fresh
    lockstep.mj_resetDataDebug(m, d, 7)
    mujoco.mj_resetDataDebug(pair[0].model, pair[0], 7)
    for name in ("qpos", "qvel", "xpos", "xquat", "cvel", "qfrc_bias", "ctrl", "sensordata", "qacc"):
        np.testing.assert_array_equal(getattr(d, name), getattr(pair[0], name), err_msg=name)


def test_steps_release_the_interpreter(pair):
    """Two threads step two worlds; both make progress while the other is inside the engine."""
    m = pair[1].model
    running, seen = threading.Event(), []

    def work():
        d = lockstep.MjData(m)
        running.set()
        lockstep.mj_step(m, d, 20000)

    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    while thread.is_alive():
        seen.append(1)
    thread.join()
    assert len(seen) > 10  # the main thread ran while the other stepped


def test_prints(pair, tmp_path):
    d = pair[1]
    lockstep.mj_forward(d.model, d)
    lockstep.mj_printData(d.model, d, str(tmp_path / "all.txt"))
    text = (tmp_path / "all.txt").read_text()
    assert "time " in text and "xquat (5 x 4)" in text and "flg_energypos" in text
    lockstep.mj_printFormattedData(d.model, d, str(tmp_path / "all.txt"), "%.17g")
    assert f"{d.xpos[2, 2]:.17g}" in (tmp_path / "all.txt").read_text()
    with pytest.raises(ValueError):
        lockstep.mj_printFormattedData(d.model, d, str(tmp_path / "all.txt"), "%s%n")
