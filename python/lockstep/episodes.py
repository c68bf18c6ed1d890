"""Worlds of a batch that live in episodes, with all results in one array.

    batch = Batch(model, 4096)
    episodes = Episodes(batch, nstep=5, reward=lambda d, actions: d.qvel[:, 0], max_seconds=10)
    episodes.reset()
    for _ in range(1000):
        states, rewards, terminated, truncated, errors = episodes.step(policy(episodes.states))

A step holds a row of actions per world for ``nstep`` steps of the simulation. Worlds that came to an end (``terminated``)
or whose time is over (``truncated``) begin anew at their next step, which takes no action, and gives no reward. Nothing here
needs Gymnasium; ``lockstep.gym`` has its environments.

The arrays are live and lie in one block of memory, ``results``, whose layout is frozen (src/env/results.h). It may be given:
``out=numpy.frombuffer(shared_memory.buf, numpy.uint8)`` shows all results to another process.
"""
import collections

import numpy as np

from lockstep import _core
from lockstep._batch_ids import sorted_ids
from lockstep.batch import refuse_callbacks

Results = collections.namedtuple('Results', 'states rewards terminated truncated errors')

REFUSED = -1  # an error whose message is in Batch.error; others are a mjtWarning and one


class Episodes:
    """Episodes of all worlds of a ``Batch``.

    ``reward(batch, actions)`` and ``terminated(batch)`` are functions of arrays with a row per world (``batch.qpos[:, 0]``);
    in their place may stand ``task``, the name or path of a compiled one (docs/gym.md), with ``settings``, numbers by name,
    whose ``observations`` are refreshed too.

    ``max_steps`` and ``max_seconds`` limit episodes, one number for all worlds or one each; None: no limit. A world whose
    state becomes NaN, enormous or singular has an entry in ``errors`` and reward 0; with ``on_failure='reset'`` it is
    terminated and begins anew at its next step, with ``'keep'`` it keeps its last good state and goes on. Its neighbours do
    not notice. Without ``autoreset`` only ``reset`` begins episodes. They begin where ``starts`` says: a row of positions
    and velocities per world, at first the model's, which may be written at any time.
    """

    def __init__(self, batch, nstep=1, *, reward=None, terminated=None, task=None, settings=None, max_steps=None,
                 max_seconds=None, on_failure='reset', autoreset=True, out=None):
        if task is not None and (reward or terminated):
            raise TypeError('either functions or a task')
        if on_failure not in ('reset', 'keep'):
            raise ValueError(f"on_failure should be 'reset' or 'keep', got {on_failure!r}")
        if nstep < 1:
            raise ValueError(f'nstep should be positive, got {nstep}')
        self.batch, self.nstep, self._reward, self._terminated = batch, nstep, reward, terminated
        self.results, arrays = _arrays(batch, out)
        numbers = {name: np.ravel(value).astype(np.float64).tolist() for name, value in (settings or {}).items()}
        self._core = core = _core._Episodes(batch._b, self.results, None if task is None else str(task), numbers,
                                            on_failure == 'keep', autoreset)
        self.states, self.rewards, self.terminated, self.truncated, self.errors = self.arrays = arrays
        self.steps, self.starts, self.observations = core.steps(), core.starts(), core.observations()
        self.max_steps, self.max_seconds = core.max_steps(), core.max_seconds()
        if max_steps is not None:
            self.max_steps[:] = max_steps
        if max_seconds is not None:
            self.max_seconds[:] = max_seconds
        if reward or terminated:
            self._learn_fields()

    def step(self, actions):
        """Advances all worlds; returns the live ``Results``."""
        actions = np.asarray(actions)
        kind = actions.dtype if actions.dtype in (np.float32, np.float64) else np.float64
        actions = np.ascontiguousarray(np.broadcast_to(actions, self.batch.ctrl.shape), kind)
        refuse_callbacks()
        self._core.step(actions, self.nstep)
        if self._reward or self._terminated:
            self._judge(actions)
        return self.arrays

    def reset(self, ids=None):
        """Begins episodes of some worlds (ids, or a mask), or of all; returns the live ``Results``."""
        ids = sorted_ids(ids, self.batch.nsim)
        refuse_callbacks()
        self._core.reset(ids)
        return self.arrays

    def _learn_fields(self):
        """Runs the functions once: fields that they read are bound, and copied out from now on."""
        self.batch.forward()
        with np.errstate(all='ignore'):
            if self._reward:
                self._reward(self.batch, np.zeros(self.batch.ctrl.shape))
            if self._terminated:
                self._terminated(self.batch)

    def _judge(self, actions):
        """Rewards and ends of worlds that took a step and did not fail."""
        stepped = (self.steps > 0) & (self.errors == 0)
        if self._reward:
            np.copyto(self.rewards, self._reward(self.batch, actions), where=stepped)
        if self._terminated:
            np.copyto(self.terminated, self._terminated(self.batch), where=stepped)


def _arrays(batch, out):
    """The block of results, and the arrays in it."""
    count, size, number = batch.nsim, batch.model.nq + batch.model.nv, batch.dtype
    layout = _core._result_layout(count, size, number == np.float32)
    if out is None:
        out = np.zeros(layout[''], np.uint8)
    elif not (isinstance(out, np.ndarray) and out.dtype == np.uint8 and out.ndim == 1 and out.flags.c_contiguous):
        raise TypeError('out should be a contiguous array of uint8 with one dimension')

    def array(name, dtype, *shape):
        start = layout[name]
        return out[start:start + count * int(np.prod(shape)) * np.dtype(dtype).itemsize].view(dtype).reshape(count, *shape)

    if out.nbytes != layout['']:
        raise ValueError(f'out should have {layout[""]} bytes, got {out.nbytes}')
    return out, Results(array('states', number, size), array('rewards', np.float64), array('terminated', bool),
                        array('truncated', bool), array('errors', np.int32))
