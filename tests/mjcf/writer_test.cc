// saved text, compared with what MuJoCo 4.0.0 saves
#include <gtest/gtest.h>

#include "base/zip.h"
#include "compile/compile.h"
#include "mjcf/mjcf.h"

namespace lockstep {
namespace {

std::unique_ptr<Spec> read(const std::string& text) {
  Diagnostics diagnostics;
  auto spec = read_mjcf_text(text, "model.xml", nullptr, diagnostics);
  EXPECT_NE(spec, nullptr) << diagnostics.text(Severity::error);
  return spec;
}

std::string as_written(const std::string& text, bool canonical) {
  auto spec = read(text);
  if (!spec) return "";
  spec->compiler->savecanonical = canonical;
  return write_mjcf(*spec);
}

const char* const sample = R"(<mujoco model="m">
  <compiler angle="radian"/>
  <option timestep="0.002"/>
  <worldbody>
    <frame pos="1 0 0" euler=".1 .2 .3">
      <body name="b" pos="0.123456789012345 1e-7 2" euler="0.1 0.2 0.3">
        <joint name="j" range="-1 1" axis="0 1 0"/>
        <geom size="0.1 0.2 0.3" type="box" rgba="0.1 0.2 0.3 1" friction="0.333333333333"/>
        <geom type="capsule" fromto="0 0 0 1 1 1" size=".1" mass="1.5"/>
      </body>
    </frame>
  </worldbody>
  <actuator><position joint="j" kp="10" inheritrange="1"/></actuator>
</mujoco>)";

TEST(Writer, KeepsNotation) {
  EXPECT_EQ(as_written(sample, false), R"(<mujoco model="m">
  <compiler angle="radian"/>

  <option timestep="0.002"/>

  <worldbody>
    <frame pos="1 0 0" euler="0.1 0.2 0.3">
      <body name="b" pos="0.123456789012345 1e-07 2" euler="0.1 0.2 0.3">
        <joint name="j" range="-1 1" axis="0 1 0"/>
        <geom size="0.1 0.2 0.3" type="box" friction="0.333333333333" rgba="0.1 0.2 0.3 1"/>
        <geom size="0.1" fromto="0 0 0 1 1 1" type="capsule" mass="1.5"/>
      </body>
    </frame>
  </worldbody>

  <actuator>
    <position joint="j" inheritrange="1" kp="10"/>
  </actuator>
</mujoco>
)");
}

TEST(Writer, CanonicalNotation) {
  EXPECT_EQ(as_written(sample, true), R"(<mujoco model="m">
  <compiler angle="radian"/>

  <option timestep="0.002"/>

  <worldbody>
    <frame pos="1 0 0" quat="0.9818561728660808 0.06407134770607116 0.09115754934299071 0.15343930202422257">
      <body name="b" pos="0.123456789012345 1e-07 2" quat="0.9818561728660808 0.06407134770607116 0.09115754934299071 0.15343930202422257">
        <joint name="j" range="-1 1" axis="0 1 0"/>
        <geom size="0.1 0.2 0.3" type="box" friction="0.333333333333" rgba="0.1 0.2 0.3 1"/>
        <geom size="0.1 0.8660254037844386" pos="0.5 0.5 0.5" quat="0.45970084338098305 0.6279630301995545 -0.6279630301995545 0" type="capsule" mass="1.5"/>
      </body>
    </frame>
  </worldbody>

  <actuator>
    <general joint="j" inheritrange="1" input="pos" biastype="affine" gainprm="10" biasprm="0 -10"/>
  </actuator>
</mujoco>
)");
}

TEST(Writer, CompiledNumbers) {
  auto spec = read(sample);
  Diagnostics diagnostics;
  auto compiled = compile(*spec, diagnostics);
  ASSERT_NE(compiled, nullptr) << diagnostics.text(Severity::error);
  WriteOptions options;
  options.compiled = true;
  options.model = &compiled->model;
  EXPECT_EQ(write_mjcf(*compiled->spec, options), R"(<mujoco model="m">
  <compiler angle="radian"/>

  <worldbody>
    <frame pos="1 0 0" quat="0.981856 0.0640713 0.0911575 0.153439">
      <body name="b" pos="0.123457 1e-07 2" quat="0.981856 0.0640713 0.0911575 0.153439">
        <joint name="j" range="-1 1" axis="0 1 0"/>
        <geom size="0.1 0.2 0.3" type="box" friction="0.333333" rgba="0.1 0.2 0.3 1"/>
        <geom size="0.1 0.866025" pos="0.5 0.5 0.5" quat="0.459701 0.627963 -0.627963 0" type="capsule" mass="1.5"/>
      </body>
    </frame>
  </worldbody>

  <actuator>
    <general joint="j" ctrlrange="-1 1" input="pos" biastype="affine" gainprm="10" biasprm="0 -10"/>
  </actuator>
</mujoco>
)");
}

TEST(Writer, ReplicatesAreExpanded) {
  EXPECT_EQ(as_written(R"(<mujoco>
  <default><default class="c"><geom size=".3"/></default></default>
  <worldbody><body name="p" pos="0 0 1">
    <replicate count="2" offset="1 0 0"><replicate count="2" offset="0 1 0" childclass="c">
      <geom name="g"/><frame name="f"><site name="s"/></frame>
    </replicate></replicate>
  </body></worldbody>
</mujoco>)",
                       false),
            R"(<mujoco model="MuJoCo Model">
  <default>
    <default class="c">
      <geom size="0.3"/>
    </default>
  </default>

  <worldbody>
    <body name="p" pos="0 0 1">
      <frame>
        <frame childclass="c">
          <geom name="g00"/>
          <frame name="f00">
            <site name="s00"/>
          </frame>
        </frame>
        <frame childclass="c" pos="0 1 0">
          <geom name="g10"/>
          <frame name="f10">
            <site name="s10"/>
          </frame>
        </frame>
      </frame>
      <frame pos="1 0 0">
        <frame childclass="c">
          <geom name="g01"/>
          <frame name="f01">
            <site name="s01"/>
          </frame>
        </frame>
        <frame childclass="c" pos="0 1 0">
          <geom name="g11"/>
          <frame name="f11">
            <site name="s11"/>
          </frame>
        </frame>
      </frame>
    </body>
  </worldbody>
</mujoco>
)");
}

TEST(Writer, ReplicatesTakeAlongWhatRefersToThem) {
  std::string text = as_written(R"(<mujoco>
  <worldbody><replicate count="2" offset="0 1 0" sep="-">
    <body name="b"><joint name="j"/><geom size="1"/></body>
  </replicate></worldbody>
  <sensor><jointpos name="jp" joint="j"/></sensor>
  <actuator><motor name="m" joint="j"/></actuator>
  <contact><exclude body1="b" body2="world"/></contact>
</mujoco>)",
                                false);
  for (const char* line :
       {"<exclude body1=\"b-0\" body2=\"world\"/>", "<exclude body1=\"b-1\" body2=\"world\"/>",
        "<motor name=\"m-1\" joint=\"j-1\"/>", "<jointpos joint=\"j-0\" name=\"jp-0\"/>"}) {
    EXPECT_NE(text.find(line), text.npos) << text;
  }
  EXPECT_EQ(text.find("joint=\"j\""), text.npos);
}

// what is written reads back to the same text
TEST(Writer, FixedPoint) {
  for (const char* text : {
           sample,
           "<mujoco><worldbody><flexcomp name='a' type='grid' count='2 2 2' dim='3' spacing='1 1 "
           "1'><pin id='1 2'/>"
           "<contact solref='.01 1'/></flexcomp></worldbody></mujoco>",
           "<mujoco><custom><text name='a' data='x &lt; \"y\"'/><numeric name='n' size='3' "
           "data='1'/><tuple name='t'><element objtype='text' objname='a' prm='2'/></tuple>"
           "</custom></mujoco>",
           "<mujoco><extension><plugin plugin='p'><instance name='i'><config key='k' value='v'/>"
           "</instance></plugin></extension><worldbody><body><plugin instance='i'/></body>"
           "</worldbody></mujoco>",
           "<mujoco><default><dcmotor motorconst='1' resistance='2' input='pos'/></default>"
           "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
           "<dcmotor joint='j' lugre='1 2 3' saturation='3'/><muscle joint='j' force='3'/>"
           "<cylinder joint='j' bias='1 2 3' diameter='2'/></actuator></mujoco>",
       }) {
    for (bool canonical : {false, true}) {
      std::string once = as_written(text, canonical);
      EXPECT_EQ(as_written(once, canonical), once);
    }
  }
}

TEST(Mjz, ReadsWhatItWrites) {
  auto spec = read("<mujoco model='m'><worldbody><geom name='g' size='1'/></worldbody></mujoco>");
  Bytes archive = write_mjz(*spec);
  Diagnostics diagnostics;
  auto again = read_mjz(archive, "m.mjz", nullptr, diagnostics);
  ASSERT_NE(again, nullptr) << diagnostics.text(Severity::error);
  EXPECT_NE(again->find<Geom>("g"), nullptr);
  archive.resize(archive.size() / 2);
  EXPECT_EQ(read_mjz(archive, "m.mjz", nullptr, diagnostics), nullptr);
  EXPECT_TRUE(diagnostics.failed());
}

TEST(Mjz, TakesFilesOfAttachedModelsAlong) {
  auto files = std::make_shared<Assets>();
  const auto add = [&](const std::string& name, std::string_view text) {
    files->add(name, Bytes(text.begin(), text.end()));
  };
  add("robot/robot.xml",
      "<mujoco><compiler meshdir='parts'/><asset><mesh name='m' file='hull.obj'/></asset>"
      "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
  add("robot/parts/hull.obj", "the robot's");
  add("parts/hull.obj", "of no model");
  Diagnostics diagnostics;
  auto spec = read_mjcf_text(
      "<mujoco><asset><model name='r' file='robot/robot.xml'/></asset><worldbody><frame>"
      "<attach model='r' prefix='p'/></frame></worldbody></mujoco>",
      "main.xml", files, diagnostics);
  ASSERT_NE(spec, nullptr) << diagnostics.text(Severity::error);
  std::string problem, found;
  for (const ZipMember& member : read_zip(write_mjz(*spec), problem)) {
    if (member.name == "hull.obj") found.assign(member.bytes.begin(), member.bytes.end());
  }
  EXPECT_EQ(found, "the robot's");
}

}  // namespace
}  // namespace lockstep
