// shape.cc: checks the parameters of built-in meshes and calls their generators.
#include "compile/mesh/shape.h"

#include <cmath>

namespace lockstep::mesh {
namespace {

constexpr int max_points = 1'000'000;  // larger requests are refused, not attempted

bool fail(std::string& error, const char* message) {
  error = message;
  return false;
}

// as a C cast does, but safe for any number
int truncate(double x) {
  if (!(x > -1e9)) return -1'000'000'000;
  return x < 1e9 ? static_cast<int>(x) : 1'000'000'000;
}

bool too_many(double npoint, std::string& error) {
  if (npoint <= max_points) return false;
  error = "the built-in mesh has too many vertices";
  return true;
}

using Params = std::vector<double>;

bool sphere(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 1) return fail(error, "a sphere has 1 parameter: subdivision");
  int n = truncate(p[0]);
  if (n < 0) return fail(error, "the subdivision is negative");
  if (n > 4) return fail(error, "the subdivision exceeds 4");
  make_sphere(n, out);
  return true;
}

bool hemisphere(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 1) return fail(error, "a hemisphere has 1 parameter: resolution");
  int n = truncate(p[0]);
  if (n < 0) return fail(error, "the resolution is negative");
  if (n > 10) return fail(error, "the resolution exceeds 10");
  make_hemisphere(n, out);
  return true;
}

bool cone(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 2) return fail(error, "a cone has 2 parameters: vertices, radius");
  int n = truncate(p[0]);
  if (n < 3) return fail(error, "a cone needs 3 vertices or more");
  if (!(p[1] >= 0 && p[1] <= 1)) return fail(error, "the radius is not within 0 and 1");
  if (too_many(2.0 * n, error)) return false;
  make_cone(n, p[1], out);
  return true;
}

bool supersphere(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 3) return fail(error, "a supersphere has 3 parameters: resolution, e, n");
  int n = truncate(p[0]);
  if (n < 3) return fail(error, "the resolution is below 3");
  if (p[1] < 0) return fail(error, "e is negative");
  if (p[2] < 0) return fail(error, "n is negative");
  if (too_many(1.0 * n * n, error)) return false;
  make_supersphere(n, p[1], p[2], out);
  return true;
}

bool supertorus(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 4) return fail(error, "a supertorus has 4 parameters: resolution, radius, s, t");
  int n = truncate(p[0]);
  if (n < 3) return fail(error, "the resolution is below 3");
  if (p[1] <= 0 || p[1] > 1) return fail(error, "the radius is not above 0 and up to 1");
  if (p[2] <= 0) return fail(error, "s is not positive");
  if (p[3] <= 0) return fail(error, "t is not positive");
  if (too_many(1.0 * n * n, error)) return false;
  make_supertorus(n, p[1], p[2], p[3], out);
  return true;
}

bool wedge(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 5)
    return fail(error, "a wedge has 5 parameters: two resolutions, two angles, gamma");
  int nx = truncate(p[0]), ny = truncate(p[1]);
  if (p[2] <= 0 || p[2] > 180) {
    return fail(error, "the horizontal angle is not above 0 and up to 180 degrees");
  }
  if (p[3] <= 0 || p[3] > 90) {
    return fail(error, "the vertical angle is not above 0 and up to 90 degrees");
  }
  if (nx <= 0 || ny <= 0) {
    return fail(error, "both resolutions must be positive");
  }
  if (p[4] < 0 || p[4] > 1) {
    return fail(error, "gamma is not within 0 and 1");
  }
  if (too_many(1.0 * nx * ny, error)) return false;
  make_wedge({nx, ny}, {p[2], p[3]}, p[4], out);
  return true;
}

bool plate(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 2) return fail(error, "a plate has 2 parameters: two resolutions");
  int nx = truncate(p[0]), ny = truncate(p[1]);
  if (nx <= 0 || ny <= 0) {
    return fail(error, "both resolutions must be positive");
  }
  if (too_many(1.0 * nx * ny, error)) return false;
  make_plate({nx, ny}, out);
  return true;
}

// checks of the shapes on a grid
bool read_grid(MeshBuiltin kind, const Params& p, GridShape& out, std::string& error) {
  bool flat = kind == MeshBuiltin::square || kind == MeshBuiltin::disc;
  bool is_grid = kind == MeshBuiltin::grid;
  if (p.size() != 6 && (p.size() != 7 || flat)) {
    return fail(error, flat      ? "squares and discs have 6 parameters: 3 counts, 3 spacings"
                       : is_grid ? "a grid has 6 or 7 parameters: 3 counts, 3 spacings, dimension"
                                 : "boxes, cylinders and ellipsoids have 6 or 7 parameters: 3 "
                                   "counts, 3 spacings, dimension");
  }
  out.kind = kind;
  out.count = {truncate(p[0]), truncate(p[1]), truncate(p[2])};
  out.spacing = {p[3], p[4], p[5]};
  out.dim = flat ? 2 : p.size() == 7 ? truncate(p[6]) : 3;
  const auto& n = out.count;
  if (is_grid && (out.dim < 2 || out.dim > 3))
    return fail(error, "the dimension is neither 2 nor 3");
  if (!is_grid && (out.dim < 2 || out.dim > 3)) {
    return fail(error, "the dimension is neither 2 nor 3");
  }
  if (is_grid || flat) {
    if (flat && n[2] != 1) return fail(error, "the third count of squares and discs is 1");
    if (out.dim == 2 && n[2] != 1) {
      return fail(error, "counts beyond the dimension must be 1");
    }
    if (n[0] < 1 || n[1] < 1 || n[2] < 1) return fail(error, "the counts must be positive");
  } else if (n[0] < 2 || n[1] < 2 || n[2] < 2) {
    return fail(error, "the counts must be 2 or more");
  }
  return !too_many(1.0 * n[0] * n[1] * n[2], error);
}

bool on_grid(MeshBuiltin kind, const Params& p, Surface& out, Volume& volume, std::string& error) {
  GridShape shape;
  if (!read_grid(kind, p, shape, error)) return false;
  bool boxlike =
      kind == MeshBuiltin::box || kind == MeshBuiltin::cylinder || kind == MeshBuiltin::ellipsoid;
  GridMesh made;
  if (boxlike) {
    make_box(shape, made);
  } else {
    make_grid(shape, made);
  }
  if (made.element.empty()) {
    return fail(error, boxlike ? "these counts make no box, cylinder or ellipsoid"
                       : kind == MeshBuiltin::grid ? "these counts make no grid"
                                                   : "these counts make no square or disc");
  }
  out.vert.assign(made.point.begin(), made.point.end());
  volume.node = std::move(made.point);
  (shape.dim == 2 ? out.face : volume.tet) = std::move(made.element);
  return true;
}

}  // namespace

bool make_shape(MeshBuiltin shape, const std::vector<double>& params, Surface& out, Volume& volume,
                MeshInertia& inertia, std::string& error) {
  for (double p : params) {
    if (!std::isfinite(p)) return fail(error, "the parameters must be finite");
  }
  switch (shape) {
    case MeshBuiltin::none: return fail(error, "unknown built-in mesh");
    case MeshBuiltin::sphere: return sphere(params, out, error);
    case MeshBuiltin::hemisphere: return hemisphere(params, out, error);
    case MeshBuiltin::cone: return cone(params, out, error);
    case MeshBuiltin::supersphere: return supersphere(params, out, error);
    case MeshBuiltin::supertorus: return supertorus(params, out, error);
    case MeshBuiltin::wedge: return wedge(params, out, error);
    case MeshBuiltin::plate:
      inertia = MeshInertia::shell;  // whatever was asked for
      return plate(params, out, error);
    case MeshBuiltin::grid:
    case MeshBuiltin::box:
    case MeshBuiltin::cylinder:
    case MeshBuiltin::ellipsoid:
    case MeshBuiltin::square:
    case MeshBuiltin::disc: break;
  }
  if (!on_grid(shape, params, out, volume, error)) return false;
  // open surfaces have no volume
  if (volume.tet.empty() && inertia == MeshInertia::legacy) inertia = MeshInertia::shell;
  return true;
}

}  // namespace lockstep::mesh
