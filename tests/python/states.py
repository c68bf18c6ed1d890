"""Random states for comparing the step with MuJoCo, given to both engines alike."""
import mujoco
import numpy as np

LARGE = 65  # degrees of freedom of models whose short tests take fewer states or steps
INPUTS = ('qpos', 'qvel', 'act', 'ctrl', 'qfrc_applied', 'xfrc_applied', 'mocap_pos', 'mocap_quat', 'plastic', 'qacc')


def randomize(m, d, rng, speed=1.0):
    """A state of MuJoCo's Data at random: poses, velocities, inputs and yielded springs."""
    mujoco.mj_resetData(m, d)
    mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv), 1)
    d.qvel = speed * rng.normal(size=m.nv)
    d.qacc = rng.normal(size=m.nv)
    d.act = rng.uniform(size=m.na)
    d.ctrl = rng.normal(size=m.nu)
    d.qfrc_applied = rng.normal(size=m.nv)
    d.xfrc_applied[1:] = rng.normal(size=(m.nbody - 1, 6))
    d.mocap_pos += rng.normal(size=(m.nmocap, 3))
    d.mocap_quat = rng.normal(size=(m.nmocap, 4))
    for joint in range(m.njnt):
        adr = m.jnt_plasticadr[joint]
        if adr < 0:
            continue
        if m.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
            turned = d.plastic[adr:adr + 4].copy()
            mujoco.mju_quatIntegrate(turned, rng.normal(size=3), 1)
            d.plastic[adr:adr + 4] = turned
        else:
            d.plastic[adr] += rng.normal()
    for tendon in range(m.ntendon):
        adr = m.tendon_plasticadr[tendon]
        if adr >= 0:
            d.plastic[adr:adr + 2] += 0.3 * rng.normal()


def give(source, target):
    """The same inputs for the other engine."""
    for name in INPUTS:
        getattr(target, name)[:] = getattr(source, name)


def residual(own, ref):
    """Largest difference, relative to the largest number of the field but at least absolute."""
    own, ref = np.asarray(own), np.asarray(ref)
    assert own.shape == ref.shape
    if not ref.size:
        return 0.0
    assert np.isfinite(ref).all(), 'MuJoCo itself fails here'
    gap = np.abs(own - ref).max() / max(1.0, np.abs(ref).max())
    return np.inf if np.isnan(gap) else float(gap)
