// flex_data.h: what the compiler finds out about a flex, from sizing to packing.
#pragma once

#include <array>
#include <vector>

#include "compile/mesh/bvh.h"
#include "math/vec.h"

namespace lockstep {

using Edge = std::array<int, 2>;

struct FlexData {
  int dim = 2;
  int nvert = 0, nnode = 0, nelem = 0;
  bool rigid = false;         // all vertices in one body
  bool centered = false;      // vertices (interpolated: nodes) at the origins of their bodies
  bool interpolated = false;  // vertices follow nodes
  double radius = 0;
  std::vector<int> vertbody, nodebody;  // -1: a vertex that follows nodes
  std::vector<int> matid;               // by element
  std::vector<int> elem, elemtexcoord;  // dim + 1 vertices each
  std::vector<double> vertpos;          // world positions at qpos0
  std::vector<double> nodepos;          // likewise, turned back into the frame of the grid
  std::array<double, 9> grid_axes{1, 0, 0, 0, 1, 0, 0, 0, 1};  // rows: axes of that frame

  // topology
  std::vector<Edge> edge;      // smaller vertex first
  std::vector<int> elemedge;   // edges of elements
  std::vector<Edge> flap;      // dim 2: vertices opposite to each edge, -1: none
  std::vector<int> shell;      // outer pieces, dim vertices each
  std::vector<int> elemlayer;  // distance of elements from outside

  // elasticity
  std::vector<double> stiffness, bending;
  std::vector<bool> empty;  // cells of the interpolation grid
  int plasticadr = -1, plasticmode = 0;

  // box around the vertices, and where they are in it
  mesh::Bvh bvh;  // over elements
  Vec3d size{0, 0, 0};
  std::vector<double> vert0;
  std::vector<int> vertcell;
};

}  // namespace lockstep
