// math_rotation.cc: mju_* functions of quaternions, poses and 3x3 matrices.
#include <nanobind/stl/string.h>

#include <cctype>
#include <cmath>
#include <string_view>

#include "array_args.h"
#include "bind.h"
#include "math/eig3.h"
#include "math/quat.h"
#include "math/quat_derivative.h"
#include "math/spatial.h"
#include "model/enums.h"
#include "model_object.h"

namespace lockstep::python {
namespace {

using nb::arg;
using V3 = Vec3<double>;
using Q = Quat<double>;
using M3 = Mat3<double>;

V3 vec(const In<3>& a) { return {a[0], a[1], a[2]}; }
Q quat(const In<4>& a) { return {a[0], a[1], a[2], a[3]}; }
Q quat(const Out<4>& a) { return {a[0], a[1], a[2], a[3]}; }
M3 mat(const In<9>& a) { return {{a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]}}; }
void put(const Out<3>& res, const V3& v) { res[0] = v.x, res[1] = v.y, res[2] = v.z; }
void put(const Out<4>& res, const Q& q) { res[0] = q.w, res[1] = q.x, res[2] = q.y, res[3] = q.z; }
void put(const Out<9>& res, const M3& a) {
  for (int i = 0; i < 9; i++) res[i] = a.m[i];
}

void bind_quaternions(nb::module_& m) {
  m.def(
      "mju_mulQuat", [](Out<4> res, In<4> a, In<4> b) { put(res, quat(a) * quat(b)); }, arg("res"),
      arg("quat1"), arg("quat2"));
  m.def(
      "mju_negQuat", [](Out<4> res, In<4> q) { put(res, conj(quat(q))); }, arg("res"), arg("quat"));
  m.def(
      "mju_mulQuatAxis",
      [](Out<4> res, In<4> q, In<3> axis) { put(res, quat(q) * Q{0, axis[0], axis[1], axis[2]}); },
      arg("res"), arg("quat"), arg("axis"));
  m.def(
      "mju_rotVecQuat", [](Out<3> res, In<3> v, In<4> q) { put(res, rotate(quat(q), vec(v))); },
      arg("res"), arg("vec"), arg("quat"));
  m.def(
      "mju_axisAngle2Quat",
      [](Out<4> res, In<3> axis, double angle) { put(res, from_axis_angle(vec(axis), angle)); },
      arg("res"), arg("axis"), arg("angle"));
  m.def(
      "mju_quat2Vel", [](Out<3> res, In<4> q, double dt) { put(res, quat_to_vel(quat(q), dt)); },
      arg("res"), arg("quat"), arg("dt"));
  m.def(
      "mju_subQuat", [](Out<3> res, In<4> a, In<4> b) { put(res, subtract(quat(a), quat(b))); },
      arg("res"), arg("qa"), arg("qb"));
  m.def(
      "mju_derivQuat",
      [](Out<4> res, In<4> q, In<3> vel) { put(res, derivative(quat(q), vec(vel))); }, arg("res"),
      arg("quat"), arg("vel"));
  m.def(
      "mju_quatIntegrate",
      [](Out<4> q, In<3> vel, double scale) { put(q, integrate(quat(q), vec(vel), scale)); },
      arg("quat"), arg("vel"), arg("scale"));
  m.def(
      "mju_quatZ2Vec", [](Out<4> q, In<3> v) { put(q, from_z_to(vec(v))); }, arg("quat"),
      arg("vec"));
  m.def(
      "mju_normalize4",
      [](Out<4> v) {
        double length = norm(quat(v));
        put(v, normalize(quat(v)));
        return length;
      },
      arg("vec"));
}

// angles about axes one after another; capital letters turn about fixed axes
Q euler_to_quat(const In<3>& euler, std::string_view seq) {
  if (seq.size() != 3) throw FatalError("mju_euler2Quat: seq must contain exactly 3 characters");
  Q result{1, 0, 0, 0};
  for (size_t i = 0; i < 3; i++) {
    int axis = std::tolower(seq[i]) - 'x';
    if (axis < 0 || axis > 2) {
      throw FatalError("mju_euler2Quat: seq[" + std::to_string(i) + "] is '" + seq[i] +
                       "', should be one of x, y, z, X, Y, Z");
    }
    V3 direction{double(axis == 0), double(axis == 1), double(axis == 2)};
    Q turn = from_axis_angle(direction, euler[int64_t(i)]);
    result = std::islower(seq[i]) ? result * turn : turn * result;
  }
  return result;
}

void bind_matrices(nb::module_& m) {
  m.def(
      "mju_quat2Mat", [](Out<9> res, In<4> q) { put(res, to_mat(quat(q))); }, arg("res"),
      arg("quat"));
  m.def(
      "mju_mat2Quat", [](Out<4> res, In<9> a) { put(res, from_mat(mat(a))); }, arg("quat"),
      arg("mat"));
  m.def(
      "mju_euler2Quat",
      [](Out<4> res, In<3> euler, const std::string& seq) { put(res, euler_to_quat(euler, seq)); },
      arg("quat"), arg("euler"), arg("seq"));
  m.def(
      "mju_mulMatVec3", [](Out<3> res, In<9> a, In<3> v) { put(res, mat(a) * vec(v)); }, arg("res"),
      arg("mat"), arg("vec"));
  m.def(
      "mju_mulMatTVec3",
      [](Out<3> res, In<9> a, In<3> v) { put(res, mul_transposed(mat(a), vec(v))); }, arg("res"),
      arg("mat"), arg("vec"));
  m.def(
      "mju_cross", [](Out<3> res, In<3> a, In<3> b) { put(res, cross(vec(a), vec(b))); },
      arg("res"), arg("a"), arg("b"));
  m.def(
      "mju_eig3",
      [](Out<3> eigval, Out<9> eigvec, Out<4> q, In<9> a) {
        auto eig = eig3(mat(a));
        put(eigval, eig.value);
        put(eigvec, to_mat(eig.quat));
        put(q, eig.quat);
        return eig.iterations;
      },
      arg("eigval"), arg("eigvec"), arg("quat"), arg("mat"));
}

void bind_poses(nb::module_& m) {
  m.def(
      "mju_mulPose",
      [](Out<3> posres, Out<4> quatres, In<3> pos1, In<4> quat1, In<3> pos2, In<4> quat2) {
        V3 pos = vec(pos1) + rotate(quat(quat1), vec(pos2));
        put(quatres, normalize(quat(quat1) * quat(quat2)));
        put(posres, pos);
      },
      arg("posres"), arg("quatres"), arg("pos1"), arg("quat1"), arg("pos2"), arg("quat2"));
  m.def(
      "mju_negPose",
      [](Out<3> posres, Out<4> quatres, In<3> pos, In<4> q) {
        Q inverse = conj(quat(q));
        put(posres, -rotate(inverse, vec(pos)));
        put(quatres, inverse);
      },
      arg("posres"), arg("quatres"), arg("pos"), arg("quat"));
  m.def(
      "mju_trnVecPose",
      [](Out<3> res, In<3> pos, In<4> q, In<3> v) { put(res, vec(pos) + rotate(quat(q), vec(v))); },
      arg("res"), arg("pos"), arg("quat"), arg("vec"));
  m.def(
      "mju_transformSpatial",
      [](Out<6> res, In<6> v, int flg_force, In<3> newpos, In<3> oldpos, In<9> rotnew2old) {
        Vec6<double> from{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
        V3 shift = vec(newpos) - vec(oldpos);
        Vec6<double> moved = flg_force ? shift_force(from, shift) : shift_motion(from, shift);
        Vec6<double> turned = into_axes(mat(rotnew2old), moved);
        for (int i = 0; i < 6; i++) res[i] = turned[i];
      },
      arg("res"), arg("vec"), arg("flg_force"), arg("newpos"), arg("oldpos"), arg("rotnew2old"));
}

// The rotation nearest to a matrix, from a first guess: turns by what the axes of both lack, until
// nothing is lacking.
int nearest_rotation(Out<4> res, In<9> matrix) {
  constexpr int most_turns = 500;
  constexpr double still = 1e-9;  // rad
  Q q = quat(res);
  const M3 wanted = mat(matrix);
  int turns = 0;
  for (; turns < most_turns; turns++) {
    const M3 axes = to_mat(q);
    V3 lack{0, 0, 0};
    double agree = 0;
    for (int i = 0; i < 3; i++) {
      lack += cross(col(axes, i), col(wanted, i));
      agree += dot(col(axes, i), col(wanted, i));
    }
    const V3 turn = lack * (1 / (std::abs(agree) + mjMINVAL));
    const double angle = norm(turn);
    if (angle < still) break;
    q = normalize(from_axis_angle(normalize(turn), angle) * q);
  }
  put(res, q);
  return turns;
}

// nine numbers, in one line or as a matrix, if they are wanted
void store(nb::handle array, const M3& a, const char* message) {
  if (array.is_none()) return;
  Buffer buffer;
  if (!buffer.open(array.ptr(), 'd', true) || buffer.view().len != 9 * sizeof(double)) {
    throw nb::type_error(message);
  }
  for (int i = 0; i < 9; i++) static_cast<double*>(buffer.view().buf)[i] = a.m[i];
}

void bind_derivatives(nb::module_& m) {
  m.def(
      "mjd_subQuat",
      [](In<> qa, In<> qb, nb::object by_a, nb::object by_b) {
        if (qa.size != 4) throw nb::type_error("qa must have size 4");
        if (qb.size != 4) throw nb::type_error("qb must have size 4");
        const auto derivative =
            difference_derivative(Q{qa[0], qa[1], qa[2], qa[3]}, Q{qb[0], qb[1], qb[2], qb[3]});
        store(by_a, derivative.by_a, "Da must have size 9");
        store(by_b, derivative.by_b, "Db must have size 9");
      },
      arg("qa"), arg("qb"), arg("Da").none(), arg("Db").none(),
      "Derivatives of the difference of two quaternions.");
  m.def(
      "mjd_quatIntegrate",
      [](In<3> vel, double scale, Out<9> by_quat, Out<9> by_vel, Out<3> by_scale) {
        const auto derivative = integral_derivative(vec(vel), scale);
        put(by_quat, derivative.by_quat);
        put(by_vel, derivative.by_turn);
        put(by_scale, derivative.by_time);
      },
      arg("vel"), arg("scale"), arg("Dquat"), arg("Dvel"), arg("Dscale"),
      "Derivatives of a quaternion that turns for a time.");
}

}  // namespace

void bind_rotations(nb::module_& m) {
  m.def("mju_mat2Rot", nearest_rotation, arg("quat"), arg("mat"),
        "Turns a quaternion to the rotation nearest to a matrix; gives the number of turns.");
  bind_derivatives(m);
  bind_quaternions(m);
  bind_matrices(m);
  bind_poses(m);
}

}  // namespace lockstep::python
