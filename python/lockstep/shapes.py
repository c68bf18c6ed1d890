"""Shapes at given poses, without a model: contacts, distances, rays, boxes and trees of boxes.

A pose is a point (3 numbers), a point and a quaternion (7 numbers), or the pair of both.
"""

from typing import NamedTuple

import numpy as np

from lockstep import _core
from lockstep.enums import mjtGeom

__all__ = ["BoxTree", "Contacts", "Distance", "Hits", "Shape", "TriangleHit", "aabb", "contacts", "distance", "ray"]


class Contacts(NamedTuple):
    """Contacts of two shapes, a row each."""

    dist: np.ndarray  #: between the surfaces, negative inside
    pos: np.ndarray  #: halfway between them
    frame: np.ndarray  #: (n, 3, 3): rows are the normal from the first shape to the second and two tangents

    @property
    def normal(self):
        return self.frame[:, 0]


class Distance(NamedTuple):
    """Signed distance of two shapes; where they are not nearer than asked for, the vectors are zero."""

    dist: float
    normal: np.ndarray  #: from the first shape to the second
    point1: np.ndarray  #: of the first shape
    point2: np.ndarray  #: of the second


class Hits(NamedTuple):
    """Where rays meet a shape first: distances in units of their directions, -1 where they miss it."""

    dist: np.ndarray
    normal: np.ndarray


class TriangleHit(NamedTuple):
    """The first triangle that a ray meets; -1 where there is none."""

    face: int
    dist: float
    normal: np.ndarray


def _numbers(pose):
    if isinstance(pose, (tuple, list)) and len(pose) == 2:
        pose = np.concatenate([np.ravel(part) for part in pose])
    pose = np.asarray(pose, dtype=float).ravel()
    if pose.size == 3:
        pose = np.append(pose, (1, 0, 0, 0))
    if pose.size != 7:
        raise ValueError("a pose has a point of 3 numbers and may have a quaternion of 4")
    return pose


class Shape:
    """A shape that does not change. Make one by the functions below; sizes are those of MJCF."""

    def __init__(self, kind, size=(), *, vertices=(), faces=(), elevation=None, field=(0, 0, 0, 0)):
        sizes = np.zeros(3)
        sizes[: len(size)] = size
        grid = np.zeros((0, 0), np.float32) if elevation is None else np.asarray(elevation, np.float32)
        self._shape = _core._make_shape(
            int(getattr(mjtGeom, f"mjGEOM_{kind.upper()}")), sizes, np.asarray(vertices, np.float32).ravel(),
            np.asarray(faces, np.int32).ravel(), grid, np.asarray(field, float))

    @property
    def kind(self):
        """The type of geom, as in MJCF."""
        return self._shape.type

    def __repr__(self):
        return f"Shape({self.kind!r})"

    @classmethod
    def plane(cls):
        """The plane z = 0; what is below is inside."""
        return cls("plane", (0, 0, 1))

    @classmethod
    def sphere(cls, radius):
        return cls("sphere", (radius,))

    @classmethod
    def capsule(cls, radius, half_length):
        """Along z."""
        return cls("capsule", (radius, half_length))

    @classmethod
    def ellipsoid(cls, radii):
        return cls("ellipsoid", radii)

    @classmethod
    def cylinder(cls, radius, half_length):
        """Along z."""
        return cls("cylinder", (radius, half_length))

    @classmethod
    def box(cls, half_sizes):
        return cls("box", half_sizes)

    @classmethod
    def mesh(cls, vertices, faces=()):
        """Its hull touches other shapes; rays meet its triangles, those of the hull if none are given."""
        return cls("mesh", vertices=vertices, faces=faces)

    @classmethod
    def hfield(cls, elevation, size):
        """Elevations row by row, scaled to 0 … 1; size: half sizes along x and y, height, depth below."""
        return cls("hfield", elevation=elevation, field=size)


def contacts(a, pose_a, b, pose_b, margin=0.0):
    """Contacts nearer than the margin."""
    dist, pos, frame = _core._shape_contacts(a._shape, _numbers(pose_a), b._shape, _numbers(pose_b), margin)
    return Contacts(dist[:, 0], pos, frame.reshape(-1, 3, 3))


def distance(a, pose_a, b, pose_b, most=1e10):
    """Signed distance, at most `most`."""
    dist, *vectors = _core._shape_distance(a._shape, _numbers(pose_a), b._shape, _numbers(pose_b), most)
    return Distance(dist, *map(np.array, vectors))


def ray(shape, pose, pnt, vec):
    """One ray (3 numbers) or many (n x 3); a single point or direction serves all."""
    points, ways = np.broadcast_arrays(np.asarray(pnt, float), np.asarray(vec, float))
    dist, normal = _core._shape_rays(shape._shape, _numbers(pose), np.ascontiguousarray(np.atleast_2d(points)),
                                     np.ascontiguousarray(np.atleast_2d(ways)))
    return Hits(float(dist[0, 0]), normal[0]) if points.ndim == 1 else Hits(dist[:, 0], normal)


def aabb(shape, pose):
    """Corners of the smallest box around a shape that is parallel to the axes; infinite for planes."""
    return tuple(map(np.array, _core._shape_box(shape._shape, _numbers(pose))))


class BoxTree:
    """A tree over boxes, by their lower and upper corners (n x 3). It does not follow what moves."""

    def __init__(self, low, high):
        self._tree = _core._tree_of_boxes(np.asarray(low, float).reshape(-1, 3), np.asarray(high, float).reshape(-1, 3))

    @classmethod
    def of_shapes(cls, shapes, poses):
        """Over the boxes of shapes at poses."""
        boxes = [aabb(shape, pose) for shape, pose in zip(shapes, poses, strict=True)]
        return cls([low for low, _ in boxes], [high for _, high in boxes])

    @classmethod
    def of_triangles(cls, vertices, faces):
        """Over triangles, by their vertices (n x 3) and three numbers of vertices each."""
        tree = cls.__new__(cls)
        tree._tree = _core._tree_of_triangles(np.asarray(vertices, float), np.asarray(faces, np.int32))
        return tree

    def __len__(self):
        return len(self._tree)

    def overlap(self, low, high=None):
        """Elements whose boxes meet a box, by its corners; or pairs with the elements of another tree."""
        if isinstance(low, BoxTree):
            return np.array(self._tree.overlap_tree(low._tree), int).reshape(-1, 2)
        return np.array(self._tree.overlap_box(np.asarray(low, float), np.asarray(high, float)), int)

    def ray(self, pnt, vec, most=np.inf):
        """Elements whose boxes a ray passes within a distance."""
        return np.array(self._tree.ray(np.asarray(pnt, float), np.asarray(vec, float), most), int)

    def first_triangle(self, pnt, vec):
        """The first triangle that a ray meets."""
        face, dist, normal = self._tree.first_triangle(np.asarray(pnt, float), np.asarray(vec, float))
        return TriangleHit(face, dist, np.array(normal))
