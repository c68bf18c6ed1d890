"""Teaches a HalfCheetah to run: PPO in NumPy on 512 worlds, with progress on the terminal and a learning curve.

usage: .venv/bin/python examples/03_train_ppo.py [picture.png] [millions of steps] [environment]
"""
import os
import sys
import time

os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')  # for small matrices: more threads would wait for each other

import gymnasium  # noqa: E402
import matplotlib  # noqa: E402
matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

import lockstep.gym  # noqa: E402

picture, millions, name = (sys.argv[1:] + ['learning_curve.png', '3', 'HalfCheetah'][len(sys.argv) - 1:])[:3]
WORLDS, STEPS, EPOCHS, MINIBATCH = 512, 64, 5, 4096
GAMMA, LAMBDA, CLIP, RATE = 0.99, 0.95, 0.2, 1e-3
rng = np.random.default_rng(0)


class Net:
    """Two hidden layers of tanh, trained by Adam."""

    def __init__(self, inputs, outputs, gain):
        sizes = [inputs, 64, 64, outputs]
        scales = [1, 1, gain]
        self.p = [s * rng.normal(size=(i, o)) / np.sqrt(i) for i, o, s in zip(sizes, sizes[1:], scales)]
        self.p = [w.astype(np.float32) for w in self.p] + [np.zeros(o, np.float32) for o in sizes[1:]]
        self.m, self.v, self.t = [0] * 7, [0] * 7, 0

    def __call__(self, x):
        self.layers = [x]
        for layer in range(3):
            x = x @ self.p[layer] + self.p[layer + 3]
            self.layers.append(x := np.tanh(x) if layer < 2 else x)
        return x

    def learn(self, slope, rate, *more):
        """One step down, given the slope of the loss by the outputs (and by further parameters)."""
        slopes = [None] * 6
        for layer in (2, 1, 0):
            slopes[layer], slopes[layer + 3] = self.layers[layer].T @ slope, slope.sum(0)
            slope = slope @ self.p[layer].T * (1 - self.layers[layer]**2)
        slopes += more
        norm = np.sqrt(sum((g**2).sum() for g in slopes))
        self.t += 1
        for i, g in enumerate(slopes):
            g = g * min(1, 0.5 / norm)
            self.m[i], self.v[i] = 0.9 * self.m[i] + 0.1 * g, 0.999 * self.v[i] + 0.001 * g**2
            self.p[i] -= rate * self.m[i] / (1 - 0.9**self.t) / (np.sqrt(self.v[i] / (1 - 0.999**self.t)) + 1e-8)


class Scale:
    """Running mean and spread."""

    def __init__(self):
        self.count, self.mean, self.square = 1e-4, 0, 1e-4

    def add(self, x):
        self.count += len(x)
        self.mean = self.mean + (x.mean(0) - self.mean) * len(x) / self.count
        self.square = self.square + ((x**2).mean(0) - self.square) * len(x) / self.count
        self.spread = np.sqrt(np.maximum(self.square - self.mean**2, 0)) + 1e-4

    def __call__(self, x):
        return np.clip((x - self.mean) / self.spread, -10, 10).astype(np.float32)


envs = gymnasium.make_vec(f'lockstep/{name}-v5', num_envs=WORLDS, dtype=np.float32, autoreset_mode='SameStep')
limit = envs.single_action_space.high
width = envs.single_observation_space.shape[0]
policy, critic = Net(width, limit.size, 0.01), Net(width, 1, 1)
policy.p.append(np.full(limit.size, -0.5, np.float32))  # logarithm of the spread of actions
seen, returns = Scale(), Scale()


def log_density(actions, means):
    return (-0.5 * ((actions - means) / np.exp(policy.p[6]))**2 - policy.p[6]).sum(1)


def collect(raw, sums):
    """Acts for some steps: what was seen, done, rewarded; advantages and values learned from it."""
    rows, rewards = [], []
    for _ in range(STEPS):
        seen.add(raw)
        x = seen(raw)
        means, values = policy(x), critic(x)[:, 0]
        actions = means + np.exp(policy.p[6]) * rng.normal(size=means.shape).astype(np.float32)
        raw, reward, terminated, truncated, infos = envs.step(np.clip(actions, -1, 1) * limit)
        ends, after = terminated | truncated, np.zeros(WORLDS, np.float32)
        if ends.any():  # an episode that was cut off would have gone on
            after[ends] = critic(seen(np.stack(infos['final_obs'][ends])))[:, 0] * ~terminated[ends]
        sums = sums * GAMMA * ~ends + reward
        returns.add(sums)
        rewards.append(reward.mean())
        rows.append((x, actions, log_density(actions, means), values, reward / returns.spread, ends, after))
    x, actions, density, values, reward, ends, after = (np.array(part) for part in zip(*rows))
    nexts = np.where(ends, after, np.concatenate([values[1:], critic(seen(raw)).T]))
    steps, advantage = reward + GAMMA * nexts - values, np.zeros((STEPS + 1, WORLDS))
    for t in reversed(range(STEPS)):
        advantage[t] = steps[t] + GAMMA * LAMBDA * ~ends[t] * advantage[t + 1]
    targets = advantage[:-1] + values
    parts = x, actions, density, advantage[:-1], targets
    flat = [part.reshape(STEPS * WORLDS, *part.shape[2:]).astype(np.float32) for part in parts]
    return flat, np.mean(rewards), raw, sums


def improve(x, actions, density, advantage, targets, rate):
    for _ in range(EPOCHS):
        for rows in np.array_split(rng.permutation(len(x)), len(x) // MINIBATCH):
            a = (advantage[rows] - advantage[rows].mean()) / (advantage[rows].std() + 1e-6)
            means, spread = policy(x[rows]), np.exp(policy.p[6])
            z = (actions[rows] - means) / spread
            ratio = np.exp(log_density(actions[rows], means) - density[rows])
            inside = np.where(a > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            slope = (-a * ratio * inside / len(rows))[:, None]
            policy.learn(slope * z / spread, rate, (slope * (z**2 - 1)).sum(0))
            critic.learn((critic(x[rows]) - targets[rows, None]) / len(rows), rate)


raw, sums, curve, start = envs.reset(seed=0)[0], np.zeros(WORLDS), [], time.perf_counter()
rounds = max(2, round(float(millions) * 1e6 / (WORLDS * STEPS)))
for i in range(rounds):
    batch, reward, raw, sums = collect(raw, sums)
    improve(*batch, RATE * (1 - i / rounds))
    if i < 15:  # not all episodes should end at once
        raw, _ = envs.reset(options={'ids': np.arange(i, WORLDS, 15)})
    curve.append(((i + 1) * WORLDS * STEPS, reward, time.perf_counter() - start))
    if i % 5 == 0 or i == rounds - 1:
        print(f'{curve[-1][0]:9,} steps  {curve[-1][2]:6.1f} s  reward per step {reward:7.3f}', flush=True)

steps, rewards, seconds = np.array(curve).T
figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
axes.plot(steps / 1e6, rewards)
axes.set(xlabel='environment steps, millions', ylabel='reward per step', ylim=(min(0, rewards.min()), None),
         title=f'{name}: PPO in NumPy on {WORLDS} worlds of Lockstep, {seconds[-1] / 60:.1f} minutes')
if envs.spec.reward_threshold:
    solved = envs.spec.reward_threshold / envs.spec.max_episode_steps
    axes.axhline(solved, color='k', lw=0.8, ls=':', label='counts as solved')
    axes.legend()
axes.grid(alpha=0.3)
figure.savefig(picture, dpi=100)
print(f'from {rewards[0]:.2f} to {rewards[-1]:.2f} reward per step in {seconds[-1]:.0f} s; {picture}')
