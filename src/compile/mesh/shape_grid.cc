// shape_grid.cc: built-in meshes on grids: tactile pads and the shapes that flexes use.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "compile/mesh/shape.h"
#include "math/vec.h"

namespace lockstep::mesh {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double eps = 1e-14;

// n equal steps across [-1, 1], crowded towards the middle by gamma, scaled
std::vector<double> bin_edges(int n, double gamma, double scale) {
  std::vector<double> out(n + 1);
  double step = 2.0 / n, x = -1;
  for (double& edge : out) {
    edge = scale * (gamma == 0 ? x : gamma * std::pow(x, 5) + (1 - gamma) * x);
    x += step;
  }
  return out;
}

// unit length, unless nearly zero
void make_unit(double* v, int n) {
  double square = 0;
  for (int i = 0; i < n; i++) square += v[i] * v[i];
  if (square < eps) return;
  double length = std::sqrt(square);
  if (std::abs(length - 1) <= eps) return;
  for (int i = 0; i < n; i++) v[i] /= length;
}

void add(std::vector<float>& to, const Vec3d& v) {
  to.insert(to.end(), {float(v.x), float(v.y), float(v.z)});
}

}  // namespace

void make_wedge(std::array<int, 2> resolution, std::array<double, 2> fov, double gamma,
                Surface& out) {
  std::vector<double> x = bin_edges(resolution[0], gamma, fov[0] * pi / 180);
  std::vector<double> y = bin_edges(resolution[1], gamma, fov[1] * pi / 180);
  for (int i = 0; i < resolution[0]; i++) {
    for (int j = 0; j < resolution[1]; j++) {
      double a = 0.5 * (x[i + 1] + x[i]), e = 0.5 * (y[j + 1] + y[j]);
      double ca = std::cos(a), sa = std::sin(a), ce = std::cos(e), se = std::sin(e);
      add(out.vert, {ce * sa, se, -ce * ca});
      // three normals per vertex: outwards, and the two tangents
      Vec3d east{ce * ca, 0, ce * sa}, north{-se * sa, ce, se * ca};
      make_unit(&east.x, 3);
      make_unit(&north.x, 3);
      add(out.normal, cross(north, east));
      add(out.normal, east);
      add(out.normal, north);
    }
  }
}

void make_plate(std::array<int, 2> resolution, Surface& out) {
  const int nx = resolution[0], ny = resolution[1];
  double dx = 2. / nx, dy = 2. / ny;
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) {
      add(out.vert, {-1 + (i + 0.5) * dx, -1 + (j + 0.5) * dy, -1});
      out.normal.insert(out.normal.end(), {1, 0, 0, 0, 1, 0, 0, 0, 1});
    }
  }
  for (int i = 1; i < nx; i++) {
    for (int j = 1; j < ny; j++) {
      int a = (i - 1) * ny + j - 1, b = i * ny + j - 1;
      out.face.insert(out.face.end(), {a, b, a + 1, b + 1, a + 1, b});
    }
  }
}

namespace {

void grid_triangles(const GridShape& g, const std::vector<double>& point, std::vector<int>& out) {
  const int ny = g.count[1];
  for (int ix = 0; ix + 1 < g.count[0]; ix++) {
    for (int iy = 0; iy + 1 < ny; iy++) {
      int a = ix * ny + iy, b = a + ny, c = b + 1, d = a + 1;
      double x = point[3 * size_t(a)], y = point[3 * size_t(a) + 1];
      // in two quadrants of a disc the other diagonal points outwards
      bool other =
          g.kind == MeshBuiltin::disc && ((x < -eps && y > -eps) || (x > -eps && y < -eps));
      if (other) {
        out.insert(out.end(), {a, b, d, b, c, d});
      } else {
        out.insert(out.end(), {a, b, c, a, c, d});
      }
    }
  }
}

void grid_tetrahedra(const GridShape& g, std::vector<int>& out) {
  constexpr int tets[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7},
                              {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};
  const int nz = g.count[2], layer = g.count[1] * nz;
  for (int ix = 0; ix + 1 < g.count[0]; ix++) {
    for (int iy = 0; iy + 1 < g.count[1]; iy++) {
      for (int iz = 0; iz + 1 < nz; iz++) {
        int a = ix * layer + iy * nz + iz;
        int corner[8] = {a, a + layer, a + layer + nz, a + nz};
        for (int i = 0; i < 4; i++) corner[i + 4] = corner[i] + 1;
        for (const auto& tet : tets) {
          for (int i : tet) out.push_back(corner[i]);
        }
      }
    }
  }
}

// how far along an axis, from 0 to 1
float share(int i, int count) { return static_cast<float>(i) / std::max(count - 1, 1); }

// from the square onto the disc
void round_off(const double size[2], double* p) {
  double reach = std::max(std::abs(p[0]), std::abs(p[1]));
  make_unit(p, 2);
  p[0] *= size[0] * reach;
  p[1] *= size[1] * reach;
}

}  // namespace

void make_grid(const GridShape& g, GridMesh& out) {
  const auto& n = g.count;
  std::vector<double>& point = out.point;
  for (int ix = 0; ix < n[0]; ix++) {
    for (int iy = 0; iy < n[1]; iy++) {
      for (int iz = 0; iz < n[2]; iz++) {
        point.insert(point.end(), {g.spacing[0] * (ix - 0.5 * (n[0] - 1)),
                                   g.spacing[1] * (iy - 0.5 * (n[1] - 1)),
                                   g.dim == 2 ? 0 : g.spacing[2] * (iz - 0.5 * (n[2] - 1))});
        out.texcoord.insert(out.texcoord.end(), {share(ix, n[0]), share(iy, n[1])});
      }
    }
  }
  if (g.dim == 2) {
    grid_triangles(g, point, out.element);
  } else {
    grid_tetrahedra(g, out.element);
  }
  if (g.kind == MeshBuiltin::disc) {
    double size[2] = {0.5 * g.spacing[0] * (n[0] - 1), 0.5 * g.spacing[1] * (n[1] - 1)};
    for (size_t i = 0; i < point.size(); i += 3) round_off(size, &point[i]);
  }
}

namespace {

// points of a box's surface, numbered side by side, and its elements
class BoxMaker {
 public:
  BoxMaker(const GridShape& shape, GridMesh& out)
      : g_(shape), out_(out), open_(shape.dim == 2), solid_(shape.dim == 3) {
    if (solid_) out_.point.assign(3, 0);  // the middle, which all tetrahedra share
    if (solid_) out_.texcoord.assign(2, 0);
    index_.assign(size_t(g_.count[0]) * g_.count[1] * g_.count[2], -1);
  }

  void add_points() {
    const auto [nx, ny, nz] = g_.count;
    const int top = open_ ? nz : nz - 1;  // the open top's rim belongs to the sides
    for (int iz = 0; iz < nz; iz += nz - 1) {
      if (open_ && iz) continue;
      for (int ix = 0; ix < nx; ix++) {
        for (int iy = 0; iy < ny; iy++) add_point(ix, iy, iz, 0, 1);
      }
    }
    for (int iy = 0; iy < ny; iy += ny - 1) {
      for (int ix = 0; ix < nx; ix++) {
        for (int iz = 1; iz < top; iz++) add_point(ix, iy, iz, 0, 2);
      }
    }
    for (int ix = 0; ix < nx; ix += nx - 1) {
      for (int iy = 1; iy < ny - 1; iy++) {
        for (int iz = 1; iz < top; iz++) add_point(ix, iy, iz, 1, 2);
      }
    }
  }

  void add_elements() {
    const auto [nx, ny, nz] = g_.count;
    for (int iz = 0; iz < nz; iz += nz - 1) {
      if (open_ && iz) continue;
      for (int ix = 0; ix + 1 < nx; ix++) {
        for (int iy = 0; iy + 1 < ny; iy++) {
          add_quad(id(ix, iy, iz), id(ix + 1, iy, iz), id(ix + 1, iy + 1, iz), id(ix, iy + 1, iz),
                   true);
        }
      }
    }
    for (int iy = 0; iy < ny; iy += ny - 1) {
      for (int ix = 0; ix + 1 < nx; ix++) {
        for (int iz = 0; iz + 1 < nz; iz++) {
          int x0 = ix, x1 = ix + 1;
          if (open_ && iy) std::swap(x0, x1);
          add_quad(id(x0, iy, iz), id(x1, iy, iz), id(x1, iy, iz + 1), id(x0, iy, iz + 1), false);
        }
      }
    }
    for (int ix = 0; ix < nx; ix += nx - 1) {
      for (int iy = 0; iy + 1 < ny; iy++) {
        for (int iz = 0; iz + 1 < nz; iz++) {
          int y0 = iy, y1 = iy + 1;
          if (open_ && !ix) std::swap(y0, y1);
          add_quad(id(ix, y0, iz), id(ix, y1, iz), id(ix, y1, iz + 1), id(ix, y0, iz + 1), false);
        }
      }
    }
  }

 private:
  int& id(int ix, int iy, int iz) {
    return index_[(size_t(ix) * g_.count[1] + iy) * g_.count[2] + iz];
  }

  // a point of a side that spans the axes u and v
  void add_point(int ix, int iy, int iz, int u, int v) {
    const auto& n = g_.count;
    const int at[3] = {ix, iy, iz};
    out_.texcoord.insert(out_.texcoord.end(), {share(at[u], n[u]), share(at[v], n[v])});
    double p[3] = {2.0 * ix / (n[0] - 1) - 1, 2.0 * iy / (n[1] - 1) - 1, 2.0 * iz / (n[2] - 1) - 1};
    double size[3];
    for (int i = 0; i < 3; i++) size[i] = 0.5 * g_.spacing[i] * (n[i] - 1);
    if (g_.kind == MeshBuiltin::cylinder) {
      round_off(size, p);
      p[2] *= size[2];
    } else {
      if (g_.kind == MeshBuiltin::ellipsoid) make_unit(p, 3);
      for (int i = 0; i < 3; i++) p[i] *= size[i];
    }
    id(ix, iy, iz) = static_cast<int>(out_.point.size() / 3);
    out_.point.insert(out_.point.end(), p, p + 3);
  }

  // two triangles, outwards; or two tetrahedra with the middle
  void add_quad(int a, int b, int c, int d, bool bottom) {
    std::vector<int>& element = out_.element;
    if (solid_) {
      element.insert(element.end(), {0, a, b, c, 0, a, d, c});
    } else if (bottom) {
      element.insert(element.end(), {a, c, b, a, d, c});
    } else {
      element.insert(element.end(), {a, b, c, a, c, d});
    }
  }

  const GridShape& g_;
  GridMesh& out_;
  bool open_, solid_;
  std::vector<int> index_;
};

}  // namespace

void make_box(const GridShape& shape, GridMesh& out) {
  BoxMaker maker(shape, out);
  maker.add_points();
  if (shape.dim > 1) maker.add_elements();
}

}  // namespace lockstep::mesh
