#include "spec_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::python {
namespace {

struct Alternative {
  const char* name;
  OrientationType type;
  size_t count;
};
constexpr Alternative alternatives[] = {{"axisangle", OrientationType::axisangle, 4},
                                        {"xyaxes", OrientationType::xyaxes, 6},
                                        {"zaxis", OrientationType::zaxis, 3},
                                        {"euler", OrientationType::euler, 3}};

double* numbers_of(Orientation& orientation, OrientationType type) {
  switch (type) {
    case OrientationType::axisangle: return orientation.axisangle.data();
    case OrientationType::xyaxes: return orientation.xyaxes.data();
    case OrientationType::zaxis: return orientation.zaxis.data();
    default: return orientation.euler.data();
  }
}

// euler, axisangle ...; with the letter i for the inertial frame
bool set_orientation(const std::string& key, nb::handle value, void* attributes,
                     const std::vector<Field>& fields, std::set<std::string>& set) {
  for (const char* prefix : {"", "i"}) {
    for (const Alternative& alternative : alternatives) {
      if (key != std::string(prefix) + alternative.name) continue;
      std::string member = std::string(prefix) + "alt";
      for (const Field& field : fields) {
        if (member != field.name) continue;
        std::vector<double> numbers = to_reals(value);
        if (numbers.size() != alternative.count) {
          throw nb::value_error(
              fmt::format("{} should be a list/array of size {}.", key, alternative.count).c_str());
        }
        if (!set.insert(member).second) {
          throw nb::value_error(
              fmt::format("Only one of: {0}axisangle, {0}xyaxes, {0}zaxis, or {0}euler can be set.",
                          prefix)
                  .c_str());
        }
        auto& orientation = *static_cast<Orientation*>(field.at(attributes));
        orientation.type = alternative.type;
        std::copy(numbers.begin(), numbers.end(), numbers_of(orientation, alternative.type));
        return true;
      }
    }
  }
  return false;
}

bool set_special(const std::string& key, nb::handle value, Element* element) {
  if (key == "name") {
    set_name(*element, to_text(value));
  } else if (key == "info") {
    element->info = to_text(value);
  } else if (key == "childclass" && element->kind == ObjType::body) {
    static_cast<Body*>(element)->childclass = to_text(value);
  } else if (key == "childclass" && element->kind == ObjType::frame) {
    static_cast<Frame*>(element)->childclass = to_text(value);
  } else if (key == "gridlayout" && element->kind == ObjType::texture) {
    set_text_argument(static_cast<Texture*>(element)->gridlayout, value, "gridlayout", 12);
  } else {
    return false;
  }
  return true;
}

void fill(Element* element, void* attributes, const std::vector<Field>& fields,
          const char* function, const nb::kwargs& arguments) {
  std::set<std::string> orientations;
  for (auto [name, value] : arguments) {
    if (value.is_none()) continue;
    std::string key = nb::cast<std::string>(name);
    if (set_special(key, value, element)) continue;
    if (set_orientation(key, value, attributes, fields, orientations)) continue;
    auto found = std::find_if(fields.begin(), fields.end(),
                              [&](const Field& field) { return key == field.name; });
    if (found == fields.end() || found->kind == Kind::orientation) {
      throw nb::type_error(
          fmt::format("{}() got an unexpected keyword argument '{}'", function, key).c_str());
    }
    write_argument(*found, attributes, value);
  }
}

}  // namespace

nb::object finish_element(const std::shared_ptr<SpecCore>& core, Element* element, void* attributes,
                          const std::vector<Field>& fields, const char* function,
                          const nb::kwargs& arguments) {
  try {
    fill(element, attributes, fields, function, arguments);
  } catch (...) {
    element->spec->remove(element);
    throw;
  }
  return wrap_element(core, element);
}

Default* default_argument(nb::handle positional, nb::kwargs& arguments) {
  nb::object value = nb::borrow(positional);
  if (arguments.contains("default")) {
    value = nb::borrow(arguments["default"]);
    PyDict_DelItemString(arguments.ptr(), "default");
  }
  if (value.is_none()) return nullptr;
  if (!nb::isinstance<HandleOf<Default>>(value)) {
    throw nb::type_error("default: expected an MjsDefault");
  }
  return &nb::cast<HandleOf<Default>&>(value).item();
}

}  // namespace lockstep::python
