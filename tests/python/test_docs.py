"""Every command and every program in the documentation runs."""
import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md'))]
BIN = pathlib.Path(sys.executable).parent
# run by CI and people themselves: they would start this test again
NOT_HERE = ('scripts/test', 'scripts/demo')


def blocks(page):
    """(language, text) of the fenced blocks of a page."""
    return re.findall(r'^```(\w*)\n(.*?)^```', page.read_text(), re.M | re.S)


def commands():
    for page in PAGES:
        for language, text in blocks(page):
            if language == 'python':
                yield pytest.param([sys.executable, '-c', text], id=f'{page.name}: python {text.splitlines()[0]}')
            for line in text.splitlines() if language in ('', 'sh', 'bash') else ():
                words = shlex.split(line, comments=True)
                if not words or not re.match(r'(\.venv/bin|scripts|bench|build)/', words[0]) or words[0] in NOT_HERE:
                    continue
                yield pytest.param([str(BIN / w[len('.venv/bin/'):]) if w.startswith('.venv/bin/') else w for w in words],
                                   id=f'{page.name}: {line}')


@pytest.mark.parametrize('command', commands())
def test_command(command):
    environment = os.environ | {'PYTHONPATH': os.pathsep.join(sys.path)}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r'\]\((?!https?:)([^)#]+)', page.read_text()):
            assert (page.parent / target).exists(), f'{page.name} links to {target}'
