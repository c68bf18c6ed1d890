// shape.h: generators of built-in meshes; arguments are checked by make_shape.
#pragma once

#include <array>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

void make_sphere(int subdivisions, Surface& out);
void make_hemisphere(int resolution, Surface& out);
void make_cone(int nedge, double radius, Surface& out);
void make_supersphere(int resolution, double e, double n, Surface& out);
void make_supertorus(int resolution, double radius, double s, double t, Surface& out);
void make_wedge(std::array<int, 2> resolution, std::array<double, 2> fov, double gamma,
                Surface& out);
void make_plate(std::array<int, 2> resolution, Surface& out);

// shapes on a grid of count[0] x count[1] x count[2] points, as flexes use them
struct GridShape {
  MeshBuiltin kind;
  std::array<int, 3> count;
  std::array<double, 3> spacing;
  int dim;  // 2: triangles; 3: tetrahedra; 1: points alone
};

struct GridMesh {
  std::vector<double> point;    // 3 each
  std::vector<int> element;     // dim + 1 each
  std::vector<float> texcoord;  // 2 each
};

void make_grid(const GridShape& shape, GridMesh& out);
// box, cylinder, ellipsoid; the surface (dim 2) is open at the top
void make_box(const GridShape& shape, GridMesh& out);

}  // namespace lockstep::mesh
