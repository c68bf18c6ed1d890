// tree_test.cc: body trees made by code, against numbers of MuJoCo 4.0.0.
#include <gtest/gtest.h>

#include "compile/compile.h"

namespace lockstep {
namespace {

constexpr double tolerance = 1e-14;

std::unique_ptr<Compiled> compile_well(Spec& spec) {
  Diagnostics diagnostics;
  auto result = compile(spec, diagnostics);
  EXPECT_TRUE(result) << diagnostics.text(Severity::error);
  return result;
}

std::string errors_of(Spec& spec) {
  Diagnostics diagnostics;
  EXPECT_FALSE(compile(spec, diagnostics));
  return diagnostics.text(Severity::error);
}

void expect_near(const double* found, std::initializer_list<double> wanted) {
  int i = 0;
  for (double value : wanted) {
    EXPECT_NEAR(found[i], value, tolerance) << "element " << i;
    i++;
  }
}

template <class T>
std::vector<T> row(const T* array, int count) {
  return {array, array + count};
}

Geom* add_sphere(Spec& spec, Body* body, double radius) {
  Geom* geom = spec.add<Geom>(body);
  geom->size[0] = radius;
  return geom;
}

TEST(Tree, FreeBodyIsSimple) {
  Spec spec;
  Body* body = spec.add<Body>(spec.world());
  spec.add<Joint>(body)->type = JointType::free;
  add_sphere(spec, body, 1);
  auto compiled = compile_well(spec);
  const Model& m = compiled->model;
  EXPECT_EQ(m.nM, 21);
  EXPECT_EQ(m.nC, 6);
  EXPECT_EQ(m.nD, 36);
  EXPECT_EQ(m.nB, 12);
  EXPECT_EQ(row(m.mapM2M, 6), (std::vector<int>{0, 1, 3, 6, 10, 15}));
  EXPECT_EQ(row(m.mapD2M, 6), (std::vector<int>{0, 7, 14, 21, 28, 35}));
  EXPECT_EQ(row(m.dof_simplenum, 6), (std::vector<int>{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(body->id, 1);
}

// slide slide | hinge below, and a slide alone
TEST(Tree, Sparsity) {
  Spec spec;
  Body* base = spec.add<Body>(spec.world());
  spec.add<Joint>(base)->type = JointType::slide;
  Joint* second = spec.add<Joint>(base);
  second->type = JointType::slide;
  second->axis = {1, 0, 0};
  add_sphere(spec, base, 1);
  Body* arm = spec.add<Body>(base);
  spec.add<Joint>(arm);
  add_sphere(spec, arm, 1);
  Body* lone = spec.add<Body>(spec.world());
  spec.add<Joint>(lone)->type = JointType::slide;
  add_sphere(spec, lone, 0.1);
  auto compiled = compile_well(spec);
  const Model& m = compiled->model;
  EXPECT_EQ(row(m.body_simple, 4), (std::vector<Byte>{1, 0, 0, 2}));
  EXPECT_EQ(row(m.M_colind, 7), (std::vector<int>{0, 0, 1, 0, 1, 2, 3}));
  EXPECT_EQ(row(m.mapM2M, 7), (std::vector<int>{0, 2, 1, 5, 4, 3, 6}));
  EXPECT_EQ(row(m.D_colind, 10), (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 3}));
  EXPECT_EQ(row(m.mapM2D, 10), (std::vector<int>{0, 1, 3, 1, 2, 4, 3, 4, 5, 6}));
  EXPECT_EQ(row(m.mapD2M, 7), (std::vector<int>{0, 3, 4, 6, 7, 8, 9}));
  EXPECT_EQ(row(m.B_rownnz, 4), (std::vector<int>{4, 3, 3, 1}));
  EXPECT_EQ(row(m.B_colind, 11), (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3}));
}

// two geoms give mass, center and principal axes
TEST(Tree, InertiaFromGeoms) {
  Spec spec;
  Body* body = spec.add<Body>(spec.world());
  Geom* box = spec.add<Geom>(body);
  box->type = GeomType::box;
  box->size = {0.1, 0.2, 0.3};
  box->pos = {1, 0, 0};
  box->quat = {1, 1, 0, 0};
  Geom* ball = add_sphere(spec, body, 0.1);
  ball->pos = {0, 1, 0};
  ball->group = 4;
  auto compiled = compile_well(spec);
  const Model& m = compiled->model;
  EXPECT_NEAR(m.body_mass[1], 52.1887902047864, tolerance * 100);
  expect_near(m.body_ipos + 3, {0.919737740837644, 0.08026225916235598, 0});
  expect_near(m.body_iquat + 4,
              {0.2972469336539432, 0.6415950907179151, -0.2972469336539432, 0.6415950907179151});
  expect_near(m.body_inertia + 3, {9.321932040405322, 9.21472932886333, 1.4039578723611377});
}

TEST(Tree, FullInertia) {
  Spec spec;
  Body* body = spec.add<Body>(spec.world());
  body->explicitinertial = true;
  body->ipos = {0, 0, 0};
  body->mass = 1;
  body->fullinertia = {1, 2, 2.5, 0.1, 0.2, 0.3};
  auto compiled = compile_well(spec);
  expect_near(compiled->model.body_iquat + 4,
              {0.16614751303739808, 0.733971732639641, 0.14137252990189386, 0.6431907239587596});
  expect_near(compiled->model.body_inertia + 3,
              {2.670426050925395, 1.8595230422775808, 0.970050906797024});
}

TEST(Tree, EulerAndFrames) {
  Spec spec;
  Frame* frame = spec.add<Frame>(spec.world());
  frame->pos = {1, 2, 3};
  frame->alt.type = OrientationType::euler;
  frame->alt.euler = {0, 0, 90};
  Geom* geom = spec.add<Geom>(spec.world(), nullptr, frame);
  geom->type = GeomType::box;
  geom->size = {0.1, 0.2, 0.3};
  geom->pos = {1, 0, 0};
  auto compiled = compile_well(spec);
  expect_near(compiled->model.geom_pos, {1, 3, 3});
  expect_near(compiled->model.geom_quat, {0.7071067811865476, 0, 0, 0.7071067811865475});
  EXPECT_EQ(compiled->spec->all<Geom>()[0]->pos[0], 1);  // the copy keeps what is within the frame
}

TEST(Tree, AlignedFreeBody) {
  Spec spec;
  Body* body = spec.add<Body>(spec.world());
  Joint* joint = spec.add<Joint>(body);
  joint->type = JointType::free;
  joint->align = AlignFree::true_;
  Geom* geom = add_sphere(spec, body, 1);
  geom->pos = {1, 2, 3};
  geom->quat = {1, 1, 0, 0};
  spec.add<Site>(body)->pos = {1, 0, 0};
  auto compiled = compile_well(spec);
  const Model& m = compiled->model;
  expect_near(m.body_pos + 3, {1, 2, 3});
  expect_near(m.geom_pos, {0, 0, 0});
  expect_near(m.site_pos, {0, -3, 2});
  expect_near(m.qpos0, {1, 2, 3, 0.7071067811865475, 0.7071067811865475, 0, 0});
}

TEST(Tree, Errors) {
  Spec spec;
  Body* body = spec.add<Body>(spec.world());
  body->name = "arm";
  spec.add<Joint>(body)->type = JointType::ball;
  spec.add<Joint>(body)->name = "after";
  add_sphere(spec, body, 1);
  EXPECT_NE(errors_of(spec).find("joint 'after', attribute 'type'"), std::string::npos);
  spec.remove(body->joints[1]);
  body->geoms[0]->size[0] = 0;
  EXPECT_NE(errors_of(spec).find("attribute 'size'"), std::string::npos);
  body->geoms[0]->size[0] = 1;
  body->geoms[0]->mass = 0;
  EXPECT_NE(errors_of(spec).find("body 'arm', attribute 'mass'"), std::string::npos);
}

TEST(Tree, RepeatedNames) {
  Spec spec;
  add_sphere(spec, spec.world(), 1)->name = std::string("twin");
  add_sphere(spec, spec.world(), 1)->name = std::string("twin");
  EXPECT_NE(errors_of(spec).find("repeated name 'twin' in geom"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
