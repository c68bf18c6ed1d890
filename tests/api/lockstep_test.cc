// lockstep_test.cc: the public header.
#include "api/lockstep.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Api, BuildEditCompile) {
  ModelSpec spec;
  BodyId ball = spec.add_body(spec.world(), {.pos = {0, 0, 1}}, "ball");
  JointId joint = spec.add_joint(ball, {.type = JointType::free}, "root");
  GeomId shape = spec.add_geom(ball, {.type = GeomType::box, .size = {0.1, 0.2, 0.3}});
  spec[shape].density = 500;
  Result<Model> model = spec.compile();
  ASSERT_TRUE(model) << model.error();
  EXPECT_EQ(spec.model_id(joint), 0);
  EXPECT_EQ(model->nbody, 2);
  EXPECT_NEAR(model->body_mass[1], 500 * 8 * 0.1 * 0.2 * 0.3, 1e-12);
  EXPECT_EQ(model->qpos0[2], 1);
}

TEST(Api, ErrorsComeAsResults) {
  ModelSpec spec;
  spec.add_geom(spec.world(), {}, "flat");  // a sphere without size
  Result<Model> model = spec.compile();
  EXPECT_FALSE(model);
  EXPECT_NE(model.error().find("flat"), std::string::npos) << model.error();
  EXPECT_THROW(model.value(), std::logic_error);
  EXPECT_FALSE(ModelSpec::parse("<mujoco><wolrdbody/></mujoco>"));
}

TEST(Api, IdsAreCheckedAndCloned) {
  ModelSpec spec;
  BodyId body = spec.add_body(spec.world(), {}, "a");
  GeomId geom = spec.add_geom(body, {.size = {1, 0, 0}}, "g");
  ModelSpec copy = spec.clone();
  copy[geom].size[0] = 2;
  EXPECT_EQ(spec[geom].size[0], 1);
  EXPECT_EQ(copy.name(geom), "g");
  EXPECT_EQ(spec.find<Geom>("g"), geom);
  EXPECT_FALSE(spec.find<Geom>("h").valid());
  spec.remove(body);
  EXPECT_THROW(spec[geom], std::out_of_range);
  EXPECT_EQ(copy.all<Geom>().size(), 1u);
}

TEST(Api, AttachWithPrefix) {
  ModelSpec arm;
  BodyId link = arm.add_body(arm.world(), {}, "link");
  arm.add_joint(link, {}, "hinge");
  arm.add_geom(link, {.size = {0.1, 0, 0}});
  ActuatorId motor = arm.add<Actuator>({.trntype = TrnType::joint, .target = "hinge"}, "motor");
  EXPECT_EQ(arm[motor].target, "hinge");

  ModelSpec robot;
  FrameId left = robot.add_frame(robot.world(), {.pos = {1, 0, 0}});
  FrameId right = robot.add_frame(robot.world(), {.pos = {-1, 0, 0}});
  ASSERT_TRUE(robot.attach(left, arm, "left/"));
  ASSERT_TRUE(robot.attach(right, arm, "link", "right/"));
  EXPECT_FALSE(robot.attach(right, arm, "nothing", "x/"));
  Result<Model> model = robot.compile();
  ASSERT_TRUE(model) << model.error();
  EXPECT_EQ(model->nbody, 3);
  EXPECT_EQ(model->nu, 2);
  EXPECT_EQ(model->body_pos[3], 1);
  EXPECT_TRUE(robot.find<Actuator>("right/motor").valid());
}

}  // namespace
}  // namespace lockstep
