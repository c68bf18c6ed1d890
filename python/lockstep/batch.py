"""Many worlds of one model, stepped together.

A world is a row of state; a call carries rows through the lanes of SIMD registers, a block of worlds per thread at a
time, and copies out the fields that were asked for. Every world keeps the bits it would have in an ``MjData`` of its
own, whatever the number of threads and whatever happens in the worlds beside it.

    batch = Batch(model, nsim=4096)
    qpos, ctrl, sensors = batch.qpos, batch.ctrl, batch.sensordata
    for _ in range(1000):
        ctrl[:] = policy(qpos, sensors)
        batch.step(nstep=5)

The API is that of ``mujoco.batch``; ``dtype=numpy.float32`` (ours alone) computes in single precision with twice the
lanes. State fields are views of the rows and may be written; other fields are refreshed by every call. ``cacc``,
``cfrc_int``, ``cfrc_ext``, ``subtree_linvel`` and ``subtree_angmom``, which a step does not need, are computed because
they are bound.
"""

import copy
import functools

import numpy as np

import lockstep
from lockstep import _core
from lockstep._batch_copies import Copies
from lockstep._batch_fields import DATA_FIELDS, MODEL_FIELDS, STATE, advice, is_result
from lockstep._batch_ids import integers
from lockstep._batch_ids import sorted_ids as _ids  # the name that MuJoCo's suite of tests looks for
from lockstep._batch_named import _structural, add_kinds  # noqa: F401  (MuJoCo's suite of tests looks for the first here)
from lockstep._batch_random import Randomized

_CTRL = int(lockstep.mjtState.mjSTATE_CTRL)
_NONE, _ACC = int(lockstep.mjtStage.mjSTAGE_NONE), int(lockstep.mjtStage.mjSTAGE_ACC)

# called in the middle of a step, and who tells whether they are set
_CALLBACKS = {f'mjcb_{name}': getattr(_core, f'get_mjcb_{name}')
              for name in ('control', 'passive', 'sensor', 'act_dyn', 'act_gain', 'act_bias')}

class SimulationError(RuntimeError):
    """Some simulations of a call failed: ``ids``. They kept their state; the others ran."""

    def __init__(self, ids, message, ncall=None):
        self.ids = ids
        names = ', '.join(map(str, ids[:5])) + (', ...' if len(ids) > 5 else '')
        total = f' of {ncall}' if ncall is not None else ''
        super().__init__(f'error in {len(ids)}{total} simulations ({names}); simulation {ids[0]}: {message}')


class Batch(Copies, Randomized):
    """``nsim`` simulations of a copy of ``model`` on ``nthread`` threads (0: all processors).

    ``persistent`` keeps all results of each simulation from call to call, at the price of memory and of lanes.
    ``width`` worlds are stepped side by side (0: as many as suit the processor); results do not depend on it.
    """

    def __init__(self, model, nsim, nthread=0, persistent=False, dtype=np.float64, width=0):
        dtype = np.dtype(dtype)
        if dtype not in (np.float64, np.float32):
            raise ValueError(f'dtype should be float64 or float32, got {dtype}')
        _refuse_sleep(model, persistent)
        refuse_callbacks()
        own = self.__dict__
        own.update(model=model, dtype=dtype, _models=None, _bound={}, _expanded={})
        self._take(_core._Batch(model, nsim, nthread, bool(persistent), dtype == np.float32, width))

    def _take(self, core):
        self.__dict__.update(_b=core, state=core.state(), warning=core.warning(), status=core.status())
        self.status.flags.writeable = False

    nsim = property(lambda self: self._b.nsim)
    nthread = property(lambda self: self._b.nthread)
    nstate = property(lambda self: self._b.nstate)
    width = property(lambda self: self._b.width)
    persistent = property(lambda self: self._b.persistent)

    @functools.cached_property
    def _data(self):
        """Tells the shapes of fields."""
        return lockstep.MjData(self.model)

    def error(self, sim):
        """What went wrong in a simulation in its last call, or ''."""
        return self._b.error(sim)

    # ---- fields of MjData ----

    def bind(self, name):
        """The live ``(nsim, ...)`` array of a field of MjData, one of ``DATA_FIELDS``."""
        if name in STATE:
            return self._state_view(name)
        if name not in self._bound:
            template = self._template(name)
            if name not in DATA_FIELDS or template is None:
                raise self._cannot_bind(name)
            array = self._b.output(name).reshape(self.nsim, *template.shape)
            array.flags.writeable = False
            self._bound[name] = array
        return self._bound[name]

    def dlpack(self, name):
        """What ``bind`` gives, as libraries like to take it over that know no read-only arrays; not to be written."""
        bound = self.bind(name)
        return bound if name in STATE else self._b.output(name).reshape(bound.shape)

    def _state_view(self, name):
        start, count = self._b.state_part(name)
        part = self.state[:, start:start + count]
        return part[:, 0] if name == 'time' else part.reshape(self.nsim, *getattr(self._data, name).shape)

    def _template(self, name):
        """An array with the shape and type of a field; None if there is no such field."""
        value = getattr(self._data, name, None)
        if isinstance(value, np.ndarray):
            return value
        if isinstance(value, float):
            return np.zeros(())
        return np.zeros((), np.int32) if isinstance(value, int) and not isinstance(value, bool) else None

    def _dtype_of(self, template):
        return self.dtype if template.dtype == np.float64 else template.dtype

    def _cannot_bind(self, name):
        if name in MODEL_FIELDS:
            return ValueError(f'{name} is an MjModel field: use expand({name!r})')
        template = self._template(name)
        if template is not None and template.ndim:
            return ValueError(f'{name} lies in the arena, whose size changes with every step: it cannot be bound')
        if template is not None:
            counts = sorted(n for n in DATA_FIELDS if isinstance(getattr(self._data, n), int))
            return ValueError(f'{name} is none of the MjData scalars bind() accepts: {", ".join(counts)}')
        return ValueError(f'{name} is not an array of MjData{advice(name, DATA_FIELDS)}')

    def __getattr__(self, name):
        if name in DATA_FIELDS:
            return self.bind(name)
        hint = '' if name.startswith('__') else advice(name, DATA_FIELDS, fields_of_model=True)
        raise AttributeError(f'Batch has no attribute {name!r}{hint}')

    def __setattr__(self, name, value):
        if name not in DATA_FIELDS:
            object.__setattr__(self, name, value)
        elif name in STATE:
            self.bind(name)[...] = value
        else:
            raise is_result(name)

    # ---- fields of MjModel ----

    def expand(self, name):
        """Gives a field of MjModel (or ``opt.<name>``) values per simulation; returns them, ``(nsim, ...)``.

        After a change of what ``mj_setConst`` reads, ``set_const()`` updates what follows from it.
        """
        if name not in self._expanded:
            rows = self._b.expand(name) if name in MODEL_FIELDS else None
            if rows is None:
                raise self._cannot_expand(name)
            self._expanded[name] = self._shaped(name, rows)
        return self._expanded[name]

    def expanded(self, name):
        """The values per simulation of a field, for reading; None if it was not expanded."""
        if name not in MODEL_FIELDS:
            raise self._cannot_expand(name)
        rows = self._b.expanded(name)
        if rows is not None:
            rows = self._shaped(name, rows)
            rows.flags.writeable = False
        return rows

    def _shaped(self, name, rows):
        """Rows as ``(nsim, ...)``: a scalar option has no further dimension, and boxes of assets are not there."""
        if name.startswith('opt.'):
            return rows.reshape(self.nsim, *np.shape(getattr(self.model.opt, name[4:])))
        inner = getattr(self.model, name).shape[1:]
        cells = int(np.prod(inner))
        count = rows.shape[1] // cells if cells else len(getattr(self.model, name))
        return rows.reshape(self.nsim, count, *inner)

    def _cannot_expand(self, name):
        if name in DATA_FIELDS:
            return ValueError(f'{name} is an MjData field: use bind({name!r})')
        if isinstance(getattr(self.model, name, None), np.ndarray):
            return ValueError(f'{name} is asset data, common to all simulations')
        return ValueError(f'{name} is not a field of MjModel that can be expanded{advice(name, MODEL_FIELDS)}')

    def set_const(self, ids=None):
        """``mj_setConst`` in each simulation; what it derives then differs per simulation."""
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.set_const(ids, list(lockstep.MjModel._setconst_outputs)))

    def set_models(self, models):
        """Runs simulation i on ``models[i]``, all on one model, or with None on the batch's own again.

        The values are taken now: after editing a model, set it again. All must have the sizes of the batch's model.
        """
        if models is None and self._models is None:
            return
        if models is not None and not isinstance(models, lockstep.MjModel):
            models = tuple(models)
            if not all(isinstance(model, lockstep.MjModel) for model in models):
                raise TypeError('set_models takes an MjModel, one for each simulation, or None')
        for model in models if isinstance(models, tuple) else (models,):
            _refuse_sleep(model, self.persistent)
        self._b.set_models(models)
        self._models = models

    @property
    def models(self):
        """What ``set_models`` was given."""
        return self._models

    def _model_of(self, sim):
        return self._models[sim] if isinstance(self._models, tuple) else self._models or self.model

    def get_model(self, sim, model=None):
        """The model of one simulation: a new one, or written into the one given."""
        if model is None:
            model = copy.copy(self._model_of(sim))
        self._b.get_model(sim, model)
        return model

    def get_data(self, sim, data=None):
        """The state of one simulation in an MjData; in a persistent batch all of its fields."""
        if data is None:
            data = lockstep.MjData(self.model)
        self._b.get_data(sim, data)
        return data

    # ---- calls ----

    def step(self, ids=None, nstep=1, stage=_NONE):
        """Advances simulations by ``nstep`` steps, then computes the new state up to ``stage`` (mjtStage).

        Without a stage, results describe the state before the last step, as with ``mj_step``.
        """
        self._run(self._b.step, _ids(ids, self.nsim), nstep, int(stage))

    def forward(self, ids=None, stage=_ACC):
        """Computes what follows from the state, up to ``stage``."""
        self._run(self._b.forward, _ids(ids, self.nsim), int(stage))

    def reset(self, ids=None, keyframe=-1, stage=_ACC):
        """Starts simulations anew, from a keyframe (one for all, or one each; -1 for none), then computes ``stage``."""
        ids = _ids(ids, self.nsim)
        count = self.nsim if ids is None else len(ids)
        keys = integers(keyframe, (count,), -1, self.model.nkey, 'keyframe')
        refuse_callbacks()
        self._check(ids, self._b.reset(ids, None if (keys < 0).all() else keys, int(stage)))

    def rollout(self, nstep, control=None, control_spec=_CTRL, record=('qpos',), ids=None, out=None):
        """Advances by ``nstep`` steps with controls given in advance; returns ``{item: (n, nstep, ...)}``.

        ``control`` has the shape ``(n, nstep, ncontrol)``; its parts are named by ``control_spec``. A record is a field
        of MjData or an mjtState signature. A simulation that raises a warning stops and repeats its last record.
        """
        ids = _ids(ids, self.nsim)
        count = self.nsim if ids is None else len(ids)
        if control is not None:
            width = lockstep.mj_stateSize(self.model, int(control_spec))
            control = np.ascontiguousarray(np.broadcast_to(control, (count, nstep, width)), np.float64)
        given = out or {}
        result = {item: self._record(item, (count, nstep), given.get(item)) for item in record}
        records = [(item, 0, array) if isinstance(item, str) else (None, int(item), array)
                   for item, array in result.items()]
        refuse_callbacks()
        self._check(ids, self._b.rollout(ids, nstep, control, int(control_spec), records))
        return result

    def _record(self, item, start, given):
        """The array to record an item into."""
        if isinstance(item, str):
            template = self._template(item)
            if template is None or item not in DATA_FIELDS:
                raise self._cannot_bind(item)
            shape, dtype = start + template.shape, self._dtype_of(template)
        else:
            shape, dtype = start + (lockstep.mj_stateSize(self.model, int(item)),), self.dtype
        if given is None:
            return np.empty(shape, dtype)
        fits = isinstance(given, np.ndarray) and (given.shape, given.dtype) == (shape, dtype)
        if not (fits and given.flags.c_contiguous and given.flags.writeable):
            raise ValueError(f'out[{item!r}] should be a writable contiguous array of {dtype} with shape {shape}')
        return given

    def jac(self, body, point, ids=None):
        """Jacobians ``(n, 3, nv)`` of points of bodies: translation and rotation."""
        ids = _ids(ids, self.nsim)
        count = self.nsim if ids is None else len(ids)
        body = integers(body, (count,), 0, self.model.nbody, 'body')
        point = np.ascontiguousarray(np.broadcast_to(point, (count, 3)), np.float64)
        jacp, jacr = np.zeros((2, count, 3, self.model.nv))
        self._check(ids, self._b.jac(ids, body, point, jacp, jacr))
        return jacp, jacr

    def ray(self, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None, normal=False):
        """Distances and geoms ``(n, nray)`` that rays meet, -1 where they meet none; with ``normal`` the normals too.

        ``pnt`` and ``vec`` broadcast to ``(n, nray, 3)``, ``bodyexclude`` to ``(n, nray)``.
        """
        ids = _ids(ids, self.nsim)
        count = self.nsim if ids is None else len(ids)
        pnt, vec = (np.atleast_2d(np.asarray(array, np.float64)) for array in (pnt, vec))
        shape = count, np.broadcast_shapes(pnt.shape, vec.shape)[-2]
        pnt, vec = (np.ascontiguousarray(np.broadcast_to(array, (*shape, 3))) for array in (pnt, vec))
        exclude = integers(bodyexclude, shape, -1, self.model.nbody, 'bodyexclude')
        if geomgroup is not None:
            geomgroup = np.ascontiguousarray(geomgroup, np.uint8)
        results = [np.zeros(shape), np.zeros(shape, np.int32), np.zeros((*shape, 3)) if normal else None]
        self._check(ids, self._b.ray(ids, pnt, vec, geomgroup, bool(flg_static), exclude, *results))
        return tuple(result for result in results if result is not None)

    def _run(self, call, ids, *arguments):
        """A compiled call that advances or computes simulations: sorted int32 ids, or None for all."""
        refuse_callbacks()
        self._check(ids, call(ids, *arguments))

    def _check(self, ids, failures):
        if failures:
            called = np.arange(self.nsim) if ids is None else ids
            failed = called[self.status[called] != 0]
            raise SimulationError(failed, self.error(int(failed[0])), len(called))


add_kinds(Batch)


def _refuse_sleep(model, persistent):
    if persistent or not isinstance(model, lockstep.MjModel):
        return
    if model.opt.enableflags & int(lockstep.mjtEnableBit.mjENBL_SLEEP):
        raise ValueError('a model that sleeps needs a persistent batch: persistent=True')


def refuse_callbacks():
    """Lanes cannot call them, and a step without them would be another one."""
    for name, get in _CALLBACKS.items():
        if get() is not None:
            raise ValueError(f'{name} is set: a batch does not call callbacks')
