#!/usr/bin/env python3
"""Steps of one world on one thread, Lockstep and MuJoCo alternately in one run: a table of ratios.

usage: .venv/bin/python bench/one_world.py [--smooth] [--seconds 0.2] [--repeat 5] [--match GLOB] [--json FILE]

Both engines get the same model, start and random controls (new ones every 20 steps, which are one call, so that
Python costs nothing), after a warm-up to typical motion. --smooth switches constraints off in both. The column
`drift` is the largest difference of qpos after the first 20 steps: both did the same work. A ratio above 1 means
Lockstep is faster.
"""
import argparse
import fnmatch
import json
import math
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'tests' / 'python'))

import mujoco  # noqa: E402
import numpy as np  # noqa: E402
import parity  # noqa: E402

import lockstep  # noqa: E402

CHUNK = 20
NAMES = ('ant.xml', 'half_cheetah.xml', 'hopper.xml', 'humanoid.xml', 'walker2d_v5.xml', 'swimmer.xml', 'reacher.xml',
         'pusher_v5.xml', 'inverted_double_pendulum.xml', 'cartpole.xml', 'quadruped.xml', 'humanoid_CMU.xml',
         'dog.xml', 'stacker.xml', 'manipulator.xml')


class World:
    """A model in one engine, driven by its own copy of the controls."""

    def __init__(self, api, path, smooth):
        self.api, self.m = api, api.MjModel.from_xml_path(str(path))
        if smooth:
            self.m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        self.d = api.MjData(self.m)
        self.rng = np.random.default_rng(1)

    def run(self, chunks):
        low, high = np.where(self.m.actuator_ctrllimited[:, None], self.m.actuator_ctrlrange, [-1.0, 1.0]).T
        for _ in range(chunks):
            self.d.ctrl[:] = self.rng.uniform(low, high)
            self.api.mj_step(self.m, self.d, CHUNK)

    def seconds(self, chunks):
        start = time.perf_counter()
        self.run(chunks)
        return time.perf_counter() - start


def measure(path, args):
    ours, theirs = (World(api, path, args.smooth) for api in (lockstep, mujoco))
    ours.run(1), theirs.run(1)
    drift = float(np.abs(ours.d.qpos - theirs.d.qpos).max(initial=0))
    ours.run(9), theirs.run(9)
    chunks = max(1, int(args.seconds / (theirs.seconds(5) / 5)))
    times = {ours: [], theirs: []}
    for _ in range(args.repeat):
        for world in times:
            times[world].append(world.seconds(chunks) / (chunks * CHUNK) * 1e6)
    a, b = times[ours], times[theirs]
    return {'nv': theirs.m.nv, 'mujoco': statistics.median(b), 'lockstep': statistics.median(a),
            'ratio': statistics.median(b) / statistics.median(a), 'best': min(b) / min(a), 'drift': drift}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--smooth', action='store_true')
    parser.add_argument('--seconds', type=float, default=0.2)
    parser.add_argument('--repeat', type=int, default=5)
    parser.add_argument('--match', default='*')
    parser.add_argument('--json', type=pathlib.Path)
    args = parser.parse_args()
    paths = [p for p in parity.package_models() if p.name in NAMES] + list(parity.own_models())
    rows = {}
    print(f'{"model":48} {"nv":>4} {"MuJoCo us":>10} {"ours us":>9} {"ratio":>6} {"of best":>7} {"drift":>8}')
    for path in paths:
        label = parity.label(path)
        if not fnmatch.fnmatch(label, args.match):
            continue
        row = rows[label] = measure(path, args)
        print(f'{label:48} {row["nv"]:4} {row["mujoco"]:10.2f} {row["lockstep"]:9.2f} {row["ratio"]:6.2f} '
              f'{row["best"]:7.2f} {row["drift"]:8.1e}', flush=True)
    ratios = [row['ratio'] for row in rows.values()]
    print(f'geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, smallest {min(ratios):.2f}, '
          f'{len(ratios)} models')
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + '\n')


if __name__ == '__main__':
    main()
