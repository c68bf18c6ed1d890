"""Wrong model files: every one is refused with a message that names file and line. The messages are golden:
`python tests/python/test_errors.py` writes them anew, for a person to read."""
import os
import pathlib
import re

import parity
import pytest

import lockstep

FOLDER = pathlib.Path(__file__).parents[1] / 'data' / 'invalid'
GOLDEN = FOLDER / 'messages.txt'
FILES = sorted(FOLDER.glob('*.xml'))
REFUSED = [p for p in parity.package_models() if parity.load_reference(p) is None]


def message(path):
    with pytest.raises(ValueError) as raised:
        lockstep.MjModel.from_xml_path(str(path))
    return str(raised.value).replace(f'{FOLDER}{os.sep}', '')


def golden():
    parts = re.split(r'^\[(.+)\]\n', GOLDEN.read_text() if GOLDEN.exists() else '', flags=re.M)[1:]
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2])}


def test_there_are_many_kinds():
    assert len(FILES) >= 20


@pytest.mark.parametrize('path', FILES, ids=lambda p: p.stem)
def test_message(path):
    text = message(path)
    assert re.search(r'\.xml(_part)?:\d+: error: ', text), text
    assert text == golden().get(path.stem)


def test_several_errors_are_reported_in_one_run():
    assert len(message(FOLDER / 'several_errors.xml').splitlines()) >= 3


@pytest.mark.parametrize('path', REFUSED, ids=parity.label)
def test_what_mujoco_refuses_is_refused(path):
    with pytest.raises(ValueError, match=r':\d+: error: '):
        lockstep.MjModel.from_xml_path(str(path))


if __name__ == '__main__':
    GOLDEN.write_text('\n\n'.join(f'[{path.stem}]\n{message(path)}' for path in FILES) + '\n')
