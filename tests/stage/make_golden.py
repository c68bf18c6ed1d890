"""Writes what MuJoCo computes for a model into a file that golden.h reads.

usage: make_golden.py OUT.bin MODEL.xml [number of states] [seed]; with no states, constraints stay on
Records: kind (1 byte), length of name (1 byte), name, bytes of data (4), data.
Kinds: 's' a size, 'p' what the compiler starts from or what it computes beside the Model arrays, 'o' an option, 'm' a Model array, 'S' start of a state, 'i' its input, 'e' an expected Data array.
"""
import pathlib
import re
import struct
import sys

import mujoco
import numpy as np

MODEL = pathlib.Path(__file__).resolve().parents[2] / "src" / "model"
STAGES = {"kinematics", "cam_light", "com_pos", "tendon", "crb", "factor_m", "transmission", "com_vel", "rne"}
INPUTS = ("qpos", "qvel", "mocap_pos", "mocap_quat")
# compared as dense rows: MuJoCo's pattern depends on the pose
MOMENT = ("moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment")


def names(file, macro):
    return re.findall(rf"^{macro}\(\s*(?:\w+,\s*)?(\w+)", (MODEL / file).read_text(), re.M)


def stage_fields():
    rows = re.findall(r"^FIELD\(\s*\w+,\s*(\w+),[^,]*,[^,]*,\s*(\w+)", (MODEL / "data_fields.def").read_text(), re.M)
    return [name for name, stage in rows if stage in STAGES and name not in MOMENT]


def record(out, kind, name, value=None):
    data = b"" if value is None else np.ascontiguousarray(value).tobytes()
    out.write(kind.encode() + struct.pack("B", len(name)) + name.encode() + struct.pack("<I", len(data)) + data)


def dense_moment(m, d):
    dense = np.zeros((m.nout, m.nv))
    for row in range(m.nout):
        for k in range(d.moment_rowadr[row], d.moment_rowadr[row] + d.moment_rownnz[row]):
            dense[row, d.moment_colind[k]] = d.actuator_moment[k]
    return dense


def write_model(out, m):
    for name in re.findall(r"^SIZE\((\w+)", (MODEL / "sizes.def").read_text(), re.M):
        record(out, "s", name, np.int64(getattr(m, name)))
    for type_, name in re.findall(r"^OPTION\((\w+),\s*(\w+)", (MODEL / "option.def").read_text(), re.M):
        value = getattr(m.opt, name)
        record(out, "o", name, np.asarray(value, dtype=np.float64 if type_ == "Real" else np.int32))
    for name in re.findall(r"^FIELD\(\s*\w+,\s*(\w+)", (MODEL / "model_fields.def").read_text(), re.M):
        value = getattr(m, name)
        if isinstance(value, (bytes, str)):
            value = np.frombuffer(value if isinstance(value, bytes) else value.encode(), np.uint8)
        if np.size(value):
            record(out, "m", name, value)


def write_spec(out, spec, m):
    """numbers before the compiler resolves damping ratios, spring lengths and critically damped joints"""
    biasprm, lengthspring = m.actuator_biasprm.copy(), m.tendon_lengthspring.copy()
    springdamper = np.zeros((m.njnt, 2))
    for actuator in spec.actuators:
        biasprm[actuator.id] = actuator.biasprm
    for tendon in spec.tendons:
        lengthspring[tendon.id] = tendon.springlength
    for joint in spec.joints:
        springdamper[joint.id] = joint.springdamper
    record(out, "p", "actuator_biasprm", biasprm)
    record(out, "p", "tendon_lengthspring", lengthspring)
    record(out, "p", "jnt_springdamper", springdamper)
    for name, stat in (("given", spec.stat), ("stat", m.stat)):
        record(out, "p", name, np.array([stat.meaninertia, stat.meanmass, stat.meansize, stat.extent, *stat.center]))


def has_tendon_armature(m):
    tendon_driven = m.actuator_trnid[m.actuator_trntype == mujoco.mjtTrn.mjTRN_TENDON, 0]
    driven = np.any(m.actuator_armature[m.actuator_trntype == mujoco.mjtTrn.mjTRN_TENDON]) if tendon_driven.size else False
    return bool(np.any(m.tendon_armature) or driven)


def write_state(out, m, d, rng, first):
    mujoco.mj_resetData(m, d)
    if not first:
        mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv), 1)
        d.qvel[:] = rng.normal(size=m.nv)
        d.mocap_pos[:] += rng.normal(size=d.mocap_pos.shape)
        d.mocap_quat[:] += 0.5 * rng.normal(size=d.mocap_quat.shape)
    record(out, "S", "")
    for name in INPUTS:
        record(out, "i", name, getattr(d, name))
    mujoco.mj_forward(m, d)
    for name in stage_fields():
        # the bias of tendon armature is a stage of its own
        if name == "qfrc_bias" and has_tendon_armature(m):
            continue
        record(out, "e", name, getattr(d, name))
    record(out, "e", "moment", dense_moment(m, d))


def main():
    out_path, xml = sys.argv[1:3]
    states = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    rng = np.random.default_rng(int(sys.argv[4]) if len(sys.argv) > 4 else 0)
    spec = mujoco.MjSpec.from_file(xml)
    m = spec.compile()
    if states:
        m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    d = mujoco.MjData(m)
    with open(out_path, "wb") as out:
        write_model(out, m)
        write_spec(out, spec, m)
        for k in range(states):
            write_state(out, m, d, rng, k == 0)


if __name__ == "__main__":
    main()
