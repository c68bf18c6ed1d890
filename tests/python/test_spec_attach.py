"""Attaching, within one model and from others, against MuJoCo."""

import mujoco
import numpy as np
import parity
import pytest

import lockstep

CHILD = """<mujoco model="kid">
  <compiler angle="radian"/>
  <option timestep="0.004"/>
  <default><geom density="5"/>
    <default class="c1"><geom rgba="1 0 0 1"/><default class="c2"><joint damping="3"/></default></default>
  </default>
  <asset>
    <texture name="tx" type="2d" builtin="checker" width="4" height="4"/>
    <material name="mt" texture="tx"/>
    <mesh name="ms" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hf" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 1 0"/>
  </asset>
  <worldbody>
    <geom name="ball" size="1"/><site name="ws"/>
    <body name="A" childclass="c1">
      <joint name="ja"/><geom name="ga" size=".1" material="mt"/><site name="sa"/>
      <camera name="ca" mode="targetbody" target="A1"/><light name="la" mode="targetbody" target="A"/>
      <body name="A1">
        <joint name="ja1" class="c2"/><geom name="ga1" size=".1"/><geom type="mesh" mesh="ms"/><site name="sa1"/>
      </body>
    </body>
    <frame name="F" pos="1 2 3" euler="1 0 0">
      <body name="B"><joint name="jb" type="slide"/><geom name="gb" size=".1"/><site name="sb"/></body>
      <geom name="gf" size=".2"/>
    </frame>
    HERE
  </worldbody>
  <contact>
    <pair geom1="ga" geom2="ga1" name="p1"/><pair geom1="ga" geom2="gb" name="p2"/>
    <exclude body1="A" body2="A1" name="e1"/><exclude body1="world" body2="A" name="ew"/>
  </contact>
  <tendon>
    <fixed name="tf"><joint joint="ja" coef="1"/><joint joint="ja1" coef="2"/></fixed>
    <fixed name="tf2"><joint joint="ja" coef="1"/><joint joint="jb" coef="2"/></fixed>
    <spatial name="ts" material="mt"><site site="sa"/><site site="sa1"/></spatial>
  </tendon>
  <equality>
    <joint joint1="ja" joint2="ja1" name="q1"/><connect body1="A" anchor="0 0 0" name="q3"/>
    <weld body1="A" body2="B" name="q4"/><weld body1="world" body2="A" name="q6"/><tendon tendon1="tf" name="q5"/>
  </equality>
  <actuator>
    <motor name="m1" joint="ja"/><motor name="m2" joint="jb"/><position name="m3" tendon="tf"/>
    <motor name="m4" site="sa" refsite="ws"/>
  </actuator>
  <sensor>
    <jointpos name="s1" joint="ja"/>
    <framepos name="s2" objtype="geom" objname="ga" reftype="body" refname="B"/>
    <framepos name="s6" objtype="geom" objname="ga" reftype="body" refname="world"/>
    <actuatorpos name="s3" actuator="m1"/><clock name="clk"/><touch name="s4" site="ws"/>
    <tendonpos tendon="ts" name="s5"/><user name="u" dim="2"/><subtreecom body="world" name="sw"/>
  </sensor>
  <custom>
    <numeric name="nn" data="1 2"/><text name="tt" data="hi"/>
    <tuple name="tu"><element objtype="body" objname="A"/></tuple>
    <tuple name="tu2"><element objtype="body" objname="B"/></tuple>
  </custom>
  <keyframe><key name="k1" qpos="1 2 3" qvel="4 5 6" ctrl="1 2 3 4"/><key time="2" qpos="7 8 9"/></keyframe>
</mujoco>"""
PARENT = """<mujoco>
  <asset><model name="kid" file="kid.xml"/></asset>
  <default><geom condim="1"/></default>
  <worldbody><body name="P" pos="0 0 1">
    <joint name="jp" type="ball"/><geom size=".1"/><frame name="PF" pos="0 1 0">HERE</frame>
  </body></worldbody>
</mujoco>"""
KINDS = [
    "body", "joint", "geom", "site", "camera", "light", "mesh", "hfield", "texture", "material", "pair", "exclude",
    "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key",
]  # fmt: skip
FIELDS = [
    "body_pos", "body_quat", "body_mass", "jnt_type", "dof_damping", "geom_rgba", "geom_condim", "geom_matid", "eq_type",
    "eq_obj1id", "eq_obj2id", "tendon_length0", "actuator_trnid", "sensor_objid", "sensor_refid", "tuple_objid",
    "key_time", "key_qpos", "key_qvel", "key_ctrl", "pair_signature", "exclude_signature", "wrap_objid", "cam_targetbodyid",
]  # fmt: skip


def names(model, engine):
    table = {}
    for kind in KINDS:
        code = engine.mjtObj.__members__[f"mjOBJ_{kind.upper()}"]
        table[kind] = [engine.mj_id2name(model, int(code), i) for i in range(count(model, kind))]
    return table


def count(model, kind):
    sizes = {"joint": "njnt", "camera": "ncam", "texture": "ntex", "material": "nmat", "pair": "npair",
             "exclude": "nexclude", "equality": "neq", "actuator": "nactuator"}  # fmt: skip
    return getattr(model, sizes.get(kind, f"n{kind}"))


def compare(ours, theirs):
    assert names(ours, lockstep) == names(theirs, mujoco)
    for field in FIELDS:
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), rtol=1e-12, atol=1e-12, err_msg=field)


@pytest.mark.parametrize("part", ['body="A"', 'body="B"', 'frame="F"', ""])
@pytest.mark.filterwarnings("ignore")
def test_attach_in_files(part):
    child = CHILD.replace("HERE", "").encode()
    parent = PARENT.replace("HERE", f'<attach model="kid" {part} prefix="x-"/>')
    specs = [engine.MjSpec.from_string(parent, include={"kid.xml": child}) for engine in (lockstep, mujoco)]
    compare(*[spec.compile() for spec in specs])


@pytest.mark.parametrize("part", ['body="A"', 'body="B"', 'frame="F"'])
@pytest.mark.filterwarnings("ignore")
def test_attach_to_itself(part):
    xml = CHILD.replace("HERE", f'<body name="host"><attach {part} prefix="y-"/></body>')
    compare(*[engine.MjSpec.from_string(xml).compile() for engine in (lockstep, mujoco)])


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("part", ["A", "B", "all"])
@pytest.mark.filterwarnings("ignore")
def test_attach_in_programs(part, copy):
    models = []
    for engine in (lockstep, mujoco):
        parent = engine.MjSpec.from_string(PARENT.replace("HERE", ""), include={"kid.xml": b"<mujoco/>"})
        child = engine.MjSpec.from_string(CHILD.replace("HERE", ""))
        parent.copy_during_attach = copy
        parent.add_key(name="mine", qpos=[0, 1, 0, 0])
        if part == "all":
            parent.attach(child, prefix="x-", suffix="-y", frame="PF")
        else:
            parent.frame("PF").attach_body(child.body(part), "x-", "-y")
        models.append(parent.compile())
    compare(*models)


@pytest.mark.parametrize("kind, name", [("body", "A"), ("body", "A1"), ("frame", "F"), ("body", "B")])
@pytest.mark.filterwarnings("ignore")
def test_delete(kind, name):
    models = []
    for engine in (lockstep, mujoco):
        spec = engine.MjSpec.from_string(CHILD.replace("HERE", ""))
        for item in list(spec.tuples) + list(spec.cameras) + list(spec.lights):
            spec.delete(item)  # these would name what is gone
        spec.delete(getattr(spec, kind)(name))
        models.append(spec.compile())
    compare(*models)


ROBOT = ('<mujoco><compiler meshdir="parts" texturedir="looks"/><asset><mesh name="m" file="hull.obj"/>'
         '<texture name="t" type="2d" file="red.png"/><material name="r" texture="t"/></asset>'
         '<worldbody><body name="b"><geom type="mesh" mesh="m" material="r"/></body></worldbody></mujoco>')
HULL = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
RED = bytes.fromhex('89504e470d0a1a0a0000000d49484452000000010000000108020000009077'
                    '53de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082')


@pytest.fixture
def workshop(tmp_path):
    """A robot with files of its own, and scenes in other folders, one with files of the same names."""
    for folder, height in (('robot', 1), ('scene', 2)):
        (tmp_path / folder / 'parts').mkdir(parents=True)
        (tmp_path / folder / 'looks').mkdir()
        (tmp_path / folder / 'parts' / 'hull.obj').write_text(HULL.format(height))
        (tmp_path / folder / 'looks' / 'red.png').write_bytes(RED)
    (tmp_path / 'scene' / 'above').mkdir()
    (tmp_path / 'robot' / 'robot.xml').write_text(ROBOT)
    part = '<asset><model name="r" file="{}"/></asset><worldbody><frame pos="1 0 0"><attach model="r" prefix="{}"/></frame></worldbody>'
    (tmp_path / 'scene' / 'cell.xml').write_text(f'<mujoco>{part.format("../robot/robot.xml", "p/")}</mujoco>')
    (tmp_path / 'scene' / 'settings.xml').write_text(f'<mujoco><compiler meshdir="no" texturedir="no"/>{part.format("../robot/robot.xml", "p/")}</mujoco>')
    (tmp_path / 'scene' / 'above' / 'top.xml').write_text(f'<mujoco>{part.format("../cell.xml", "q/")}</mujoco>')
    return tmp_path


@pytest.mark.parametrize('file', ('scene/cell.xml', 'scene/settings.xml', 'scene/above/top.xml'))
def test_attached_models_find_their_files(workshop, file):
    """Next to themselves, whatever the model they are attached to has."""
    own, ref = (engine.MjModel.from_xml_path(str(workshop / file)) for engine in (lockstep, mujoco))
    assert own.mesh_vert[:, 2].max() == ref.mesh_vert[:, 2].max()
    comparison = parity.compare(own, ref)
    assert not comparison.deviations, str(comparison)


@pytest.mark.parametrize('copied', (False, True))
def test_attached_specs_find_their_files(workshop, copied, monkeypatch):
    monkeypatch.chdir(workshop / 'scene')
    found = []
    for engine in (lockstep, mujoco):
        heights = []
        for child in (engine.MjSpec.from_file('../robot/robot.xml'), engine.MjSpec.from_string(ROBOT)):
            for parent in (engine.MjSpec.from_file('above/top.xml'), engine.MjSpec.from_string('<mujoco/>')):
                parent.copy_during_attach = copied
                part = child.copy()
                parent.attach(part, prefix='x/', frame=parent.worldbody.add_frame())
                m = parent.compile()
                start, count = m.mesh('x/m').vertadr[0], m.mesh('x/m').vertnum[0]
                heights += [np.ptp(m.mesh_vert[start:start + count, 2]), bytes(m.paths)]
        found.append(heights)
    assert found[0] == found[1]
