#!/usr/bin/env python3
"""batch.py: many worlds of Lockstep against mujoco.batch and mujoco.rollout, measured alternately in one run.

    bench/batch.py [--smooth] [--nsim N] [--nthread N] [--seconds S] [--repeat N] [--match PATTERN] [--json FILE]

All get the same model, the same random controls (new ones every 20 steps) and the same number of threads; --smooth
switches off constraints in all. The table shows microseconds per step of one world, and how much faster Lockstep is
than the faster of MuJoCo's two ways: medians, in double and in single precision. `drift` is the largest difference of
positions to mujoco.batch after 20 steps, `contacts` the mean number in both: the engines must do the same work.
"""
import argparse
import fnmatch
import json
import math
import pathlib
import statistics
import sys
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'tests' / 'python'))

import mujoco  # noqa: E402
import mujoco.batch  # noqa: E402
import mujoco.rollout  # noqa: E402
import numpy as np  # noqa: E402
import parity  # noqa: E402
from one_world import CHUNK, NAMES  # noqa: E402

import lockstep  # noqa: E402
import lockstep.batch  # noqa: E402


def load(api, path, smooth):
    model = api.MjModel.from_xml_path(str(path))
    if smooth:
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    return model


class Worlds:
    """A batch of either engine, driven by its own copy of the controls."""

    def __init__(self, api, path, args, **options):
        self.model = load(api, path, args.smooth)
        self.batch = api.batch.Batch(self.model, args.nsim, args.nthread, **options)
        self.ncon = self.batch.ncon
        self.rng = np.random.default_rng(1)
        limited = self.model.actuator_ctrllimited[:, None]
        self.low, self.high = np.where(limited, self.model.actuator_ctrlrange, [-1.0, 1.0]).T
        self.contacts = []

    def controls(self):
        return self.rng.uniform(self.low, self.high, self.batch.ctrl.shape)

    def run(self, chunks):
        for _ in range(chunks):
            self.batch.ctrl = self.controls()
            self.batch.step(nstep=CHUNK)
            self.contacts.append(self.ncon.mean())


class Rollouts:
    """mujoco.rollout from the states that mujoco.batch has reached."""

    def __init__(self, worlds, args):
        self.worlds, self.nthread = worlds, args.nthread
        self.data = [mujoco.MjData(worlds.model) for _ in range(max(1, args.nthread))]
        self.runner = mujoco.rollout.Rollout(nthread=args.nthread if args.nthread > 1 else 0)

    def run(self, chunks):
        worlds, full = self.worlds, int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
        state = np.empty((worlds.batch.nsim, mujoco.mj_stateSize(worlds.model, full)))
        for i, row in enumerate(worlds.batch.state):
            mujoco.mj_extractState(worlds.model, row, int(mujoco.mjtState.mjSTATE_INTEGRATION), state[i], full)
        for _ in range(chunks):
            control = np.repeat(worlds.controls()[:, None], CHUNK, 1)
            states, _ = self.runner.rollout(worlds.model, self.data, state, control)
            state = np.ascontiguousarray(states[:, -1])


def seconds(runner, chunks):
    start = time.perf_counter()
    runner.run(chunks)
    return time.perf_counter() - start


def measure(path, args):
    peer, ours = Worlds(mujoco, path, args), Worlds(lockstep, path, args)
    runners = {'mujoco.batch': peer, 'mujoco.rollout': Rollouts(peer, args), 'double': ours,
               'float': Worlds(lockstep, path, args, dtype=np.float32)}
    peer.run(1), ours.run(1)
    drift = float(np.abs(ours.batch.qpos - peer.batch.qpos).max(initial=0))
    for runner in runners.values():
        runner.run(1)
    chunks = max(1, round(args.seconds / seconds(peer, 1)))
    times = {name: [] for name in runners}
    for _ in range(args.repeat):
        for name, runner in runners.items():
            times[name].append(seconds(runner, chunks) / (chunks * CHUNK * args.nsim) * 1e6)
    row = {name: statistics.median(values) for name, values in times.items()}
    best = min(row['mujoco.batch'], row['mujoco.rollout'])
    contacts = [statistics.fmean(worlds.contacts) for worlds in (peer, ours)]
    return row | {'nv': peer.model.nv, 'ratio': best / row['double'], 'ratio float': best / row['float'],
                  'drift': drift, 'contacts': contacts}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--smooth', action='store_true')
    parser.add_argument('--nsim', type=int, default=1024)
    parser.add_argument('--nthread', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=0.5)
    parser.add_argument('--repeat', type=int, default=5)
    parser.add_argument('--match', default='*')
    parser.add_argument('--json', type=pathlib.Path)
    args = parser.parse_args()
    warnings.simplefilter('ignore')
    rows = {}
    print(f'{"model":44} {"nv":>3} {"mj.batch":>9} {"rollout":>9} {"double":>8} {"float":>8} {"ratio":>6} {"float":>6} '
          f'{"drift":>8} {"contacts":>13}')
    for path in [p for p in parity.package_models() if p.name in NAMES] + list(parity.own_models()):
        label = parity.label(path)
        if not fnmatch.fnmatch(label, args.match):
            continue
        row = rows[label] = measure(path, args)
        print(f'{label:44} {row["nv"]:3} {row["mujoco.batch"]:9.2f} {row["mujoco.rollout"]:9.2f} {row["double"]:8.2f} '
              f'{row["float"]:8.2f} {row["ratio"]:6.2f} {row["ratio float"]:6.2f} {row["drift"]:8.1e} '
              f'{row["contacts"][0]:6.2f} {row["contacts"][1]:6.2f}', flush=True)
    for name in ('ratio', 'ratio float'):
        ratios = [row[name] for row in rows.values()]
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f'{name}: geometric mean {mean:.2f}, smallest {min(ratios):.2f}, {len(ratios)} models')
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + '\n')


if __name__ == '__main__':
    main()
