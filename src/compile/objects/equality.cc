// equality.cc: equality constraints: what they tie together, and the numbers they start from.
// Anchors in the second body and relative poses follow from qpos0 and are filled in by the
// constants.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compile/objects/common.h"
#include "compile/passes.h"
#include "math/quat.h"

namespace lockstep {
namespace {

constexpr int quat_at = 6;      // eq_data: relative orientation of a weld
constexpr int from_qpos0 = 11;  // eq_data: a weld's pose or a distance is that of qpos0

// kind of the objects that a constraint ties, unknown after an error
ObjType object_kind(Build& b, const Equality& equality) {
  switch (equality.type) {
    case EqType::joint: return ObjType::joint;
    case EqType::tendon: return ObjType::tendon;
    case EqType::flex:
    case EqType::flexstrain: return ObjType::flex;
    case EqType::distance: return ObjType::geom;
    case EqType::connect:
    case EqType::weld:
      if (equality.objtype == ObjType::body || equality.objtype == ObjType::site) {
        return equality.objtype;
      }
      expect(b.error(equality, "objtype", "connect and weld tie bodies or sites"), "body or site",
             std::string(keyword_of(equality.objtype)));
      return ObjType::unknown;
    default:
      b.error(equality, "type", "this type of equality constraint is not supported");
      return ObjType::unknown;
  }
}

void check_scalar_joint(Build& b, const Equality& equality, std::string_view attribute, int joint) {
  if (joint < 0) return;
  const JointType type = b.joints[joint]->type;
  if (type == JointType::hinge || type == JointType::slide) return;
  expect(b.error(equality, attribute, "only scalar joints can be tied"), "a hinge or slide joint",
         std::string(keyword_of(type)));
}

EqualityPlan plan_equality(Build& b, const Equality& equality) {
  EqualityPlan plan;
  const ObjType kind = object_kind(b, equality);
  if (kind == ObjType::unknown) return plan;
  const std::string attribute(keyword_of(kind));
  plan.obj1 = b.resolve(equality, attribute + "1", kind, equality.name1);
  if (!equality.name2.empty()) {
    plan.obj2 = b.resolve(equality, attribute + "2", kind, equality.name2);
  } else if (kind == ObjType::body) {
    plan.obj2 = 0;  // the world
  } else if (kind == ObjType::site) {
    b.error(equality, "site2", "the second site is not named");
  } else if (kind == ObjType::geom) {
    b.error(equality, "geom2", "the second geom is not named");
  }
  if (plan.obj1 < 0) return plan;
  if (plan.obj1 == plan.obj2) {
    b.error(equality, attribute + "2",
            fmt::format("{} '{}' is tied to itself", attribute, equality.name1));
  }
  if (kind == ObjType::joint) {
    check_scalar_joint(b, equality, "joint1", plan.obj1);
    check_scalar_joint(b, equality, "joint2", plan.obj2);
  }
  return plan;
}

// no orientation given: the pose of qpos0 counts
void settle_weld(double* data) {
  double* q = data + quat_at;
  const bool missing = q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0;
  data[from_qpos0] = missing ? 1 : 0;
  if (missing) return;
  const Quatd unit = normalize(Quatd{q[0], q[1], q[2], q[3]});
  for (int i = 0; i < 4; i++) q[i] = unit[i];
}

}  // namespace

void compile_equalities(Build& b) {
  for (const Equality* equality : b.spec.equalities) {
    b.plans.equalities.push_back(plan_equality(b, *equality));
  }
}

void pack_equalities(Build& b) {
  Model& m = b.model;
  for (const Equality* equality : b.spec.equalities) {
    const int id = equality->id;
    m.eq_type[id] = code(equality->type);
    m.eq_obj1id[id] = b.plans.equalities[id].obj1;
    m.eq_obj2id[id] = b.plans.equalities[id].obj2;
    m.eq_objtype[id] = code(equality->objtype);
    m.eq_active0[id] = equality->active;
    put(m.eq_solref, id, equality->solref);
    put(m.eq_solimp, id, equality->solimp);
    put(m.eq_data, id, equality->data);
    double* data = m.eq_data + id * mjNEQDATA;
    const bool sites = equality->objtype == ObjType::site;
    if (equality->type == EqType::weld && !sites) settle_weld(data);
    if (equality->type == EqType::weld && sites) data[from_qpos0] = 0;
    if (equality->type == EqType::distance) data[from_qpos0] = data[0] < 0;
    if (equality->type == EqType::connect && sites) std::fill(data, data + mjNEQDATA, 0.0);
  }
}

}  // namespace lockstep
