// queries.cc: mj_* functions that ask about a world: Jacobians, velocities, products with M.
#include "step/queries.h"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "array_args.h"
#include "bind.h"
#include "data_object.h"
#include "step/engine.h"
#include "step/finite_difference.h"
#include "views.h"

namespace lockstep::python {
namespace {

using nb::arg;
using MaybeMat = std::optional<OutMat>;

template <class Array>
void check_size(const Array& array, int64_t size, const char* message) {
  if (array.size != size) throw nb::type_error(message);
}

double* jacobian(const MaybeMat& mat, const Model& m, const char* message) {
  if (!mat) return nullptr;
  if (mat->rows != 3 || mat->cols != m.nv) throw nb::type_error(message);
  return mat->data;
}
double* jacp_of(const MaybeMat& mat, const Model& m) {
  return jacobian(mat, m, "jacp should be of shape (3, nv)");
}
double* jacr_of(const MaybeMat& mat, const Model& m) {
  return jacobian(mat, m, "jacr should be of shape (3, nv)");
}

// Jacobians of points that belong to objects: mj_jacBody ...
struct PointOf {
  const char *name, *id;
  ObjType type;
  double* Data::* place;
  int* Model::* body;  // null: the object is a body
};
constexpr PointOf points[] = {
    {"mj_jacBody", "body", ObjType::body, &Data::xpos, nullptr},
    {"mj_jacBodyCom", "body", ObjType::body, &Data::xipos, nullptr},
    {"mj_jacGeom", "geom", ObjType::geom, &Data::geom_xpos, &Model::geom_bodyid},
    {"mj_jacSite", "site", ObjType::site, &Data::site_xpos, &Model::site_bodyid},
};

void bind_jacobians_of_objects(nb::module_& m) {
  for (const PointOf& point : points) {
    m.def(
        point.name,
        [&point](ModelObject& m, DataObject& d, MaybeMat jacp, MaybeMat jacr, int id) {
          const Model& model = m.model();
          const Data& data = data_for(m, d);
          check_id(model, point.type, id);
          const int body = point.body ? (model.*point.body)[id] : id;
          jac(model, data, data.*point.place + 3 * id, body, jacp_of(jacp, model),
              jacr_of(jacr, model));
        },
        arg("m"), arg("d"), arg("jacp").none(), arg("jacr").none(), arg(point.id),
        "Jacobians of an object: translation and rotation.");
  }
}

void bind_jacobians(nb::module_& m) {
  m.def(
      "mj_jac",
      [](ModelObject& m, DataObject& d, MaybeMat jacp, MaybeMat jacr, In<3> point, int body) {
        check_id(m.model(), ObjType::body, body);
        jac(m.model(), data_for(m, d), point.data, body, jacp_of(jacp, m.model()),
            jacr_of(jacr, m.model()));
      },
      arg("m"), arg("d"), arg("jacp").none(), arg("jacr").none(), arg("point"), arg("body"),
      "Jacobians of a point of a body: translation and rotation.");
  m.def(
      "mj_jacDot",
      [](ModelObject& m, DataObject& d, MaybeMat jacp, MaybeMat jacr, In<3> point, int body) {
        check_id(m.model(), ObjType::body, body);
        jac_dot(m.model(), data_for(m, d), point.data, body, jacp_of(jacp, m.model()),
                jacr_of(jacr, m.model()));
      },
      arg("m"), arg("d"), arg("jacp").none(), arg("jacr").none(), arg("point"), arg("body"),
      "Rates of the Jacobians of a point of a body.");
  m.def(
      "mj_jacPointAxis",
      [](ModelObject& m, DataObject& d, MaybeMat jac_point, MaybeMat jac_axis, In<3> point,
         In<3> axis, int body) {
        check_id(m.model(), ObjType::body, body);
        jac_point_axis(m.model(), data_for(m, d), point.data, axis.data, body,
                       jacp_of(jac_point, m.model()), jacr_of(jac_axis, m.model()));
      },
      arg("m"), arg("d"), arg("jacPoint").none(), arg("jacAxis").none(), arg("point"), arg("axis"),
      arg("body"), "Jacobians of a point and of an axis of a body.");
  m.def(
      "mj_jacSubtreeCom",
      [](ModelObject& m, DataObject& d, OutMat jacp, int body) {
        check_id(m.model(), ObjType::body, body);
        jac_subtree_com(m.model(), data_for(m, d), body, jacp_of(jacp, m.model()));
      },
      arg("m"), arg("d"), arg("jacp"), arg("body"), "Jacobian of the center of mass of a subtree.");
  m.def(
      "mj_angmomMat",
      [](ModelObject& m, DataObject& d, OutMat mat, int body) {
        check_id(m.model(), ObjType::body, body);
        angmom_mat(m.model(), data_for(m, d), body,
                   jacobian(mat, m.model(), "mat should be of shape (3, nv)"));
      },
      arg("m"), arg("d"), arg("mat"), arg("body"),
      "Angular momentum of a subtree per unit velocity of each dof.");
}

// a function of queries.h that fills six numbers
using Motion = bool (*)(const Model&, const Data&, ObjType, int, bool, double*);

void bind_motion(nb::module_& m, const char* name, Motion motion, const char* doc) {
  m.def(
      name,
      [motion, name](ModelObject& m, DataObject& d, int objtype, int objid, Out<6> res,
                     int flg_local) {
        const auto type = static_cast<ObjType>(objtype);
        const bool placed = type == ObjType::body || type == ObjType::xbody ||
                            type == ObjType::geom || type == ObjType::site ||
                            type == ObjType::camera;
        if (!placed) {
          throw FatalError(std::string(name) + ": invalid object type " + std::to_string(objtype));
        }
        check_id(m.model(), type == ObjType::xbody ? ObjType::body : type, objid);
        motion(m.model(), data_for(m, d), type, objid, flg_local != 0, res.data);
      },
      arg("m"), arg("d"), arg("objtype"), arg("objid"), arg("res"), arg("flg_local"), doc);
}

void bind_forces_and_places(nb::module_& m) {
  bind_motion(m, "mj_objectVelocity", object_velocity,
              "Angular and linear velocity of an object, in the axes of the world or its own.");
  bind_motion(m, "mj_objectAcceleration", object_acceleration,
              "Angular and linear acceleration of an object; after mj_rnePostConstraint.");
  m.def(
      "mj_applyFT",
      [](ModelObject& m, DataObject& d, In<3> force, In<3> torque, In<3> point, int body,
         Out<> target) {
        check_id(m.model(), ObjType::body, body);
        check_size(target, m.model().nv, "qfrc_target should be of size nv");
        apply_ft(m.model(), data_for(m, d), force.data, torque.data, point.data, body, target.data);
      },
      arg("m"), arg("d"), arg("force"), arg("torque"), arg("point"), arg("body"),
      arg("qfrc_target"), "Adds the joint forces of a force and torque at a point of a body.");
  m.def(
      "mj_local2Global",
      [](DataObject& d, Out<3> xpos, Out<9> xmat, In<3> pos, In<4> quat, int body, int sameframe) {
        check_id(d.holder->model->model, ObjType::body, body);
        local_to_global(d.holder->data, pos.data, quat.data, body, sameframe, xpos.data, xmat.data);
      },
      arg("d"), arg("xpos"), arg("xmat"), arg("pos"), arg("quat"), arg("body"), arg("sameframe"),
      "World pose of a frame that is fixed to a body.");
}

// M by its sparse lower triangle is added to a matrix with another pattern
void add_m(ModelObject& m, DataObject& d, Out<> dst, InInts rownnz, InInts rowadr, InInts colind) {
  const Model& model = m.model();
  const Data& data = data_for(m, d);
  if (dst.size < model.nC) throw nb::type_error("dst should be of size nM");
  check_size(rownnz, model.nv, "rownnz should be of size nv");
  check_size(rowadr, model.nv, "rowadr should be of size nv");
  check_size(colind, dst.size, "colind should be of size nM");
  for (int row = 0; row < model.nv; row++) {
    const int64_t first = std::max(rowadr[row], 0);
    const int64_t end = std::min(first + rownnz[row], dst.size);
    for (int i = model.M_rowadr[row]; i < model.M_rowadr[row] + model.M_rownnz[row]; i++) {
      const int* column =
          std::find(colind.data + first, colind.data + std::max(first, end), model.M_colind[i]);
      if (column - colind.data < end) dst[column - colind.data] += data.M[i];
    }
  }
}

void check_solve(const OutMat& x, const InMat& y, const Model& m) {
  if (x.rows != y.rows) {
    throw nb::type_error("the first dimension of x and y should be of the same size");
  }
  if (x.cols != m.nv) throw nb::type_error("the last dimension of x should be of size nv");
  if (y.cols != m.nv) throw nb::type_error("the last dimension of y should be of size nv");
}

using Product = void (*)(const Model&, const Data&, const double*, double*);

void bind_product(nb::module_& m, const char* name, Product product, const char* doc) {
  m.def(
      name,
      [product](ModelObject& m, DataObject& d, Out<> res, In<> vec) {
        check_size(res, m.model().nv, "res should be of size nv");
        check_size(vec, m.model().nv, "vec should be of size nv");
        product(m.model(), data_for(m, d), vec.data, res.data);
      },
      arg("m"), arg("d"), arg("res"), arg("vec"), doc);
}

void bind_inertia(nb::module_& m) {
  bind_product(m, "mj_mulM", mul_m, "Product of M with a vector.");
  bind_product(m, "mj_mulM2", mul_m2, "Product of the square root of M with a vector.");
  m.def("mj_addM", add_m, arg("m"), arg("d"), arg("dst"), arg("rownnz"), arg("rowadr"),
        arg("colind"), "Adds M to a sparse matrix, lower triangle only.");
  m.def(
      "mj_fullM",
      [](ModelObject& m, DataObject& d, OutMat dst) {
        const int64_t nv = m.model().nv;
        if (dst.rows != nv || dst.cols != nv) {
          throw nb::type_error("dst should be of shape (nv, nv)");
        }
        full_m(m.model(), data_for(m, d), dst.data);
      },
      arg("m"), arg("d"), arg("dst"), "M as a dense matrix.");
  m.def(
      "mj_solveM",
      [](ModelObject& m, DataObject& d, OutMat x, InMat y) {
        check_solve(x, y, m.model());
        Data& data = data_for(m, d);
        std::copy_n(y.data, y.rows * y.cols, x.data);
        for (int64_t row = 0; row < x.rows; row++) solve_m(m.model(), data, &x(row, 0));
      },
      arg("m"), arg("d"), arg("x"), arg("y"), "Rows of y times the inverse of M.");
  m.def(
      "mj_solveM2",
      [](ModelObject& m, DataObject& d, OutMat x, InMat y, In<> sqrt_inv_d) {
        check_solve(x, y, m.model());
        check_size(sqrt_inv_d, m.model().nv, "the size of sqrtInvD should be nv");
        const Data& data = data_for(m, d);
        std::copy_n(y.data, y.rows * y.cols, x.data);
        for (int64_t row = 0; row < x.rows; row++) {
          solve_m2(m.model(), data, sqrt_inv_d.data, &x(row, 0));
        }
      },
      arg("m"), arg("d"), arg("x"), arg("y"), arg("sqrtInvD"), "Half of mj_solveM.");
}

void bind_rows(nb::module_& m) {
  m.def(
      "mj_mulJacVec",
      [](ModelObject& m, DataObject& d, Out<> res, In<> vec) {
        const Data& data = data_for(m, d);
        check_size(res, *data.nefc, "res should be of length nefc");
        check_size(vec, m.model().nv, "vec should be of length nv");
        mul_jac_vec(data, vec.data, res.data);
      },
      arg("m"), arg("d"), arg("res"), arg("vec"), "Product of the constraint Jacobian.");
  m.def(
      "mj_mulJacTVec",
      [](ModelObject& m, DataObject& d, Out<> res, In<> vec) {
        const Data& data = data_for(m, d);
        check_size(res, m.model().nv, "res should be of length nv");
        check_size(vec, *data.nefc, "vec should be of length nefc");
        mul_jac_t_vec(m.model(), data, vec.data, res.data);
      },
      arg("m"), arg("d"), arg("res"), arg("vec"),
      "Product of the transpose of the constraint Jacobian.");
  m.def(
      "mj_insideSite",
      [](ModelObject& m, DataObject& d, int siteid, In<3> point) {
        const Data& data = data_for(m, d);
        if (siteid < 0 || siteid >= m.model().nsite) throw FatalError("there is no such site");
        return int(inside_site(m.model(), data, siteid, point.data));
      },
      arg("m"), arg("d"), arg("siteid"), arg("point"),
      "1 if a point of the world is inside a site, else 0.");
  m.def(
      "mj_contactForce",
      [](ModelObject& m, DataObject& d, int id, Out<6> result) {
        const Data& data = data_for(m, d);
        std::fill_n(result.data, 6, 0.0);
        if (id >= 0 && id < *data.ncon) contact_force(data, id, result.data);
      },
      arg("m"), arg("d"), arg("id"), arg("result"),
      "Force and torque of a contact, in its frame; zero if there is no such contact.");
}

double* shaped(const MaybeMat& mat, int64_t rows, int64_t cols, const char* message) {
  if (!mat) return nullptr;
  if (mat->rows != rows || mat->cols != cols) throw nb::type_error(message);
  return mat->data;
}

// trials of a world that sleeps would wake it
void refuse_sleep(const Model& m, const char* what) {
  if (m.opt.enableflags & code(EnableBit::sleep)) {
    throw FatalError(std::string(what) + ": sleeping is not supported");
  }
}

void bind_differences(nb::module_& m) {
  m.def(
      "mjd_transitionFD",
      [](ModelObject& m, DataObject& d, double eps, int flg_centered, MaybeMat a, MaybeMat b,
         MaybeMat c, MaybeMat sensor_by_ctrl) {
        const Model& model = m.model();
        refuse_sleep(model, "mjd_transitionFD");
        const int64_t nx = 2 * model.nv + model.na, ns = model.nsensordata;
        const TransitionMatrices result{
            shaped(a, nx, nx, "A should be of shape (2*nv+na, 2*nv+na)"),
            shaped(b, nx, model.nu, "B should be of shape (2*nv+na, nu)"),
            shaped(c, ns, nx, "C should be of shape (nsensordata, 2*nv+na)"),
            shaped(sensor_by_ctrl, ns, model.nu, "D should be of shape (nsensordata, nu)")};
        const Data& data = data_for(m, d);
        bool solved = true;
        {
          nb::gil_scoped_release released;
          solved = transition_fd(model, data, eps, flg_centered != 0, result);
        }
        if (!solved) throw FatalError("mjd_transitionFD: solver cgstrict did not converge");
      },
      arg("m"), arg("d"), arg("eps"), arg("flg_centered"), arg("A").none(), arg("B").none(),
      arg("C").none(), arg("D").none(), "Derivatives of a step by state and control.");
  m.def(
      "mjd_inverseFD",
      [](ModelObject& m, DataObject& d, double eps, int flg_actuation, MaybeMat force_by_pos,
         MaybeMat force_by_vel, MaybeMat force_by_acc, MaybeMat sensor_by_pos,
         MaybeMat sensor_by_vel, MaybeMat sensor_by_acc, MaybeMat inertia_by_pos) {
        const Model& model = m.model();
        refuse_sleep(model, "mjd_inverseFD");
        const int64_t nv = model.nv, ns = model.nsensordata;
        const InverseMatrices result{
            shaped(force_by_pos, nv, nv, "DfDq should be of shape (nv, nv)"),
            shaped(force_by_vel, nv, nv, "DfDv should be of shape (nv, nv)"),
            shaped(force_by_acc, nv, nv, "DfDa should be of shape (nv, nv)"),
            shaped(sensor_by_pos, nv, ns, "DsDq should be of shape (nv, nsensordata)"),
            shaped(sensor_by_vel, nv, ns, "DsDv should be of shape (nv, nsensordata)"),
            shaped(sensor_by_acc, nv, ns, "DsDa should be of shape (nv, nsensordata)"),
            shaped(inertia_by_pos, nv, model.nC, "DmDq should be of shape (nv, nC)")};
        const Data& data = data_for(m, d);
        nb::gil_scoped_release released;
        inverse_fd(model, data, eps, flg_actuation != 0, result);
      },
      arg("m"), arg("d"), arg("eps"), arg("flg_actuation"), arg("DfDq").none(), arg("DfDv").none(),
      arg("DfDa").none(), arg("DsDq").none(), arg("DsDv").none(), arg("DsDa").none(),
      arg("DmDq").none(),
      "Derivatives of inverse dynamics by position, velocity and acceleration.");
}

void bind_positions(nb::module_& m) {
  m.def(
      "mj_integratePos",
      [](ModelObject& m, Out<> qpos, In<> qvel, double dt) {
        check_size(qpos, m.model().nq, "qpos should be of size nq");
        check_size(qvel, m.model().nv, "qvel should be of size nv");
        integrate_pos(m.model(), qpos.data, qvel.data, dt);
      },
      arg("m"), arg("qpos"), arg("qvel"), arg("dt"), "Moves a position by a velocity for a time.");
  m.def(
      "mj_differentiatePos",
      [](ModelObject& m, Out<> qvel, double dt, In<> qpos1, In<> qpos2) {
        check_size(qvel, m.model().nv, "qvel should be of size nv");
        check_size(qpos1, m.model().nq, "qpos1 should be of size nq");
        check_size(qpos2, m.model().nq, "qpos2 should be of size nq");
        differentiate_pos(m.model(), qvel.data, dt, qpos1.data, qpos2.data);
      },
      arg("m"), arg("qvel"), arg("dt"), arg("qpos1"), arg("qpos2"),
      "The velocity that takes one position to another in a time.");
  m.def(
      "mj_normalizeQuat",
      [](ModelObject& m, Out<> qpos) {
        check_size(qpos, m.model().nq, "qpos should be of size nq");
        normalize_quat(m.model(), qpos.data);
      },
      arg("m"), arg("qpos"), "Gives all quaternions of a position unit length.");
}

}  // namespace

void bind_queries(nb::module_& m) {
  bind_jacobians_of_objects(m);
  bind_jacobians(m);
  bind_forces_and_places(m);
  bind_inertia(m);
  bind_rows(m);
  bind_positions(m);
  bind_differences(m);
}

}  // namespace lockstep::python
