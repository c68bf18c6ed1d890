// points.h: points and elements of a flexcomp before they are placed.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "compile/mesh_input.h"
#include "spec/flexcomp.h"

namespace lockstep::flexcomp {

struct Cloud {
  int dim = 2;
  std::vector<double> point;      // 3 each
  std::vector<int> element;       // dim + 1 each
  std::vector<float> texcoord;    // 2 each
  std::vector<int> elemtexcoord;  // as element; empty: texture coordinates go with points

  int npoint() const { return static_cast<int>(point.size() / 3); }
};

// by type: generated, from a mesh asset, from a file, or as given
[[nodiscard]] bool make_cloud(const Spec& spec, const Flexcomp& comp, Cloud& out,
                              AssetProblem& problem);

}  // namespace lockstep::flexcomp
