"""Rays against MuJoCo: every type of geom, filters, normals."""
import lockstep
import mujoco
import numpy as np
import pytest

COUNT = 10_000
TYPES = {"plane": 0, "sphere": 2, "capsule": 3, "ellipsoid": 4, "cylinder": 5, "box": 6}
MESH = """
<mujoco>
  <asset>
    <mesh name="torus" builtin="supertorus" params="16 .3 1 1"/>
    <mesh name="ball" builtin="sphere" params="2" scale=".5 .7 .9"/>
    <mesh name="prism" vertex="0 0 0 1 0 0 0 1 0 0 0 1.3 1 0 1 0 1 1"/>
    <hfield name="hills" nrow="13" ncol="7" size="2 3 .8 .3" elevation="{hills}"/>
    <hfield name="flat" nrow="2" ncol="3" size="1 1 .5 .1" elevation="0 1 0 0 .5 0"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="torus" pos="3 0 1" euler="30 40 50"/>
    <body pos="0 3 1"><freejoint/><geom type="mesh" mesh="ball" euler="10 20 30"/></body>
    <body pos="-3 0 1"><freejoint/><geom type="mesh" mesh="prism" euler="70 20 30"/></body>
    <geom type="hfield" hfield="hills" pos="0 0 -2" euler="5 10 20"/>
    <geom type="hfield" hfield="flat" pos="0 -5 -2"/>
  </worldbody>
</mujoco>
"""


def random_pose(rng):
    quat, mat = rng.normal(size=4), np.zeros(9)
    mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
    return rng.normal(size=3), mat


def rays_towards(rng, center, reach):
    """Half from outside, half from anywhere near; directions of any length."""
    start = center + reach * rng.normal(size=3) * rng.choice([0.3, 2])
    along = (center + reach * rng.uniform(-0.7, 0.7, 3) - start) * rng.uniform(0.1, 3)
    return start, along


def compare(ask, rays):
    """All answers (distance, normal) of both engines; some rays meet something, some nothing."""
    normals, dists = np.ones((2, len(rays), 3)), np.zeros((2, len(rays)))
    for i, ray in enumerate(rays):
        dists[:, i] = ask(mujoco, normals[0, i], *ray), ask(lockstep, normals[1, i], *ray)
    worst = np.abs(dists[1] - dists[0]) / np.maximum(1, np.abs(dists[0]))
    assert worst.max() < 1e-9, (rays[worst.argmax()], dists[:, worst.argmax()])
    wrong = np.abs(normals[1] - normals[0]).max(axis=1)
    assert wrong.max() < 1e-8, (rays[wrong.argmax()], normals[:, wrong.argmax()])
    assert len(rays) / 20 < (dists[0] >= 0).sum() < len(rays)


@pytest.mark.parametrize("name", TYPES)
def test_shapes(name):
    rng = np.random.default_rng(TYPES[name])
    rays = []
    for _ in range(COUNT):
        pos, mat = random_pose(rng)
        size = rng.uniform(0.1, 1, 3) * (rng.random() < 0.8 or name != "plane")
        rays.append((pos, mat, size, *rays_towards(rng, pos, 1)))
    compare(lambda engine, normal, *ray: engine.mju_rayGeom(*ray, TYPES[name], normal), rays)


def both(xml):
    m, own = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
    d, data = mujoco.MjData(m), lockstep.MjData(own)
    mujoco.mj_forward(m, d), lockstep.mj_forward(own, data)
    return {mujoco: (m, d), lockstep: (own, data)}


@pytest.fixture(scope="module")
def fields():
    rng = np.random.default_rng(1)
    return both(MESH.format(hills=" ".join(f"{h:.3f}" for h in rng.random(13 * 7))))


@pytest.mark.parametrize("geom", range(5))
def test_meshes_and_height_fields(fields, geom):
    m, d = fields[mujoco]
    name = "mj_rayMesh" if m.geom_type[geom] == 7 else "mj_rayHfield"
    rng = np.random.default_rng(geom)
    rays = [rays_towards(rng, d.geom_xpos[geom], m.geom_rbound[geom]) for _ in range(COUNT)]
    compare(lambda engine, normal, *ray: getattr(engine, name)(*fields[engine], geom, *ray, normal), rays)


def test_world():
    """Filters by group, body, static bodies and color."""
    rng = np.random.default_rng(0)
    geoms = []
    for i, (name, group) in enumerate((n, g) for n in TYPES for g in (0, 1, 3, 7)):
        if name == "plane" and group:
            continue
        x, y, z = rng.uniform(-3, 3, 3)
        look = 'rgba="1 1 1 0"' if i % 7 == 3 else 'material="glass"' if i % 7 == 5 else ""
        joint = "" if i % 5 == 0 or name == "plane" else "<freejoint/>"
        geom = f'<geom type="{name}" size=".4 .5 .3" group="{group}" euler="{i} {3 * i} 9" mass="1" {look}/>'
        geoms.append(f'<body pos="{x} {y} {z}">{joint}{geom}</body>')
    worlds = both(f'''<mujoco><compiler inertiagrouprange="0 9"/><option><flag contact="disable"/></option><asset><material name="glass" rgba="1 1 1 0"/></asset>
      <worldbody>{"".join(geoms)}</worldbody></mujoco>''')
    rays = [(*rays_towards(rng, np.zeros(3), 3), (rng.random(6) < 0.6).astype(np.uint8) if i % 3 else None,
             bool(i % 2), int(rng.integers(-1, 12))) for i in range(COUNT)]
    geomid = {engine: [] for engine in worlds}

    def ask(engine, normal, *ray):
        geomid[engine].append(np.zeros(1, np.int32))
        return engine.mj_ray(*worlds[engine], *ray, geomid[engine][-1], normal)

    compare(ask, rays)
    assert np.array_equal(geomid[mujoco], geomid[lockstep])


def test_many_rays(fields):
    rng = np.random.default_rng(0)
    met = []
    for cutoff in (1.5, 4, 1e10):
        start, along = np.array([0, -1, 2.0]), rng.normal(size=(1000, 3))
        answers = []
        for engine, (m, d) in fields.items():
            geomid, dist, normal = np.zeros(1000, np.int32), np.zeros(1000), np.zeros(3000)
            engine.mj_multiRay(m, d, start, along.reshape(-1), None, True, -1, geomid, dist, normal, 1000, cutoff)
            answers.append((geomid, dist, normal))
        assert np.array_equal(answers[0][0], answers[1][0]), cutoff
        met.append(len(set(answers[0][0])))
        np.testing.assert_allclose(answers[1][1], answers[0][1], rtol=1e-9)
        np.testing.assert_allclose(answers[1][2], answers[0][2], atol=1e-8)
    assert 1 < met[0] < met[2]


def test_refused(fields):
    m, d = fields[lockstep]
    point = np.zeros(3)
    with pytest.raises(lockstep.FatalError, match="no length"):
        lockstep.mj_ray(m, d, point, point, None, True, -1, None)
    with pytest.raises(lockstep.FatalError, match="not a mesh"):
        lockstep.mj_rayMesh(m, d, 1, point, np.ones(3))
    with pytest.raises(lockstep.FatalError, match="more than a pose"):
        lockstep.mju_rayGeom(point, np.eye(3).reshape(-1), np.ones(3), point, np.ones(3), 7)
    with pytest.raises(TypeError, match="nray"):
        lockstep.mj_multiRay(m, d, point, np.ones(3), None, True, -1, np.zeros(2, np.int32), np.zeros(1), None, 1, 1)
