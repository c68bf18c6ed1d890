"""Open-loop trajectories from many initial states: the API of ``mujoco.rollout`` on a batch.

    state, sensordata = rollout(model, data, initial_state, control)
"""

import numpy as np

import lockstep
from lockstep.batch import Batch, SimulationError

_CTRL = int(lockstep.mjtState.mjSTATE_CTRL)
_FULL = int(lockstep.mjtState.mjSTATE_FULLPHYSICS)
_USER = int(lockstep.mjtState.mjSTATE_USER)


class Rollout:
    """Runs rollouts on ``nthread`` threads; 0 means the caller's own."""

    def __init__(self, *, nthread=None):
        self.nthread = nthread or 0
        self._open = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._open = False

    def rollout(self, model, data, initial_state, control=None, *, control_spec=_CTRL, skip_checks=False, nstep=None,
                initial_warmstart=None, state=None, sensordata=None, chunk_size=None):
        """States ``(nbatch, nstep, nstate)`` and sensor readings that follow from initial states and controls.

        ``model`` is one model or one per trajectory; inputs whose first dimension is 1 serve all trajectories, controls
        with one step serve all steps. ``data`` gives the number of threads; it is not used as memory. ``chunk_size``
        is accepted and has no effect: threads share trajectories by themselves.
        """
        if not self._open:
            raise RuntimeError('rollout requested after thread pool shutdown')
        models = [model] if isinstance(model, lockstep.MjModel) else list(model)
        self._check_data(data)
        _check_arguments(control_spec, nstep, chunk_size, skip_checks)
        arrays = _Arrays(dict(initial_state=initial_state, initial_warmstart=initial_warmstart, control=control,
                              state=state, sensordata=sensordata))
        if skip_checks:  # then models may be more than states
            models = models[:len(arrays.full['initial_state'])]
        nbatch, nstep = arrays.sizes(nstep, len(models))
        arrays.check_widths(models, control_spec)
        batch = self._batch(models, nbatch, nstep)
        arrays.start(batch, nbatch)
        return arrays.run(batch, nbatch, nstep, control_spec)

    def _check_data(self, data):
        count = len(data) if isinstance(data, (list, tuple)) else 1
        if count == 0:
            raise ValueError('The list of data instances is empty')
        if self.nthread == 0 and count > 1:
            raise ValueError('More than one data instance passed but rollout is configured to run on main thread')
        if self.nthread and count != self.nthread:
            raise ValueError(f'Length of data: {count} not equal to nthread: {self.nthread}')

    def _batch(self, models, nbatch, nstep):
        if len(models) > 1 and len(models) != nbatch:
            raise ValueError(f'nbatch inferred as {nbatch} but model is length {len(models)}')
        batch = Batch(models[0], nbatch, max(1, self.nthread))
        if len(models) > 1:
            batch.set_models(models)
            batch.reset(stage=lockstep.mjtStage.mjSTAGE_NONE)  # equalities and mocap bodies begin as their own model says
        return batch


class _Arrays:
    """Inputs and outputs of a rollout, with all their dimensions."""

    _NDIM = {'initial_state': 2, 'initial_warmstart': 2, 'control': 3, 'state': 3, 'sensordata': 3}

    def __init__(self, given):
        self.given = {name: value for name, value in given.items() if value is not None}
        if 'initial_state' not in self.given:
            raise ValueError('initial_state is needed')
        for name, value in self.given.items():
            if not isinstance(value, (np.ndarray, float)):
                raise ValueError(f'{name} must be a numpy array or float')
        for name, value in self.given.items():
            if np.ndim(value) > self._NDIM[name]:
                raise ValueError(f'{name} can have at most {self._NDIM[name]} dimensions')
        self.full = {name: self._whole(value, self._NDIM[name]) for name, value in self.given.items()}

    @staticmethod
    def _whole(value, ndim):
        array = np.asarray(value, np.float64)
        return np.ascontiguousarray(array.reshape((1,) * (ndim - array.ndim) + array.shape))

    def sizes(self, nstep, nmodel):
        nbatch = self._infer(0, self._NDIM, 1)
        if nbatch == 1:
            nbatch = nmodel
        return nbatch, self._infer(1, ('control', 'state', 'sensordata'), 1 if nstep is None else nstep)

    def _infer(self, axis, names, size):
        for name in names:
            found = self.full[name].shape[axis] if name in self.full else size
            if size == 1:
                size = found
            elif found not in (1, size):
                raise ValueError(f'dimension {axis} inferred as {size} but {name} has {found}')
        return size

    def check_widths(self, models, control_spec):
        widths = {_widths(m, control_spec) for m in models}
        if len(widths) > 1:
            raise ValueError('models are not compatible')
        nstate, ncontrol, nv, nsensordata = widths.pop()
        expected = {'initial_state': nstate, 'state': nstate, 'control': ncontrol, 'initial_warmstart': nv,
                    'sensordata': nsensordata}
        for name, width in expected.items():
            if name in self.full and self.full[name].shape[-1] != width:
                found = self.full[name].shape[-1]
                raise ValueError(f'trailing dimension of {name} must be {width}, got {found}')
        self.widths = {'state': nstate, 'sensordata': nsensordata}

    def start(self, batch, nbatch):
        """Writes the initial states into the rows; everything else is as after a reset."""
        column = 0
        for name, bit in lockstep._core._state_fields().items():
            if bit & _FULL:
                view = batch.bind(name).reshape(nbatch, -1)
                view[:] = self.full['initial_state'][:, column:column + view.shape[1]]
                column += view.shape[1]
        batch.bind('qacc_warmstart')[:] = self.full.get('initial_warmstart', 0)

    def run(self, batch, nbatch, nstep, control_spec):
        outputs = {'state': _FULL, 'sensordata': 'sensordata'}
        into = {}
        for name, item in outputs.items():
            shape = (nbatch, nstep, self.widths[name])
            mine = self.full.get(name)
            into[item] = mine if mine is not None and mine.shape == shape else np.empty(shape)
        control = self.full.get('control')
        try:
            batch.rollout(nstep, control, control_spec, tuple(into), out=into)
        except SimulationError as failure:  # MuJoCo's rollout raises what the first world says
            raise lockstep.FatalError(batch.error(int(failure.ids[0]))) from None
        results = []
        for name, item in outputs.items():
            given = self.given.get(name)
            if given is not None and not np.shares_memory(given, into[item]):
                given[...] = into[item].reshape(np.shape(given))
            results.append(into[item] if given is None or np.ndim(given) < 3 else given)
        return tuple(results)


def _widths(model, control_spec):
    return (lockstep.mj_stateSize(model, _FULL), lockstep.mj_stateSize(model, control_spec), model.nv,
            model.nsensordata)


def _check_arguments(control_spec, nstep, chunk_size, skip_checks):
    if not skip_checks and control_spec & ~_USER:
        raise ValueError('control_spec can only contain bits in mjSTATE_USER')
    for name, value in (('nstep', nstep), ('chunk_size', chunk_size)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, np.integer))):
            raise ValueError(f'{name} must be an integer')
    if nstep is not None and nstep < 0:
        raise ValueError('nstep must be non-negative')
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError('chunk_size must be a positive integer')


def shutdown_persistent_pool():
    """Exists for programs that call it: threads are shared by all batches and need no end."""


def rollout(model, data, initial_state, control=None, *, persistent_pool=False, **options):
    """As ``Rollout.rollout``, with as many threads as there are data; ``persistent_pool`` has no effect."""
    count = len(data) if isinstance(data, (list, tuple)) else 1
    with Rollout(nthread=count if count > 1 else 0) as runner:
        return runner.rollout(model, data, initial_state, control, **options)
