// lockstep.h: the public C++ header. Build or load a model, edit it, compile it, save it.
//
//   ModelSpec spec;
//   BodyId ball = spec.add_body(spec.world(), {.pos = {0, 0, 1}});
//   GeomId shape = spec.add_geom(ball, {.size = {0.1}});
//   spec[shape].density = 500;
//   Result<Model> model = spec.compile();
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "model/model.h"
#include "spec/spec.h"

namespace lockstep {

// A value, or what prevented it; with warnings either way. It cannot be thrown away unseen.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value, Diagnostics diagnostics = {})
      : value_(std::move(value)), diagnostics_(std::move(diagnostics)) {}
  Result(Diagnostics diagnostics) : diagnostics_(std::move(diagnostics)) {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  T& value() & { return checked(), *value_; }
  const T& value() const& { return checked(), *value_; }
  T&& value() && { return checked(), std::move(*value_); }
  T& operator*() { return value(); }
  T* operator->() { return &value(); }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  std::string error() const { return diagnostics_.text(Severity::error); }
  std::string warnings() const { return diagnostics_.text(Severity::warning); }

 private:
  void checked() const {
    if (!ok()) throw std::logic_error(error());  // a Result was used without asking
  }
  std::optional<T> value_;
  Diagnostics diagnostics_;
};

// names an element of one ModelSpec; elements of different kinds cannot be confused
template <class T>
struct Id {
  int index = -1;
  bool valid() const { return index >= 0; }
  auto operator<=>(const Id&) const = default;
};
using BodyId = Id<Body>;
using FrameId = Id<Frame>;
using JointId = Id<Joint>;
using GeomId = Id<Geom>;
using SiteId = Id<Site>;
using CameraId = Id<Camera>;
using LightId = Id<Light>;
using MeshId = Id<Mesh>;
using HFieldId = Id<HField>;
using TextureId = Id<Texture>;
using MaterialId = Id<Material>;
using PairId = Id<Pair>;
using ExcludeId = Id<Exclude>;
using EqualityId = Id<Equality>;
using TendonId = Id<Tendon>;
using ActuatorId = Id<Actuator>;
using SensorId = Id<Sensor>;
using KeyId = Id<Key>;

// An editable model. It moves like a value; clone() copies it with its ids.
class ModelSpec {
 public:
  ModelSpec();
  ModelSpec(ModelSpec&&) noexcept;
  ModelSpec& operator=(ModelSpec&&) noexcept;
  ~ModelSpec();
  ModelSpec clone() const;

  // an MJCF file or an MJZ archive; or MJCF text, whose files are looked up in `assets` and on disk
  static Result<ModelSpec> load(const std::string& path);
  static Result<ModelSpec> parse(const std::string& text, std::shared_ptr<Assets> assets = nullptr);

  // settings of the whole model
  Option& option() { return spec_->option; }
  Visual& visual() { return spec_->visual; }
  CompilerSpec& compiler() { return *spec_->compiler; }
  std::string& name() { return spec_->modelname; }

  // what bodies contain; a name that is taken is a Diagnostics error when compiling
  BodyId world();
  BodyId add_body(BodyId parent, BodySpec body = {}, std::string name = "");
  JointId add_joint(BodyId body, JointSpec joint = {}, std::string name = "");
  GeomId add_geom(BodyId body, GeomSpec geom = {}, std::string name = "");
  SiteId add_site(BodyId body, SiteSpec site = {}, std::string name = "");
  CameraId add_camera(BodyId body, CameraSpec camera = {}, std::string name = "");
  LightId add_light(BodyId body, LightSpec light = {}, std::string name = "");
  FrameId add_frame(BodyId body, FrameSpec frame = {}, std::string name = "");
  // puts an element of the frame's body into the frame
  template <class T>
  void set_frame(Id<T> element, FrameId frame) {
    at(element).frame = &at(frame);
  }

  // what stands outside the tree, by its attributes: add<Actuator>({.target = "hinge"})
  template <class T>
  Id<T> add(typename T::AttributesType attributes = {}, std::string name = "") {
    T* element = spec_->add<T>();
    element->attributes() = std::move(attributes);
    element->name = std::move(name);
    return id_of(element);
  }

  // attributes of an element, to read or change
  template <class T>
  typename T::AttributesType& operator[](Id<T> id) {
    return at(id).attributes();
  }
  template <class T>
  std::string& name(Id<T> id) {
    return at(id).name;
  }
  // path of a tendon
  std::vector<Wrap>& path(TendonId tendon) { return at(tendon).path; }

  // the element of a name; invalid if there is none
  template <class T>
  Id<T> find(std::string_view name) {
    T* element = spec_->find<T>(name);
    return element ? id_of(element) : Id<T>{};
  }
  template <class T>
  std::vector<Id<T>> all() {
    std::vector<Id<T>> ids;
    for (T* element : spec_->all<T>()) ids.push_back(id_of(element));
    return ids;
  }

  // Removes an element; a body or frame goes with its contents and all that refers to them. Its id
  // is invalid from then on.
  template <class T>
  void remove(Id<T> id) {
    erase_element(&at(id));
  }

  // Attaches a copy of another model, or of one of its bodies, to a frame; all names get the
  // prefix.
  Result<FrameId> attach(FrameId place, const ModelSpec& child, const std::string& prefix);
  Result<BodyId> attach(FrameId place, const ModelSpec& child, std::string_view body,
                        const std::string& prefix);

  Result<Model> compile();
  // number of an element in the Model of the last compilation, -1 if it has none
  template <class T>
  int model_id(Id<T> id) const {
    return at(id).id;
  }

  // as MJCF; compiled first if the settings ask for compiled values
  Result<std::string> to_mjcf();
  Result<std::string> save(const std::string& path);

  Spec& spec() { return *spec_; }  // the structure underneath

 private:
  explicit ModelSpec(std::unique_ptr<Spec> spec);
  template <class T>
  Id<T> id_of(T* element) {
    return {index_of(element)};
  }
  template <class T>
  T& at(Id<T> id) const {
    return static_cast<T&>(element_at(id.index, T::type_code));
  }
  int index_of(Element* element);
  Element& element_at(int index, ObjType kind) const;  // throws for ids of other specs
  void erase_element(Element* element);

  std::unique_ptr<Spec> spec_;
  std::vector<Element*> elements_;  // by id
  std::map<const Element*, int> indices_;
};

}  // namespace lockstep
