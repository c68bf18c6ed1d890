// polygon.h: merges the triangles of a hull into polygons.
#pragma once

#include <vector>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

// Triangles whose normals round to the same direction (in steps of 0.01 rad) and share edges make
// one polygon. Normals are left empty: they follow when the vertices are in their final frame.
Polygons make_polygons(const std::vector<double>& vert, const std::vector<int>& graph);

// turns all outlines round
void mirror_polygons(Polygons& polygons);

// normal of each outline (Newell's method), vertices in their final frame
void make_polygon_normals(const std::vector<double>& vert, Polygons& polygons);

}  // namespace lockstep::mesh
