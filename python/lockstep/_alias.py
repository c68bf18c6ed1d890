"""Lockstep under MuJoCo's name: what ``lockstep.as_mujoco()`` does."""

import importlib
import importlib.abc
import importlib.util
import sys

# parts of MuJoCo's package by what they hold; all live in lockstep itself
_ALIASES = ("_structs", "_functions", "_enums", "_constants", "_errors", "_specs", "_callbacks", "_render")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers ``import mujoco.x`` with ``lockstep.x``, and never with MuJoCo's own files."""

    def __init__(self):
        self._own_specs = {}

    def find_spec(self, name, path=None, target=None):
        if name == "mujoco" or name.startswith("mujoco."):
            return importlib.util.spec_from_loader(name, self, is_package=True)
        return None

    def create_module(self, spec):
        part = spec.name.partition(".")[2]
        try:
            module = importlib.import_module("lockstep" if not part or part in _ALIASES else f"lockstep.{part}")
        except ModuleNotFoundError as error:
            if error.name and error.name.startswith("lockstep"):
                message = f"No module named '{spec.name}' (lockstep has no part of that name)"
                raise ModuleNotFoundError(message, name=spec.name) from None
            raise
        self._own_specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module):
        # the module is complete already; it gets back the spec that the import system has replaced
        module.__spec__ = self._own_specs[module.__spec__.name]


def as_mujoco():
    """Puts lockstep in mujoco's place for every later import."""
    import lockstep

    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    for name in [name for name in sys.modules if name == "mujoco" or name.startswith("mujoco.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Finder())
    sys.modules["mujoco"] = lockstep
    for alias in _ALIASES:
        sys.modules[f"mujoco.{alias}"] = lockstep
        if not hasattr(lockstep, alias):
            setattr(lockstep, alias, lockstep)
    for name, module in list(sys.modules.items()):
        if name.startswith("lockstep."):
            sys.modules.setdefault("mujoco." + name.partition(".")[2], module)
