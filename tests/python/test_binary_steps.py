"""Binary models with a few changed numbers: refused, or stepped without a crash."""
import os
import pathlib
import random
import subprocess
import sys

import lockstep
import numpy as np

MODELS = pathlib.Path(__file__).resolve().parents[2] / 'models'
PACKAGE = str(pathlib.Path(lockstep.__file__).resolve().parents[1])
SHARE = float(os.environ.get('LOCKSTEP_TEST_SHARE', '1'))
TRIALS, SEED = max(20, int(600 * SHARE)), 5
EVERYTHING = """
<mujoco>
  <worldbody>
    <camera name="eye" resolution="3 2"/> <geom type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 .1">
      <freejoint/> <geom name="g" size=".1"/> <geom name="h" type="box" size=".1 .1 .1" pos=".3 0 0"/>
      <site name="s" pos="0 0 .2"/>
    </body>
    <body name="b" pos="0 0 .4"><joint name="j" range="-10 20"/><geom name="k" type="capsule" size=".1 .1"/>
      <site name="t" pos="0 .3 0"/></body>
  </worldbody>
  <contact><pair geom1="g" geom2="k"/></contact>
  <tendon><fixed name="f"><joint joint="j" coef="1"/></fixed>
    <spatial name="r" range="0 1"><site site="s"/><geom geom="g"/><site site="t"/></spatial></tendon>
  <equality><weld body1="a" body2="b"/></equality>
  <actuator><motor joint="j"/><position tendon="r"/><motor site="s" gear="1 0 0 0 0 1"/></actuator>
  <sensor>
    <touch site="s"/> <distance geom1="g" geom2="k"/> <rangefinder camera="eye"/> <contact geom1="g" data="force pos" num="2"/>
    <insidesite objtype="geom" objname="g" site="s"/> <framepos objtype="site" objname="s"/> <jointlimitpos joint="j"/>
    <actuatorfrc actuator="motor"/> <tendonpos tendon="r"/> <subtreecom body="a"/> <force site="t"/>
  </sensor>
</mujoco>
""".replace('<motor joint="j"/>', '<motor name="motor" joint="j"/>')


def change(model, rng):
    """Another value at a place or two of the model's arrays; most are integers."""
    kinds = {'iub': [], 'f': []}
    for name in dir(model):
        values = getattr(model, name)
        if isinstance(values, np.ndarray) and values.size and not name.startswith(('name', 'tex')):
            kinds['f' if values.dtype.kind == 'f' else 'iub'].append(values.reshape(-1))
    for _ in range(rng.choice([1, 1, 2])):
        values = rng.choice(kinds['iub' if rng.random() < .85 else 'f'])
        place, other = rng.randrange(values.size), values[rng.randrange(values.size)]
        if values.dtype == bool:
            values[place] = not values[place]
        elif values.dtype.kind == 'f':
            values[place] = rng.choice([0, -1, np.nan, np.inf, 1e10, other])
        else:
            limits = np.iinfo(values.dtype)
            value = rng.choice([int(values[place]) + 1, int(values[place]) - 1, 0, -1, int(other), rng.randrange(100),
                                10**6, limits.max, limits.min])
            values[place] = min(max(value, limits.min), limits.max)


def run():
    """The trials; in a process of its own, because a crash is what is looked for."""
    sources = [path.read_text() for path in sorted(MODELS.glob('*.xml'))] + [EVERYTHING]
    accepted = 0
    for trial in range(TRIALS):
        rng = random.Random(SEED * 100_000 + trial)
        model = lockstep.MjModel.from_xml_string(rng.choice(sources))
        change(model, rng)
        buffer = np.zeros(lockstep.mj_sizeModel(model), np.uint8)
        lockstep.mj_saveModel(model, None, buffer)
        print(trial, flush=True)
        try:
            model = lockstep.MjModel.from_binary_path('x', assets={'x': buffer.tobytes()})
        except ValueError:
            continue
        accepted += 1
        data = lockstep.MjData(model)
        data.qvel[:] = .1
        for _ in range(2):
            lockstep.mj_step(model, data)
    print('accepted', accepted)


def test_changed_models_do_not_crash():
    done = subprocess.run([sys.executable, '-W', 'ignore', __file__], capture_output=True, text=True, timeout=600,
                          env={**os.environ, 'PYTHONPATH': PACKAGE})
    assert done.returncode == 0, f'trial {done.stdout.split()[-1]}: {done.stderr[-300:]}'
    assert int(done.stdout.split()[-1]) > TRIALS / 10


if __name__ == '__main__':
    run()
