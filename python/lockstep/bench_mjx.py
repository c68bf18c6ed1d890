"""A further peer of ``lockstep bench``: MJX, MuJoCo's physics written in JAX, on the CPU.

It needs the packages ``mujoco-mjx`` and ``jax``, and compiles each model for half a minute or longer, which is why it has to be
asked for (``--mjx``). It runs in a process of its own, on as many processors as it is given threads: precision and threads are
settings of a whole process to JAX. A batch takes its steps inside one compiled loop, under the controls of the other batches.

    python -m lockstep.bench_mjx model.xml worlds threads double steps      # the process; it is told how much to run
"""
import importlib.util
import json
import os
import subprocess
import sys
import time
import warnings

import numpy as np


def missing():
    """What has to be installed, or ''."""
    needed = [name for name in ('jax', 'mujoco', 'mujoco.mjx') if importlib.util.find_spec(name.split('.')[0]) is None]
    if not needed and importlib.util.find_spec('mujoco.mjx') is None:
        needed = ['mujoco.mjx']
    return f'{", ".join(needed)} not found: pip install mujoco==4.0.0 mujoco-mjx jax' if needed else ''


class Mjx:
    """Worlds in a process of MJX. Raises ValueError with its reason where it cannot run a model."""

    def __init__(self, path, nsim, nthread, double, chunk):
        command = [sys.executable, '-W', 'ignore', '-m', 'lockstep.bench_mjx', path, nsim, nthread, int(double), chunk]
        self.nsim = nsim
        self._process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, text=True)
        self.compile_seconds = self._answer()

    def run(self, chunks):
        """Returns positions of the first world."""
        self._process.stdin.write(f'{chunks}\n')
        self._process.stdin.flush()
        return np.array(self._answer())

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            told = self._process.communicate()[1].strip().splitlines()
            raise ValueError(f'MJX: {told[-1] if told else "ended without a word"}')
        return json.loads(line)

    def close(self):
        self._process.communicate()


def serve(answers, path, nsim, nthread, double, chunk):
    """Answers how long compiling took, then runs as many chunks of steps as each line asks for."""
    os.environ.setdefault('JAX_PLATFORMS', 'cpu')
    if hasattr(os, 'sched_setaffinity'):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:nthread])
    import jax
    import mujoco
    from mujoco import mjx

    from lockstep.bench import control_range, load
    jax.config.update('jax_enable_x64', bool(double))
    model = load(mujoco, path)
    own, limits, rng = mjx.put_model(model), control_range(model), np.random.default_rng(1)

    def controls():
        return jax.numpy.asarray(rng.uniform(*limits, (nsim, model.nu)))

    def steps(data, ctrl):
        return jax.lax.fori_loop(0, chunk, lambda _, d: mjx.step(own, d), data.replace(ctrl=ctrl))

    data = jax.vmap(lambda _: mjx.make_data(model))(np.arange(nsim))
    data = data.replace(qpos=jax.numpy.tile(model.qpos0, (nsim, 1)).astype(data.qpos.dtype))
    start = time.perf_counter()
    run = jax.jit(jax.vmap(steps)).lower(data, jax.numpy.zeros((nsim, model.nu))).compile()
    print(time.perf_counter() - start, file=answers, flush=True)
    for line in sys.stdin:
        for _ in range(int(line)):
            data = run(data, controls())
        print(json.dumps(np.asarray(jax.block_until_ready(data).qpos[0]).tolist()), file=answers, flush=True)


if __name__ == '__main__':
    warnings.simplefilter('ignore')
    with os.fdopen(os.dup(1), 'w') as pipe:
        os.dup2(2, 1)  # what packages print is not an answer
        serve(pipe, sys.argv[1], *map(int, sys.argv[2:]))
