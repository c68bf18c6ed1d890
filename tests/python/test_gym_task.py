"""lockstep.gym with a compiled task of one's own: the one of docs/gym.md, beside the same in NumPy."""
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import lockstep.gym
import lockstep.tasks
from lockstep.gym import MjcfVectorEnv

ROOT = pathlib.Path(__file__).parents[2]
MODEL = ROOT / 'models' / 'arm.xml'
SETTINGS = {'ctrl_cost_weight': 0.01}


def compile_task(folder, text, name='task'):
    """With the header that the package brings, not the one of the source tree."""
    source = folder / f'{name}.cc'
    source.write_text(text)
    return lockstep.gym.compile_task(source, options=('-O1', '-ffp-contract=off'))


@pytest.fixture(scope='module')
def library(tmp_path_factory):
    text = re.search(r'```cpp\n(.*?)```', (ROOT / 'docs' / 'gym.md').read_text(), re.S)[1]
    return compile_task(tmp_path_factory.mktemp('task'), text)


def compiled(library, count, **options):
    return MjcfVectorEnv(MODEL, count, task=library, settings=SETTINGS, frame_skip=5, **options)


def in_numpy(count, **options):
    def reward(d, actions):
        return d.site_xpos[:, 0, 2] - 0.01 * np.square(actions).sum(1)

    return MjcfVectorEnv(MODEL, count, reward=reward, terminated=lambda d: d.site_xpos[:, 0, 2] < 0.1, frame_skip=5,
                         observe=lambda d: {'qpos': d.qpos, 'qvel': np.clip(d.qvel, -10, 10)}, **options)


@pytest.mark.parametrize('nthread', [1, 2])
@pytest.mark.parametrize('mode', ['NextStep', 'SameStep'])
def test_is_the_same_as_in_numpy(library, mode, nthread):
    count = 70  # enough blocks of lanes that both threads have some
    a, b = compiled(library, count, autoreset_mode=mode, max_episode_steps=7, nthread=nthread), in_numpy(
        count, autoreset_mode=mode, max_episode_steps=7)
    assert a.observation_structure == b.observation_structure and a.observation_space == b.observation_space
    np.testing.assert_array_equal(a.reset(seed=1)[0], b.reset(seed=1)[0])
    rng = np.random.default_rng(0)
    for step in range(20):
        actions = rng.uniform(-1, 1, a.action_space.shape)
        found, expected = a.step(actions), b.step(actions)
        for x, y in zip(found[:4], expected[:4]):
            np.testing.assert_allclose(x, y, rtol=0, atol=1e-14)
        heights = found[4].get('height')
        if step % 8 == 0:
            np.testing.assert_array_equal(heights, b._task._fields.site_xpos[:, 0, 2])
            assert found[4]['_height'].all()


def test_kinds_of_actions(library):
    """Whole numbers and strided arrays count like others; single precision is the batch's."""
    envs = [compiled(library, 3) for _ in range(3)]
    shape = envs[0].action_space.shape
    ones = np.ones(shape)
    results = []
    for env, actions in zip(envs, (ones, ones.astype(int), np.ones((shape[0], 2 * shape[1]))[:, ::2])):
        env.reset(seed=0)
        results.append(env.step(actions))
    for other in results[1:]:
        np.testing.assert_array_equal(other[0], results[0][0])
        np.testing.assert_array_equal(other[1], results[0][1])
    single = compiled(library, 3, dtype=np.float32)
    single.reset(seed=0)
    observations, rewards, *_ = single.step(ones)
    assert observations.dtype == np.float32 and rewards.dtype == np.float64
    np.testing.assert_allclose(observations, results[0][0], atol=1e-3)


def test_what_cannot_be(library, tmp_path):
    with pytest.raises(ValueError, match='the setting ctrl_cost_weight'):
        MjcfVectorEnv(MODEL, 2, task=library)
    with pytest.raises(ValueError, match='cannot load a task'):
        MjcfVectorEnv(MODEL, 2, task='./nowhere.so')
    with pytest.raises(ValueError, match='there is no task Hoper'):
        MjcfVectorEnv(MODEL, 2, task='Hoper')
    with pytest.raises(TypeError, match='either functions'):
        MjcfVectorEnv(MODEL, 2, task=library, reward=lambda d, actions: 0)
    with pytest.raises(TypeError, match='either functions'):
        MjcfVectorEnv(MODEL, 2)
    with pytest.raises(IndexError, match='beyond the end'):  # one joint instead of two
        MjcfVectorEnv(tiny(tmp_path), 2, task='InvertedPendulum')
    other = compile_task(tmp_path, 'extern "C" int lockstep_make_task() { return 0; }', 'other')
    with pytest.raises(ValueError, match='another version'):
        MjcfVectorEnv(MODEL, 2, task=other)


def test_headers_come_with_the_package(library, tmp_path):
    """All that a task includes, and no older than the engine: from a shell too."""
    folder = subprocess.run([sys.executable, '-m', 'lockstep.tasks'], check=True, capture_output=True, text=True).stdout.strip()
    assert folder == lockstep.gym.include_dir()
    for path in pathlib.Path(folder).rglob('*.*'):
        assert path.read_bytes() == (ROOT / 'src' / path.relative_to(folder)).read_bytes()
    with pytest.raises(RuntimeError, match='does not compile:(.|\n)*error'):
        compile_task(tmp_path, 'this is no task', 'wrong')
    before = pathlib.Path(library).stat().st_mtime_ns
    assert lockstep.tasks.compile_task(pathlib.Path(library).with_suffix('.cc')) == library
    assert pathlib.Path(library).stat().st_mtime_ns == before


def tiny(folder):
    path = folder / 'tiny.xml'
    path.write_text('<mujoco><worldbody><body><joint type="slide"/><geom size=".1"/></body></worldbody></mujoco>')
    return path
