// joint.cc: joints: limits, angles in radians, axis and anchor in the body.
#include <fmt/core.h>

#include "compile/build.h"
#include "compile/limits.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

constexpr double radian = mjPI / 180.0;

void check_range(Build& b, const Joint& joint) {
  if (joint.type == JointType::ball) {
    if (joint.range[0] != 0) b.error(joint, "range", "the range of a ball joint must start at 0");
  } else if (!(joint.range[0] < joint.range[1])) {
    auto& error = b.error(joint, "range", "the lower limit must be below the upper");
    error.found = fmt::format("{:g} {:g}", joint.range[0], joint.range[1]);
  }
}

void settle_limits(Build& b, Joint& joint, JointData& data) {
  bool rotates = joint.type == JointType::hinge || joint.type == JointType::ball;
  if (joint.type != JointType::free) {
    data.limited = is_limited(b, joint, "limited", joint.limited, joint.range);
  }
  if (data.limited) {
    check_range(b, joint);
    if (rotates && joint.compiler->degree) {
      for (double& angle : joint.range) angle *= radian;
    }
  }
  if (joint.type == JointType::hinge || joint.type == JointType::slide) {
    data.actfrclimited =
        is_limited(b, joint, "actuatorfrclimited", joint.actfrclimited, joint.actfrcrange);
    if (data.actfrclimited && !(joint.actfrcrange[0] < joint.actfrcrange[1])) {
      b.error(joint, "actuatorfrcrange", "the lower limit must be below the upper");
    }
  }
}

void settle_spring(Build& b, Joint& joint) {
  const auto& pair = joint.springdamper;
  if ((pair[0] != 0 || pair[1] != 0) && (pair[0] <= 0 || pair[1] <= 0)) {
    b.error(joint, "springdamper", "time constant and damping ratio must both be positive");
  }
  if (joint.springyield < 0) b.error(joint, "springyield", "the yield cannot be negative");
  if (joint.springyield > 0 && joint.type == JointType::free) {
    b.error(joint, "springyield", "free joints have no yielding spring");
  }
  if (!joint.compiler->degree) return;
  if (joint.type == JointType::hinge) {
    joint.ref *= radian;
    joint.springref *= radian;
  }
  if (joint.type == JointType::hinge || joint.type == JointType::ball) {
    joint.springyield *= radian;
  }
}

void settle_place(Build& b, Joint& joint, JointData& data) {
  Pose frame = b.tree.frame_of(joint.frame);
  if (joint.type == JointType::free) joint.pos = {};
  if (joint.type == JointType::free || joint.type == JointType::ball) joint.axis = {0, 0, 1};
  Vec3d axis = to_vec(joint.axis);
  if (normalize_length(axis) < tiny_length) {
    b.error(joint, "axis", "the axis is too short");
    return;
  }
  joint.axis = to_array(axis);
  bool turns = joint.type == JointType::hinge || joint.type == JointType::slide;
  data.axis = turns ? rotate(frame.quat, axis) : axis;
  normalize_length(data.axis);
  data.pos = joint.type == JointType::free ? Vec3d{0, 0, 0}
                                           : b.tree.placed(joint.frame, to_vec(joint.pos));
}

}  // namespace

void compile_joints(Build& b) {
  for (Joint* joint : b.joints) {
    if (code(joint->type) < 0 || code(joint->type) > code(JointType::hinge)) {
      b.error(*joint, "type", "unknown type of joint");
      continue;
    }
    JointData& data = b.tree.joints[joint->id];
    settle_limits(b, *joint, data);
    settle_spring(b, *joint);
    settle_place(b, *joint, data);
  }
}

}  // namespace lockstep
