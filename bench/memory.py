#!/usr/bin/env python3
"""memory.py: what a world costs in a batch of Lockstep, in mujoco.batch and as an MjData of its own.

    bench/memory.py [--nsim N] [--match PATTERN] [--json FILE]

Each is made, stepped once and measured in a process of its own: resident memory with N worlds less that with one,
divided by N. `row` is the state of a world in bytes, which nothing can be below; `work` what one thread of a batch works in, for
all lanes at once, contacts and rows not counted. `total` is all memory of the process with N worlds in double.
"""
import argparse
import fnmatch
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'tests' / 'python'))
DATAS = 20  # MjData are large: so many tell


def resident():
    """Bytes of memory in use by this process."""
    return int(pathlib.Path('/proc/self/statm').read_text().split()[1]) * 4096


def measure(kind, path, nsim):
    """In a process of its own: prints memory of nsim worlds."""
    import lockstep
    import lockstep.batch
    import mujoco
    import mujoco.batch
    import numpy as np
    api = mujoco if kind.startswith('mujoco') else lockstep
    model = api.MjModel.from_xml_path(path)
    work = 0
    if kind.endswith('data'):
        worlds = [api.MjData(model) for _ in range(nsim)]
        for data in worlds:
            api.mj_step(model, data)
    else:
        options = {'dtype': np.float32} if kind == 'lockstep float' else {}
        worlds = api.batch.Batch(model, nsim, 1, **options)
        worlds.step()
        work = worlds._b.work_bytes if kind == 'lockstep' else 0
    print(json.dumps({'bytes': resident(), 'work': work, 'row': 8 * api.mj_stateSize(model, (1 << 15) - 1)}))


def per_world(kind, path, nsim):
    def ask(count):
        out = subprocess.run([sys.executable, '-W', 'ignore', __file__, '--measure', kind, str(path), str(count)],
                             check=True, capture_output=True, text=True).stdout
        return json.loads(out)
    one, many = ask(1), ask(nsim)
    return (many['bytes'] - one['bytes']) / max(nsim - 1, 1), one['row'], many['work'], many['bytes']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--nsim', type=int, default=20_000)
    parser.add_argument('--match', default='*', help='only models whose label matches')
    parser.add_argument('--json', type=pathlib.Path)
    args = parser.parse_args()
    import one_world
    kinds = {'lockstep': args.nsim, 'lockstep float': args.nsim, 'mujoco': args.nsim,
             'lockstep data': DATAS, 'mujoco data': DATAS}
    columns = 'row', *kinds, 'work', 'total'
    print('bytes per world' + ' ' * 31 + ''.join(f'{kind:>15}' for kind in columns))
    rows = {}
    for path in one_world.models():
        label = one_world.parity.label(path)
        if not fnmatch.fnmatch(label, args.match):
            continue
        row = rows[label] = {}
        for kind, count in kinds.items():
            row[kind], row['row'], work, total = per_world(kind, path, count)
            row.setdefault('work', work), row.setdefault('total', total)
        print(f'{label:46}' + ''.join(f'{row[kind]:15,.0f}' for kind in columns), flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1))


if __name__ == '__main__':
    if sys.argv[1:2] == ['--measure']:
        measure(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
