"""Functions of MuJoCo's API that print, log and draw random numbers."""

import os
import random
import time
import xml.etree.ElementTree as ElementTree

import numpy as np

from lockstep import _core

__all__ = [
    "mju_getXMLDependencies",
    "mju_printMat",
    "mju_printMatSparse",
    "mju_standardNormal",
    "mju_warningText",
    "mju_writeLog",
]

_BAD = "{} has a number that is not finite or huge, at {} {}: the simulation is unstable."
_WARNINGS = {
    "mjWARN_INERTIA": "The inertia matrix is almost singular at dof {}.",
    "mjWARN_CONTACTFULL": "There is no room for more than {} contacts.",
    "mjWARN_CNSTRFULL": "There is no room for more constraint rows; {} bytes were asked for.",
    "mjWARN_BADQPOS": _BAD.format("QPOS", "dof", "{}"),
    "mjWARN_BADQVEL": _BAD.format("QVEL", "dof", "{}"),
    "mjWARN_BADQACC": _BAD.format("QACC", "dof", "{}"),
    "mjWARN_BADCTRL": _BAD.format("CTRL", "actuator", "{}"),
    "mjWARN_UNCONVERGED": "The solver cgstrict did not converge within {} iterations: the state was left as it was.",
    "mjWARN_FALLBACK": "The solver CG broke down: PGS solved the constraints instead, in at most {} iterations.",
}


def mju_warningText(warning, info):
    """What a warning (mjtWarning) says."""
    names = {number: name for name, number in _core.enum_table["mjtWarning"].items()}
    text = _WARNINGS.get(names.get(int(warning)))
    return text.format(info) if text else f"Unknown warning type {int(warning)}."


def mju_writeLog(type, msg):
    """Adds a line to MUJOCO_LOG.TXT in the working directory."""
    with open("MUJOCO_LOG.TXT", "a", encoding="utf-8") as file:
        file.write(f"{time.asctime()}\n{type}: {msg}\n\n")


def mju_printMat(mat):
    """Prints a matrix."""
    for row in np.atleast_2d(np.asarray(mat, float)):
        print("".join(f"{x:.8f} " for x in row))
    print()


def mju_printMatSparse(mat, rownnz, rowadr, colind):
    """Prints a sparse matrix, entries with their places."""
    for row, (start, count) in enumerate(zip(rowadr, rownnz)):
        print("".join(f"({row} {colind[i]}):  {mat[i]:.6f}  " for i in range(start, start + count)))
    print()


def mju_standardNormal(num2=None):
    """A random number of the standard normal distribution."""
    return random.gauss(0.0, 1.0)


# attributes that name files, by element, and the compiler attribute with their folder
_FILES = {
    "mesh": (("file",), "meshdir"),
    "hfield": (("file",), "assetdir"),
    "skin": (("file",), "meshdir"),
    "flexcomp": (("file",), "meshdir"),
    "model": (("file",), None),
    "texture": (
        ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"),
        "texturedir",
    ),
}


def _own_files(path, found, folders):
    """Adds the files that one MJCF file names; included files see the folders set before them."""
    if path in found:
        return
    found.append(path)
    if not path.lower().endswith(".xml"):
        return
    here = os.path.dirname(path)
    root = ElementTree.parse(path).getroot()
    for compiler in root.iter("compiler"):
        for name in ("assetdir", "meshdir", "texturedir"):
            if name in compiler.attrib:
                folders[name] = compiler.attrib[name]
                if name == "assetdir":
                    folders.setdefault("meshdir", folders[name])
                    folders.setdefault("texturedir", folders[name])
    for element in root.iter():
        if element.tag == "include" and "file" in element.attrib:
            _own_files(os.path.join(here, element.attrib["file"]), found, folders)
            continue
        attributes, folder = _FILES.get(element.tag, ((), None))
        for attribute in attributes:
            if attribute in element.attrib:
                name = os.path.join(here, folders.get(folder, ""), element.attrib[attribute])
                if element.tag == "model":
                    _own_files(name, found, {})
                elif name not in found:
                    found.append(name)


def mju_getXMLDependencies(filename):
    """All files that an MJCF file needs, itself first."""
    found = []
    _own_files(os.fspath(filename), found, {})
    return found
