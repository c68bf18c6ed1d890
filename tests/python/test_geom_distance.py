"""mj_geomDistance of planes and convex shapes: against MuJoCo, and against bounds of our own.

Any direction n bounds the signed distance x of two convex shapes from below: x >= -h(n), where h(n) is the reach of
the first shape along n plus that of the second against it. An answer is certified when its own direction gives its
own distance; MuJoCo's answer is the reference wherever it is certified too.
"""
import itertools

import lockstep
import mujoco
import numpy as np
import pytest

TYPES = ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]
EACH = 6  # shapes per type
COUNT = 1000  # poses per pair of types
TOL = 1e-6
FAR = 10.0
PAIRS = list(itertools.combinations_with_replacement(TYPES, 2))


def model_text(rng, options='ccd_iterations="500" ccd_tolerance="1e-13"'):
    meshes, geoms = "", '<geom type="plane" size="1 1 1"/>'
    for k, count in enumerate([4, 5, 8, 30, 100, 200]):
        points = rng.normal(size=(count, 3))
        points /= np.linalg.norm(points, axis=1, keepdims=True) if k < 5 else 1
        points *= rng.uniform(0.1, 1, 3)
        meshes += f'<mesh name="m{k}" vertex="{" ".join(map(str, points.ravel()))}"/>'
    for kind in TYPES:
        for k in range(EACH):
            size = " ".join(map(str, rng.uniform(0.1, 1, 3)))
            geoms += f'<geom type="{kind}" ' + (f'mesh="m{k}"/>' if kind == "mesh" else f'size="{size}"/>')
    return f"<mujoco><option {options}/><asset>{meshes}</asset><worldbody>{geoms}</worldbody></mujoco>"


class World:
    """One model in an engine; geoms are placed one by one."""

    def __init__(self, engine, text):
        self.engine, self.m = engine, engine.MjModel.from_xml_string(text)
        self.d = engine.MjData(self.m)
        engine.mj_kinematics(self.m, self.d)

    def place(self, geom, pos, quat):
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, quat)
        self.d.geom_xpos[geom] = pos
        self.d.geom_xmat[geom] = mat.reshape(np.shape(self.d.geom_xmat[geom]))

    def distance(self, geom1, geom2, distmax=FAR):
        segment = np.full(6, np.nan)
        dist = self.engine.mj_geomDistance(self.m, self.d, geom1, geom2, distmax, segment)
        return dist, segment

    def reach(self, geom, n):
        """How far a geom extends along each row of n."""
        m, mat = self.m, np.array(self.d.geom_xmat[geom]).reshape(3, 3)
        size, at, n = m.geom_size[geom], n @ self.d.geom_xpos[geom], n @ mat
        match mujoco.mjtGeom(m.geom_type[geom]).name[7:].lower():
            case "sphere": return at + size[0]
            case "capsule": return at + size[0] + size[1] * abs(n[:, 2])
            case "ellipsoid": return at + np.linalg.norm(size * n, axis=1)
            case "cylinder": return at + size[0] * np.hypot(n[:, 0], n[:, 1]) + size[1] * abs(n[:, 2])
            case "box": return at + abs(n) @ size
        mesh = m.geom_dataid[geom]
        first = m.mesh_vertadr[mesh]
        return at + (n @ m.mesh_vert[first:first + m.mesh_vertnum[mesh]].astype(float).T).max(axis=1)

    def bounds(self, geom1, geom2, n):
        return -self.reach(geom1, n) - self.reach(geom2, -n)

    def doubt(self, geom1, geom2, dist, segment):
        """How far an answer is from the bound of its own direction."""
        return abs(dist - self.bounds(geom1, geom2, direction(dist, segment)[None])[0])


def direction(dist, segment):
    return (segment[3:] - segment[:3]) / dist


def random_pose(rng, center=(0, 0, 0)):
    quat = rng.normal(size=4)
    return np.array(center), quat / np.linalg.norm(quat)


def random_pair(rng, worlds, kind1, kind2):
    """Two geoms anywhere between one inside the other and well apart."""
    base = 1 + EACH * TYPES.index(kind2)
    geom1 = 1 + EACH * TYPES.index(kind1) + rng.integers(EACH)
    geom2 = base + rng.integers(EACH)
    if geom1 == geom2:
        geom2 = base + (geom2 - base + 1) % EACH
    rbound = worlds[0].m.geom_rbound
    away = rng.normal(size=3)
    away *= (rbound[geom1] + rbound[geom2]) * rng.uniform(0, 1.3) / np.linalg.norm(away)
    start = rng.normal(size=3)
    for geom, pose in ((geom1, random_pose(rng, start)), (geom2, random_pose(rng, start + away))):
        for world in worlds:
            world.place(geom, *pose)
    return geom1, geom2


@pytest.fixture(scope="module")
def worlds():
    text = model_text(np.random.default_rng(0))
    return World(mujoco, text), World(lockstep, text)


@pytest.mark.parametrize("kind1,kind2", PAIRS)
def test_agrees_with_mujoco(worlds, kind1, kind2):
    rng = np.random.default_rng(PAIRS.index((kind1, kind2)))
    oracle, ours = worlds
    uncertified, worst = 0, 0.0
    smooth = {"sphere", "ellipsoid"} & {kind1, kind2}  # nearest points are unique
    for _ in range(COUNT):
        pair = random_pair(rng, worlds, kind1, kind2)
        want, want_segment = oracle.distance(*pair)
        dist, segment = ours.distance(*pair)
        assert np.isfinite(dist) and np.isfinite(segment).all()
        assert np.linalg.norm(segment[3:] - segment[:3]) == pytest.approx(abs(dist), abs=1e-12)
        if abs(dist) < 1e-3:  # no direction to be had from the segment
            assert dist == pytest.approx(want, abs=TOL)
            continue
        # the bound of our direction is our distance, and no other direction, near or far, gives a larger one
        rest = oracle.doubt(*pair, dist, segment)
        assert rest <= TOL
        others = rng.normal(size=(16, 3)) * np.repeat([1e-4, 1e-2, 1, 100], 4)[:, None] + direction(dist, segment)
        others /= np.linalg.norm(others, axis=1, keepdims=True)
        assert oracle.bounds(*pair, others).max() <= dist + TOL
        doubt = oracle.doubt(*pair, want, want_segment)
        if doubt > 1e-7:
            uncertified += 1
            continue
        worst = max(worst, abs(dist - want))
        assert dist == pytest.approx(want, abs=TOL)
        if dist > 0 and smooth:
            # points are known to the root of what is left of the distance
            assert segment == pytest.approx(want_segment, abs=TOL + 8 * np.sqrt(doubt + rest))
    # MuJoCo's own capsule against box gives contacts, not the distance
    assert uncertified <= (COUNT if {kind1, kind2} == {"capsule", "box"} else 0.02 * COUNT)
    print(f"{kind1}-{kind2}: {COUNT} pairs, worst {worst:.1e}, uncertified by MuJoCo {uncertified}")


@pytest.mark.parametrize("kind", TYPES)
def test_plane(worlds, kind):
    rng = np.random.default_rng(7)
    oracle, ours = worlds
    for _ in range(300):
        geom = 1 + EACH * TYPES.index(kind) + rng.integers(EACH)
        poses = random_pose(rng, rng.normal(size=3)), random_pose(rng, rng.normal(size=3))
        for world in worlds:
            world.place(0, *poses[0])
            world.place(geom, *poses[1])
        for pair in ((0, geom), (geom, 0)):
            want, want_segment = oracle.distance(*pair)
            dist, segment = ours.distance(*pair)
            assert dist == pytest.approx(want, abs=1e-9)
            assert segment == pytest.approx(want_segment, abs=1e-6)


@pytest.mark.parametrize("kind1,kind2", PAIRS)
def test_symmetry_and_separation(worlds, kind1, kind2):
    rng = np.random.default_rng(99)
    ours = worlds[1]
    for _ in range(40):
        geom1, geom2 = random_pair(rng, worlds, kind1, kind2)
        dist, segment = ours.distance(geom1, geom2)
        back, _ = ours.distance(geom2, geom1)
        assert back == pytest.approx(dist, abs=TOL)
        if dist > -1e-3:
            continue
        # moved by its depth along the segment, the second shape just touches the first
        pos = np.array(ours.d.geom_xpos[geom2])
        ours.d.geom_xpos[geom2] = pos + segment[:3] - segment[3:]
        assert ours.distance(geom1, geom2)[0] == pytest.approx(0, abs=TOL)


def test_cutoff(worlds):
    rng = np.random.default_rng(5)
    for kind1, kind2 in PAIRS:
        for _ in range(20):
            pair = random_pair(rng, worlds, kind1, kind2)
            dist, segment = worlds[1].distance(*pair)
            assert worlds[1].distance(*pair, dist + 1e-3)[0] == pytest.approx(dist, abs=1e-9)
            if dist <= 1e-2:
                continue
            for world in worlds if {kind1, kind2} != {"capsule", "box"} else worlds[1:]:
                cut, segment = world.distance(*pair, dist - 1e-3)
                assert cut == dist - 1e-3 and not segment.any()


@pytest.mark.parametrize("options", ["", 'ccd_iterations="1"', 'ccd_iterations="3" ccd_tolerance="1e-13"',
                                     'ccd_tolerance="1"'])
@pytest.mark.parametrize("sizes", [(0, 0, 0), (1e-12, 1, 1), (1e-4, 1, 1e3), (1e-9, 1e-9, 1e-9), (1e6, 1, 1e-6)])
def test_degenerate(options, sizes):
    """No size, no thickness, huge ratios, one center, aligned axes, few iterations: an answer, and in time."""
    rng = np.random.default_rng(3)
    ours = World(lockstep, model_text(rng, options))
    ours.m.geom_size[:] = sizes
    geoms = [1 + EACH * k for k in range(len(TYPES))] + [2 + EACH * k for k in range(len(TYPES))]
    poses = [([0, 0, 0], [1, 0, 0, 0]), ([0, 0, 1e-9], [1, 0, 0, 0]), ([0, 0, 2], [1, 0, 0, 0]),
             ([1e-3, 0, 0], [0.5, 0.5, 0.5, 0.5]), random_pose(rng, rng.normal(size=3))]
    for geom1, geom2 in itertools.product(geoms, geoms):
        for pose in poses:
            ours.place(geom1, [0, 0, 0], [1, 0, 0, 0])
            ours.place(geom2, *pose)
            dist, segment = ours.distance(geom1, geom2, 1e9)
            assert np.isfinite(dist) and np.isfinite(segment).all()
            assert np.linalg.norm(segment[3:] - segment[:3]) == pytest.approx(abs(dist), abs=1e-9, rel=1e-9)


def test_points(worlds):
    """Shapes without size are points and segments: the distance is plain geometry."""
    ours = World(lockstep, model_text(np.random.default_rng(3)))
    ours.m.geom_size[:] = 0
    for kind1, kind2 in itertools.combinations_with_replacement(TYPES[:-1], 2):
        geom1, geom2 = 1 + EACH * TYPES.index(kind1), 2 + EACH * TYPES.index(kind2)
        for pos, want in (([3, 4, 0], 5), ([0, 0, 0], 0)):
            ours.place(geom1, [0, 0, 0], [1, 0, 0, 0])
            ours.place(geom2, pos, [0.5, 0.5, 0.5, 0.5])
            assert ours.distance(geom1, geom2)[0] == pytest.approx(want, abs=1e-12)


def test_crossing_segments(worlds):
    """Capsules whose axes cross, and spheres on one center, separate by their radii."""
    for world in worlds:
        for geom in (1, 2, 7, 8):
            world.place(geom, [0.1, 0.2, 0.3], [1, 0, 0, 0])
        world.place(8, [0.1, 0.2, 0.3], [0.5, 0.5, 0.5, 0.5])
    for pair in ((1, 2), (7, 8), (1, 8)):
        assert worlds[1].distance(*pair)[0] == pytest.approx(worlds[0].distance(*pair)[0], abs=1e-12)


def test_poses_that_are_not_finite(worlds):
    ours = worlds[1]
    ours.place(1, [np.nan, 0, 0], [1, 0, 0, 0])
    ours.place(8, [np.inf, 0, 0], [1, 0, 0, 0])
    for geom in (0, 1, 8, 20, 30):
        for bad in (1, 8):
            dist, segment = ours.distance(geom, bad, 2)
            assert dist == 2 and not segment.any()


def test_arguments(worlds):
    ours = worlds[1]
    ours.place(1, [0, 0, 0], [1, 0, 0, 0])
    ours.place(2, [5, 0, 0], [1, 0, 0, 0])
    call = lambda *args: lockstep.mj_geomDistance(ours.m, ours.d, *args)
    assert call(1, 2, FAR, None) == ours.distance(1, 2)[0]
    assert call(0, 0, FAR, None) == FAR
    with pytest.raises(TypeError, match="fromto should be of size 6"):
        call(1, 2, FAR, np.zeros(5))
    with pytest.raises(lockstep.FatalError, match="no geom"):
        call(1, 1000, FAR, None)


HILLS = """<mujoco><asset><hfield name="hills" nrow="12" ncol="15" size=".5 .4 .2 .1"/></asset><worldbody>
<geom type="hfield" hfield="hills" pos=".1 0 .05" euler="15 13 22"/><geom type="hfield" hfield="hills" pos="0 0 3"/>
<geom type="plane" size="1 1 1" pos="0 0 -3"/>
<body><freejoint/><geom type="{}" size=".04 .05 .03"/></body></worldbody></mujoco>"""


def hills(kind, seed=0):
    worlds = [World(engine, HILLS.format(kind)) for engine in (mujoco, lockstep)]
    for world in worlds:
        world.m.hfield_data[:] = np.random.default_rng(seed).uniform(0, 1, world.m.hfield_data.shape)
    return worlds


@pytest.mark.parametrize("kind", ["sphere", "capsule", "ellipsoid", "cylinder", "box"])
def test_height_field(kind):
    """Near the field as MuJoCo, which looks at fifty columns; and never more than any other answer."""
    (ref, own), rng, near, apart = hills(kind), np.random.default_rng(1), 0, 0
    for _ in range(60):
        turn = rng.normal(size=4)
        qpos = [*rng.uniform(-.3, .3, 2), rng.uniform(.2, .5), *(turn / np.linalg.norm(turn))]
        for world in (ref, own):
            world.d.qpos[:] = qpos
            world.engine.mj_forward(world.m, world.d)
        (theirs, _), (dist, segment), (back, reversed_segment) = ref.distance(0, 3, .06), own.distance(0, 3, .06), own.distance(3, 0, .06)
        assert back == dist and (np.roll(reversed_segment, 3) == segment).all()
        if dist < .06:
            assert abs(np.linalg.norm(segment[3:] - segment[:3]) - abs(dist)) < 1e-9
        if theirs > 0:
            apart += theirs < .06
            assert abs(dist - theirs) < 2e-6
            far, _ = own.distance(0, 3, 10.0)
            assert far >= .06 - 1e-6 if dist == .06 else abs(far - dist) < 2e-6
        else:
            near += 1
            assert ref.d.ncon and abs(dist - ref.d.contact.dist.min()) < 2e-6
    assert near > 5 and apart > 5


def test_height_fields_and_planes():
    _, own = hills("sphere")
    for other in (1, 2):
        dist, segment = own.distance(0, other)
        assert dist == FAR and not segment.any()
