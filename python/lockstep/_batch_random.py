"""Fields of MjModel drawn for each simulation of a batch."""
import numpy as np

from lockstep._batch_ids import sorted_ids
from lockstep.streams import Streams


class Randomized:
    """What a Batch can draw."""

    def randomize(self, name, low, high, how='scale', shared=False, seed=0, ids=None):
        """Draws a field of MjModel for each simulation, uniformly between ``low`` and ``high``; returns all values.

        ``how`` says what the numbers are: factors of the model's values (``'scale'``), offsets (``'add'``) or the values
        (``'set'``). Every element of the field has a number of its own, or, if ``shared``, all of a simulation have one;
        ``low`` and ``high`` may be arrays that fit the field. What a simulation draws depends on seed, field and its id alone.
        ``set_const()`` then updates what follows from the field.
        """
        if how not in ('scale', 'add', 'set'):
            raise ValueError(f"how should be 'scale', 'add' or 'set', got {how!r}")
        values = self.expand(name)
        if values.dtype.kind != 'f':
            raise ValueError(f'{name} holds integers')
        ids = sorted_ids(ids, self.nsim)
        worlds = np.arange(self.nsim) if ids is None else ids
        shape = values.shape[1:]
        streams = Streams(self.nsim)
        key = np.random.SeedSequence([seed, *name.encode()]).generate_state(1, np.uint64)[0]
        streams.seed(worlds, worlds.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + key)
        count = 1 if shared else int(np.prod(shape))
        part = streams.uniform(worlds, 0.0, 1.0, count).reshape(len(worlds), *([1] * len(shape) if shared else shape))
        numbers = low + (np.asarray(high) - low) * part
        if not np.isfinite(numbers).all():
            raise ValueError('low and high should be finite')
        base = self._own_value(name)
        values[worlds] = {'scale': base * numbers, 'add': base + numbers, 'set': numbers}[how]
        return values

    def _own_value(self, name):
        """The value of a field of MjModel that all simulations start with."""
        return np.asarray(getattr(self.model.opt, name[4:]) if name.startswith('opt.') else getattr(self.model, name))
