// queries.h: query.h for one world in double, as plain functions; defined in instance/. Jacobians
// are 3 x nv, row-major; a null one is not wanted.
#pragma once

#include "model/data.h"
#include "model/model.h"

namespace lockstep {

// whether a point of the world is inside a site; of a mesh: inside its hull
bool inside_site(const Model& m, const Data& d, int site, const double point[3]);

// of a point fixed to a body: translation and rotation
void jac(const Model& m, const Data& d, const double point[3], int body, double* jacp,
         double* jacr);
void jac_dot(const Model& m, const Data& d, const double point[3], int body, double* jacp,
             double* jacr);
void jac_point_axis(const Model& m, const Data& d, const double point[3], const double axis[3],
                    int body, double* jac_point, double* jac_axis);
void jac_subtree_com(const Model& m, const Data& d, int body, double* jacp);
// angular momentum of a subtree per unit velocity of each dof
void angmom_mat(const Model& m, const Data& d, int body, double* mat);

// qfrc += J' (force, torque)
void apply_ft(const Model& m, const Data& d, const double force[3], const double torque[3],
              const double point[3], int body, double* qfrc);

// angular and linear velocity, or acceleration, of an object; false if it has no place
bool object_velocity(const Model& m, const Data& d, ObjType type, int id, bool local,
                     double result[6]);
bool object_acceleration(const Model& m, const Data& d, ObjType type, int id, bool local,
                         double result[6]);
// world pose of a frame fixed to a body, by what it shares with it (mjtSameFrame)
void local_to_global(const Data& d, const double pos[3], const double quat[4], int body,
                     int sameframe, double xpos[3], double xmat[9]);

// products and solves with M: vectors of nv numbers, dense matrices nv x nv
void mul_m(const Model& m, const Data& d, const double* x, double* y);
void mul_m2(const Model& m, const Data& d, const double* x, double* y);
void full_m(const Model& m, const Data& d, double* dense);
// x <- sqrt(inv D) inv(L') x, with the square roots given
void solve_m2(const Model& m, const Data& d, const double* sqrt_inv_d, double* x);

// products with the Jacobian of the constraint rows: nefc and nv numbers
void mul_jac_vec(const Data& d, const double* x, double* y);
void mul_jac_t_vec(const Model& m, const Data& d, const double* x, double* y);
// what a contact does, in its frame: force and torque of geom 0 on geom 1
void contact_force(const Data& d, int contact, double result[6]);

// positions
void integrate_pos(const Model& m, double* qpos, const double* qvel, double dt);
void differentiate_pos(const Model& m, double* qvel, double dt, const double* qpos1,
                       const double* qpos2);
void normalize_quat(const Model& m, double* qpos);

}  // namespace lockstep
