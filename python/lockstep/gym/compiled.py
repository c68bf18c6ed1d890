"""Observation and reward by a compiled task (src/env/task.h), which each world runs in the thread that steps it."""
import numpy as np

from lockstep import _core


class Compiled:
    """What an environment computes with the task that it names.

    The task gets all options that are numbers, and ``settings()`` of the environment.
    """

    def __init__(self, env):
        settings = {name: getattr(env, name, None) for name in env._options} | env.settings()
        numbers = {name: np.ravel(value).astype(np.float64).tolist() for name, value in settings.items()
                   if np.asarray(value).dtype.kind in 'bif'}
        self._env, self._batch = env, env.batch
        self._core = _core._Environment(env.batch._b, str(env.task), numbers)
        self.structure = dict(self._core.observation)
        reports = self._core.reports
        self._reports, self._width = _columns(reports)
        self._start_reports, self._start_width = _columns(reports[:self._core.start_reports])
        self._types = {name: kind for name, kind in env.info_types.items() if name in self._reports}

    def advance(self, actions, running, observations):
        """Simulates worlds (a mask, or None for all); returns rewards, ends and reports of all, zero for the others."""
        env = self._env
        actions = np.ascontiguousarray(actions, None if actions.dtype in (np.float32, np.float64) else np.float64)
        rewards, terminated = np.zeros(env.num_envs), np.zeros(env.num_envs, bool)
        table = np.zeros((env.num_envs, self._width))
        ids = None if running is None else running.nonzero()[0].astype(np.int32)
        self._batch._run(self._core.step, ids, env.frame_skip, actions, observations, rewards, terminated, table)
        infos = {name: table[:, columns] for name, columns in self._reports.items()}
        for name, kind in self._types.items():
            infos[name] = infos[name].astype(actions.dtype if kind == 'action' else kind)
        return rewards, terminated, infos

    def begin(self, worlds, qpos, qvel, observations):
        """Starts episodes of some worlds; returns reports of those."""
        count, model = len(worlds), self._env.model
        qpos, qvel = (_filled(rows, (count, size)) for rows, size in ((qpos, model.nq), (qvel, model.nv)))
        table = np.zeros((count, self._start_width))
        self._batch._run(self._core.start, worlds.astype(np.int32), qpos, qvel, observations, table)
        return {name: table[:, columns] for name, columns in self._start_reports.items()}


def _filled(rows, shape):
    """Rows as the engine reads them; one may stand for all."""
    return np.ascontiguousarray(rows if rows.shape == shape else np.broadcast_to(rows, shape), np.float64)


def _columns(parts):
    """Where parts stand in a row (a number for those of one cell, else a slice), and how wide that is."""
    columns, start = {}, 0
    for name, size in parts:
        columns[name] = start if size == 1 else slice(start, start + size)
        start += size
    return columns, start
