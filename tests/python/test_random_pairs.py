"""Random pairs of all types of shapes: what contacts and distances claim holds, whichever way they were searched.

Contacts come from closed forms, the search for convex shapes or columns of height fields; distances from a search of
their own. A direction n bounds the signed distance of two convex shapes from below by the gap along it, which is known
from how far each shape reaches: that is the reference, independent of all of them. ``LOCKSTEP_PAIRS=100000 pytest -s``
runs what docs/parity.md tells.
"""
import itertools
import os
import time

import numpy as np
import pytest
from lockstep import shapes

PAIRS = int(os.environ.get("LOCKSTEP_PAIRS", "500"))
EACH = 5  # shapes of each type
MARGIN = 0.1
SMOOTH = ("plane", "sphere", "capsule", "ellipsoid")
KINDS = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
CLOSED = {("plane", kind) for kind in SMOOTH} | {
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule")}
# Other contacts are MuJoCo's: its search ends after `ccd_iterations` rounds, with a depth that is too small deep in round
# shapes, and sides that meet have several contacts along one normal.


def make(kind, rng):
    """A shape, and how far it reaches along a direction in its own frame; None where it is not convex."""
    size = rng.uniform(0.1, 0.5, 3)
    match kind:
        case "plane": return shapes.Shape.plane(), None
        case "hfield": return shapes.Shape.hfield(rng.uniform(size=(4, 5)), (1, 1, 0.4, 0.2)), None
        case "sphere": return shapes.Shape.sphere(size[0]), lambda n: size[0]
        case "capsule": return shapes.Shape.capsule(*size[:2]), lambda n: size[0] + size[1] * abs(n[2])
        case "ellipsoid": return shapes.Shape.ellipsoid(size), lambda n: np.linalg.norm(size * n)
        case "cylinder":
            return shapes.Shape.cylinder(*size[:2]), lambda n: size[0] * np.hypot(n[0], n[1]) + size[1] * abs(n[2])
        case "box": return shapes.Shape.box(size), lambda n: size @ abs(n)
    points = (rng.normal(size=(12, 3)) * size / 2).astype(np.float32).astype(float)
    return shapes.Shape.mesh(points), lambda n: (points @ n).max()


def rotation(quat):
    w, x, y, z = quat
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def reach(shape, pose, n):
    mat = rotation(pose[3:])
    if shape[1] is None:  # a plane: only its own normal bounds it
        return n @ pose[:3] if n @ mat[:, 2] > 1 - 1e-9 else np.inf
    return n @ pose[:3] + shape[1](mat.T @ n)


def gap(a, pose_a, b, pose_b, n):
    """How far b is beyond a along n: at most their distance."""
    return -reach(b, pose_b, -n) - reach(a, pose_a, n)


class Worst(dict):
    def note(self, name, size):
        self[name] = max(self.get(name, 0.0), size)


@pytest.mark.parametrize("kind_a, kind_b", [
    pair for pair in itertools.combinations_with_replacement(KINDS, 2) if pair[1] not in ("plane", "hfield")])
def test_claims_hold(kind_a, kind_b):
    rng = np.random.default_rng(KINDS.index(kind_a) * 10 + KINDS.index(kind_b))
    some_a, some_b = ([make(kind, rng) for _ in range(EACH)] for kind in (kind_a, kind_b))
    smooth, closed = kind_a in SMOOTH and kind_b in SMOOTH, (kind_a, kind_b) in CLOSED
    worst, touching, uneven, shallow, inexact = Worst(), 0, 0, 0, 0
    for _ in range(PAIRS):
        a, b = some_a[rng.integers(EACH)], some_b[rng.integers(EACH)]
        quats = rng.normal(size=(2, 4))
        quats /= np.linalg.norm(quats, axis=1, keepdims=True)
        pose_a, pose_b = np.append(rng.uniform(-0.4, 0.4, 3), quats[0]), np.append(rng.uniform(-0.4, 0.4, 3), quats[1])
        start = time.perf_counter()
        found = shapes.contacts(a[0], pose_a, b[0], pose_b, MARGIN)
        swapped = shapes.contacts(b[0], pose_b, a[0], pose_a, MARGIN)
        exact = shapes.distance(a[0], pose_a, b[0], pose_b)
        worst.note("seconds", (time.perf_counter() - start) / 3)
        # numbers
        for part in (*found, *swapped, exact.dist, exact.normal, exact.point1, exact.point2):
            assert np.isfinite(part).all()
        normals = found.normal
        assert abs((normals * normals).sum(axis=1) - 1).max(initial=0) < 1e-9
        # separation: a plane lies between shapes without contact
        deepest = found.dist.min(initial=MARGIN)
        if not len(found.dist):
            worst.note("unseen", MARGIN - exact.dist)
            assert exact.dist > -1e-6  # what overlaps has contacts
        else:
            touching += 1
            worst.note("imagined", exact.dist - MARGIN)
        # symmetry
        other = swapped.dist.min(initial=MARGIN)
        worst.note("asymmetry", abs(other - deepest))
        uneven += abs(other - deepest) > 1e-6
        if kind_a == "hfield":
            continue
        # distances against the reference: n bounds it from below, the points from above
        error = abs(gap(a, pose_a, b, pose_b, exact.normal) - exact.dist)
        worst.note("distance", error)
        inexact += error > 1e-6
        if len(found.dist):
            worst.note("depth", abs(deepest - exact.dist))
            shallow += abs(deepest - exact.dist) > 1e-6
            if smooth:
                worst.note("excess", exact.dist - deepest)
    print(f"\n{kind_a:9} {kind_b:9} {PAIRS} pairs, {touching} touch; " +
          ", ".join(f"{name} {size:.1e}" for name, size in sorted(worst.items())) + f", uneven {uneven}, "
          f"shallow {shallow}, inexact {inexact}")
    assert touching > PAIRS / 10
    if (kind_a, kind_b) != ("box", "box"):  # whose closed form is MuJoCo's: in one pair of a thousand it errs on the margin
        assert worst.get("unseen", 0) < 1e-6 and worst["imagined"] < 1e-6
    assert worst.get("distance", 0) < 1e-5 and inexact <= 1 + 1e-4 * PAIRS
    assert worst.get("excess", 0) < 1e-6 and uneven <= 0.1 * touching
    if closed:
        assert worst["depth"] < 1e-6 and uneven == 0
