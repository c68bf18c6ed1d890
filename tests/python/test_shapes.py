"""Queries between shapes without a model: against MuJoCo on models of two geoms, and against brute force."""
import itertools

import mujoco
import numpy as np
import pytest
from lockstep import shapes

RNG = np.random.default_rng(5)
POINTS = RNG.normal(size=(24, 3)) * [0.3, 0.2, 0.25]
HEIGHTS = RNG.uniform(size=(7, 9)).astype(np.float32)
HEIGHTS = (HEIGHTS - HEIGHTS.min()) / (HEIGHTS.max() - HEIGHTS.min())  # as both engines scale them
FIELD = (1, 0.8, 0.3, 0.2)
KINDS = {
    "plane": (shapes.Shape.plane(), 'type="plane" size="0 0 1"'),
    "hfield": (shapes.Shape.hfield(HEIGHTS, FIELD), 'type="hfield" hfield="field"'),
    "sphere": (shapes.Shape.sphere(0.3), 'type="sphere" size=".3"'),
    "capsule": (shapes.Shape.capsule(0.15, 0.3), 'type="capsule" size=".15 .3"'),
    "ellipsoid": (shapes.Shape.ellipsoid((0.3, 0.2, 0.4)), 'type="ellipsoid" size=".3 .2 .4"'),
    "cylinder": (shapes.Shape.cylinder(0.2, 0.3), 'type="cylinder" size=".2 .3"'),
    "box": (shapes.Shape.box((0.2, 0.3, 0.25)), 'type="box" size=".2 .3 .25"'),
    "mesh": (shapes.Shape.mesh(POINTS), 'type="mesh" mesh="cloud"'),
}
ASSETS = f"""<asset><mesh name="cloud" vertex="{' '.join(map(repr, POINTS.ravel().tolist()))}"/>
  <hfield name="field" nrow="7" ncol="9" size="1 .8 .3 .2" elevation="{' '.join(map(str, HEIGHTS[::-1].ravel()))}"/></asset>"""
FIXED = ("plane", "hfield")
MOVING = [kind for kind in KINDS if kind not in FIXED]
PAIRS = [(a, b) for a, b in itertools.combinations_with_replacement(KINDS, 2) if b in MOVING]
ANALYTIC = {("plane", k) for k in ("sphere", "capsule", "ellipsoid", "cylinder", "box")} | {
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule"),
    ("capsule", "box"), ("box", "box")}


def random_pose(rng, reach):
    quat = rng.normal(size=4)
    return np.append(rng.uniform(-reach, reach, 3), quat / np.linalg.norm(quat))


class Reference:
    """Two geoms in MuJoCo: the first fixed, the second free."""

    def __init__(self, a, b, margin=0.0, options=""):
        self.m = mujoco.MjModel.from_xml_string(f"""<mujoco><option {options}/>{ASSETS}<worldbody>
          <body mocap="true" name="a"><geom {KINDS[a][1]} margin="{margin}"/></body>
          <body name="b"><freejoint/><geom {KINDS[b][1]} mass="1"/></body></worldbody></mujoco>""")
        self.d = mujoco.MjData(self.m)

    def place(self, pose_a, pose_b):
        self.d.mocap_pos[0], self.d.mocap_quat[0] = pose_a[:3], pose_a[3:]
        self.d.qpos[:] = pose_b
        mujoco.mj_kinematics(self.m, self.d)
        mujoco.mj_comPos(self.m, self.d)
        mujoco.mj_collision(self.m, self.d)
        return self.d


@pytest.mark.parametrize("a, b", PAIRS)
def test_contacts(a, b):
    rng, reference, some, alike = np.random.default_rng(1), Reference(a, b, margin=0.05), 0, []
    for _ in range(100):
        pose_a, pose_b = random_pose(rng, 0.05), random_pose(rng, 0.5)
        d = reference.place(pose_a, pose_b)
        found = shapes.contacts(KINDS[a][0], pose_a, KINDS[b][0], pose_b, margin=0.05)
        flipped = shapes.contacts(KINDS[b][0], pose_b, KINDS[a][0], pose_a, margin=0.05)
        assert (len(found.dist) > 0) == (len(flipped.dist) > 0) and (found.dist < 0.05).all()
        if a != b:  # equal types are searched in the order in which they are given
            np.testing.assert_array_equal(found.dist, flipped.dist)
            np.testing.assert_array_equal(found.normal, -flipped.normal)
        for frame in (*found.frame, *flipped.frame):
            np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-9)
            assert np.linalg.det(frame) > 0
        some += d.ncon > 0
        assert (d.ncon > 0) == (len(found.dist) > 0)
        if d.ncon:
            close = d.ncon == len(found.dist) and (
                np.abs(d.contact.dist - found.dist).max() < 1e-5
                and np.abs(d.contact.pos - found.pos).max() < 1e-4
                and np.abs(d.contact.frame.reshape(-1, 3, 3) - found.frame).max() < 1e-4)
            alike.append(close)
            if (a, b) in ANALYTIC:
                np.testing.assert_allclose(found.dist, d.contact.dist, atol=1e-9)
                np.testing.assert_allclose(found.pos, d.contact.pos, atol=1e-9)
                np.testing.assert_allclose(found.frame, d.contact.frame.reshape(-1, 3, 3), atol=1e-8)
    assert some > 10
    assert np.mean(alike) > 0.9  # a tolerance ends both searches; some pairs of points are as good as others


@pytest.mark.parametrize("a, b", PAIRS)
def test_distance(a, b):
    rng, alike = np.random.default_rng(2), []
    reference = Reference(a, b, options='ccd_iterations="500" ccd_tolerance="1e-12"')
    for _ in range(60):
        pose_a, pose_b = random_pose(rng, 0.05), random_pose(rng, 1.0)
        segment = np.zeros(6)
        expected = mujoco.mj_geomDistance(reference.m, reference.place(pose_a, pose_b), 0, 1, 10.0, segment)
        found = shapes.distance(KINDS[a][0], pose_a, KINDS[b][0], pose_b)
        flipped = shapes.distance(KINDS[b][0], pose_b, KINDS[a][0], pose_a)
        assert found.dist == pytest.approx(flipped.dist, abs=1e-7)
        np.testing.assert_allclose(found.point2 - found.point1, found.dist * found.normal, atol=1e-6)
        assert np.linalg.norm(found.normal) == pytest.approx(1, abs=1e-9)
        alike.append(abs(found.dist - expected) < 1e-6)
        if a != "hfield":  # a field is not convex: all of it moves
            # moving the second shape by that much makes them touch
            for gap, overlaps in ((1e-4, False), (-1e-4, True)):
                moved = pose_b.copy()
                moved[:3] += found.normal * (gap - found.dist)
                assert (shapes.distance(KINDS[a][0], pose_a, KINDS[b][0], moved).dist < 0) == overlaps
    if (a, b) != ("capsule", "box") and a != "hfield":  # docs/differences.md
        assert np.mean(alike) > 0.95
    far = shapes.distance(KINDS[a][0], (0, 0, 0), KINDS[b][0], (0, 0, 3), most=0.5)
    assert far.dist == 0.5 and not far.normal.any() and not far.point1.any()


@pytest.mark.parametrize("kind", KINDS)
def test_rays(kind):
    rng = np.random.default_rng(3)
    m = mujoco.MjModel.from_xml_string(
        f'<mujoco>{ASSETS}<worldbody><body mocap="true"><geom {KINDS[kind][1]}/></body></worldbody></mujoco>')
    d = mujoco.MjData(m)
    hits = 0
    for _ in range(30):
        pose = random_pose(rng, 0.3)
        d.mocap_pos[0], d.mocap_quat[0] = pose[:3], pose[3:]
        mujoco.mj_kinematics(m, d)
        points = rng.uniform(-1.5, 1.5, (20, 3))
        ways = rng.normal(size=3) * 0.2 - points
        found = shapes.ray(KINDS[kind][0], pose, points, ways)
        for k in range(20):
            geom, normal = np.zeros(1, np.int32), np.zeros(3)
            expected = mujoco.mj_ray(m, d, points[k], ways[k], None, 1, -1, geom, normal)
            assert found.dist[k] == pytest.approx(expected, abs=1e-6)
            np.testing.assert_allclose(found.normal[k], normal, atol=1e-5)
            hits += expected >= 0
        one = shapes.ray(KINDS[kind][0], pose, points[0], ways[0])
        assert one.dist == found.dist[0] and (one.normal == found.normal[0]).all()
    assert hits > 50


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "plane"])
def test_boxes_are_tight(kind):
    """No ray from afar meets the shape outside its box, and a plane at each side of the box touches the shape."""
    rng, shape = np.random.default_rng(4), KINDS[kind][0]
    for _ in range(20):
        pose = random_pose(rng, 1.0)
        low, high = shapes.aabb(shape, pose)
        assert (low < high).all()
        points = rng.uniform(-4, 4, (50, 3))
        ways = pose[:3] + rng.normal(size=(50, 3)) * 0.2 - points
        hits = shapes.ray(shape, pose, points, ways)
        places = (points + hits.dist[:, None] * ways)[hits.dist >= 0]
        assert len(places) and (places > low - 1e-6).all() and (places < high + 1e-6).all()
        if kind == "hfield":
            continue
        for axis, side in itertools.product(range(3), (-1, 1)):
            normal = np.zeros(3)
            normal[axis] = -side  # the shape is in front of the plane
            quat = np.zeros(4)
            mujoco.mju_quatZ2Vec(quat, normal)
            at = high if side > 0 else low
            gap = shapes.distance(shapes.Shape.plane(), (at, quat), shape, pose)
            assert gap.dist == pytest.approx(0, abs=1e-7)


def test_planes_have_no_box():
    low, high = shapes.aabb(shapes.Shape.plane(), (0, 0, 0))
    assert np.isneginf(low).all() and np.isposinf(high).all()


def meets(low_a, high_a, low_b, high_b):
    return ((low_a <= high_b) & (low_b <= high_a)).all(axis=-1)


def test_tree_of_boxes():
    rng = np.random.default_rng(6)
    low = rng.uniform(-5, 5, (500, 3))
    high = low + rng.uniform(0, 1, (500, 3))
    tree = shapes.BoxTree(low, high)
    assert len(tree) == 500
    for _ in range(100):
        corner = rng.uniform(-5, 5, 3)
        size = rng.uniform(0, 2, 3)
        np.testing.assert_array_equal(tree.overlap(corner, corner + size), np.flatnonzero(meets(low, high, corner, corner + size)))
    other_low = rng.uniform(-5, 5, (60, 3))
    other = shapes.BoxTree(other_low, other_low + 0.5)
    expected = np.argwhere(meets(low[:, None], high[:, None], other_low[None], other_low[None] + 0.5))
    np.testing.assert_array_equal(tree.overlap(other), expected)
    for _ in range(100):
        point, way = rng.uniform(-8, 8, 3), rng.normal(size=3)
        with np.errstate(divide="ignore"):
            first, second = (low - point) / way, (high - point) / way
        enter, leave = np.minimum(first, second).max(axis=1), np.maximum(first, second).min(axis=1)
        np.testing.assert_array_equal(tree.ray(point, way), np.flatnonzero((leave >= enter) & (leave >= 0)))
        np.testing.assert_array_equal(tree.ray(point, way, most=2.0),
                                      np.flatnonzero((leave >= enter) & (leave >= 0) & (enter <= 2)))
    assert len(shapes.BoxTree(np.zeros((0, 3)), np.zeros((0, 3))).overlap([0, 0, 0], [1, 1, 1])) == 0


def test_tree_of_triangles():
    rng = np.random.default_rng(7)
    vertices = rng.normal(size=(200, 3))
    faces = np.array([rng.choice(200, 3, replace=False) for _ in range(300)])
    tree = shapes.BoxTree.of_triangles(vertices, faces)
    hits = 0
    for _ in range(200):
        point, way = rng.normal(size=3) * 3, rng.normal(size=3)
        hit = tree.first_triangle(point, way)
        best = (np.inf, -1)
        for face, (p, q, r) in enumerate(vertices[faces]):
            system = np.column_stack([q - p, r - p, -way])
            u, v, t = np.linalg.solve(system, point - p)
            if u >= 0 and v >= 0 and u + v <= 1 and 0 <= t < best[0]:
                best = (t, face)
        assert hit.face == best[1]
        if hit.face >= 0:
            hits += 1
            assert hit.dist == pytest.approx(best[0], rel=1e-9)
            normal = np.cross(*(vertices[faces[hit.face]][1:] - vertices[faces[hit.face]][0]))
            np.testing.assert_allclose(hit.normal, normal / np.linalg.norm(normal), atol=1e-9)
    assert 20 < hits < 200
    with pytest.raises(IndexError, match="there is no vertex 200"):
        shapes.BoxTree.of_triangles(vertices, [[0, 1, 200]])


def test_tree_of_shapes_finds_all_contacts():
    rng = np.random.default_rng(8)
    some = [KINDS[kind][0] for kind in (["plane", "hfield"] + MOVING * 6)]
    poses = [random_pose(rng, 2.0) for _ in some]
    tree = shapes.BoxTree.of_shapes(some, poses)
    near = {tuple(pair) for pair in tree.overlap(tree)}
    touching = 0
    for i, j in itertools.combinations(range(len(some)), 2):
        if len(shapes.contacts(some[i], poses[i], some[j], poses[j]).dist):
            touching += 1
            assert (i, j) in near
    assert touching > 20 and len(near) < len(some) ** 2 / 2


def test_wrong_input_is_named():
    with pytest.raises(ValueError, match="size"):
        shapes.Shape.sphere(-1)
    with pytest.raises(ValueError, match="4"):
        shapes.Shape.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    with pytest.raises(ValueError, match="a pose has"):
        shapes.aabb(shapes.Shape.sphere(1), (0, 0))
    with pytest.raises(AttributeError):
        shapes.Shape("ball")
    assert repr(shapes.Shape.sphere(1)) == "Shape('sphere')" and shapes.Shape.box((1, 1, 1)).kind == "box"
