// tendon.h: lengths, Jacobians and paths of tendons.
//   fixed: L = sum coef_j q_j;   spatial: L = sum |p_{k+1} - p_k| / divisor, dL/dq = sum u_k .
//   (J_{k+1} - J_k) / divisor
// reads qpos site_xpos geom_xpos geom_xmat subtree_com cdof
// writes ten_length ten_J ten_wrapadr ten_wrapnum wrap_obj wrap_xpos
#pragma once

#include "stage/position/jacobian.h"
#include "stage/position/wrap.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// what wrap_obj says of a point that is not on a geom
inline constexpr int wrap_obj_site = -1, wrap_obj_pulley = -2;

// where each lane writes the next point of its path
template <class Real>
struct WrapCursor {
  int next[lanes<Real>];

  LOCKSTEP_FN void put(const DataView<Real>& d, Mask<Real> where, int object, const Vec3<Real>& p) {
    for (int i = 0; i < lanes<Real>; i++) {
      if (!lane(where, i)) continue;
      for (int k = 0; k < 3; k++) set_lane(d.wrap_xpos[3 * next[i] + k], i, lane(p[k], i));
      d.wrap_obj.set(next[i]++, i, object);
    }
  }
  // points that no path uses are zero: results do not depend on earlier poses
  LOCKSTEP_FN void finish(const ModelView<Real>& m, const DataView<Real>& d) const {
    for (int i = 0; i < lanes<Real>; i++) {
      for (int point = next[i]; point < 2 * m.nwrap; point++) {
        for (int k = 0; k < 3; k++) set_lane(d.wrap_xpos[3 * point + k], i, Scalar<Real>(0));
        d.wrap_obj.set(point, i, 0);
      }
    }
  }
};

template <class Real>
LOCKSTEP_FN void fixed_tendon(const ModelView<Real>& m, const DataView<Real>& d, int tendon) {
  const int adr = m.tendon_adr[tendon], row = m.ten_J_rowadr[tendon];
  Real length(0);
  for (int i = adr; i < adr + m.tendon_num[tendon]; i++) {
    const int joint = m.wrap_objid[i];
    length = length + m.wrap_prm[i] * d.qpos[m.jnt_qposadr[joint]];
    for (int k = row; k < row + m.ten_J_rownnz[tendon]; k++) {
      if (m.ten_J_colind[k] == m.jnt_dofadr[joint]) d.ten_J[k] = m.wrap_prm[i];
    }
  }
  d.ten_length[tendon] = length;
}

// J += force . (velocity of a point of `body`), over the dofs that move it
template <class Real>
LOCKSTEP_FN void add_point(const ModelView<Real>& m, const DataView<Real>& d, int tendon, int body,
                           const Vec3<Real>& point, const Vec3<Real>& force) {
  const Vec3<Real> offset = from_center(m, d, body, point);
  int k = m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon] - 1;
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    while (m.ten_J_colind[k] > dof) k--;
    d.ten_J[k] = d.ten_J[k] + dot(force, point_velocity(d.cdof[dof], offset));
  }
}

// the tendon stage along a path: writes its points and adds to the Jacobian
template <class Real>
struct JacobianPath {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  int tendon;
  WrapCursor<Real>& cursor;

  LOCKSTEP_FN void point(Mask<Real> where, int object, const Vec3<Real>& p) {
    cursor.put(d, where, object, p);
  }
  LOCKSTEP_FN void segment(Mask<Real> where, Real divisor, const Vec3<Real>& along, int body0,
                           const Vec3<Real>& p0, int body1, const Vec3<Real>& p1) {
    const Vec3<Real> zero{Real(0), Real(0), Real(0)};
    const Vec3<Real> pull = select(where, along * (Real(1) / divisor), zero);
    add_point(m, d, tendon, body1, p1, pull);
    add_point(m, d, tendon, body0, p0, -pull);
  }
};

// one straight piece of a path, where the mask holds; returns its length. points on one body do not
// pull.
template <class Real, class Path>
LOCKSTEP_FN Real walk_segment(Path& path, Mask<Real> where, Real divisor, int body0,
                              const Vec3<Real>& p0, int body1, const Vec3<Real>& p1) {
  const Normalized3<Real> along = normalize_with_norm(p1 - p0);
  if (body0 != body1) path.segment(where, divisor, along.vec, body0, p0, body1, p1);
  return select(where, along.norm, Real(0));
}

// the path about a geom
template <class Real>
LOCKSTEP_FN Wrapped<Real> wrap_geom(const ModelView<Real>& m, const DataView<Real>& d, int wrap_id,
                                    const Vec3<Real>& x0, const Vec3<Real>& x1) {
  using T = Scalar<Real>;
  const int geom = m.wrap_objid[wrap_id];
  const bool cylinder = m.wrap_type[wrap_id] == code(WrapType::cylinder);
  // the id of the side site is stored as a number, the same in all lanes (switching_numbers.h)
  const T side_id = lane(m.wrap_prm[wrap_id], 0);
  const bool has_side = side_id >= T(0) && side_id < T(m.nsite);
  const Vec3<Real> side = d.site_xpos[has_side ? static_cast<int>(side_id + T(0.5)) : 0];
  const Vec3<Real> size = m.geom_size[geom];
  return wrap<Real>(x0, x1, d.geom_xpos[geom], d.geom_xmat[geom], size.x, cylinder,
                    has_side ? &side : nullptr);
}

// site - site, or site - geom - site; returns the length of this piece before the divisor
template <class Real, class Path>
LOCKSTEP_FN Real walk_piece(const ModelView<Real>& m, const DataView<Real>& d, Real divisor,
                            int from, bool around_geom, Path& path) {
  const int site0 = m.wrap_objid[from], site1 = m.wrap_objid[from + (around_geom ? 2 : 1)];
  const int body0 = m.site_bodyid[site0], body1 = m.site_bodyid[site1];
  const Vec3<Real> p0 = d.site_xpos[site0], p1 = d.site_xpos[site1];
  const Mask<Real> everywhere(true);
  path.point(everywhere, wrap_obj_site, p0);
  if (!around_geom) return walk_segment(path, everywhere, divisor, body0, p0, body1, p1);
  const Wrapped<Real> w = wrap_geom(m, d, from + 1, p0, p1);
  const Mask<Real> wraps = w.length >= Real(0);
  const int geom = m.wrap_objid[from + 1], body = m.geom_bodyid[geom];
  path.point(wraps, geom, w.first);
  path.point(wraps, geom, w.last);
  Real length(0);
  if (any(!wraps)) {
    length = walk_segment(path, !wraps, divisor, body0, p0, body1, p1);
  }
  if (any(wraps)) {
    const Real before = walk_segment(path, wraps, divisor, body0, p0, body, w.first);
    const Real after = walk_segment(path, wraps, divisor, body, w.last, body1, p1);
    length = select(wraps, before + w.length + after, length);
  }
  return length;
}

// all pieces of a spatial tendon; returns its length
template <class Real, class Path>
LOCKSTEP_FN Real walk_tendon(const ModelView<Real>& m, const DataView<Real>& d, int tendon,
                             Path& path) {
  const Mask<Real> everywhere(true);
  const int end = m.tendon_adr[tendon] + m.tendon_num[tendon];
  const auto is_pulley = [&m](int i) { return m.wrap_type[i] == code(WrapType::pulley); };
  Real divisor(1), length(0);
  int i = m.tendon_adr[tendon];
  while (i < end - 1) {
    if (is_pulley(i)) {
      divisor = m.wrap_prm[i];
      path.point(everywhere, wrap_obj_pulley, {Real(0), Real(0), Real(0)});
    }
    if (is_pulley(i) || is_pulley(i + 1)) {
      i++;
      continue;
    }
    const bool around_geom = m.wrap_type[i + 1] != code(WrapType::site);
    length = length + walk_piece(m, d, divisor, i, around_geom, path) * (Real(1) / divisor);
    i += around_geom ? 2 : 1;
    // the end of a branch
    if (i == end - 1 || is_pulley(i + 1)) {
      path.point(everywhere, wrap_obj_site, d.site_xpos[m.wrap_objid[i]]);
    }
  }
  return length;
}

// qfrc += J' force; a lane without force keeps its bits
template <class Real>
LOCKSTEP_FN void add_tendon_force(const ModelView<Real>& m, const DataView<Real>& d, int tendon,
                                  Real force, Real* qfrc) {
  const Mask<Real> acts = force != Real(0);
  if (!any(acts)) return;
  const int first = m.ten_J_rowadr[tendon];
  for (int k = first; k < first + m.ten_J_rownnz[tendon]; k++) {
    Real& at = qfrc[m.ten_J_colind[k]];
    at = select(acts, at + d.ten_J[k] * force, at);
  }
}

template <class Real>
LOCKSTEP_FN void tendon(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int k = 0; k < m.nJten; k++) d.ten_J[k] = Real(0);
  WrapCursor<Real> cursor{};
  for (int id = 0; id < m.ntendon; id++) {
    WrapCursor<Real> start = cursor;
    if (m.tendon_type[id] == code(TendonType::fixed)) {
      fixed_tendon(m, d, id);
    } else {
      JacobianPath<Real> path{m, d, id, cursor};
      d.ten_length[id] = walk_tendon(m, d, id, path);
    }
    for (int i = 0; i < lanes<Real>; i++) {
      d.ten_wrapadr.set(id, i, start.next[i]);
      d.ten_wrapnum.set(id, i, cursor.next[i] - start.next[i]);
    }
  }
  cursor.finish(m, d);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
