#include "api/lockstep.h"

#include <fmt/format.h>

#include "compile/compile.h"
#include "mjcf/mjcf.h"
#include "spec/attach.h"

namespace lockstep {

ModelSpec::ModelSpec() : spec_(std::make_unique<Spec>()) {}
ModelSpec::ModelSpec(std::unique_ptr<Spec> spec) : spec_(std::move(spec)) {}
ModelSpec::ModelSpec(ModelSpec&&) noexcept = default;
ModelSpec& ModelSpec::operator=(ModelSpec&&) noexcept = default;
ModelSpec::~ModelSpec() = default;

ModelSpec ModelSpec::clone() const {
  ModelSpec copy(spec_->copy());
  std::map<const Element*, Element*> clones;
  for (int kind = 0; kind < mjNOBJECT; ++kind) {
    for (Element* element : copy.spec_->all(static_cast<ObjType>(kind))) {
      clones[element->origin] = element;
    }
  }
  for (Element* element : copy.spec_->all(ObjType::frame)) clones[element->origin] = element;
  for (Element* element : elements_) {
    auto found = clones.find(element);
    copy.elements_.push_back(found == clones.end() ? nullptr : found->second);
    if (found != clones.end()) {
      copy.indices_[found->second] = static_cast<int>(copy.elements_.size()) - 1;
    }
  }
  return copy;
}

Result<ModelSpec> ModelSpec::load(const std::string& path) {
  Diagnostics diagnostics;
  auto spec = read_mjcf_file(path, nullptr, diagnostics);
  if (!spec) return diagnostics;
  return {ModelSpec(std::move(spec)), std::move(diagnostics)};
}

Result<ModelSpec> ModelSpec::parse(const std::string& text, std::shared_ptr<Assets> assets) {
  Diagnostics diagnostics;
  auto spec = read_mjcf_text(text, "", std::move(assets), diagnostics);
  if (!spec) return diagnostics;
  return {ModelSpec(std::move(spec)), std::move(diagnostics)};
}

namespace {

// a new element with values of its own, not those of a default class
template <class T, class Attributes>
T* make(Spec& spec, Body& body, Attributes& attributes, std::string& name) {
  T* element = spec.add<T>(&body);
  element->attributes() = std::move(attributes);
  element->name = std::move(name);
  return element;
}

}  // namespace

BodyId ModelSpec::world() { return id_of(spec_->world()); }
BodyId ModelSpec::add_body(BodyId parent, BodySpec body, std::string name) {
  return id_of(make<Body>(*spec_, at(parent), body, name));
}
JointId ModelSpec::add_joint(BodyId body, JointSpec joint, std::string name) {
  return id_of(make<Joint>(*spec_, at(body), joint, name));
}
GeomId ModelSpec::add_geom(BodyId body, GeomSpec geom, std::string name) {
  return id_of(make<Geom>(*spec_, at(body), geom, name));
}
SiteId ModelSpec::add_site(BodyId body, SiteSpec site, std::string name) {
  return id_of(make<Site>(*spec_, at(body), site, name));
}
CameraId ModelSpec::add_camera(BodyId body, CameraSpec camera, std::string name) {
  return id_of(make<Camera>(*spec_, at(body), camera, name));
}
LightId ModelSpec::add_light(BodyId body, LightSpec light, std::string name) {
  return id_of(make<Light>(*spec_, at(body), light, name));
}
FrameId ModelSpec::add_frame(BodyId body, FrameSpec frame, std::string name) {
  return id_of(make<Frame>(*spec_, at(body), frame, name));
}

Result<FrameId> ModelSpec::attach(FrameId place, const ModelSpec& child,
                                  const std::string& prefix) {
  Diagnostics diagnostics;
  std::unique_ptr<Spec> copy = child.spec_->copy();  // the attachment adds a frame to it
  Frame* frame = lockstep::attach(&at(place), *copy, {prefix, "", true, false}, diagnostics);
  if (!frame) return diagnostics;
  return {id_of(frame), std::move(diagnostics)};
}

Result<BodyId> ModelSpec::attach(FrameId place, const ModelSpec& child, std::string_view body,
                                 const std::string& prefix) {
  Diagnostics diagnostics;
  Body* part = child.spec_->find<Body>(body);
  if (!part) {
    diagnostics.error({}, fmt::format("the model to attach has no body '{}'", body));
    return diagnostics;
  }
  Element* result = lockstep::attach(&at(place), part, {prefix, "", true, false}, diagnostics);
  if (!result) return diagnostics;
  return {id_of(static_cast<Body*>(result)), std::move(diagnostics)};
}

Result<Model> ModelSpec::compile() {
  Diagnostics diagnostics;
  auto compiled = lockstep::compile(*spec_, diagnostics);
  if (!compiled) return diagnostics;
  return {std::move(compiled->model), std::move(diagnostics)};
}

Result<std::string> ModelSpec::to_mjcf() {
  if (!spec_->compiler->savecompiled) return write_mjcf(*spec_);
  Diagnostics diagnostics;
  auto compiled = lockstep::compile(*spec_, diagnostics);
  if (!compiled) return diagnostics;
  return {write_mjcf(*compiled->spec, {.compiled = true, .exact = true}), std::move(diagnostics)};
}

Result<std::string> ModelSpec::save(const std::string& path) {
  Result<std::string> text = to_mjcf();
  if (text && !write_bytes(path, text->data(), text->size())) {
    Diagnostics diagnostics;
    diagnostics.error({}, fmt::format("could not write '{}'", path));
    return diagnostics;
  }
  return text;
}

int ModelSpec::index_of(Element* element) {
  auto [entry, is_new] = indices_.try_emplace(element, static_cast<int>(elements_.size()));
  if (is_new) elements_.push_back(element);
  return entry->second;
}

Element& ModelSpec::element_at(int index, ObjType kind) const {
  bool known = index >= 0 && static_cast<size_t>(index) < elements_.size() && elements_[index];
  if (!known || elements_[index]->kind != kind || !elements_[index]->alive) {
    throw std::out_of_range(fmt::format("no {} with this id in the spec", keyword_of(kind)));
  }
  return *elements_[index];
}

void ModelSpec::erase_element(Element* element) { erase(element); }

}  // namespace lockstep
