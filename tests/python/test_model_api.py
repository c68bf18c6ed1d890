"""MjModel, its structs, enumerations, constants and functions against MuJoCo's own package."""

import copy
import gc
import os
import pathlib
import pickle
import re
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import lockstep
from lockstep import text

XML = """
<mujoco model="api">
  <size nuser_body="1"/>
  <asset>
    <mesh name="tetrahedron" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="ground" nrow="2" ncol="3" size="1 1 1 1"/>
    <texture name="flat" type="2d" builtin="flat" width="2" height="3"/>
    <material name="paint"/>
  </asset>
  <worldbody>
    <camera name="eye"/>
    <light name="lamp"/>
    <body name="base">
      <freejoint name="root"/>
      <geom name="ball" size="1"/>
      <site name="tip"/>
      <body name="arm">
        <joint name="hinge" range="-10 20"/>
        <geom name="bone" size=".1"/>
        <body name="hand"><joint name="wrist" type="ball"/><geom size=".1"/></body>
      </body>
    </body>
  </worldbody>
  <contact><pair name="touch" geom1="ball" geom2="bone"/><exclude name="never" body1="base" body2="hand"/></contact>
  <equality><joint name="lock" joint1="hinge"/></equality>
  <tendon><fixed name="string"><joint joint="hinge" coef="2"/></fixed></tendon>
  <actuator>
    <motor name="motor" joint="hinge"/>
    <pid name="pid" joint="hinge" kp="1" kv="1"/>
    <orientation name="turn" joint="wrist" kp="1"/>
  </actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <custom>
    <numeric name="numbers" data="1 2 3"/>
    <text name="words" data="abc"/>
    <tuple name="group"><element objtype="body" objname="arm"/></tuple>
  </custom>
  <keyframe><key name="home"/></keyframe>
</mujoco>
"""

PACKAGE = str(pathlib.Path(lockstep.__file__).resolve().parents[1])

KINDS = (
    "actuator body cam camera eq equality exclude geom hfield jnt joint key keyframe light mat material mesh "
    "numeric pair sensor site tendon tex texture tuple"
).split()


@pytest.fixture(scope="module")
def theirs():
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture
def ours(theirs):
    """MuJoCo's compiled numbers in our MjModel: the API is tested apart from the compiler."""
    return lockstep.MjModel._from_mujoco(theirs)


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


def test_binary_file(ours, tmp_path):
    path = tmp_path / "model.mjb"
    lockstep.mj_saveModel(ours, str(path))
    data = path.read_bytes()
    assert len(data) == lockstep.mj_sizeModel(ours)
    buffer = np.zeros(len(data), np.uint8)
    lockstep.mj_saveModel(ours, None, buffer)
    assert buffer.tobytes() == data
    for model in (
        lockstep.MjModel.from_binary_path(str(path)),
        lockstep.MjModel.from_binary_path("in_memory.mjb", assets={"in_memory.mjb": data}),
    ):
        np.testing.assert_array_equal(model.body_inertia, ours.body_inertia)


def test_damaged_binary_files_are_refused(ours, theirs, tmp_path):
    buffer = np.zeros(lockstep.mj_sizeModel(ours), np.uint8)
    lockstep.mj_saveModel(ours, None, buffer)
    rng = np.random.default_rng(0)
    for trial in range(300):
        damaged = buffer.copy()
        damaged[rng.integers(len(damaged))] ^= rng.integers(1, 256)
        if trial % 3 == 0:
            damaged = damaged[: rng.integers(len(damaged))]
        with pytest.raises(ValueError, match="binary model"):
            lockstep.MjModel.from_binary_path("x", assets={"x": damaged.tobytes()})
    path = tmp_path / "theirs.mjb"
    mujoco.mj_saveModel(theirs, str(path))
    with pytest.raises(ValueError, match="MuJoCo 4.0.0"):
        lockstep.MjModel.from_binary_path(str(path))


OWN_MEMBERS = {"mjtIntegrator": {"mjINT_IMPLICITSPRINGDAMPER": 5}}  # docs/differences.md


def test_enumerations():
    names = [name for name in dir(mujoco) if hasattr(getattr(mujoco, name), "__members__")]
    assert len(names) > 80
    for name in names:
        expected, found = getattr(mujoco, name), getattr(lockstep, name)
        assert {k: v.value for k, v in found.__members__.items()} == {
            k: v.value for k, v in expected.__members__.items()
        } | OWN_MEMBERS.get(name, {})


@pytest.mark.parametrize("expression", [
    "J(3)", "J.mjJNT_HINGE == 3", "J.mjJNT_HINGE == 3.0", "J.mjJNT_HINGE | 4", "4 | J.mjJNT_HINGE", "J.mjJNT_HINGE & 2",
    "J.mjJNT_HINGE + 1", "J.mjJNT_HINGE / 2", "-J.mjJNT_HINGE", "J.mjJNT_HINGE << 2", "hash(J.mjJNT_HINGE)",
    "{J.mjJNT_HINGE: 1}[3]", "[0, 1, 2, 3][J.mjJNT_HINGE]", "str(J.mjJNT_HINGE)", "repr(J.mjJNT_HINGE)",
    "f'{J.mjJNT_HINGE}'", "'%d' % J.mjJNT_HINGE", "float(J.mjJNT_HINGE)", "J.mjJNT_HINGE != None",
    "J.mjJNT_HINGE == G.mjGEOM_CAPSULE", "bool(J.mjJNT_FREE)", "isinstance(J.mjJNT_HINGE, int)", "J.mjJNT_HINGE.name",
    "np.array([3, 2]) == J.mjJNT_HINGE", "np.int32(3) | J.mjJNT_HINGE",
])
def test_enumeration_behaviour(expression):
    results = [
        eval(expression, {"J": package.mjtJoint, "G": package.mjtGeom, "np": np}) for package in (mujoco, lockstep)
    ]
    assert repr(results[0]) == repr(results[1])


def test_enumeration_errors_and_pickling():
    with pytest.raises(ValueError, match="Invalid int value for mjtJoint: 77"):
        lockstep.mjtJoint(77)
    with pytest.raises(AttributeError):
        lockstep.mjtJoint.mjJNT_FREE.value = 3
    member = lockstep.mjtJoint.mjJNT_BALL
    assert pickle.loads(pickle.dumps(member)) is member and copy.deepcopy(member) is member


def test_constants():
    for name in dir(mujoco):
        value = getattr(mujoco, name)
        if isinstance(value, (int, float, tuple)) and not name.startswith("_"):
            assert getattr(lockstep, name) == value, name
    assert lockstep.__version__ == mujoco.__version__
    assert lockstep.mj_version() == mujoco.mj_version()


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


def test_virtual_files():
    with lockstep.MjVfs() as vfs:
        vfs["model.xml"] = b"<mujoco/>"
        assert lockstep.MjModel.from_xml_path("model.xml", vfs=vfs).nq == 0
        with pytest.raises(ValueError):
            vfs["model.xml"] = b""
        with pytest.raises(KeyError):
            del vfs["other.xml"]
    with pytest.raises(RuntimeError):
        vfs["late.xml"] = b""


def test_diagnostics_reach_python():
    with pytest.raises(ValueError, match=r"<string>:2: error: .*did you mean 'body'"):
        lockstep.MjModel.from_xml_string("<mujoco>\n<worldbody><bdy/></worldbody></mujoco>")


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


def test_set_const(theirs, ours):
    reference = copy.copy(theirs)
    for model, package in ((reference, mujoco), (ours, lockstep)):
        model.body_mass[1:] *= 2
        model.body_inertia[1:] *= 3
        model.qpos0[7] = 0.3
        package.mj_setConst(model, package.MjData(model))
    for name in mujoco.MjModel._setconst_outputs:
        np.testing.assert_allclose(getattr(ours, name), getattr(reference, name), rtol=1e-12, atol=1e-14, err_msg=name)


SAVED = """
<mujoco>
  <worldbody>
    <body name="a" pos="1 2 3">
      <joint name="j" range="-10 10" damping="1"/>
      <geom name="g" size="1"/>
      <frame pos="1 0 0"><geom name="h" type="box" size="1 2 3"/><site name="s"/></frame>
    </body>
    <camera name="c" pos="1 0 0"/>
  </worldbody>
  <actuator><position name="p" joint="j" kp="100" dampratio="1"/></actuator>
</mujoco>
"""


def edit(model):
    model.opt.timestep = 0.5
    model.body_pos[1] = [4, 5, 6]
    model.body_mass[1] = 99
    model.geom_size[0, 0] = 7
    model.geom_pos[1] = [0, 1, 0]
    model.jnt_range[0] = [-1, 1]
    model.dof_damping[0] = 3
    model.cam_pos[0] = [0, 0, 9]
    model.site_rgba[0] = [1, 0, 0, 1]
    model.actuator_gear[0, 0] = 2


def six_digits(values):
    """Numbers as MuJoCo saves them."""
    return np.vectorize(lambda value: float(f"{value:.6g}"), otypes=[float])(values)


@pytest.mark.parametrize("change", [lambda model: None, edit])
def test_save_last_xml(change, tmp_path):
    path = tmp_path / "saved.xml"
    again = []
    for package in (mujoco, lockstep):
        model = package.MjModel.from_xml_string(SAVED)
        change(model)
        package.mj_saveLastXML(str(path), model)
        again.append(mujoco.MjModel.from_xml_path(str(path)))
    assert again[0].opt.timestep == again[1].opt.timestep
    for name in lockstep.MjModel._all_fields:
        expected, found = (getattr(model, name) for model in again)
        if isinstance(expected, np.ndarray):
            # MuJoCo saves six digits; what follows from them deviates by as much
            same = np.isclose(found, expected, rtol=2e-6, atol=2e-6) | (six_digits(found) == expected)
            assert np.all(same), f"{name}: {found} instead of {expected}"


def test_copies_save_their_own_changes(tmp_path):
    model = lockstep.MjModel.from_xml_string(SAVED)
    edit(model)
    other = copy.copy(model)
    for each in (model, other):
        lockstep.mj_saveLastXML(str(tmp_path / "saved.xml"), each)
        assert 'pos="4 5 6"' in (tmp_path / "saved.xml").read_text()
    with pytest.raises(lockstep.FatalError):
        lockstep.mj_saveLastXML(str(tmp_path / "saved.xml"), pickle.loads(pickle.dumps(model)))


def random_arguments(name, rng):
    """Arguments that fit the signature in MuJoCo's documentation string."""
    line = getattr(mujoco, name).__doc__.split("\n")[0]
    inner = line[line.index("(") + 1 : line.rindex(") ->")]
    values = []
    for part in re.split(r", (?=\w+: )", inner):
        argument, kind = part.split(": ", 1)
        shape = re.search(r'"\[(\w+), (\w+)\]"', kind)
        if shape:
            rows, cols = (5 if size in "mn" else int(size) for size in shape.groups())
            rows = {"pyramid": 4, "force": 3, "mu": 2}.get(argument, rows)
            value = rng.normal(size=(rows, cols) if cols > 1 else rows)
            if "int32" in kind:
                value = rng.integers(0, 9, size=rows)
            if "quat" in argument.lower() or argument in ("qa", "qb", "axis"):
                value /= np.linalg.norm(value)
            if argument == "mu":
                value = abs(value)
            if argument == "mat" and "chol" in name:
                value = value @ value.T + 5 * np.eye(5)
            if argument == "mat" and name == "mju_eig3":
                value = (value.reshape(3, 3) + value.reshape(3, 3).T).ravel()
            if argument == "mat" and name == "mju_mat2Quat":
                rotation, _ = np.linalg.qr(value.reshape(3, 3))
                value = (rotation * np.linalg.det(rotation)).ravel()
            dtype = next(t for t in ("float64", "float32", "int32") if t in kind)
            values.append(value.astype(dtype))
        elif kind == "str":
            values.append("xYz")
        elif "Int" in kind:
            values.append(3)
        else:
            values.append(float(rng.normal()))
    return values


MATH = [
    name for name in dir(lockstep)
    if name.startswith("mju_")
    and not name.startswith("mju_ray")
    and name not in ("mju_sparse2dense", "mju_sym2dense", "mju_dense2sparse", "mju_str2Type", "mju_type2Str",
                     "mju_writeNumBytes", "mju_mat2Rot", "mju_boxQP")
    and "and" not in name.lower() and name not in text.__all__  # tests of their own
]


@pytest.mark.parametrize("name", MATH)
def test_math(name):
    rng = np.random.default_rng(len(name))
    for _ in range(5):
        arguments = random_arguments(name, rng)
        expected, found = copy.deepcopy(arguments), copy.deepcopy(arguments)
        results = getattr(mujoco, name)(*expected), getattr(lockstep, name)(*found)
        assert (results[0] is None) == (results[1] is None)
        if results[0] is not None:
            assert results[1] == pytest.approx(results[0], rel=1e-12)
        for a, b in zip(expected, found):
            if isinstance(a, str):
                continue
            np.testing.assert_allclose(b, a, rtol=1e-11, atol=1e-13)


def test_math_arguments_are_checked():
    with pytest.raises(TypeError):
        lockstep.mju_mulQuat(np.zeros(5), [1, 0, 0, 0], [1, 0, 0, 0])
    with pytest.raises(TypeError):
        lockstep.mju_mulQuat([0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0])
    with pytest.raises(TypeError):
        lockstep.mju_mulQuat(np.zeros(4, np.float32), [1, 0, 0, 0], [1, 0, 0, 0])
    with pytest.raises(TypeError):
        lockstep.mju_add(np.zeros(3), np.zeros(3), np.zeros(4))
    dense = np.zeros((2, 2))
    with pytest.raises(TypeError):
        lockstep.mju_sparse2dense(dense, [1.0], [1, 1], [0, 7], [0])
    lockstep.mju_sparse2dense(dense, [1.0, 2.0], [1, 1], [0, 1], [1, 0])
    assert dense.tolist() == [[0, 1], [2, 0]]


SCRIPT = """
import sys
import mujoco
import mujoco._structs
from mujoco import MjModel
import lockstep
assert mujoco is lockstep and mujoco.__spec__.name == "lockstep"
assert sys.argv[1:] == ["a", "b"], sys.argv
try:
    import mujoco.no_such_part
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("how", ["script", "module"])
def test_as_mujoco(tmp_path, how):
    (tmp_path / "program.py").write_text(SCRIPT)
    target = [str(tmp_path / "program.py")] if how == "script" else ["-m", "program"]
    run = subprocess.run(
        [sys.executable, "-m", "lockstep.as_mujoco", *target, "a", "b"],
        cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": PACKAGE},
    )
    assert run.returncode == 0, run.stderr
    assert "mujoco.no_such_part" in run.stdout


def test_as_mujoco_in_a_program():
    code = "import lockstep; lockstep.as_mujoco(); import mujoco; assert mujoco is lockstep"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_setconst_tables():
    for name in ("groups", "inputs", "outputs", "scalars", "fields"):
        assert getattr(lockstep.MjModel, f"_setconst_{name}") == getattr(mujoco.MjModel, f"_setconst_{name}"), name
