"""Files nested deeper than the XML library of the system reads: as deep as MuJoCo takes them."""
import pathlib
import subprocess
import sys
import time

import mujoco
import parity
import pytest

import lockstep

DEEPEST = 496  # bodies around each other in <mujoco><worldbody>


def chain(bodies, innermost=''):
    """Each body on a line of its own, the first on line 2."""
    begin = ''.join(f'\n<body name="b{i}" pos=".01 0 .1" euler="0 {i % 7} 0"><joint name="j{i}" range="-1 {i + 1}"/>'
                    f'<geom name="g{i}" size=".01 .02" type="capsule"/>' for i in range(bodies))
    return f'<mujoco><worldbody>{begin}{innermost}{"</body>" * bodies}</worldbody></mujoco>'


@pytest.mark.parametrize('bodies', (90, 150, 400, DEEPEST))
def test_fields_and_round_trip(bodies, tmp_path):
    text = chain(bodies, '\n<!-- <body> --><site name="tip" pos="0 0 1"/>')
    own, ref = lockstep.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    assert own.nbody == bodies + 1
    comparison = parity.compare(own, ref)
    assert not comparison.deviations, str(comparison)
    path = tmp_path / 'saved.xml'
    lockstep.mj_saveLastXML(str(path), own)
    comparison = parity.compare(lockstep.MjModel.from_xml_path(str(path)), own)
    assert not comparison.deviations, str(comparison)
    again = lockstep.MjSpec.from_string(lockstep.MjSpec.from_string(text).to_xml()).compile()
    assert again.nbody == own.nbody and again.site('tip').bodyid == bodies


def test_frames_and_includes(tmp_path):
    (tmp_path / 'part.xml').write_text(chain(200).replace('"b', '"p').replace('"j', '"q').replace('"g', '"h'))
    (tmp_path / 'main.xml').write_text('<mujoco>' + '<worldbody>' + '<frame pos=".1 0 0">' * 300
                                       + '<body name="holder"><geom size=".1"/></body>' + '</frame>' * 300
                                       + '</worldbody><include file="part.xml"/></mujoco>')
    own, ref = (engine.MjModel.from_xml_path(str(tmp_path / 'main.xml')) for engine in (lockstep, mujoco))
    comparison = parity.compare(own, ref)
    assert not comparison.deviations, str(comparison)


@pytest.mark.parametrize('innermost, said', (
    ('\n<geom size="0.1 x"/>', 'size'),
    ('\n\n<gem/>', "unknown element.*'geom'"),
    ('\n<geom size=".1" size=".1"/>', 'broken XML'),
    ('\n<geom size=.1/>', 'broken XML'),
    ('\n<!-- endless', 'comment that does not end'),
))
def test_errors_name_the_line(innermost, said):
    for bodies in (80, 150, 400):
        line = bodies + 1 + innermost.count('\n')
        with pytest.raises(ValueError, match=f':{line}: error: .*{said}'):
            lockstep.MjModel.from_xml_string(chain(bodies, innermost))


def test_deeper_is_refused_where_mujoco_refuses_it():
    for engine, line in ((mujoco, f'Line number={DEEPEST + 2}:'), (lockstep, f':{DEEPEST + 2}: error: .*too deeply')):
        engine.MjModel.from_xml_string(chain(DEEPEST))
        with pytest.raises(ValueError, match=line):
            engine.MjModel.from_xml_string(chain(DEEPEST + 1))


def test_a_bomb_is_refused_at_once():
    start = time.perf_counter()
    for text in ('<mujoco>' + '<body>' * 200_000, chain(20_000), '<mujoco><worldbody>' + '<a>\n' * 200_000,
                 '<mujoco>' + ('<a>' * 400 + '</a>' * 400) * 500 + '<a>' * 200_000):
        with pytest.raises(ValueError, match='too deeply'):
            lockstep.MjModel.from_xml_string(text)
    assert time.perf_counter() - start < 5


def nest(engine, bodies, spec=None, body=None):
    spec = spec or engine.MjSpec()
    body = body or spec.worldbody
    for _ in range(bodies):
        body = body.add_body()
        body.add_geom(size=[0.1, 0, 0])
    return spec, body


@pytest.mark.parametrize('engine', (mujoco, lockstep), ids=lambda e: e.__name__)
def test_deeper_trees_are_refused(engine):
    assert nest(engine, 1023)[0].compile().nbody == 1024
    for bodies in (1024,) if engine is mujoco else (1024, 10_000):  # which takes MuJoCo half a minute
        with pytest.raises(ValueError, match='depth limit|too deeply'):
            nest(engine, bodies)[0].compile()


def test_attaching_does_not_nest_deeper():
    def attached(below):
        (spec, body), (child, _) = nest(lockstep, 900), nest(lockstep, below)
        body.add_frame().attach_body(child.worldbody.first_body(), 'x', '')
        return spec.compile()

    assert attached(123).nbody == 1024
    with pytest.raises(ValueError, match='too deeply'):
        attached(124)


@pytest.mark.parametrize('files, said', ((2, None), (3, 'bodies are nested too deeply'),
                                         (5, 'elements are nested too deeply'), (40, 'elements are nested too deeply')))
def test_includes_nest_only_so_deep(files, said):
    assets, size = {}, 480
    for k in range(files):
        inner = f'<include file="{k + 1}.xml"/>' if k + 1 < files else ''
        text = '<body><geom size=".1" contype="0"/>' * size + inner + '</body>' * size
        assets[f'{k}.xml'] = f'<mujoco>{text}</mujoco>'.encode()
    text = '<mujoco><worldbody><include file="0.xml"/></worldbody></mujoco>'
    if said is None:
        assert lockstep.MjModel.from_xml_string(text, assets).nbody == files * size + 1
    else:
        with pytest.raises(ValueError, match=rf'.xml:1: error: .*{said}'):
            lockstep.MjModel.from_xml_string(text, assets)


STACK = """
import resource, sys, test_deep, lockstep
assert resource.getrlimit(resource.RLIMIT_STACK)[0] == 1 << 20
text = test_deep.chain(test_deep.DEEPEST)
spec = lockstep.MjSpec.from_string(text)
model = spec.compile()
lockstep.MjSpec.from_string(spec.copy().to_xml())
lockstep.mj_saveLastXML(sys.argv[1], model)
data = lockstep.MjData(model)
lockstep.mj_step(model, data)
parent = lockstep.MjSpec()
parent.attach(spec, prefix='x', frame=parent.worldbody.add_frame())
parent.compile()
"""


def test_a_small_stack_suffices(tmp_path):
    command = f'ulimit -s 1024; exec "{sys.executable}" -c "$0" "$1"'
    subprocess.run(['bash', '-c', command, STACK, str(tmp_path / 'saved.xml')], check=True,
                   cwd=pathlib.Path(__file__).parent)
