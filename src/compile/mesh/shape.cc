// shape.cc: checks the parameters of built-in meshes and calls their generators.
#include "compile/mesh/shape.h"

#include <cmath>

namespace lockstep::mesh {
namespace {

constexpr int max_points = 10'000'000;  // larger requests are refused, not attempted

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
  error = "builtin mesh has too many vertices";
  return true;
}

using Params = std::vector<double>;

bool sphere(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 1) return fail(error, "Sphere mesh type requires 1 parameter");
  int n = truncate(p[0]);
  if (n < 0) return fail(error, "Sphere subdivision cannot be negative");
  if (n > 4) return fail(error, "Sphere subdivision cannot be greater than 4");
  make_sphere(n, out);
  return true;
}

bool hemisphere(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 1) return fail(error, "Hemisphere mesh type requires 1 parameter");
  int n = truncate(p[0]);
  if (n < 0) return fail(error, "Hemisphere resolution cannot be negative");
  if (n > 10) return fail(error, "Hemisphere resolution cannot be greater than 10");
  make_hemisphere(n, out);
  return true;
}

bool cone(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 2) return fail(error, "Cone mesh type requires 2 parameters");
  int n = truncate(p[0]);
  if (n < 3) return fail(error, "Cone nvert must be at least 3");
  if (!(p[1] >= 0 && p[1] <= 1)) return fail(error, "Cone radius must be in [0, 1]");
  if (too_many(2.0 * n, error)) return false;
  make_cone(n, p[1], out);
  return true;
}

bool supersphere(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 3) return fail(error, "Supersphere mesh type requires 3 parameters");
  int n = truncate(p[0]);
  if (n < 3) return fail(error, "Supersphere resolution must be greater than 2");
  if (p[1] < 0) return fail(error, "Supersphere 'e' cannot be negative");
  if (p[2] < 0) return fail(error, "Supersphere 'n' cannot be negative");
  if (too_many(1.0 * n * n, error)) return false;
  make_supersphere(n, p[1], p[2], out);
  return true;
}

bool supertorus(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 4) return fail(error, "Supertorus mesh type requires 4 parameters");
  int n = truncate(p[0]);
  if (n < 3) return fail(error, "Supertorus resolution must be greater than 3");
  if (p[1] <= 0 || p[1] > 1) return fail(error, "Supertorus radius must be in (0, 1]");
  if (p[2] <= 0) return fail(error, "Supertorus 's' must be greater than 0");
  if (p[3] <= 0) return fail(error, "Supertorus 't' must be greater than 0");
  if (too_many(1.0 * n * n, error)) return false;
  make_supertorus(n, p[1], p[2], p[3], out);
  return true;
}

bool wedge(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 5) return fail(error, "Wedge builtin mesh types require 5 parameters");
  int nx = truncate(p[0]), ny = truncate(p[1]);
  if (p[2] <= 0 || p[2] > 180) {
    return fail(error, "fov[0] must be a float between (0, 180] degrees");
  }
  if (p[3] <= 0 || p[3] > 90) {
    return fail(error, "`fov[1]` must be a float between (0, 90] degrees");
  }
  if (nx <= 0 || ny <= 0) {
    return fail(error, "Horizontal and vertical resolutions must be positive");
  }
  if (p[4] < 0 || p[4] > 1) {
    return fail(error, "`gamma` must be a nonnegative float between [0, 1]");
  }
  if (too_many(1.0 * nx * ny, error)) return false;
  make_wedge({nx, ny}, {p[2], p[3]}, p[4], out);
  return true;
}

bool plate(const Params& p, Surface& out, std::string& error) {
  if (p.size() != 2) return fail(error, "Plate builtin mesh type requires 2 parameters");
  int nx = truncate(p[0]), ny = truncate(p[1]);
  if (nx <= 0 || ny <= 0) {
    return fail(error, "Horizontal and vertical resolutions must be positive");
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
    return fail(error, flat ? "Square/disc mesh type requires 6 parameters (count[3], spacing[3])"
                       : is_grid ? "Grid mesh type requires 6 or 7 parameters (count[3], "
                                   "spacing[3], [dim])"
                                 : "Box/cylinder/ellipsoid mesh type requires 6 or 7 parameters "
                                   "(count[3], spacing[3], [dim])");
  }
  out.kind = kind;
  out.count = {truncate(p[0]), truncate(p[1]), truncate(p[2])};
  out.spacing = {p[3], p[4], p[5]};
  out.dim = flat ? 2 : p.size() == 7 ? truncate(p[6]) : 3;
  const auto& n = out.count;
  if (is_grid && (out.dim < 2 || out.dim > 3)) return fail(error, "Grid dim must be 2 or 3");
  if (!is_grid && (out.dim < 2 || out.dim > 3)) {
    return fail(error, "Mesh dim must be 2 or 3 for box/cylinder/ellipsoid");
  }
  if (is_grid || flat) {
    if (flat && n[2] != 1) return fail(error, "Square/disc count[2] must be 1");
    if (out.dim == 2 && n[2] != 1) {
      return fail(error, "Grid count must be 1 along dimensions beyond dim");
    }
    if (n[0] < 1 || n[1] < 1 || n[2] < 1) return fail(error, "Grid count must be positive");
  } else if (n[0] < 2 || n[1] < 2 || n[2] < 2) {
    return fail(error, "Box/cylinder/ellipsoid count must be at least 2");
  }
  return !too_many(1.0 * n[0] * n[1] * n[2], error);
}

bool on_grid(MeshBuiltin kind, const Params& p, Surface& out, Volume& volume, std::string& error) {
  GridShape shape;
  if (!read_grid(kind, p, shape, error)) return false;
  bool boxlike =
      kind == MeshBuiltin::box || kind == MeshBuiltin::cylinder || kind == MeshBuiltin::ellipsoid;
  std::vector<int> element;
  if (boxlike) {
    make_box(shape, volume.node, element);
  } else {
    make_grid(shape, volume.node, element);
  }
  if (element.empty()) {
    return fail(error, boxlike                     ? "Failed to create box/cylinder/ellipsoid mesh"
                       : kind == MeshBuiltin::grid ? "Failed to create grid mesh"
                                                   : "Failed to create square/disc mesh");
  }
  out.vert.assign(volume.node.begin(), volume.node.end());
  (shape.dim == 2 ? out.face : volume.tet) = std::move(element);
  return true;
}

}  // namespace

bool make_shape(MeshBuiltin shape, const std::vector<double>& params, Surface& out, Volume& volume,
                MeshInertia& inertia, std::string& error) {
  for (double p : params) {
    if (!std::isfinite(p)) return fail(error, "builtin mesh parameters must be finite");
  }
  switch (shape) {
    case MeshBuiltin::none: return fail(error, "Unsupported mesh type");
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
