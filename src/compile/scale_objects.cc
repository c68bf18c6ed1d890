#include "compile/scale_objects.h"

#include <algorithm>
#include <cmath>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {

Vec3d ScaledPlace::point(const Vec3d& p) const { return after * (stretch * (inverse(before) * p)); }

Vec3d ScaledPlace::velocity(const Vec3d& v) const {
  return rotate(after.quat, stretch * rotate(conj(before.quat), v));
}

Factors linear_factors(const Scale& s) {
  Factors f;
  f.length = f.coordinate = s.length;
  f.unit_length = f.unit_coordinate = s.unit_length;
  f.unit_mass = s.unit_mass;
  return f;
}

Factors between(const Scale& a, const Scale& b) {
  Factors f;
  f.length = f.coordinate = std::sqrt(a.length * b.length);
  f.unit_length = f.unit_coordinate = std::sqrt(a.unit_length * b.unit_length);
  f.unit_mass = std::sqrt(a.unit_mass * b.unit_mass);
  return f;
}

namespace {

class ObjectScaler {
 public:
  ObjectScaler(Build& b, ScalePlan& plan) : b_(b), plan_(plan) {}

  void run() {
    for (Pair* pair : b_.spec.pairs) scale(*pair);
    for (Tendon* tendon : b_.spec.tendons) scale(*tendon);
    for (Equality* equality : b_.spec.equalities) scale(*equality);
    for (Actuator* actuator : b_.spec.actuators) scale(*actuator);
    for (Sensor* sensor : b_.spec.sensors) scale(*sensor);
  }

 private:
  Scale scale_of(ObjType kind, const std::string& name) const {
    if (kind == ObjType::xbody) kind = ObjType::body;
    auto found = plan_.scales.find(name.empty() ? nullptr : b_.spec.find(kind, name));
    return found == plan_.scales.end() ? Scale{} : found->second;
  }
  Factors factors_of(ObjType kind, const std::string& name) const {
    auto found = plan_.factors.find(name.empty() ? nullptr : b_.spec.find(kind, name));
    return found == plan_.factors.end() ? Factors{} : found->second;
  }
  static bool same(const Factors& a, const Factors& b) {
    return a.length == b.length && a.unit_length == b.unit_length && a.unit_mass == b.unit_mass;
  }

  void scale(Pair& pair) {
    Factors f =
        between(scale_of(ObjType::geom, pair.geomname1), scale_of(ObjType::geom, pair.geomname2));
    apply_dimensions(pair, pair_dimensions, f);
  }

  // A tendon is scaled if all that it passes is scaled alike. One over hinges alone measures
  // angles.
  void scale(Tendon& tendon) {
    bool first = true, alike = true, turns = true;
    Factors f;
    for (const Wrap& wrap : tendon.path) {
      if (wrap.type == WrapType::pulley) continue;
      const bool joint = wrap.type == WrapType::joint;
      const ObjType kind = joint                         ? ObjType::joint
                           : wrap.type == WrapType::site ? ObjType::site
                                                         : ObjType::geom;
      const Joint* through = joint ? b_.spec.find<Joint>(wrap.target) : nullptr;
      turns = turns && through && through->type != JointType::slide;
      Factors own = linear_factors(scale_of(kind, wrap.target));
      alike = alike && (first || same(f, own));
      if (first) f = own;
      first = false;
    }
    if (!alike) f = Factors{};
    f.turns = turns;
    if (turns) f.coordinate = f.unit_coordinate = 1;
    plan_.factors[&tendon] = f;
    apply_dimensions(tendon, tendon_dimensions, f);
    if (tendon.springlength != TendonSpec().springlength) {
      for (double& length : tendon.springlength) length *= f.coordinate;
    }
    for (Wrap& wrap : tendon.path) {
      if (wrap.type != WrapType::joint) continue;
      wrap.prm *= f.coordinate / factors_of(ObjType::joint, wrap.target).coordinate;
    }
  }

  void scale(Equality& equality) {
    switch (equality.type) {
      case EqType::connect:
      case EqType::weld: scale_weld(equality); break;
      case EqType::joint: scale_coupling(equality, ObjType::joint); break;
      case EqType::tendon: scale_coupling(equality, ObjType::tendon); break;
      case EqType::distance: {
        const double length = between(scale_of(ObjType::geom, equality.name1),
                                      scale_of(ObjType::geom, equality.name2))
                                  .length;
        if (equality.data[0] > 0) equality.data[0] *= length;
        equality.solimp[2] *= length;
        break;
      }
      default: break;
    }
  }

  static void move(const Scale& s, double* point) {
    auto moved = s.moved({point[0], point[1], point[2]});
    std::copy(moved.begin(), moved.end(), point);
  }

  // anchors are given in one of the two bodies
  void scale_weld(Equality& equality) {
    const ObjType kind = equality.objtype == ObjType::site ? ObjType::site : ObjType::body;
    const Scale first = scale_of(kind, equality.name1), second = scale_of(kind, equality.name2);
    const bool weld = equality.type == EqType::weld, sites = kind == ObjType::site;
    const double width = weld || sites ? between(first, second).length : first.length;
    equality.solimp[2] *= width;
    if (weld) equality.data[10] *= width;
    if (sites) return;
    move(weld ? second : first, equality.data.data());
    if (weld) move(first, equality.data.data() + 3);
  }

  // y = polynomial of x
  void scale_coupling(Equality& equality, ObjType kind) {
    const double y = factors_of(kind, equality.name1).coordinate;
    const double x = factors_of(kind, equality.name2).coordinate;
    equality.solimp[2] *= y;
    double factor = y;
    for (int i = 0; i < 5; i++, factor /= x) equality.data[i] *= factor;
  }

  Factors transmission(const Actuator& actuator) const {
    switch (actuator.trntype) {
      case TrnType::joint:
      case TrnType::jointinparent: return factors_of(ObjType::joint, actuator.target);
      case TrnType::tendon: return factors_of(ObjType::tendon, actuator.target);
      case TrnType::site: return linear_factors(scale_of(ObjType::site, actuator.target));
      case TrnType::body: return linear_factors(scale_of(ObjType::body, actuator.target));
      case TrnType::slidercrank:
        return between(scale_of(ObjType::site, actuator.target),
                       scale_of(ObjType::site, actuator.slidersite));
      default: break;
    }
    const bool joint = b_.spec.find<Joint>(actuator.target) != nullptr;
    return joint ? factors_of(ObjType::joint, actuator.target)
                 : linear_factors(scale_of(ObjType::site, actuator.target));
  }

  void scale(Actuator& actuator) {
    const Factors f = transmission(actuator);
    plan_.factors[&actuator] = f;
    const bool foreign = actuator.gaintype == GainType::user ||
                         actuator.biastype == BiasType::user || actuator.dyntype == DynType::user ||
                         actuator.gaintype == GainType::dcmotor || actuator.plugin.active;
    if (foreign && (f.unit_length != 1 || f.unit_mass != 1)) {
      b_.error(actuator, "",
               "its parameters cannot be scaled; scaling=\"geometry\" leaves them alone");
      return;
    }
    const std::string_view control = control_dimension(actuator);
    apply_dimensions(actuator, actuator_dimensions, f, control);
    for (double& bound : actuator.actrange) bound *= f.of(control);
    scale_gear(actuator, f);
    scale_gain(actuator, f, control);
    scale_bias(actuator, f);
    if (actuator.dyntype == DynType::pid) {
      for (int i : {0, 1}) actuator.dynprm[i] *= f.coordinate;
    }
  }

  // the last three numbers of a gear are torques beside forces
  void scale_gear(Actuator& actuator, const Factors& f) {
    const Joint* joint = b_.spec.find<Joint>(actuator.target);
    const bool free =
        (actuator.trntype == TrnType::joint || actuator.trntype == TrnType::jointinparent) &&
        joint && joint->type == JointType::free;
    if (!free && actuator.trntype != TrnType::site) return;
    for (int i = 3; i < 6; i++) actuator.gear[i] *= f.length;
  }

  void scale_gain(Actuator& actuator, const Factors& f, std::string_view control) {
    // of a control, in the units that forces follow
    Factors units = f;
    units.length = f.unit_length;
    units.coordinate = f.unit_coordinate;
    const double per_control = 1 / units.of(control);
    auto& prm = actuator.gainprm;
    switch (actuator.gaintype) {
      case GainType::affine:
        prm[1] *= f.of("F/Q") * per_control;
        prm[2] *= f.of("FT/Q") * per_control;
        [[fallthrough]];
      case GainType::fixed: prm[0] *= f.of("F") * per_control; break;
      case GainType::pid: prm[0] *= f.of("F/Q"); break;
      case GainType::so3: prm[0] *= torque(f); break;
      case GainType::muscle: prm[2] *= prm[2] > 0 ? f.of("F") : 1; break;
      default: break;
    }
  }

  void scale_bias(Actuator& actuator, const Factors& f) {
    auto& prm = actuator.biasprm;
    switch (actuator.biastype) {
      case BiasType::affine:
        prm[0] *= f.of("F");
        prm[1] *= f.of("F/Q");
        if (prm[2] < 0) prm[2] *= f.of("FT/Q");  // positive: a damping ratio
        break;
      case BiasType::so3:
        prm[1] *= torque(f);
        if (prm[2] < 0) prm[2] *= torque(f);
        break;
      case BiasType::muscle: prm[2] *= prm[2] > 0 ? f.of("F") : 1; break;
      case BiasType::dcmotor:
        prm[1] /= f.coordinate;  // cogging per turn or length
        prm[5] *= f.coordinate;  // velocity of the friction model
        break;
      default: break;
    }
  }

  static double torque(const Factors& f) { return f.linear_force() * f.unit_length; }

  void scale(Sensor& sensor) {
    if (sensor.type == SensorType::tactile &&
        !scale_of(sensor.reftype, sensor.refname).identity()) {
      b_.error(sensor, "geom", "a tactile sensor cannot be scaled");
      return;
    }
    const SensorDimension dimension = dimension_of(sensor.type);
    Factors f;
    switch (sensor.objtype) {
      case ObjType::joint:
      case ObjType::tendon:
      case ObjType::actuator: f = factors_of(sensor.objtype, sensor.objname); break;
      default: f = linear_factors(scale_of(sensor.objtype, sensor.objname));
    }
    const bool distance = sensor.type == SensorType::geomdist ||
                          sensor.type == SensorType::geomnormal ||
                          sensor.type == SensorType::geomfromto;
    if (distance) {
      f = between(scale_of(sensor.objtype, sensor.objname),
                  scale_of(sensor.reftype, sensor.refname));
    }
    sensor.noise *= f.of(dimension.noise);
    sensor.cutoff *= f.of(dimension.cutoff);
  }

  Build& b_;
  ScalePlan& plan_;
};

void multiply(double* values, int64_t count, double factor) {
  std::for_each(values, values + count, [&](double& value) { value *= factor; });
}

void place(const ScaledPlace& place, double* pos) {
  Vec3d moved = place.point({pos[0], pos[1], pos[2]});
  std::copy_n(&moved.x, 3, pos);
}

// the numbers of single elements in the vectors of a keyframe, null where it has none
class KeyScaler {
 public:
  explicit KeyScaler(Build& b) : b_(b), m_(b.model), plan_(b.scales) {}

  void joint(const Joint& joint, double* qpos, double* qvel, double* plastic) const {
    auto found = plan_.factors.find(&joint);
    if (found == plan_.factors.end()) return;
    const double factor = found->second.coordinate;
    if (joint.type == JointType::free) return free(joint, qpos, qvel);
    if (joint.type != JointType::slide) return;
    if (qpos) *qpos *= factor;
    if (qvel) *qvel *= factor;
    if (plastic) *plastic *= factor;
  }

  void actuator(const Actuator& actuator, double* act, double* ctrl) const {
    auto found = plan_.factors.find(&actuator);
    if (found == plan_.factors.end()) return;
    const Factors& f = found->second;
    const int id = actuator.id, inputs = m_.actuator_ctrlnum[id];
    if (act) multiply(act, m_.actuator_actnum[id], f.of(control_dimension(actuator)));
    if (!ctrl || !inputs) return;
    if (actuator.gaintype != GainType::pid) {
      multiply(ctrl, inputs, f.of(control_dimension(actuator)));
      return;
    }
    int i = 0;
    for (auto [input, dimension] :
         {std::pair{CtrlInput::pos, "Q"}, {CtrlInput::vel, "Q/T"}, {CtrlInput::ff, "F"}}) {
      if (actuator.ctrlspec & code(input) && i < inputs) ctrl[i++] *= f.of(dimension);
    }
  }

  void mocap(const Body& body, double* mpos) const {
    auto found = plan_.places.find(&body);
    if (found != plan_.places.end() && mpos) place(found->second, mpos);
  }

  void vectors(Key& key) const {
    auto at = [](Numbers& vector, int64_t adr) {
      return adr >= 0 && adr < static_cast<int64_t>(vector.size()) ? vector.data() + adr : nullptr;
    };
    for (const Joint* each : b_.joints) {
      const int i = each->id;
      joint(*each, at(key.qpos, m_.jnt_qposadr[i]), at(key.qvel, m_.jnt_dofadr[i]),
            at(key.plastic, m_.jnt_plasticadr[i]));
    }
    for (const Tendon* tendon : b_.spec.tendons) {
      double* plastic = at(key.plastic, m_.tendon_plasticadr[tendon->id]);
      auto found = plan_.factors.find(tendon);
      if (plastic && found != plan_.factors.end()) multiply(plastic, 2, found->second.coordinate);
    }
    for (const Actuator* each : b_.spec.actuators) {
      actuator(*each, at(key.act, m_.actuator_actadr[each->id]),
               at(key.ctrl, m_.actuator_ctrladr[each->id]));
    }
    for (const Body* body : b_.bodies) {
      const int id = m_.body_mocapid[body->id];
      if (id >= 0) mocap(*body, at(key.mpos, 3 * id));
    }
  }

  void parts(Key& key) const {
    auto start = [](Numbers& vector) { return vector.empty() ? nullptr : vector.data(); };
    for (KeyPart& part : key.parts) {
      KeySpec& v = part.values;
      if (part.element->id < 0) continue;
      switch (part.element->kind) {
        case ObjType::joint:
          joint(static_cast<const Joint&>(*part.element), start(v.qpos), start(v.qvel), nullptr);
          break;
        case ObjType::actuator:
          actuator(static_cast<const Actuator&>(*part.element), start(v.act), start(v.ctrl));
          break;
        case ObjType::body: mocap(static_cast<const Body&>(*part.element), start(v.mpos)); break;
        default: break;
      }
    }
  }

 private:
  void free(const Joint& joint, double* qpos, double* qvel) const {
    auto found = plan_.places.find(joint.parent);
    if (found == plan_.places.end()) return;
    if (qpos) place(found->second, qpos);
    if (!qvel) return;
    Vec3d velocity = found->second.velocity({qvel[0], qvel[1], qvel[2]});
    std::copy_n(&velocity.x, 3, qvel);
  }

  Build& b_;
  const Model& m_;
  const ScalePlan& plan_;
};

}  // namespace

void scale_objects(Build& b, ScalePlan& plan) { ObjectScaler(b, plan).run(); }

void scale_keyframes(Build& b) {
  if (b.scales.empty()) return;
  KeyScaler scaler(b);
  for (Key* key : b.spec.keys) key->pending ? scaler.parts(*key) : scaler.vectors(*key);
}

}  // namespace lockstep
