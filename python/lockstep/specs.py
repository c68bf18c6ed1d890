"""What MjSpec gets from Python: archives, and binding elements to models."""

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


def _to_zip(spec, file):
    """Writes a spec and its assets to an archive, given by path or as a binary file object."""
    members = {**spec.assets, f"{spec.modelname}.xml": spec.to_xml()}
    if isinstance(file, (str, os.PathLike)):
        os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)


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
_core.MjSpec.to_zip = _to_zip
_core.MjSpec.from_zip = staticmethod(_from_zip)
