// dual_rows.h: the rows of one island of one lane, side by side, for Gauss-Seidel. Not a stage.
// Lanes have different rows and visit them in different orders, so that each is solved on its own,
// in its scalar type; rows that the lane lacks are not here.
// reads efc_type efc_id efc_b efc_R efc_frictionloss efc_force con_dim con_friction
#pragma once

#include "math/eight.h"
#include "stage/solver/cost.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// element i of one lane
template <class Real>
LOCKSTEP_INLINE Scalar<Real> lane_of(const Real* from, int i, int which) {
  return reinterpret_cast<const Scalar<Real>*>(from)[i * lanes<Real> + which];
}
template <class Real>
LOCKSTEP_INLINE void set_lane_of(Real* to, int i, int which, Scalar<Real> x) {
  reinterpret_cast<Scalar<Real>*>(to)[i * lanes<Real> + which] = x;
}

// rows that an elliptic contact or a row of another kind takes together
template <class Real>
LOCKSTEP_INLINE int block_size(const ArenaView<Real>& rows, int row) {
  return is_elliptic(rows, row) ? rows.con_dim[rows.efc_id[row]] : 1;
}

// Vectors stand one after the other in a block, at fixed places where rows are few: who visits them
// then needs to know the block alone. They have zeros up to the next multiple of eight, where they
// are summed up.
template <class S>
struct DualRows {
  static constexpr int few = 96;
  static constexpr int room = few + 16;  // cells of each vector where rows are few
  // the first vectors in the block, and what follows the last one
  enum Place {
    residual_place,
    force_place,
    low_place,
    high_place,
    inverse_place,
    half_place,
    b_place,
    last_place,
    from_place
  };
  static constexpr int int_vectors = 4, vectors = 13, order_place = vectors * room,
                       matrix_place = order_place + room;

  int count = 0, ne = 0, nf = 0, blocks = 0;
  bool crossed = false;           // whether bounds of a row are the wrong way round
  int *slot, *size;               // in the arena; rows of the block that begins here, or 0
  int *type, *order;              // mjtConstraint; blocks as they are visited
  S* block;                       // where all of the vectors are
  S* residuals;                   // of rows whose products are multiplied out
  S *force, *low, *high;          // bounds of rows that are no cone
  S *inverse_curve, *half_curve;  // 1 / curve, curve / 2
  S *b, *R;
  S* friction;       // of the tangents of a cone
  S *stiff, *curve;  // A_ii, what the solver makes of it
  S *last, *from;    // forces after and before the last sweep

  // finds room for a number of rows
  LOCKSTEP_INLINE void place(int number) {
    S** const all[vectors] = {&residuals, &force, &low, &high,     &inverse_curve, &half_curve, &b,
                              &last,      &from,  &R,   &friction, &stiff,         &curve};
    const int apart = number <= few ? room : eights(number);
    for (int i = 0; i < vectors; i++) *all[i] = block + i * apart;
  }

  // takes what stands at an island's slots
  template <class Real>
  LOCKSTEP_FN void gather(const ArenaView<Real>& rows, const int* slots, int number, int which) {
    place(number);
    count = number;
    blocks = ne = nf = 0;
    crossed = false;
    for (int k = 0, end = 0; k < count; k++) {
      const int row = slot[k] = slots[k];
      type[k] = rows.efc_type[row];
      force[k] = lane_of(rows.efc_force, row, which);
      b[k] = lane_of(rows.efc_b, row, which);
      R[k] = lane_of(rows.efc_R, row, which);
      size[k] = 0;
      low[k] = high[k] = S(0);
      if (k < end) continue;
      end = k + block_size(rows, row);
      size[k] = end - k;
      order[blocks++] = k;
      bound(rows, k, which);
    }
    for (int k = count; k < eights(count); k++) {
      force[k] = last[k] = from[k] = b[k] = low[k] = high[k] = stiff[k] = R[k] = S(0);
    }
  }

  LOCKSTEP_INLINE void set_curve(int row, S to) const {
    curve[row] = to;
    inverse_curve[row] = S(1) / to;
    half_curve[row] = S(0.5) * to;
  }

  template <class Real>
  LOCKSTEP_FN void bound(const ArenaView<Real>& rows, int k, int which) {
    const S inf(__builtin_inf());
    const int row = slot[k];
    high[k] = inf;
    if (row < rows.ne) {
      ne++;
      low[k] = -inf;
    } else if (row < rows.ne + rows.nf) {
      nf++;
      high[k] = lane_of(rows.efc_frictionloss, row, which);
      low[k] = -high[k];
      crossed = crossed || low[k] > high[k];
    } else if (size[k] > 1) {
      const int contact = rows.efc_id[row];
      for (int j = 1; j < size[k]; j++) {
        friction[k + j] = lane_of(rows.con_friction, 5 * contact + j - 1, which);
      }
    }
  }

  LOCKSTEP_INLINE bool is_cone(int row) const {
    return type[row] == code(Constraint::contact_elliptic);
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
