#include "compile/scale.h"

#include "compile/pose.h"

namespace lockstep {
namespace {

constexpr double alignment = 0.035;  // about 2 degrees

}  // namespace

bool Scale::uniform() const {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double wanted = i == j ? stretch(0, 0) : 0;
      if (std::abs(stretch(i, j) - wanted) > 1e-12 * std::abs(stretch(0, 0))) return false;
    }
  }
  return true;
}

bool Scale::identity() const {
  return length == 1 && mass == 1 && unit_length == 1 && unit_mass == 1 && uniform();
}

std::array<double, 3> Scale::moved(const std::array<double, 3>& pos) const {
  return to_array(stretch * to_vec(pos));
}

Scale Scale::turned(const Quatd& quat) const {
  Scale result = *this;
  if (uniform()) return result;
  Mat3d turn = to_mat(quat);
  result.stretch = transpose(turn) * (stretch * turn);
  return result;
}

Scale Scale::inside(const FrameSpec& frame) const {
  Scale result = turned(to_quat(frame.quat));
  const auto& s = frame.scale;
  double volume = s[0] * s[1] * s[2];
  double own_mass = frame.massscale > 0 ? frame.massscale : volume;
  bool even = s[0] == s[1] && s[1] == s[2];
  double own_length = even ? s[0] : std::cbrt(volume);
  result.stretch = result.stretch * diagonal(to_vec(s));
  result.length *= own_length;
  result.mass *= own_mass;
  if (frame.scaling == Scaling::similar) {
    result.unit_length *= own_length;
    result.unit_mass *= own_mass;
  }
  return result;
}

bool Scale::along_axes(Vec3d& factors) const {
  factors = {stretch(0, 0), stretch(1, 1), stretch(2, 2)};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (i != j && std::abs(stretch(i, j)) > alignment * std::abs(factors[j] - factors[i]) &&
          std::abs(stretch(i, j)) > 1e-12 * std::abs(factors[i])) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace lockstep
