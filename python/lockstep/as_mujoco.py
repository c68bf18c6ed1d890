"""Lets programs that say ``import mujoco`` run on lockstep.

In a program:     ``import lockstep; lockstep.as_mujoco()`` before the first ``import mujoco``.
From the shell:   ``python -m lockstep.as_mujoco (script.py | -m module) [arguments]``.
"""

import pathlib
import runpy
import sys
import types

from lockstep._alias import as_mujoco


class _Callable(types.ModuleType):
    """``lockstep.as_mujoco`` names this module and the function; calling either does the same."""

    def __call__(self):
        as_mujoco()


def main(arguments):
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if not arguments or arguments == ["-m"]:
        print(__doc__, file=sys.stderr)
        return 2
    as_mujoco()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, "")
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path.insert(0, str(pathlib.Path(arguments[0]).resolve().parent))
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
sys.modules[__name__].__class__ = _Callable
