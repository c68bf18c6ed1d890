#!/usr/bin/env python3
"""Iterations of the solvers against the number of contacts, in heaps of growing size, for Lockstep and MuJoCo.

usage: .venv/bin/python bench/solver_iterations.py [picture.png] [--seconds 0.6]
"""
import argparse

import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402

import lockstep  # noqa: E402

SOLVERS = {'Newton': 2, 'CG': 1, 'PGS': 0}


def heap(count):
    rng = np.random.default_rng(0)
    width = 0.06 * count ** (1 / 3)
    shapes = ('<geom size=".05"/>', '<geom type="box" size=".05 .04 .03"/>', '<geom type="capsule" size=".03 .04"/>')
    bodies = ''.join(f'<body pos="{x:.3f} {y:.3f} {.05 + .1 * i / width / 10:.3f}"><freejoint/>{shapes[i % 3]}</body>'
                     for i, (x, y) in enumerate(rng.uniform(-width, width, (count, 2))))
    return f'<mujoco><worldbody><geom type="plane" size="2 2 1"/>{bodies}</worldbody></mujoco>'


def measure(api, xml, solver, seconds):
    """Mean contacts and mean iterations per step once the heap has fallen; the largest island counts for MuJoCo."""
    m = api.MjModel.from_xml_string(xml)
    m.opt.solver = solver
    d, figures = api.MjData(m), []
    for step in range(int(seconds / m.opt.timestep)):
        api.mj_step(m, d)
        if 3 * step > seconds / m.opt.timestep:
            figures.append((d.ncon, d.solver_niter.max()))
    return np.mean(figures, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('picture', nargs='?', default='solver_iterations.png')
    parser.add_argument('--seconds', type=float, default=0.6)
    parser.add_argument('--sizes', type=int, nargs='+', default=[2, 4, 8, 16, 32, 64])
    args = parser.parse_args()
    figure, axes = plt.subplots(figsize=(7, 4.5), layout='constrained')
    print(f'{"solver":8} {"bodies":>6} {"contacts":>9} {"iterations":>10} {"MuJoCo":>9} {"its":>6}')
    for color, (name, solver) in enumerate(SOLVERS.items()):
        rows = []
        for size in args.sizes:
            ours, theirs = (measure(api, heap(size), solver, args.seconds) for api in (lockstep, mujoco))
            rows.append((*ours, *theirs))
            print(f'{name:8} {size:6} {ours[0]:9.1f} {ours[1]:10.2f} {theirs[0]:9.1f} {theirs[1]:6.2f}', flush=True)
        rows = np.array(rows)
        axes.loglog(rows[:, 0], rows[:, 1], f'C{color}o-', label=f'{name}, Lockstep')
        axes.loglog(rows[:, 2], rows[:, 3], f'C{color}x--', label=f'{name}, MuJoCo')
    axes.set(xlabel='contacts', ylabel='iterations per step', title='solver iterations in heaps')
    axes.legend()
    figure.savefig(args.picture, dpi=110)


if __name__ == '__main__':
    main()
