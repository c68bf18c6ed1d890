// polygon_split.h: splits a planar polygon into triangles.
#pragma once

#include <array>
#include <vector>

namespace lockstep::mesh {

// outline: vertex numbers, at least 3; vert: 3 coordinates each. Corners that name no vertex make
// the polygon vanish or are treated as the origin. Appends positions in the outline, three per
// triangle. Quads are cut along their shorter diagonal, larger ones lose their ears one by one.
void split_polygon(const std::vector<int>& outline, const std::vector<float>& vert,
                   std::vector<std::array<int, 3>>& out);

}  // namespace lockstep::mesh
