// quaternions, matrices, spatial vectors and eigenvalues against MuJoCo's own answers.
#include "math/quat.h"

#include <gtest/gtest.h>

#include "math/eig3.h"
#include "math/golden.h"
#include "math/spatial.h"

namespace lockstep {
namespace {

constexpr double tolerance = 1e-12;

// relative where the expected vector is large, absolute below one.
template <class V>
void expect_close(const V& got, const double* want, int size, const char* what, int row) {
  double scale = 1;
  for (int i = 0; i < size; ++i) scale = max(scale, abs(want[i]));
  for (int i = 0; i < size; ++i) {
    EXPECT_NEAR(got[i], want[i], tolerance * scale) << what << " row " << row << " component " << i;
  }
}

// plain sums and products follow MuJoCo's order, so nothing may differ.
template <class V>
void expect_equal(const V& got, const double* want, int size, const char* what, int row) {
  for (int i = 0; i < size; ++i) {
    EXPECT_EQ(got[i], want[i]) << what << " row " << row << " component " << i;
  }
}

Quatd quat_at(const double* p) { return {p[0], p[1], p[2], p[3]}; }
Vec3d vec_at(const double* p) { return {p[0], p[1], p[2]}; }
Mat3d mat_at(const double* p) { return {{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]}}; }
Vec6<double> vec6_at(const double* p) { return {vec_at(p), vec_at(p + 3)}; }

TEST(Quat, EqualsMujoco) {
  int row = 0;
  for (const double* g : golden::quat) {
    const Quatd q = quat_at(g), p = quat_at(g + 7);
    const Vec3d v = vec_at(g + 4);
    expect_equal(normalize(q), g + 11, 4, "normalize", row);
    expect_equal(rotate(q, v), g + 15, 3, "rotate", row);
    expect_equal(q * p, g + 18, 4, "mul", row);
    expect_equal(to_mat(q), g + 22, 9, "to_mat", row);
    expect_close(quat_to_vel(q, 0.3), g + 31, 3, "quat_to_vel", row);
    expect_close(subtract(q, p), g + 34, 3, "subtract", row);
    expect_close(derivative(q, v), g + 37, 4, "derivative", row);
    expect_close(integrate(q, v, 0.7), g + 41, 4, "integrate", row);
    ++row;
  }
}

TEST(Quat, OfVectorsEqualsMujoco) {
  int row = 0;
  for (const double* g : golden::vec) {
    const Normalized3<double> n = normalize_with_norm(vec_at(g));
    expect_equal(n.vec, g + 3, 3, "normalize", row);
    EXPECT_NEAR(n.norm, g[6], tolerance * max(1.0, g[6]));
    expect_close(from_z_to(vec_at(g)), g + 7, 4, "from_z_to", row);
    expect_close(from_axis_angle(n.vec, 2.5 * g[0]), g + 11, 4, "from_axis_angle", row);
    ++row;
  }
}

TEST(Quat, OfMatricesEqualsMujoco) {
  int row = 0;
  for (const double* g : golden::mat) {
    expect_equal(from_mat(mat_at(g)), g + 9, 4, "from_mat", row++);
  }
}

TEST(Quat, RotateInvUndoesRotate) {
  for (const double* g : golden::quat) {
    const Quatd q = normalize(quat_at(g));
    const Vec3d v = vec_at(g + 4), back = rotate_inv(q, rotate(q, v));
    const double want[3] = {v.x, v.y, v.z};
    expect_close(back, want, 3, "rotate_inv", 0);
    const Vec3d by_mat = to_mat(q) * v, by_quat = rotate(q, v);
    EXPECT_NEAR(norm(by_mat - by_quat), 0, tolerance * max(1.0, norm(v)));
  }
}

// bit for bit: where two eigenvalues nearly agree, the rounding decides the axes.
TEST(Eig3, ValuesOrderAndQuaternionEqualMujoco) {
  int row = 0;
  for (const double* g : golden::eig) {
    const Eig3<double> e = eig3(mat_at(g));
    expect_equal(e.value, g + 9, 3, "eigenvalues", row);
    expect_equal(e.quat, g + 12, 4, "quat", row);
    ++row;
  }
}

TEST(Eig3, RebuildsTheMatrix) {
  for (const double* g : golden::eig) {
    const Eig3<double> e = eig3(mat_at(g));
    const double slack = 1e-12 * max(abs(e.value.x), abs(e.value.z));
    EXPECT_LE(e.value.z, e.value.y + slack);
    EXPECT_LE(e.value.y, e.value.x + slack);
    expect_close(rotate_diagonal(to_mat(e.quat), e.value), g, 9, "rebuilt", 0);
  }
}

TEST(Spatial, TransformEqualsMujoco) {
  int row = 0;
  for (const double* g : golden::spatial) {
    const Vec6<double> v = vec6_at(g + 1);
    const Vec3d shift = vec_at(g + 7) - vec_at(g + 10);
    const Vec6<double> moved = g[0] != 0 ? shift_force(v, shift) : shift_motion(v, shift);
    expect_close(into_axes(mat_at(g + 13), moved), g + 22, 6, "transform", row++);
  }
}

// the 6x6 matrix of an inertia, built from the definition instead of the packed product.
TEST(Spatial, InertiaProductIsTheMomentumOfTheDefinition) {
  const Mat3d rot = to_mat(normalize(Quatd{0.3, -0.5, 0.7, 0.2}));
  const Vec3d principal{0.3, 0.2, 0.4}, offset{0.1, -0.7, 0.5};
  const double mass = 2.5;
  const Inertia<double> inertia = inertia_about(principal, rot, offset, mass);
  const Vec6<double> v{{0.4, -1.1, 0.3}, {0.9, 0.2, -0.6}};
  const Vec3d com_velocity = v.lin + cross(v.rot, offset);
  const Vec3d linear = com_velocity * mass;
  const Vec3d angular = rotate_diagonal(rot, principal) * v.rot + cross(offset, linear);
  const double want[6] = {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z};
  expect_close(inertia * v, want, 6, "momentum", 0);
  EXPECT_EQ(inertia[9], mass);
  EXPECT_EQ(inertia[7], inertia.moment.y);
}

// power is the same whether the motion or the force is carried along: (v x s) . f = -s . (v x* f)
TEST(Spatial, CrossProductsAreDual) {
  for (const double* g : golden::spatial) {
    const Vec6<double> v = vec6_at(g + 1), s = vec6_at(g + 7), f = vec6_at(g + 13);
    EXPECT_NEAR(dot(cross_motion(v, s), f), -dot(s, cross_force(v, f)), tolerance * 10);
  }
}

TEST(Spatial, HingeAxisMovesItsAnchorNowhere) {
  const Vec3d axis{0.6, 0.0, 0.8}, anchor{1.0, 2.0, -0.5}, reference{0.2, 0.1, 0.7};
  const Vec6<double> s = hinge_axis(axis, reference - anchor);
  const Vec3d velocity = s.lin + cross(s.rot, anchor - reference);
  EXPECT_NEAR(norm(velocity), 0, tolerance);
}

}  // namespace
}  // namespace lockstep
