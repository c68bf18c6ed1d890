// ray.cc: rays through one world in double.
#include "step/ray.h"

#include <algorithm>
#include <vector>

#include "stage/ray/ray_world.h"

namespace lockstep {
namespace {

// rays write no field
DataView<double> read(const Data& d) { return view(const_cast<Data&>(d)); }

double tell(const RayHit<double>& hit, double* normal) {
  if (normal) store3(normal, hit.normal);
  return hit.dist;
}

}  // namespace

bool has_length(const double along[3]) {
  return !(dot(load3(along), load3(along)) < min_val * min_val);
}

bool has_plain_ray(int geom_type) { return has_plain_ray(GeomType(geom_type)); }

double ray_shape(const double pos[3], const double mat[9], const double size[3],
                 const double from[3], const double along[3], int geom_type, double* normal) {
  Mat3<double> axes;
  for (int i = 0; i < 9; i++) axes[i] = mat[i];
  return tell(ray_shape<double>(GeomType(geom_type), load3(pos), axes, load3(size),
                                {load3(from), load3(along)}),
              normal);
}

double ray_triangle(const double corner[9], const double from[3], const double along[3],
                    double* normal) {
  const Triangle<double> triangle{{load3(corner), load3(corner + 3), load3(corner + 6)}};
  RayHit<double> best = ray_missed<double>();
  ray_triangle<double>({load3(from), load3(along)}, triangle, best);
  return tell(best, normal);
}

bool ray_box(const double center[3], const double half[3], const double from[3],
             const double along[3], double limit) {
  return ray_meets_box<double>({load3(from), load3(along)}, load3(center), load3(half), limit);
}

double ray_geom(const Model& m, const Data& d, int geom, const double from[3],
                const double along[3], double* normal) {
  return tell(ray_geom<double>(view(m), read(d), geom, 0, {load3(from), load3(along)}), normal);
}

double ray_skin(int faces, const int* face, const float* vertex, const double from[3],
                const double along[3], int& nearest) {
  const Ray<double> ray{load3(from), load3(along)};
  RayHit<double> best = ray_missed<double>();
  nearest = -1;
  for (int f = 0; f < faces; f++) {
    Triangle<double> tri;
    for (int i = 0; i < 3; i++) {
      const float* v = vertex + 3 * face[3 * f + i];
      tri.corner[i] = {v[0], v[1], v[2]};
    }
    const double before = best.dist;
    ray_triangle(ray, tri, best);
    if (best.dist == before) continue;
    double away[3];
    for (int i = 0; i < 3; i++) away[i] = distance(ray.at(best.dist), tri.corner[i]);
    nearest = face[3 * f + (std::min_element(away, away + 3) - away)];
  }
  return best.dist;
}

double ray(const Model& m, const Data& d, const double from[3], const double along[3],
           const RayQuery& query, int& geom, double* normal) {
  const RayFilter filter{query.group, query.meets_static, query.body};
  const auto met = ray_world<double>(view(m), read(d), filter, 0, {load3(from), load3(along)});
  geom = met.geom;
  return tell(met.hit, normal);
}

void multi_ray(const Model& m, const Data& d, const double from[3], const double* along, int count,
               const RayQuery& query, double cutoff, int* geom, double* dist, double* normal) {
  const auto model = view(m);
  const auto data = read(d);
  const RayFilter filter{query.group, query.meets_static, query.body};
  std::vector<int> near;
  for (int g = 0; g < m.ngeom; g++) {
    const double bound = m.geom_rbound[g];
    const bool within = bound <= 0 || !(distance(data.geom_xpos[g], load3(from)) > cutoff + bound);
    if (is_seen(model, filter, g) && within) near.push_back(g);
  }
  for (int i = 0; i < count; i++) {
    WorldHit<double> best{ray_missed<double>(), -1};
    for (const int g : near) {
      const auto hit = ray_geom<double>(model, data, g, 0, {load3(from), load3(along + 3 * i)});
      if (hit.found() && (best.geom < 0 || hit.dist < best.hit.dist)) best = {hit, g};
    }
    geom[i] = best.geom;
    dist[i] = tell(best.hit, normal ? normal + 3 * i : nullptr);
  }
}

}  // namespace lockstep
