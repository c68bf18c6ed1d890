#!/usr/bin/env python3
"""Instructions per step of one world, Lockstep and MuJoCo, counted by callgrind: figures that do not depend on how
busy the machine is.

usage: .venv/bin/python bench/instructions.py [--smooth] [--steps 40] [--match GLOB] [--json FILE]

Each engine runs each model in a process of its own under valgrind; counting begins after a warm-up to typical motion
under the same controls. --smooth switches constraints off. Below each model stand the stages with all that they call;
where the engines cut the work differently, one of them has no figure. The step of MuJoCo's Python package reads clocks,
which take time but few instructions.
"""
import argparse
import fnmatch
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))

CHUNK = 20  # steps that one_world takes at a time
WARM_UP = 9  # of them

# stage: functions of Lockstep, of MuJoCo
STAGES = {
    'kinematics': ('kinematics kinematics_bare', 'mj_kinematics1 mj_kinematics2'), 'com_pos': ('com_pos', 'mj_comPos'),
    'tendon': ('tendon', 'mj_tendon'), 'crb': ('crb', 'mj_crb'), 'factor_m': ('factor_m', 'mj_factorM'),
    'collision': ('collision', 'mj_collision'), 'make_constraint': ('make_constraint', 'mj_makeConstraint'),
    'transmission': ('transmission', 'mj_transmission'), 'com_vel': ('com_vel', 'mj_comVel'),
    'passive': ('passive', 'mj_passive'), 'rne': ('rne', 'mj_rne'), 'actuation': ('fwd_actuation', 'mj_fwdActuation'),
    'acceleration': ('fwd_acceleration', 'mj_fwdAcceleration'), 'constraint': ('fwd_constraint', 'mj_fwdConstraint'),
}


def child(engine, path, smooth, steps):
    import one_world
    world = one_world.World(getattr(one_world, engine), pathlib.Path(path), smooth)
    assert one_world.CHUNK == CHUNK
    world.run(WARM_UP)
    for chunks, switch in ((0, 'on'), (steps // CHUNK, 'off')):
        world.run(chunks)
        subprocess.run(['callgrind_control', '-i', switch, str(os.getpid())], check=True, capture_output=True)


def count(engine, path, smooth, steps):
    """{function: instructions per step}, with callees."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'out'
        subprocess.run(['valgrind', '--tool=callgrind', '--instr-atstart=no', f'--callgrind-out-file={out}', sys.executable,
                        __file__, '--child', engine, str(path), str(int(smooth)), str(steps)],
                       check=True, capture_output=True)
        text = subprocess.run(['callgrind_annotate', '--inclusive=yes', '--threshold=100', str(out)], check=True,
                              capture_output=True, text=True).stdout
    result = {}
    for line in text.splitlines():
        found = re.match(r'\s*([\d,]+) \([^)]*\)\s+(\S*?:)(\S.*)', line)
        if found:
            name = found[3].split(' [')[0]
            own = re.search(r'lockstep::(?:isa_\w+::)?(\w+)(?:<double>)?\(lockstep::', name)
            key = own[1] if own else name.split("'")[0]
            result[key] = max(result.get(key, 0), int(found[1].replace(',', '')) / steps)
    return result


def measure(path, smooth, steps):
    ours, theirs = (count(engine, path, smooth, steps) for engine in ('lockstep', 'mujoco'))
    stages = {stage: [sum(counts.get(name, 0) for name in names.split()) for counts, names in zip((ours, theirs), both)]
              for stage, both in STAGES.items()}
    own, other = ours['step'], theirs['mj_step']
    return {'lockstep': own, 'mujoco': other, 'ratio': other / own, 'stages': stages}


def main():
    if '--child' in sys.argv:
        engine, path, smooth, steps = sys.argv[2:]
        return child(engine, path, smooth == '1', int(steps))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--smooth', action='store_true')
    parser.add_argument('--steps', type=int, default=40)
    parser.add_argument('--match', default='*')
    parser.add_argument('--json', type=pathlib.Path)
    args = parser.parse_args()
    import one_world
    rows = {}
    print(f'{"model":44} {"MuJoCo":>10} {"ours":>10} {"ratio":>6}   instructions per step')
    for path in one_world.models():
        label = one_world.parity.label(path)
        if not fnmatch.fnmatch(label, args.match):
            continue
        row = rows[label] = measure(path, args.smooth, -(-args.steps // CHUNK) * CHUNK)
        print(f'{label:44} {row["mujoco"]:10.0f} {row["lockstep"]:10.0f} {row["ratio"]:6.2f}', flush=True)
        for stage, (own, other) in row['stages'].items():
            if own or other:
                print(f'    {stage:40} {other:10.0f} {own:10.0f}')
    print(f'geometric mean {math.exp(statistics.fmean(math.log(row["ratio"]) for row in rows.values())):.2f}')
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + '\n')


if __name__ == '__main__':
    main()
