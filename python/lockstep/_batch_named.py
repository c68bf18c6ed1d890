"""One object in every simulation of a batch: ``batch.body('torso')``, ``batch.joint(3)``."""
import numpy as np

from lockstep._batch_fields import DATA_FIELDS, MODEL_FIELDS, STATE, is_result, similar

# kinds of named objects; the second group has no results
_KINDS = ('actuator', 'body', 'camera', 'geom', 'joint', 'light', 'sensor', 'site', 'tendon')
_MODEL_KINDS = ('equality', 'keyframe', 'material', 'numeric', 'pair')


class Named:
    """One object in every simulation: ``batch.joint('hinge').qpos`` is ``(nsim, 1)``.

    Attributes are those of the views of MjData and MjModel. Results bind their field. Parameters are read as they are,
    shared or not; writing one expands its field.
    """

    _where = {}  # (kind, attribute, of the model) -> field and shift of the first cell from the object's view

    def __init__(self, batch, kind, key, results):
        parameters = getattr(batch.model, kind)(key)
        views = {False: getattr(batch._data, kind)(key) if results else None, True: parameters}
        self.__dict__.update(_batch=batch, _kind=kind, _views=views, id=parameters.id, name=parameters.name)

    def __getattr__(self, name):
        return self._part(name, write=False)

    def __setattr__(self, name, value):
        if name.startswith('_') or name in ('id', 'name'):
            raise AttributeError(f'{name} cannot be set')
        self._part(name, write=True)[...] = value

    def _part(self, name, write):
        known = False
        for of_model, view in self._views.items():
            part = getattr(view, name, None)
            if not isinstance(part, np.ndarray):
                continue
            known = True
            if not part.size:
                return _read_only(np.empty((self._batch.nsim, *part.shape), part.dtype))
            field = self._field(name, of_model, part)
            if field:
                return self._parameter(name, field, part, write) if of_model else self._result(name, field, part, write)
        if known:
            raise AttributeError(f'{self._kind} {name} is not a slice of a field that a batch holds')
        names = [n for view in self._views.values() for n in dir(view)]
        raise AttributeError(f'{name} is not a field of a {self._kind}{similar(name, names)}')

    def _owner(self, of_model):
        return self._batch.model if of_model else self._batch._data

    def _field(self, name, of_model, part):
        """The field whose memory holds a part; which one does not depend on the model."""
        key = self._kind, name, of_model
        if key not in self._where:
            names = MODEL_FIELDS if of_model else DATA_FIELDS
            holds = (n for n in names if _offset(getattr(self._owner(of_model), n, None), part) is not None)
            field = next(holds, None)
            if field is None:
                return None
            self._where[key] = field
        return self._where[key]

    def _slice(self, rows, field, of_model, part):
        start = _offset(getattr(self._owner(of_model), field), part)
        flat = rows.reshape(self._batch.nsim, -1)
        return flat[:, start:start + part.size].reshape(self._batch.nsim, *part.shape)

    def _result(self, name, field, part, write):
        if write and field not in STATE:
            raise is_result(f'{self._kind} {name}')
        return self._slice(self._batch.bind(field), field, False, part)

    def _parameter(self, name, field, part, write):
        batch, shape = self._batch, (self._batch.nsim, *part.shape)
        if batch.models is not None:
            if write:
                raise ValueError(f'{field} belongs to the models given to set_models: edit those and set them again')
            models = map(batch._model_of, range(batch.nsim))
            return _read_only(np.stack([getattr(getattr(m, self._kind)(self.id), name) for m in models]))
        if field not in batch._expanded and _structural(field, part):
            if write:
                raise ValueError(f'{field} is structural: it is the same in all simulations')
            return np.broadcast_to(part, shape)
        rows = batch.expand(field) if write or field in batch._expanded else batch.expanded(field)
        return np.broadcast_to(part, shape) if rows is None else self._slice(rows, field, True, part)


def add_kinds(batch_class):
    """batch.body('torso'), batch.joint(3) ..."""

    def named(kind, results):
        return lambda self, key: Named(self, kind, key, results)

    for kind in _KINDS + _MODEL_KINDS:
        method = named(kind, kind in _KINDS)
        method.__name__, method.__doc__ = kind, f'What belongs to one {kind}, in every simulation.'
        setattr(batch_class, kind, method)


def _offset(full, part):
    """Where a part begins in an array, in cells; None if it is not part of it."""
    if not isinstance(full, np.ndarray) or full.dtype != part.dtype:
        return None
    shift = part.__array_interface__['data'][0] - full.__array_interface__['data'][0]
    return shift // full.itemsize if 0 <= shift <= full.nbytes - part.nbytes else None


def _structural(field, part):
    """Whether a field holds addresses, counts, ids or types."""
    ends = field.endswith(('adr', 'num', 'id', 'type')) and not field.endswith('contype')
    return ends and part.dtype.kind in 'iu'


def _read_only(array):
    array.flags.writeable = False
    return array
