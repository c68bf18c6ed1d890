#!/usr/bin/env python3
"""gym.py: environment steps per second of lockstep.gym against Gymnasium's SyncVectorEnv (and EnvPool where it is
installed), measured alternately in one run.

    .venv/bin/python bench/gym.py [--worlds N] [--peer-worlds N] [--nthread N] [--seconds S] [--repeat N]
                                  [--match PATTERN] [--json FILE] [--cpu]

All get random actions over the whole range and reset by themselves. The peers cost the same per world whatever their
number and get fewer: SyncVectorEnv, which has one thread, --peer-worlds; EnvPool, which gets the threads of Lockstep,
eight times as many. The table shows microseconds per environment step (medians), and how many times as fast Lockstep is
in double and in single precision; `rewards` are the mean rewards per step of Lockstep and Gymnasium: they must do the
same work. `python` is the part of a step of Lockstep that is spent in Python. With --cpu the seconds are those
of processors, which is steadier where a machine is shared. Goals: 50 times SyncVectorEnv on average, 20 at least.
"""
import argparse
import fnmatch
import itertools
import json
import math
import pathlib
import statistics
import time
import warnings

import gymnasium
import numpy as np

import lockstep.gym

try:
    import envpool
except ImportError:
    envpool = None

clock = time.perf_counter
WARM_UP = 25  # steps from the start until worlds differ


class Runner:
    """An environment with some actions drawn in advance."""

    def __init__(self, env, count):
        self.env, self.count, self.rewards = env, count, []
        rng = np.random.default_rng(0)
        low, high = (getattr(getattr(env, 'single_action_space', env.action_space), side) for side in ('low', 'high'))
        self.actions = itertools.cycle([rng.uniform(low, high, (count, *low.shape)).astype(low.dtype) for _ in range(16)])
        env.reset()
        self.run(WARM_UP)
        self.rewards.clear()

    def run(self, steps):
        for _ in range(steps):
            self.rewards.append(self.env.step(next(self.actions))[1].mean())

    def microseconds(self, seconds):
        """Per environment step, over at least some seconds."""
        start, steps = clock(), 0
        while (spent := clock() - start) < seconds:
            self.run(1)
            steps += 1
        return spent / (steps * self.count) * 1e6


def share_of_python(runner):
    """How much of the time of a step is spent outside compiled calls."""
    batch, inside = runner.env.unwrapped.batch, []
    run = batch._run

    def timed(*args):
        start = clock()
        run(*args)
        inside.append(clock() - start)

    batch.__dict__['_run'] = timed
    start = clock()
    runner.run(5)
    spent = clock() - start
    del batch.__dict__['_run']
    return 1 - sum(inside) / spent


def make_runners(name, args):
    def lockstep_env(dtype):
        return gymnasium.make_vec(f'lockstep/{name}-v5', num_envs=args.worlds, nthread=args.nthread, dtype=dtype)

    precisions = {'double': np.float64, 'float': np.float32}
    runners = {kind: Runner(lockstep_env(dtype), args.worlds) for kind, dtype in precisions.items()}
    sync = gymnasium.make_vec(f'{name}-v5', num_envs=args.peer_worlds, vectorization_mode='sync')
    runners['gymnasium'] = Runner(sync, args.peer_worlds)
    if envpool:
        count = 8 * args.peer_worlds
        pool = envpool.make_gymnasium(f'{name}-v5', num_envs=count, num_threads=args.nthread, seed=0)
        runners['envpool'] = Runner(pool, count)
    return runners


def measure(name, args):
    runners = make_runners(name, args)
    times = {kind: [] for kind in runners}
    for _ in range(args.repeat):
        for kind, runner in runners.items():
            times[kind].append(runner.microseconds(args.seconds))
    row = {kind: statistics.median(values) for kind, values in times.items()}
    rewards = [float(np.mean(runners[kind].rewards)) for kind in ('double', 'gymnasium')]
    row |= {f'{peer}/{kind}': row[peer] / row[kind] for peer in ('gymnasium', 'envpool') if peer in row
            for kind in ('double', 'float')}
    return row | {'rewards': rewards, 'python': share_of_python(runners['double'])}


def main():
    global clock
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--worlds', type=int, default=4096)
    parser.add_argument('--peer-worlds', type=int, default=32)
    parser.add_argument('--nthread', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=0.5)
    parser.add_argument('--repeat', type=int, default=5)
    parser.add_argument('--match', default='*')
    parser.add_argument('--json', type=pathlib.Path)
    parser.add_argument('--cpu', action='store_true')
    args = parser.parse_args()
    if args.cpu:
        clock = time.process_time
    warnings.simplefilter('ignore')
    rows = {}
    print(f'{"environment":24} {"gymnasium":>9} {"envpool":>8} {"double":>7} {"float":>7} {"ratio":>6} {"float":>6} '
          f'{"python":>6} {"rewards":>17}')
    for name in filter(lambda name: fnmatch.fnmatch(name, args.match), lockstep.gym.environments):
        row = rows[name] = measure(name, args)
        print(f'{name:24} {row["gymnasium"]:9.1f} {row.get("envpool", math.nan):8.2f} {row["double"]:7.2f} '
              f'{row["float"]:7.2f} {row["gymnasium/double"]:6.1f} {row["gymnasium/float"]:6.1f} {row["python"]:6.0%} '
              f'{row["rewards"][0]:8.2f} {row["rewards"][1]:8.2f}', flush=True)
    for kind in [key for key in next(iter(rows.values())) if '/' in key]:
        ratios = [row[kind] for row in rows.values()]
        print(f'{kind}: geometric mean {statistics.geometric_mean(ratios):.1f}, smallest {min(ratios):.1f}')
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        result = {'worlds': args.worlds, 'nthread': args.nthread, 'environments': rows}
        args.json.write_text(json.dumps(result, indent=1) + '\n')


if __name__ == '__main__':
    main()
