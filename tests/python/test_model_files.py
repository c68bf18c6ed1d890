"""Models in files: binary, virtual, saved; and what is said of wrong ones."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import lockstep


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


def test_octrees_of_several_meshes(tmp_path):
    """Children of cells are counted from the root of their own octree."""
    spec = lockstep.MjSpec()
    for name, height in (("a", 1), ("b", 2)):
        mesh = spec.add_mesh(name=name, needsdf=True)
        mesh.uservert = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, height]
        spec.worldbody.add_geom(type=lockstep.mjtGeom.mjGEOM_MESH, meshname=name)
    model, path = spec.compile(), str(tmp_path / "octrees.mjb")
    lockstep.mj_saveModel(model, path)
    again = lockstep.MjModel.from_binary_path(path)
    assert (model.mesh_octnum > 1).all()
    np.testing.assert_array_equal(again.oct_child, model.oct_child)


REACHES = """
<mujoco>
  <worldbody>
    <camera name="eye" resolution="3 2"/>
    <body name="a">
      <joint name="j" range="-10 20"/>
      <geom name="g" size=".1"/> <geom name="h" size=".1" pos="1 0 0"/> <geom size=".1" pos="0 1 0"/>
      <site name="s"/>
    </body>
    <body name="b" pos="0 0 2"><joint/><geom name="k" size=".1"/></body>
  </worldbody>
  <contact><pair geom1="g" geom2="k"/></contact>
  <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
  <sensor>
    <touch site="s"/> <distance geom1="g" geom2="k"/> <rangefinder camera="eye"/> <contact geom1="g" data="force pos" num="2"/>
    <insidesite objtype="geom" objname="g" site="s"/> <framepos objtype="site" objname="s"/> <jointlimitpos joint="j"/>
  </sensor>
</mujoco>
"""


@pytest.mark.parametrize("field, place, value", [
    ("geom_condim", 0, 1_000_000), ("geom_condim", 1, 2), ("pair_dim", 0, 5), ("site_type", 0, 77), ("site_dataid", 0, 3),
    ("tendon_num", 0, 0), ("bvh_child", 0, 0), ("bvh_nodeid", 1, 3),
    ("sensor_type", 0, -1), ("sensor_type", 0, 62), ("sensor_objtype", 0, 3), ("sensor_objid", 0, -1),
    ("sensor_refid", 1, -1), ("sensor_dim", 2, 5), ("cam_resolution", 0, 4), ("sensor_dim", 3, 11), ("sensor_intprm", 11, 3),
    ("sensor_refid", 4, -1), ("sensor_objid", 5, -1), ("sensor_objtype", 6, 1),
])
def test_what_stages_rely_on_is_checked(field, place, value):
    """Not a reading outside memory, but an error about the file."""
    model = lockstep.MjModel.from_xml_string(REACHES)

    def reload():
        buffer = np.zeros(lockstep.mj_sizeModel(model), np.uint8)
        lockstep.mj_saveModel(model, None, buffer)
        return lockstep.MjModel.from_binary_path("x", assets={"x": buffer.tobytes()})
    reload()
    values = getattr(model, field).reshape(-1)
    assert values[place] != value
    values[place] = value
    with pytest.raises(ValueError, match="out of range"):
        reload()


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
