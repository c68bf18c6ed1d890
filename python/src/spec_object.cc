#include "spec_object.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <unordered_map>

#include "spec_values.h"

namespace lockstep::python {
namespace {

// borrowed: an object removes itself when Python lets it go
std::unordered_map<const void*, PyObject*>& objects() {
  static auto* map = new std::unordered_map<const void*, PyObject*>;
  return *map;
}

}  // namespace

Handle::~Handle() {
  if (attributes) objects().erase(attributes);
}

Element& Handle::get() const {
  if (!element)
    throw nb::attribute_error("prototypes of default classes have no place in the model");
  return *element;
}

nb::object find_object(const void* attributes) {
  auto found = objects().find(attributes);
  return found == objects().end() ? nb::object() : nb::borrow(found->second);
}

void remember_object(const void* attributes, nb::handle object) {
  objects()[attributes] = object.ptr();
}

void set_name(Element& element, const std::string& name) {
  if (name == element.name) return;
  Element* other = name.empty() ? nullptr : element.spec->find(element.kind, name);
  if (other) {
    throw nb::value_error(
        fmt::format("Error: repeated name '{}' in {}", name, keyword_of(element.kind)).c_str());
  }
  element.name = name;
}

nb::object wrap_element(const std::shared_ptr<SpecCore>& core, Element* element) {
  if (!element) return nb::none();
  switch (element->kind) {
#define CASE(kind, Type) \
  case ObjType::kind: return wrap<Type>(core, static_cast<Type*>(element));
    CASE(body, Body)
    CASE(frame, Frame)
    CASE(joint, Joint)
    CASE(geom, Geom)
    CASE(site, Site)
    CASE(camera, Camera)
    CASE(light, Light)
    CASE(flex, Flex)
    CASE(mesh, Mesh)
    CASE(hfield, HField)
    CASE(skin, Skin)
    CASE(texture, Texture)
    CASE(material, Material)
    CASE(pair, Pair)
    CASE(exclude, Exclude)
    CASE(equality, Equality)
    CASE(tendon, Tendon)
    CASE(actuator, Actuator)
    CASE(sensor, Sensor)
    CASE(numeric, Numeric)
    CASE(text, Text)
    CASE(tuple, Tuple)
    CASE(key, Key)
    CASE(default_, Default)
#undef CASE
    default: return nb::none();
  }
}

}  // namespace lockstep::python
