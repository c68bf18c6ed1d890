"""Forces of constraints stay where they may be: every force of every step of a test session, if it is asked for.

``LOCKSTEP_CHECK_CONES=1 pytest tests/python`` looks at all rows after each step and each forward call of one world.
Worlds in batches have the bits of one world.
"""
import numpy as np

import lockstep

TOLERANCE = 1e-9  # relative to the normal force, at least absolute
NOSLIP = 1e-4  # the same after noslip with elliptic cones, which ends as MuJoCo's does
CALLS = ("mj_forward", "mj_forwardSkip", "mj_step2", "mj_fwdConstraint")
checked = {"calls": 0, "contacts": 0, "worst": 0.0}

Row = lockstep.mjtConstraint


def violation(m, d):
    """Largest excess of a force over its bounds or its cone."""
    force, kind = d.efc_force, d.efc_type
    if not len(force):
        return 0.0
    scale = np.maximum(1, np.abs(force))
    pushes = np.isin(kind, [int(Row.mjCNSTR_LIMIT_JOINT), int(Row.mjCNSTR_LIMIT_TENDON),
                            int(Row.mjCNSTR_CONTACT_FRICTIONLESS), int(Row.mjCNSTR_CONTACT_PYRAMIDAL)])
    worst = (-force[pushes] / scale[pushes]).max(initial=0)
    rubs = np.isin(kind, [int(Row.mjCNSTR_FRICTION_DOF), int(Row.mjCNSTR_FRICTION_TENDON)])
    worst = max(worst, ((np.abs(force) - d.efc_frictionloss) / scale)[rubs].max(initial=0))
    if (kind != int(Row.mjCNSTR_CONTACT_ELLIPTIC)).all():
        return worst
    for contact in d.contact:
        first, dim = contact.efc_address, contact.dim
        if first < 0 or kind[first] != int(Row.mjCNSTR_CONTACT_ELLIPTIC):
            continue
        normal, friction = force[first], np.linalg.norm(force[first + 1:first + dim] / contact.friction[:dim - 1])
        worst = max(worst, -normal, (friction - normal) / max(1, normal))
    return worst


def check(m, d):
    found = violation(m, d)
    checked["calls"] += 1
    checked["contacts"] += d.ncon
    if np.isfinite(found):  # tests of bad numbers have bad forces
        checked["worst"] = max(checked["worst"], found)
        loose = m.opt.noslip_iterations > 0 and m.opt.cone == lockstep.mjtCone.mjCONE_ELLIPTIC
        assert found < (NOSLIP if loose else TOLERANCE), f"a force leaves its cone by {found:.3g}"


def install():
    """Every call that ends with forces is followed by the check."""
    def wrap(original):
        def checking(m, d, *args, **kwargs):
            result = original(m, d, *args, **kwargs)
            check(m, d)
            return result
        return checking

    for name in CALLS:
        setattr(lockstep, name, wrap(getattr(lockstep, name)))
    step = lockstep.mj_step

    def checking_step(m, d, nstep=1):
        for _ in range(nstep):
            step(m, d)
            check(m, d)

    lockstep.mj_step = checking_step
