"""How fast a model runs: one world and many, in double and single precision, beside an installed MuJoCo.

All ways are measured alternately in one run, with the same model and random controls that change every 20 steps, after a
warm-up under such controls. Ratios compare with the fastest of MuJoCo's ways that uses as many threads: mj_step,
mujoco.batch or mujoco.rollout. Contacts and solver iterations are shown for both: the engines must do the same work.
With --mjx batches of MJX (mujoco-mjx and jax) are measured too, on the CPU; their ratio tells how many times as fast Lockstep is
in the same precision.
"""
import argparse
import json
import os
import statistics
import sys
import time
import warnings

import numpy as np

import lockstep
import lockstep.batch
from lockstep import bench_mjx

try:
    import mujoco
    import mujoco.batch
    import mujoco.rollout
except ImportError:
    mujoco = None

CHUNK = 20  # steps between new controls


def load(api, path):
    return api.MjModel.from_binary_path(path) if path.endswith('.mjb') else api.MjModel.from_xml_path(path)


def control_range(model):
    """Lowest and highest controls: what limits allow, else -1 to 1."""
    return np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [-1.0, 1.0]).T


class One:
    """One world."""

    nsim = 1

    def __init__(self, api, path):
        self.api, self.model = api, load(api, path)
        self.data, self.rng, self.range = api.MjData(self.model), np.random.default_rng(1), control_range(self.model)
        self.counts = []

    def run(self, chunks):
        for _ in range(chunks):
            self.data.ctrl[:] = self.rng.uniform(*self.range)
            self.api.mj_step(self.model, self.data, CHUNK)
            self.counts.append((self.data.ncon, self.data.solver_niter[0]))


class Many:
    """A batch."""

    def __init__(self, api, path, nsim, nthread, **options):
        self.model, self.nsim = load(api, path), nsim
        self.batch, self.rng = api.batch.Batch(self.model, nsim, nthread, **options), np.random.default_rng(1)
        self.range, self.counts = control_range(self.model), []
        self.watched = self.batch.bind('ncon'), self.batch.bind('solver_niter')

    def controls(self):
        return self.rng.uniform(*self.range, self.batch.ctrl.shape)

    def run(self, chunks):
        for _ in range(chunks):
            self.batch.ctrl = self.controls()
            self.batch.step(nstep=CHUNK)
            ncon, iterations = self.watched
            self.counts.append((ncon.mean(), iterations.reshape(self.nsim, -1)[:, 0].mean()))


class Rollouts:
    """mujoco.rollout, from the states that a batch has reached."""

    def __init__(self, worlds, nthread):
        self.worlds, self.nsim = worlds, worlds.nsim
        self.data = [mujoco.MjData(worlds.model) for _ in range(nthread)]
        self.runner = mujoco.rollout.Rollout(nthread=nthread if nthread > 1 else 0)

    def run(self, chunks):
        worlds, full = self.worlds, int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
        state = np.empty((self.nsim, mujoco.mj_stateSize(worlds.model, full)))
        for row, own in zip(worlds.batch.state, state):
            mujoco.mj_extractState(worlds.model, row, int(mujoco.mjtState.mjSTATE_INTEGRATION), own, full)
        for _ in range(chunks):
            control = np.repeat(worlds.controls()[:, None], CHUNK, 1)
            state = np.ascontiguousarray(self.runner.rollout(worlds.model, self.data, state, control)[0][:, -1])


def ways(path, nsim, threads, mjx=False):
    """Runners by (engine, way, number of threads)."""
    found = {('lockstep', 'one world', 1): One(lockstep, path)}
    if mujoco:
        found['mujoco', 'mj_step', 1] = One(mujoco, path)
    for nthread in threads:
        for name, dtype in (('double', np.float64), ('float', np.float32)):
            found['lockstep', name, nthread] = Many(lockstep, path, nsim, nthread, dtype=dtype)
        if mujoco:
            batch = found['mujoco', 'mujoco.batch', nthread] = Many(mujoco, path, nsim, nthread)
            found['mujoco', 'mujoco.rollout', nthread] = Rollouts(batch, nthread)
        for name in ('double', 'float') if mjx else ():
            found['mjx', name, nthread] = bench_mjx.Mjx(path, nsim, nthread, name == 'double', CHUNK)
    return found


def time_of(runner, chunks):
    """Seconds for a step of one world."""
    start = time.perf_counter()
    runner.run(chunks)
    return (time.perf_counter() - start) / (chunks * CHUNK * runner.nsim)


def drift_of(runners):
    """Largest difference of positions between the engines after the first steps of one world."""
    if ('mujoco', 'mj_step', 1) not in runners:
        return None
    ours, theirs = runners['lockstep', 'one world', 1], runners['mujoco', 'mj_step', 1]
    return float(np.abs(ours.data.qpos - theirs.data.qpos).max(initial=0))


def measure(path, nsim=1024, threads=(1,), seconds=0.3, repeat=5, mjx=False):
    """What one model needs: {'times': {engine: {way: {threads: [median, best]}}}, 'ratios': …, …}; seconds per step."""
    runners = ways(path, nsim, threads, mjx)
    first = {key: runner.run(1) for key, runner in runners.items()}
    drift = drift_of(runners)
    mjx_drift = {key[1]: float(np.abs(first[key] - runners['lockstep', 'double', key[2]].batch.qpos[0]).max(initial=0))
                 for key in first if key[0] == 'mjx'}
    chunks = {}
    for key, runner in runners.items():
        runner.run(4)
        chunks[key] = max(1, round(seconds / repeat / (time_of(runner, 1) * CHUNK * runner.nsim)))
    times = {key: [] for key in runners}
    for _ in range(repeat):
        for key, runner in runners.items():
            times[key].append(time_of(runner, chunks[key]))
    result = {'nv': runners['lockstep', 'one world', 1].model.nv, 'nsim': nsim, 'drift': drift, 'times': {}, 'ratios': {}}
    for (engine, way, nthread), values in times.items():
        by_way = result['times'].setdefault(engine, {}).setdefault(way, {})
        by_way[nthread] = [statistics.median(values), min(values)]
    if mujoco:
        result['ratios'] = _ratios(result['times'])
    if mjx:
        result['mjx drift'] = mjx_drift
        result['mjx compile seconds'] = {key[1]: runner.compile_seconds for key, runner in runners.items() if key[0] == 'mjx'}
        result['mjx ratios'] = {way: {nthread: median / result['times']['lockstep'][way][nthread][0]
                                      for nthread, (median, _) in by_thread.items()}
                                for way, by_thread in result['times']['mjx'].items()}
        for key, runner in runners.items():
            if key[0] == 'mjx':
                runner.close()
    for engine, key in (('lockstep', ('lockstep', 'double', threads[0])), ('mujoco', ('mujoco', 'mujoco.batch', threads[0]))):
        if key in runners:
            result[f'contacts {engine}'], result[f'iterations {engine}'] = map(float, np.mean(runners[key].counts, 0))
    return result


def _ratios(times):
    """How many times as fast as MuJoCo's best way with as many threads; one world against mj_step."""
    ratios = {}
    for way, by_thread in times['lockstep'].items():
        for nthread, (median, _) in by_thread.items():
            peers = times['mujoco'] if way != 'one world' else {'mj_step': times['mujoco']['mj_step']}
            best = min(peer[nthread][0] for peer in peers.values() if nthread in peer)
            ratios.setdefault(way, {})[nthread] = best / median
    return ratios


def table(name, result):
    """Lines of text about one model."""
    same = ''
    if result['drift'] is not None:
        same = (f'; contacts {result["contacts lockstep"]:.1f} and {result["contacts mujoco"]:.1f}, iterations '
                f'{result["iterations lockstep"]:.1f} and {result["iterations mujoco"]:.1f} (MuJoCo)')
    yield f'{name}: {result["nv"]} degrees of freedom, {result["nsim"]} worlds{same}'
    yield f'  {"":10}{"way":16}{"threads":>8}{"us/step":>10}{"best":>8}{"steps/s":>13}{"ratio":>8}'
    for engine in sorted(result['times'], reverse=True):
        for way, by_thread in result['times'][engine].items():
            for nthread, (median, best) in by_thread.items():
                ratios = {'lockstep': 'ratios', 'mjx': 'mjx ratios'}.get(engine)
                ratio = result[ratios].get(way, {}).get(nthread) if ratios else None
                yield (f'  {engine:10}{way:16}{nthread:8}{median * 1e6:10.2f}{best * 1e6:8.2f}{1 / median:13,.0f}'
                       + (f'{ratio:8.2f}' if ratio else ''))
    if 'mjx drift' in result:
        drifts = ', '.join(f'{drift:.0e} ({way})' for way, drift in result['mjx drift'].items())
        yield f'  mjx: compiled in {max(result["mjx compile seconds"].values()):.0f} s; after {CHUNK} steps off by {drifts}'


def main(arguments=None):
    parser = argparse.ArgumentParser(prog='lockstep bench', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('models', nargs='+', help='MJCF files (.xml), MJZ archives or binary models')
    parser.add_argument('--worlds', type=int, default=1024, help='in a batch (1024)')
    parser.add_argument('--threads', default='1', help='numbers of threads to measure with, as 1,2 (1); 0: all processors')
    parser.add_argument('--seconds', type=float, default=1.0, help='to measure each way for (1)')
    parser.add_argument('--mjx', action='store_true', help='measure MJX on the CPU too, where it is installed; compiling takes minutes')
    parser.add_argument('--json', help='file to write all figures to')
    options = parser.parse_args(arguments)
    threads = [int(word) or os.cpu_count() for word in options.threads.split(',')]
    warnings.simplefilter('ignore')
    if not mujoco:
        print('MuJoCo is not installed for this Python, so there is nothing to compare with: pip install mujoco==4.0.0')
    if options.mjx and bench_mjx.missing():
        print(f'error: {bench_mjx.missing()}', file=sys.stderr)
        return 2
    results = {}
    for path in options.models:
        try:
            results[path] = measure(path, options.worlds, threads, options.seconds, mjx=options.mjx)
        except (ValueError, OSError) as error:
            print(f'error: {error}', file=sys.stderr)
            return 2
        print('\n'.join(table(path, results[path])), flush=True)
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as file:
            json.dump(results, file, indent=1)
    return 0


if __name__ == '__main__':
    sys.exit(main())
