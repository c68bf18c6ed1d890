"""Steps thousands of humanoids under random torques with Lockstep and with MuJoCo, and draws some of them and the speed.

usage: .venv/bin/python examples/05_humanoids.py [model.xml] [picture.png] [worlds] [seconds]
"""
import os
import statistics
import sys
import time
import warnings

import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402
import mujoco  # noqa: E402
import mujoco.batch  # noqa: E402
import numpy as np  # noqa: E402

import lockstep  # noqa: E402
import lockstep.batch  # noqa: E402

path, picture, worlds, seconds = (sys.argv[1:] + ['models/humanoid.xml', 'humanoids.png', '4096', '1'][len(sys.argv) - 1:])[:4]
warnings.simplefilter('ignore')
THREADS, CHUNK = os.cpu_count(), 10  # steps between new torques
SHOWN, MOMENTS = 8, (0.12, 0.4, 1)  # humanoids in the picture; parts of the time


class Crowd:
    """Worlds of one engine, and how long their steps took."""

    def __init__(self, api, nsim, **options):
        self.model = api.MjModel.from_xml_path(path)
        self.batch = api.batch.Batch(self.model, nsim, THREADS, **options)
        self.rng, self.times = np.random.default_rng(0), []

    def run(self):
        self.batch.ctrl = self.rng.uniform(-1, 1, self.batch.ctrl.shape)
        start = time.perf_counter()
        self.batch.step(nstep=CHUNK)
        self.times.append((time.perf_counter() - start) / (CHUNK * self.batch.nsim))


def draw(axes, model, places, turns):
    """A humanoid from the side: capsules as thick lines."""
    for geom in np.argsort(-places[:, 1]):
        if model.geom_type[geom] not in (lockstep.mjtGeom.mjGEOM_CAPSULE, lockstep.mjtGeom.mjGEOM_SPHERE):
            continue
        half = turns[geom].reshape(3, 3)[:, 2] * model.geom_size[geom, 1]
        ends = np.array([places[geom] - half, places[geom] + half])
        shade = '#8fb3d9' if places[geom, 1] > 0.05 else '#3b6ea5'
        axes.plot(ends[:, 0], ends[:, 2], lw=125 * model.geom_size[geom, 0], color=shade, solid_capstyle='round')


crowds = {'MuJoCo (mujoco.batch)': Crowd(mujoco, min(int(worlds), 256)),
          'Lockstep, double': Crowd(lockstep, int(worlds)),
          'Lockstep, float': Crowd(lockstep, int(worlds), dtype=np.float32)}
crowd = crowds['Lockstep, double']
places, turns = crowd.batch.bind('geom_xpos'), crowd.batch.bind('geom_xmat')
rounds = max(len(MOMENTS), round(float(seconds) / crowd.model.opt.timestep / CHUNK))
shots = {max(1, round(part * rounds)): row for row, part in enumerate(MOMENTS)}
figure = plt.figure(figsize=(14, 6), layout='constrained')
grid = figure.add_gridspec(len(MOMENTS), SHOWN + 3)
for i in range(rounds):
    for each in crowds.values():
        each.run()
    print(f'\r{(i + 1) * CHUNK * crowd.model.opt.timestep:5.2f} s of {crowd.batch.nsim:,} humanoids', end='', flush=True)
    if i + 1 in shots:
        for world in range(SHOWN):
            axes = figure.add_subplot(grid[shots[i + 1], world])
            draw(axes, crowd.model, places[world], turns[world])
            axes.axhline(0, color='k', lw=1)
            axes.set(aspect='equal', xlim=(-.85, .85), ylim=(-.1, 1.9), xticks=[], yticks=[])
            if world == 0:
                axes.set_ylabel(f'{crowd.batch.time[0]:.2f} s')
print()
speeds = {name: 1 / statistics.median(each.times) for name, each in crowds.items()}
axes = figure.add_subplot(grid[:, SHOWN:])
axes.bar([name.replace(' (', '\n(').replace(', ', '\n') for name in speeds], [speed / 1e3 for speed in speeds.values()], color=['#c0504d', '#3b6ea5', '#8fb3d9'])
axes.set(ylabel='thousand steps of a humanoid per second', title=f'{THREADS} threads')
figure.suptitle(f'Eight of {crowd.batch.nsim:,} humanoids under random torques')
figure.savefig(picture, dpi=80)
peer = speeds['MuJoCo (mujoco.batch)']
for name, speed in speeds.items():
    print(f'{name:24} {speed:12,.0f} steps/s   {speed / peer:5.2f} times MuJoCo')
print(picture)
