// hull.h: convex hull of a point set, as the graph that collision walks.
#pragma once

#include <string>
#include <vector>

namespace lockstep::mesh {

// Layout of the graph (n vertices, f triangles):
//   n, f, edge address of each vertex [n], mesh vertex of each [n],
//   neighbours of each, -1 after each list [n + 3f], triangles in mesh vertices [3f]
struct HullView {
  explicit HullView(const std::vector<int>& graph);
  int nvert, nface;
  const int* edgeadr;
  const int* globalid;
  const int* edge;
  const int* face;
};

// maxvert: largest number of hull vertices, -1: no limit
bool make_hull(const std::vector<double>& vert, int maxvert, std::vector<int>& graph,
               std::string& error);

}  // namespace lockstep::mesh
