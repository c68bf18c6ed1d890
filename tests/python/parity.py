"""Comparison of a compiled Model with MuJoCo's, field by field. Used by the parity, probe and round-trip tests."""
import dataclasses
import fnmatch
import functools
import importlib.util
import operator
import os
import pathlib

import mujoco
import numpy as np
from mujoco.introspect import ast_nodes, structs

# Not compared, and why. Everything else is.
NOT_COMPARED = {
    'nbuffer': 'size of MuJoCo\'s own memory block',
    'narena': 'size of MuJoCo\'s own arena',
    'buffer': 'address of MuJoCo\'s own memory block',
    'signature': 'a hash of MuJoCo\'s own spec objects',
    'vis.rgba.bv': 'MuJoCo\'s Python module shows an empty array',
    'vis.rgba.bvactive': 'MuJoCo\'s Python module shows an empty array',
}
TOLERANCE = 1e-12
MESH_TOLERANCE = 1e-9
# results of solves and simulation, which rounding alone moves beyond 1e-12
SOLVED = ('*invweight0', 'actuator_lengthrange')
# with meshes: what follows from volume integrals and hulls
MESH_DERIVED = ('mesh_*', 'body_ipos', 'body_iquat', 'body_mass', 'body_subtreemass', 'body_inertia', 'dof_M0',
                'dof_length', 'geom_pos', 'geom_quat', 'geom_size', 'geom_aabb', 'geom_rbound', 'stat.*', 'cam_pos*0',
                'cam_mat0', 'light_*0', 'tendon_length*', 'actuator_length0', 'actuator_acc0', 'eq_data', 'bvh_aabb',
                'oct_*', 'key_*')
SCALE = float(os.environ.get('LOCKSTEP_TOLERANCE_SCALE', '1'))  # 0 shows the true residuals


def _names(struct, prefix=''):
    for field in struct.fields:
        nested = field.type if isinstance(field.type, ast_nodes.AnonymousStructDecl) else \
            structs.STRUCTS.get(getattr(field.type, 'name', None))
        if nested:
            yield from _names(nested, f'{prefix}{field.name}{"_" if field.name == "global" else ""}.')
        else:
            yield prefix + field.name


FIELDS = [name for name in _names(structs.STRUCTS['mjModel']) if name not in NOT_COMPARED]


# asked for every field of every model, as is what follows
getter = functools.cache(operator.attrgetter)


@functools.cache
def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def identical(a, b):
    """Whether two values are the same to the last bit. Most are, and this is the quickest way to know."""
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return type(a) is type(b) and a == b


def array(value):
    return np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)


def deviation(own, ref):
    """Largest difference relative to max(1, |ref|); infinite where shapes, integers or names differ."""
    if own.shape != ref.shape or own.dtype != ref.dtype:
        return np.inf
    if ref.dtype.kind != 'f':
        return 0.0 if np.array_equal(own, ref) else np.inf
    if np.array_equal(own, ref, equal_nan=True):
        return 0.0
    a, b = own.astype(float), ref.astype(float)
    if not np.array_equal(np.isnan(a), np.isnan(b)):
        return np.inf
    gap = np.abs(a - b)
    if ref.dtype == np.float32:
        gap = np.maximum(0, gap - np.spacing(np.abs(ref)))
    return float(np.nanmax(gap / np.maximum(1, np.abs(b)), initial=0))


@dataclasses.dataclass
class Comparison:
    compared: int
    deviations: dict  # field: size of the deviation

    def __str__(self):
        return ', '.join(f'{name} {size:.1e}' for name, size in self.deviations.items())


def by_row(own, ref):
    """Deviation relative to the largest number of each row: planes bound bodies by 1e10, which swallows digits."""
    scale = np.maximum(1, np.abs(ref).max(axis=1, keepdims=True)) if ref.size else 1
    return deviation(own / scale, ref / scale) if own.shape == ref.shape else np.inf


def compare(own, ref, fields=FIELDS, loose=1.0):
    """Deviations of a lockstep model from MuJoCo's."""
    deviations = {}
    for name in fields:
        own_value, ref_value = getter(name)(own), getter(name)(ref)
        if identical(own_value, ref_value):
            continue
        solved = matches(name, SOLVED) or ref.nmesh and matches(name, MESH_DERIVED)
        tolerance = SCALE * loose * (MESH_TOLERANCE if solved else TOLERANCE)
        size = (by_row if name == 'bvh_aabb' else deviation)(array(own_value), array(ref_value))
        if size > tolerance:
            deviations[name] = size
    return Comparison(len(fields), deviations)


def package_models():
    """Model files inside the gymnasium and dm_control packages."""
    for package in ('gymnasium', 'dm_control'):
        folder = pathlib.Path(importlib.util.find_spec(package).origin).parent
        yield from sorted(folder.rglob('*.xml'))


def own_models():
    return sorted((pathlib.Path(__file__).parents[2] / 'models').rglob('*.xml'))


def label(path):
    """A short name: the path below the package or the repository."""
    parts = pathlib.Path(path).parts
    start = next((i for i, part in enumerate(parts) if part in ('gymnasium', 'dm_control', 'models')), 0)
    return '/'.join(parts[start:])


def load_reference(path):
    """MuJoCo's model, or None where it refuses the file."""
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None
