// values read from model text; numbers were taken from MuJoCo 4.0.0
#include <gtest/gtest.h>

#include "mjcf/mjcf.h"

namespace lockstep {
namespace {

std::unique_ptr<Spec> read(const std::string& text) {
  Diagnostics diagnostics;
  auto spec = read_mjcf_text(text, "model.xml", nullptr, diagnostics);
  EXPECT_NE(spec, nullptr) << diagnostics.text(Severity::error);
  return spec;
}

std::string errors(const std::string& text, std::shared_ptr<Assets> assets = nullptr) {
  Diagnostics diagnostics;
  EXPECT_EQ(read_mjcf_text(text, "model.xml", std::move(assets), diagnostics), nullptr) << text;
  return diagnostics.text(Severity::error);
}

std::string in_world(const std::string& text) {
  return "<mujoco><worldbody>" + text + "</worldbody></mujoco>";
}

TEST(Reader, ClassesNestAndFollowChildclass) {
  auto spec = read(R"(
<mujoco>
  <default>
    <geom rgba="1 0 0 1" friction=".5"/>
    <default class="a"><geom size=".1"/><default class="b"><geom size=".2"/></default></default>
  </default>
  <worldbody>
    <body name="x" childclass="a">
      <geom name="g1"/>
      <frame childclass="b"><geom name="g2"/><geom name="g3" class="main"/></frame>
    </body>
  </worldbody>
</mujoco>)");
  EXPECT_EQ(spec->find<Geom>("g1")->size[0], 0.1);
  EXPECT_EQ(spec->find<Geom>("g2")->size[0], 0.2);
  EXPECT_EQ(spec->find<Geom>("g3")->size[0], 0);
  EXPECT_EQ(spec->find<Geom>("g2")->friction, (std::array<double, 3>{0.5, 0.005, 0.0001}));
  EXPECT_EQ(spec->find<Geom>("g2")->def->name, "b");
}

TEST(Reader, ShortcutsInheritOnlyFromTheirKind) {
  auto spec = read(R"(
<mujoco>
  <default>
    <position kp="3"/>
    <default class="a"><motor ctrlrange="0 1"/></default>
    <default class="g"><general gainprm="7" biastype="affine" biasprm="1 2 3"/></default>
  </default>
  <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
  <actuator>
    <motor joint="j"/>
    <position joint="j" class="a"/>
    <general joint="j"/>
    <position joint="j" class="g" kv="2"/>
    <dcmotor joint="j" nominal="12 2 100" damping="0.001"/>
    <muscle joint="j" timeconst="-1 2" force="7"/>
  </actuator>
</mujoco>)");
  const auto& a = spec->actuators;
  EXPECT_EQ(a[0]->gainprm[0], 1);
  EXPECT_EQ(a[0]->biasprm[1], 0);
  EXPECT_EQ(a[1]->gainprm[0], 3);
  EXPECT_EQ(a[1]->ctrlrange[1], 1);
  EXPECT_EQ(a[2]->biasprm[1], -3);
  EXPECT_EQ(a[3]->gainprm[0], 7);
  EXPECT_EQ(a[3]->biasprm, (std::array<double, 10>{0, -7, -2}));
  EXPECT_NEAR(a[4]->gainprm[0], 0.684, 1e-15);
  EXPECT_NEAR(a[4]->gainprm[1], 0.114, 1e-15);
  EXPECT_EQ(a[5]->dynprm[0], 0.01);
  EXPECT_EQ(a[5]->dynprm[1], 2);
  EXPECT_EQ(a[5]->biasprm[2], 7);
}

TEST(Reader, SectionsMerge) {
  auto spec = read(R"(
<mujoco model="m">
  <option timestep="0.01" integrator="RK4"><flag contact="disable" energy="enable"/></option>
  <option gravity="0 0 -1"/>
  <size memory="10M" nkey="3"/>
  <compiler angle="radian" assetdir="a" meshdir="b"/>
</mujoco>)");
  EXPECT_EQ(spec->modelname, "m");
  EXPECT_EQ(spec->option.timestep, 0.01);
  EXPECT_EQ(spec->option.gravity[2], -1);
  EXPECT_EQ(spec->option.integrator, code(Integrator::rk4));
  EXPECT_EQ(spec->option.disableflags, code(DisableBit::contact));
  EXPECT_EQ(spec->option.enableflags, code(EnableBit::energy));
  EXPECT_EQ(spec->memory, 10485760);
  EXPECT_FALSE(spec->compiler->degree);
  EXPECT_EQ(spec->compiler->meshdir, "b");
  EXPECT_EQ(spec->compiler->texturedir, "a");
  EXPECT_TRUE(spec->authored.contains("option/timestep"));
}

TEST(Reader, NumbersAsStrtod) {
  auto margin = [](const std::string& text) {
    return read(in_world("<geom size='1' margin='" + text + "'/>"))->world()->geoms[0]->margin;
  };
  EXPECT_EQ(margin("0x10"), 16);
  EXPECT_EQ(margin(" +.5\t"), 0.5);
  EXPECT_EQ(margin("1e-400"), 0);
  EXPECT_EQ(margin("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(margin(""), 0);
  for (const char* bad : {"1e", "1,2", "--1", "1f", "1e400", "1 2"}) {
    EXPECT_FALSE(errors(in_world("<geom margin='" + std::string(bad) + "'/>")).empty());
  }
  for (const char* bad : {"1.5", "0x3", "99999999999", "nan"}) {
    EXPECT_FALSE(errors(in_world("<geom group='" + std::string(bad) + "'/>")).empty());
  }
}

TEST(Reader, SeveralErrorsNameLineElementAndNearestWord) {
  std::string text = errors(R"(<mujoco>
  <worldbody>
    <geom name="foot" typ="box"/>
    <geom size="1 2 3 4"/>
    <geom type="boxx"/>
    <jont/>
  </worldbody>
</mujoco>)");
  EXPECT_NE(text.find("model.xml:3: error: geom 'foot', attribute 'typ'"), text.npos) << text;
  EXPECT_NE(text.find("did you mean 'type'?"), text.npos);
  EXPECT_NE(
      text.find("model.xml:4: error: geom, attribute 'size': too many values; expected 1 to 3 "
                "numbers"),
      text.npos);
  EXPECT_NE(text.find("did you mean 'box'?"), text.npos);
  EXPECT_NE(text.find("did you mean 'joint'?"), text.npos);
}

TEST(Reader, RefusesWhatMuJoCoRefuses) {
  for (const char* bad : {
           "<body><inertial pos='0 0 0' mass='1'/><inertial pos='0 0 0' mass='1'/></body>",
           "<body><inertial mass='1'/></body>",
           "<geom class='x'/>",
           "<geom name='a'/><geom name='a'/>",
           "<frame childclass='n'/>",
           "<joint/>",
           "<frame scale='2 2'/>",
           "<geom quat='0 0 0 0'/>",
           "<geom quat='1 0 0 0' euler='0 0 0'/>",
           "<light directional='true' type='spot'/>",
           "<body class='main'/>",
       }) {
    EXPECT_FALSE(errors(in_world(bad)).empty()) << bad;
  }
  for (const char* bad : {
           "<MuJoCo/>",
           "<robots/>",
           "<mujoco",
           "",
           "<mujoco><default><default/></default></mujoco>",
           "<mujoco><default class='x'/></mujoco>",
           "<mujoco><size memory='1.5M'/></mujoco>",
           "<mujoco><size njmax='-2'/></mujoco>",
           "<mujoco><statistic extent='-1'/></mujoco>",
           "<mujoco><custom><numeric name='a'/></custom></mujoco>",
           "<mujoco><custom><text name='a'/></custom></mujoco>",
           "<mujoco><asset><mesh name='m' builtin='sphere'/></asset></mujoco>",
           "<mujoco><asset><hfield name='h' size='1 1 1 1' nrow='2' ncol='2' elevation='1 2 3'/>"
           "</asset></mujoco>",
           "<mujoco><asset><hfield name='h' size='1 1 1 1' nrow='2000000000' ncol='2000000000'/>"
           "</asset></mujoco>",
           "<mujoco><equality><connect body1='a' site1='b'/></equality></mujoco>",
           "<mujoco><sensor><framepos objtype='body' objname='a' "
           "reftype='body'/></sensor></mujoco>",
           "<mujoco><sensor><contact data='force found'/></sensor></mujoco>",
           "<mujoco><actuator><pid joint='j' input='vel pos'/></actuator></mujoco>",
           "<mujoco><actuator><position joint='j' kv='1' dampratio='1'/></actuator></mujoco>",
           "<mujoco><actuator><dcmotor joint='j'/></actuator></mujoco>",
       }) {
    EXPECT_FALSE(errors(bad).empty()) << bad;
  }
}

TEST(Reader, IncludesAreSplicedOnce) {
  auto assets = std::make_shared<Assets>();
  auto add = [&](const char* name, const std::string& text) {
    assets->add(name, Bytes(text.begin(), text.end()));
  };
  add("a.xml",
      "<mujoco><worldbody><geom name='a' size='1'/></worldbody><include file='b.xml'/>"
      "</mujoco>");
  add("b.xml", "<mujoco>\n<option timestep='1'/></mujoco>");
  add("loop.xml", "<mujoco><include file='loop.xml'/></mujoco>");
  add("wrong.xml", "<mujoco>\n<option timestep='x'/></mujoco>");
  Diagnostics diagnostics;
  auto spec =
      read_mjcf_text("<mujoco><include file='a.xml'/></mujoco>", "m.xml", assets, diagnostics);
  ASSERT_NE(spec, nullptr) << diagnostics.text(Severity::error);
  EXPECT_EQ(spec->option.timestep, 1);
  EXPECT_EQ(spec->world()->geoms.size(), 1u);
  EXPECT_FALSE(errors("<mujoco><include file='loop.xml'/></mujoco>", assets).empty());
  EXPECT_FALSE(
      errors("<mujoco><include file='b.xml'/><include file='b.xml'/></mujoco>", assets).empty());
  EXPECT_FALSE(errors("<mujoco><include file='none.xml'/></mujoco>", assets).empty());
  std::string text = errors("<mujoco><include file='wrong.xml'/></mujoco>", assets);
  EXPECT_NE(text.find("wrong.xml:2: error: option, attribute 'timestep'"), text.npos) << text;
}

TEST(Reader, WarnsOnceAboutWhatIsNotSimulated) {
  Diagnostics diagnostics;
  auto spec = read_mjcf_text(in_world("<flexcomp name='a' count='3 3 1' spacing='1 1 1'>"
                                      "<pin id='1 2'/></flexcomp>"
                                      "<flexcomp name='b' count='3 3 1' spacing='1 1 1'/>"),
                             "m.xml", nullptr, diagnostics);
  ASSERT_NE(spec, nullptr);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].element, "flexcomp");
}

}  // namespace
}  // namespace lockstep
