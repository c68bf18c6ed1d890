// spec_values.h: members of spec structs to Python and back.
#pragma once

#include <nanobind/nanobind.h>

#include "spec_fields.h"
#include "spec_object.h"

namespace lockstep::python {

// live views of the vectors of an element; `owner` keeps the element alive
template <class T>
struct ListView {
  nb::object owner;
  std::vector<T>* list;
};
// of a short text with a fixed number of characters
struct TextView {
  nb::object owner;
  std::string* text;
  size_t count;
};

// the orientation of an element
struct OrientationView {
  nb::object owner;
  Orientation* value;
};

// a plugin instance, or what an element says about the one it uses
struct PluginView {
  std::shared_ptr<SpecCore> core;
  nb::object owner;
  Plugin* instance;
  PluginRef* reference;
};

// a member as a Python object: numbers and texts by value, the rest as live views owned by `self`
nb::object read_field(const Field& field, void* owner, const Handle* handle, nb::handle self);

// Assigns a member. As a property, arrays must have their length; as keyword argument (strict =
// false) the messages are different and sizes and coefficients may be shorter.
void write_field(const Field& field, void* owner, nb::handle value);
void write_argument(const Field& field, void* owner, nb::handle value);

double to_real(nb::handle value);
int to_integer(nb::handle value);
bool to_boolean(nb::handle value);
std::string to_text(nb::handle value);
std::vector<double> to_reals(nb::handle value);
std::vector<std::string> to_texts(nb::handle value);

// property per field; `at` finds the struct that the object shows
template <class Object>
void add_fields(nb::handle type, const std::vector<Field>& fields);

void set_text(std::string& text, nb::handle value, const char* name, size_t count);
void set_text_argument(std::string& text, nb::handle value, const char* name, size_t count);

}  // namespace lockstep::python
