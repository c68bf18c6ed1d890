"""The program `lockstep`: check, info, convert."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import lockstep

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = next(
    (str(path) for path in (
        pathlib.Path(os.environ.get("LOCKSTEP_PROGRAM", "/nonexistent")),
        pathlib.Path(sys.executable).parent / "lockstep",
        ROOT / "build" / "cli" / "lockstep",
    ) if path.exists()),
    shutil.which("lockstep"),
)

GOOD = """<mujoco model="small">
  <worldbody>
    <body name="pole"><joint name="hinge" axis="0 1 0"/><geom name="rod" size=".1" mass="2"/></body>
  </worldbody>
</mujoco>
"""
WRONG = """<mujoco>
  <worldbody>
    <body>
      <goem size="1"/>
      <geom size="one"/>
    </body>
  </worldbody>
</mujoco>
"""


def run(*arguments, code=0):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert result.returncode == code, result.stderr
    return result


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.xml"
    path.write_text(GOOD)
    return path


@pytest.fixture
def wrong(tmp_path):
    path = tmp_path / "wrong.xml"
    path.write_text(WRONG)
    return path


def test_help_teaches():
    assert "Examples:" in run("--help").stdout
    for command in ("check", "info", "convert"):
        assert f"lockstep {command} " in run(command, "--help").stdout


def test_check_good(good):
    result = run("check", good)
    assert result.stderr == ""
    assert f"{good}: ok" in result.stdout and "bodies" in result.stdout and "2 kg" in result.stdout


def test_check_wrong(wrong):
    result = run("check", wrong, code=1)
    assert f"{wrong}:4: error" in result.stderr and "did you mean 'geom'" in result.stderr
    assert "^" in result.stderr and '<goem size="1"/>' in result.stderr
    assert "error" in result.stdout


def test_check_json(good, wrong):
    report = json.loads(run("check", good, wrong, "--json", code=1).stdout)
    assert [entry["ok"] for entry in report] == [True, False]
    assert report[0]["sizes"]["nbody"] == 2
    first = report[1]["diagnostics"][0]
    assert (first["line"], first["severity"], first["suggestion"]) == (4, "error", "geom")


def test_check_missing_file(tmp_path):
    assert "none.xml" in run("check", tmp_path / "none.xml", code=1).stderr


def test_info(good):
    text = run("info", good).stdout
    assert "small" in text and "pole" in text and "hinge hinge" in text and "body_mass" in text
    report = json.loads(run("info", good, "--json").stdout)
    assert report["bodies"][1]["joints"] == [{"id": 0, "name": "hinge", "type": "hinge"}]
    assert report["memory"]["body_mass"] == 16


def test_convert(good, tmp_path):
    binary, text = tmp_path / "out.mjb", tmp_path / "out.xml"
    run("convert", good, binary)
    run("convert", good, text)
    expected = lockstep.MjModel.from_xml_path(str(good))
    for model in (lockstep.MjModel.from_binary_path(str(binary)), lockstep.MjModel.from_xml_path(str(text))):
        assert model.names == expected.names
        assert model.body_inertia.tolist() == expected.body_inertia.tolist()
    assert "bodies" in run("check", binary).stdout


def test_convert_errors(good, tmp_path):
    binary = tmp_path / "out.lsb"
    run("convert", good, binary)
    assert "MJCF" in run("convert", binary, tmp_path / "out.xml", code=1).stderr
    assert ".xml" in run("convert", good, tmp_path / "out.txt", code=1).stderr
    assert "written" in run("convert", good, tmp_path / "no" / "out.xml", code=1).stderr
    binary.write_bytes(b"LOCKSTEP" + bytes(100))
    assert "binary model" in run("info", binary, code=1).stderr


def test_usage_errors():
    for arguments in ([], ["explode"], ["check"], ["info", "--no-such-option", "x.xml"]):
        assert "--help" in run(*arguments, code=2).stderr
