"""Drops a hundred bodies into a bin with Lockstep and with MuJoCo, and draws what happens.

usage: .venv/bin/python examples/02_drop.py [model.xml] [picture.png] [seconds]
"""
import sys
import time

import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402

import lockstep  # noqa: E402

path, picture, seconds = (sys.argv[1:] + ['models/bin.xml', 'drop.png', '3'][len(sys.argv) - 1:])[:3]
EVERY = 10  # steps between measurements


def drop(api):
    """Time, contacts, energy and microseconds per step; geoms at some moments."""
    m = api.MjModel.from_xml_path(path)
    m.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    d, rows, shots = api.MjData(m), [], []
    chunks = round(float(seconds) / m.opt.timestep / EVERY)
    for chunk in range(chunks):
        start = time.perf_counter()
        api.mj_step(m, d, EVERY)
        spent = (time.perf_counter() - start) / EVERY * 1e6
        rows.append((d.time, d.ncon, d.energy.sum(), spent))
        if chunk in (chunks // 20, chunks // 4, chunks - 1):
            shots.append((d.time, d.geom_xpos.copy()))
    return m, np.array(rows), shots


def draw_scene(axes, m, moment, places):
    moving = [g for g in range(m.ngeom) if m.body_weldid[m.geom_bodyid[g]]]
    for geom in sorted(moving, key=lambda g: -places[g, 1]):
        axes.add_patch(plt.Circle(places[geom, [0, 2]], 0.7 * m.geom_rbound[geom], ec='k', lw=.4, fc=m.geom_rgba[geom]))
    axes.axhline(0, color='k')
    axes.set(title=f'{moment:.2f} s, from the side', aspect='equal', xlim=(-.9, .9), ylim=(-.05, 1.5))


figure, axes = plt.subplots(2, 3, figsize=(12, 7), layout='constrained')
results = {api.__name__: drop(api) for api in (lockstep, mujoco)}
model, _, shots = results['lockstep']
for place, shot in zip(axes[0], shots):
    draw_scene(place, model, *shot)
for column, title in enumerate(('contacts', 'energy, J', 'microseconds per step'), 1):
    for name, (_, rows, _) in results.items():
        axes[1, column - 1].plot(rows[:, 0], rows[:, column], label=name, lw=1)
    axes[1, column - 1].set(title=title, xlabel='time, s')
    axes[1, column - 1].legend()
figure.savefig(picture, dpi=110)
ours, theirs = (results[name][1] for name in ('lockstep', 'mujoco'))
print(f'{model.nbody - 1} bodies, {ours[-1, 0]:.1f} s: {ours[:, 1].mean():.0f} contacts on average '
      f'(MuJoCo {theirs[:, 1].mean():.0f}), {theirs[:, 3].sum() / ours[:, 3].sum():.1f} times as fast as MuJoCo; {picture}')
