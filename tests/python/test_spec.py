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


COPIED = """
<mujoco>
  <option timestep=".01"/>
  <default><default class="c"><joint damping="1"/></default></default>
  <asset><mesh name="m" vertex="0 0 0  1 0 0  0 2 0  0 0 3"/><material name="mat"/>
    <hfield name="hf" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 .5 .2"/></asset>
  <worldbody>
    <light name="l" pos="0 0 3"/> <camera name="cam" pos="0 -1 0" euler="90 0 0"/> <geom type="hfield" hfield="hf"/>
    <frame pos="1 0 0" euler="0 0 90">
      <body name="a" pos="1 0 0" euler="0 90 0">
        <joint name="j" class="c" range="-90 90" ref="10" springdamper=".1 1"/>
        <geom name="g" type="capsule" fromto="0 0 0 0 0 1" size=".1"/>
        <frame pos="0 1 0" euler="90 0 0"><geom name="h" type="mesh" mesh="m"/><site name="s" pos="1 0 0"/></frame>
        <body name="b"><joint name="sl" type="slide" range="0 1"/><geom name="gb" size=".2"/><site name="t"/></body>
      </body>
    </frame>
    <body name="f" pos="0 0 5"><freejoint name="free"/><geom name="gf" size=".3"/></body>
  </worldbody>
  <contact><pair name="p" geom1="g" geom2="gf"/></contact>
  <tendon><spatial name="ten" range="0 1"><site site="s"/><site site="t"/></spatial></tendon>
  <equality><connect name="e" body1="a" body2="f" anchor="0 0 0"/></equality>
  <actuator><position name="act" joint="j" kp="10" inheritrange="1"/><motor name="mot" joint="sl"/></actuator>
  <sensor><jointpos name="sen" joint="j" cutoff="1"/></sensor>
  <custom><numeric name="num" data="1 2 3"/></custom>
  <keyframe><key name="k" qpos="1 2 3 4 5 1 0 0 0"/></keyframe>
</mujoco>
"""

# (array, row, factor or offset): a change that a spec can express
CHANGES = [
    ("body_pos", 1, 0.25), ("body_quat", 2, None), ("body_mass", 2, 1.0), ("body_inertia", 2, 1.0),
    ("jnt_pos", 0, 0.1), ("jnt_range", 0, 0.125), ("jnt_range", 1, 0.5), ("jnt_stiffness", 0, 2.0), ("dof_damping", 0, 2.0),
    ("dof_damping", 1, 3.0), ("dof_armature", 1, 0.5), ("jnt_margin", 1, 0.5), ("geom_size", (1, 0), 0.05), ("geom_size", (1, 1), 0.05), ("geom_pos", 1, 0.5),
    ("geom_pos", 2, 0.5), ("geom_quat", 2, None), ("geom_rgba", 1, 0.25), ("geom_friction", 2, 0.5), ("geom_margin", 2, 0.5),
    ("site_pos", 0, 0.5), ("site_quat", 0, None), ("site_size", 0, 0.5), ("cam_pos", 0, 0.5), ("cam_fovy", 0, 2.0), ("light_pos", 0, 1.0),
    ("light_diffuse", 0, 0.125), ("pair_friction", 0, 0.5), ("pair_margin", 0, 0.5), ("tendon_range", 0, 0.5),
    ("tendon_stiffness", 0, 0.5), ("eq_solref", 0, 0.5), ("actuator_gainprm", 0, 0.5), ("actuator_ctrlrange", 0, 0.5),
    ("actuator_gear", 1, 0.5), ("sensor_cutoff", 0, 0.5), ("numeric_data", 1, 0.5), ("key_qpos", 0, 0.5), ("mat_rgba", 0, -0.5),
]  # fmt: skip


def change(model, name, row, amount):
    array = getattr(model, name)
    if amount is None:
        array[row] = [0.5, -0.5, 0.5, 0.5]
    elif name == "body_inertia":
        array[row] += [amount, 1.5 * amount, 2 * amount]
    else:
        array[row] += amount


@pytest.mark.parametrize("name, row, amount", CHANGES)
def test_copy_back(name, row, amount):
    """What was changed compiles to the same model as with MuJoCo, and the spec says it alike."""
    import mujoco as reference
    import parity

    models, texts = [], []
    for package in (reference, mujoco):
        spec = package.MjSpec.from_string(COPIED)
        model = spec.compile()
        change(model, name, row, amount)
        spec.copy_back(model)
        models.append(spec.compile())
        if name != "key_qpos":  # unit quaternions
            np.testing.assert_allclose(getattr(models[-1], name)[row], getattr(model, name)[row], rtol=1e-9, atol=1e-12)
    result = parity.compare(models[1], models[0], loose=100)
    assert not result.deviations, str(result)


@pytest.mark.parametrize("name, row", [("jnt_axis", 2), ("geom_size", 2), ("mesh_pos", 0), ("cam_intrinsic", 0)])
def test_copy_back_refuses_what_a_spec_cannot_say(name, row):
    import mujoco as reference

    for package in (reference, mujoco):
        spec = package.MjSpec.from_string(COPIED)
        model = spec.compile()
        getattr(model, name)[row] += 0.5
        model.geom("gb").size[0] = 9
        with pytest.raises(ValueError, match="was changed in the model"):
            spec.copy_back(model)
        assert spec.geom("gb").size[0] == 0.2  # nothing is written


def test_copied_values_are_saved():
    spec = mujoco.MjSpec.from_string(COPIED)
    model = spec.compile()
    model.geom("gb").size[0] = 0.7
    spec.copy_back(model)
    assert 'name="gb" size="0.7"' in spec.to_xml()
    spec.add_material(name="another")
    with pytest.raises(ValueError, match="not compiled from the spec"):
        spec.copy_back(model)


def test_mesh_file_as_spec():
    obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    spec = mujoco.MjSpec.from_file("tet.obj", include={"tet.obj": obj.encode()})
    assert [(mesh.name, mesh.file) for mesh in spec.meshes] == [("", "tet.obj")]
    assert list(spec.meshes[0].userface) == [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
    with pytest.raises(ValueError, match="invalid header"):
        mujoco.MjSpec.from_file("bad.stl", include={"bad.stl": b"short"})


def test_what_was_written_can_be_changed():
    import mujoco as reference

    xml = """<mujoco><compiler angle="radian" savecompiled="false"/><option timestep=".1"><flag contact="disable"/></option>
             <visual><map zfar="3"/></visual></mujoco>"""
    texts = []
    for package in (reference, mujoco):
        spec = package.MjSpec.from_string(xml)
        for name in ("disableflags", "enableflags", "option", "visual_global", "visual_map", "visual_quality", "visual_scale"):
            before = getattr(spec.authored, name)
            setattr(spec.authored, name, before | 1)
            assert getattr(spec.authored, name) == before | 1
        spec.compiler.authored |= 3
        texts.append(spec.to_xml())
    assert texts[0].split() == texts[1].split()


def test_data_size_of_sensors():
    import mujoco as reference

    sizes = []
    for package in (reference, mujoco):
        sensor = package.MjSpec().add_sensor(type=package.mjtSensor.mjSENS_CONTACT)
        found = []
        for fields in range(1, 512):
            sensor.intprm = [fields, 0, fields % 3 + 1]
            found.append(sensor.get_data_size())
        sensor.type = package.mjtSensor.mjSENS_RANGEFINDER
        for fields in range(64):
            sensor.intprm = [fields, 0, 0]
            found.append(sensor.get_data_size())
        sizes.append(found)
    assert sizes[0] == sizes[1]
    spec = mujoco.MjSpec()
    spec.worldbody.add_camera(name="cam", resolution=[4, 3])
    sensor = spec.add_sensor(type=mujoco.mjtSensor.mjSENS_RANGEFINDER, objtype=mujoco.mjtObj.mjOBJ_CAMERA, objname="cam", intprm=[3, 0, 0])
    assert sensor.get_data_size() == 48  # distance and direction of twelve rays
