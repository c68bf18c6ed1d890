// ray_mesh.h: where a ray meets a triangle, a mesh or a height field for the first time.
//   triangle: p + t v = v0 + u e1 + w e2, solved by Cramer's rule;  meshes by their tree of boxes
// scalar code: T is float or double; lanes call it one by one.
#pragma once

#include "model/view.h"
#include "stage/ray/ray.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct Triangle {
  Vec3<T> corner[3];
};

// from both sides; the normal follows the order of the corners
template <class T>
LOCKSTEP_FN void ray_triangle(const Ray<T>& ray, const Triangle<T>& tri, RayHit<T>& best) {
  const Vec3<T> e1 = tri.corner[1] - tri.corner[0], e2 = tri.corner[2] - tri.corner[0];
  const Vec3<T> off = ray.from - tri.corner[0];
  const Vec3<T> across = cross(ray.along, e2);
  const T det = dot(e1, across);
  if (det == T(0)) return;
  const T u = dot(off, across) / det;
  const Vec3<T> around = cross(off, e1);
  const T w = dot(ray.along, around) / det;
  if (!(u >= T(0) && w >= T(0) && u + w <= T(1))) return;
  take_nearer(best, dot(e2, around) / det, normalize(cross(e1, e2)));
}

// whether the ray passes a box before `limit` (no limit if negative)
template <class T>
LOCKSTEP_FN bool ray_meets_box(const Ray<T>& ray, const Vec3<T>& center, const Vec3<T>& half,
                               T limit) {
  T enter(0), leave = limit;
  for (int axis = 0; axis < 3; axis++) {
    const T p = ray.from[axis] - center[axis], v = ray.along[axis];
    if (v == T(0)) {
      if (abs(p) > half[axis]) return false;
      continue;
    }
    const T a = (-half[axis] - p) / v, b = (half[axis] - p) / v;
    enter = max(enter, min(a, b));
    leave = leave < T(0) ? max(a, b) : min(leave, max(a, b));
    if (leave < T(0) || leave < enter) return false;
  }
  return true;
}

template <class Real>
LOCKSTEP_INLINE Triangle<Scalar<Real>> mesh_triangle(const ModelView<Real>& m, int mesh, int face) {
  using T = Scalar<Real>;
  Triangle<T> tri;
  const int* corner = m.mesh_face + 3 * (m.mesh_faceadr[mesh] + face);
  for (int i = 0; i < 3; i++) {
    const float* v = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + corner[i]);
    tri.corner[i] = {T(v[0]), T(v[1]), T(v[2])};
  }
  return tri;
}

// in the frame of the mesh
template <class Real>
LOCKSTEP_FN RayHit<Scalar<Real>> ray_mesh(const ModelView<Real>& m, int mesh, int lane_index,
                                          const Ray<Scalar<Real>>& ray) {
  using T = Scalar<Real>;
  RayHit<T> best = ray_missed<T>();
  constexpr int room = 64;  // deeper trees are not walked: every triangle is asked
  int stack[room], waiting = 0;
  bool walked = m.mesh_bvhnum[mesh] > 0;
  if (walked) stack[waiting++] = m.mesh_bvhadr[mesh];
  while (waiting > 0 && walked) {
    const int node = stack[--waiting];
    Vec3<T> center, half;
    for (int i = 0; i < 3; i++) {
      // boxes are rounded: a little room on all sides
      center[i] = lane(m.bvh_aabb[6 * node + i], lane_index);
      half[i] = lane(m.bvh_aabb[6 * node + 3 + i], lane_index);
      half[i] = half[i] + T(1e-6) * (half[i] + abs(center[i]));
    }
    if (!ray_meets_box(ray, center, half, best.dist)) continue;
    if (m.bvh_nodeid[node] >= 0) {
      ray_triangle(ray, mesh_triangle(m, mesh, m.bvh_nodeid[node]), best);
      continue;
    }
    walked = waiting + 2 <= room;
    for (int i = 0; i < 2 && walked; i++) {
      const int child = m.bvh_child[2 * node + i];
      if (child >= 0) stack[waiting++] = m.mesh_bvhadr[mesh] + child;
    }
  }
  for (int face = 0; face < m.mesh_facenum[mesh] && !walked; face++) {
    ray_triangle(ray, mesh_triangle(m, mesh, face), best);
  }
  return best;
}

// ---- height fields ----

template <class Real>
struct HeightField {
  using T = Scalar<Real>;
  Vec3<T> size;  // half length, half width, height of elevation 1
  T base;        // thickness below elevation 0
  int rows, cols;
  const float* elevation;

  LOCKSTEP_INLINE T step(int axis) const { return T(2) * size[axis] / T((axis ? rows : cols) - 1); }
  LOCKSTEP_INLINE Vec3<T> point(int row, int col) const {
    return {step(0) * T(col) - size.x, step(1) * T(row) - size.y,
            T(elevation[row * cols + col]) * size.z};
  }
};
template <class Real>
LOCKSTEP_INLINE HeightField<Real> height_field(const ModelView<Real>& m, int id, int lane_index) {
  const Real* size = m.hfield_size + 4 * id;
  return {{lane(size[0], lane_index), lane(size[1], lane_index), lane(size[2], lane_index)},
          lane(size[3], lane_index),
          m.hfield_nrow[id],
          m.hfield_ncol[id],
          m.hfield_data + m.hfield_adr[id]};
}

// the two triangles of a cell
template <class Real, class T>
LOCKSTEP_FN void ray_cell(const HeightField<Real>& f, const Ray<T>& ray, int row, int col,
                          RayHit<T>& best) {
  const Vec3<T> here = f.point(row, col), far = f.point(row + 1, col + 1);
  ray_triangle(ray, Triangle<T>{{here, f.point(row, col + 1), far}}, best);
  ray_triangle(ray, Triangle<T>{{here, far, f.point(row + 1, col)}}, best);
}

// cells from the one below a coordinate to the one below another, with one more on each side
struct CellRange {
  int first, last;
};
template <class T>
LOCKSTEP_FN CellRange cells_between(T a, T b, int count) {
  const T most(count);  // also keeps the conversion within range
  return {max(0, int(clamp(min(a, b), T(0), most)) - 1),
          min(count - 1, int(clamp(max(a, b), T(0), most)) + 1)};
}

// the surface, row by row of cells: of each row only the columns that the ray passes above it
template <class Real, class T>
LOCKSTEP_FN void ray_surface(const HeightField<Real>& f, const Ray<T>& ray, T enter, T leave,
                             RayHit<T>& best) {
  const T dx = f.step(0), dy = f.step(1);
  const T y0 = (ray.at(enter).y + f.size.y) / dy, y1 = (ray.at(leave).y + f.size.y) / dy;
  const CellRange rows = cells_between(y0, y1, f.rows - 1);
  for (int row = rows.first; row <= rows.last; row++) {
    T from = enter, to = leave;
    if (abs(ray.along.y) > T(min_val)) {
      const T a = (dy * T(row) - f.size.y - ray.from.y) / ray.along.y;
      const T b = (dy * T(row + 1) - f.size.y - ray.from.y) / ray.along.y;
      from = clamp(min(a, b), enter, leave);
      to = clamp(max(a, b), enter, leave);
    }
    const CellRange cols =
        cells_between((ray.at(from).x + f.size.x) / dx, (ray.at(to).x + f.size.x) / dx, f.cols - 1);
    for (int col = cols.first; col <= cols.last; col++) ray_cell(f, ray, row, col, best);
  }
}

// height of the edge of the field above a point of a side face, in elevations times size
template <class Real, class T>
LOCKSTEP_FN T edge_height(const HeightField<Real>& f, const Vec3<T>& p, int face) {
  const bool along_y = face < 2;
  const int count = along_y ? f.rows : f.cols, end = face % 2;
  const T at = along_y ? (p.y + f.size.y) / f.step(1) : (p.x + f.size.x) / f.step(0);
  const int cell = min(max(int(clamp(at, T(0), T(count))), 0), count - 2);
  const int edge = end ? (along_y ? f.cols : f.rows) - 1 : 0;
  const T low = along_y ? f.point(cell, edge).z : f.point(edge, cell).z;
  const T high = along_y ? f.point(cell + 1, edge).z : f.point(edge, cell + 1).z;
  return low + (high - low) * (at - T(cell));
}

// a box below elevation 0, and above it what lies under the surface; in the frame of the field
template <class Real>
LOCKSTEP_FN RayHit<Scalar<Real>> ray_hfield(const HeightField<Real>& f,
                                            const Ray<Scalar<Real>>& ray) {
  using T = Scalar<Real>;
  const T below = T(0.5) * f.base, above = T(0.5) * f.size.z;
  Ray<T> shifted = ray;
  shifted.from.z = ray.from.z + below;
  RayHit<T> best = ray_box(shifted, {f.size.x, f.size.y, below});

  shifted.from.z = ray.from.z - above;
  const BoxCrossings<T> top = box_crossings(shifted, {f.size.x, f.size.y, above});
  T enter(-1), leave(-1);
  for (const T t : top.face) {
    if (t < T(0)) continue;
    enter = enter < T(0) ? t : min(enter, t);
    leave = max(leave, t);
  }
  if (leave < T(0)) return best;
  if (enter == leave) enter = T(0);  // starts inside
  ray_surface(f, ray, enter, leave, best);
  for (int face = 0; face < 4; face++) {
    const T t = top.face[face];
    if (t < T(0)) continue;
    const Vec3<T> p = ray.at(t);
    if (p.z < edge_height(f, p, face)) take_nearer(best, t, face_normal<T>(face));
  }
  return best;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
