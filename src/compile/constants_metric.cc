// constants_metric.cc: what flexes add to the effective inertia of every step: the factor of their
// bending, and the order for factors of all their stiffness.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "compile/constants_phases.h"
#include "compile/flex/metric.h"
#include "step/engine.h"

namespace lockstep {
namespace {

constexpr size_t max_ordered = 8192;  // MuJoCo orders no more points

PointBody point_body(const Model& m, int body) {
  PointBody out;
  out.parent_fixed = m.body_weldid[m.body_parentid[body]] == 0;
  out.ndof = m.body_dofnum[body];
  for (int k = 0; k < m.body_jntnum[body]; k++) {
    const int joint = m.body_jntadr[body] + k;
    out.type.push_back(JointType{m.jnt_type[joint]});
    out.axis.push_back(load3(m.jnt_axis + 3 * joint));
  }
  return out;
}

int moving_body(const Model& m, int flex, int vertex) {
  return m.body_weldid[m.flex_vertbodyid[m.flex_vertadr[flex] + vertex]];
}

bool is_loose(const Model& m, int flex) { return !m.flex_interp[flex] && !m.flex_rigid[flex]; }

bool has_stiffness(const Model& m, int flex) {
  const int adr = m.flex_stiffnessadr[flex];
  return adr >= 0 && m.flex_stiffness[adr] != 0;
}

bool bends_plainly(const Model& m, int flex) {
  if (!is_loose(m, flex) || m.flex_dim[flex] != 2 || m.flex_bendingadr[flex] < 0) return false;
  for (int vertex = 0; vertex < m.flex_vertnum[flex]; vertex++) {
    const int body = moving_body(m, flex, vertex);
    if (body && !is_plain_point(point_body(m, body))) return false;
  }
  return true;
}

// bodies that take part, and their numbers
class Points {
 public:
  void add(int body) { number_[body] = 0; }
  void finish() {
    for (auto& [body, number] : number_) {
      number = static_cast<int>(bodies.size());
      bodies.push_back(body);
    }
  }
  int operator[](int body) const {
    const auto found = number_.find(body);
    return found == number_.end() ? -1 : found->second;
  }
  int count() const { return static_cast<int>(bodies.size()); }

  std::vector<int> bodies;  // ascending

 private:
  std::map<int, int> number_;
};

// the two triangles at an edge: its ends, then the opposite corners; all -1 if there is only one
Stencil flap_stencil(const Model& m, const Points& points, int flex, int edge) {
  Stencil stencil{-1, -1, -1, -1};
  const int *ends = m.flex_edge + 2 * edge, *flap = m.flex_edgeflap + 2 * edge;
  if (flap[1] < 0) return stencil;
  const int vertex[4] = {ends[0], ends[1], flap[0], flap[1]};
  for (int k = 0; k < 4; k++) stencil[k] = points[moving_body(m, flex, vertex[k])];
  return stencil;
}

template <class F>
void for_each_edge(const Model& m, int flex, F&& f) {
  const int first = m.flex_edgeadr[flex];
  for (int edge = first; edge < first + m.flex_edgenum[flex]; edge++) f(edge);
}

// --- the factor of M + (h^2 + h damping) K of bending

// rows of a lower triangle, the diagonal last
class Triangle {
 public:
  explicit Triangle(const std::vector<std::vector<int>>& rows) : columns(rows) {
    for (const auto& row : rows) values.emplace_back(row.size());
  }

  double& at(int row, int column) {
    const auto& c = columns[row];
    return values[row][std::lower_bound(c.begin(), c.end(), column) - c.begin()];
  }

  // in place, from the last row up; false if the matrix is not positive definite
  bool factor() {
    for (int row = static_cast<int>(columns.size()) - 1; row >= 0; row--) {
      std::vector<double>& v = values[row];
      if (!(v.back() > mjMINVAL)) return false;
      const double scale = 1 / (v.back() = std::sqrt(v.back()));
      for (size_t i = 0; i + 1 < v.size(); i++) v[i] *= scale;
      for (size_t i = 0; i + 1 < v.size(); i++) {
        for (size_t j = 0; j <= i; j++) at(columns[row][i], columns[row][j]) -= v[i] * v[j];
      }
    }
    return true;
  }

  const std::vector<std::vector<int>>& columns;
  std::vector<std::vector<double>> values;
};

// frames of the bodies differ: q R_a' R_b
void add_block(const DataView<double>& d, const Points& points, int a, int b, double q,
               Triangle& h) {
  if (a == b) {
    for (int k = 0; k < 3; k++) h.at(3 * a + k, 3 * a + k) += q;
    return;
  }
  const Mat3d between = transpose(d.xmat[points.bodies[a]]) * d.xmat[points.bodies[b]];
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++) h.at(3 * a + k, 3 * b + l) += q * between(k, l);
  }
}

void add_bending(const Model& m, const DataView<double>& d, const Points& points, int flex,
                 Triangle& h) {
  const bool spring = !(m.opt.disableflags & code(DisableBit::spring));
  const bool damper = !(m.opt.disableflags & code(DisableBit::damper));
  const double step = m.opt.timestep;
  const double scale = spring * step * step + damper * step * m.flex_damping[flex];
  for_each_edge(m, flex, [&](int edge) {
    const Stencil s = flap_stencil(m, points, flex, edge);
    const double* q = m.flex_bending + m.flex_bendingadr[flex] + 17 * (edge - m.flex_edgeadr[flex]);
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        if (s[j] < 0 || s[i] < s[j]) continue;
        add_block(d, points, s[i], s[j], scale * q[4 * i + j], h);
      }
    }
  });
}

void store_factor(Model& m, const Points& points, const Triangle& h) {
  int adr = 0;
  for (int row = 0; row < 3 * points.count(); row++) {
    m.efm0_dofid[row] = m.body_dofadr[points.bodies[row / 3]] + row % 3;
    m.efm0_L_rowadr[row] = adr;
    m.efm0_L_rownnz[row] = static_cast<int>(h.columns[row].size());
    std::copy(h.columns[row].begin(), h.columns[row].end(), m.efm0_L_colind + adr);
    std::copy(h.values[row].begin(), h.values[row].end(), m.efm0_L + adr);
    adr += m.efm0_L_rownnz[row];
  }
}

void set_bending_factor(Model& m, const DataView<double>& d) {
  if (m.nefm0dof == 0) return;
  Points points;
  for (int flex = 0; flex < m.nflex; flex++) {
    if (!bends_plainly(m, flex)) continue;
    for (int vertex = 0; vertex < m.flex_vertnum[flex]; vertex++) {
      const int body = moving_body(m, flex, vertex);
      if (body) points.add(body);
    }
  }
  points.finish();
  std::vector<Stencil> stencils;
  for (int flex = 0; flex < m.nflex; flex++) {
    if (!bends_plainly(m, flex)) continue;
    for_each_edge(m, flex,
                  [&](int edge) { stencils.push_back(flap_stencil(m, points, flex, edge)); });
  }
  const std::vector<std::vector<int>> rows = factor_rows(points.count(), stencils);
  int64_t size = 0;
  for (const auto& row : rows) size += static_cast<int64_t>(row.size());
  if (static_cast<int64_t>(rows.size()) != m.nefm0dof || size != m.nefm0L) return;  // another model
  Triangle mass(rows);
  for (size_t row = 0; row < rows.size(); row++) {
    mass.values[row].back() = m.dof_M0[m.body_dofadr[points.bodies[row / 3]] + row % 3];
  }
  Triangle h = mass;
  for (int flex = 0; flex < m.nflex; flex++) {
    if (bends_plainly(m, flex)) add_bending(m, d, points, flex, h);
  }
  if (h.factor()) {
    store_factor(m, points, h);
  } else {
    mass.factor();
    store_factor(m, points, mass);
  }
}

// --- the order

// bodies of vertices that couple, -1: none
Stencil bodies_of(const Model& m, int flex, const std::array<double, 4>& vertices) {
  Stencil out{-1, -1, -1, -1};
  for (int k = 0; k < 4; k++) {
    const double vertex = vertices[k];
    if (!(vertex >= 0 && vertex < m.flex_vertnum[flex])) continue;
    const int body = moving_body(m, flex, static_cast<int>(vertex));
    if (is_point(point_body(m, body))) out[k] = body;
  }
  return out;
}

// vertices of a rod's hinges
void add_hinges(const Model& m, int flex, std::vector<Stencil>& out) {
  constexpr int record_size = 10;
  const double* bending = m.flex_bending + m.flex_bendingadr[flex];
  const double room =
      static_cast<double>(m.nflexbending - m.flex_bendingadr[flex] - 1) / record_size;
  for (int hinge = 0; hinge < static_cast<int>(std::min(bending[0], room)); hinge++) {
    const double* vertex = bending + 1 + record_size * hinge;
    out.push_back(bodies_of(m, flex, {vertex[0], vertex[1], vertex[2], vertex[3]}));
  }
}

// ends of edges that are held, corners of triangles that bend
void add_edges(const Model& m, int flex, std::vector<Stencil>& out) {
  const bool held = has_stiffness(m, flex) || m.flex_edgeequality[flex] == 1;
  for_each_edge(m, flex, [&](int edge) {
    const double a = m.flex_edge[2 * edge], b = m.flex_edge[2 * edge + 1];
    const double left = m.flex_edgeflap[2 * edge], right = m.flex_edgeflap[2 * edge + 1];
    if (held) out.push_back(bodies_of(m, flex, {a, b, -1, -1}));
    if (m.flex_bendingadr[flex] >= 0 && right >= 0) {
      out.push_back(bodies_of(m, flex, {a, b, left, right}));
    }
  });
}

void set_order(Model& m) {
  std::fill_n(m.efmC_perm, m.nefmCvert, -1);
  std::vector<Stencil> stencils;
  for (int flex = 0; flex < m.nflex; flex++) {
    // these are solved otherwise, together with all others
    if (m.flex_interp[flex] && has_stiffness(m, flex) && !m.flex_edgeequality[flex]) return;
    if (!is_loose(m, flex)) continue;
    if (m.flex_dim[flex] > 1) {
      add_edges(m, flex, stencils);
    } else if (m.flex_bendingadr[flex] >= 0) {
      add_hinges(m, flex, stencils);
    }
  }
  Points points;
  for (const Stencil& stencil : stencils) {
    for (int body : stencil) {
      if (body > 0) points.add(body);
    }
  }
  points.finish();
  if (points.count() > std::min<int64_t>(m.nefmCvert, max_ordered)) return;
  for (Stencil& stencil : stencils) {
    for (int& body : stencil) body = points[body];
  }
  int place = points.count();
  for (int point : elimination_order(points.count(), stencils)) {
    m.efmC_perm[--place] = m.body_dofadr[points.bodies[point]];
  }
}

}  // namespace

void set_flex_metric(Model& m, Data& d) {
  if (m.nflex == 0) return;
  set_bending_factor(m, view(d));
  set_order(m);
}

}  // namespace lockstep
