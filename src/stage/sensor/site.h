// site.h: where the shape of a site is. Meshes are kept in a frame of their own (mesh_pos,
// mesh_quat), which geoms take over but sites do not.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SitePose {
  Vec3<Real> pos;
  Mat3<Real> mat;
};
template <class Real>
LOCKSTEP_FN SitePose<Real> site_pose(const ModelView<Real>& m, const DataView<Real>& d, int site) {
  const Vec3<Real> pos = d.site_xpos[site];
  const Mat3<Real> mat = d.site_xmat[site];
  const int mesh = m.site_dataid[site];
  if (m.site_type[site] != code(GeomType::mesh) || mesh < 0) return {pos, mat};
  return {pos + mat * m.mesh_pos[mesh], mat * to_mat(m.mesh_quat[mesh])};
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
