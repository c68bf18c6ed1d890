"""MuJoCo's own Python tests, run with lockstep in mujoco's place.

The test files and their data come from the installed mujoco package and are copied to a temporary folder; nothing of
them is kept here. What does not pass yet stands in ``suites/<suite>.txt``, one ``Class::case: reason`` per line. The
list is exact: a case that fails without being listed fails here, and so does a listed case that passes.

To see the count of one suite:  ``pytest -s tests/python/test_mujoco_suites.py -k specs``
"""

import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

import lockstep

# files of the mujoco package; each has its list of expected failures in suites/
SUITES = ['specs_test.py', 'bindings_test.py', 'batch_test.py', 'rollout_test.py']
LISTS = pathlib.Path(__file__).parent / 'suites'
TIME_LIMIT = 600  # seconds for one suite

# tests look for their data beside the package they import
CONFTEST = """
import pathlib
from etils import epath
epath.resource_path = lambda package: epath.Path(pathlib.Path(__file__).parent)
"""


def package_folder():
    """Where the wheel's files are, found without importing mujoco."""
    return pathlib.Path(importlib.metadata.distribution('mujoco').locate_file('mujoco'))


def prepare(suite, folder):
    shutil.copy(package_folder() / suite, folder)
    shutil.copytree(package_folder() / 'testdata', folder / 'testdata')
    (folder / 'conftest.py').write_text(CONFTEST)


def outcomes(report):
    """{case: '' or the first line of what went wrong}; a case fails with any of its parts."""
    result = {}
    for case in ElementTree.parse(report).iter('testcase'):
        name = f'{case.get("classname").rpartition(".")[2]}::{case.get("name")}'
        wrong = [child.get('message', child.tag).splitlines()[0] for child in case if child.tag in ('failure', 'error')]
        result[name] = result.get(name) or (wrong[0] if wrong else '')
    return result


def run(suite, folder):
    report = folder / 'report.xml'
    path = [str(pathlib.Path(lockstep.__file__).parents[1]), os.environ.get('PYTHONPATH', '')]
    command = [sys.executable, '-m', 'lockstep.as_mujoco', '-m', 'pytest', '-q', '-p', 'no:cacheprovider',
               f'--junitxml={report}', suite]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT,
                          env=os.environ | {'PYTHONPATH': os.pathsep.join(filter(None, path))})
    assert report.exists(), f'{suite} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}'
    return outcomes(report)


def expected_failures(suite):
    """{case: reason}"""
    lines = (LISTS / suite).with_suffix('.txt').read_text().splitlines()
    entries = [line.split(': ', 1) for line in lines if line and not line.startswith('#')]
    assert all(len(entry) == 2 for entry in entries), 'every case needs its reason'
    return dict(entries)


@pytest.mark.parametrize('suite', SUITES)
def test_suite(suite, tmp_path):
    prepare(suite, tmp_path)
    results, expected = run(suite, tmp_path), expected_failures(suite)
    failed = {case: message for case, message in results.items() if message}
    print(f'\n{suite}: {len(results) - len(failed)} of {len(results)} cases pass')
    wrong = [f'fails: {case}: {message}' for case, message in failed.items() if case not in expected]
    wrong += [f'passes, take it off the list: {case}' for case in expected if case in results and case not in failed]
    wrong += [f'does not exist, take it off the list: {case}' for case in expected if case not in results]
    assert results and not wrong, '\n'.join(wrong)
