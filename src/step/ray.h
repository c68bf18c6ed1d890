// ray.h: rays through one world in double, as plain functions; defined in instance/. A ray is a
// point and a direction; distances are in units of the direction, -1 where nothing is met. A null
// normal is not wanted; one that is given becomes the outer normal, zeros where nothing is met.
#pragma once

#include "model/data.h"
#include "model/model.h"

namespace lockstep {

// whether a direction is one; without length it is refused with this reason
bool has_length(const double along[3]);
inline constexpr const char* ray_without_length = "the direction of a ray has no length";

// shapes that need nothing but their sizes
bool has_plain_ray(int geom_type);
double ray_shape(const double pos[3], const double mat[9], const double size[3],
                 const double from[3], const double along[3], int geom_type, double* normal);

// one triangle from either side, corners one after the other; and whether a ray passes a box, by
// its center and half sizes, before a distance (negative: anywhere)
double ray_triangle(const double corner[9], const double from[3], const double along[3],
                    double* normal);
bool ray_box(const double center[3], const double half[3], const double from[3],
             const double along[3], double limit);

// one geom, whatever can be seen of it
double ray_geom(const Model& m, const Data& d, int geom, const double from[3],
                const double along[3], double* normal);

// triangles of vertices in the world, as skins are given; the vertex nearest to where it is met
// goes to `nearest`, -1 if nothing is met
double ray_skin(int faces, const int* face, const float* vertex, const double from[3],
                const double along[3], int& nearest);

// which geoms a ray passes through
struct RayQuery {
  const unsigned char* group = nullptr;  // six flags, zero: passes; null: all groups are met
  bool meets_static = true;
  int body = -1;  // whose geoms it passes
};

// the first geom of the world; its number goes to `geom`, -1 if there is none
double ray(const Model& m, const Data& d, const double from[3], const double along[3],
           const RayQuery& query, int& geom, double* normal);

// many rays from one point, which meet only geoms whose bounding ball begins within the cutoff
void multi_ray(const Model& m, const Data& d, const double from[3], const double* along, int count,
               const RayQuery& query, double cutoff, int* geom, double* dist, double* normal);

}  // namespace lockstep
