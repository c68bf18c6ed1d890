"""Every field of every compiled model equals MuJoCo's, and survives saving."""
import mujoco
import parity
import pytest

import lockstep

# the files that MuJoCo loads on their own; fragments and test files are left to test_errors
MODELS = [p for p in [*parity.package_models(), *parity.own_models()] if parity.load_reference(p) is not None]


def test_the_corpus_is_complete():
    counts = {name: sum(parity.label(p).startswith(name) for p in MODELS) for name in ('gymnasium', 'dm_control', 'models')}
    print(counts, f'{len(parity.FIELDS)} fields each; not compared:', parity.NOT_COMPARED)
    assert counts['gymnasium'] >= 14 and counts['dm_control'] >= 55 and counts['models'] >= 5


@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_compiled_model_equals_mujoco(path):
    result = parity.compare(lockstep.MjModel.from_xml_path(str(path)), parity.load_reference(path))
    assert not result.deviations, str(result)


@pytest.mark.parametrize('path', MODELS, ids=parity.label)
def test_saved_model_is_the_same_model(path, tmp_path):
    """Save, load and compile again, by us and by MuJoCo."""
    model = lockstep.MjModel.from_xml_path(str(path))
    saved = path.parent / f'saved_{path.name}'  # beside the original, for its assets
    text = tmp_path / 'saved.xml'
    lockstep.mj_saveLastXML(str(text), model)
    xml = text.read_text()
    again = compile_beside(lockstep, xml, saved)
    fields = [f for f in parity.FIELDS if 'path' not in f]
    assert not (result := parity.compare(again, model, fields)).deviations, f'read by lockstep: {result}'
    theirs = compile_beside(mujoco, xml, saved)
    assert not (result := parity.compare(model, theirs, fields)).deviations, f'read by MuJoCo: {result}'


def compile_beside(engine, xml, path):
    """Compiles text as if it were the file at `path`."""
    spec = engine.MjSpec.from_string(xml)
    spec.modelfiledir = str(path.parent)
    return spec.compile()
