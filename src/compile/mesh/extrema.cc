// extrema.cc: see extrema.h. Heights are float32: their rounding decides ties.
#include "compile/mesh/extrema.h"

#include <algorithm>

#include "compile/mesh/hull.h"

namespace lockstep::mesh {

void find_extrema(MeshData& mesh) {
  HullView hull(mesh.graph);
  for (int d = 0; d < 27; d++) {
    float direction[3] = {float(d / 9 - 1), float(d / 3 % 3 - 1), float(d % 3 - 1)};
    float best = 0;
    for (int v = 0; v < hull.nvert; v++) {
      const float* p = &mesh.surface.vert[3 * size_t(hull.globalid[v])];
      float height = direction[0] * p[0] + direction[1] * p[1] + direction[2] * p[2];
      if (v == 0 || height > best) {
        best = height;
        mesh.extrema[d] = v;
      }
    }
  }
  for (int n : mesh.polygons.mapnum) mesh.degmax = std::max(mesh.degmax, n);
}

}  // namespace lockstep::mesh
