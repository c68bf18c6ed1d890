#!/usr/bin/env python3
"""Time to load and compile models, Lockstep and MuJoCo alternately in one run: a table of ratios.

usage: .venv/bin/python bench/compile_time.py [--repeat 5] [--match GLOB] [--json FILE] [MODEL ...]

Without models: those of the gymnasium and dm_control packages and of models/. MuJoCo's asset cache is emptied before
each of its runs, because a second load from the cache is not a compilation. A ratio above 1 means Lockstep is faster.
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
import parity  # noqa: E402

import lockstep  # noqa: E402


def seconds(load, path):
    start = time.perf_counter()
    load(str(path))
    return time.perf_counter() - start


def load_mujoco(path):
    return mujoco.MjModel.from_xml_path(path)


def measure(path, repeat):
    """Median and best seconds of both engines, runs alternating."""
    ours, theirs = [], []
    for _ in range(repeat):
        if hasattr(mujoco, 'mj_clearCache') and hasattr(mujoco, 'mj_getCache'):
            mujoco.mj_clearCache(mujoco.mj_getCache())
        theirs.append(seconds(load_mujoco, path))
        ours.append(seconds(lockstep.MjModel.from_xml_path, path))
    return {'lockstep': statistics.median(ours), 'mujoco': statistics.median(theirs),
            'best_lockstep': min(ours), 'best_mujoco': min(theirs)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('models', nargs='*', type=pathlib.Path)
    parser.add_argument('--repeat', type=int, default=5)
    parser.add_argument('--match', default='*')
    parser.add_argument('--json', type=pathlib.Path)
    args = parser.parse_args()
    paths = args.models or [*parity.package_models(), *parity.own_models()]
    rows = {}
    print(f'{"model":60} {"MuJoCo ms":>10} {"ours ms":>10} {"ratio":>7} {"of best":>7}')
    for path in paths:
        if not fnmatch.fnmatch(parity.label(path), args.match) or parity.load_reference(path) is None:
            continue
        try:
            row = measure(path, args.repeat)
        except ValueError as error:
            print(f'{parity.label(path)[-60:]:60} {str(error).splitlines()[0]}')
            continue
        row['ratio'] = row['mujoco'] / row['lockstep']
        row['best_ratio'] = row['best_mujoco'] / row['best_lockstep']
        rows[parity.label(path)] = row
        print(f'{parity.label(path)[-60:]:60} {1e3 * row["mujoco"]:10.2f} {1e3 * row["lockstep"]:10.2f} '
              f'{row["ratio"]:7.2f} {row["best_ratio"]:7.2f}', flush=True)
    for name in ('ratio', 'best_ratio'):
        mean = math.exp(statistics.fmean(math.log(row[name]) for row in rows.values()))
        print(f'geometric mean of {name} over {len(rows)} models: {mean:.2f}, smallest {min(r[name] for r in rows.values()):.2f}')
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1))


if __name__ == '__main__':
    main()
