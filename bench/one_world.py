#!/usr/bin/env python3
"""Steps of one world on one thread, Lockstep and MuJoCo alternately in one run: a table of ratios.

usage: .venv/bin/python bench/one_world.py [--smooth] [--stages] [--seconds 0.2] [--repeat 5] [--match GLOB] [--json FILE]

Both engines get the same model, start and random controls (new ones every 20 steps, which are one call, so that
Python costs nothing), after a warm-up to typical motion; each repetition starts from one state. --smooth switches
constraints off in both. The column `drift` is the largest difference of qpos after the first 20 steps; then follow the
mean numbers of contacts and of solver iterations (of all islands) of MuJoCo and Lockstep: both did the same work. A
ratio above 1 means Lockstep is faster. Times are processor times, which other programs on the machine disturb less.

--stages prints below each model MuJoCo's timers of both engines and the stages of Lockstep, in ns per step; clocks
cost both engines something then.
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


def models():
    """The models of the benchmark list that are installed, and our own."""
    return [p for p in parity.package_models() if p.name in NAMES] + list(parity.own_models())


class World:
    """A model in one engine, driven by its own copy of the controls."""

    def __init__(self, api, path, smooth):
        self.api, self.m = api, api.MjModel.from_xml_path(str(path))
        if smooth:
            self.m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        self.d = api.MjData(self.m)
        self.rng = np.random.default_rng(1)
        self.seen = []  # contacts and iterations, every 20 steps

    def run(self, chunks):
        low, high = np.where(self.m.actuator_ctrllimited[:, None], self.m.actuator_ctrlrange, [-1.0, 1.0]).T
        for _ in range(chunks):
            self.d.ctrl[:] = self.rng.uniform(low, high)
            self.api.mj_step(self.m, self.d, CHUNK)
            self.seen.append((self.d.ncon, self.d.solver_niter[:max(1, self.d.nisland)].sum() if self.d.nefc else 0))

    def follow(self, other):
        """From the state of another world: one that tumbles its own way may have other contacts for long."""
        for field in ('qpos', 'qvel', 'act', 'qacc_warmstart'):
            getattr(self.d, field)[:] = getattr(other.d, field)
        self.d.time = other.d.time

    def seconds(self, chunks):
        start = time.process_time()
        self.run(chunks)
        return time.process_time() - start

    def timers(self, chunks):
        """{timer: ns per step} by MuJoCo's categories."""
        if self.api is lockstep:
            lockstep.time_stages(self.d)
        for timer in self.d.timer:
            timer.duration, timer.number = 0, 0
        self.run(chunks)
        return {name[8:].lower(): self.d.timer[t].duration / (chunks * CHUNK) * 1e9
                for name, t in mujoco.mjtTimer.__members__.items() if name != 'mjNTIMER'}

    def stages(self, chunks):
        """{stage: ns per step}, after timers."""
        return {name: seconds / (chunks * CHUNK) * 1e9 for name, (seconds, _) in lockstep.stage_times(self.d).items()}


def measure(path, args):
    ours, theirs = (World(api, path, args.smooth) for api in (lockstep, mujoco))
    ours.run(1), theirs.run(1)
    drift = float(np.abs(ours.d.qpos - theirs.d.qpos).max(initial=0))
    ours.run(9), theirs.run(9)
    chunks = max(1, int(args.seconds / (theirs.seconds(5) / 5)))
    times = {ours: [], theirs: []}
    ours.seen, theirs.seen = [], []
    for _ in range(args.repeat):
        ours.follow(theirs)
        for world in times:
            times[world].append(world.seconds(chunks) / (chunks * CHUNK) * 1e6)
    a, b = times[ours], times[theirs]
    means = [np.mean(world.seen, 0) for world in (theirs, ours)]
    row = {'timers': [world.timers(chunks) for world in (ours, theirs)], 'stages': ours.stages(chunks)} if args.stages else {}
    return row | {'nv': theirs.m.nv, 'mujoco': statistics.median(b), 'lockstep': statistics.median(a),
            'ratio': statistics.median(b) / statistics.median(a), 'best': min(b) / min(a), 'drift': drift,
            'contacts': [float(mean[0]) for mean in means], 'iterations': [float(mean[1]) for mean in means]}


def print_stages(row):
    ours, theirs = row['timers']
    for name in theirs:
        if ours[name] or theirs[name]:
            print(f'    {name:24} {theirs[name]:10.0f} {ours[name]:9.0f}')
    for name, ns in row['stages'].items():
        print(f'      {name:22} {"":10} {ns:9.0f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--smooth', action='store_true')
    parser.add_argument('--stages', action='store_true')
    parser.add_argument('--seconds', type=float, default=0.2)
    parser.add_argument('--repeat', type=int, default=5)
    parser.add_argument('--match', default='*')
    parser.add_argument('--json', type=pathlib.Path)
    args = parser.parse_args()
    rows = {}
    print(f'{"model":48} {"nv":>4} {"MuJoCo us":>10} {"ours us":>9} {"ratio":>6} {"of best":>7} {"drift":>8} '
          f'{"contacts":>13} {"iterations":>13}')
    for path in models():
        label = parity.label(path)
        if not fnmatch.fnmatch(label, args.match):
            continue
        row = rows[label] = measure(path, args)
        print(f'{label:48} {row["nv"]:4} {row["mujoco"]:10.2f} {row["lockstep"]:9.2f} {row["ratio"]:6.2f} '
              f'{row["best"]:7.2f} {row["drift"]:8.1e} {row["contacts"][0]:6.1f} {row["contacts"][1]:6.1f} '
              f'{row["iterations"][0]:6.1f} {row["iterations"][1]:6.1f}', flush=True)
        if args.stages:
            print_stages(row)
    ratios = [row['ratio'] for row in rows.values()]
    print(f'geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, smallest {min(ratios):.2f}, '
          f'{len(ratios)} models')
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + '\n')


if __name__ == '__main__':
    main()
