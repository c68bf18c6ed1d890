"""The program `lockstep`: check, info, convert, run, compare, bench."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
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
    for command in ("check", "info", "convert", "run", "compare", "bench"):
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


def test_convert_for_mujoco(good, tmp_path):
    """What MuJoCo could not read is named and not written; gears expand into what it knows."""
    joints = GOOD.replace("</worldbody>", '<body><joint name="other"/><geom name="ball" size=".1"/></body></worldbody>')
    own, known, out = tmp_path / "own.xml", tmp_path / "known.xml", tmp_path / "out.xml"
    own.write_text(joints.replace("</mujoco>", '<equality><distance name="d" geom1="rod" geom2="ball"/></equality></mujoco>'))
    known.write_text(joints.replace("</mujoco>", '<equality><gear joint1="hinge" joint2="other"/></equality></mujoco>'))
    message = run("convert", own, out, "--for-mujoco", code=1).stderr
    assert "distance 'd'" in message and "own.xml" in message and not out.exists()
    strict = tmp_path / "strict.xml"
    strict.write_text(GOOD.replace("<worldbody>", '<option solver="cgstrict"/><worldbody>'))
    assert 'solver="cgstrict"' in run("convert", strict, out, "--for-mujoco", code=1).stderr and not out.exists()
    run("convert", strict, out)
    assert 'solver="cgstrict"' in out.read_text()
    run("convert", known, out, "--for-mujoco")
    assert "gear" not in out.read_text() and "<joint" in out.read_text()


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


SWING = """<mujoco>
  <option timestep=".001" integrator="RK4"><flag constraint="disable"/></option>
  <worldbody>
    <body name="pole"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0" mass="2"/></body>
  </worldbody>
  <actuator><motor name="push" joint="hinge" ctrlrange="-2 3"/></actuator>
  <keyframe><key name="down" qpos="1.5"/></keyframe>
</mujoco>
"""


@pytest.fixture
def swing(tmp_path):
    path = tmp_path / "swing.xml"
    path.write_text(SWING)
    return path


def test_run_summary(swing):
    text = run("run", swing, "--time", 1).stdout
    assert "1000 steps, 1 s simulated" in text and "real-time factor" in text and "steps per second" in text
    report = json.loads(run("run", swing, "--time", 0.5, "--json").stdout)
    assert report["steps"] == 500 and report["simulated_seconds"] == pytest.approx(0.5)
    assert abs(report["energy"]["drift"]) < 1e-9 and report["warnings"] == {}


@pytest.mark.parametrize("kind", ["npz", "csv"])
def test_run_writes_the_trajectory(swing, tmp_path, kind):
    out = tmp_path / f"out.{kind}"
    run("run", swing, "--time", 0.1, "--dt", 0.002, "--ctrl", 0.5, "--every", 5, "--out", out)
    m = lockstep.MjModel.from_xml_path(str(swing))
    m.opt.timestep = 0.002
    d = lockstep.MjData(m)
    d.ctrl[:] = 0.5
    lockstep.mj_step(m, d, 50)
    if kind == "npz":
        data = np.load(out)
        assert data["qpos"].shape == (11, 1) and data["time"].shape == (11,) and data["energy"].shape == (11, 2)
        assert data["qpos"][-1] == d.qpos and data["time"][-1] == d.time and (data["ctrl"][1:] == 0.5).all()
    else:
        lines = out.read_text().splitlines()
        assert lines[0].startswith("time,qpos[0],qvel[0],ctrl[0]") and len(lines) == 12
        assert float(lines[-1].split(",")[1]) == d.qpos[0]


def test_run_ends_where_a_strict_solver_gives_up(tmp_path):
    path = tmp_path / "strict.xml"
    path.write_text("""<mujoco><option solver="cgstrict" iterations="1" tolerance="1e-13"/><worldbody>
      <geom type="plane" size="1 1 1"/><body pos="0 0 .15"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
      </worldbody></mujoco>""")
    done = run("run", path, "--time", 1, code=1)
    assert "cgstrict did not converge in 1 iterations" in done.stderr and "steps, 0." in done.stdout


def test_run_random_controls_follow_the_seed(swing, tmp_path):
    results = []
    for seed in (1, 1, 2):
        out = tmp_path / "out.npz"
        run("run", swing, "--time", 0.2, "--ctrl", "random", "--seed", seed, "--out", out)
        with np.load(out) as data:
            results.append((data["qpos"], data["ctrl"]))
    assert (results[0][0] == results[1][0]).all() and (results[0][0] != results[2][0]).any()
    ctrl = results[0][1][1:]
    assert ctrl.min() >= -2 and ctrl.max() <= 3 and ctrl.max() > 1 and ctrl.min() < -1


def test_run_starts_from_a_keyframe(swing, tmp_path):
    for key in ("down", "0"):
        run("run", swing, "--time", 0.01, "--key", key, "--out", tmp_path / "out.npz")
        assert np.load(tmp_path / "out.npz")["qpos"][0] == 1.5


@pytest.mark.parametrize("arguments, text, code", [
    (("--key", "up"), "no keyframe", 1),
    (("--ctrl", "much"), "--ctrl", 2),
    (("--time", "-1"), "--time", 2),
    (("--out", "x.txt"), ".npz", 2),
    (("--out", "no/such/folder.npz"), "written", 1),
])
def test_run_errors(swing, arguments, text, code):
    assert text in run("run", swing, "--time", 0.01, *arguments, code=code).stderr


def test_run_wrong_model(wrong):
    assert "error" in run("run", wrong, code=1).stderr


def test_compare(swing, monkeypatch):
    monkeypatch.setenv("LOCKSTEP_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(lockstep.__file__).parents[1]))
    text = run("compare", swing, "--states", 3).stdout
    assert "compiled model: worst residual" in text and "kinematics" in text and "no deviation" in text
    assert "qfrc_bias" in run("compare", swing, "--states", 2, "--all").stdout
    assert "error" in run("compare", swing.parent / "none.xml", code=2).stderr


def test_bench(swing, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCKSTEP_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(lockstep.__file__).parents[1]))
    figures = tmp_path / "speed.json"
    text = run("bench", swing, "--worlds", 10, "--threads", "1,2", "--seconds", 0.01, "--json", figures).stdout
    assert "mujoco.rollout" in text and "steps/s" in text
    (result,) = json.loads(figures.read_text()).values()
    assert result["drift"] < 1e-9
    for way, threads in (("one world", "1"), ("double", "2"), ("float", "2")):
        median, best = result["times"]["lockstep"][way][threads]
        assert 0 < best <= median and result["ratios"][way][threads] > 0
    assert "error" in run("bench", swing.parent / "none.xml", code=2).stderr
    if importlib.util.find_spec("jax") is None:  # a peer that must be asked for tells what it lacks
        assert "pip install" in run("bench", swing, "--mjx", code=2).stderr


def test_compare_names_the_first_deviation(swing):
    import mujoco
    from lockstep import compare

    reference = mujoco.MjModel.from_xml_path(str(swing))
    own = lockstep.MjModel._from_mujoco(reference)
    own.body_mass[1] *= 1.001
    deviating = [entry for entry in compare.Comparison(mujoco, reference, own).run(2) if entry.size > compare.TOLERANCE]
    assert deviating[0].stage == "com_pos"
    assert any("<-" in line for line in compare.table(deviating))
