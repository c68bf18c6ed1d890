// sweep.h: one block of forces brought to the lowest cost while the others stay. Not a stage.
//   1/2 f'(A + R) f + f'b  over the bounds of the block
// A block is a row, an elliptic contact, or two opposite edges of a pyramid. Forces change where
// they do not cost more.
#pragma once

#include "stage/solver/dual_rows.h"
#include "stage/solver/ellipsoid.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class S>
inline constexpr S most_rise = S(1e-10);  // of the cost of a block, by rounding

// Products: dense_products.h or whitened.h
template <class S, class Products>
struct Sweep {
  const DualRows<S>& rows;
  const Products& products;

  // how a change of forces changes the cost
  LOCKSTEP_FN S cost_change(const S* A, const S* change, const S* res, int dim) const {
    S sum(0);
    for (int i = 0; i < dim; i++) {
      S row(0);
      for (int j = 0; j < dim; j++) row = row + A[i * dim + j] * change[j];
      sum = sum + change[i] * (S(0.5) * row + res[i]);
    }
    return sum;
  }

  // takes new forces where they do not cost more; what they save
  LOCKSTEP_FN S accept(int first, int dim, const S* A, const S* next, const S* res) const {
    S change[6];
    for (int i = 0; i < dim; i++) change[i] = next[i] - rows.force[first + i];
    const S cost = cost_change(A, change, res, dim);
    if (cost > most_rise<S>) return S(0);
    for (int i = 0; i < dim; i++) {
      rows.force[first + i] = next[i];
      if (change[i] != S(0)) products.add(first + i, change[i]);
    }
    return -cost;
  }

  // one row on its own, between bounds
  LOCKSTEP_INLINE S improve_row(int row) const {
    const S res = products.residual(row), force = rows.force[row];
    const S next = clamp(force - res * rows.inverse_curve[row], rows.low[row], rows.high[row]);
    const S change = next - force;
    if (change == S(0)) return S(0);
    const S cost = change * (rows.half_curve[row] * change + res);
    if (cost > most_rise<S>) return S(0);
    rows.force[row] = next;
    products.add(row, change);
    return -cost;
  }

  // products and residuals of `dim` rows
  LOCKSTEP_FN void take_block(int first, int dim, S* A, S* res) const {
    for (int i = 0; i < dim; i++) {
      for (int j = 0; j < i; j++) {
        A[i * dim + j] = A[j * dim + i] = products.product(first + i, first + j);
      }
      A[i * dim + i] = rows.curve[first + i];
      res[i] = products.residual(first + i);
    }
  }

  // n forces of friction from a row on under their normal force, which stays
  LOCKSTEP_FN void improve_friction(int row, int n, const S* A, const S* bias, S normal,
                                    S* friction) const {
    const bool pressed = normal >= S(min_val);
    if (pressed) lowest_in_ellipsoid(A, bias, rows.friction + row, normal, n, friction);
    for (int i = 0; i < n && !pressed; i++) friction[i] = S(0);
  }

  // forces of an elliptic contact scaled alike, to the lowest cost; of the normal alone where it
  // does not press
  LOCKSTEP_FN void improve_ray(int first, int dim, const S* A, const S* res, S* next) const {
    const S* f = rows.force + first;
    if (!(f[0] >= S(min_val))) {
      for (int i = 1; i < dim; i++) next[i] = S(0);
      next[0] = max(f[0] - res[0] / A[0], S(0));
      return;
    }
    S down(0), curve(0);
    for (int i = 0; i < dim; i++) {
      S image(0);
      for (int j = 0; j < dim; j++) image = image + A[i * dim + j] * f[j];
      curve = curve + f[i] * image;
      down = down + f[i] * res[i];
    }
    const S t = max(curve >= S(min_val) ? -down / curve : S(0), S(-1));
    for (int i = 0; i < dim; i++) next[i] = f[i] + t * f[i];
  }

  // an elliptic contact: along the ray of its force, then across it
  LOCKSTEP_FN S improve_cone(int first) const {
    const int dim = rows.size[first], n = dim - 1;
    const S* f = rows.force + first;
    S A[36], res[6], next[6]{};
    take_block(first, dim, A, res);
    improve_ray(first, dim, A, res, next);
    S inner[25]{}, bias[5]{};  // the compiler cannot see that n > 0
    for (int i = 0; i < n; i++) {
      bias[i] = res[i + 1] + A[(i + 1) * dim] * (next[0] - f[0]);
      for (int j = 0; j < n; j++) {
        inner[i * n + j] = A[(i + 1) * dim + j + 1];
        bias[i] = bias[i] - inner[i * n + j] * f[j + 1];
      }
    }
    improve_friction(first + 1, n, inner, bias, next[0], next + 1);
    return accept(first, dim, A, next, res);
  }

  // whatever begins at a row
  LOCKSTEP_INLINE S improve(int row) const {
    return rows.size[row] == 1 ? improve_row(row) : improve_cone(row);
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
