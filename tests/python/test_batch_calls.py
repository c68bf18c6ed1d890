"""What calls leave behind, beside mujoco.batch: results, warnings, delays, memory."""
import multiprocessing
import os
import threading
import time

import mujoco
import mujoco.batch
import numpy as np
import pytest

import lockstep
import lockstep.batch

SLEEPER = """
<mujoco>
  <option timestep=".005" sleep_tolerance=".05"><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s" pos="0 0 .1"/></body>
  </worldbody>
  <sensor><framepos objtype="site" objname="s"/><accelerometer site="s"/></sensor>
</mujoco>
"""
SENSED = """
<mujoco>
  <option integrator="%s"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/></body>
    <body pos="1 0 .5"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/><site name="t"/></body>
  </worldbody>
  <sensor><accelerometer site="s"/><force site="t"/><subtreelinvel body="world"/></sensor>
</mujoco>
"""
FAST = """
<mujoco>
  <option gravity="0 0 0" integrator="Euler"/>
  <worldbody><body><joint type="slide"/><geom size=".1"/></body></worldbody>
</mujoco>
"""
LATE = """
<mujoco>
  <option timestep="%g"/>
  <worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="j" delay="%g" nsample="%d"/></actuator>
</mujoco>
"""


def pair(xml, nsim, **options):
    return [package.batch.Batch(package.MjModel.from_xml_string(xml), nsim, 1, **options) for package in (lockstep, mujoco)]


def test_sensors_of_trees_that_fall_asleep_within_a_call():
    found = []
    for batch in pair(SLEEPER, 1, persistent=True):
        batch.bind('sensordata'), batch.bind('site_xpos'), batch.bind('tree_asleep')
        batch.step(nstep=150)
        assert batch.tree_asleep[0, 0] >= 0
        found.append(np.hstack([batch.sensordata[0], batch.site_xpos[0, 0]]))
    np.testing.assert_allclose(*found, atol=1e-9)


@pytest.mark.parametrize('integrator', ['Euler', 'RK4', 'implicit'])
def test_what_sensors_needed_stays(integrator):
    """Forces on bodies that a step computes for its sensors are those of that step."""
    names, found = ('cacc', 'cfrc_int', 'cfrc_ext', 'subtree_linvel', 'subtree_angmom'), []
    for batch in pair(SENSED % integrator, 3):
        for name in names:
            batch.bind(name)
        batch.qvel = np.arange(batch.model.nv) * .3
        batch.step()
        batch.step(nstep=2)
        found.append([getattr(batch, name).copy() for name in names])
    for name, ours, theirs in zip(names, *found):
        np.testing.assert_allclose(ours, theirs, atol=1e-6, err_msg=name)


@pytest.mark.parametrize('integrator', ['Euler', 'RK4'])
def test_worlds_without_sensors_show_their_own(integrator):
    """Sensors are off in some worlds: what outputs ask for is computed for them."""
    found = []
    for speed in (0, 5):
        batch = pair(SENSED % integrator, 3)[0]
        batch.bind('subtree_linvel'), batch.bind('cfrc_int')
        batch.expand('opt.disableflags')[1:] = int(lockstep.mjtDisableBit.mjDSBL_SENSOR)
        batch.qvel[1:] = 1
        batch.qvel[0] = speed
        batch.step(nstep=2)
        found.append(np.hstack([batch.subtree_linvel[1:].reshape(2, -1), batch.cfrc_int[1:].reshape(2, -1)]))
    np.testing.assert_array_equal(*found)
    assert np.abs(found[0]).max() > 0.1


def test_batches_do_not_wait_for_each_other():
    """As many batches of two threads as one likes are stepped at once."""
    model = lockstep.MjModel.from_xml_string(FAST)
    slow, quick = [lockstep.batch.Batch(model, 64, 2) for _ in range(2)], lockstep.batch.Batch(model, 64, 2)
    threads = [threading.Thread(target=batch.step, kwargs={'nstep': 1_000_000}) for batch in slow]
    for thread in threads:
        thread.start()
    time.sleep(0.1)  # until both are in their calls
    quick.step()
    under_way = [thread.is_alive() for thread in threads]
    for thread in threads:
        thread.join()
    assert all(under_way)  # each takes thousands of times as long as a quick step


@pytest.mark.parametrize('stage', [0, 1, 2, 3])
def test_a_state_that_the_last_step_spoiled(stage):
    """Computing a stage after the step notices it, as the next step would."""
    found = []
    for batch in pair(FAST, 3):
        batch.qpos[1], batch.qvel[1] = 9.9999e9, 9e9
        batch.bind('xpos')
        batch.step(stage=stage)
        found.append(np.hstack([batch.state, batch.warning.reshape(3, -1)[:, :12], batch.xpos.reshape(3, -1)]))
    np.testing.assert_allclose(*found)


@pytest.mark.parametrize('timestep, steps', [(.005, 2), (.002, 5), (.01, 3), (.001, 10), (.004, 50)])
def test_delays_in_single_precision(timestep, steps):
    """A control that is late by whole steps is late by as many in either precision."""
    model = lockstep.MjModel.from_xml_string(LATE % (timestep, timestep * steps, steps + 1))
    batches = [lockstep.batch.Batch(model, 2, 1, dtype=dtype) for dtype in (np.float64, np.float32)]
    for step in range(800):
        for batch in batches:
            batch.ctrl = step % 97
            batch.bind('actuator_force')
            batch.step()
        np.testing.assert_array_equal(batches[1].actuator_force, batches[0].actuator_force, err_msg=f'{step=}')


def test_senseless_cursors_of_histories():
    model = lockstep.MjModel.from_xml_string(LATE % (.005, .01, 4))
    for cursor in (-300, 1e9, np.nan, np.inf, -np.inf):
        batch = lockstep.batch.Batch(model, 9, 1)
        batch.history[3, 1] = cursor
        batch.step(nstep=20)
        plain = lockstep.batch.Batch(model, 9, 1)
        plain.step(nstep=20)
        others = np.arange(9) != 3
        np.testing.assert_array_equal(batch.state[others], plain.state[others])


def test_persistent_worlds_show_what_a_new_data_has():
    ours, theirs = pair(SLEEPER, 2, persistent=True)
    for name in ('tree_asleep', 'qpos', 'qacc', 'act_dot'):
        np.testing.assert_array_equal(ours.bind(name), theirs.bind(name), name)


def test_messages_name_the_options_of_their_world():
    xml = SENSED.replace('integrator="%s"', 'solver="cgstrict" iterations="3" tolerance="1e-9"')
    batch = lockstep.batch.Batch(lockstep.MjModel.from_xml_string(xml), 3)
    batch.qvel = np.linspace(-5, 5, 3 * batch.model.nv).reshape(3, -1)
    batch.expand('opt.iterations')[1] = 2
    with pytest.raises(lockstep.batch.SimulationError):
        batch.step(nstep=10)
    assert 'at most 2)' in batch.error(1)


@pytest.mark.skipif(not os.path.exists('/proc/self/statm'), reason='memory is read from /proc')
def test_batches_leave_no_memory_behind():
    model = lockstep.MjModel.from_xml_string(FAST)

    def pages(count):
        for _ in range(count):
            lockstep.batch.Batch(model, 16, 2).step()
        with open('/proc/self/statm', encoding='ascii') as file:
            return int(file.read().split()[1])

    pages(200)
    before = pages(200)
    assert pages(600) - before < 100  # 400 kB; an arena of threads takes 6.6 kB


@pytest.mark.skipif(not hasattr(os, 'fork'), reason='there is no fork here')
def test_forked_processes_step_batches_of_their_own():
    """A process that is forked while threads are busy, as by multiprocessing, makes batches and steps them."""
    model = lockstep.MjModel.from_xml_string(FAST)
    busy, done = lockstep.batch.Batch(model, 64, 2), threading.Event()

    def keep_busy():
        while not done.is_set():
            busy.step()

    thread = threading.Thread(target=keep_busy)
    thread.start()
    try:
        for _ in range(5):
            process = multiprocessing.get_context('fork').Process(
                target=lambda: lockstep.batch.Batch(model, 64, 2).step(nstep=5))
            process.start()
            process.join(20)
            assert process.exitcode == 0, 'the process hangs' if process.is_alive() else 'the process failed'
    finally:
        process.kill()
        done.set()
        thread.join()
