"""One large world against mj_step: heaps of free bodies and of humanoids, settled, awake and asleep.

Both engines start from the state in which MuJoCo settled; they take turns, so that noise meets both. Times are of the
processor, the median over rounds. ``--repeat`` and ``--steps`` set how long.
"""
import argparse
import pathlib
import statistics
import time
import warnings

import mujoco
import numpy as np

import lockstep

MODELS = pathlib.Path(__file__).parents[1] / 'models'
SHAPES = ('type="box" size="0.05 0.04 0.03"', 'type="sphere" size="0.05"', 'type="capsule" size="0.03 0.04"')


def heap(count=100):
    """Bodies of three shapes in layers of 25, fallen on each other."""
    rng = np.random.default_rng(0)
    bodies = ''
    for i in range(count):
        x, y = (0.13 * (k - 2) + 0.01 * rng.normal() for k in (i % 5, i // 5 % 5))
        bodies += f'<body pos="{x} {y} {0.1 + 0.12 * (i // 25)}"><freejoint/><geom {SHAPES[i % 3]}/></body>'
    return wrap(bodies)


def stacks(count=100, sleep=False):
    """Boxes, three high."""
    bodies = ''
    for i in range(count):
        pos = 0.4 * (i // 3 % 6), 0.4 * (i // 18), 0.0499 + 0.0998 * (i % 3)
        bodies += f'<body pos="{pos[0]} {pos[1]} {pos[2]}"><freejoint/><geom type="box" size="0.05 0.05 0.05"/></body>'
    return wrap(bodies, '<flag sleep="enable"/>' if sleep else '')


def wrap(bodies, flags=''):
    return (f'<mujoco><option timestep="0.004">{flags}</option><worldbody><geom type="plane" size="9 9 0.1"/>{bodies}'
            '</worldbody></mujoco>')


def humanoids(count=22, apart=1.0, lift=0.0):
    world = mujoco.MjSpec()
    world.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[20, 20, 0.1])
    for i in range(count):
        one = mujoco.MjSpec.from_file(str(MODELS / 'humanoid.xml'))
        frame = world.worldbody.add_frame(pos=[apart * (i % 5), apart * (i // 5), lift * i])
        frame.attach_body(one.worldbody.first_body(), f'h{i}_', '')
    world.compile()
    return world.to_xml()


WORLDS = {
    'heap of 100 bodies': (heap, 1000),
    '100 boxes in stacks': (stacks, 300),
    '100 boxes asleep': (lambda: stacks(sleep=True), 300),
    '22 humanoids apart': (humanoids, 1500),
    '22 humanoids in a pile': (lambda: humanoids(apart=0.35, lift=0.25), 1500),
}


def settled(api, xml, start, steps):
    m = api.MjModel.from_xml_string(xml)
    d = api.MjData(m)
    if m.opt.enableflags & int(mujoco.mjtEnableBit.mjENBL_SLEEP):
        api.mj_step(m, d, steps)  # who sleeps is no part of a state
    else:
        for name in ('qpos', 'qvel', 'qacc_warmstart'):
            getattr(d, name)[:] = getattr(start, name)
    return api, m, d, []


def measure(make, steps, args):
    xml = make()
    m = mujoco.MjModel.from_xml_string(xml)
    start = mujoco.MjData(m)
    mujoco.mj_step(m, start, steps)
    worlds = [settled(api, xml, start, steps) for api in (lockstep, mujoco)]
    for round_ in range(args.repeat + 1):
        for api, model, d, times in worlds:
            begin = time.process_time()
            api.mj_step(model, d, args.steps)
            if round_:
                times.append((time.process_time() - begin) / args.steps * 1e6)
    own, theirs = (statistics.median(times) for *_, times in worlds)
    d = worlds[1][2]
    return m.nv, d.nefc, d.nisland, max(d.island_nv, default=0), theirs, own


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--repeat', type=int, default=10)
    parser.add_argument('--steps', type=int, default=20)
    args = parser.parse_args()
    warnings.simplefilter('ignore')
    print(f'{"world":24} {"nv":>4} {"rows":>5} {"islands":>7} {"largest":>7} {"MuJoCo us":>10} {"ours us":>9} {"ratio":>6}')
    for name, (make, steps) in WORLDS.items():
        nv, rows, islands, largest, theirs, own = measure(make, steps, args)
        print(f'{name:24} {nv:4} {rows:5} {islands:7} {largest:7} {theirs:10.1f} {own:9.1f} {theirs / own:6.2f}',
              flush=True)


if __name__ == '__main__':
    main()
