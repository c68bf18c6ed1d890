#include "model/model_check_parts.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockstep {
namespace {

std::string bad(const char* field, int64_t index) {
  return std::string(field) + " is out of range at " + std::to_string(index);
}

// dofs that move a body, ascending
std::vector<int> dofs_of(const Model& m, int body) {
  while (body > 0 && m.body_dofnum[body] == 0) body = m.body_parentid[body];
  std::vector<int> dofs;
  if (body == 0) return dofs;
  for (int dof = m.body_dofadr[body] + m.body_dofnum[body] - 1; dof >= 0; dof = m.dof_parentid[dof])
    dofs.push_back(dof);
  std::reverse(dofs.begin(), dofs.end());
  return dofs;
}

int dof_count(int joint_type) {
  if (joint_type == code(JointType::free)) return 6;
  return joint_type == code(JointType::ball) ? 3 : 1;
}

// the most numbers that one output of an actuator writes; -1: it has no proper target
int64_t moment_size(const Model& m, int actuator) {
  const int id = m.actuator_trnid[2 * actuator], ref = m.actuator_trnid[2 * actuator + 1];
  const auto type = static_cast<TrnType>(m.actuator_trntype[actuator]);
  if (id < 0) return -1;
  const auto united = [&](int site0, int site1) {
    const std::vector<int> a = dofs_of(m, m.site_bodyid[site0]);
    const std::vector<int> b = dofs_of(m, m.site_bodyid[site1]);
    std::vector<int> both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  };
  const auto different = [&](int site0, int site1) {
    const std::vector<int> a = dofs_of(m, m.site_bodyid[site0]);
    const std::vector<int> b = dofs_of(m, m.site_bodyid[site1]);
    std::vector<int> apart;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                  std::back_inserter(apart));
    return static_cast<int64_t>(apart.size());
  };
  switch (type) {
    case TrnType::joint:
    case TrnType::jointinparent: return id < m.njnt ? dof_count(m.jnt_type[id]) : -1;
    case TrnType::tendon: return id < m.ntendon ? m.ten_J_rownnz[id] : -1;
    case TrnType::body: return id < m.nbody ? 0 : -1;
    case TrnType::slidercrank:
      if (id >= m.nsite || ref < 0 || ref >= m.nsite) return -1;
      return static_cast<int64_t>(united(id, ref).size());
    case TrnType::site:
      if (id >= m.nsite || ref >= m.nsite) return -1;
      return ref < 0 ? static_cast<int64_t>(dofs_of(m, m.site_bodyid[id]).size())
                     : different(id, ref);
    case TrnType::so3:
      if (ref >= m.nsite || (ref >= 0 && id >= m.nsite)) return -1;
      if (ref < 0) return id < m.njnt && m.jnt_type[id] == code(JointType::ball) ? 1 : -1;
      return different(id, ref);
    default: return -1;
  }
}

// hull of a mesh: counts, where each vertex's neighbors start, vertices of the mesh, neighbors with
// an end mark after each list, faces
std::string check_hull(const Model& m, int mesh) {
  const int64_t adr = m.mesh_graphadr[mesh];
  if (adr < 0) return "";
  if (adr + 2 > m.nmeshgraph) return bad("mesh_graph", adr);
  const int64_t nvert = m.mesh_graph[adr], nface = m.mesh_graph[adr + 1];
  const int64_t nedge = nvert + 3 * nface;
  if (nvert < 1 || nface < 0 || nvert > m.nmeshgraph || nface > m.nmeshgraph ||
      adr + 2 + 2 * nvert + nedge + 3 * nface > m.nmeshgraph) {
    return bad("mesh_graph", adr);
  }
  const int* start = m.mesh_graph + adr + 2;
  const int *vertex = start + nvert, *neighbor = vertex + nvert, *face = neighbor + nedge;
  const int64_t count = m.mesh_vertnum[mesh];
  const auto inside = [](const int* values, int64_t n, int64_t least, int64_t end) {
    return std::all_of(values, values + n, [&](int v) { return v >= least && v < end; });
  };
  const bool good = inside(start, nvert, 0, nedge) && inside(vertex, nvert, 0, count) &&
                    inside(neighbor, nedge, -1, nvert) && inside(face, 3 * nface, 0, count) &&
                    neighbor[nedge - 1] == -1 && inside(m.mesh_extrema + 27 * mesh, 27, 0, nvert);
  return good ? "" : bad("mesh_graph", adr);
}

std::string check_polygons(const Model& m, int mesh) {
  const int64_t first = m.mesh_polyadr[mesh], count = m.mesh_polynum[mesh];
  for (int64_t poly = first; poly < first + count; poly++) {
    const int* vert = m.mesh_polyvert + m.mesh_polyvertadr[poly];
    for (int k = 0; k < m.mesh_polyvertnum[poly]; k++) {
      if (vert[k] < 0 || vert[k] >= m.mesh_vertnum[mesh]) return bad("mesh_polyvert", poly);
    }
  }
  for (int64_t v = m.mesh_vertadr[mesh]; v < m.mesh_vertadr[mesh] + m.mesh_vertnum[mesh]; v++) {
    const int* map = m.mesh_polymap + m.mesh_polymapadr[v];
    for (int k = 0; k < m.mesh_polymapnum[v]; k++) {
      if (map[k] < 0 || map[k] >= count) return bad("mesh_polymap", v);
    }
  }
  return "";
}

// `count` numbers from `adr` on, each in [least, end)
bool all_inside(const int* table, int64_t size, int64_t adr, int64_t count, int64_t least,
                int64_t end) {
  if (count < 0 || (count > 0 && (adr < 0 || adr > size || count > size - adr))) return false;
  return std::all_of(table + adr, table + adr + count,
                     [&](int value) { return value >= least && value < end; });
}

std::string check_flex(const Model& m, int flex) {
  constexpr int element_edges[4] = {0, 1, 3, 6};
  const int dim = m.flex_dim[flex];
  if (dim < 1 || dim > 3) return bad("flex_dim", flex);
  const int64_t nvert = m.flex_vertnum[flex], nelem = m.flex_elemnum[flex];
  const int64_t nedge = m.flex_edgenum[flex];
  if (!all_inside(m.flex_elem, m.nflexelemdata, m.flex_elemdataadr[flex], nelem * (dim + 1), 0,
                  nvert)) {
    return bad("flex_elem", flex);
  }
  if (!all_inside(m.flex_elemedge, m.nflexelemedge, m.flex_elemedgeadr[flex],
                  nelem * element_edges[dim], 0, nedge)) {
    return bad("flex_elemedge", flex);
  }
  if (!all_inside(m.flex_shell, m.nflexshelldata, m.flex_shelldataadr[flex],
                  int64_t{m.flex_shellnum[flex]} * dim, 0, nvert)) {
    return bad("flex_shell", flex);
  }
  const int64_t edge = 2 * int64_t{m.flex_edgeadr[flex]};
  if (!all_inside(m.flex_edge, 2 * m.nflexedge, edge, 2 * nedge, 0, nvert)) {
    return bad("flex_edge", flex);
  }
  if (!all_inside(m.flex_edgeflap, 2 * m.nflexedge, edge, 2 * nedge, -1, nvert)) {
    return bad("flex_edgeflap", flex);
  }
  const bool follows = m.flex_interp[flex] != 0;  // its vertices have nodes instead of bodies
  if (!follows &&
      !all_inside(m.flex_vertbodyid, m.nflexvert, m.flex_vertadr[flex], nvert, 0, m.nbody)) {
    return bad("flex_vertbodyid", flex);
  }
  return "";
}

}  // namespace

std::string check_moments(const Model& m) {
  int64_t total = 0;
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    const int64_t size = moment_size(m, actuator);
    if (size < 0) return bad("actuator_trnid", 2 * actuator);
    total += size * m.actuator_outnum[actuator];
  }
  return total <= m.nJmom ? "" : "nJmom is too small";
}

std::string check_flex_tables(const Model& m) {
  for (int flex = 0; flex < m.nflex; flex++) {
    if (std::string wrong = check_flex(m, flex); !wrong.empty()) return wrong;
  }
  return "";
}

std::string check_hulls(const Model& m) {
  for (int mesh = 0; mesh < m.nmesh; mesh++) {
    std::string wrong = check_hull(m, mesh);
    if (wrong.empty()) wrong = check_polygons(m, mesh);
    if (!wrong.empty()) return wrong;
  }
  for (int field = 0; field < m.nhfield; field++) {
    if (m.hfield_nrow[field] < 2 || m.hfield_ncol[field] < 2) return bad("hfield_nrow", field);
  }
  return "";
}

std::string check_volumes(const Model& m) {
  // the nodes of one hierarchy; leaves name one of `leaves` things behind `first`
  const auto fails = [&m](int64_t adr, int64_t num, int64_t first, int64_t leaves) {
    for (int64_t i = 0; i < num; i++) {
      const int id = m.bvh_nodeid[adr + i];
      if (id >= 0 && (id < first || id >= first + leaves)) return true;
      for (int k = 0; k < 2; k++) {
        const int child = m.bvh_child[2 * (adr + i) + k];
        if (id < 0 && (child <= i || child >= num)) return true;
      }
    }
    return false;
  };
  for (int body = 0; body < m.nbody; body++) {
    if (fails(m.body_bvhadr[body], m.body_bvhnum[body], m.body_geomadr[body],
              m.body_geomnum[body])) {
      return bad("body_bvhadr", body);
    }
  }
  for (int mesh = 0; mesh < m.nmesh; mesh++) {
    if (fails(m.mesh_bvhadr[mesh], m.mesh_bvhnum[mesh], 0, m.mesh_facenum[mesh]))
      return bad("mesh_bvhadr", mesh);
  }
  for (int flex = 0; flex < m.nflex; flex++) {
    if (fails(m.flex_bvhadr[flex], m.flex_bvhnum[flex], 0, m.flex_elemnum[flex]))
      return bad("flex_bvhadr", flex);
  }
  // cells have eight children behind them, counted from the root, or none
  for (int mesh = 0; mesh < m.nmesh; mesh++) {
    const int64_t first = m.mesh_octadr[mesh], count = m.mesh_octnum[mesh];
    for (int64_t cell = 0; cell < count; cell++) {
      const int* child = m.oct_child + 8 * (first + cell);
      const int64_t least = child[0] < 0 ? -1 : cell + 1, end = child[0] < 0 ? 0 : count;
      for (int k = 0; k < 8; k++) {
        if (child[k] < least || child[k] >= end) return bad("oct_child", 8 * (first + cell) + k);
      }
    }
  }
  return "";
}

}  // namespace lockstep
