"""Fields of MjData as the functions of an environment see them: ``d.qpos`` has a row per world."""
import difflib

import numpy as np

from lockstep.batch import DATA_FIELDS

# mj_resetData clears them, and mj_forward leaves them alone
AFTER_STEPS_ONLY = frozenset(('cacc', 'cfrc_int', 'cfrc_ext'))


class Fields:
    """Fields of all worlds: live arrays, bound when first read; once closed, no others can be read."""

    def __init__(self, batch):
        self._batch, self._open = batch, True

    def __getattr__(self, name):
        if name not in DATA_FIELDS:
            close = difflib.get_close_matches(name, DATA_FIELDS, 1)
            raise AttributeError(f'MjData has no field {name!r}{f": did you mean {close[0]!r}?" if close else ""}')
        if not self._open:
            raise AttributeError(f'{name} was not read when the environment was made: name it in fields=')
        array = self.__dict__[name] = self._batch.bind(name)
        return array

    def close(self):
        self._open = False


class Rows:
    """Fields of some worlds that were just reset."""

    def __init__(self, fields, worlds):
        self._fields, self._worlds = fields, worlds

    def __getattr__(self, name):
        array = getattr(self._fields, name)
        if name in AFTER_STEPS_ONLY:
            return np.zeros((len(self._worlds), *array.shape[1:]), array.dtype)
        return array[self._worlds]
