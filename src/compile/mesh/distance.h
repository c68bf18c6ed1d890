// distance.h: signed distance from a point to a mesh.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "compile/mesh/bvh.h"

namespace lockstep::mesh {

// The sign comes from the normal of the nearest feature: of a face, the sum over an edge's faces,
// the sum weighted by angle over a vertex's faces. With these it is right everywhere (Baerentzen
// 2005).
class DistanceQuery {
 public:
  enum class Feature { a, b, c, ab, bc, ca, face };

  // keeps references; bvh is over the faces
  DistanceQuery(const std::vector<double>& vert, const std::vector<int>& face, const Bvh& bvh);

  // negative inside
  double signed_distance(const Vec3d& p) const;

 private:
  struct Found {
    double square = 1e20;
    int face = -1;
    Feature feature = Feature::face;
    Vec3d at{0, 0, 0};
  };
  void search(int node, const Vec3d& p, Found& best) const;
  Vec3d normal_at(int face, Feature feature) const;

  const std::vector<double>& vert_;
  const std::vector<int>& face_;
  const Bvh& bvh_;
  std::vector<Vec3d> face_normal_, vertex_normal_;
  std::unordered_map<uint64_t, Vec3d> edge_normal_;
};

}  // namespace lockstep::mesh
