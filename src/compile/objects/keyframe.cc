// keyframe.cc: keyframes: short vectors are completed with the values of qpos0, too long ones
// refused.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compile/objects/common.h"
#include "compile/passes.h"
#include "math/quat.h"

namespace lockstep {
namespace {

void check_size(Build& b, const Key& key, std::string_view attribute, const Numbers& values,
                int64_t size) {
  if (values.size() <= static_cast<size_t>(size)) return;
  expect(b.error(key, attribute, "the keyframe has more numbers than the model"),
         fmt::format("at most {}", size), std::to_string(values.size()));
}

// a quaternion of the state; the zero quaternion becomes no rotation
void normalize_state(double* q) {
  const Quatd unit = normalize(Quatd{q[0], q[1], q[2], q[3]});
  for (int i = 0; i < 4; i++) q[i] = unit[i];
}

void normalize_qpos(const Model& m, double* qpos) {
  for (int joint = 0; joint < m.njnt; joint++) {
    double* q = qpos + m.jnt_qposadr[joint];
    if (m.jnt_type[joint] == code(JointType::free)) normalize_state(q + 3);
    if (m.jnt_type[joint] == code(JointType::ball)) normalize_state(q);
  }
}

// of a mocap body; the zero quaternion stays
void normalize_mocap(double* q) {
  const double length = norm(Quatd{q[0], q[1], q[2], q[3]});
  if (length < mjMINVAL) return;
  for (int i = 0; i < 4; i++) q[i] /= length;
}

// bodies whose pose is not given completely are where the model has them
void pack_mocap(Model& m, int row, const Key& key) {
  for (int body = 0; body < m.nbody; body++) {
    const int mocap = m.body_mocapid[body];
    if (mocap < 0) continue;
    const size_t pos = 3 * static_cast<size_t>(mocap), quat = 4 * static_cast<size_t>(mocap);
    const double* p = key.mpos.size() >= pos + 3 ? key.mpos.data() + pos : m.body_pos + 3 * body;
    const double* q =
        key.mquat.size() >= quat + 4 ? key.mquat.data() + quat : m.body_quat + 4 * body;
    double* mpos = m.key_mpos + row * 3 * m.nmocap + pos;
    double* mquat = m.key_mquat + row * 4 * m.nmocap + quat;
    std::copy(p, p + 3, mpos);
    std::copy(q, q + 4, mquat);
    normalize_mocap(mquat);
  }
}

// references of springs that yield: where the springs rest, except where the key says otherwise
void pack_plastic(Model& m, double* plastic, const Numbers& given) {
  auto is_ball = [&](int joint) { return m.jnt_type[joint] == code(JointType::ball); };
  for (int joint = 0; joint < m.njnt; joint++) {
    const int adr = m.jnt_plasticadr[joint];
    const double* rest = m.qpos_spring + m.jnt_qposadr[joint];
    if (adr >= 0) std::copy(rest, rest + (is_ball(joint) ? 4 : 1), plastic + adr);
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const int adr = m.tendon_plasticadr[tendon];
    const double* rest = m.tendon_lengthspring + 2 * tendon;
    if (adr >= 0) std::copy(rest, rest + 2, plastic + adr);
  }
  std::copy(given.begin(), given.end(), plastic);
  for (int joint = 0; joint < m.njnt; joint++) {
    const int adr = m.jnt_plasticadr[joint];
    if (adr >= 0 && is_ball(joint)) normalize_state(plastic + adr);
  }
}

void pack_key(Model& m, int row, const Key& key) {
  m.key_time[row] = key.time;
  double* qpos = m.key_qpos + row * m.nq;
  std::copy(m.qpos0, m.qpos0 + m.nq, qpos);
  std::copy(key.qpos.begin(), key.qpos.end(), qpos);
  normalize_qpos(m, qpos);
  std::copy(key.qvel.begin(), key.qvel.end(), m.key_qvel + row * m.nv);
  std::copy(key.act.begin(), key.act.end(), m.key_act + row * m.na);
  std::copy(key.ctrl.begin(), key.ctrl.end(), m.key_ctrl + row * m.nu);
  pack_mocap(m, row, key);
  pack_plastic(m, m.key_plastic + row * m.nplastic, key.plastic);
}

}  // namespace

void compile_keyframes(Build& b) {
  Model& m = b.model;
  constexpr int max_keys = 1 << 20;
  if (b.spec.nkey > max_keys) {
    b.diagnostics.error(b.spec.source, "absurdly many keyframes").found =
        std::to_string(b.spec.nkey);
    return;
  }
  m.nkey = std::max<int64_t>(b.spec.nkey, static_cast<int64_t>(b.spec.keys.size()));
  for (const Key* key : b.spec.keys) {
    check_size(b, *key, "qpos", key->qpos, m.nq);
    check_size(b, *key, "qvel", key->qvel, m.nv);
    check_size(b, *key, "act", key->act, m.na);
    check_size(b, *key, "ctrl", key->ctrl, m.nu);
    check_size(b, *key, "mpos", key->mpos, 3 * m.nmocap);
    check_size(b, *key, "mquat", key->mquat, 4 * m.nmocap);
    check_size(b, *key, "plastic", key->plastic, m.nplastic);
  }
}

// a keyframe that was taken apart by element, as the vectors of this model
static void put_together(const Model& m, Key& key) {
  auto put = [](Numbers& vector, const double* usual, int64_t size, const Numbers& values,
                int64_t at) {
    if (values.empty() || at < 0 || at + static_cast<int64_t>(values.size()) > size) return;
    if (vector.empty()) vector.assign(usual, usual + size);
    std::copy(values.begin(), values.end(), vector.begin() + at);
  };
  const Numbers zeros(static_cast<size_t>(std::max({m.nv, m.na, m.nu, int64_t{1}})), 0);
  Numbers mpos(static_cast<size_t>(3 * m.nmocap)), mquat(static_cast<size_t>(4 * m.nmocap));
  for (int body = 0; body < m.nbody; body++) {
    const int mocap = m.body_mocapid[body];
    if (mocap < 0) continue;
    std::copy_n(m.body_pos + 3 * body, 3, mpos.begin() + 3 * mocap);
    std::copy_n(m.body_quat + 4 * body, 4, mquat.begin() + 4 * mocap);
  }
  for (const KeyPart& part : key.parts) {
    const int id = part.element->id;
    if (id < 0) continue;
    const KeySpec& values = part.values;
    if (part.element->kind == ObjType::joint) {
      put(key.qpos, m.qpos0, m.nq, values.qpos, m.jnt_qposadr[id]);
      put(key.qvel, zeros.data(), m.nv, values.qvel, m.jnt_dofadr[id]);
    } else if (part.element->kind == ObjType::actuator) {
      put(key.act, zeros.data(), m.na, values.act, m.actuator_actadr[id]);
      put(key.ctrl, zeros.data(), m.nu, values.ctrl, m.actuator_ctrladr[id]);
    } else if (part.element->kind == ObjType::body) {
      const int mocap = m.body_mocapid[id];
      if (mocap < 0) continue;
      put(key.mpos, mpos.data(), 3 * m.nmocap, values.mpos, 3 * mocap);
      put(key.mquat, mquat.data(), 4 * m.nmocap, values.mquat, 4 * mocap);
    }
  }
  key.pending = false;
  key.parts.clear();
}

void pack_keyframes(Build& b) {
  for (Key* key : b.spec.keys) {
    if (key->pending) put_together(b.model, *key);
  }
  const Key empty;
  for (int row = 0; row < b.model.nkey; row++) {
    const bool given = row < static_cast<int>(b.spec.keys.size());
    pack_key(b.model, row, given ? *b.spec.keys[row] : empty);
  }
}

}  // namespace lockstep
