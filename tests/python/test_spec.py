"""MjSpec: building, editing, attaching and saving models from Python."""

import gc

import numpy as np
import pytest

import lockstep as mujoco


def names(elements):
    return [element.name for element in elements]


def build_arm():
    spec = mujoco.MjSpec()
    spec.modelname = "arm"
    link = spec.worldbody.add_body(name="link", pos=[0, 0, 1])
    link.add_joint(name="hinge", axis=[0, 1, 0], range=[-90, 90])
    link.add_geom(name="rod", type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=[0.05, 0.2, 0])
    link.add_site(name="tip", pos=[0, 0, 0.2])
    spec.add_actuator(name="motor", target="hinge", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    spec.add_key(name="home", qpos=[0.5], ctrl=[2])
    return spec


def test_arrays_are_live_views():
    geom = mujoco.MjSpec().worldbody.add_geom()
    geom.size[0] = 1
    np.testing.assert_array_equal(geom.size, [1, 0, 0])
    geom.size = [1, 2, 3]
    size = geom.size
    del geom
    gc.collect()
    np.testing.assert_array_equal(size, [1, 2, 3])  # the array keeps the spec
    with pytest.raises(TypeError):
        mujoco.MjSpec().worldbody.add_geom().size = [1, 2]


def test_objects_keep_their_identity():
    spec = build_arm()
    link = spec.body("link")
    assert link is spec.bodies[1]
    assert link.geoms[0].parent is link
    assert spec.body("nothing") is None
    assert link == spec.worldbody.first_body()


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"pos": [0, 1]}, ValueError, "pos should be a list/array of size 3."),
        ({"size": []}, ValueError, "size should be a list/array of size 1 to 3."),
        ({"vel": 1}, TypeError, "unexpected keyword argument 'vel'"),
        ({"type": "box"}, TypeError, "integer"),
        ({"name": "floor"}, ValueError, "repeated name 'floor' in geom"),
        ({"euler": [1, 2, 3], "zaxis": [0, 0, 1]}, ValueError, "Only one of"),
    ],
)
def test_wrong_arguments_leave_no_element(arguments, error, message):
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(name="floor", size=[1, 0, 0])
    with pytest.raises(error, match=message):
        spec.worldbody.add_geom(**arguments)
    assert names(spec.geoms) == ["floor"]


def test_classes_fill_new_elements():
    spec = mujoco.MjSpec()
    hard = spec.add_default("hard", spec.default)
    hard.geom.rgba = [1, 0, 0, 1]
    body = spec.worldbody.add_body(childclass="hard")
    assert body.add_geom().classname is hard
    np.testing.assert_array_equal(body.add_geom().rgba, [1, 0, 0, 1])
    np.testing.assert_array_equal(spec.worldbody.add_geom().rgba, [0.5, 0.5, 0.5, 1])
    assert spec.add_default("hard", spec.default) is None


def test_compiled_model_matches_the_spec():
    spec = build_arm()
    model = spec.compile()
    assert model.nq == 1 and model.nu == 1
    np.testing.assert_allclose(model.jnt_range, [[-np.pi / 2, np.pi / 2]])
    assert spec.geom("rod").id == 0
    assert model.bind(spec.joint("hinge")).qposadr == 0
    spec.body("link").add_geom(size=[0.1, 0, 0])
    with pytest.raises(ValueError, match="does not match"):
        model.bind(spec.joint("hinge"))


def test_errors_name_the_element():
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(name="flat", info="made here")
    with pytest.raises(ValueError, match="Element name 'flat', id 0, made here"):
        spec.compile()


def test_attach_by_reference_and_by_copy():
    arm, robot = build_arm(), mujoco.MjSpec()
    left = robot.worldbody.add_frame(pos=[1, 0, 0])
    link = arm.body("link")
    assert left.attach_body(link, "left/") is link
    assert link.name == "left/link" and link.parent is robot.worldbody
    with pytest.raises(ValueError, match="attached by reference"):
        arm.compile()

    robot.copy_during_attach = True
    other = build_arm()
    right = robot.attach(other, prefix="right/", frame=robot.worldbody.add_frame(pos=[-1, 0, 0]))
    assert right.parent is robot.worldbody and other.parent is robot
    assert names(robot.bodies) == ["world", "left/link", "right/link"]
    assert names(robot.actuators) == ["left/motor", "right/motor"]
    assert names(robot.keys) == ["left/home", "right/home"]
    del arm, other, link
    gc.collect()
    model = robot.compile()
    np.testing.assert_array_equal(model.body_pos[1:], [[1, 0, 1], [-1, 0, 1]])
    np.testing.assert_array_equal(model.key_qpos, [[0.5, 0], [0, 0.5]])
    np.testing.assert_array_equal(model.key_ctrl, [[2, 0], [0, 2]])
    assert list(robot.key("left/home").qpos) == [0.5, 0]


def test_delete_takes_references_along():
    spec = build_arm()
    link, motor = spec.body("link"), spec.actuator("motor")
    spec.add_sensor(name="angle", type=mujoco.mjtSensor.mjSENS_JOINTPOS,
                    objtype=mujoco.mjtObj.mjOBJ_JOINT, objname="hinge")
    spec.delete(link)
    assert spec.actuators == [] and spec.sensors == []
    assert link.name == "link" and link.parent is None and motor.id == -1
    with pytest.raises(ValueError, match="not in this model"):
        spec.delete(link)


def test_recompile_keeps_the_state():
    spec = build_arm()
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[0], data.ctrl[0], data.time = 0.3, 4, 7
    first = spec.worldbody.add_body(name="first")
    first.add_freejoint()
    first.add_geom(size=[0.1, 0, 0])
    model, data = spec.recompile(model, data)
    assert model.nq == 8
    assert data.qpos[model.joint("hinge").qposadr[0]] == 0.3
    assert data.ctrl[0] == 4 and data.time == 7


def test_save_load_gives_the_same_model(tmp_path):
    spec = build_arm()
    model = spec.compile()
    path = str(tmp_path / "arm.xml")
    spec.to_file(path)
    again = mujoco.MjSpec.from_file(path).compile()
    np.testing.assert_allclose(again.body_inertia, model.body_inertia, rtol=1e-6)
    archive = str(tmp_path / "arm.zip")
    spec.to_zip(archive)
    assert names(mujoco.MjSpec.from_zip(archive).bodies) == ["world", "link"]


def test_copies_are_independent():
    spec = build_arm()
    copy = spec.copy()
    copy.geom("rod").size[0] = 1
    copy.compiler.degree = False
    assert spec.geom("rod").size[0] == 0.05
    assert spec.compiler.degree


def test_edits_by_the_compiler():
    spec = build_arm()
    base = spec.body("link").add_body(name="fixed", pos=[1, 0, 0])
    base.add_geom(name="weight", size=[0.1, 0, 0])
    assert spec.fuse_static() == 1
    assert spec.geom("weight").frame.pos[0] == 1
    spec.worldbody.add_geom(size=[1, 0, 0], contype=0, conaffinity=0)
    assert spec.discard_visual() == 1
    spec.adopt_inertial(spec.body("link"))
    assert spec.body("link").explicitinertial
