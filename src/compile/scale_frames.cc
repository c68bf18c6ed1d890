// scale_frames.cc: frame scale, scaling, massscale: applied to everything inside, then cleared.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "compile/build.h"
#include "compile/passes.h"
#include "compile/scale_objects.h"
#include "compile/shape.h"

namespace lockstep {
namespace {

bool unscaled(const FrameSpec& frame) {
  return frame.scale == std::array<double, 3>{1, 1, 1} && frame.massscale == 0;
}

void multiply(auto& values, double factor) {
  for (auto& value : values) value *= factor;
}

class Scaler {
 public:
  explicit Scaler(Build& b) : b_(b) {}

  bool check() {
    bool any = false;
    for (const Frame* frame : b_.spec.all<Frame>()) {
      if (unscaled(*frame)) continue;
      any = true;
      for (double s : frame->scale) {
        if (!(s > 0) || !std::isfinite(s)) {
          b_.error(*frame, "scale", "factors must be finite and positive");
          return false;
        }
      }
      if (!(frame->massscale >= 0) || !std::isfinite(frame->massscale)) {
        b_.error(*frame, "massscale", "the factor must be finite and not negative");
        return false;
      }
      bool even = frame->scale[0] == frame->scale[1] && frame->scale[1] == frame->scale[2];
      if (!even && frame->scaling != Scaling::geometry) {
        b_.error(*frame, "scale", "three different factors need scaling=\"geometry\"");
        return false;
      }
    }
    return any;
  }

  void walk(Body* body, const Scale& outer) {
    std::unordered_map<const Frame*, Scale> frames;
    auto of = [&](const Frame* frame) { return frame ? frames.at(frame) : outer; };
    // parents of frames come first
    std::unordered_map<const Frame*, ScaledPlace> places;
    for (Frame* frame : body->frames) {
      Scale around = of(frame->frame);
      ScaledPlace place = frame->frame ? places.at(frame->frame) : ScaledPlace{};
      frames[frame] = around.inside(*frame);
      place.before = place.before * Pose{to_vec(frame->pos), to_quat(frame->quat)};
      frame->pos = around.moved(frame->pos);
      place.after = place.after * Pose{to_vec(frame->pos), to_quat(frame->quat)};
      place.stretch = frames[frame].stretch;
      places[frame] = place;
    }
    for (Frame* frame : body->frames) {
      frame->scale = {1, 1, 1};
      frame->massscale = 0;
    }
    scale_inertial(*body, of(body->inertial_frame));
    auto scale_all = [&](auto& list) {
      for (auto* element : list) {
        Scale s = of(element->frame);
        if (s.identity()) continue;
        b_.scales.scales[element] = s;
        scale(*element, s);
      }
    };
    scale_all(body->joints), scale_all(body->geoms), scale_all(body->sites);
    scale_all(body->cameras), scale_all(body->lights);
    for (Body* child : body->bodies) {
      Scale around = of(child->frame);
      child->pos = around.moved(child->pos);
      Scale inside = around.turned(to_quat(child->quat));
      if (!inside.identity()) b_.scales.scales[child] = inside;
      if (!body->parent && child->frame) b_.scales.places[child] = places.at(child->frame);
      walk(child, inside);
    }
  }

  // in the order of geoms, then sites
  void make_instances() {
    Instances<Mesh> meshes(b_.spec);
    Instances<HField> hfields(b_.spec);
    auto factors = [&](const Element* element) {
      auto found = asset_factors_.find(element);
      return found == asset_factors_.end() ? Vec3d{1, 1, 1} : found->second;
    };
    for (Geom* geom : b_.spec.all<Geom>()) {
      meshes.use(geom->meshname, factors(geom));
      hfields.use(geom->hfieldname, factors(geom));
    }
    for (Site* site : b_.spec.all<Site>()) meshes.use(site->meshname, factors(site));
  }

 private:
  void scale_inertial(Body& body, const Scale& s) {
    if (s.identity() || !body.parent) return;
    if (body.ipos[0] == body.ipos[0]) body.ipos = s.moved(body.ipos);
    body.mass *= s.mass;
    double moment = s.mass * s.length * s.length;
    if (s.uniform()) {
      multiply(body.inertia, moment);
      multiply(body.fullinertia, moment);
    } else {
      stretch_inertia(body, s);
    }
  }

  // second moments of the mass, which a linear map transforms from both sides
  void stretch_inertia(Body& body, const Scale& s) {
    std::array<double, 6> full = body.fullinertia;
    if (full[0] != full[0]) full = turned_inertia(to_vec(body.inertia), to_quat(body.iquat));
    Mat3d inertia{
        {full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
    double half = trace(inertia) / 2;
    Mat3d second = identity3<double>() * half - inertia;
    second = s.stretch * (second * transpose(s.stretch)) * s.mass;
    Mat3d result = identity3<double>() * trace(second) - second;
    body.fullinertia = {result.m[0], result.m[4], result.m[8],
                        result.m[1], result.m[2], result.m[5]};
    body.inertia = {};
    body.iquat = {1, 0, 0, 0};
  }

  void scale(Joint& joint, const Scale& s) {
    joint.pos = s.moved(joint.pos);
    const bool free = joint.type == JointType::free, slides = joint.type == JointType::slide;
    double factor = 1;
    const bool directed = !free && joint.type != JointType::ball;
    if (directed && !s.uniform() && !along(joint, s, factor)) return;
    Factors f = linear_factors(s);
    f.turns = !free && !slides;
    if (f.turns) f.coordinate = f.unit_coordinate = 1;
    if (slides && !s.uniform()) f.coordinate = factor;
    b_.scales.factors[&joint] = f;
    if (!free) apply_dimensions(joint, joint_dimensions, f);
  }

  // factor of a stretch along a joint's axis
  bool along(const Joint& joint, const Scale& s, double& factor) {
    Vec3d axis = to_vec(joint.axis);
    normalize_length(axis);
    Vec3d image = s.stretch * axis;
    factor = dot(image, axis);
    if (norm(image - axis * factor) <= 0.035 * std::abs(factor)) return true;
    b_.error(joint, "axis", "the axis of a joint must be an axis of the stretching frame");
    return false;
  }

  void scale(Geom& geom, const Scale& outer) {
    scale_place(geom, outer);
    apply_dimensions(geom, geom_dimensions, linear_factors(outer));
    double volume =
        outer.uniform() ? outer.length * outer.length * outer.length : determinant(outer.stretch);
    bool shell = geom.typeinertia == GeomInertia::shell;
    geom.mass *= outer.mass;
    geom.density *= outer.mass / (shell ? outer.length * outer.length : volume);
    Scale s = outer.turned(to_quat(geom.quat));
    Vec3d factors;
    bool aligned = s.along_axes(factors);
    if (!geom.meshname.empty() || !geom.hfieldname.empty()) {
      if (!aligned) return refuse(geom);
      asset_factors_[&geom] = factors;
    } else if (s.uniform()) {
      scale_sizes(geom.type, geom.size, s.length);
    } else if (!aligned || !stretch_size(geom.type, geom.size, factors)) {
      refuse(geom);
    }
  }

  void refuse(const Geom& geom) {
    b_.error(geom, "type",
             fmt::format("this {} cannot be stretched as its frame asks", keyword_of(geom.type)));
  }

  static void scale_sizes(GeomType type, std::array<double, 3>& size, double factor) {
    for (int i = 0; i < size_count(type); i++) size[i] *= factor;
  }

  static bool stretch_size(GeomType type, std::array<double, 3>& size, const Vec3d& f) {
    bool round = std::abs(f.x - f.y) <= 1e-9 * std::abs(f.x);
    switch (type) {
      case GeomType::sphere: return false;
      case GeomType::capsule:
      case GeomType::cylinder:
        size[0] *= f.x;
        size[1] *= f.z;
        return round;
      default:
        for (int i = 0; i < 3; i++) size[i] *= f[i];
        return true;
    }
  }

  void scale(Site& site, const Scale& outer) {
    scale_place(site, outer);
    bool shaped = site.meshname.empty();
    if (shaped && (outer.uniform() || site.type == GeomType::sphere)) {
      scale_sizes(site.type, site.size, outer.length);
      return;
    }
    Scale s = outer.turned(to_quat(site.quat));
    Vec3d f;  // along the own axes, aligned or not
    for (int i = 0; i < 3; i++) f[i] = norm(col(s.stretch, i));
    if (!site.meshname.empty()) {
      asset_factors_[&site] = f;
      return;
    }
    if (site.type == GeomType::capsule || site.type == GeomType::cylinder) {
      site.size[0] *= std::sqrt(f.x * f.y);
      site.size[1] *= f.z;
    } else {
      for (int i = 0; i < 3; i++) site.size[i] *= f[i];
    }
  }

  void scale(Camera& camera, const Scale& s) {
    camera.pos = s.moved(camera.pos);
    apply_dimensions(camera, camera_dimensions, linear_factors(s));
  }

  void scale(Light& light, const Scale& s) {
    light.pos = s.moved(light.pos);
    apply_dimensions(light, light_dimensions, linear_factors(s));
  }

  template <class T>
  void scale_place(T& element, const Scale& s) {
    element.pos = s.moved(element.pos);
    if (element.fromto[0] != element.fromto[0]) return;
    for (int end : {0, 3}) {
      auto* p = element.fromto.data() + end;
      auto moved = s.moved({p[0], p[1], p[2]});
      std::copy(moved.begin(), moved.end(), p);
    }
  }

  static void resize(Mesh& mesh, const Vec3d& f) {
    for (int i = 0; i < 3; i++) mesh.scale[i] *= f[i];
  }
  static void resize(HField& hfield, const Vec3d& f) {
    const double factors[4] = {f.x, f.y, f.z, f.z};
    for (int i = 0; i < 4; i++) hfield.size[i] *= factors[i];
  }

  // an asset in another size is another asset; the first use keeps the name
  template <class T>
  class Instances {
   public:
    explicit Instances(Spec& spec) : spec_(spec) {}
    void use(std::string& name, const Vec3d& factors) {
      if (name.empty()) return;
      auto& sizes = sizes_[name];
      auto [entry, fresh] = sizes.try_emplace(to_array(factors));
      if (fresh) entry->second = make(name, factors, static_cast<int>(sizes.size()) - 1);
      name = entry->second;
    }

   private:
    std::string make(const std::string& name, const Vec3d& factors, int number) {
      T* source = spec_.find<T>(name);
      if (!source) return name;
      if (number == 0) {
        authored_[name] = source->attributes();
        resize(*source, factors);
        return name;
      }
      T* copy = spec_.add<T>();
      copy->attributes() = authored_[name];
      copy->compiler = source->compiler;
      copy->source = source->source;
      copy->name = fmt::format("{}@{}", name, number);
      resize(*copy, factors);
      return copy->name;
    }

    Spec& spec_;
    std::map<std::string, std::map<std::array<double, 3>, std::string>> sizes_;
    std::map<std::string, typename T::AttributesType> authored_;
  };

  Build& b_;
  std::unordered_map<const Element*, Vec3d> asset_factors_;
};

}  // namespace

void scale_frames(Build& b) {
  Scaler scaler(b);
  if (!scaler.check()) return;
  scaler.walk(b.spec.world(), Scale{});
  scaler.make_instances();
  scale_objects(b, b.scales);
}

}  // namespace lockstep
