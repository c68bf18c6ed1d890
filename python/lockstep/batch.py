"""Many worlds at once. The batch is built after the engine; until then asking for one says so."""


class Batch:
    """A batch of worlds: not part of this version."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError('lockstep.batch.Batch is not part of this version: models can be loaded, not stepped yet')
