// pose.h: positions and orientations of compiled elements, with the tolerances of the model
// language.
#pragma once

#include <array>
#include <string>

#include "math/quat.h"
#include "spec/attributes.h"

namespace lockstep {

// shorter vectors have no direction; nearer than this to unit length is unit length
inline constexpr double tiny_length = 1e-14;

struct Pose {
  Vec3d pos{0, 0, 0};
  Quatd quat{1, 0, 0, 0};
};

inline Vec3d to_vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
inline Quatd to_quat(const std::array<double, 4>& a) { return {a[0], a[1], a[2], a[3]}; }
inline std::array<double, 3> to_array(const Vec3d& v) { return {v.x, v.y, v.z}; }
inline std::array<double, 4> to_array(const Quatd& q) { return {q.w, q.x, q.y, q.z}; }

// scales to unit length and returns the length before; 0 if it is too small to be scaled
double normalize_length(double* v, int n);
double normalize_length(Vec3d& v);
double normalize_length(Quatd& q);

Pose operator*(const Pose& outer, const Pose& inner);  // inner, seen from outside
Vec3d operator*(const Pose& outer, const Vec3d& point);
Pose inverse(const Pose& pose);

// smallest rotation that turns the z axis to a unit vector
Quatd quat_from_z(const Vec3d& z);

// moments about principal axes, turned by a quaternion: xx yy zz xy xz yz
std::array<double, 6> turned_inertia(const Vec3d& diagonal, const Quatd& quat);
// a full inertia, turned
std::array<double, 6> turned_inertia(const std::array<double, 6>& full, const Quatd& quat);
// what a mass at an offset adds
std::array<double, 6> offset_inertia(double mass, const Vec3d& offset);

// Principal axes and moments of a full inertia. False if a moment is not positive; where a positive
// bound will lift them (`bounded`), zero will do.
[[nodiscard]] bool principal_axes(const std::array<double, 6>& full, bool bounded, Pose& axes,
                                  Vec3d& moments);

// what the model calls the same pose: equal to 1e-6 in each component
bool same_pos(const Vec3d& a, const Vec3d& b);
bool same_quat(const Quatd& a, const Quatd& b);

}  // namespace lockstep
