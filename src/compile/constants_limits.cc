#include "compile/constants_limits.h"

#include <algorithm>
#include <cmath>

#include "math/quat.h"
#include "step/engine.h"

namespace lockstep {
namespace {

// what the parameters solref and solimp mean at a distance from the limit: Computation, "Solver
// parameters"
struct Softness {
  double impedance, stiffness, damping;
};

double impedance(const double solimp[mjNIMP], double distance) {
  constexpr double min_impedance = 0.0001, max_impedance = 0.9999;
  const double low = std::clamp(solimp[0], min_impedance, max_impedance);
  const double high = std::clamp(solimp[1], min_impedance, max_impedance);
  const double width = std::max(mjMINVAL, solimp[2]);
  const double middle = std::clamp(solimp[3], min_impedance, max_impedance);
  const double power = std::max(1.0, solimp[4]);
  if (low == high || solimp[2] <= mjMINVAL) return (low + high) / 2;
  const double x = std::min(std::abs(distance) / width, 1.0);
  double y = x;
  if (x == 0 || x == 1) {
    y = x;
  } else if (power != 1) {
    y = x <= middle ? std::pow(x, power) / std::pow(middle, power - 1)
                    : 1 - std::pow(1 - x, power) / std::pow(1 - middle, power - 1);
  }
  return low + y * (high - low);
}

Softness softness(const Model& m, const double solref[mjNREF], const double solimp[mjNIMP],
                  double distance) {
  constexpr double min_impedance = 0.0001, max_impedance = 0.9999;
  const double top = std::clamp(solimp[1], min_impedance, max_impedance);
  Softness s;
  s.impedance = impedance(solimp, distance);
  if (solref[0] > 0) {
    const bool safe = !(m.opt.disableflags & code(DisableBit::refsafe));
    const double time = safe ? std::max(solref[0], 2 * m.opt.timestep) : solref[0];
    s.stiffness = 1 / std::max(mjMINVAL, top * top * time * time * solref[1] * solref[1]);
    s.damping = 2 / std::max(mjMINVAL, top * time);
  } else {
    s.stiffness = -solref[0] / std::max(mjMINVAL, top * top);
    s.damping = -solref[1] / std::max(mjMINVAL, top);
  }
  return s;
}

struct RowBuilder {
  const Model& m;
  const Data& d;
  std::vector<LimitRow> rows;

  // `distance` from the margin; `weight` approximates J M^-1 J'
  void add(std::vector<double> jac, double distance, double weight, const double* solref,
           const double* solimp, bool one_sided) {
    add(std::move(jac), distance, softness(m, solref, solimp, distance), weight, one_sided);
  }

  void add(std::vector<double> jac, double distance, const Softness& s, double weight,
           bool one_sided) {
    double velocity = 0;
    for (int dof = 0; dof < m.nv; dof++) velocity += jac[dof] * d.qvel[dof];
    const double aref = -s.damping * velocity - s.stiffness * s.impedance * distance;
    const double r = std::max(mjMINVAL, (1 - s.impedance) / s.impedance * weight);
    rows.push_back({std::move(jac), aref, r, one_sided});
  }

  void joint_limit(int joint) {
    const JointType type{m.jnt_type[joint]};
    const int dof = m.jnt_dofadr[joint];
    const double* q = d.qpos + m.jnt_qposadr[joint];
    const double *range = m.jnt_range + 2 * joint, margin = m.jnt_margin[joint];
    const auto put = [&](std::vector<double> jac, double distance) {
      if (distance >= margin) return;
      add(std::move(jac), distance - margin, m.dof_invweight0[dof], m.jnt_solref + mjNREF * joint,
          m.jnt_solimp + mjNIMP * joint, true);
    };
    std::vector<double> jac(m.nv);
    if (type == JointType::ball) {
      const Normalized3<double> turn =
          normalize_with_norm(quat_to_vel(normalize(Quatd{q[0], q[1], q[2], q[3]}), 1.0));
      for (int k = 0; k < 3; k++) jac[dof + k] = -turn.vec[k];
      put(jac, std::max(range[0], range[1]) - turn.norm);
      return;
    }
    if (type == JointType::free) return;
    jac[dof] = 1;
    put(jac, q[0] - range[0]);
    jac[dof] = -1;
    put(jac, range[1] - q[0]);
  }

  std::vector<double> tendon_jac(int tendon, double scale) const {
    std::vector<double> jac(m.nv);
    for (int k = m.ten_J_rowadr[tendon]; k < m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon]; k++) {
      jac[m.ten_J_colind[k]] = scale * d.ten_J[k];
    }
    return jac;
  }

  void tendon_limit(int tendon) {
    const double *range = m.tendon_range + 2 * tendon, margin = m.tendon_margin[tendon];
    for (int side = 0; side < 2; side++) {
      const double sign = side == 0 ? 1 : -1;
      const double distance = sign * (d.ten_length[tendon] - range[side]);
      if (distance >= margin) continue;
      add(tendon_jac(tendon, sign), distance - margin, m.tendon_invweight0[tendon],
          m.tendon_solref_lim + mjNREF * tendon, m.tendon_solimp_lim + mjNIMP * tendon, true);
    }
  }

  // how the dofs move a point that is fixed in a body, and turn it
  struct Motion {
    std::vector<Vec3d> linear, angular;  // nv
  };
  Motion motion(int body, const Vec3d& point) const {
    const Vec3d zero{0, 0, 0};
    Motion result{std::vector<Vec3d>(m.nv, zero), std::vector<Vec3d>(m.nv, zero)};
    const Vec3d offset = point - load3(d.subtree_com + 3 * m.body_rootid[body]);
    while (body > 0 && m.body_dofnum[body] == 0) body = m.body_parentid[body];
    int dof = body > 0 ? m.body_dofadr[body] + m.body_dofnum[body] - 1 : -1;
    for (; dof >= 0; dof = m.dof_parentid[dof]) {
      result.angular[dof] = load3(d.cdof + 6 * dof);
      result.linear[dof] = load3(d.cdof + 6 * dof + 3) + cross(result.angular[dof], offset);
    }
    return result;
  }

  // one of the two ends of a connect or weld
  struct End {
    int body;
    Vec3d pos;
    Quatd quat;
  };
  End end_of(int eq, int id, const double* anchor) const {
    const auto quat = [](const double* q) { return Quatd{q[0], q[1], q[2], q[3]}; };
    if (ObjType{m.eq_objtype[eq]} == ObjType::site) {
      const int body = m.site_bodyid[id];
      return {body, load3(d.site_xpos + 3 * id),
              quat(d.xquat + 4 * body) * quat(m.site_quat + 4 * id)};
    }
    const Quatd turn = quat(d.xquat + 4 * id);
    return {id, load3(d.xpos + 3 * id) + rotate(turn, load3(anchor)), turn};
  }

  // two points kept together; in a weld also two orientations. Without the acceleration that comes
  // from the velocity: the search ends at rest.
  void joined(int eq, bool weld) {
    const double* data = m.eq_data + mjNEQDATA * eq;
    const End a = end_of(eq, m.eq_obj1id[eq], weld ? data + 3 : data);
    const End b = end_of(eq, m.eq_obj2id[eq], weld ? data : data + 3);
    const Motion ma = motion(a.body, a.pos), mb = motion(b.body, b.pos);
    const int count = weld ? 6 : 3;
    const double scale = data[10];  // of torques
    double residual[6];
    std::vector<double> jac[6];
    for (auto& row : jac) row.resize(m.nv);
    for (int k = 0; k < 3; k++) {
      residual[k] = a.pos[k] - b.pos[k];
      for (int dof = 0; dof < m.nv; dof++) jac[k][dof] = ma.linear[dof][k] - mb.linear[dof][k];
    }
    if (weld) {
      const bool sites = ObjType{m.eq_objtype[eq]} == ObjType::site;
      const Quatd goal = sites ? a.quat : a.quat * Quatd{data[6], data[7], data[8], data[9]};
      const Quatd back = conj(b.quat), error = back * goal;
      for (int k = 0; k < 3; k++) residual[3 + k] = scale * error[1 + k];
      for (int dof = 0; dof < m.nv; dof++) {
        const Vec3d axis = ma.angular[dof] - mb.angular[dof];
        const Quatd change = back * Quatd{0, axis.x, axis.y, axis.z} * goal;
        for (int k = 0; k < 3; k++) jac[3 + k][dof] = 0.5 * scale * change[1 + k];
      }
    }
    double square = 0;
    for (int k = 0; k < count; k++) square += residual[k] * residual[k];
    const Softness s =
        softness(m, m.eq_solref + mjNREF * eq, m.eq_solimp + mjNIMP * eq, std::sqrt(square));
    for (int k = 0; k < count; k++) {
      const int kind = k < 3 ? 0 : 1;  // translation, rotation
      const double weight =
          m.body_invweight0[2 * a.body + kind] + m.body_invweight0[2 * b.body + kind];
      add(std::move(jac[k]), residual[k], s, weight, false);
    }
  }

  // one coordinate, or one as a polynomial of another, both measured from qpos0
  void coupling(int eq, bool tendons) {
    const int id1 = m.eq_obj1id[eq], id2 = m.eq_obj2id[eq];
    const double* poly = m.eq_data + mjNEQDATA * eq;
    const auto offset = [&](int id) {
      if (tendons) return d.ten_length[id] - m.tendon_length0[id];
      return d.qpos[m.jnt_qposadr[id]] - m.qpos0[m.jnt_qposadr[id]];
    };
    const auto weight = [&](int id) {
      return tendons ? m.tendon_invweight0[id] : m.dof_invweight0[m.jnt_dofadr[id]];
    };
    const auto add_jac = [&](std::vector<double>& jac, int id, double scale) {
      if (!tendons) {
        jac[m.jnt_dofadr[id]] += scale;
        return;
      }
      const std::vector<double> other = tendon_jac(id, scale);
      for (int dof = 0; dof < m.nv; dof++) jac[dof] += other[dof];
    };
    std::vector<double> jac(m.nv);
    add_jac(jac, id1, 1);
    double position = offset(id1) - poly[0], total = weight(id1);
    if (id2 >= 0) {
      const double x = offset(id2);
      position -= x * (poly[1] + x * (poly[2] + x * (poly[3] + x * poly[4])));
      add_jac(jac, id2, -(poly[1] + x * (2 * poly[2] + x * (3 * poly[3] + x * 4 * poly[4]))));
      total += weight(id2);
    }
    add(std::move(jac), position, total, m.eq_solref + mjNREF * eq, m.eq_solimp + mjNIMP * eq,
        false);
  }
};

// solves a x = b for symmetric positive definite a, in place; n numbers per row
void solve_dense(std::vector<double>& a, std::vector<double>& b, int n) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < k; i++) {
      double sum = a[k * n + i];
      for (int j = 0; j < i; j++) sum -= a[k * n + j] * a[i * n + j];
      a[k * n + i] = sum / a[i * n + i];
    }
    double sum = a[k * n + k];
    for (int j = 0; j < k; j++) sum -= a[k * n + j] * a[k * n + j];
    a[k * n + k] = std::sqrt(std::max(sum, mjMINVAL));
  }
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < k; j++) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= a[j * n + k] * b[j];
    b[k] /= a[k * n + k];
  }
}

// force f with a f - b = w,  and for one-sided rows f >= 0, w >= 0, f w = 0. The matrix is positive
// definite, so that exchanging the first wrong row only (Murty) always ends; usually all wrong ones
// can go at once.
std::vector<double> solve_complementarity(const std::vector<double>& a,
                                          const std::vector<double>& b,
                                          const std::vector<LimitRow>& rows) {
  const int n = static_cast<int>(rows.size());
  std::vector<bool> active(n, true);
  std::vector<double> force(n);
  const int quick_rounds = 20, max_rounds = 20 + 50 * n;
  for (int round = 0; round < max_rounds; round++) {
    std::vector<int> set;
    for (int i = 0; i < n; i++) {
      if (active[i]) set.push_back(i);
    }
    const int size = static_cast<int>(set.size());
    std::vector<double> part(size * size), x(size);
    for (int i = 0; i < size; i++) {
      x[i] = b[set[i]];
      for (int j = 0; j < size; j++) part[i * size + j] = a[set[i] * n + set[j]];
    }
    solve_dense(part, x, size);
    std::fill(force.begin(), force.end(), 0.0);
    for (int i = 0; i < size; i++) force[set[i]] = x[i];
    bool wrong = false;
    for (int i = 0; i < n; i++) {
      if (!rows[i].one_sided) continue;
      double slack = -b[i];
      for (int j = 0; j < n; j++) slack += a[i * n + j] * force[j];
      if (active[i] ? force[i] >= 0 : slack >= 0) continue;
      active[i] = !active[i];
      wrong = true;
      if (round >= quick_rounds) break;
    }
    if (!wrong) break;
  }
  return force;
}

}  // namespace

std::vector<LimitRow> limit_rows(const Model& m, const Data& d) {
  RowBuilder builder{m, d, {}};
  for (int eq = 0; eq < m.neq; eq++) {
    const EqType type{m.eq_type[eq]};
    if (!d.eq_active[eq]) continue;
    if (type == EqType::joint || type == EqType::tendon) {
      builder.coupling(eq, type == EqType::tendon);
    } else if (type == EqType::connect || type == EqType::weld) {
      builder.joined(eq, type == EqType::weld);
    }
  }
  for (int joint = 0; joint < m.njnt; joint++) {
    if (m.jnt_limited[joint]) builder.joint_limit(joint);
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    if (m.tendon_limited[tendon]) builder.tendon_limit(tendon);
  }
  return std::move(builder.rows);
}

void solve_limits(const Model& m, Data& d, const std::vector<LimitRow>& rows) {
  const int n = static_cast<int>(rows.size());
  std::copy_n(d.qacc_smooth, m.nv, d.qacc);
  if (n == 0) return;
  const auto product = [&m](const double* x, const double* y) {
    double sum = 0;
    for (int dof = 0; dof < m.nv; dof++) sum += x[dof] * y[dof];
    return sum;
  };
  std::vector<std::vector<double>> response(n);
  std::vector<double> a(n * n), b(n);
  for (int i = 0; i < n; i++) {
    response[i] = rows[i].jac;
    solve_m(m, d, response[i].data());
    b[i] = rows[i].aref - product(rows[i].jac.data(), d.qacc_smooth);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) a[i * n + j] = product(rows[i].jac.data(), response[j].data());
    a[i * n + i] += rows[i].r;
  }
  const std::vector<double> force = solve_complementarity(a, b, rows);
  for (int i = 0; i < n; i++) {
    for (int dof = 0; dof < m.nv; dof++) d.qacc[dof] += force[i] * response[i][dof];
  }
}

void integrate(const Model& m, Data& d, double timestep) {
  for (int dof = 0; dof < m.nv; dof++) d.qvel[dof] += timestep * d.qacc[dof];
  for (int joint = 0; joint < m.njnt; joint++) {
    double* q = d.qpos + m.jnt_qposadr[joint];
    const double* v = d.qvel + m.jnt_dofadr[joint];
    const JointType type{m.jnt_type[joint]};
    if (type == JointType::free) {
      for (int k = 0; k < 3; k++) q[k] += timestep * v[k];
      q += 3;
      v += 3;
    }
    if (type == JointType::hinge || type == JointType::slide) {
      q[0] += timestep * v[0];
      continue;
    }
    const Quatd turned = integrate(Quatd{q[0], q[1], q[2], q[3]}, load3(v), timestep);
    for (int k = 0; k < 4; k++) q[k] = turned[k];
  }
  d.time[0] += timestep;
}

}  // namespace lockstep
