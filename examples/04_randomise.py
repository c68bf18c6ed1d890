"""Runs one gait in a thousand cheetahs, each with friction and masses of its own, and draws how far they come.

usage: .venv/bin/python examples/04_randomise.py [picture.png] [seconds] [worlds]
"""
import sys

import gymnasium
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

import lockstep.gym  # noqa: E402

picture, seconds, worlds = (sys.argv[1:] + ['randomise.png', '5', '1024'][len(sys.argv) - 1:])[:3]
worlds = int(worlds)
# a gait that was found by trying many: swings of the six motors
FREQUENCY, PHASE, AMPLITUDE = 3.45, (-1.97, 5.49, 2.17, -0.41, -0.1, 3.35), (0.79, 0.77, 0.17, 0.49, 0.72, 0.46)

envs = gymnasium.make_vec('lockstep/HalfCheetah-v5', num_envs=worlds, reset_noise_scale=0.0)
batch, dt = envs.unwrapped.batch, envs.unwrapped.dt

# every world draws its own values; fields of the model that are not drawn stay shared
friction = batch.randomize('geom_friction', 0.2, 2.0, shared=True)[:, 0, 0] / batch.model.geom_friction[0, 0]
torso = batch.model.body('torso').id
low, high = np.ones((2, batch.model.nbody))
low[torso], high[torso] = 0.5, 2.0
load = batch.randomize('body_mass', low, high)[:, torso] / batch.model.body_mass[torso]
batch.expand('body_inertia')[:, torso] *= load[:, None]
batch.set_const()  # what follows from masses

envs.reset(seed=0)
distance = []
for step in range(round(float(seconds) / dt)):
    actions = AMPLITUDE * np.sin(2 * np.pi * FREQUENCY * step * dt + np.array(PHASE))
    *_, infos = envs.step(np.tile(actions, (worlds, 1)))
    distance.append(infos['x_position'])
distance = np.array(distance)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout='constrained')
times = np.arange(1, len(distance) + 1) * dt
left.plot(times, distance[:, :200], color='C0', alpha=0.15, lw=0.7)
left.plot(times, np.median(distance, 1), color='k', label='median')
left.set(xlabel='time, s', ylabel='distance, m', title=f'one gait, {min(200, worlds)} of the worlds')
left.legend()
dots = right.scatter(friction, distance[-1], c=load, s=8)
right.set(xlabel='friction, times that of the model', title=f'distance after {times[-1]:.1f} s, {worlds} worlds')
figure.colorbar(dots, ax=right, label='mass of the torso, times that of the model')
figure.savefig(picture, dpi=100)
correlation = np.corrcoef([friction, load, distance[-1]])[2]
least, most = np.percentile(distance[-1], (5, 95))
print(f'{worlds} worlds, {times[-1]:.1f} s: distances {least:.2f} to {most:.2f} m; '
      f'correlation with friction {correlation[0]:+.2f}, with mass {correlation[1]:+.2f}; {picture}')
