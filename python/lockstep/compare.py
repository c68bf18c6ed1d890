"""Compares lockstep with an installed MuJoCo on one model: the compiled model, then the dynamics stage by stage.

usage: python -m lockstep.compare model.xml [--states N] [--steps N] [--seed N] [--all]

From random states both engines compute everything that follows from the state and then one step. The table shows the
worst residual of every stage and its field; the exit code is 1 if one is above its tolerance. Constraints are disabled
on both sides.
"""

import argparse
import dataclasses
import sys

import numpy as np

import lockstep
from lockstep import _core

TOLERANCE = 1e-10  # of a field, relative to its largest number
FLOOR = 1e-3  # fields whose numbers are all smaller are compared absolutely, as if they had this size
# What is solved with the inertia is known no better than rounding times its condition number. Where that is more than the
# tolerance, residuals of these stages are measured in it.
SOLVED = ("factor_m", "fwd_acceleration", "fwd_constraint", "rne_post_constraint", "step")
FASTEST = 1e4  # a state that moves faster flew apart: its forces are differences of huge numbers
MODEL_TOLERANCE = 1e-9  # of a compiled model; meshes and solves round differently

# Fields that are not compared, and why.
NOT_COMPARED = {
    "solver_niter": "statistics of the solver",
    "solver_nnz": "statistics of the solver",
    "solver_fwdinv": "statistics of the solver",
    "solver_residual": "our own",
    "solver_flags": "our own",
    "maxuse_con": "memory",
    "maxuse_efc": "memory",
    "warning": "compared as numbers of warnings, by the states that follow",
    "warning_info": "compared as numbers of warnings, by the states that follow",
    "bvh_active": "for viewers only",
    "plugin": "addresses",
    "moment_rownnz": "moments are compared as a dense matrix: MuJoCo leaves out what happens to be zero",
    "moment_rowadr": "likewise",
    "moment_colind": "likewise",
}
# Results that are made only when somebody asks: the stage, and the functions that make them.
ON_REQUEST = {
    "energy": ("mj_energyPos", "mj_energyVel"),
    "subtree_vel": ("mj_subtreeVel",),
    "rne_post_constraint": ("mj_rnePostConstraint",),
    "inverse": ("mj_inverse",),
}
# After a step: the state, and what the integrator leaves behind.
STATE = ("time", "qpos", "qvel", "act", "history", "plastic", "qacc_warmstart", "qacc", "act_dot")


@dataclasses.dataclass
class Residual:
    """Worst deviation of one field over all states."""

    stage: str
    field: str
    size: float = 0.0
    state: int = 0
    scale: float = 0.0


def stages():
    """Stages of the engine in the order of a step, then those that run on request, as far as they exist."""
    ran = [name for _, name, _ in _core.stages]
    return [*ran, *(name for name, calls in ON_REQUEST.items() if name not in ran and all(map(_has, calls)))]


def _has(function):
    return hasattr(lockstep, function)


def fields_of(stage):
    """Fields a stage writes that both engines have and that are worth comparing."""
    return [
        name
        for name, writer in _core.field_stages.items()
        if writer == stage and name not in NOT_COMPARED and not name.startswith(("flex", "bvh", "flg_"))
    ]


def residual(own, reference, scale):
    """Largest difference relative to the scale of a field; infinite where integers or shapes differ."""
    own, reference = np.asarray(own), np.asarray(reference)
    if own.shape != reference.shape:
        return np.inf
    if reference.dtype.kind != "f":
        return 0.0 if np.array_equal(own, reference) else np.inf
    if not own.size or np.array_equal(own, reference, equal_nan=True):
        return 0.0
    gap = np.abs(own - reference)
    return float(np.max(gap)) / max(scale, FLOOR) if np.isfinite(gap).all() else np.inf


def value_of(data, field):
    """A field as it is compared."""
    if field != "actuator_moment":
        return getattr(data, field)
    dense = np.zeros((data.model.nout, data.model.nv))
    for row, (start, count) in enumerate(zip(data.moment_rowadr, data.moment_rownnz)):
        dense[row, data.moment_colind[start : start + count]] = data.actuator_moment[start : start + count]
    return dense


class Comparison:
    """Two engines on one model; residuals by stage and field."""

    def __init__(self, mujoco, reference_model, own_model=None, constraints=False):
        self.mujoco = mujoco
        self.reference_model = reference_model
        self.own_model = own_model or lockstep.MjModel._from_mujoco(reference_model)
        if not constraints:
            for model in (self.reference_model, self.own_model):
                model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        self.reference = mujoco.MjData(self.reference_model)
        self.own = lockstep.MjData(self.own_model)
        self.residuals = {}
        self.rounding = 1.0  # what is solved, relative to the tolerance
        self.order = stages()

    def random_state(self, rng, scale=1.0):
        """A state with everything in it, reached by a few steps so that activations and histories are true ones."""
        mujoco, m, d = self.mujoco, self.reference_model, self.reference
        mujoco.mj_resetData(m, d)
        mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv) * scale, 1.0)
        d.qvel[:] = rng.normal(size=m.nv) * scale
        if m.nplastic:
            d.plastic[:] += 0.01 * rng.normal(size=m.nplastic)
        for mocap in range(m.nmocap):
            d.mocap_pos[mocap] += 0.1 * rng.normal(size=3)
            d.mocap_quat[mocap] += 0.1 * rng.normal(size=4)
        qpos, qvel = d.qpos.copy(), d.qvel.copy()
        for _ in range(rng.integers(4)):
            self._inputs(rng)
            mujoco.mj_step(m, d)
        if np.max(np.abs(d.qvel), initial=0) > FASTEST:
            mujoco.mj_resetData(m, d)
            d.qpos[:], d.qvel[:] = qpos, qvel
        self._inputs(rng)
        d.qfrc_applied[:] = rng.normal(size=m.nv)
        d.xfrc_applied[:] = rng.normal(size=(m.nbody, 6))
        d.qacc_warmstart[:] = rng.normal(size=m.nv)
        signature = int(mujoco.mjtState.mjSTATE_INTEGRATION)
        state = np.zeros(mujoco.mj_stateSize(m, signature))
        mujoco.mj_getState(m, d, state, signature)
        return state

    def _inputs(self, rng):
        m, d = self.reference_model, self.reference
        low, high = m.actuator_ctrlrange[:, 0], m.actuator_ctrlrange[:, 1]
        limited = m.actuator_ctrllimited.astype(bool)
        d.ctrl[:] = np.where(limited, rng.uniform(low, np.maximum(low, high)), rng.normal(size=m.nu))
        if m.na:
            d.act[:] = np.clip(d.act + 0.1 * rng.normal(size=m.na), -1, 1)

    def set_state(self, state):
        """The same state in both, and nothing else from before."""
        signature = int(self.mujoco.mjtState.mjSTATE_INTEGRATION)
        for engine, m, d in (
            (self.mujoco, self.reference_model, self.reference),
            (lockstep, self.own_model, self.own),
        ):
            engine.mj_resetData(m, d)
            engine.mj_setState(m, d, state, signature)

    def _note(self, stage, field, number):
        entry = self.residuals.setdefault((stage, field), Residual(stage, field))
        own, reference = value_of(self.own, field), np.asarray(value_of(self.reference, field))
        if reference.dtype.kind == "f" and reference.size and np.isfinite(reference).all():
            entry.scale = max(entry.scale, float(np.max(np.abs(reference))))
        size = residual(own, reference, entry.scale)
        if stage in SOLVED:
            size /= self.rounding
        if size > entry.size:
            entry.size, entry.state = size, number

    def _condition(self):
        """Condition number of the inertia, each dof in units of its own."""
        inertia = np.zeros((self.reference_model.nv, self.reference_model.nv))
        if not inertia.size:
            return 1.0
        self.mujoco.mj_fullM(self.reference_model, self.reference, inertia)
        root = np.sqrt(np.maximum(np.diag(inertia), np.finfo(float).tiny))
        values = np.linalg.eigvalsh(inertia / np.outer(root, root))
        return float(values[-1] / max(values[0], np.finfo(float).eps))

    def forward(self, number):
        """Everything that follows from a state, then what is made on request."""
        self.mujoco.mj_forward(self.reference_model, self.reference)
        lockstep.mj_forward(self.own_model, self.own)
        self.rounding = max(1.0, np.finfo(float).eps * self._condition() / TOLERANCE)
        for stage in self.order:
            for call in ON_REQUEST.get(stage, ()):
                getattr(self.mujoco, call)(self.reference_model, self.reference)
                getattr(lockstep, call)(self.own_model, self.own)
            if stage == "integrate":
                continue
            for field in fields_of(stage):
                self._note(stage, field, number)

    def step(self, number):
        """One step, from the state that both have."""
        self.mujoco.mj_step(self.reference_model, self.reference)
        lockstep.mj_step(self.own_model, self.own)
        for field in (*fields_of("integrate"), *STATE):
            self._note("step", field, number)

    def run(self, count, seed=0, scale=1.0, step=True):
        """Compares from some random states; returns the worst residuals."""
        rng = np.random.default_rng(seed)
        for number in range(count):
            state = self.random_state(rng, scale)
            self.set_state(state)
            self.forward(number)
            if step:
                self.set_state(state)
                self.step(number)
        return self.worst()

    def worst(self):
        """Residuals in the order of the stages and fields."""
        return list(self.residuals.values())

    def trajectory(self, steps, seed=0, scale=0.1):
        """Worst residual of qpos over some steps under the same random controls."""
        rng = np.random.default_rng(seed)
        self.set_state(self.random_state(rng, scale))
        worst = 0.0
        for _ in range(steps):
            self._inputs(rng)
            self.own.ctrl[:] = self.reference.ctrl
            self.own.act[:] = self.reference.act
            self.mujoco.mj_step(self.reference_model, self.reference)
            lockstep.mj_step(self.own_model, self.own)
            for field in ("qpos", "qvel"):
                reference = getattr(self.reference, field)
                scale = float(np.max(np.abs(reference), initial=1))
                worst = max(worst, residual(getattr(self.own, field), reference, scale))
        return worst


def compare_models(own, reference):
    """Worst deviation of the compiled models: size and field."""
    worst = (0.0, "")
    for name, *_ in _core.model_fields:
        a, b = getattr(own, name), getattr(reference, name)
        if isinstance(a, bytes):
            size = 0.0 if a == b else np.inf
        else:
            b = np.asarray(b)
            scale = float(np.max(np.abs(b), initial=1)) if b.dtype.kind == "f" and b.size else 1.0
            size = residual(np.asarray(a).astype(float), b.astype(float), scale)
        worst = max(worst, (size, name))
    return worst


def table(residuals, everything=False, tolerance=TOLERANCE):
    """Lines of text: per stage its worst field, or all fields."""
    lines = [f"  {'stage':<21}{'field':<20}{'residual':>10}  {'of scale':>10}  state"]
    by_stage = {}
    for entry in residuals:
        by_stage.setdefault(entry.stage, []).append(entry)
    for entries in by_stage.values():
        shown = entries if everything else [max(entries, key=lambda entry: entry.size)]
        for entry in shown:
            mark = "  <-" if entry.size > tolerance else ""
            lines.append(
                f"  {entry.stage:<21}{entry.field:<20}{entry.size:>10.1e}  {entry.scale:>10.1e}  {entry.state}{mark}"
            )
    return lines


def _load(engine, path):
    return engine.MjModel.from_binary_path(path) if path.endswith(".mjb") else engine.MjModel.from_xml_path(path)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="lockstep compare", description=__doc__.split("\n\n")[0])
    parser.add_argument("model", help="MJCF file (.xml), MJZ archive or binary model")
    parser.add_argument("--states", type=int, default=20, help="random states to compare from (20)")
    parser.add_argument("--steps", type=int, default=100, help="steps of the trajectory to compare (100)")
    parser.add_argument("--seed", type=int, default=0, help="of the random states (0)")
    parser.add_argument("--all", action="store_true", help="show all fields, not only the worst of each stage")
    options = parser.parse_args(arguments)
    try:
        import mujoco
    except ImportError:
        print("error: MuJoCo is not installed for this Python: pip install mujoco==4.0.0", file=sys.stderr)
        return 2
    try:
        reference = _load(mujoco, options.model)
        own = _load(lockstep, options.model)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    size, field = compare_models(own, reference)
    print(f"{options.model}: lockstep {lockstep.lockstep_version} against MuJoCo {mujoco.__version__}")
    print(f"compiled model: worst residual {size:.1e}" + (f" in {field}" if size else ""))
    comparison = Comparison(mujoco, reference, own if size <= MODEL_TOLERANCE else None)
    if size > MODEL_TOLERANCE:
        print("the models differ: the dynamics below are compared on MuJoCo's")
    residuals = comparison.run(options.states, options.seed)
    print(f"dynamics from {options.states} random states, constraints disabled")
    print("\n".join(table(residuals, options.all)))
    deviating = [entry for entry in residuals if entry.size > TOLERANCE]
    if options.steps:
        print(f"{options.steps} steps under random controls: {comparison.trajectory(options.steps, options.seed):.1e}")
    if deviating:
        first = deviating[0]
        print(f"first deviation: {first.stage}: {first.field}, {first.size:.1e} in state {first.state}")
    else:
        print(f"no deviation above {TOLERANCE:.0e}")
    return int(bool(deviating) or size > MODEL_TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
