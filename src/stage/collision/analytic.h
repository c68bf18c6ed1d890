// analytic.h: which pairs of geom types have a collider in closed form.
#pragma once

#include "model/enums.h"
#include "stage/collision/box.h"
#include "stage/collision/capsule.h"
#include "stage/collision/capsule_box.h"
#include "stage/collision/plane.h"
#include "stage/collision/sphere.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// finds the contacts of two shapes that are nearer than the margin, and appends them
template <class Real>
using Collide = void (*)(const Shape<Real>&, const Shape<Real>&, Real, ContactSet<Real>&);

template <class Real>
struct Collider {
  GeomType first, second;  // in the order of the types
  int most;                // contacts
  Collide<Real> run;
};

// clang-format off
template <class Real>
inline constexpr Collider<Real> analytic_colliders[] = {
  {GeomType::plane,   GeomType::sphere,    1, plane_sphere<Real>},
  {GeomType::plane,   GeomType::capsule,   2, plane_capsule<Real>},
  {GeomType::plane,   GeomType::ellipsoid, 1, plane_ellipsoid<Real>},
  {GeomType::plane,   GeomType::cylinder,  4, plane_cylinder<Real>},
  {GeomType::plane,   GeomType::box,       4, plane_box<Real>},
  {GeomType::sphere,  GeomType::sphere,    1, sphere_sphere<Real>},
  {GeomType::sphere,  GeomType::capsule,   1, sphere_capsule<Real>},
  {GeomType::sphere,  GeomType::cylinder,  1, sphere_cylinder<Real>},
  {GeomType::sphere,  GeomType::box,       1, sphere_box<Real>},
  {GeomType::capsule, GeomType::capsule,   2, capsule_capsule<Real>},
  {GeomType::capsule, GeomType::box,       2, capsule_box<Real>},
  {GeomType::box,     GeomType::box,       8, box_box<Real>},
};
// clang-format on

// the same by types
inline constexpr int collider_types = code(GeomType::mesh) + 1;
template <class Real>
struct ColliderTable {
  const Collider<Real>* of[collider_types][collider_types];
  constexpr ColliderTable() : of() {
    for (const Collider<Real>& c : analytic_colliders<Real>) of[code(c.first)][code(c.second)] = &c;
  }
};
template <class Real>
inline constexpr ColliderTable<Real> collider_table{};

// null if the pair, lower type first, has none
template <class Real>
LOCKSTEP_INLINE const Collider<Real>* analytic_collider(int first, int second) {
  if (unsigned(first) >= unsigned(collider_types) || unsigned(second) >= unsigned(collider_types))
    return nullptr;
  return collider_table<Real>.of[first][second];
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
