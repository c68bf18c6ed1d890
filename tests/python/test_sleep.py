"""Sleeping trees as in MuJoCo: who falls asleep when, what wakes them, and what is left out meanwhile.

Both engines run side by side. Counters and lists must be equal at every step, poses and velocities to rounding.
"""
import copy

import mujoco
import numpy as np
import pytest

import lockstep

LISTS = ('tree_asleep', 'tree_awake', 'body_awake')
INDICES = {'body_awake_ind': 'nbody_awake', 'parent_awake_ind': 'nparent_awake', 'dof_awake_ind': 'nv_awake'}
COUNTS = ('ntree_awake', 'nbody_awake', 'nparent_awake', 'nv_awake', 'nefc', 'ncon')

HEAD = """<mujoco><option {option}><flag sleep="enable" {flags}/></option>
  <worldbody><geom type="plane" size="5 5 0.1"/>"""


def world(bodies, rest='', option='', flags=''):
    if 'tolerance="1' not in option:
        option += ' tolerance="1e-14"'  # both solvers run to the end, so that nobody falls asleep a step earlier
    return HEAD.format(option=option, flags=flags) + bodies + '</worldbody>' + rest + '</mujoco>'


def box(name, pos, sleep='', more=''):
    policy = f'sleep="{sleep}"' if sleep else ''
    return (f'<body name="{name}" pos="{pos}" {policy}><freejoint name="{name}"/>'
            f'<geom type="box" size="0.1 0.1 0.1"/>{more}</body>')


class Pair:
    """The same model in both engines."""

    def __init__(self, xml):
        self.m, self.own_m = mujoco.MjModel.from_xml_string(xml), lockstep.MjModel.from_xml_string(xml)
        self.d, self.own = mujoco.MjData(self.m), lockstep.MjData(self.own_m)
        self.tolerance = 1e-6

    def each(self, act):
        act(self.m, self.d), act(self.own_m, self.own)

    def step(self, count=1):
        for _ in range(count):
            mujoco.mj_step(self.m, self.d)
            lockstep.mj_step(self.own_m, self.own)
            self.check()

    def forward(self):
        mujoco.mj_forward(self.m, self.d)
        lockstep.mj_forward(self.own_m, self.own)
        self.check()

    def check(self):
        time = self.d.time
        for name in LISTS:
            np.testing.assert_array_equal(getattr(self.own, name), getattr(self.d, name), f'{name} at {time}')
        for name in COUNTS:
            assert getattr(self.own, name) == getattr(self.d, name), f'{name} at {time}'
        for name, count in INDICES.items():
            number = getattr(self.d, count)
            np.testing.assert_array_equal(getattr(self.own, name)[:number], getattr(self.d, name)[:number], name)
        for name in ('qpos', 'qvel'):
            np.testing.assert_allclose(getattr(self.own, name), getattr(self.d, name), rtol=0, atol=self.tolerance,
                                       err_msg=f'{name} at {time}')

    def run_until_asleep(self, count=None, most=3000):
        """Steps until so many trees sleep (all, if none is given)."""
        wanted = self.m.ntree if count is None else count
        for _ in range(most):
            self.step()
            if self.m.ntree - self.d.ntree_awake >= wanted:
                return
        raise AssertionError(f'only {self.m.ntree - self.d.ntree_awake} of {wanted} fell asleep')


def stack(option='', flags=''):
    """A stack of two boxes, a box apart, a box in the air held by nothing."""
    bodies = box('a', '0 0 0.0995') + box('b', '0.02 0.03 0.2985') + box('c', '1 0 0.0992') + box('far', '2 0 3')
    return world(bodies, option=option, flags=flags)


def test_boxes_fall_asleep():
    pair = Pair(stack())
    pair.run_until_asleep()
    pair.step()
    assert (pair.own.qvel == 0).all() and pair.own.nefc == 0 and pair.own.ncon == 0
    asleep = pair.own.tree_asleep
    assert asleep[asleep[0]] == 0 and asleep[0] == 1  # the stack is one ring
    still = pair.own.qpos.copy()
    pair.step(50)
    np.testing.assert_array_equal(pair.own.qpos, still)


@pytest.mark.parametrize('integrator', ('implicit', 'implicitfast', 'discrete'))
def test_integrators(integrator):
    pair = Pair(stack(option=f'integrator="{integrator}"'))
    pair.run_until_asleep()
    pair.step(20)


def test_runge_kutta():
    """MuJoCo does not support it and wakes its sleepers at once; ours sleep on."""
    pair = Pair(stack(option='integrator="RK4"'))
    for _ in range(200):
        lockstep.mj_step(pair.own_m, pair.own)
    assert (pair.own.tree_asleep[:3] >= 0).all()
    still = pair.own.qpos[:21].copy()
    lockstep.mj_step(pair.own_m, pair.own, 50)
    np.testing.assert_array_equal(pair.own.qpos[:21], still)


@pytest.mark.parametrize('solver', ('PGS', 'CG'))
def test_solvers(solver):
    pair = Pair(stack(option=f'solver="{solver}" tolerance="1e-14" iterations="1000"'))
    pair.tolerance = 1e-5
    pair.run_until_asleep()


@pytest.mark.parametrize('change', ('qpos', 'qvel', 'qfrc_applied', 'xfrc_applied', 'minus zero'))
def test_the_user_wakes(change):
    """Every change of pose, velocity or force wakes the tree and those that sleep with it, and no other."""
    pair = Pair(stack())
    pair.run_until_asleep()

    def act(m, d):
        if change == 'qpos':
            d.qpos[0] += 0.01
        elif change == 'qvel':
            d.qvel[6] = 0.1
        elif change == 'qfrc_applied':
            d.qfrc_applied[2] = 1
        elif change == 'xfrc_applied':
            d.xfrc_applied[2, 0] = 1
        else:
            d.qvel[0] = -0.0

    pair.each(act)
    pair.step()
    assert (pair.own.tree_asleep[:2] < 0).all() and (pair.own.tree_asleep[2:] >= 0).all()
    pair.each(lambda m, d: (d.qfrc_applied.fill(0), d.xfrc_applied.fill(0)))
    pair.run_until_asleep()


def test_contact_wakes():
    """A ball falls on a sleeping stack; the other boxes sleep on."""
    ball = '<body name="ball" pos="0.03 0 4"><freejoint/><geom size="0.1"/></body>'
    pair = Pair(world(box('a', '0 0 0.0995') + box('b', '0.02 0.03 0.2985') + box('c', '1 0 0.0992') + ball))
    pair.run_until_asleep(3)
    while pair.own.tree_asleep[0] >= 0:
        pair.step()
        assert pair.own.time < 2
    assert (pair.own.tree_asleep[:2] < 0).all() and pair.own.tree_asleep[2] >= 0
    assert pair.own.ncon > 4  # also those of the stack with the floor
    pair.step(30)


def test_mocap_wakes():
    """Bodies that the user moves are awake: what they touch wakes, what they pass does not."""
    mocap = '<body name="hand" mocap="true" pos="0 0 1"><geom type="sphere" size="0.1"/></body>'
    pair = Pair(world(box('a', '0 0 0.0995') + box('c', '1 0 0.0992') + mocap))
    pair.run_until_asleep()
    for k in range(40):
        pair.each(lambda m, d: d.mocap_pos.__setitem__((0, 2), 1 - 0.02 * k))
        pair.step()
    assert pair.own.tree_asleep[0] < 0 <= pair.own.tree_asleep[1]


def test_equality_wakes():
    ties = '<equality><weld name="w" body1="a" body2="c" active="false"/><connect body1="b" body2="d" anchor="0 0 0"' \
           ' active="false"/></equality>'
    pair = Pair(world(box('a', '0 0 0.0995') + box('b', '1 0 0.0995') + box('c', '2 0 0.0995') + box('d', '3 0 0.0995'), ties))
    pair.run_until_asleep()
    pair.each(lambda m, d: d.eq_active.__setitem__(0, 1))  # two that sleep apart
    pair.step()
    assert list(pair.own.tree_asleep >= 0) == [False, True, False, True]
    pair.each(lambda m, d: (d.qvel.__setitem__(6, 0.5), d.eq_active.__setitem__(1, 1)))  # one that is awake
    pair.step()
    assert (pair.own.tree_asleep < 0).all()
    pair.step(20)


def test_tendon_wakes():
    """A tendon at its limit wakes the tree at its other end."""
    site = '<site name="s{}" pos="0 0 0"/>'
    rest = '<tendon><spatial limited="true" range="0 1.5"><site site="sa"/><site site="sb"/></spatial></tendon>'
    pair = Pair(world(box('a', '0 0 0.0995', more=site.format('a')) + box('b', '1 0 0.0995', more=site.format('b')), rest))
    pair.run_until_asleep()
    pair.each(lambda m, d: d.qvel.__setitem__(slice(6, 9), (2, 0, 3)))
    pair.step()
    assert pair.own.tree_asleep[0] >= 0 > pair.own.tree_asleep[1]
    while pair.own.tree_asleep[0] >= 0:
        pair.step()
        assert pair.own.time < 5
    pair.step(30)


def test_policies():
    """Trees that must not sleep keep their island awake; actuated trees do not sleep unless allowed."""
    arm = ('<body name="{0}" pos="{1} 0 1" {2}><joint name="{0}" axis="0 1 0" damping="1"/>'
           '<geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.3"/></body>')
    bodies = (box('a', '0 0 0.0995', 'never') + box('b', '0.02 0.03 0.2985') + box('c', '1 0 0.0995') +
              arm.format('free', 2, '') + arm.format('driven', 3, '') + arm.format('allowed', 4, 'sleep="allowed"'))
    rest = '<actuator><motor joint="driven"/><motor joint="allowed"/></actuator>'
    pair = Pair(world(bodies, rest))
    pair.run_until_asleep(3)
    pair.step(30)
    assert list(pair.own.tree_asleep >= 0) == [False, False, True, True, False, True]
    pair.each(lambda m, d: d.ctrl.fill(1))  # a sleeping actuator does nothing
    pair.step(5)
    assert pair.own.tree_asleep[5] >= 0


def test_tolerance():
    slow = Pair(stack(option='sleep_tolerance="0.01"'))
    fast = Pair(stack(option='sleep_tolerance="0.0001"'))
    slow.run_until_asleep(), fast.run_until_asleep()
    assert slow.own.time < fast.own.time


def test_without_islands_nothing_in_contact_sleeps():
    pair = Pair(stack(flags='island="disable"'))
    pair.step(600)
    assert (pair.own.tree_asleep < 0).all()


def test_rows_of_sleepers_are_left_out():
    """Limits, dry friction and equalities of sleeping trees make no rows."""
    arm = ('<body name="{0}" pos="{1} 0 1"><joint name="{0}" axis="0 1 0" damping="1" frictionloss="0.1" range="-30 10"'
           ' limited="true"/><geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/></body>')
    bodies = arm.format('p', 0) + arm.format('q', 2) + box('a', '4 0 0.0995')
    rest = '<equality><joint joint1="p" joint2="q"/></equality>'
    pair = Pair(world(bodies, rest))
    pair.run_until_asleep()
    pair.step()
    assert pair.own.nefc == 0
    pair.each(lambda m, d: d.qvel.__setitem__(0, 0.5))
    pair.step()
    assert pair.own.nefc > 0 and list(pair.own.tree_asleep >= 0) == [False, False, True]


def test_flag_off_wakes_all():
    pair = Pair(stack())
    pair.run_until_asleep()

    def switch_off(m, d):
        m.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)

    pair.each(switch_off)
    pair.step(3)
    assert (pair.own.tree_asleep == -11).all() and pair.own.ncon > 0


def test_sensors_keep_their_readings():
    """What is measured on sleeping bodies stays as it was when they fell asleep."""
    site = '<site name="{0}" type="box" size="0.11 0.11 0.11"/>'
    bodies = box('a', '0 0 0.0995', more=site.format('a')) + box('c', '2 0 0.0995', more=site.format('c'))
    rest = ('<sensor><touch site="a"/><accelerometer site="a"/><framepos objtype="site" objname="a"/>'
            '<touch site="c"/><framepos objtype="site" objname="a" reftype="site" refname="c"/><clock/></sensor>')
    pair = Pair(world(bodies, rest))
    pair.run_until_asleep()
    pair.step(10)
    np.testing.assert_allclose(pair.own.sensordata, pair.d.sensordata, atol=1e-6)
    assert pair.own.sensordata[0] > 10  # its weight
    pair.each(lambda m, d: d.qvel.__setitem__(6, 0.5))
    pair.step(5)
    np.testing.assert_allclose(pair.own.sensordata, pair.d.sensordata, atol=1e-6)


def test_forces_of_sleepers_stay():
    pair = Pair(stack())
    pair.run_until_asleep()
    pair.step(10)
    for name in ('qacc', 'qfrc_constraint', 'qfrc_smooth', 'qfrc_bias', 'cvel', 'xpos', 'M'):
        np.testing.assert_allclose(getattr(pair.own, name), getattr(pair.d, name), atol=1e-6, err_msg=name)


def test_sleepers_from_the_start():
    """Trees may start asleep, wherever they are; a reset puts them back to sleep."""
    bodies = box('a', '0 0 3', 'init') + box('b', '0 0 2.85', 'init') + box('c', '1 0 0.3')
    pair = Pair(world(bodies))
    pair.check()
    assert list(pair.own.tree_asleep) == [1, 0, -10]
    pair.step(20)
    assert pair.own.qpos[2] == 3
    pair.each(lambda m, d: d.qvel.__setitem__(2, -1))
    pair.step(3)
    assert (pair.own.tree_asleep < 0).all()
    mujoco.mj_resetData(pair.m, pair.d)
    lockstep.mj_resetData(pair.own_m, pair.own)
    pair.check()
    assert list(pair.own.tree_asleep) == [1, 0, -10]


def test_copies_sleep():
    pair = Pair(stack())
    pair.run_until_asleep()
    other = copy.copy(pair.own)
    np.testing.assert_array_equal(other.tree_asleep, pair.own.tree_asleep)
    lockstep.mj_step(pair.own_m, other, 5)
    assert (other.tree_asleep >= 0).all()
    np.testing.assert_array_equal(other.qpos, pair.own.qpos)
    # a state knows nothing of sleep: the same pose goes on sleeping, another one wakes
    state = np.zeros(lockstep.mj_stateSize(pair.own_m, int(mujoco.mjtState.mjSTATE_PHYSICS)))
    fresh = lockstep.MjData(pair.own_m)
    lockstep.mj_getState(pair.own_m, fresh, state, int(mujoco.mjtState.mjSTATE_PHYSICS))
    lockstep.mj_setState(pair.own_m, other, state, int(mujoco.mjtState.mjSTATE_PHYSICS))
    lockstep.mj_step(pair.own_m, other)
    assert (other.tree_asleep < 0).any()


def test_a_heap_over_seconds():
    """Thirty bodies fall, settle and fall asleep; one is kicked, wakes its neighbours, and all settle again."""
    rng = np.random.default_rng(0)
    shapes = ('<geom type="box" size="0.06 0.05 0.04"/>', '<geom type="capsule" size="0.04 0.05"/>',
              '<geom type="box" size="0.05 0.05 0.05"/>')
    bodies = ''
    for i in range(30):
        x, y = 0.4 * (i % 6) + 0.02 * rng.normal(), 0.4 * (i // 6) + 0.02 * rng.normal()
        bodies += f'<body pos="{x} {y} 0.12"><freejoint/>{shapes[i % 3]}</body>'
        if i % 5 == 0:
            bodies += f'<body pos="{x} {y} 0.3"><freejoint/>{shapes[(i + 1) % 3]}</body>'
    pair = Pair(world(bodies, option='timestep="0.004"'))
    pair.tolerance = 1e-4  # contacts amplify rounding
    pair.run_until_asleep(20, 2000)
    pair.each(lambda m, d: d.qvel.__setitem__(slice(0, 3), (1, 0, 1)))
    pair.step(100)
    assert pair.own.ntree_awake < pair.m.ntree
