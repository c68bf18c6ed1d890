#include "spec/spec.h"

#include <fmt/core.h>

#include "spec/lists.h"

namespace lockstep {
namespace {

void collect(Body* body, std::vector<Body*>& out) {
  out.push_back(body);
  for (Body* child : body->bodies) collect(child, out);
}

}  // namespace

Spec::Spec() : compiler(std::make_shared<CompilerSpec>()) {
  main_ = make<Default>();
  main_->name = "main";
  defaults_.push_back(main_);
  world_ = make<Body>();
  world_->name = "world";
  world_->def = main_;
}

template <class T>
T* Spec::make() {
  auto element = std::make_unique<T>();
  T* result = element.get();
  result->spec = this;
  result->compiler = compiler;
  pool_->push_back(std::move(element));
  signature = 0;
  return result;
}

template <class T>
T* Spec::add(Default* def) {
  T* element = make<T>();
  element->def = def ? def : main_;
  if (auto* values = prototype<T>(*element->def)) element->attributes() = *values;
  list_of<T>(*this).push_back(element);
  return element;
}

template <class T>
T* Spec::add(Body* parent, Default* def, Frame* frame) {
  T* element = make<T>();
  element->def = def ? def : class_in_force(*this, parent, frame);
  if (auto* values = prototype<T>(*element->def)) element->attributes() = *values;
  element->parent = parent;
  element->frame = frame;
  list_of<T>(*parent).push_back(element);
  return element;
}

template Flex* Spec::add<Flex>(Default*);
template Mesh* Spec::add<Mesh>(Default*);
template HField* Spec::add<HField>(Default*);
template Skin* Spec::add<Skin>(Default*);
template Texture* Spec::add<Texture>(Default*);
template Material* Spec::add<Material>(Default*);
template Pair* Spec::add<Pair>(Default*);
template Exclude* Spec::add<Exclude>(Default*);
template Equality* Spec::add<Equality>(Default*);
template Tendon* Spec::add<Tendon>(Default*);
template Actuator* Spec::add<Actuator>(Default*);
template Sensor* Spec::add<Sensor>(Default*);
template Numeric* Spec::add<Numeric>(Default*);
template Text* Spec::add<Text>(Default*);
template Tuple* Spec::add<Tuple>(Default*);
template Key* Spec::add<Key>(Default*);
template Plugin* Spec::add<Plugin>(Default*);
template Body* Spec::add<Body>(Body*, Default*, Frame*);
template Frame* Spec::add<Frame>(Body*, Default*, Frame*);
template Joint* Spec::add<Joint>(Body*, Default*, Frame*);
template Geom* Spec::add<Geom>(Body*, Default*, Frame*);
template Site* Spec::add<Site>(Body*, Default*, Frame*);
template Camera* Spec::add<Camera>(Body*, Default*, Frame*);
template Light* Spec::add<Light>(Body*, Default*, Frame*);

Default* Spec::find_default(std::string_view name) const {
  for (Default* def : defaults_) {
    if (def->name == name) return def;
  }
  return nullptr;
}

Default* Spec::add_default(std::string name, Default* parent) {
  if (find_default(name)) return nullptr;
  if (!parent) parent = main_;
  Default* def = make<Default>();
  def->name = std::move(name);
  def->parent = parent;
  def->joint = parent->joint;
  def->geom = parent->geom;
  def->site = parent->site;
  def->camera = parent->camera;
  def->light = parent->light;
  def->flex = parent->flex;
  def->mesh = parent->mesh;
  def->texture = parent->texture;
  def->material = parent->material;
  def->pair = parent->pair;
  def->equality = parent->equality;
  def->tendon = parent->tendon;
  def->actuator = parent->actuator;
  parent->children.push_back(def);
  defaults_.push_back(def);
  return def;
}

std::vector<Body*> Spec::all_bodies() const {
  std::vector<Body*> bodies;
  collect(world_, bodies);
  return bodies;
}

template <class T>
std::vector<T*> Spec::all() const {
  if constexpr (std::is_same_v<T, Body>) {
    return all_bodies();
  } else if constexpr (std::is_base_of_v<TreeElement, T>) {
    std::vector<T*> result;
    for (Body* body : all_bodies()) {
      auto& list = list_of<T>(*body);
      result.insert(result.end(), list.begin(), list.end());
    }
    return result;
  } else {
    return list_of<T>(const_cast<Spec&>(*this));
  }
}

template std::vector<Body*> Spec::all<Body>() const;
template std::vector<Frame*> Spec::all<Frame>() const;
template std::vector<Joint*> Spec::all<Joint>() const;
template std::vector<Geom*> Spec::all<Geom>() const;
template std::vector<Site*> Spec::all<Site>() const;
template std::vector<Camera*> Spec::all<Camera>() const;
template std::vector<Light*> Spec::all<Light>() const;
template std::vector<Flex*> Spec::all<Flex>() const;
template std::vector<Mesh*> Spec::all<Mesh>() const;
template std::vector<HField*> Spec::all<HField>() const;
template std::vector<Skin*> Spec::all<Skin>() const;
template std::vector<Texture*> Spec::all<Texture>() const;
template std::vector<Material*> Spec::all<Material>() const;
template std::vector<Pair*> Spec::all<Pair>() const;
template std::vector<Exclude*> Spec::all<Exclude>() const;
template std::vector<Equality*> Spec::all<Equality>() const;
template std::vector<Tendon*> Spec::all<Tendon>() const;
template std::vector<Actuator*> Spec::all<Actuator>() const;
template std::vector<Sensor*> Spec::all<Sensor>() const;
template std::vector<Numeric*> Spec::all<Numeric>() const;
template std::vector<Text*> Spec::all<Text>() const;
template std::vector<Tuple*> Spec::all<Tuple>() const;
template std::vector<Key*> Spec::all<Key>() const;
template std::vector<Plugin*> Spec::all<Plugin>() const;

std::vector<Element*> Spec::all(ObjType kind) const {
  auto widen = [](const auto& list) { return std::vector<Element*>(list.begin(), list.end()); };
  switch (kind) {
    case ObjType::body:
    case ObjType::xbody: return widen(all_bodies());
    case ObjType::frame: return widen(all<Frame>());
    case ObjType::joint: return widen(all<Joint>());
    case ObjType::geom: return widen(all<Geom>());
    case ObjType::site: return widen(all<Site>());
    case ObjType::camera: return widen(all<Camera>());
    case ObjType::light: return widen(all<Light>());
    case ObjType::flex: return widen(flexes);
    case ObjType::mesh: return widen(meshes);
    case ObjType::hfield: return widen(hfields);
    case ObjType::skin: return widen(skins);
    case ObjType::texture: return widen(textures);
    case ObjType::material: return widen(materials);
    case ObjType::pair: return widen(pairs);
    case ObjType::exclude: return widen(excludes);
    case ObjType::equality: return widen(equalities);
    case ObjType::tendon: return widen(tendons);
    case ObjType::actuator: return widen(actuators);
    case ObjType::sensor: return widen(sensors);
    case ObjType::numeric: return widen(numerics);
    case ObjType::text: return widen(texts);
    case ObjType::tuple: return widen(tuples);
    case ObjType::key: return widen(keys);
    case ObjType::plugin: return widen(plugins);
    case ObjType::default_: return widen(defaults_);
    default: return {};
  }
}

Element* Spec::find(ObjType kind, std::string_view name) const {
  for (Element* element : all(kind)) {
    if (element->name == name) return element;
  }
  return nullptr;
}

Default* class_in_force(const Spec& spec, const Body* body, const Frame* frame) {
  for (; frame; frame = frame->frame) {
    if (!frame->childclass.empty()) {
      if (Default* def = spec.find_default(frame->childclass)) return def;
    }
  }
  for (; body; body = body->parent) {
    if (!body->childclass.empty()) {
      if (Default* def = spec.find_default(body->childclass)) return def;
    }
    for (frame = body->frame; frame; frame = frame->frame) {
      if (!frame->childclass.empty()) {
        if (Default* def = spec.find_default(frame->childclass)) return def;
      }
    }
  }
  return spec.main_default();
}

std::string describe(const Element& element) {
  std::string kind(keyword_of(element.kind));
  if (!element.name.empty()) return fmt::format("{} '{}'", kind, element.name);
  if (element.id >= 0) return fmt::format("{} {}", kind, element.id);
  return kind;
}

}  // namespace lockstep
