#include "compile/flex/interpolation.h"

#include <algorithm>
#include <cmath>

#include "compile/flex/shape_functions.h"
#include "compile/flex/symmetric_modes.h"
#include "compile/flexcomp/cell_rule.h"
#include "compile/flexcomp/cells.h"
#include "compile/mesh/geometry.h"
#include "compile/pose.h"

namespace lockstep {
namespace {

using flexcomp::CellGrid;
using flexcomp::CellRule;
using mesh::point;

CellGrid grid_of(const FlexSpec& spec) {
  CellGrid grid;
  grid.cells = spec.cellcount;
  grid.order = spec.order;
  return grid;
}

// coordinates in the frame of the grid
Vec3d into_grid(const FlexData& flex, const Vec3d& p) {
  const auto& r = flex.grid_axes;
  return {r[0] * p.x + r[1] * p.y + r[2] * p.z, r[3] * p.x + r[4] * p.y + r[5] * p.z,
          r[6] * p.x + r[7] * p.y + r[8] * p.z};
}

std::vector<double> into_grid(const FlexData& flex, const std::vector<double>& world) {
  std::vector<double> out;
  out.reserve(world.size());
  for (size_t i = 0; i + 2 < world.size(); i += 3) {
    const Vec3d p = into_grid(flex, point(&world[i]));
    out.insert(out.end(), {p.x, p.y, p.z});
  }
  return out;
}

// the edges of the first cell that is not empty
std::string find_axes(const CellGrid& grid, const std::vector<double>& node, FlexData& flex) {
  int cell = 0;
  while (!flex.empty.empty() && cell + 1 < grid.ncell() && flex.empty[cell]) cell++;
  if (!flex.empty.empty() && flex.empty[cell]) cell = 0;
  const int i = cell / (grid.cells[1] * grid.cells[2]) * grid.order;
  const int j = cell / grid.cells[2] % grid.cells[1] * grid.order;
  const int k = cell % grid.cells[2] * grid.order;
  const Vec3d origin = point(node, grid.node_id(i, j, k));
  Vec3d axis[3] = {point(node, grid.node_id(i + grid.order, j, k)) - origin,
                   point(node, grid.node_id(i, j + grid.order, k)) - origin,
                   point(node, grid.node_id(i, j, k + grid.order)) - origin};
  for (int a = 0; a < 3; a++) {
    normalize_length(axis[a]);
    for (int c = 0; c < 3; c++) flex.grid_axes[3 * a + c] = axis[a][c];
  }
  for (int a = 0; a < 3; a++) {
    for (int b = a; b < 3; b++) {
      if (std::abs(dot(axis[a], axis[b]) - (a == b)) > 1e-8) {
        return "the nodes do not form a rectangular grid";
      }
    }
  }
  return "";
}

void bound(const std::vector<double>& node, CellGrid& grid) {
  grid.low.fill(1e30);
  grid.high.fill(-1e30);
  for (size_t i = 0; i < node.size(); i++) {
    grid.low[i % 3] = std::min(grid.low[i % 3], node[i]);
    grid.high[i % 3] = std::max(grid.high[i % 3], node[i]);
  }
}

// what the body fills of the cells
std::vector<CellRule> filled_cells(const FlexSpec& spec, const FlexData& flex) {
  CellGrid grid = grid_of(spec);
  bound(flex.nodepos, grid);
  return flexcomp::fill_cells(grid, into_grid(flex, flex.vertpos), flex.elem, flex.dim);
}

// a face of a cell on a side of the grid: sides x low, x high, y low, ...
struct Face {
  int side = 0, u = 0, v = 0;  // cells along the two axes of the side
  int axis() const { return side / 2; }
  int axis_u() const { return (axis() + 1) % 3; }
  int axis_v() const { return (axis() + 2) % 3; }
};

class Faces {
 public:
  explicit Faces(const CellGrid& grid) : grid_(grid) {
    for (int side = 0; side < 6; side++) {
      const Face face{side};
      start_[side] = count_;
      count_ += grid.cells[face.axis_u()] * grid.cells[face.axis_v()];
    }
  }
  int count() const { return count_; }
  int id(const Face& f) const { return start_[f.side] + f.u * grid_.cells[f.axis_v()] + f.v; }
  Face face(int id) const {
    int side = 5;
    while (start_[side] > id) side--;
    Face f{side};
    const int within = id - start_[side], row = grid_.cells[f.axis_v()];
    f.u = within / row;
    f.v = within % row;
    return f;
  }

  std::vector<int> nodes(const Face& f) const {
    std::vector<int> out;
    for (int a = 0; a <= grid_.order; a++) {
      for (int b = 0; b <= grid_.order; b++) {
        int at[3];
        at[f.axis()] = f.side % 2 ? grid_.cells[f.axis()] * grid_.order : 0;
        at[f.axis_u()] = f.u * grid_.order + a;
        at[f.axis_v()] = f.v * grid_.order + b;
        out.push_back(grid_.node_id(at[0], at[1], at[2]));
      }
    }
    return out;
  }

 private:
  const CellGrid& grid_;
  int start_[6] = {};
  int count_ = 0;
};

std::vector<int> cell_nodes(const CellGrid& grid, int cell) {
  const int ci = cell / (grid.cells[1] * grid.cells[2]);
  const int cj = cell / grid.cells[2] % grid.cells[1], ck = cell % grid.cells[2];
  std::vector<int> out;
  for (int i = 0; i <= grid.order; i++) {
    for (int j = 0; j <= grid.order; j++) {
      for (int k = 0; k <= grid.order; k++) {
        out.push_back(grid.node_id(ci * grid.order + i, cj * grid.order + j, ck * grid.order + k));
      }
    }
  }
  return out;
}

struct Lame {
  double mu = 0, la = 0;
};

// adds weight * (la div(u) div(v) + 2 mu sym(grad u) : sym(grad v)), negative, for displacements
// along the given axes
void add_stiffness(const std::vector<Vec3d>& gradient, const Lame& material, double weight,
                   const std::vector<int>& axes, std::vector<double>& out) {
  const size_t n = gradient.size(), width = 3 * n;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      const double product = dot(gradient[i], gradient[j]);
      for (int k : axes) {
        for (int l : axes) {
          const double shear = gradient[i][l] * gradient[j][k] + (k == l ? product : 0);
          out[width * (3 * i + k) + 3 * j + l] -=
              (material.la * gradient[i][k] * gradient[j][l] + material.mu * shear) * weight;
        }
      }
    }
  }
}

// slopes of the functions of all nodes of a cell, along its sides
std::vector<Vec3d> cell_gradients(int order, const Vec3d& size, const Vec3d& at) {
  std::vector<Vec3d> out;
  for (int i = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++) {
      for (int k = 0; k <= order; k++) {
        const double x = basis(order, i, at.x), y = basis(order, j, at.y),
                     z = basis(order, k, at.z);
        out.push_back({slope(order, i, at.x) * y * z / size.x,
                       x * slope(order, j, at.y) * z / size.y,
                       x * y * slope(order, k, at.z) / size.z});
      }
    }
  }
  return out;
}

// Of a cell, node 0 to last being opposite corners; `part` is what is filled, null: all of it.
std::vector<double> cell_stiffness(const std::vector<double>& node, const std::vector<int>& ids,
                                   int order, const Lame& material, const CellRule* part) {
  const Vec3d size = point(node, ids.back()) - point(node, ids.front());
  const double volume = size.x * size.y * size.z;
  std::vector<double> out(9 * ids.size() * ids.size(), 0.0);
  auto add = [&](const Vec3d& at, double weight) {
    add_stiffness(cell_gradients(order, size, at), material, weight * volume, {0, 1, 2}, out);
  };
  const Quadrature rule(order + 1);
  const double everywhere = part ? flexcomp::void_share : 1;
  for (int a = 0; a <= order; a++) {
    for (int b = 0; b <= order; b++) {
      for (int c = 0; c <= order; c++) {
        add({rule.point[a], rule.point[b], rule.point[c]},
            everywhere * rule.weight[a] * rule.weight[b] * rule.weight[c]);
      }
    }
  }
  if (!part) return out;
  const std::vector<double> at = flexcomp::rule_points(order);
  size_t id = 0;
  for (double x : at) {
    for (double y : at) {
      for (double z : at) add({x, y, z}, (1 - flexcomp::void_share) * part->weight[id++]);
    }
  }
  return out;
}

// of a membrane on a face
std::vector<double> face_stiffness(const std::vector<double>& node, const std::vector<int>& ids,
                                   const Face& face, int order, const Lame& material,
                                   double thickness) {
  const Vec3d size = point(node, ids.back()) - point(node, ids.front());
  const int u = face.axis_u(), v = face.axis_v();
  const Quadrature rule(order + 1);
  std::vector<double> out(9 * ids.size() * ids.size(), 0.0);
  for (int a = 0; a <= order; a++) {
    for (int b = 0; b <= order; b++) {
      const double s = rule.point[a], t = rule.point[b];
      std::vector<Vec3d> gradient;
      for (int i = 0; i <= order; i++) {
        for (int j = 0; j <= order; j++) {
          Vec3d g{0, 0, 0};
          g[u] = slope(order, i, s) * basis(order, j, t) / size[u];
          g[v] = basis(order, i, s) * slope(order, j, t) / size[v];
          gradient.push_back(g);
        }
      }
      const double weight = rule.weight[a] * rule.weight[b] * size[u] * size[v] * thickness;
      add_stiffness(gradient, material, weight, {u, v}, out);
    }
  }
  return out;
}

// The one mode of a face that a membrane does not resist: its corners alternately up and down.
// Plate theory gives its stiffness.
std::vector<double> warp_mode(const std::vector<double>& node, const std::vector<int>& ids,
                              const Face& face, int order, const FlexSpec& spec, double young,
                              double poisson) {
  std::vector<double> mode(3 * ids.size(), 0.0);
  double square = 0;
  for (int i = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++) {
      const double value = (1 - 2. * i / order) * (1 - 2. * j / order);
      mode[3 * (i * (order + 1) + j) + face.axis()] = value;
      square += value * value;
    }
  }
  const Vec3d size = point(node, ids.back()) - point(node, ids.front());
  const double area = std::abs(size[face.axis_u()] * size[face.axis_v()]);
  const double t = spec.thickness;
  const double rigidity = young * t * t * t / (12 * (1 - poisson * poisson));
  const double stiffness = rigidity * (1 - poisson) * 4 / area;
  for (double& x : mode) x *= std::sqrt(stiffness / square);
  return mode;
}

// number of modes, then the modes
void store_modes(const std::vector<double>& matrix, const std::vector<double>& extra, double* out) {
  const int n = static_cast<int>(std::sqrt(static_cast<double>(matrix.size())) + 0.5);
  std::vector<std::vector<double>> modes = scaled_modes(matrix, n);
  if (!extra.empty()) modes.push_back(extra);
  out[0] = static_cast<double>(modes.size());
  double* to = out + 1;
  for (const std::vector<double>& mode : modes) to = std::copy(mode.begin(), mode.end(), to);
}

// --- bending of shells: where faces meet

// the neighbor of a face across one of its edges, and the middle of that edge in both faces
struct Seam {
  Face other;
  double here[2], there[2];
};

Seam seam_of(const CellGrid& grid, const Face& f, bool along_v, bool upper) {
  Seam seam;
  seam.here[0] = along_v ? 0.5 : upper;
  seam.here[1] = along_v ? upper : 0.5;
  const int crossed = along_v ? f.axis_v() : f.axis_u();
  const int next = (along_v ? f.v : f.u) + (upper ? 1 : -1);
  if (next >= 0 && next < grid.cells[crossed]) {
    seam.other = f;
    (along_v ? seam.other.v : seam.other.u) = next;
    seam.there[0] = along_v ? 0.5 : !upper;
    seam.there[1] = along_v ? !upper : 0.5;
    return seam;
  }
  // round the corner
  seam.other.side = 2 * crossed + upper;
  const int run = along_v ? f.u : f.v, end = f.side % 2 ? grid.cells[f.axis()] - 1 : 0;
  seam.other.u = along_v ? end : run;
  seam.other.v = along_v ? run : end;
  seam.there[0] = along_v ? f.side % 2 : 0.5;
  seam.there[1] = along_v ? 0.5 : f.side % 2;
  return seam;
}

struct Tangents {
  Vec3d u{0, 0, 0}, v{0, 0, 0};
  Vec3d normal() const { return cross(u, v); }
};

Tangents tangents(const std::vector<double>& node, const std::vector<int>& ids, int order,
                  const double at[2]) {
  Tangents out;
  for (int i = 0, id = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++, id++) {
      const Vec3d p = point(node, ids[id]);
      out.u = out.u + slope(order, i, at[0]) * basis(order, j, at[1]) * p;
      out.v = out.v + basis(order, i, at[0]) * slope(order, j, at[1]) * p;
    }
  }
  return out;
}

void add_seam(const CellGrid& grid, const Faces& faces, const FlexData& flex, const Face& face,
              const Seam& seam, double rigidity, std::vector<double>& out) {
  const Tangents a = tangents(flex.nodepos, faces.nodes(face), grid.order, seam.here);
  const Tangents b = tangents(flex.nodepos, faces.nodes(seam.other), grid.order, seam.there);
  Vec3d n0 = a.normal(), n1 = b.normal();
  double record[10] = {};
  const double length0 = norm(n0), length1 = norm(n1);
  if (length0 >= 1e-12 && length1 >= 1e-12) {
    const Vec3d jump = mesh::divide(n0, length0) - mesh::divide(n1, length1);
    auto along = [](const Tangents& t, const double at[2]) {
      return norm(at[0] == 0.5 ? t.u : t.v);
    };
    auto across = [](const Tangents& t, const double at[2]) {
      return norm(at[0] == 0.5 ? t.v : t.u);
    };
    const double width = (across(a, seam.here) + across(b, seam.there)) / 2;
    const double length = (along(a, seam.here) + along(b, seam.there)) / 2;
    const double values[10] = {double(faces.id(face)),
                               double(faces.id(seam.other)),
                               seam.here[0],
                               seam.here[1],
                               seam.there[0],
                               seam.there[1],
                               rigidity * length / std::max(width, 1e-12),
                               jump.x,
                               jump.y,
                               jump.z};
    std::copy(values, values + 10, record);
  }
  out.insert(out.end(), record, record + 10);
}

void set_shell_bending(const FlexSpec& spec, const CellGrid& grid, FlexData& flex) {
  const Faces faces(grid);
  const double t = spec.thickness;
  const double rigidity = spec.young * t * t * t / (12 * (1 - spec.poisson * spec.poisson));
  std::vector<double> records;
  for (int id = 0; id < faces.count(); id++) {
    const Face face = faces.face(id);
    for (bool along_v : {false, true}) {
      for (bool upper : {false, true}) {
        const Seam seam = seam_of(grid, face, along_v, upper);
        if (id < faces.id(seam.other)) {
          add_seam(grid, faces, flex, face, seam, rigidity, records);
        }
      }
    }
  }
  flex.bending = {static_cast<double>(records.size() / 10)};
  flex.bending.insert(flex.bending.end(), records.begin(), records.end());
}

}  // namespace

std::string find_grid(const FlexSpec& spec, const std::vector<double>& node_world, FlexData& flex) {
  CellGrid grid = grid_of(spec);
  if (std::string error = find_axes(grid, node_world, flex); !error.empty()) return error;
  flex.nodepos = into_grid(flex, node_world);
  if (spec.elastic2d || grid.ncell() == 1) return "";
  bound(flex.nodepos, grid);
  if (flex.dim > 1) {
    flex.empty = flexcomp::empty_cells(grid, filled_cells(spec, flex));
  } else {
    flex.empty = flexcomp::empty_cells(grid, into_grid(flex, flex.vertpos), flex.elem);
  }
  if (std::string error = find_axes(grid, node_world, flex); !error.empty()) return error;
  flex.nodepos = into_grid(flex, node_world);
  return "";
}

void set_cell_elasticity(const FlexSpec& spec, bool strain_constraint, FlexData& flex) {
  const CellGrid grid = grid_of(spec);
  const bool shell = spec.elastic2d != 0;
  const bool bends = spec.elastic2d == 1 || spec.elastic2d == 3;
  if (spec.young > 0 && bends && spec.thickness > 0) set_shell_bending(spec, grid, flex);
  if (!strain_constraint && (!(spec.young > 0) || spec.elastic2d == 1)) return;
  // for constraints only the shape of modes counts
  const double young = strain_constraint ? 10 : spec.young;
  const double poisson = strain_constraint ? 0.3 : spec.poisson;
  Lame material{young / (2 * (1 + poisson)),
                shell ? young * poisson / (1 - poisson * poisson)
                      : young * poisson / (1 + poisson) / (1 - 2 * poisson)};
  const Faces faces(grid);
  const int elements = shell ? faces.count() : grid.ncell();
  const int nodes = shell ? (spec.order + 1) * (spec.order + 1)
                          : (spec.order + 1) * (spec.order + 1) * (spec.order + 1);
  const size_t stride = 9 * size_t(nodes) * nodes;
  flex.stiffness.assign(stride * elements, 0.0);
  std::vector<CellRule> filled;
  if (!shell && flex.dim > 1) filled = filled_cells(spec, flex);
  for (int e = 0; e < elements; e++) {
    if (!shell && !flex.empty.empty() && flex.empty[e]) continue;
    double* out = &flex.stiffness[stride * e];
    std::vector<double> matrix, warp;
    if (shell) {
      const Face face = faces.face(e);
      const std::vector<int> ids = faces.nodes(face);
      matrix = face_stiffness(flex.nodepos, ids, face, spec.order, material, spec.thickness);
      if (strain_constraint) {
        warp = warp_mode(flex.nodepos, ids, face, spec.order, spec, young, poisson);
      }
    } else {
      const bool partly = !filled.empty() && !filled[e].full();
      matrix = cell_stiffness(flex.nodepos, cell_nodes(grid, e), spec.order, material,
                              partly ? &filled[e] : nullptr);
    }
    if (strain_constraint) {
      store_modes(matrix, warp, out);
    } else {
      std::copy(matrix.begin(), matrix.end(), out);
    }
  }
}

void place_in_grid(const FlexSpec& spec, FlexData& flex) {
  CellGrid grid = grid_of(spec);
  bound(flex.nodepos, grid);
  for (int k = 0; k < 3; k++) flex.size[k] = (grid.high[k] - grid.low[k]) / 2;
  for (int v = 0; v < flex.nvert; v++) {
    const Vec3d p = into_grid(flex, point(flex.vertpos, v));
    int cell[3];
    for (int k = 0; k < 3; k++) {
      const double extent = grid.high[k] - grid.low[k];
      const double share = extent > mjMINVAL ? (p[k] - grid.low[k]) / extent : 0.5;
      flex.vert0.push_back(share);
      cell[k] = std::clamp(static_cast<int>(share * grid.cells[k]), 0, grid.cells[k] - 1);
    }
    flex.vertcell.push_back(grid.cell_id(cell[0], cell[1], cell[2]));
  }
}

}  // namespace lockstep
