"""The Python examples and the benchmarks that draw run and leave a picture."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize('command', [
    ('examples/02_drop.py', 'models/stack.xml', '{picture}', '0.1'),
    ('examples/04_randomise.py', '{picture}', '0.5', '64'),
    ('examples/05_humanoids.py', 'models/humanoid.xml', '{picture}', '16', '0.2'),
    ('bench/solver_iterations.py', '{picture}', '--seconds', '0.1', '--sizes', '2'),
], ids=lambda command: command[0])
def test_draws(command, tmp_path):
    draw(command, tmp_path)


def test_training_learns(tmp_path):
    """A pole stands after a fifth of a million steps."""
    told = draw(('examples/03_train_ppo.py', '{picture}', '0.2', 'InvertedPendulum'), tmp_path)
    before, after = map(float, re.search(r'from (\S+) to (\S+) reward per step', told).groups())
    assert before < 0.9 < 0.94 < after


def draw(command, tmp_path):
    """What a program says that has to leave a picture."""
    picture = tmp_path / 'picture.png'
    environment = os.environ | {'PYTHONPATH': os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, *(word.format(picture=picture) for word in command)], cwd=ROOT,
                          capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 10_000
    return done.stdout
