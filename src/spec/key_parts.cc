#include "spec/key_parts.h"

#include <bit>

namespace lockstep {
namespace {

// hands out consecutive pieces of a vector that may be absent
class Slicer {
 public:
  explicit Slicer(const Numbers& source) : source_(source) {}
  Numbers next(int width) {
    size_t begin = position_;
    position_ += static_cast<size_t>(width);
    if (position_ > source_.size()) return {};
    return Numbers(source_.begin() + begin, source_.begin() + position_);
  }
  bool used_up() const { return source_.empty() || position_ == source_.size(); }

 private:
  const Numbers& source_;
  size_t position_ = 0;
};

bool says_nothing(const KeySpec& v) {
  return v.qpos.empty() && v.qvel.empty() && v.act.empty() && v.ctrl.empty() && v.mpos.empty() &&
         v.mquat.empty();
}

struct Layout {
  std::vector<Joint*> joints;
  std::vector<Body*> mocaps;
  std::vector<Actuator*> actuators;
};

bool take_apart(Key& key, const Layout& layout) {
  Slicer qpos(key.qpos), qvel(key.qvel), act(key.act), ctrl(key.ctrl), mpos(key.mpos),
      mquat(key.mquat);
  std::vector<KeyPart> parts;
  auto keep = [&](Element* element, KeySpec values) {
    if (!says_nothing(values)) parts.push_back({element, std::move(values)});
  };
  for (Joint* joint : layout.joints) {
    KeySpec values;
    values.qpos = qpos.next(qpos_width(joint->type));
    values.qvel = qvel.next(dof_width(joint->type));
    keep(joint, std::move(values));
  }
  for (Actuator* actuator : layout.actuators) {
    ActuatorWidth width = actuator_width(*actuator);
    KeySpec values;
    values.act = act.next(width.act);
    values.ctrl = ctrl.next(width.ctrl);
    keep(actuator, std::move(values));
  }
  for (Body* body : layout.mocaps) {
    KeySpec values;
    values.mpos = mpos.next(3);
    values.mquat = mquat.next(4);
    keep(body, std::move(values));
  }
  bool fits = qpos.used_up() && qvel.used_up() && act.used_up() && ctrl.used_up() &&
              mpos.used_up() && mquat.used_up();
  if (fits) key.parts = std::move(parts);
  return fits;
}

}  // namespace

int qpos_width(JointType type) {
  return type == JointType::free ? 7 : type == JointType::ball ? 4 : 1;
}

int dof_width(JointType type) {
  return type == JointType::free ? 6 : type == JointType::ball ? 3 : 1;
}

ActuatorWidth actuator_width(const ActuatorSpec& a) {
  ActuatorWidth width;
  width.act = a.actdim >= 0 ? a.actdim : a.dyntype != DynType::none;
  if (a.gaintype == GainType::so3) {
    width.ctrl = a.ctrlspec == 2 ? 4 : 3;  // a quaternion, or an exponential map
  } else if (a.gaintype == GainType::pid) {
    constexpr unsigned pos_and_vel = 3;
    width.ctrl = std::popcount(a.ctrlspec ? static_cast<unsigned>(a.ctrlspec) : pos_and_vel);
    if (a.actdim < 0) width.act = (a.gainprm[0] != 0) + (a.dynprm[1] > 0);  // integral, slew
  } else if (a.gaintype == GainType::dcmotor && a.ctrlspec) {
    width.ctrl = std::popcount(static_cast<unsigned>(a.ctrlspec));
  }
  return width;
}

void take_keys_apart(Spec& spec) {
  if (spec.keys.empty()) return;
  Layout layout{spec.all<Joint>(), {}, spec.actuators};
  for (Body* body : spec.all_bodies()) {
    if (body->mocap) layout.mocaps.push_back(body);
  }
  for (Key* key : spec.keys) {
    if (key->pending || !take_apart(*key, layout)) continue;
    key->pending = true;
    double time = key->time;
    key->attributes() = KeySpec{};
    key->time = time;
  }
}

}  // namespace lockstep
