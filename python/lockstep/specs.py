"""What MjSpec gets from Python: archives, and binding elements to models."""

import io
import os
import typing
import zipfile
from collections.abc import Sequence

from lockstep import _core

__all__ = ["MjStruct"]

# access by element: the method of MjModel that gives the view of an id
_VIEWS = {
    _core.MjsBody: "body",
    _core.MjsGeom: "geom",
    _core.MjsJoint: "joint",
    _core.MjsLight: "light",
    _core.MjsMaterial: "material",
    _core.MjsSite: "site",
    _core.MjsMesh: "mesh",
    _core.MjsSkin: "skin",
    _core.MjsTexture: "texture",
    _core.MjsText: "text",
    _core.MjsTuple: "tuple",
    _core.MjsCamera: "camera",
    _core.MjsFlex: "flex",
    _core.MjsHField: "hfield",
    _core.MjsKey: "key",
    _core.MjsNumeric: "numeric",
    _core.MjsPair: "pair",
    _core.MjsExclude: "exclude",
    _core.MjsEquality: "equality",
    _core.MjsTendon: "tendon",
    _core.MjsSensor: "sensor",
    _core.MjsActuator: "actuator",
}
MjStruct = typing.Union[tuple(_VIEWS) + (_core.MjsFrame, _core.MjsPlugin)]


def _bind_scalar(model, element):
    """The view of the object that an element of a spec was compiled to."""
    if type(element) not in _VIEWS:
        raise TypeError(f"{type(element).__name__} has no view in a model")
    if element.signature != model.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    if element.id < 0:
        raise IndexError(f"Invalid index {element.id}")
    return getattr(model, _VIEWS[type(element)])(element.id)


# the same for MjData
_DATA_VIEWS = {
    kind: name
    for kind, name in _VIEWS.items()
    if name in ("body", "geom", "joint", "light", "site", "camera", "tendon", "sensor", "actuator")
}


def _bind_data_scalar(data, element):
    """What MjData says about the object that an element of a spec was compiled to."""
    if type(element) not in _DATA_VIEWS:
        raise TypeError(f"{type(element).__name__} has no view in data")
    if element.signature != data.signature:
        raise ValueError("The mjSpec does not match mjData. Please recompile the mjSpec.")
    return getattr(data, _DATA_VIEWS[type(element)])(element.id)


class _Bound:
    """Several views as one: attributes are lists over all of them."""

    def __init__(self, views):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name):
        values = []
        for view in self._views:
            value = getattr(view, name)
            if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
                values.append(value)
            else:
                values.extend(value)
        return values

    def __setattr__(self, name, value):
        values = list(value) if hasattr(value, "__iter__") else None
        if values is None or len(values) != len(self._views):
            raise ValueError(f"{name}: expected {len(self._views)} values, one per element")
        for view, item in zip(self._views, values):
            setattr(view, name, item)


def _bind(model, specs):
    """Access to a model by elements of the spec it was compiled from: one, or a sequence."""
    if isinstance(specs, Sequence):
        return _Bound([_bind_scalar(model, element) for element in specs])
    return _bind_scalar(model, specs)


def _bind_data(data, specs):
    """Access to data by elements of the spec that its model was compiled from."""
    if isinstance(specs, Sequence):
        return _Bound([_bind_data_scalar(data, element) for element in specs])
    return _bind_data_scalar(data, specs)


def _state_slices(elements, model):
    """Where each element, by its identity, has its numbers in the state of a model."""
    slices = {}
    for element in elements:
        row = element.id
        if row < 0:
            continue
        if isinstance(element, _core.MjsJoint):
            width, dofs = {0: (7, 6), 1: (4, 3)}.get(int(model.jnt_type[row]), (1, 1))
            slices[element] = {
                "qpos": (model.jnt_qposadr[row], width),
                "qvel": (model.jnt_dofadr[row], dofs),
                "qacc_warmstart": (model.jnt_dofadr[row], dofs),
            }
        elif isinstance(element, _core.MjsActuator):
            slices[element] = {
                "ctrl": (model.actuator_ctrladr[row], model.actuator_ctrlnum[row]),
                "act": (model.actuator_actadr[row], model.actuator_actnum[row]),
            }
        elif model.body_mocapid[row] >= 0:
            mocap = model.body_mocapid[row]
            slices[element] = {"mocap_pos": (mocap, 1), "mocap_quat": (mocap, 1)}
    return slices


def _recompile(spec, m, d, vfs=None):
    """A new model and data; what is still there keeps its state."""
    elements = spec.joints + spec.actuators + spec.bodies
    before = _state_slices(elements, m)
    model = spec.compile(vfs=vfs)
    data = _core.MjData(model)
    data.time = d.time
    for element, slices in _state_slices(elements, model).items():
        for field, (start, count) in slices.items():
            old_start, old_count = before.get(element, {}).get(field, (0, 0))
            if count == old_count and start >= 0:
                getattr(data, field)[start : start + count] = getattr(d, field)[old_start : old_start + count]
    return model, data


def _encode(spec, filename, model=None, content_type=None):
    """Writes a spec or its model in the format that the extension or content type names."""
    kind = content_type or os.path.splitext(filename)[1].lower()
    if kind in (".xml", "text/xml"):
        content = spec.to_xml().encode()
    elif kind in (".mjz", ".zip", "application/zip"):
        buffer = io.BytesIO()
        _write_zip(buffer, {**spec.assets, "model.xml": spec.to_xml()})
        content = buffer.getvalue()
    elif kind == ".mjb":
        if model is None:
            raise _core.FatalError("a binary file is made from a model")
        _core.mj_saveModel(model, filename, None)
        return os.path.getsize(filename)
    else:
        raise _core.FatalError(f"nothing can write '{kind}' files")
    with open(filename, "wb") as file:
        file.write(content)
    return len(content)


def _write_zip(file, members):
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)


def _to_zip(spec, file):
    """Writes a spec and its assets to an archive, given by path or as a binary file object."""
    members = {**spec.assets, f"{spec.modelname}.xml": spec.to_xml()}
    if isinstance(file, (str, os.PathLike)):
        os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
    _write_zip(file, members)


def _from_zip(file):
    """Reads a spec and its assets from an archive, given by path or as a binary file object."""
    if not zipfile.is_zipfile(file):
        raise ValueError(f"File {file} is not a zip file.")
    with zipfile.ZipFile(file) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
    models = [name for name in members if name.endswith(".xml")]
    if not models:
        raise ValueError("No XML file found in zip file.")
    model = models[-1]
    root = os.path.dirname(model)
    assets = {os.path.relpath(name, root): content for name, content in members.items() if name not in models}
    return _core.MjSpec.from_string(members[model], assets=assets)


_core.MjModel.bind_scalar = _bind_scalar
_core.MjModel.bind = _bind
_core.MjData.bind_scalar = _bind_data_scalar
_core.MjData.bind = _bind_data
_core.MjSpec.recompile = _recompile
_core.MjSpec.encode = _encode
_core.MjSpec.to_zip = _to_zip
_core.MjSpec.from_zip = staticmethod(_from_zip)
setattr(_core.MjVisual, "global", _core.MjVisual.global_)
