"""The Python examples and the benchmarks that draw run and leave a picture."""
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize('command', [
    ('examples/02_drop.py', 'models/stack.xml', '{picture}', '0.1'),
    ('examples/03_train_ppo.py', '{picture}', '0.07'),
    ('examples/04_randomise.py', '{picture}', '0.5', '64'),
    ('examples/05_humanoids.py', 'models/humanoid.xml', '{picture}', '16', '0.2'),
    ('bench/solver_iterations.py', '{picture}', '--seconds', '0.1', '--sizes', '2'),
], ids=lambda command: command[0])
def test_draws(command, tmp_path):
    picture = tmp_path / 'picture.png'
    environment = os.environ | {'PYTHONPATH': os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, *(word.format(picture=picture) for word in command)], cwd=ROOT,
                          capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 10_000
