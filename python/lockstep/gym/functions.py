"""Observation and reward by NumPy functions of an environment: ``observe``, ``place``, ``judge`` and ``info``.

They get ``d``, which has the fields of MjData with a first dimension for worlds (``d.qpos[:, 0]``), and are pure functions
of arrays. Which fields they read is found by running them once; the batch copies out those and no others.
"""
import numpy as np

import lockstep
from lockstep.gym.fields import Fields, Rows


class Functions:
    """What an environment computes with its own functions."""

    def __init__(self, env):
        self._env, self._batch = env, env.batch
        self._start = env.batch.state[0].copy()
        self._fields = d = Fields(env.batch)
        self._ctrl, self._qpos, self._qvel = d.ctrl, d.qpos, d.qvel
        for name in env.batch._bound:
            getattr(d, name)
        env.batch.forward()
        with np.errstate(all='ignore'):
            parts = env.observe(d)
            place = env.place(d)
            env.judge(d, np.zeros(self._ctrl.shape, np.float32), None if place is None else np.zeros_like(place))
            env.info(d)
        d.close()
        self.structure = {name: part[0].size for name, part in parts.items()}
        ends = np.cumsum(list(self.structure.values())).tolist()
        self._columns = list(zip([0] + ends[:-1], ends))

    def advance(self, actions, running, observations):
        """Simulates worlds (a mask, or None for all); returns rewards, ends and reports of all."""
        env, d = self._env, self._fields
        before = env.place(d)
        if before is not None:
            before = before.copy()
        self._ctrl[...] = actions
        self._batch.step(running, env.frame_skip)
        velocity = None if before is None else ((env.place(d) - before).T / self._seconds()).T
        reward, terminated, terms = env.judge(d, actions, velocity)
        rewards, ends = np.empty(env.num_envs), np.empty(env.num_envs, bool)
        rewards[...], ends[...] = reward, terminated  # also one for all, but no column
        self._write(observations, env.observe(d))
        return rewards, ends, {name: _own(value, env.num_envs) for name, value in (env.info(d) | terms).items()}

    def _seconds(self):
        """Of a step, in each world."""
        own = self._batch.expanded('opt.timestep')
        return self._env.dt if own is None else own * self._env.frame_skip

    def begin(self, worlds, qpos, qvel, observations):
        """Starts episodes of some worlds; returns reports of those."""
        batch = self._batch
        if batch._expanded or batch.models is not None:  # mocap bodies, equalities ... of each world's own
            batch.reset(worlds, stage=lockstep.mjtStage.mjSTAGE_NONE)
        else:
            batch.state[worlds] = self._start
            batch.warning[worlds] = 0
        self._qpos[worlds], self._qvel[worlds] = qpos, qvel
        if batch._bound:  # who reads the state alone needs nothing else
            batch.forward(worlds)
        rows = Rows(self._fields, worlds)
        seen = np.empty((len(worlds), observations.shape[1]), observations.dtype)
        self._write(seen, self._env.observe(rows))
        observations[worlds] = seen
        return self._env.info(rows)

    def _write(self, rows, parts):
        for (start, end), part in zip(self._columns, parts.values()):
            rows[:, start:end] = part.reshape(len(rows), -1)


def _own(value, count):
    """An array that no later step changes, with a row per world."""
    value = np.asarray(value)
    if not value.ndim:
        return np.full(count, value)
    return value if value.flags.owndata else value.copy()
