#include "model/model_check.h"

#include <algorithm>
#include <unordered_map>

#include "model/model_check_parts.h"

namespace lockstep {
namespace {

// every value of `field` is in [least, count)
struct IdRule {
  const char* field;
  int* Model::* values;
  int64_t Model::* count;
  int least;
};

// adr[i] .. adr[i] + num[i] lies within `count`, where num[i] > 0
struct RangeRule {
  const char* field;
  int* Model::* adr;
  int* Model::* num;
  int64_t Model::* count;
};

#define ID(values, count, least) {#values, &Model::values, &Model::count, least}
#define RANGE(adr, num, count) {#adr, &Model::adr, &Model::num, &Model::count}

// clang-format off
constexpr IdRule id_rules[] = {
    ID(body_parentid, nbody, 0), ID(body_rootid, nbody, 0), ID(body_weldid, nbody, 0), ID(body_mocapid, nmocap, -1),
    ID(body_treeid, ntree, -1), ID(body_plugin, nplugin, -1), ID(bvh_child, nbvh, -1), ID(oct_child, noct, -1),
    ID(jnt_qposadr, nq, 0), ID(jnt_dofadr, nv, 0), ID(jnt_bodyid, nbody, 0), ID(jnt_actuatorid, nactuator, -2),
    ID(jnt_plasticadr, nplastic, -1), ID(dof_bodyid, nbody, 0), ID(dof_jntid, njnt, 0), ID(dof_parentid, nv, -1),
    ID(dof_treeid, ntree, 0), ID(dof_Madr, nM, 0), ID(geom_bodyid, nbody, 0), ID(geom_matid, nmat, -1),
    ID(geom_plugin, nplugin, -1), ID(site_bodyid, nbody, 0), ID(site_matid, nmat, -1), ID(cam_bodyid, nbody, 0),
    ID(cam_targetbodyid, nbody, -1), ID(light_bodyid, nbody, 0), ID(light_targetbodyid, nbody, -1),
    ID(light_texid, ntex, -1), ID(flex_matid, nmat, -1), ID(flex_nodebodyid, nbody, -1), ID(flex_vertbodyid, nbody, -1),
    ID(efm0_dofid, nv, -1), ID(efm0_L_colind, nefm0dof, 0), ID(efmC_perm, nv, -1), ID(flexedge_J_colind, nv, 0),
    ID(mesh_graphadr, nmeshgraph, -1), ID(mesh_pathadr, npaths, -1), ID(skin_matid, nmat, -1),
    ID(skin_bonebodyid, nbody, 0), ID(skin_pathadr, npaths, -1), ID(hfield_pathadr, npaths, -1),
    ID(tex_pathadr, npaths, -1), ID(tex_contenttypeadr, npaths, -1), ID(mat_texid, ntex, -1), ID(pair_geom1, ngeom, 0),
    ID(pair_geom2, ngeom, 0), ID(tendon_matid, nmat, -1), ID(tendon_actuatorid, nactuator, -2),
    ID(tendon_plasticadr, nplastic, -1), ID(tendon_treeid, ntree, -1), ID(ten_J_colind, nv, 0),
    ID(actuator_plugin, nplugin, -1), ID(actuator_historyadr, nhistory, -1), ID(sensor_historyadr, nhistory, -1),
    ID(sensor_plugin, nplugin, -1), ID(plugin_attradr, npluginattr, -1), ID(B_colind, nv, 0), ID(M_colind, nv, 0),
    ID(mapM2M, nM, -1), ID(D_diag, nv, 0), ID(D_colind, nv, 0), ID(mapM2D, nC, -1), ID(mapD2M, nD, -1),
};

constexpr RangeRule range_rules[] = {
    RANGE(body_jntadr, body_jntnum, njnt), RANGE(body_dofadr, body_dofnum, nv), RANGE(body_geomadr, body_geomnum, ngeom),
    RANGE(body_bvhadr, body_bvhnum, nbvh), RANGE(tree_bodyadr, tree_bodynum, nbody), RANGE(tree_dofadr, tree_dofnum, nv),
    RANGE(flex_nodeadr, flex_nodenum, nflexnode), RANGE(flex_vertadr, flex_vertnum, nflexvert),
    RANGE(flex_edgeadr, flex_edgenum, nflexedge), RANGE(flex_elemadr, flex_elemnum, nflexelem),
    RANGE(flex_bvhadr, flex_bvhnum, nbvh), RANGE(efm0_L_rowadr, efm0_L_rownnz, nefm0L),
    RANGE(flexedge_J_rowadr, flexedge_J_rownnz, nJfe), RANGE(mesh_vertadr, mesh_vertnum, nmeshvert),
    RANGE(mesh_faceadr, mesh_facenum, nmeshface), RANGE(mesh_bvhadr, mesh_bvhnum, nbvh),
    RANGE(mesh_octadr, mesh_octnum, noct), RANGE(mesh_normaladr, mesh_normalnum, nmeshnormal),
    RANGE(mesh_texcoordadr, mesh_texcoordnum, nmeshtexcoord), RANGE(mesh_polyadr, mesh_polynum, nmeshpoly),
    RANGE(mesh_polyvertadr, mesh_polyvertnum, nmeshpolyvert), RANGE(mesh_polymapadr, mesh_polymapnum, nmeshpolymap),
    RANGE(skin_vertadr, skin_vertnum, nskinvert), RANGE(skin_faceadr, skin_facenum, nskinface),
    RANGE(skin_boneadr, skin_bonenum, nskinbone), RANGE(skin_bonevertadr, skin_bonevertnum, nskinbonevert),
    RANGE(tendon_adr, tendon_num, nwrap), RANGE(ten_J_rowadr, ten_J_rownnz, nJten),
    RANGE(actuator_ctrladr, actuator_ctrlnum, nu), RANGE(actuator_outadr, actuator_outnum, nout),
    RANGE(actuator_actadr, actuator_actnum, na), RANGE(sensor_adr, sensor_dim, nsensordata),
    RANGE(plugin_stateadr, plugin_statenum, npluginstate), RANGE(numeric_adr, numeric_size, nnumericdata),
    RANGE(text_adr, text_size, ntextdata), RANGE(tuple_adr, tuple_size, ntupledata), RANGE(B_rowadr, B_rownnz, nB),
    RANGE(M_rowadr, M_rownnz, nC), RANGE(D_rowadr, D_rownnz, nD),
};
// clang-format on

std::string bad(const char* field, int64_t index) {
  return std::string(field) + " is out of range at " + std::to_string(index);
}

// numbers in each array, by name
using CellCounts = std::unordered_map<std::string_view, int64_t>;

CellCounts count_cells(const Model& m) {
  CellCounts cells;
  for (const FieldInfo& field : m.fields()) cells.emplace(field.name, field.size());
  return cells;
}

std::string check_ids(const Model& m, const CellCounts& cells) {
  for (const IdRule& rule : id_rules) {
    const int* values = m.*rule.values;
    for (int64_t i = 0, n = cells.at(rule.field); i < n; i++) {
      if (values[i] < rule.least || values[i] >= m.*rule.count) return bad(rule.field, i);
    }
  }
  return "";
}

std::string check_ranges(const Model& m, const CellCounts& cells) {
  for (const RangeRule& rule : range_rules) {
    const int *adr = m.*rule.adr, *num = m.*rule.num;
    for (int64_t i = 0, n = cells.at(rule.field); i < n; i++) {
      if (num[i] < 0) return bad(rule.field, i);
      if (num[i] > 0 && (adr[i] < 0 || int64_t{adr[i]} + num[i] > m.*rule.count))
        return bad(rule.field, i);
    }
  }
  return "";
}

// texts end with a zero, and names start within them
std::string check_texts(const Model& m) {
  if (!m.nnames || m.names[m.nnames - 1]) return "names has no end";
  if (m.npaths && m.paths[m.npaths - 1]) return "paths has no end";
  if (m.npluginattr && m.plugin_attr[m.npluginattr - 1]) return "plugin_attr has no end";
  for (int kind = 0; kind < mjNOBJECT; kind++) {
    NameTable table = names_of(m, static_cast<ObjType>(kind));
    for (int64_t i = 0; i < table.count; i++) {
      if (table.adr[i] < 0 || table.adr[i] >= m.nnames) return bad("name address", i);
    }
  }
  return "";
}

// numbers of coordinates per joint, from the type
std::string check_joints(const Model& m) {
  for (int joint = 0; joint < m.njnt; joint++) {
    int type = m.jnt_type[joint];
    if (type < 0 || type > code(JointType::hinge)) return bad("jnt_type", joint);
    int nq = type == code(JointType::free) ? 7 : type == code(JointType::ball) ? 4 : 1;
    int nv = type == code(JointType::free) ? 6 : type == code(JointType::ball) ? 3 : 1;
    if (int64_t{m.jnt_qposadr[joint]} + nq > m.nq) return bad("jnt_qposadr", joint);
    if (int64_t{m.jnt_dofadr[joint]} + nv > m.nv) return bad("jnt_dofadr", joint);
  }
  return "";
}

// parents come before their children, so that loops over the tree end
std::string check_tree(const Model& m) {
  if (m.nbody < 1) return "there is no world body";
  for (int body = 1; body < m.nbody; body++) {
    if (m.body_parentid[body] >= body) return bad("body_parentid", body);
  }
  for (int dof = 0; dof < m.nv; dof++) {
    if (m.dof_parentid[dof] >= dof) return bad("dof_parentid", dof);
  }
  return "";
}

// numbers of rows that contacts can have before cones are made of them
bool is_condim(int dim) { return dim == 1 || dim == 3 || dim == 4 || dim == 6; }

std::string check_geoms(const Model& m) {
  for (int geom = 0; geom < m.ngeom; geom++) {
    int type = m.geom_type[geom], data = m.geom_dataid[geom];
    if (type < 0 || type >= mjNGEOMTYPES) return bad("geom_type", geom);
    bool meshlike = type == code(GeomType::mesh) || type == code(GeomType::sdf);
    int64_t count = type == code(GeomType::hfield) ? m.nhfield
                    : meshlike                     ? m.nmesh
                                                   : std::max(m.nmesh, m.nhfield);
    bool needed = type == code(GeomType::hfield) || type == code(GeomType::mesh);
    if (data < (needed ? 0 : -1) || data >= std::max<int64_t>(count, needed ? 0 : 1))
      return bad("geom_dataid", geom);
    if (!is_condim(m.geom_condim[geom])) return bad("geom_condim", geom);
  }
  for (int site = 0; site < m.nsite; site++) {
    const int type = m.site_type[site], data = m.site_dataid[site];
    if (type < 0 || type >= mjNGEOMTYPES) return bad("site_type", site);
    const bool mesh = type == code(GeomType::mesh);
    if (data < (mesh ? 0 : -1) || (data >= 0 && data >= m.nmesh)) return bad("site_dataid", site);
  }
  for (int pair = 0; pair < m.npair; pair++) {
    if (!is_condim(m.pair_dim[pair])) return bad("pair_dim", pair);
  }
  return "";
}

int64_t count_of(const Model& m, int kind) {
  if (kind == code(ObjType::dof)) return m.nv;
  return names_of(m, static_cast<ObjType>(kind)).count;
}

// what a tendon's path, an actuator, a sensor, an equality and a tuple refer to
std::string check_wraps(const Model& m) {
  for (int wrap = 0; wrap < m.nwrap; wrap++) {
    int id = m.wrap_objid[wrap];
    auto type = static_cast<WrapType>(m.wrap_type[wrap]);
    int64_t count = -1;
    if (type == WrapType::joint) count = m.njnt;
    if (type == WrapType::site) count = m.nsite;
    if (type == WrapType::sphere || type == WrapType::cylinder) count = m.ngeom;
    if (count >= 0 && (id < 0 || id >= count)) return bad("wrap_objid", wrap);
  }
  return "";
}

// a path starts and ends at sites, and goes from site to site around each geom
std::string check_paths(const Model& m) {
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    if (m.tendon_num[tendon] < 1) return bad("tendon_num", tendon);
    const int first = m.tendon_adr[tendon], end = first + m.tendon_num[tendon];
    const bool fixed = m.tendon_type[tendon] == code(TendonType::fixed);
    const auto is = [&](int i, WrapType type) { return m.wrap_type[i] == code(type); };
    for (int i = first; i < end; i++) {
      const bool geom = is(i, WrapType::sphere) || is(i, WrapType::cylinder);
      const bool site = is(i, WrapType::site), inside = i > first && i < end - 1;
      bool good = fixed ? is(i, WrapType::joint) : site || (inside && is(i, WrapType::pulley));
      if (!fixed && geom) {
        const double side = m.wrap_prm[i];
        good = inside && is(i - 1, WrapType::site) && is(i + 1, WrapType::site) && side >= -1 &&
               side < static_cast<double>(m.nsite);
      }
      if (!good) return bad("wrap_type", i);
    }
  }
  return "";
}

std::string check_objects(const Model& m) {
  auto fails = [&](int kind, int id) {
    return id < -1 || (id >= 0 && kind > 0 && id >= count_of(m, kind));
  };
  for (int sensor = 0; sensor < m.nsensor; sensor++) {
    if (fails(m.sensor_objtype[sensor], m.sensor_objid[sensor])) return bad("sensor_objid", sensor);
    if (fails(m.sensor_reftype[sensor], m.sensor_refid[sensor])) return bad("sensor_refid", sensor);
  }
  for (int i = 0; i < m.ntupledata; i++) {
    if (fails(m.tuple_objtype[i], m.tuple_objid[i])) return bad("tuple_objid", i);
  }
  for (int eq = 0; eq < m.neq; eq++) {
    if (m.eq_type[eq] < 0 || m.eq_type[eq] > code(EqType::distance)) return bad("eq_type", eq);
    int64_t count = 0;
    switch (static_cast<EqType>(m.eq_type[eq])) {
      case EqType::connect:
      case EqType::weld: count = count_of(m, m.eq_objtype[eq]); break;
      case EqType::joint: count = m.njnt; break;
      case EqType::tendon: count = m.ntendon; break;
      case EqType::distance:
        count = m.ngeom;
        if (m.eq_obj2id[eq] < 0) return bad("eq_obj2id", eq);
        break;
      default: count = m.nflex;
    }
    if (m.eq_obj1id[eq] < 0 || m.eq_obj1id[eq] >= count) return bad("eq_obj1id", eq);
    if (m.eq_obj2id[eq] < -1 || m.eq_obj2id[eq] >= std::max<int64_t>(count, 1))
      return bad("eq_obj2id", eq);
  }
  return "";
}

// rows of M end at the diagonal, and a column's own row reaches as far: elimination stays inside.
// rows of the full pattern are sorted, with the diagonal where D_diag says
std::string check_patterns(const Model& m) {
  for (int dof = 0; dof < m.nv; dof++) {
    const int64_t adr = m.M_rowadr[dof], count = m.M_rownnz[dof];
    if (adr < 0 || count < 1 || adr + count > m.nC) return bad("M_rowadr", dof);
    for (int64_t k = 0; k < count; k++) {
      const int column = m.M_colind[adr + k];
      const bool last = k == count - 1;
      if (column > dof || last != (column == dof) || m.M_rownnz[column] < k + 1)
        return bad("M_colind", adr + k);
    }
    const int64_t row = m.D_rowadr[dof], full = m.D_rownnz[dof], diagonal = m.D_diag[dof];
    if (row < 0 || full < 1 || row + full > m.nD || diagonal < 0 || diagonal >= full)
      return bad("D_rowadr", dof);
    if (m.D_colind[row + diagonal] != dof) return bad("D_diag", dof);
    for (int64_t k = 1; k < full; k++) {
      if (m.D_colind[row + k] <= m.D_colind[row + k - 1]) return bad("D_colind", row + k);
    }
  }
  return "";
}

// numbers that yield, and past values, fit into the state
std::string check_states(const Model& m) {
  for (int joint = 0; joint < m.njnt; joint++) {
    const int64_t adr = m.jnt_plasticadr[joint];
    const int count = m.jnt_type[joint] == code(JointType::ball) ? 4 : 1;
    if (adr >= 0 && adr + count > m.nplastic) return bad("jnt_plasticadr", joint);
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const int64_t adr = m.tendon_plasticadr[tendon];
    if (adr >= 0 && adr + 2 > m.nplastic) return bad("tendon_plasticadr", tendon);
  }
  // a ring of `samples` times and rows of `dim` numbers behind two numbers of its own
  const auto fits = [&m](int64_t adr, int64_t samples, int64_t dim) {
    if (samples <= 0) return true;
    return adr >= 0 && dim > 0 && samples <= m.nhistory && dim <= m.nhistory &&
           adr + 2 + samples * (1 + dim) <= m.nhistory;
  };
  for (int i = 0; i < m.nactuator; i++) {
    if (!fits(m.actuator_historyadr[i], m.actuator_history[2 * i], m.actuator_ctrlnum[i]))
      return bad("actuator_history", i);
  }
  for (int i = 0; i < m.nsensor; i++) {
    if (!fits(m.sensor_historyadr[i], m.sensor_history[2 * i], m.sensor_dim[i]))
      return bad("sensor_history", i);
  }
  return "";
}

// an actuator has as many outputs as its transmission, and controls where it reads them
std::string check_outputs(const Model& m) {
  for (int i = 0; i < m.nactuator; i++) {
    const int outputs = m.actuator_trntype[i] == code(TrnType::so3) ? 3 : 1;
    if (m.actuator_outnum[i] != outputs) return bad("actuator_outnum", i);
    if (m.actuator_gaintype[i] == code(GainType::so3) && m.actuator_ctrlnum[i] < 3)
      return bad("actuator_ctrlnum", i);
  }
  return "";
}

// meshes point into their own vertices; fields of heights and pixels are as large as they say
std::string check_assets(const Model& m) {
  for (int mesh = 0; mesh < m.nmesh; mesh++) {
    for (int64_t k = 3 * int64_t{m.mesh_faceadr[mesh]}, n = k + 3 * int64_t{m.mesh_facenum[mesh]};
         k < n; k++) {
      if (m.mesh_face[k] < 0 || m.mesh_face[k] >= m.mesh_vertnum[mesh]) return bad("mesh_face", k);
    }
  }
  for (int field = 0; field < m.nhfield; field++) {
    int64_t rows = m.hfield_nrow[field], cols = m.hfield_ncol[field], adr = m.hfield_adr[field];
    if (rows < 0 || cols < 0 || adr < 0 || adr + rows * cols > m.nhfielddata)
      return bad("hfield_adr", field);
  }
  for (int tex = 0; tex < m.ntex; tex++) {
    int64_t height = m.tex_height[tex], width = m.tex_width[tex], depth = m.tex_nchannel[tex],
            adr = m.tex_adr[tex];
    if (adr < 0) continue;  // not embedded
    if (height < 0 || width < 0 || depth < 0 || depth > 4 || adr > m.ntexdata ||
        height * width > (m.ntexdata - adr) / std::max<int64_t>(depth, 1)) {
      return bad("tex_adr", tex);
    }
  }
  return "";
}

}  // namespace

std::string check_model(const Model& m) {
  CellCounts cells = count_cells(m);
  std::string wrong = check_ids(m, cells);
  if (wrong.empty()) wrong = check_ranges(m, cells);
  for (auto* check :
       {check_texts, check_tree, check_joints, check_geoms, check_wraps, check_paths, check_objects,
        check_assets, check_patterns, check_states, check_outputs, check_sensors, check_moments,
        check_flex_tables, check_hulls, check_volumes}) {
    if (wrong.empty()) wrong = check(m);
  }
  return wrong;
}

}  // namespace lockstep
