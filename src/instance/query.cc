// query.cc: questions about one world in double.
#include "step/query.h"

#include "stage/constraint/contact_force.h"
#include "stage/integrate/advance.h"
#include "stage/position/kinematics.h"
#include "stage/sensor/sensor.h"
#include "stage/solver/jacobian.h"
#include "step/queries.h"

namespace lockstep {
namespace {

// queries write no field
DataView<double> read(const Data& d) { return view(const_cast<Data&>(d)); }

void store6(double* to, const Vec6<double>& from) {
  for (int k = 0; k < 6; k++) to[k] = from[k];
}

}  // namespace

bool inside_site(const Model& m, const Data& d, int site, const double point[3]) {
  return inside_site(view(m), read(d), site, load3(point));
}

void jac(const Model& m, const Data& d, const double point[3], int body, double* jacp,
         double* jacr) {
  jac(view(m), read(d), jacp, jacr, load3(point), body);
}

void jac_dot(const Model& m, const Data& d, const double point[3], int body, double* jacp,
             double* jacr) {
  jac_dot(view(m), read(d), jacp, jacr, load3(point), body);
}

void jac_point_axis(const Model& m, const Data& d, const double point[3], const double axis[3],
                    int body, double* jac_point, double* jac_axis) {
  jac_point_axis(view(m), read(d), jac_point, jac_axis, load3(point), load3(axis), body);
}

void jac_subtree_com(const Model& m, const Data& d, int body, double* jacp) {
  jac_subtree_com(view(m), read(d), jacp, body);
}

void angmom_mat(const Model& m, const Data& d, int body, double* mat) {
  angmom_mat(view(m), read(d), mat, body);
}

void apply_ft(const Model& m, const Data& d, const double force[3], const double torque[3],
              const double point[3], int body, double* qfrc) {
  apply_ft(view(m), read(d), load3(force), load3(torque), load3(point), body, qfrc);
}

bool object_velocity(const Model& m, const Data& d, ObjType type, int id, bool local,
                     double result[6]) {
  if (place_of(view(m), read(d), type, id).body < 0) return false;
  store6(result, object_velocity(view(m), read(d), type, id, local));
  return true;
}

bool object_acceleration(const Model& m, const Data& d, ObjType type, int id, bool local,
                         double result[6]) {
  if (place_of(view(m), read(d), type, id).body < 0) return false;
  store6(result, object_acceleration(view(m), read(d), type, id, local));
  return true;
}

void local_to_global(const Data& d, const double pos[3], const double quat[4], int body,
                     int sameframe, double xpos[3], double xmat[9]) {
  double xquat[4];
  using V = DataView<double>;
  using M = ModelView<double>;
  place(read(d), body, sameframe, M::Vec3_rows{pos}, M::Quat_rows{quat}, 0, V::Vec3_rows{xpos},
        V::Quat_rows{xquat}, V::Mat3_rows{xmat});
}

void mul_m(const Model& m, const Data& d, const double* x, double* y) {
  mul_m(view(m), read(d), x, y);
}

void mul_m2(const Model& m, const Data& d, const double* x, double* y) {
  mul_m2(view(m), read(d), x, y);
}

void full_m(const Model& m, const Data& d, double* dense) { full_m(view(m), read(d), dense); }

void solve_m2(const Model& m, const Data& d, const double* sqrt_inv_d, double* x) {
  solve_lt<double>(pattern_m(view(m)), d.qLD, x);
  for (int dof = 0; dof < m.nv; dof++) x[dof] *= sqrt_inv_d[dof];
}

void mul_jac_vec(const Data& d, const double* x, double* y) { mul_jac(*read(d).arena, x, y); }
void mul_jac_t_vec(const Model& m, const Data& d, const double* x, double* y) {
  mul_jac_t(*read(d).arena, static_cast<int>(m.nv), x, y);
}
void contact_force(const Data& d, int contact, double result[6]) {
  const ContactForce<double> f = contact_force(*read(d).arena, contact);
  store3(result, f.force);
  store3(result + 3, f.torque);
}

void integrate_pos(const Model& m, double* qpos, const double* qvel, double dt) {
  integrate_pos(view(m), qpos, qvel, dt);
}

void differentiate_pos(const Model& m, double* qvel, double dt, const double* qpos1,
                       const double* qpos2) {
  differentiate_pos(view(m), qvel, dt, qpos1, qpos2);
}

void normalize_quat(const Model& m, double* qpos) { normalize_quat(view(m), qpos); }

}  // namespace lockstep
