// cam_light.h: poses of cameras, positions and directions of lights.
//   fixed: x = x_body o (pos, quat);  track: x = x_body + pos0;  trackcom: x = com + poscom0;
//   target: looks at a body
// reads xpos xquat xmat subtree_com    writes cam_xpos cam_xmat light_xpos light_xdir
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

LOCKSTEP_INLINE bool tracks_body(int mode) { return mode == code(CamLightMode::track); }
LOCKSTEP_INLINE bool tracks_com(int mode) { return mode == code(CamLightMode::trackcom); }
LOCKSTEP_INLINE bool looks_at_body(int mode) { return mode == code(CamLightMode::targetbody); }
LOCKSTEP_INLINE bool looks_at_com(int mode) { return mode == code(CamLightMode::targetbodycom); }

// a frame whose z axis points away from the target and whose x axis is horizontal
template <class Real>
LOCKSTEP_FN Mat3<Real> looking_at(const Vec3<Real>& eye, const Vec3<Real>& target) {
  const Vec3<Real> up{Real(0), Real(0), Real(1)};
  const Vec3<Real> z = normalize(eye - target);
  const Vec3<Real> x = normalize(cross(up, z));
  const Vec3<Real> y = normalize(cross(z, x));
  return from_cols(x, y, z);
}

template <class Real>
LOCKSTEP_FN void place_camera(const ModelView<Real>& m, const DataView<Real>& d, int cam) {
  const int body = m.cam_bodyid[cam], target = m.cam_targetbodyid[cam], mode = m.cam_mode[cam];
  Vec3<Real> pos = d.xmat[body] * m.cam_pos[cam] + d.xpos[body];
  Mat3<Real> mat = to_mat(d.xquat[body] * m.cam_quat[cam]);
  if (tracks_body(mode) || tracks_com(mode)) {
    mat = m.cam_mat0[cam];
    pos = tracks_body(mode) ? d.xpos[body] + m.cam_pos0[cam]
                            : d.subtree_com[body] + m.cam_poscom0[cam];
  } else if (target >= 0 && (looks_at_body(mode) || looks_at_com(mode))) {
    mat = looking_at(pos, looks_at_body(mode) ? d.xpos[target] : d.subtree_com[target]);
  }
  d.cam_xpos.set(cam, pos);
  d.cam_xmat.set(cam, mat);
}

template <class Real>
LOCKSTEP_FN void place_light(const ModelView<Real>& m, const DataView<Real>& d, int light) {
  const int body = m.light_bodyid[light], target = m.light_targetbodyid[light];
  const int mode = m.light_mode[light];
  Vec3<Real> pos = d.xmat[body] * m.light_pos[light] + d.xpos[body];
  Vec3<Real> dir = rotate(d.xquat[body], m.light_dir[light]);
  if (tracks_body(mode) || tracks_com(mode)) {
    dir = m.light_dir0[light];
    pos = tracks_body(mode) ? d.xpos[body] + m.light_pos0[light]
                            : d.subtree_com[body] + m.light_poscom0[light];
  } else if (target >= 0 && (looks_at_body(mode) || looks_at_com(mode))) {
    dir = (looks_at_body(mode) ? d.xpos[target] : d.subtree_com[target]) - pos;
  }
  d.light_xpos.set(light, pos);
  d.light_xdir.set(light, normalize(dir));
}

template <class Real>
LOCKSTEP_FN void cam_light(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int cam = 0; cam < m.ncam; cam++) place_camera(m, d, cam);
  for (int light = 0; light < m.nlight; light++) place_light(m, d, light);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
