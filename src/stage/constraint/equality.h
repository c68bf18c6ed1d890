// equality.h: rows of equalities. Not a stage: make_constraint uses it.
//   connect: p0 - p1 = 0
//   weld:    also s vec(q1* q0 relpose) = 0, with s the torquescale
//   joint, tendon: y - y0 = poly(x - x0), of degree 4; y is the first object
//   distance: |p0 - p1| - length = 0, of the centers of two geoms
#pragma once

#include "stage/constraint/row.h"
#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_INLINE int equality_rows(const ModelView<Real>& m, int eq) {
  const int type = m.eq_type[eq];
  return type == code(EqType::weld) ? 6 : type == code(EqType::connect) ? 3 : 1;
}

// the two points and frames that a connect or weld brings together
template <class Real>
struct Anchors {
  int body[2];
  Vec3<Real> point[2];
};

template <class Real>
LOCKSTEP_FN Anchors<Real> anchors_of(const ModelView<Real>& m, const DataView<Real>& d, int eq) {
  const int id[2] = {m.eq_obj1id[eq], m.eq_obj2id[eq]};
  const Real* data = m.eq_data + mjNEQDATA * eq;
  // a weld has the anchor of its second body first
  const bool swapped = m.eq_type[eq] == code(EqType::weld);
  Anchors<Real> ends;
  for (int side = 0; side < 2; side++) {
    if (m.eq_objtype[eq] == code(ObjType::body)) {
      const Vec3<Real> local = load3(data + 3 * (swapped ? 1 - side : side));
      ends.body[side] = id[side];
      ends.point[side] = d.xmat[id[side]] * local + d.xpos[id[side]];
    } else {
      ends.body[side] = m.site_bodyid[id[side]];
      ends.point[side] = d.site_xpos[id[side]];
    }
  }
  return ends;
}

// orientations of a weld: q0 relpose and q1 must agree
template <class Real>
struct WeldQuats {
  Quat<Real> first, second;
};
template <class Real>
LOCKSTEP_FN WeldQuats<Real> weld_quats(const ModelView<Real>& m, const DataView<Real>& d, int eq) {
  const int id0 = m.eq_obj1id[eq], id1 = m.eq_obj2id[eq];
  if (m.eq_objtype[eq] != code(ObjType::body)) {
    return {d.xquat[m.site_bodyid[id0]] * m.site_quat[id0],
            d.xquat[m.site_bodyid[id1]] * m.site_quat[id1]};
  }
  const Real* rel = m.eq_data + mjNEQDATA * eq + 6;
  return {d.xquat[id0] * Quat<Real>{rel[0], rel[1], rel[2], rel[3]}, d.xquat[id1]};
}

template <class Real>
LOCKSTEP_INLINE Real torquescale_of(const ModelView<Real>& m, int eq) {
  return m.eq_data[mjNEQDATA * eq + 10];
}

// vec(a (0, v) b)
template <class Real>
LOCKSTEP_INLINE Vec3<Real> sandwich(const Quat<Real>& a, const Vec3<Real>& v, const Quat<Real>& b) {
  return vec_part(a * Quat<Real>{Real(0), v.x, v.y, v.z} * b);
}

// how the turning of the first body against the second changes the error of a weld: the columns
template <class Real>
struct TurnColumns {
  Vec3<Real> of[3];
};
template <class Real>
LOCKSTEP_FN TurnColumns<Real> turn_columns(const ModelView<Real>& m, int eq,
                                           const WeldQuats<Real>& q) {
  const Real scale = Real(0.5) * torquescale_of(m, eq);
  TurnColumns<Real> columns;
  for (int k = 0; k < 3; k++) {
    const Vec3<Real> unit{Real(k == 0), Real(k == 1), Real(k == 2)};
    columns.of[k] = sandwich(conj(q.second), unit, q.first) * scale;
  }
  return columns;
}

// connect and weld: 3 or 6 rows over the merged chains of the two bodies
template <class Real>
LOCKSTEP_FN void body_equality(RowWriter<Real>& w, int eq, Mask<Real> here) {
  const ModelView<Real>& m = w.m;
  const DataView<Real>& d = w.d;
  const bool weld = m.eq_type[eq] == code(EqType::weld);
  const Anchors<Real> ends = anchors_of(m, d, eq);
  const int nnz = chain_length(m, ends.body[0], ends.body[1], false);
  if (nnz == 0) return;
  RowBlock<Real> block = w.open(Constraint::equality, eq, weld ? 6 : 3, nnz, here);
  if (!block.fits) return;

  Real pos[6];
  for (int k = 0; k < 3; k++) pos[k] = ends.point[0][k] - ends.point[1][k];
  TurnColumns<Real> by_turn{};
  if (weld) {
    const WeldQuats<Real> q = weld_quats(m, d, eq);
    const Vec3<Real> error = vec_part(conj(q.second) * q.first) * torquescale_of(m, eq);
    for (int k = 0; k < 3; k++) pos[3 + k] = error[k];
    by_turn = turn_columns(m, eq, q);
  }

  const Vec3<Real> offset0 = from_center(m, d, ends.body[0], ends.point[0]);
  const Vec3<Real> offset1 = from_center(m, d, ends.body[1], ends.point[1]);
  const Vec3<Real> zero{Real(0), Real(0), Real(0)};
  each_chain_dof(m, ends.body[0], ends.body[1], false, nnz,
                 [&](int k, int dof, bool moves0, bool moves1) {
                   const Vec6<Real> cdof = d.cdof[dof];
                   Vec3<Real> move = moves0 ? point_velocity(cdof, offset0) : zero;
                   if (moves1) move -= point_velocity(cdof, offset1);
                   w.columns(block)[k] = dof;
                   for (int row = 0; row < 3; row++) w.put(block, row, k, move[row]);
                   if (!weld) return;
                   const Vec3<Real> axis = moves0 && moves1 ? zero : moves0 ? cdof.rot : -cdof.rot;
                   const Vec3<Real> turn =
                       by_turn.of[0] * axis.x + by_turn.of[1] * axis.y + by_turn.of[2] * axis.z;
                   for (int row = 0; row < 3; row++) w.put(block, 3 + row, k, turn[row]);
                 });
  w.repeat_columns(block);
  if (!w.keep(block)) return;

  // all rows have the impedance of the whole error
  Real square(0);
  for (int k = 0; k < block.size; k++) square = square + pos[k] * pos[k];
  const ImpedanceCurve<Real> curve = load_curve(m.eq_solimp + mjNIMP * eq);
  const Impedance<Real> d_pos = impedance_at(curve, sqrt(square));
  const Stiffness<Real> s =
      stiffness_of(load_reference(m, m.eq_solref + mjNREF * eq), curve.high, true);
  for (int row = 0; row < block.size; row++) {
    w.set(block, row, pos[row], Real(0), Real(0), s, d_pos);
  }
}

// the coordinate of a joint or tendon that an equality couples
template <class Real>
struct Coordinate {
  Real value, start;
  int nnz;
  const int* columns;
  const Real* J;  // null: 1
};
template <class Real>
LOCKSTEP_FN Coordinate<Real> coordinate_of(const ModelView<Real>& m, const DataView<Real>& d,
                                           int type, int id) {
  if (type == code(EqType::joint)) {
    const int q = m.jnt_qposadr[id];
    return {d.qpos[q], m.qpos0[q], 1, m.jnt_dofadr + id, nullptr};
  }
  const int adr = m.ten_J_rowadr[id];
  return {d.ten_length[id], m.tendon_length0[id], m.ten_J_rownnz[id], m.ten_J_colind + adr,
          d.ten_J + adr};
}

// calls f(column, place in a or -1, place in b or -1) for the columns of either, in order
template <class Real, class F>
LOCKSTEP_INLINE int merge_columns(const Coordinate<Real>& a, const Coordinate<Real>& b, F&& f) {
  int i = 0, j = 0, count = 0;
  while (i < a.nnz || j < b.nnz) {
    const bool in_a = i < a.nnz && (j >= b.nnz || a.columns[i] <= b.columns[j]);
    const bool in_b = j < b.nnz && (i >= a.nnz || b.columns[j] <= a.columns[i]);
    f(count++, in_a ? a.columns[i] : b.columns[j], in_a ? i : -1, in_b ? j : -1);
    i += in_a;
    j += in_b;
  }
  return count;
}

// how far y is from where x wants it, and how that changes with x
template <class Real>
struct Coupling {
  Real pos, slope;
};
template <class Real>
LOCKSTEP_FN Coupling<Real> coupling_at(const Real* poly, const Coordinate<Real>& y,
                                       const Coordinate<Real>& x) {
  const Real pos = y.value - y.start - poly[0];
  if (x.nnz == 0 && !x.columns) return {pos, Real(0)};
  const Real dif = x.value - x.start, dif2 = dif * dif, dif3 = dif2 * dif;
  return {pos - (poly[1] * dif + poly[2] * dif2 + poly[3] * dif3 + poly[4] * dif2 * dif2),
          poly[1] + Real(2) * poly[2] * dif + Real(3) * poly[3] * dif2 + Real(4) * poly[4] * dif3};
}

template <class Real>
LOCKSTEP_FN void coupling_equality(RowWriter<Real>& w, int eq, Mask<Real> here) {
  const ModelView<Real>& m = w.m;
  const int type = m.eq_type[eq], id0 = m.eq_obj1id[eq], id1 = m.eq_obj2id[eq];
  const Real* poly = m.eq_data + mjNEQDATA * eq;
  const Coordinate<Real> y = coordinate_of(m, w.d, type, id0);
  Coordinate<Real> x{Real(0), Real(0), 0, nullptr, nullptr};
  if (id1 >= 0) x = coordinate_of(m, w.d, type, id1);
  const int nnz = merge_columns(y, x, [](int, int, int, int) {});
  if (nnz == 0) return;
  RowBlock<Real> block = w.open(Constraint::equality, eq, 1, nnz, here);
  if (type == code(EqType::tendon)) {
    int* adr = w.arena.tendon_efcadr;
    if (adr[id0] < 0) adr[id0] = block.row;
    if (id1 >= 0 && adr[id1] < 0) adr[id1] = block.row;
  }
  if (!block.fits) return;

  const Coupling<Real> c = coupling_at(poly, y, x);
  merge_columns(y, x, [&](int k, int column, int in_y, int in_x) {
    Real value(0);
    if (in_y >= 0) value = y.J ? y.J[in_y] : Real(1);
    if (in_x >= 0) value = value - c.slope * (x.J ? x.J[in_x] : Real(1));
    w.columns(block)[k] = column;
    w.put(block, 0, k, value);
  });
  if (!w.keep(block)) return;
  set_single(w, block, c.pos, Real(0), m.eq_solref + mjNREF * eq, m.eq_solimp + mjNIMP * eq);
}

// the line between the centers of two geoms, from the second to the first. one direction is as good
// as another where they coincide: x
template <class Real>
struct CenterLine {
  int body[2];
  Vec3<Real> point[2], along;
  Real length;
};
template <class Real>
LOCKSTEP_FN CenterLine<Real> center_line(const ModelView<Real>& m, const DataView<Real>& d,
                                         int eq) {
  const int geom0 = m.eq_obj1id[eq], geom1 = m.eq_obj2id[eq];
  CenterLine<Real> line{{m.geom_bodyid[geom0], m.geom_bodyid[geom1]},
                        {d.geom_xpos[geom0], d.geom_xpos[geom1]},
                        {},
                        Real(0)};
  const Normalized3<Real> unit = normalize_with_norm(line.point[0] - line.point[1]);
  line.along = unit.vec;
  line.length = unit.norm;
  return line;
}

template <class Real>
LOCKSTEP_FN void distance_equality(RowWriter<Real>& w, int eq, Mask<Real> here) {
  const ModelView<Real>& m = w.m;
  const DataView<Real>& d = w.d;
  const CenterLine<Real> line = center_line(m, d, eq);
  const int nnz = chain_length(m, line.body[0], line.body[1], false);
  if (nnz == 0) return;
  RowBlock<Real> block = w.open(Constraint::equality, eq, 1, nnz, here);
  if (!block.fits) return;
  const Vec3<Real> offset0 = from_center(m, d, line.body[0], line.point[0]);
  const Vec3<Real> offset1 = from_center(m, d, line.body[1], line.point[1]);
  each_chain_dof(m, line.body[0], line.body[1], false, nnz,
                 [&](int k, int dof, bool moves0, bool moves1) {
                   const Vec6<Real> cdof = d.cdof[dof];
                   Vec3<Real> move{Real(0), Real(0), Real(0)};
                   if (moves0) move = point_velocity(cdof, offset0);
                   if (moves1) move -= point_velocity(cdof, offset1);
                   w.columns(block)[k] = dof;
                   w.put(block, 0, k, dot(line.along, move));
                 });
  if (!w.keep(block)) return;
  set_single(w, block, line.length - m.eq_data[mjNEQDATA * eq], Real(0), m.eq_solref + mjNREF * eq,
             m.eq_solimp + mjNIMP * eq);
}

template <class Real>
LOCKSTEP_FN void equalities(RowWriter<Real>& w) {
  const Sleepers<Real> asleep(w.m, w.d);
  for (int eq = 0; eq < w.m.neq; eq++) {
    Mask<Real> here = false;
    for (int i = 0; i < lanes<Real>; i++) set_lane(here, i, w.d.eq_active.get(eq, i));
    if (!any(here) || asleep.equality(eq)) continue;
    const int type = w.m.eq_type[eq];
    if (type == code(EqType::connect) || type == code(EqType::weld)) body_equality(w, eq, here);
    if (type == code(EqType::joint) || type == code(EqType::tendon)) coupling_equality(w, eq, here);
    if (type == code(EqType::distance)) distance_equality(w, eq, here);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
