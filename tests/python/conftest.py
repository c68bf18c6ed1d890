"""A model with one element of every kind, compiled by MuJoCo, for the tests of the API."""

import os

import mujoco
import pytest

import lockstep

if os.environ.get("LOCKSTEP_CHECK_CONES"):
    import cones

    cones.install()

    def pytest_terminal_summary(terminalreporter):
        terminalreporter.write_line("forces in their cones: {calls} calls, {contacts} contacts, worst excess {worst:.2g}"
                                    .format(**cones.checked))

XML = """
<mujoco model="api">
  <size nuser_body="1"/>
  <asset>
    <mesh name="tetrahedron" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="ground" nrow="2" ncol="3" size="1 1 1 1"/>
    <texture name="flat" type="2d" builtin="flat" width="2" height="3"/>
    <material name="paint"/>
  </asset>
  <worldbody>
    <camera name="eye"/>
    <light name="lamp"/>
    <body name="base">
      <freejoint name="root"/>
      <geom name="ball" size="1"/>
      <site name="tip"/>
      <body name="arm">
        <joint name="hinge" range="-10 20"/>
        <geom name="bone" size=".1"/>
        <body name="hand"><joint name="wrist" type="ball"/><geom size=".1"/></body>
      </body>
    </body>
  </worldbody>
  <contact><pair name="touch" geom1="ball" geom2="bone"/><exclude name="never" body1="base" body2="hand"/></contact>
  <equality><joint name="lock" joint1="hinge"/></equality>
  <tendon><fixed name="string"><joint joint="hinge" coef="2"/></fixed></tendon>
  <actuator>
    <motor name="motor" joint="hinge"/>
    <pid name="pid" joint="hinge" kp="1" kv="1"/>
    <orientation name="turn" joint="wrist" kp="1"/>
  </actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <custom>
    <numeric name="numbers" data="1 2 3"/>
    <text name="words" data="abc"/>
    <tuple name="group"><element objtype="body" objname="arm"/></tuple>
  </custom>
  <keyframe><key name="home"/></keyframe>
</mujoco>
"""


@pytest.fixture(scope="module")
def theirs():
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture
def ours(theirs):
    """MuJoCo's compiled numbers in our MjModel: the API is tested apart from the compiler."""
    return lockstep.MjModel._from_mujoco(theirs)
