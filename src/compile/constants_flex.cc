// constants_flex.cc: numbers of flexes that follow from other numbers of the Model.
#include <algorithm>
#include <vector>

#include "compile/constants_phases.h"
#include "step/engine.h"
#include "step/queries.h"

namespace lockstep {
namespace {

// bodies at the ends of an edge
struct Ends {
  int vertex[2], body[2];
};

Ends ends_of(const Model& m, int flex, int edge) {
  Ends ends;
  for (int k = 0; k < 2; k++) {
    ends.vertex[k] = m.flex_vertadr[flex] + m.flex_edge[2 * edge + k];
    ends.body[k] = m.flex_vertbodyid[ends.vertex[k]];
  }
  return ends;
}

// a force or a constraint acts along the edges
bool uses_edges(const Model& m, int flex) {
  return !m.flex_rigid[flex] && !m.flex_interp[flex] &&
         (m.flex_edgeequality[flex] == 1 || m.flex_edgestiffness[flex] != 0 ||
          m.flex_edgedamping[flex] != 0 || m.flex_damping[flex] != 0);
}

void mark_dofs(const Model& m, int body, std::vector<int>& dofs) {
  for (; body > 0; body = m.body_parentid[body]) {
    for (int k = 0; k < m.body_dofnum[body]; k++) dofs.push_back(m.body_dofadr[body] + k);
  }
}

Vec3d vertex_position(const Model& m, const DataView<double>& d, int vertex) {
  const int body = m.flex_vertbodyid[vertex];
  return d.xpos[body] + d.xmat[body] * load3(m.flex_vert + 3 * vertex);
}

template <class F>
void for_each_edge(const Model& m, F&& f) {
  for (int flex = 0; flex < m.nflex; flex++) {
    const int first = m.flex_edgeadr[flex];
    for (int edge = first; edge < first + m.flex_edgenum[flex]; edge++) f(flex, edge);
  }
}

// squared rate of an edge's length per unit of force along it
double edge_weight(const Model& m, Data& d, int edge, const Ends& ends) {
  const DataView<double> v = view(d);
  Vec3d at[2] = {vertex_position(m, v, ends.vertex[0]), vertex_position(m, v, ends.vertex[1])};
  const Vec3d direction = normalize(at[1] - at[0]);
  std::vector<double> jacobian[2], row(m.nv), x;
  for (int k = 0; k < 2; k++) {
    jacobian[k].resize(3 * m.nv);
    double point[3];
    store3(point, at[k]);
    jac(m, d, point, ends.body[k], jacobian[k].data(), nullptr);
  }
  for (int i = m.flexedge_J_rowadr[edge]; i < m.flexedge_J_rowadr[edge] + m.flexedge_J_rownnz[edge];
       i++) {
    const int dof = m.flexedge_J_colind[i];
    for (int k = 0; k < 3; k++) {
      row[dof] += direction[k] * (jacobian[1][k * m.nv + dof] - jacobian[0][k * m.nv + dof]);
    }
  }
  x = row;
  solve_m(m, d, x.data());
  double weight = 0;
  for (int dof = 0; dof < m.nv; dof++) weight += row[dof] * x[dof];
  return weight;
}

}  // namespace

bool set_flex_patterns(Model& m) {
  std::fill_n(m.flexedge_J_rownnz, m.nflexedge, 0);
  std::fill_n(m.flexedge_J_colind, m.nJfe, 0);
  int adr = 0;
  bool fits = true;
  for_each_edge(m, [&](int flex, int edge) {
    m.flexedge_J_rowadr[edge] = adr;  // also of empty rows
    if (!uses_edges(m, flex) || !fits) return;
    const Ends ends = ends_of(m, flex, edge);
    std::vector<int> dofs;
    mark_dofs(m, ends.body[0], dofs);
    mark_dofs(m, ends.body[1], dofs);
    std::sort(dofs.begin(), dofs.end());
    dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
    fits = adr + static_cast<int64_t>(dofs.size()) <= m.nJfe;
    if (!fits) return;
    m.flexedge_J_rownnz[edge] = static_cast<int>(dofs.size());
    std::copy(dofs.begin(), dofs.end(), m.flexedge_J_colind + adr);
    adr += static_cast<int>(dofs.size());
  });
  return fits;
}

void set_flex_lengths(Model& m, Data& d) {
  const DataView<double> v = view(d);
  std::fill_n(m.flexedge_length0, m.nflexedge, 0.0);
  for_each_edge(m, [&](int flex, int edge) {
    if (m.flex_interp[flex]) return;
    const Ends ends = ends_of(m, flex, edge);
    m.flexedge_length0[edge] =
        distance(vertex_position(m, v, ends.vertex[0]), vertex_position(m, v, ends.vertex[1]));
  });
}

void set_flex_weights(Model& m, Data& d) {
  std::fill_n(m.flexedge_invweight0, m.nflexedge, 0.0);
  for_each_edge(m, [&](int flex, int edge) {
    if (m.flex_interp[flex]) return;
    const Ends ends = ends_of(m, flex, edge);
    const auto [a, b] = ends.body;
    if (m.body_simple[a] == 2 && m.body_simple[b] == 2) {
      // masses that only translate: the mean of both
      m.flexedge_invweight0[edge] = (m.body_invweight0[2 * a] + m.body_invweight0[2 * b]) / 2;
    } else if (m.flexedge_J_rownnz[edge] && !m.flexedge_rigid[edge]) {
      m.flexedge_invweight0[edge] = edge_weight(m, d, edge, ends);
    }
  });
}

}  // namespace lockstep
