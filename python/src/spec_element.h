// spec_element.h: what all element classes have in common.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "spec_values.h"

namespace lockstep::python {

// fields of a kind of element, as the attributes list them
template <class T>
const std::vector<Field>& fields_of_element() {
  return fields_of<typename T::AttributesType>();
}

// a class with the members of the attribute struct and what every element has
template <class T>
nb::class_<HandleOf<T>, Handle> bind_element(nb::module_& m, const char* name) {
  nb::class_<HandleOf<T>, Handle> type(m, name);
  add_fields<Handle>(type, fields_of_element<T>());
  return type;
}

// the class that an element was made from; elements outside the tree and leaves of it
template <class T>
void add_classname(nb::class_<HandleOf<T>, Handle>& type) {
  type.def_prop_rw(
      "classname", [](HandleOf<T>& self) { return wrap<Default>(self.core, self.item().def); },
      [](HandleOf<T>& self, HandleOf<Default>& def) { self.item().def = &def.item(); });
}

// Fills a new element from keyword arguments and returns its object. If an argument is wrong the
// element goes again.
nb::object finish_element(const std::shared_ptr<SpecCore>& core, Element* element, void* attributes,
                          const std::vector<Field>& fields, const char* function,
                          const nb::kwargs& arguments);

// takes "default" out of keyword arguments: the class given, or null
Default* default_argument(nb::handle positional, nb::kwargs& arguments);

template <class T>
nb::object finish(const std::shared_ptr<SpecCore>& core, T* item, const char* function,
                  const nb::kwargs& arguments) {
  return finish_element(core, item, &item->attributes(), fields_of_element<T>(), function,
                        arguments);
}

void bind_make_flex(nb::class_<HandleOf<Body>, Handle>& type);

}  // namespace lockstep::python
