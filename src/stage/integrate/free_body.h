// free_body.h: free bodies that carry no joints take the gyroscopic part of their bias force at the
// end of the step, so that spinning does not gain energy. Not a stage.
//   (inertia + h d bias / d qvel) qacc = force, six dofs at a time
// reads cdof cdof_dot cvel cinert qvel
#pragma once

#include "math/sparse.h"
#include "stage/integrate/derivative.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a free body without jointed descendants: its six dofs are a tree of their own
template <class Real>
LOCKSTEP_INLINE bool lone_free_body(const ModelView<Real>& m, int joint) {
  return m.jnt_type[joint] == code(JointType::free) &&
         m.tree_dofnum[m.dof_treeid[m.jnt_dofadr[joint]]] == 6;
}

// adds the derivative of its bias force to its block, 6 x 6
template <class Real>
LOCKSTEP_FN void add_gyroscopic(const ModelView<Real>& m, const DataView<Real>& d, int first,
                                Real* block) {
  const Real h = m.opt.timestep;
  for (int j = 0; j < 6; j++) {
    bias_derivative(m, d, first + j, [&](int row, Real value) {
      const int at = 6 * (row - first) + j;
      block[at] = block[at] + h * value;
    });
  }
}

// solves these blocks again; prepare(first dof, block, force) fills the block without gyroscopic
// terms and six forces, and tells in which lanes the body is to be solved
template <class Real, class F>
LOCKSTEP_FN void solve_free_bodies(const ModelView<Real>& m, const DataView<Real>& d, Real* qacc,
                                   F&& prepare) {
  constexpr int rownnz[6] = {6, 6, 6, 6, 6, 6}, rowadr[6] = {0, 6, 12, 18, 24, 30};
  constexpr int diag[6] = {0, 1, 2, 3, 4, 5};
  constexpr int colind[36] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
                              0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
  const SquarePattern pattern{6, rownnz, rowadr, diag, colind};
  for (int joint = 0; joint < m.njnt; joint++) {
    if (!lone_free_body(m, joint)) continue;
    const int first = m.jnt_dofadr[joint];
    Real block[36], x[6];
    const Mask<Real> where = prepare(first, block, x);
    add_gyroscopic(m, d, first, block);
    factor_lu(pattern, block);
    solve_lu(pattern, block, x);
    for (int k = 0; k < 6; k++) qacc[first + k] = select(where, x[k], qacc[first + k]);
  }
}

// qfrc <- block * qacc for these bodies, the other way round
template <class Real, class F>
LOCKSTEP_FN void mul_free_bodies(const ModelView<Real>& m, const DataView<Real>& d,
                                 const Real* qacc, Real* qfrc, F&& prepare) {
  for (int joint = 0; joint < m.njnt; joint++) {
    if (!lone_free_body(m, joint)) continue;
    const int first = m.jnt_dofadr[joint];
    Real block[36];
    const Mask<Real> where = prepare(first, block);
    add_gyroscopic(m, d, first, block);
    for (int i = 0; i < 6; i++) {
      Real force(0);
      for (int j = 0; j < 6; j++) force = force + block[6 * i + j] * qacc[first + j];
      qfrc[first + i] = select(where, force, qfrc[first + i]);
    }
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
