#!/usr/bin/env python3
"""Iterations of the solvers against the number of contacts, in heaps of growing size, for Lockstep and MuJoCo; and from
how many contacts on CG takes less than PGS.

usage: .venv/bin/python bench/solver_iterations.py [picture.png] [--seconds 0.6] [--scene heap|stacks]
"""
import argparse
import time

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


def stacks(count):
    """Stacks of three boxes that do not touch each other: contacts grow, islands do not."""
    bodies = ''.join(f'<body pos="{.4 * (i // 3 % 8):.2f} {.4 * (i // 24):.2f} {.1 + .1999 * (i % 3):.4f}"><freejoint/>'
                     '<geom type="box" size=".1 .1 .1"/></body>' for i in range(count))
    return f'<mujoco><worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>'


SCENES = {'heap': heap, 'stacks': stacks}


def measure(api, xml, solver, seconds):
    """Contacts, iterations of the largest island and milliseconds per step: means once the heap has fallen."""
    m = api.MjModel.from_xml_string(xml)
    m.opt.solver = solver
    d, figures = api.MjData(m), []
    for step in range(int(seconds / m.opt.timestep)):
        start = time.perf_counter()
        api.mj_step(m, d)
        took = time.perf_counter() - start
        if 3 * step > seconds / m.opt.timestep:
            figures.append((d.ncon, d.solver_niter.max(), 1e3 * took))
    return np.mean(figures, axis=0)


def crossover(rows, column):
    """Contacts from which on CG stays below PGS, None if it does not."""
    below = rows['CG'][:, column] < rows['PGS'][:, column]
    first = len(below) - int(np.argmin(below[::-1])) if not below.all() else 0
    return None if first == len(below) else rows['CG'][first, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('picture', nargs='?', default='solver_iterations.png')
    parser.add_argument('--seconds', type=float, default=0.6)
    parser.add_argument('--sizes', type=int, nargs='+', default=[2, 4, 8, 16, 32, 64])
    parser.add_argument('--scene', choices=SCENES, default='heap')
    args = parser.parse_args()
    figure, axes = plt.subplots(figsize=(7, 4.5), layout='constrained')
    print(f'{"solver":8} {"bodies":>6} {"contacts":>9} {"iterations":>10} {"ms":>7} {"MuJoCo":>9} {"its":>6} {"ms":>7}')
    ours_of, theirs_of = {}, {}
    for color, (name, solver) in enumerate(SOLVERS.items()):
        rows = []
        for size in args.sizes:
            ours, theirs = (measure(api, SCENES[args.scene](size), solver, args.seconds) for api in (lockstep, mujoco))
            rows.append((*ours, *theirs))
            print(f'{name:8} {size:6} {ours[0]:9.1f} {ours[1]:10.2f} {ours[2]:7.3f} {theirs[0]:9.1f} {theirs[1]:6.2f} '
                  f'{theirs[2]:7.3f}', flush=True)
        rows = np.array(rows)
        ours_of[name], theirs_of[name] = rows[:, :3], rows[:, 3:]
        axes.loglog(rows[:, 0], rows[:, 1], f'C{color}o-', label=f'{name}, Lockstep')
        axes.loglog(rows[:, 3], rows[:, 4], f'C{color}x--', label=f'{name}, MuJoCo')
    for engine, rows in (('Lockstep', ours_of), ('MuJoCo', theirs_of)):
        for what, column in (('iterations', 1), ('time', 2)):
            found = crossover(rows, column)
            print(f'{engine}: CG takes less {what} than PGS ' + (f'from {found:.0f} contacts on' if found is not None
                                                                   else 'nowhere in this range'))
    axes.set(xlabel='contacts', ylabel='iterations per step', title=f'solver iterations, {args.scene}')
    axes.legend()
    figure.savefig(args.picture, dpi=110)


if __name__ == '__main__':
    main()
