#include "compile/constants.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compile/constants_phases.h"
#include "step/engine.h"

namespace lockstep {
namespace {

// a Data with poses, inertia and lengths; constants depend on no contact
Data data_at(const Model& m, const double* qpos) {
  Data d = make_data(m);
  std::copy_n(qpos, m.nq, d.qpos);
  for (const char* stage : {"kinematics", "com_pos", "tendon", "crb", "factor_m", "transmission"}) {
    run_stage(m, d, stage);
  }
  return d;
}

int dof_count(JointType type) {
  return type == JointType::free ? 6 : type == JointType::ball ? 3 : 1;
}

// inertia felt by an actuator: 1 / (J M^-1 J'), the mean over its outputs inverted; 0 where it
// moves nothing
double reflected_inertia(const Model& m, Data& d, int actuator) {
  const int first = m.actuator_outadr[actuator], count = m.actuator_outnum[actuator];
  double weight = 0;
  for (int out = first; out < first + count; out++) {
    std::vector<double> row(m.nv);
    for (int k = d.moment_rowadr[out]; k < d.moment_rowadr[out] + d.moment_rownnz[out]; k++) {
      row[d.moment_colind[k]] = d.actuator_moment[k];
    }
    std::vector<double> x = row;
    solve_m(m, d, x.data());
    for (int dof = 0; dof < m.nv; dof++) weight += row[dof] * x[dof];
  }
  return weight > mjMINVAL ? count / weight : 0;
}

// radius that stands for a geom in the extent of the model; planes, which have none, count little
double extent_radius(const Model& m, int geom) {
  if (GeomType{m.geom_type[geom]} != GeomType::plane) return m.geom_rbound[geom];
  const double* size = m.geom_size + 3 * geom;
  return size[0] > 0 || size[1] > 0 ? 0.1 * std::max(size[0], size[1]) : 0.01;
}

// the second wins where numbers cannot be compared, unlike with std::min and std::max
double smaller(double a, double b) { return a < b ? a : b; }
double larger(double a, double b) { return a > b ? a : b; }

// smallest box around frames, joint anchors, sites and bounding spheres of geoms
// (compared so that what is not a number stays visible in the statistics)
struct Hull {
  Vec3d low{1e10, 1e10, 1e10}, high{-1e10, -1e10, -1e10};
  void add(const Vec3d& p, double radius = 0) {
    for (int k = 0; k < 3; k++) {
      low[k] = smaller(low[k], p[k] - radius);
      high[k] = larger(high[k], p[k] + radius);
    }
  }
};

Hull hull_of(const Model& m, const DataView<double>& d) {
  Hull hull;
  for (int body = 1; body < m.nbody; body++) {
    hull.add(d.xpos[body]);
    hull.add(d.xipos[body]);
  }
  for (int joint = 0; joint < m.njnt; joint++) hull.add(d.xanchor[joint]);
  for (int site = 0; site < m.nsite; site++) hull.add(d.site_xpos[site]);
  for (int geom = 0; geom < m.ngeom; geom++) hull.add(d.geom_xpos[geom], extent_radius(m, geom));
  return hull;
}

}  // namespace

std::string set_const(Model& m, Data* d) {
  if (std::string error = set_fixed(m); !error.empty()) return error;
  std::optional<Data> own;
  if (!d) d = &own.emplace(make_data(m));
  set_kinematics0(m, *d);
  for (int body = 1; body < m.nbody; body++) {
    if (only_translates(m, body) && m.body_mass[body] == 0) {
      return "moving body " + std::to_string(body) + " has 0 mass";
    }
  }
  set_inertia0(m, *d);
  return "";
}

int wrapped_armature_tendon(const Model& m) {
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    bool armature = m.tendon_armature[tendon] != 0;
    for (int actuator = 0; actuator < m.nactuator; actuator++) {
      armature |= TrnType{m.actuator_trntype[actuator]} == TrnType::tendon &&
                  m.actuator_trnid[2 * actuator] == tendon && m.actuator_armature[actuator] != 0;
    }
    const int* types = m.wrap_type + m.tendon_adr[tendon];
    const bool wraps = std::any_of(types, types + m.tendon_num[tendon], [](int type) {
      return WrapType{type} == WrapType::sphere || WrapType{type} == WrapType::cylinder;
    });
    if (armature && wraps) return tendon;
  }
  return -1;
}

void set_springdamper(Model& m, std::span<const SpringDamper> joints) {
  for (const SpringDamper& pair : joints) {
    if (!(pair.timeconst > 0) || !(pair.dampratio > 0)) continue;
    const int first = m.jnt_dofadr[pair.joint],
              count = dof_count(JointType{m.jnt_type[pair.joint]});
    double weight = 0;
    for (int dof = first; dof < first + count; dof++) weight += m.dof_invweight0[dof];
    const double inertia = count / std::max(mjMINVAL, weight);
    const double time = pair.timeconst, ratio = pair.dampratio;
    m.jnt_stiffness[pair.joint] = inertia / std::max(mjMINVAL, time * time * ratio * ratio);
    std::fill_n(m.dof_damping + first, count, 2 * inertia / std::max(mjMINVAL, time));
  }
}

void set_dampratio(Model& m) {
  std::optional<Data> d;
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    double* bias = m.actuator_biasprm + mjNBIAS * actuator;
    const bool pid = GainType{m.actuator_gaintype[actuator]} == GainType::pid;
    const bool servo = pid || m.actuator_gainprm[mjNGAIN * actuator] == -bias[1];
    if (!servo || !(bias[2] > 0)) continue;
    if (!d) d.emplace(data_at(m, m.qpos0));
    const double mass = reflected_inertia(m, *d, actuator);
    bias[2] = -2 * bias[2] * std::sqrt(-bias[1] * mass);
  }
}

void set_springlength(Model& m) {
  std::optional<Data> d;
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    double* length = m.tendon_lengthspring + 2 * tendon;
    if (length[0] != -1 || length[1] != -1) continue;
    if (!d) d.emplace(data_at(m, m.qpos_spring));
    length[0] = length[1] = d->ten_length[tendon];
  }
}

void set_statistic(Model& m, const Statistic& given) {
  Data d = data_at(m, m.qpos0);
  const Hull hull = hull_of(m, view(d));
  Statistic s;
  s.center = {(hull.low.x + hull.high.x) * 0.5, (hull.low.y + hull.high.y) * 0.5,
              (hull.low.z + hull.high.z) * 0.5};
  const Vec3d range = hull.high - hull.low;
  s.extent = range.x > 0 ? larger(1e-5, larger(range.x, larger(range.y, range.z))) : 2;
  s.meansize = m.nbody > 1 ? 0 : 0.2;
  s.meanmass = m.nbody > 1 ? 0 : 1;
  s.meaninertia = m.nv > 0 ? 0 : 1;
  const std::vector<double> size = body_sizes(m, d);
  for (int body = 1; body < m.nbody; body++) {
    s.meansize += size[body] / static_cast<double>(m.nbody - 1);
    s.meanmass += m.body_mass[body];
  }
  if (m.nbody > 1) s.meanmass /= static_cast<double>(m.nbody - 1);
  for (int dof = 0; dof < m.nv; dof++) s.meaninertia += d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
  if (m.nv) s.meaninertia /= static_cast<double>(m.nv);
  s.extent = larger(s.extent, 2 * s.meansize);
  const auto choose = [](double wanted, double computed) {
    return std::isnan(wanted) ? computed : wanted;
  };
  m.stat.meaninertia = choose(given.meaninertia, s.meaninertia);
  m.stat.meanmass = choose(given.meanmass, s.meanmass);
  m.stat.meansize = choose(given.meansize, s.meansize);
  m.stat.extent = choose(given.extent, s.extent);
  m.stat.center = std::isnan(given.center[0]) ? s.center : given.center;
}

}  // namespace lockstep
