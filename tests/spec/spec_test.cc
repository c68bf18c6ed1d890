// spec_test.cc: adding, copying and removing elements of a spec.
#include "spec/spec.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

// world > torso > { frame f > { foot, shin > knee } , hip }
struct Robot {
  Spec spec;
  Default* leg = spec.add_default("leg");
  Body* torso;
  Frame* frame;
  Body* shin;
  Geom* foot;
  Joint* hip;
  Joint* knee;

  Robot() {
    leg->geom.density = 7;
    torso = spec.add<Body>(spec.world());
    torso->name = "torso";
    frame = spec.add<Frame>(torso);
    frame->childclass = "leg";
    foot = spec.add<Geom>(torso, nullptr, frame);
    foot->name = "foot";
    shin = spec.add<Body>(torso, nullptr, frame);
    shin->name = "shin";
    hip = spec.add<Joint>(torso);
    hip->name = "hip";
    knee = spec.add<Joint>(shin);
    knee->name = "knee";
    Actuator* motor = spec.add<Actuator>();
    motor->name = "motor";
    motor->target = "knee";
  }
};

TEST(Spec, ClassesFillNewElements) {
  Robot robot;
  EXPECT_EQ(robot.foot->density, 7);
  EXPECT_EQ(robot.foot->def, robot.leg);
  EXPECT_EQ(robot.spec.add<Geom>(robot.torso)->density, 1000);
}

TEST(Spec, CopyIsDeepAndComplete) {
  Robot robot;
  robot.spec.option.timestep = 0.5;
  robot.spec.nuser_geom = 3;
  auto copy = robot.spec.copy();
  EXPECT_EQ(copy->option.timestep, 0.5);
  EXPECT_EQ(copy->nuser_geom, 3);

  Body* torso = copy->find<Body>("torso");
  ASSERT_NE(torso, nullptr);
  EXPECT_NE(torso, robot.torso);
  EXPECT_EQ(torso->origin, robot.torso);
  EXPECT_EQ(torso->spec, copy.get());
  EXPECT_EQ(torso->parent, copy->world());
  Geom* foot = copy->find<Geom>("foot");
  EXPECT_EQ(foot->frame, torso->frames.at(0));
  EXPECT_EQ(foot->def, copy->find_default("leg"));
  EXPECT_EQ(foot->def->parent, copy->main_default());
  EXPECT_EQ(copy->main_default()->children.at(0), foot->def);
  EXPECT_EQ(copy->find<Joint>("knee")->parent, copy->find<Body>("shin"));
  EXPECT_EQ(copy->actuators.at(0)->def, copy->main_default());

  foot->size[0] = 9;
  copy->compiler->degree = false;
  EXPECT_EQ(robot.foot->size[0], 0);
  EXPECT_TRUE(robot.spec.compiler->degree);
  EXPECT_FALSE(foot->compiler->degree);  // settings stay shared within the copy
}

TEST(Spec, CopyOutlivesItsSource) {
  std::unique_ptr<Spec> copy;
  {
    Robot robot;
    copy = robot.spec.copy();
  }
  EXPECT_EQ(copy->all_bodies().size(), 3u);
  EXPECT_EQ(copy->find<Geom>("foot")->def->geom.density, 7);
}

TEST(Spec, RemovingABodyRemovesItsSubtree) {
  Robot robot;
  robot.spec.remove(robot.torso);
  EXPECT_EQ(robot.spec.all_bodies().size(), 1u);
  EXPECT_EQ(robot.spec.find<Joint>("knee"), nullptr);
  EXPECT_FALSE(robot.knee->alive);
  EXPECT_EQ(robot.spec.actuators.size(), 1u);
  robot.spec.remove(robot.spec.world());
  EXPECT_TRUE(robot.spec.world()->alive);
}

TEST(Spec, RemovingAFrameRemovesWhatStandsInIt) {
  Robot robot;
  robot.spec.remove(robot.frame);
  EXPECT_EQ(robot.spec.all_bodies().size(), 2u);
  EXPECT_EQ(robot.spec.find<Geom>("foot"), nullptr);
  EXPECT_EQ(robot.spec.find<Joint>("hip"), robot.hip);
  EXPECT_TRUE(robot.torso->frames.empty());
}

TEST(Spec, RemovingOtherElements) {
  Robot robot;
  robot.spec.remove(robot.hip);
  EXPECT_TRUE(robot.torso->joints.empty());
  robot.spec.remove(robot.spec.actuators[0]);
  EXPECT_TRUE(robot.spec.actuators.empty());
  robot.spec.remove(robot.leg);
  EXPECT_EQ(robot.spec.defaults().size(), 1u);
  EXPECT_TRUE(robot.spec.main_default()->children.empty());
}

}  // namespace
}  // namespace lockstep
