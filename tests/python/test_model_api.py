"""MjModel and MjData: attributes, structs, named access, copies and questions, against MuJoCo's own package."""

import copy
import gc
import pickle

import mujoco
import numpy as np
import pytest

import lockstep

KINDS = (
    "actuator body cam camera eq equality exclude geom hfield jnt joint key keyframe light mat material mesh "
    "numeric pair sensor site tendon tex texture tuple"
).split()


def public(cls):
    return [name for name in dir(cls) if not name.startswith("_")]


def test_every_attribute_has_the_same_value_type_and_shape(theirs, ours):
    compared = 0
    for name in public(mujoco.MjModel):
        if name in ("bind", "bind_scalar", "opt", "vis", "stat", "nbuffer"):
            continue
        expected, found = getattr(theirs, name), getattr(ours, name)
        if callable(expected):
            continue
        assert type(found) is type(expected), name
        if isinstance(expected, np.ndarray):
            assert (found.dtype, found.shape) == (expected.dtype, expected.shape), name
            assert found.flags.writeable and found.flags.c_contiguous
            np.testing.assert_array_equal(found, expected, err_msg=name)
        else:
            assert found == expected, name
        compared += 1
    assert compared > 580


@pytest.mark.parametrize("struct", ["opt", "stat"])
def test_structs_look_the_same(theirs, ours, struct):
    assert repr(getattr(ours, struct)) == repr(getattr(theirs, struct))


def test_visual_groups_look_the_same(theirs, ours):
    for group in ("global_", "quality", "headlight", "map", "scale"):
        assert repr(getattr(ours.vis, group)) == repr(getattr(theirs.vis, group))
    assert ours.vis.rgba.haze.dtype == np.float32


@pytest.mark.parametrize("kind", KINDS)
def test_named_access(theirs, ours, kind):
    count = {"jnt": 3, "joint": 3, "actuator": 3, "body": 4, "geom": 3}.get(kind, 1)
    for index in range(count):
        expected, found = getattr(theirs, kind)(index), getattr(ours, kind)(index)
        assert type(found).__name__ == type(expected).__name__
        for name in public(type(expected)):
            a, b = getattr(expected, name), getattr(found, name)
            if isinstance(a, np.ndarray):
                assert (a.dtype, a.shape) == (b.dtype, b.shape), (kind, name)
                np.testing.assert_array_equal(a, b)
            else:
                assert a == b
        if expected.name:
            assert getattr(ours, kind)(expected.name) is found


@pytest.mark.parametrize("call", [
    lambda m: m.body("nobody"), lambda m: m.body(9), lambda m: m.geom(-1), lambda m: m.camera(""),
])
def test_named_access_errors(theirs, ours, call):
    with pytest.raises((KeyError, IndexError)) as expected:
        call(theirs)
    with pytest.raises(expected.type) as found:
        call(ours)
    assert str(found.value) == str(expected.value)


def test_views_write_into_the_model(ours):
    ours.body("arm").mass = 7
    ours.joint("wrist").damping[:] = [1, 2, 3]
    ours.opt.timestep = 0.125
    ours.opt.gravity = [1, 2, 3]
    ours.geom_size[1] = 5
    ours.vis.global_.fovy = 30
    assert ours.body_mass[2] == 7
    assert ours.dof_damping[-3:].tolist() == [1, 2, 3]
    assert ours.opt.timestep == 0.125 and ours.opt.gravity.tolist() == [1, 2, 3]
    assert ours.geom("bone").size.tolist() == [5, 5, 5]
    assert ours.vis.global_.fovy == 30
    ours.body_mass = 1
    assert ours.body_mass.tolist() == [1, 1, 1, 1]


def test_wrong_assignments(ours):
    with pytest.raises(AttributeError):
        ours.nq = 3
    with pytest.raises(AttributeError):
        ours.no_such_field = 3
    with pytest.raises(ValueError):
        ours.body_mass = [1, 2]
    with pytest.raises(TypeError):
        ours.opt.timestep = "fast"
    with pytest.raises(TypeError):
        ours.opt.iterations = 1.5
    with pytest.raises(TypeError):
        lockstep.MjModel()


def test_arrays_outlive_their_model(theirs):
    model = lockstep.MjModel._from_mujoco(theirs)
    assert model.geom_size is model.geom_size and model.opt is model.opt
    mass, gravity, view = model.body_mass, model.opt.gravity, model.body("arm")
    expected = mass.copy()
    del model
    gc.collect()
    np.testing.assert_array_equal(mass, expected)
    assert gravity[2] == -9.81 and view.name == "arm"


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies(ours, duplicate):
    other = duplicate(ours)
    assert other.signature == ours.signature and other.names == ours.names
    for name in lockstep.MjModel._all_fields:
        np.testing.assert_array_equal(getattr(other, name), getattr(ours, name), err_msg=name)
    assert other.opt == ours.opt and other.vis == ours.vis and other.stat == ours.stat
    other.body_mass[1] += 1
    other.opt.timestep = 1
    assert other.body_mass[1] != ours.body_mass[1] and ours.opt.timestep == 0.002


def test_names(theirs, ours):
    for kind in range(-1, 30):
        assert lockstep.mju_type2Str(kind) == mujoco.mju_type2Str(kind)
        for index in (-1, 0, 1, 50):
            assert lockstep.mj_id2name(ours, kind, index) == mujoco.mj_id2name(theirs, kind, index)
        for name in ("base", "hinge", "ball", "nobody", ""):
            assert lockstep.mj_name2id(ours, kind, name) == mujoco.mj_name2id(theirs, kind, name)


def test_small_questions(theirs, ours):
    assert lockstep.mj_getTotalmass(ours) == pytest.approx(mujoco.mj_getTotalmass(theirs), rel=1e-14)
    for bit in range(15):
        assert lockstep.mj_stateSize(ours, 1 << bit) == mujoco.mj_stateSize(theirs, 1 << bit)
    with pytest.raises(lockstep.FatalError):
        lockstep.mj_stateSize(ours, 1 << 20)
    for name in ("mj_isPyramidal", "mj_isSparse", "mj_isDual"):
        assert getattr(lockstep, name)(ours) == getattr(mujoco, name)(theirs)
    for size in (0, 1023, 1024, 1025, 2**20, 3 * 2**30):
        assert lockstep.mju_writeNumBytes(size) == mujoco.mju_writeNumBytes(size)


def test_print_model(ours, tmp_path):
    path = tmp_path / "model.txt"
    lockstep.mj_printModel(ours, str(path))
    assert "body_mass" in path.read_text() and "timestep" in path.read_text()
    for wrong in ("%s", "%n", "%g%g", "plain", "%*g", "%9999g"):
        with pytest.raises(ValueError):
            lockstep.mj_printFormattedModel(ours, str(path), wrong)


@pytest.mark.parametrize("html", [False, True])
def test_print_schema(html):
    text = lockstep.mj_printSchema(html, True)
    assert "mujoco" in text and "inertiafromgeom" in text and "frictionloss" in text


def test_data_has_the_state(theirs, ours):
    expected, found = mujoco.MjData(theirs), lockstep.MjData(ours)
    for name in "qpos qvel act ctrl qfrc_applied xfrc_applied eq_active mocap_pos mocap_quat qacc sensordata xpos".split():
        a, b = getattr(expected, name), getattr(found, name)
        assert (a.dtype, a.shape) == (b.dtype, b.shape), name
    np.testing.assert_array_equal(found.qpos, expected.qpos)
    found.qpos[:] = 3
    found.time = 2
    other = copy.copy(found)
    lockstep.mj_resetData(ours, found)
    np.testing.assert_array_equal(found.qpos, expected.qpos)
    assert found.time == 0 and other.time == 2 and other.qpos[0] == 3 and found.model is ours
