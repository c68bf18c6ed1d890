// sweep.h: one block of forces brought to the lowest cost while the others stay. Not a stage.
//   1/2 f'(A + R) f + f'b  over the bounds of the block
// A block is a row, an elliptic contact, or two opposite edges of a pyramid. Forces change only in
// the lanes asked for, and where they do not cost more.
// reads efc_b efc_R efc_frictionloss whitened row_stiff con_friction
// writes efc_force and u = Y'f; row_quad (products of the rows of a block, found once)
#pragma once

#include "stage/solver/ellipsoid.h"
#include "stage/solver/whitened.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the place of A_ij, i > j, among the products that a block keeps; those of the diagonal are in
// row_stiff
LOCKSTEP_INLINE int below_diagonal(int i, int j) { return i * (i - 1) / 2 + j; }

// products of different rows of elliptic contacts
template <class Real>
LOCKSTEP_FN void multiply_cones(const ArenaView<Real>& rows) {
  for (int row = 0, size; row < rows.nefc; row += size) {
    size = block_size(rows, row);
    for (int i = 1; i < size; i++) {
      for (int j = 0; j < i; j++) {
        rows.row_quad[3 * row + below_diagonal(i, j)] = whitened_product(rows, row + i, row + j);
      }
    }
  }
}

template <class Real>
struct Sweep {
  ArenaView<Real>& rows;
  Real* u;

  // b + A f (+ R f) of a row
  LOCKSTEP_INLINE Real residual(int row, bool soft) const {
    const Real hard = rows.efc_b[row] + whitened_dot(rows, row, u);
    return soft ? hard + rows.efc_R[row] * rows.efc_force[row] : hard;
  }

  // how a change of forces changes the cost
  LOCKSTEP_FN Real cost_change(const Real* A, const Real* change, const Real* res, int dim) const {
    Real sum(0);
    for (int i = 0; i < dim; i++) {
      Real row(0);
      for (int j = 0; j < dim; j++) row = row + A[i * dim + j] * change[j];
      sum = sum + change[i] * (Real(0.5) * row + res[i]);
    }
    return sum;
  }

  // takes new forces where they do not cost more; what they save
  LOCKSTEP_FN Real accept(int first, int dim, const Real* A, const Real* next, const Real* res,
                          Mask<Real> where) const {
    Real change[6];
    for (int i = 0; i < dim; i++) change[i] = next[i] - rows.efc_force[first + i];
    const Real cost = cost_change(A, change, res, dim);
    const Mask<Real> takes = where && !(cost > Real(1e-10));
    for (int i = 0; i < dim; i++) {
      const Real step = select(takes, change[i], Real(0));
      rows.efc_force[first + i] = select(takes, next[i], rows.efc_force[first + i]);
      if (any(step != Real(0))) whitened_add(rows, first + i, step, u);
    }
    return select(takes, -cost, Real(0));
  }

  // one row on its own, between bounds
  LOCKSTEP_FN Real improve_row(int row, Real low, Real high, bool soft, Mask<Real> where) const {
    const Real stiff = rows.row_stiff[row];
    const Real A = soft ? stiff + rows.efc_R[row] : max(stiff, Real(min_val));
    const Real res = residual(row, soft);
    const Real next = clamp(rows.efc_force[row] - res / select(where, A, Real(1)), low, high);
    return accept(row, 1, &A, &next, &res, where);
  }

  LOCKSTEP_FN Real improve_dry_friction(int row, bool soft, Mask<Real> where) const {
    const Real most = rows.efc_frictionloss[row];
    return improve_row(row, -most, most, soft, where);
  }

  // friction of an elliptic contact under its normal force, which stays
  LOCKSTEP_FN void improve_friction(int contact, const Real* A, const Real* bias, Real normal,
                                    Real* friction) const {
    const int n = rows.con_dim[contact] - 1;
    const Mask<Real> pressed = normal >= Real(min_val);
    lowest_in_ellipsoid(A, bias, rows.con_friction + 5 * contact, select(pressed, normal, Real(0)),
                        n, friction);
    for (int i = 0; i < n; i++) friction[i] = select(pressed, friction[i], Real(0));
  }

  // forces of an elliptic contact scaled alike, to the lowest cost; of the normal alone where it
  // does not press
  LOCKSTEP_FN void improve_ray(int first, int dim, const Real* A, const Real* res, Real* next,
                               Mask<Real> where) const {
    const Real zero(0), one(1);
    const Real* f = rows.efc_force + first;
    const Mask<Real> pressed = f[0] >= Real(min_val);
    Real down(0), curve(0);
    for (int i = 0; i < dim; i++) {
      Real image(0);
      for (int j = 0; j < dim; j++) image = image + A[i * dim + j] * f[j];
      curve = curve + f[i] * image;
      down = down + f[i] * res[i];
    }
    const Mask<Real> curved = curve >= Real(min_val);
    const Real t = max(select(curved, -down / select(curved, curve, one), zero), -one);
    for (int i = 0; i < dim; i++) next[i] = select(pressed, f[i] + t * f[i], zero);
    const Real alone = max(f[0] - res[0] / select(where, A[0], one), zero);
    next[0] = select(pressed, next[0], alone);
  }

  // an elliptic contact: along the ray of its force, then across it
  LOCKSTEP_FN Real improve_cone(int first, Mask<Real> where) const {
    const int contact = rows.efc_id[first], dim = rows.con_dim[contact], n = dim - 1;
    const Real* f = rows.efc_force + first;
    Real A[36], res[6], next[6]{};
    for (int i = 0; i < dim; i++) {
      for (int j = 0; j < i; j++) {
        A[i * dim + j] = A[j * dim + i] = rows.row_quad[3 * first + below_diagonal(i, j)];
      }
      A[i * dim + i] = rows.row_stiff[first + i] + rows.efc_R[first + i];
      res[i] = residual(first + i, true);
    }
    improve_ray(first, dim, A, res, next, where);
    Real inner[25]{}, bias[5]{};  // the compiler cannot see that n > 0
    for (int i = 0; i < n; i++) {
      bias[i] = res[i + 1] + A[(i + 1) * dim] * (next[0] - f[0]);
      for (int j = 0; j < n; j++) {
        inner[i * n + j] = A[(i + 1) * dim + j + 1];
        bias[i] = bias[i] - inner[i * n + j] * f[j + 1];
      }
    }
    improve_friction(contact, inner, bias, next[0], next + 1);
    return accept(first, dim, A, next, res, where);
  }

  // whatever begins at a row
  LOCKSTEP_FN Real improve(int row, Mask<Real> where) const {
    const Real inf(__builtin_inf());
    if (row < rows.ne) return improve_row(row, -inf, inf, true, where);
    if (row < rows.ne + rows.nf) return improve_dry_friction(row, true, where);
    if (is_elliptic(rows, row)) return improve_cone(row, where);
    return improve_row(row, Real(0), inf, true, where);
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
