// shape.h: sizes, volumes and inertias of the primitive shapes of geoms and sites.
#pragma once

#include <array>

#include "compile/build.h"

namespace lockstep {

// how many sizes a type reads
int size_count(GeomType type);

// sizes must be numbers, and positive where the type reads them; reports and returns false if not
bool check_sizes(Build& b, const Element& element, GeomType type,
                 const std::array<double, 3>& size);

// position, orientation and sizes from the end points; reports and returns false if they make no
// shape
bool settle_fromto(Build& b, const Element& element, GeomType type, std::array<double, 6>& fromto,
                   std::array<double, 3>& pos, std::array<double, 4>& quat,
                   std::array<double, 3>& size);

// volume, or area of a shell
double shape_volume(GeomType type, bool shell, const std::array<double, 3>& size);
// moments of inertia about the axes of the shape
Vec3d shape_inertia(GeomType type, bool shell, const std::array<double, 3>& size, double mass);

// a mesh has a material for those who use it without naming one
void take_mesh_material(const Build& b, const std::string& meshname, std::string& material);

}  // namespace lockstep
