// fuse_static.cc: compiler fusestatic: a body without joints becomes a frame in its parent.
#include <algorithm>
#include <unordered_set>

#include "compile/build.h"
#include "compile/passes.h"
#include "compile/references.h"
#include "compile/trial.h"
#include "spec/lists.h"

namespace lockstep {
namespace {

class Fuser {
 public:
  Fuser(Build& b, Trial& trial) : spec_(b.spec), trial_(trial), references_(b.spec) {
    fluid_ = spec_.option.density != 0 || spec_.option.viscosity != 0;
    for (const Sensor* sensor : spec_.sensors) {
      if (sensor->type != SensorType::force && sensor->type != SensorType::torque) continue;
      if (const Site* site = spec_.find<Site>(sensor->objname)) loaded_.insert(site->parent);
    }
  }

  // children of a fused body take its place, and are looked at in turn
  void walk(Body* parent) {
    for (size_t i = 0; i < parent->bodies.size();) {
      Body* body = parent->bodies[i];
      if (can_fuse(*parent, *body)) {
        fuse(parent, body, i);
      } else {
        walk(body);
        i++;
      }
    }
  }

 private:
  bool can_fuse(const Body& parent, const Body& body) {
    if (!body.joints.empty() || body.mocap || !body.fuse || body.plugin.active) return false;
    if (body.sleep != SleepPolicy::auto_ || loaded_.contains(&body)) return false;
    if (references_.contains(ObjType::body, body.name)) return false;
    const TrialBody& own = trial_.bodies[&body];
    const TrialBody& upper = trial_.bodies[&parent];
    if (own.mass > 0 && (fluid_ || body.gravcomp != parent.gravcomp)) return false;
    if (fluid_ && std::any_of(body.geoms.begin(), body.geoms.end(),
                              [](const Geom* geom) { return geom->fluid_ellipsoid > 0; })) {
      return false;
    }
    bool summed = body.compiler->inertiafromgeom == InertiaFromGeom::true_;
    return !(summed && parent.parent && (own.adjusted || upper.adjusted));
  }

  // mass and inertia of both, unless summing the geoms anew will give them
  void add_inertia(Body& parent, const Body& body) {
    if (!parent.parent || body.compiler->inertiafromgeom == InertiaFromGeom::true_) return;
    TrialBody& sum = trial_.bodies[&parent];
    const TrialBody& part = trial_.bodies[&body];
    bool resummed = sum.inferred && part.inferred;
    bool corrected = part.mass > 0 && (sum.adjusted || part.adjusted);
    if (part.mass > 0) accumulate(sum, part);
    if (resummed && !corrected) return;
    if (part.mass == 0 && !(sum.inferred && !part.inferred && !body.geoms.empty())) return;
    sum.inferred = false;
    adopt_inertial(parent, sum);
  }

  static void accumulate(TrialBody& sum, const TrialBody& part) {
    Pose inertial = part.pose * part.inertial;
    double mass = sum.mass + part.mass;
    Vec3d center = (sum.mass * sum.inertial.pos + part.mass * inertial.pos) * (1 / mass);
    for (int i = 0; i < 3; i++) {
      center[i] = (sum.mass * sum.inertial.pos[i] + part.mass * inertial.pos[i]) / mass;
    }
    std::array<double, 6> total{};
    auto add = [&](double m, const Pose& pose, const Vec3d& moments) {
      auto own = turned_inertia(moments, pose.quat);
      auto off = offset_inertia(m, pose.pos - center);
      for (int i = 0; i < 6; i++) total[i] += own[i] + off[i];
    };
    add(sum.mass, sum.inertial, sum.inertia);
    add(part.mass, inertial, part.inertia);
    sum.mass = mass;
    sum.inertial.pos = center;
    // a sum of inertias is positive definite where its parts are
    (void)principal_axes(total, true, sum.inertial, sum.inertia);
  }

  void fuse(Body* parent, Body* body, size_t place) {
    add_inertia(*parent, *body);
    Frame* frame = make_frame(parent, body);
    auto move = [&](TreeElement* element) {
      element->parent = parent;
      if (!element->frame) element->frame = frame;
    };
    for_each_leaf_list(*body, [&](auto& list) {
      using T = std::remove_pointer_t<typename std::decay_t<decltype(list)>::value_type>;
      auto& target = list_of<T>(*parent);
      for (T* item : list) {
        move(item);
        target.push_back(item);
      }
      list.clear();
    });
    std::vector<Body*> children = std::move(body->bodies);
    body->bodies.clear();
    for (Body* child : children) {
      move(child);
      TrialBody& data = trial_.bodies[child];
      data.pose = trial_.bodies[body].pose * data.pose;
    }
    parent->bodies.erase(parent->bodies.begin() + place);
    parent->bodies.insert(parent->bodies.begin() + place, children.begin(), children.end());
    body->alive = false;
  }

  // none is needed for a body that stands where its parent does
  Frame* make_frame(Body* parent, const Body* body) {
    bool moved = body->pos != std::array<double, 3>{} ||
                 body->quat != std::array<double, 4>{1, 0, 0, 0} ||
                 body->alt.type != OrientationType::quat || !body->childclass.empty();
    if (!moved) return body->frame;
    Frame* frame = spec_.add<Frame>(parent, nullptr, body->frame);
    frame->pos = body->pos;
    frame->quat = body->quat;
    frame->alt = body->alt;
    frame->childclass = body->childclass;
    frame->compiler = body->compiler;
    frame->source = body->source;
    return frame;
  }

  Spec& spec_;
  Trial& trial_;
  References references_;
  std::unordered_set<const Body*> loaded_;  // measured by force or torque sensors
  bool fluid_ = false;
};

}  // namespace

void fuse_static(Build& b) {
  if (!b.spec.compiler->fusestatic) return;
  auto trial = try_inertias(b);
  if (!trial) return;
  Fuser(b, *trial).walk(b.spec.world());
}

}  // namespace lockstep
