#include "spec/orientation.h"

#include <cmath>

#include "math/quat.h"

namespace lockstep {

namespace {
constexpr double tiny = 1e-14;  // squared lengths below are zero, lengths this near to 1 are 1
constexpr double min_sine = 1e-10;

}  // namespace

double make_unit(double* v, int n) {
  double square = 0;
  for (int i = 0; i < n; i++) square += v[i] * v[i];
  if (!(square >= tiny)) return 0;
  const double length = std::sqrt(square);
  if (std::abs(length - 1) > tiny) {
    for (int i = 0; i < n; i++) v[i] /= length;
  }
  return length;
}

namespace {

double radians(double angle, bool degree) { return degree ? angle / 180.0 * mjPI : angle; }

double make_unit(Vec3d& v) { return lockstep::make_unit(&v.x, 3); }
double make_unit(Quatd& q) { return lockstep::make_unit(&q.w, 4); }

std::string from_axisangle(const std::array<double, 4>& a, bool degree, Quatd& quat) {
  Vec3d axis{a[0], a[1], a[2]};
  if (make_unit(axis) < tiny) return "the axis is too short";
  double half = radians(a[3], degree) / 2, s = std::sin(half);
  quat = {std::cos(half), s * axis.x, s * axis.y, s * axis.z};
  return "";
}

std::string from_xyaxes(const std::array<double, 6>& a, Quatd& quat) {
  Vec3d x{a[0], a[1], a[2]}, y{a[3], a[4], a[5]};
  if (make_unit(x) < tiny) return "the x axis is too short";
  y = y - x * dot(x, y);
  if (make_unit(y) < tiny) return "the y axis is too short or parallel to x";
  Vec3d z = cross(x, y);
  make_unit(z);
  quat = from_mat(from_cols(x, y, z));
  return "";
}

std::string from_zaxis(const std::array<double, 3>& a, Quatd& quat) {
  Vec3d z{a[0], a[1], a[2]};
  if (make_unit(z) < tiny) return "the z axis is too short";
  const auto [w, qx, qy, qz] = rotation_of_z({z.x, z.y, z.z});
  quat = {w, qx, qy, qz};
  return "";
}

// lower case letters turn about axes that move along, upper case about those of the parent
std::string from_euler(const std::array<double, 3>& a, const CompilerSpec& settings, Quatd& quat) {
  if (settings.eulerseq.size() != 3) return "eulerseq must have three letters";
  quat = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const char letter = settings.eulerseq[i];
    const char axis = static_cast<char>(letter | 0x20);
    if (axis < 'x' || axis > 'z') return "eulerseq may only contain x, y, z, X, Y, Z";
    const double half = radians(a[i], settings.degree) / 2;
    Quatd turn{std::cos(half), 0, 0, 0};
    turn[axis - 'x' + 1] = std::sin(half);
    quat = letter == axis ? quat * turn : turn * quat;
    make_unit(quat);
  }
  return "";
}

}  // namespace

double make_unit(std::array<double, 3>& v) { return make_unit(v.data(), 3); }

std::array<double, 4> rotation_of_z(const std::array<double, 3>& z) {
  Vec3d axis = cross(Vec3d{0, 0, 1}, Vec3d{z[0], z[1], z[2]});
  const double sine = make_unit(axis);
  if (sine < min_sine) axis = {1, 0, 0};
  const double angle = std::atan2(sine, z[2]);
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

std::string resolve_orientation(const Orientation& alt, const CompilerSpec& settings,
                                std::array<double, 4>& result) {
  Quatd quat{result[0], result[1], result[2], result[3]};
  std::string problem;
  switch (alt.type) {
    case OrientationType::quat: make_unit(quat); break;
    case OrientationType::axisangle:
      problem = from_axisangle(alt.axisangle, settings.degree, quat);
      break;
    case OrientationType::xyaxes: problem = from_xyaxes(alt.xyaxes, quat); break;
    case OrientationType::zaxis: problem = from_zaxis(alt.zaxis, quat); break;
    case OrientationType::euler: problem = from_euler(alt.euler, settings, quat); break;
  }
  if (problem.empty()) result = {quat.w, quat.x, quat.y, quat.z};
  return problem;
}

}  // namespace lockstep
