"""Other people's programs with lockstep in MuJoCo's place."""

import os
import pathlib
import subprocess
import sys

import pytest

import lockstep

PACKAGE = str(pathlib.Path(lockstep.__file__).resolve().parents[1])
SCRIPT = """
import sys
import mujoco
import mujoco._structs
from mujoco import MjModel
import lockstep
assert mujoco is lockstep and mujoco.__spec__.name == "lockstep"
assert sys.argv[1:] == ["a", "b"], sys.argv
try:
    import mujoco.no_such_part
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("how", ["script", "module"])
def test_as_mujoco(tmp_path, how):
    (tmp_path / "program.py").write_text(SCRIPT)
    target = [str(tmp_path / "program.py")] if how == "script" else ["-m", "program"]
    run = subprocess.run(
        [sys.executable, "-m", "lockstep.as_mujoco", *target, "a", "b"],
        cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": PACKAGE},
    )
    assert run.returncode == 0, run.stderr
    assert "mujoco.no_such_part" in run.stdout


def test_as_mujoco_in_a_program():
    code = "import lockstep; lockstep.as_mujoco(); import mujoco; assert mujoco is lockstep"
    subprocess.run([sys.executable, "-c", code], check=True)
