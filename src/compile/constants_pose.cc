// constants_pose.cc: derived numbers at the reference pose qpos0.
#include <algorithm>
#include <cmath>
#include <vector>

#include "compile/constants_phases.h"
#include "step/engine.h"
#include "step/queries.h"

namespace lockstep {
namespace {

// cameras and lights as if they were fixed to their bodies: the tracking modes start from there
void set_cameras_and_lights(Model& m, Data& d) {
  std::vector<int> cam_mode(m.cam_mode, m.cam_mode + m.ncam);
  std::vector<int> light_mode(m.light_mode, m.light_mode + m.nlight);
  std::fill_n(m.cam_mode, m.ncam, code(CamLightMode::fixed));
  std::fill_n(m.light_mode, m.nlight, code(CamLightMode::fixed));
  run_stage(m, d, "cam_light");
  std::copy(cam_mode.begin(), cam_mode.end(), m.cam_mode);
  std::copy(light_mode.begin(), light_mode.end(), m.light_mode);
  const DataView<double> v = view(d);
  for (int cam = 0; cam < m.ncam; cam++) {
    const int body = m.cam_bodyid[cam], target = m.cam_targetbodyid[cam];
    const Vec3d at = v.cam_xpos[cam];
    store3(m.cam_pos0 + 3 * cam, at - v.xpos[body]);
    store3(m.cam_poscom0 + 3 * cam, at - v.subtree_com[target >= 0 ? target : body]);
    std::copy_n(d.cam_xmat + 9 * cam, 9, m.cam_mat0 + 9 * cam);
  }
  for (int light = 0; light < m.nlight; light++) {
    const int body = m.light_bodyid[light], target = m.light_targetbodyid[light];
    const Vec3d at = v.light_xpos[light];
    store3(m.light_pos0 + 3 * light, at - v.xpos[body]);
    store3(m.light_poscom0 + 3 * light, at - v.subtree_com[target >= 0 ? target : body]);
    std::copy_n(d.light_xdir + 3 * light, 3, m.light_dir0 + 3 * light);
  }
}

// a point of one body in the frame of another
Vec3d into_body(const DataView<double>& d, int from, const Vec3d& point, int into) {
  const Vec3d world = d.xmat[from] * point + d.xpos[from];
  return mul_transposed(d.xmat[into], world - d.xpos[into]);
}

// the anchor of a connect in its second body; the relative pose of a weld and the length of a
// distance that were given none
void set_equalities(Model& m, Data& d) {
  const DataView<double> v = view(d);
  for (int eq = 0; eq < m.neq; eq++) {
    const EqType type{m.eq_type[eq]};
    double* data = m.eq_data + mjNEQDATA * eq;
    if (type == EqType::distance && data[11] != 0) {
      data[0] = distance(v.geom_xpos[m.eq_obj1id[eq]], v.geom_xpos[m.eq_obj2id[eq]]);
    }
    if (type != EqType::connect && type != EqType::weld) continue;
    const int body1 = m.eq_obj1id[eq], body2 = m.eq_obj2id[eq];
    if (ObjType{m.eq_objtype[eq]} != ObjType::body) {
      if (type == EqType::connect) std::fill_n(data, mjNEQDATA, 0.0);
    } else if (type == EqType::connect) {
      store3(data + 3, into_body(v, body1, load3(data), body2));
    } else if (data[11] != 0) {
      store3(data + 3, into_body(v, body2, load3(data), body1));
      const Quatd relative = conj(v.xquat[body1]) * v.xquat[body2];
      for (int k = 0; k < 4; k++) data[6 + k] = relative[k];
    }
  }
}

bool turns(const Model& m, int dof) {
  const int joint = m.dof_jntid[dof];
  switch (JointType{m.jnt_type[joint]}) {
    case JointType::free: return dof - m.jnt_dofadr[joint] >= 3;
    case JointType::slide: return false;
    default: return true;
  }
}

void set_dof_lengths(Model& m, const Data& d) {
  const std::vector<double> size = body_sizes(m, d);
  for (int dof = 0; dof < m.nv; dof++) {
    m.dof_length[dof] = turns(m, dof) ? size[m.dof_bodyid[dof]] : 1;
  }
}

// diagonal of J M^-1 J', row by row
std::vector<double> inverse_weights(const Model& m, Data& d, const std::vector<double>& jacobian,
                                    int rows) {
  std::vector<double> weights(rows), x(m.nv);
  for (int row = 0; row < rows; row++) {
    const double* j = jacobian.data() + row * m.nv;
    std::copy_n(j, m.nv, x.begin());
    solve_m(m, d, x.data());
    for (int dof = 0; dof < m.nv; dof++) weights[row] += j[dof] * x[dof];
  }
  return weights;
}

double mean3(const double* p) { return (p[0] + p[1] + p[2]) / 3; }

double inverse_mass(const Model& m, int body) { return 1 / std::max(mjMINVAL, m.body_mass[body]); }

void set_body_weights(Model& m, Data& d) {
  std::vector<double> jacobian(6 * m.nv);
  for (int body = 0; body < m.nbody; body++) {
    double* weight = m.body_invweight0 + 2 * body;
    weight[0] = weight[1] = 0;
    if (m.body_weldid[body] == 0 || m.nv == 0) continue;
    if (only_translates(m, body)) {
      weight[0] = inverse_mass(m, body);
      continue;
    }
    jac(m, d, d.xipos + 3 * body, body, jacobian.data(), jacobian.data() + 3 * m.nv);
    const std::vector<double> a = inverse_weights(m, d, jacobian, 6);
    weight[0] = mean3(a.data());
    weight[1] = mean3(a.data() + 3);
  }
}

// dofs of one joint share the mean, those of free joints apart for moving and turning
void set_dof_weights(Model& m, Data& d) {
  std::vector<double> unit(m.nv);
  for (int dof = 0; dof < m.nv; dof++) {
    if (only_translates(m, m.dof_bodyid[dof])) {
      m.dof_invweight0[dof] = inverse_mass(m, m.dof_bodyid[dof]);
      continue;
    }
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[dof] = 1;
    m.dof_invweight0[dof] = inverse_weights(m, d, unit, 1)[0];
  }
  for (int joint = 0; joint < m.njnt; joint++) {
    const JointType type{m.jnt_type[joint]};
    if (type != JointType::free && type != JointType::ball) continue;
    for (int part = 0; part < (type == JointType::free ? 2 : 1); part++) {
      double* weight = m.dof_invweight0 + m.jnt_dofadr[joint] + 3 * part;
      std::fill_n(weight, 3, mean3(weight));
    }
  }
}

void set_tendon_weights(Model& m, Data& d) {
  std::vector<double> row(m.nv);
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    std::fill(row.begin(), row.end(), 0.0);
    for (int k = m.ten_J_rowadr[tendon]; k < m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon]; k++) {
      row[m.ten_J_colind[k]] = d.ten_J[k];
    }
    m.tendon_invweight0[tendon] = inverse_weights(m, d, row, 1)[0];
  }
}

void set_actuator_accelerations(Model& m, Data& d) {
  std::vector<double> x(m.nv);
  for (int out = 0; out < m.nout; out++) {
    std::fill(x.begin(), x.end(), 0.0);
    for (int k = d.moment_rowadr[out]; k < d.moment_rowadr[out] + d.moment_rownnz[out]; k++) {
      x[d.moment_colind[k]] = d.actuator_moment[k];
    }
    solve_m(m, d, x.data());
    double square = 0;
    for (double a : x) square += a * a;
    m.actuator_acc0[out] = std::sqrt(square);
  }
}

}  // namespace

namespace {

// points of a flex reach as far as the other ends of their edges, nodes as far as the bodies of all
// other nodes
void grow_by_flexes(const Model& m, const DataView<double>& d, std::vector<double>& size) {
  const auto grow = [&size](int body, double length) {
    if (body > 0) size[body] = std::max(size[body], length);
  };
  for (int flex = 0; flex < m.nflex; flex++) {
    const int edge = m.flex_edgeadr[flex];
    for (int e = edge; !m.flex_interp[flex] && e < edge + m.flex_edgenum[flex]; e++) {
      for (int k = 0; k < 2; k++) {
        const int vertex = m.flex_vertadr[flex] + m.flex_edge[2 * e + k];
        grow(m.flex_vertbodyid[vertex], m.flexedge_length0[e]);
      }
    }
    const int node = m.flex_nodeadr[flex], end = node + m.flex_nodenum[flex];
    for (int a = node; a < end; a++) {
      const int body = m.flex_nodebodyid[a];
      for (int b = node; b < end; b++) {
        grow(body, distance(d.xpos[body], d.xpos[m.flex_nodebodyid[b]]));
      }
    }
  }
}

}  // namespace

std::vector<double> body_sizes(const Model& m, const Data& d) {
  constexpr double min_size = 1e-5;  // m
  const DataView<double> v = view(const_cast<Data&>(d));
  std::vector<double> size(m.nbody);
  const auto grow = [&size](int body, double length) { size[body] = std::max(size[body], length); };
  for (int joint = 0; joint < m.njnt; joint++) {
    const int body = m.jnt_bodyid[joint], parent = m.body_parentid[body];
    grow(body, distance(v.xipos[body], v.xanchor[joint]));
    grow(parent, distance(v.xipos[parent], v.xanchor[joint]));
  }
  size[0] = 0;
  for (int geom = 0; geom < m.ngeom; geom++) {
    const int body = m.geom_bodyid[geom];
    if (body == 0 || !(m.geom_rbound[geom] > 0)) continue;
    grow(body, m.geom_rbound[geom] + distance(v.xipos[body], v.geom_xpos[geom]));
  }
  grow_by_flexes(m, v, size);
  for (int body = 1; body < m.nbody; body++) grow(body, min_size);
  return size;
}

void set_kinematics0(Model& m, Data& d) {
  reset(m, d);
  run_stage(m, d, "kinematics");
  run_stage(m, d, "com_pos");
  run_stage(m, d, "tendon");
  run_stage(m, d, "transmission");
  std::copy_n(d.ten_length, m.ntendon, m.tendon_length0);
  std::copy_n(d.actuator_length, m.nout, m.actuator_length0);
  set_cameras_and_lights(m, d);
  set_equalities(m, d);
  set_flex_lengths(m, d);
  set_dof_lengths(m, d);
}

void set_inertia0(Model& m, Data& d) {
  dof_inertias(m, d, m.dof_M0);
  run_stage(m, d, "crb");
  run_stage(m, d, "factor_m");
  set_body_weights(m, d);
  set_dof_weights(m, d);
  set_tendon_weights(m, d);
  set_flex_weights(m, d);
  set_flex_metric(m, d);
  set_actuator_accelerations(m, d);
}

}  // namespace lockstep
