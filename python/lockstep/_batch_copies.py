"""A batch saved, restored, cloned and pickled, bit for bit."""
import copy


class Copies:
    """What a Batch can do with all of its worlds at once."""

    def save(self):
        """All worlds as bytes: state, warnings, errors, values per simulation and, if persistent, all results."""
        return self._b.save()

    def restore(self, saved):
        """Takes back what ``save`` gave, in a batch of the same model, number of worlds and precision.

        The worlds go on bit for bit. Arrays that were handed out stay valid and show the restored values; bound results
        are refreshed by the next call. Fields that were not expanded then have the model's value again.
        """
        self._b.restore(saved)
        self._models = None
        self._expanded.clear()

    def clone(self):
        """Another batch in the same state, with the same fields bound, that shares nothing with this one."""
        made = object.__new__(type(self))
        made.__dict__.update(model=self.model, dtype=self.dtype, _models=self._models, _bound={}, _expanded={})
        made._take(self._b.clone())
        for name in self._bound:
            made.bind(name)
        return made

    __copy__ = clone

    def __deepcopy__(self, memo):
        return self.clone()

    def __reduce__(self):
        model = copy.copy(self.model)
        self._b.get_shared_model(model)
        width = 1 if self.width == 1 else 0  # else as suits the machine that it comes to
        settings = self.nsim, self.nthread, self.persistent, self.dtype, width
        return _rebuild, (type(self), model, settings, tuple(self._bound), self.save())


def _rebuild(kind, model, settings, bound, saved):
    batch = kind(model, *settings)
    batch.restore(saved)
    for name in bound:
        batch.bind(name)
    return batch
