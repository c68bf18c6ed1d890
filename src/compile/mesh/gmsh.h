// gmsh.h: GMSH files, formats 4.1 and 2.2, as text or binary.
#pragma once

#include <string>
#include <vector>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

// points and the triangles or tetrahedra between them
struct Simplices {
  int dim = 2;
  std::vector<double> point;  // 3 each
  std::vector<int> element;   // dim + 1 each

  int npoint() const { return static_cast<int>(point.size() / 3); }
};

// nodes and elements must be in one block each, as MuJoCo wants them
[[nodiscard]] bool read_gmsh(const Bytes& bytes, Simplices& out, std::string& error);

// the triangles, or the boundary of the tetrahedra
Surface surface_of(const Simplices& mesh);

}  // namespace lockstep::mesh
