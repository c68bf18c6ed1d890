// newton.h: Newton's matrix in its own pattern. Not a stage.
//   H = M + J' W J = L' D L,  W: curvature of the cost of the rows where they are now
// Rows of H are eliminated from the leaves to the roots. Constraints along one chain of bodies fit
// into the pattern of M; others fill it, and the pattern is found once per step. It depends on the
// rows that exist, of all lanes; entries that only another lane needs are zero and stay so.
#pragma once

#include "math/sparse.h"
#include "stage/acceleration/metric.h"
#include "stage/solver/cost.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_in_group = 32;  // rows with the same columns that are added at once

// row_group <- number of rows with the same columns from a row on; 0 inside such a group. An
// elliptic contact is a group of its own
template <class Real>
LOCKSTEP_FN void group_rows(const ArenaView<Real>& rows) {
  for (int first = 0, end; first < rows.nefc; first = end) {
    const bool cone = is_elliptic(rows, first);
    const int same = 1 + rows.efc_J_rowsuper[first];
    const int most = cone ? rows.con_dim[rows.efc_id[first]] : most_in_group;
    const int last = first + (same < most ? same : most);
    for (end = first + 1; end < last && is_elliptic(rows, end) == cone; end++) {
      rows.row_group[end] = 0;
    }
    rows.row_group[first] = end - first;
  }
}

// whether sorted columns are among those of the tree row of the last one
template <class Real>
LOCKSTEP_FN bool fits_tree(const ModelView<Real>& m, const int* columns, int count) {
  if (count < 2) return true;
  const int last = columns[count - 1];
  const int *at = m.M_colind + m.M_rowadr[last], *end = at + m.M_rownnz[last];
  for (int k = 0; k < count; k++) {
    while (at < end && *at < columns[k]) at++;
    if (at == end || *at != columns[k]) return false;
  }
  return true;
}

// calls f(columns, count) for every set of dofs that the matrix couples beside M
template <class Real, class F>
LOCKSTEP_FN bool all_couplings(const ModelView<Real>& m, const DataView<Real>& d, bool metric,
                               F&& f) {
  const ArenaView<Real>& rows = *d.arena;
  for (int row = 0; row < rows.nefc; row += rows.row_group[row]) {
    if (!f(rows.efc_J_colind + rows.efc_J_rowadr[row], rows.efc_J_rownnz[row])) return false;
  }
  if (!metric) return true;
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    if (!f(m.ten_J_colind + m.ten_J_rowadr[tendon], m.ten_J_rownnz[tendon])) return false;
  }
  if (springs_only(m)) return true;
  for (int out = 0; out < m.nout; out++) {
    // the columns of an actuator are the same in all lanes, a lane's copies stand side by side
    const int count = d.moment_rownnz.get(out, 0), adr = d.moment_rowadr.get(out, 0);
    for (int k = 1; k < count; k++) {
      const int pair[2] = {d.moment_colind.get(adr + k - 1, 0), d.moment_colind.get(adr + k, 0)};
      if (!f(pair, 2)) return false;
    }
    if (count > 2) {
      // all of them meet in the row of the last one
      const int last = d.moment_colind.get(adr + count - 1, 0);
      for (int k = 0; k < count - 2; k++) {
        const int pair[2] = {d.moment_colind.get(adr + k, 0), last};
        if (!f(pair, 2)) return false;
      }
    }
  }
  return true;
}

// newton_products <- where the columns of each group of rows stand in the rows of the matrix, but
// for those that are a whole row; row_place <- where those of a group begin. Newton's method asks
// for them in every round. false if there is no room
template <class Real>
LOCKSTEP_FN bool find_products(ArenaView<Real>& rows, const TreePattern& p) {
  int count = 0;
  const int room = rows.room.nP;
  for (int row = 0; row < rows.nefc; row += rows.row_group[row]) {
    const int* columns = rows.efc_J_colind + rows.efc_J_rowadr[row];
    rows.row_place[row] = count;
    for (int a = 0; a < rows.efc_J_rownnz[row]; a++) {
      const int line = columns[a];
      if (p.rownnz[line] == a + 1) continue;
      const int* at = p.colind + p.rowadr[line];
      for (int k = 0, place = 0; k <= a && count + a < room; k++) {
        while (at[place] != columns[k]) place++;
        rows.newton_products[count + k] = place;
      }
      count += a + 1;
    }
  }
  return rows.has_room(&Room::nP, count);
}

// finds the pattern; false if there is no room for it
template <class Real>
LOCKSTEP_FN bool newton_pattern(const ModelView<Real>& m, const DataView<Real>& d, bool metric,
                                TreePattern& pattern) {
  ArenaView<Real>& rows = *d.arena;
  group_rows(rows);
  if (all_couplings(m, d, metric,
                    [&](const int* columns, int count) { return fits_tree(m, columns, count); })) {
    pattern = pattern_m(m);
    return rows.has_room(&Room::nH, m.nC);
  }
  const int words = (m.nv + 31) / 32;
  if (!rows.has_room(&Room::nB, m.nv * words)) return false;
  int* bits = rows.newton_bits;
  const auto set = [&](int row, int column) {
    bits[row * words + column / 32] |= int(1u << (column % 32));
  };
  // a row of M holds its last column beside the diagonal and what the row of that one holds
  for (int dof = 0; dof < m.nv; dof++) {
    const int count = m.M_rownnz[dof], last = m.M_colind[m.M_rowadr[dof] + max(count - 2, 0)];
    for (int w = 0; w < words; w++) bits[dof * words + w] = count > 1 ? bits[last * words + w] : 0;
    if (count > 1) set(dof, last);
  }
  all_couplings(m, d, metric, [&](const int* columns, int count) {
    for (int k = 0; k < count - 1; k++) set(columns[count - 1], columns[k]);
    return true;
  });
  // what a row holds beside its last column, the row of that column must hold too
  int total = 0;
  for (int dof = m.nv - 1; dof >= 0; dof--) {
    const int* own = bits + dof * words;
    int top = words - 1, count = 1;
    while (top >= 0 && own[top] == 0) top--;
    if (top >= 0) {
      const int high = 31 - __builtin_clz(unsigned(own[top])), next = 32 * top + high;
      int* other = bits + next * words;
      for (int w = 0; w < top; w++) other[w] |= own[w];
      other[top] |= own[top] & ~int(1u << high);
      for (int w = 0; w <= top; w++) count += __builtin_popcount(unsigned(own[w]));
    }
    rows.newton_rownnz[dof] = count;
    total += count;
  }
  if (!rows.has_room(&Room::nH, total)) return false;
  int adr = 0;
  for (int dof = 0; dof < m.nv; dof++) {
    rows.newton_rowadr[dof] = adr;
    for (int w = 0; w < words; w++) {
      for (unsigned left = unsigned(bits[dof * words + w]); left; left &= left - 1) {
        rows.newton_colind[adr++] = 32 * w + __builtin_ctz(left);
      }
    }
    rows.newton_colind[adr++] = dof;
    // where the entries of M stand in it
    int at = rows.newton_rowadr[dof];
    for (int k = m.M_rowadr[dof]; k < m.M_rowadr[dof] + m.M_rownnz[dof]; k++, at++) {
      while (rows.newton_colind[at] != m.M_colind[k]) at++;
      rows.newton_place[k] = at;
    }
  }
  find_chains(m.nv, rows.newton_rownnz, rows.newton_rowadr, rows.newton_colind, rows.newton_chainup,
              rows.newton_chaindown);
  pattern = {m.nv,
             rows.newton_rownnz,
             rows.newton_rowadr,
             rows.newton_colind,
             rows.newton_chainup,
             rows.newton_chaindown};
  return find_products(rows, pattern);
}

// newton_inertia <- the inertia in the pattern of the matrix, if that is another than its own
template <class Real>
LOCKSTEP_FN void spread_inertia(const ModelView<Real>& m, const ArenaView<Real>& rows,
                                const TreePattern& p, const Real* inertia) {
  if (p.colind == m.M_colind) return;
  Real* to = rows.newton_inertia;
  const int total = p.rowadr[p.n - 1] + p.rownnz[p.n - 1];
  for (int i = 0; i < total; i++) to[i] = Real(0);
  for (int i = 0; i < m.nC; i++) to[rows.newton_place[i]] = inertia[i];
}

// calls f(k, entry of H) for sorted columns 0..a in the row of column a. `places` are those that
// find_products found, or null: in the pattern of M columns most often are the whole row
template <class Real, class F>
LOCKSTEP_INLINE void each_place(const TreePattern& p, Real* H, const int* columns,
                                const int*& places, int a, F&& f) {
  const int row = columns[a];
  Real* entry = H + p.rowadr[row];
  if (p.rownnz[row] == a + 1) {
    for (int k = 0; k <= a; k++) f(k, entry[k]);
    return;
  }
  if (places) {
    for (int k = 0; k <= a; k++) f(k, entry[places[k]]);
    places += a + 1;
    return;
  }
  const int* at = p.colind + p.rowadr[row];
  for (int k = 0; k <= a; k++) {
    while (*at != columns[k]) at++, entry++;
    f(k, *entry);
  }
}

// places of the products of a group, if the pattern was found to need them
template <class Real>
LOCKSTEP_INLINE const int* places_of(const ArenaView<Real>& rows, const TreePattern& p, int first) {
  return p.rownnz == rows.newton_rownnz ? rows.newton_products + rows.row_place[first] : nullptr;
}

// adds N rows with the same columns; each entry gets its products in the order of rows
template <int N, class Real>
LOCKSTEP_FN void add_products(const TreePattern& p, const int* columns, const int* places,
                              int count, const Real* const* rows, const Real* weights, Real* H) {
  const Real* J[N];
  Real weight[N];
  for (int i = 0; i < N; i++) J[i] = rows[i], weight[i] = weights[i];
  for (int a = 0; a < count; a++) {
    Real scaled[N];
    for (int i = 0; i < N; i++) scaled[i] = weight[i] * J[i][a];
    each_place(p, H, columns, places, a, [&](int k, Real& entry) LOCKSTEP_LAMBDA {
      Real sum = entry;
      for (int i = 0; i < N; i++) sum = sum + scaled[i] * J[i][k];
      entry = sum;
    });
  }
}

// curvature of the cost of a simple row
template <class Real>
LOCKSTEP_INLINE Real row_weight(const ArenaView<Real>& rows, int row) {
  const Mask<Real> acts = rows.row_zone[row] == zone<Real>(ConstraintState::quadratic);
  return select(acts, rows.efc_D[row], Real(0));
}

// adds simple rows with the same columns, four at a time: so many products stay in registers
template <class Real>
LOCKSTEP_FN void add_group(const ArenaView<Real>& rows, const TreePattern& p, int first, int number,
                           Real* H) {
  const Real *J[most_in_group], zero(0);
  Real weight[most_in_group];
  int used = 0;
  for (int row = first; row < first + number; row++) {
    const Real w = row_weight(rows, row);
    if (!any(w != zero)) continue;
    J[used] = rows.efc_J + rows.efc_J_rowadr[row];
    weight[used++] = w;
  }
  const int *columns = rows.efc_J_colind + rows.efc_J_rowadr[first],
            *places = places_of(rows, p, first), count = rows.efc_J_rownnz[first];
  int at = 0;
  for (; used - at >= 4; at += 4) {
    add_products<4>(p, columns, places, count, J + at, weight + at, H);
  }
  switch (used - at) {
    case 3: return add_products<3>(p, columns, places, count, J + at, weight + at, H);
    case 2: return add_products<2>(p, columns, places, count, J + at, weight + at, H);
    case 1: return add_products<1>(p, columns, places, count, J + at, weight + at, H);
    default: return;
  }
}

// adds an elliptic contact: springs inside the cone, the curvature of the cone at its surface
template <class Real>
LOCKSTEP_FN void add_cone(const ArenaView<Real>& rows, const TreePattern& p, int first, Real* H) {
  const int contact = rows.efc_id[first], dim = rows.con_dim[contact];
  const Real state = rows.row_zone[first], zero(0);
  const Mask<Real> spring = state == zone<Real>(ConstraintState::quadratic);
  const Mask<Real> cone = state == zone<Real>(ConstraintState::cone);
  if (!any(spring || cone)) return;
  Real weight[36];
  for (int i = 0; i < dim * dim; i++) {
    const Real diagonal = i % (dim + 1) == 0 ? rows.efc_D[first + i / (dim + 1)] : zero;
    const Real curve = any(cone) ? rows.con_H[36 * contact + i] : zero;
    weight[i] = select(spring, diagonal, select(cone, curve, zero));
  }
  const Real* J[6];
  for (int i = 0; i < dim; i++) J[i] = rows.efc_J + rows.efc_J_rowadr[first + i];
  const int *columns = rows.efc_J_colind + rows.efc_J_rowadr[first],
            *places = places_of(rows, p, first);
  for (int a = 0; a < rows.efc_J_rownnz[first]; a++) {
    Real scaled[6];
    for (int i = 0; i < dim; i++) {
      Real sum(0);
      for (int j = 0; j < dim; j++) sum = sum + weight[i * dim + j] * J[j][a];
      scaled[i] = sum;
    }
    each_place(p, H, columns, places, a, [&](int k, Real& entry) LOCKSTEP_LAMBDA {
      Real sum = entry;
      for (int i = 0; i < dim; i++) sum = sum + scaled[i] * J[i][k];
      entry = sum;
    });
  }
}

// H <- inertia + J' W J
template <class Real>
LOCKSTEP_FN void newton_matrix(const ModelView<Real>& m, const DataView<Real>& d,
                               const TreePattern& p, const Real* inertia, bool metric) {
  const ArenaView<Real>& rows = *d.arena;
  Real* H = rows.newton;
  const Real* start = p.colind == m.M_colind ? inertia : rows.newton_inertia;
  const int total = p.rowadr[p.n - 1] + p.rownnz[p.n - 1];
  copy(start, total, H);
  if (metric) {
    const Real h = m.opt.timestep;
    each_coupling(m, d,
                  [&](const Resistance<Real>& r, Real, const Real* J, int count, auto column) {
                    if (count < 2) return;
                    const Real weight = r.inertia(h);
                    for (int a = 0; a < count; a++) {
                      const int row = column(a);
                      int at = p.rowadr[row];
                      for (int k = 0; k <= a; k++) {
                        while (p.colind[at] != column(k)) at++;
                        H[at] = H[at] + weight * J[a] * J[k];
                      }
                    }
                  });
  }
  for (int row = 0; row < rows.nefc; row += rows.row_group[row]) {
    if (is_elliptic(rows, row)) {
      add_cone(rows, p, row, H);
    } else if (rows.efc_J_rownnz[row] == 1 && rows.row_group[row] == 1) {
      const int column = rows.efc_J_colind[rows.efc_J_rowadr[row]];
      const Real J = rows.efc_J[rows.efc_J_rowadr[row]];
      Real& diagonal = H[p.rowadr[column] + p.rownnz[column] - 1];
      diagonal = diagonal + row_weight(rows, row) * J * J;
    } else {
      add_group(rows, p, row, rows.row_group[row], H);
    }
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
