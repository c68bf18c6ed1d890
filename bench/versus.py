#!/usr/bin/env python3
"""versus.py: Lockstep against MuJoCo on the models of the benchmark list, one world and many, 1 and 2 threads.

    bench/versus.py [--worlds N] [--threads 1,2] [--seconds S] [--repeat N] [--match PATTERN] [--mjx] [--out FOLDER]

What is measured, and how, stands in lockstep/bench.py. Writes versus.json, versus.csv and versus.png into the folder
(bench/results by default) and prints the geometric means beside our goals.
"""
import argparse
import csv
import fnmatch
import json
import math
import pathlib
import statistics
import warnings

import one_world

from lockstep import bench

# way: goal of the geometric mean, floor on any model
GOALS = {'one world': (2, 1.2), 'double': (8, 4), 'float': (14, 6)}
SCALING = (1.9, 1.8)  # from 1 to 2 threads


def columns(result, threads):
    """{(way, number of threads): ratio}, and the gain of the second number of threads."""
    found = {(way, nthread): ratio for way, by_thread in result['ratios'].items() for nthread, ratio in by_thread.items()}
    if len(threads) > 1:
        for way in ('double', 'float'):
            times = result['times']['lockstep'][way]
            found[way, f'{threads[0]} to {threads[1]}'] = times[threads[0]][0] / times[threads[1]][0]
    return found


def summary(rows):
    """Lines of text: geometric mean and smallest of each column, with goals."""
    for key in next(iter(rows.values())):
        values = [row[key] for row in rows.values()]
        way, nthread = key
        mean, floor = SCALING if isinstance(nthread, str) else GOALS[way]
        yield (f'{way:10} {nthread!s:>7} threads: geometric mean {math.exp(statistics.fmean(map(math.log, values))):6.2f} '
               f'(goal {mean:g}), smallest {min(values):6.2f} (goal {floor:g})')


def draw(rows, path):
    import matplotlib
    matplotlib.use('Agg')
    import matplotlib.pyplot as plt
    names = list(rows)[::-1]
    figure, axes = plt.subplots(figsize=(9, 0.34 * len(names) + 1.6), layout='constrained')
    for offset, way in zip((0.27, 0, -0.27), GOALS):
        key = next(key for key in rows[names[0]] if key[0] == way)
        axes.barh([i + offset for i in range(len(names))], [rows[name][key] for name in names], 0.26,
                  label=f'{way}, {key[1]} thread')
    axes.axvline(1, color='k', lw=1)
    axes.set(yticks=range(len(names)), yticklabels=[name.replace('gymnasium/envs/mujoco/assets', 'gymnasium') for name in names],
             xlabel='times as fast as the fastest of mj_step, mujoco.batch and mujoco.rollout', ylim=(-0.6, len(names) - 0.4))
    axes.legend(loc='lower right')
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--worlds', type=int, default=4096)
    parser.add_argument('--threads', default='1,2')
    parser.add_argument('--seconds', type=float, default=1.0, help='to measure each way of each model for')
    parser.add_argument('--repeat', type=int, default=5)
    parser.add_argument('--match', default='*')
    parser.add_argument('--mjx', action='store_true', help='MJX on the CPU too, where it is installed: minutes per model')
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path(__file__).parent / 'results')
    args = parser.parse_args()
    warnings.simplefilter('ignore')
    threads = [int(word) for word in args.threads.split(',')]
    results, rows = {}, {}
    for path in one_world.models():
        label = one_world.parity.label(path)
        if not fnmatch.fnmatch(label, args.match):
            continue
        results[label] = bench.measure(str(path), args.worlds, threads, args.seconds, args.repeat, args.mjx)
        rows[label] = columns(results[label], threads)
        print(f'{label:46} drift {results[label]["drift"]:.0e} contacts {results[label]["contacts lockstep"]:5.1f} '
              f'{results[label]["contacts mujoco"]:5.1f} ' +
              '  '.join(f'{way} {nthread}: {ratio:.2f}' for (way, nthread), ratio in rows[label].items()) +
              ''.join(f'  mjx {way} {nthread}: {ratio:.1f}' for way, by_thread in results[label].get('mjx ratios', {}).items()
                      for nthread, ratio in by_thread.items()), flush=True)
    print('\n'.join(summary(rows)))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / 'versus.json').write_text(json.dumps(results, indent=1) + '\n')
    with open(args.out / 'versus.csv', 'w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file)
        writer.writerow(['model', *(f'{way}, {nthread} threads' for way, nthread in next(iter(rows.values())))])
        writer.writerows([label, *(f'{value:.3f}' for value in row.values())] for label, row in rows.items())
    draw(rows, args.out / 'versus.png')
    print(f'{args.out}/versus.json, versus.csv, versus.png')


if __name__ == '__main__':
    main()
