#include "spec_values.h"

#include <fmt/format.h>
#include <nanobind/make_iterator.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "model_object.h"

namespace lockstep::python {
namespace {

[[noreturn]] void wrong_type(const std::string& message) { throw nb::type_error(message.c_str()); }
[[noreturn]] void wrong_value(const std::string& message) {
  throw nb::value_error(message.c_str());
}

std::string shown(nb::handle value) { return nb::cast<std::string>(nb::repr(value)); }

// elements of a sequence; texts and numbers are none
std::vector<nb::object> items_of(nb::handle value) {
  if (nb::isinstance<nb::str>(value) || !PyObject_HasAttrString(value.ptr(), "__iter__")) {
    wrong_type(fmt::format("expected a list or an array, got {}", shown(value)));
  }
  std::vector<nb::object> items;
  for (nb::handle item : nb::iter(value)) items.push_back(nb::borrow(item));
  return items;
}

template <class T, class Convert>
std::vector<T> list_of(nb::handle value, Convert convert) {
  std::vector<T> result;
  for (const nb::object& item : items_of(value)) result.push_back(static_cast<T>(convert(item)));
  return result;
}

template <class T, class Convert>
std::vector<std::vector<T>> lists_of(nb::handle value, Convert convert) {
  std::vector<std::vector<T>> result;
  for (const nb::object& item : items_of(value)) result.push_back(list_of<T>(item, convert));
  return result;
}

template <class T>
T& as(void* data) {
  return *static_cast<T*>(data);
}

void store(const Field& field, void* data, size_t index, double value) {
  if (field.kind == Kind::reals) static_cast<double*>(data)[index] = value;
  if (field.kind == Kind::reals32) static_cast<float*>(data)[index] = static_cast<float>(value);
  if (field.kind == Kind::integers) static_cast<int*>(data)[index] = static_cast<int>(value);
}

bool is_array(const Field& field) {
  return field.kind == Kind::reals || field.kind == Kind::reals32 || field.kind == Kind::integers;
}

bool is_number(nb::handle value) {
  return PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr()) ||
         (PyObject_HasAttrString(value.ptr(), "__float__") &&
          !PyObject_HasAttrString(value.ptr(), "__len__"));
}

void assign_plugin(PluginRef& reference, nb::handle value) {
  if (!nb::isinstance<PluginView>(value)) wrong_type("expected an MjsPlugin");
  const PluginView& view = nb::cast<PluginView&>(value);
  if (view.reference) {
    reference = *view.reference;
  } else {
    reference.name = view.instance->name;
    reference.plugin_name = view.instance->plugin_name;
    reference.active = view.instance->active;
    reference.config =
        reference.name.empty() ? view.instance->config : decltype(reference.config){};
  }
}

std::vector<uint8_t> to_bytes(nb::handle value) {
  if (nb::isinstance<nb::bytes>(value)) {
    nb::bytes bytes = nb::borrow<nb::bytes>(value);
    auto* start = static_cast<const uint8_t*>(bytes.data());
    return {start, start + bytes.size()};
  }
  if (PyObject_CheckBuffer(value.ptr())) {
    return to_bytes(nb::module_::import_("builtins").attr("bytes")(value));
  }
  return list_of<uint8_t>(value, to_integer);
}

// everything but arrays of fixed length
void write_other(const Field& field, void* data, nb::handle value) {
  switch (field.kind) {
    case Kind::real: as<double>(data) = to_real(value); break;
    case Kind::real32: as<float>(data) = static_cast<float>(to_real(value)); break;
    case Kind::integer:
    case Kind::enumeration: as<int>(data) = to_integer(value); break;
    case Kind::boolean: as<bool>(data) = to_boolean(value); break;
    case Kind::text: as<std::string>(data) = to_text(value); break;
    case Kind::real_list: as<std::vector<double>>(data) = list_of<double>(value, to_real); break;
    case Kind::real32_list: as<std::vector<float>>(data) = list_of<float>(value, to_real); break;
    case Kind::integer_list: as<std::vector<int>>(data) = list_of<int>(value, to_integer); break;
    case Kind::text_list: as<std::vector<std::string>>(data) = to_texts(value); break;
    case Kind::integer_lists:
      as<std::vector<std::vector<int>>>(data) = lists_of<int>(value, to_integer);
      break;
    case Kind::real32_lists:
      as<std::vector<std::vector<float>>>(data) = lists_of<float>(value, to_real);
      break;
    case Kind::bytes: as<std::vector<uint8_t>>(data) = to_bytes(value); break;
    case Kind::orientation:
      if (!nb::isinstance<OrientationView>(value)) wrong_type("expected an MjsOrientation");
      as<Orientation>(data) = *nb::cast<OrientationView&>(value).value;
      break;
    case Kind::plugin: assign_plugin(as<PluginRef>(data), value); break;
    default: break;
  }
}

// members whose arrays may be given in part
bool may_be_short(std::string_view name) {
  return name == "size" || name == "stiffness" || name == "damping";
}

void fill_array(const Field& field, void* data, const std::vector<double>& numbers) {
  for (int i = 0; i < field.count; ++i) {
    store(field, data, i, size_t(i) < numbers.size() ? numbers[i] : 0);
  }
}

// textures of a material have fixed places
void check_textures(const Field& field, nb::handle value) {
  if (std::string_view(field.name) != "textures") return;
  size_t count = to_texts(value).size();
  if (count == mjNTEXROLE) return;
  wrong_value(
      fmt::format("material.textures must have exactly {} elements, got {}. Assign a list "
                  "of {} texture names (use empty strings '' for unused slots).",
                  mjNTEXROLE, count, mjNTEXROLE));
}

}  // namespace

double to_real(nb::handle value) {
  double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    wrong_type(fmt::format("expected a number, got {}", shown(value)));
  }
  return number;
}

int to_integer(nb::handle value) {
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    if (std::string_view(Py_TYPE(value.ptr())->tp_name).find("bool") != std::string_view::npos) {
      return PyObject_IsTrue(value.ptr());
    }
    wrong_type(fmt::format("expected an integer, got {}", shown(value)));
  }
  long number = PyLong_AsLong(index.ptr());
  if ((number == -1 && PyErr_Occurred()) || number != static_cast<int>(number)) {
    PyErr_Clear();
    wrong_type(fmt::format("{} does not fit into 32 bits", shown(value)));
  }
  return static_cast<int>(number);
}

bool to_boolean(nb::handle value) { return to_integer(value) != 0; }

std::string to_text(nb::handle value) {
  if (!nb::isinstance<nb::str>(value)) {
    wrong_type(fmt::format("expected a str, got {}", shown(value)));
  }
  return nb::cast<std::string>(value);
}

std::vector<double> to_reals(nb::handle value) { return list_of<double>(value, to_real); }

// one text stands for a list of one, an empty text for none
std::vector<std::string> to_texts(nb::handle value) {
  if (nb::isinstance<nb::str>(value)) {
    std::string text = to_text(value);
    return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{text};
  }
  return list_of<std::string>(value, to_text);
}

nb::object read_field(const Field& field, void* owner, const Handle* handle, nb::handle self) {
  void* data = field.at(owner);
  auto keep = nb::borrow(self);
  auto array = [&](Dtype dtype) { return make_array(data, dtype, {size_t(field.count)}, self); };
  switch (field.kind) {
    case Kind::real: return nb::float_(as<double>(data));
    case Kind::real32: return nb::float_(double{as<float>(data)});
    case Kind::integer: return nb::int_(as<int>(data));
    case Kind::boolean: return nb::bool_(as<bool>(data));
    case Kind::enumeration: {
      int value = as<int>(data);
      try {
        return make_enum(field.enum_name, value);
      } catch (nb::python_error& error) {
        if (!error.matches(PyExc_ValueError)) throw;
        return nb::int_(value);  // not a member: as it is
      }
    }
    case Kind::text: return nb::cast(as<std::string>(data));
    case Kind::reals: return array(Dtype::f64);
    case Kind::reals32: return array(Dtype::f32);
    case Kind::integers: return array(Dtype::i32);
    case Kind::real_list: return nb::cast(ListView<double>{keep, &as<std::vector<double>>(data)});
    case Kind::real32_list: return nb::cast(ListView<float>{keep, &as<std::vector<float>>(data)});
    case Kind::integer_list: return nb::cast(ListView<int>{keep, &as<std::vector<int>>(data)});
    case Kind::text_list:
      return nb::cast(ListView<std::string>{keep, &as<std::vector<std::string>>(data)});
    case Kind::integer_lists: return nb::cast(as<std::vector<std::vector<int>>>(data));
    case Kind::real32_lists: return nb::cast(as<std::vector<std::vector<float>>>(data));
    case Kind::bytes: {
      auto& bytes = as<std::vector<uint8_t>>(data);
      return nb::bytes(bytes.data(), bytes.size());
    }
    case Kind::orientation: return nb::cast(OrientationView{keep, &as<Orientation>(data)});
    case Kind::plugin:
      return nb::cast(
          PluginView{handle ? handle->core : nullptr, keep, nullptr, &as<PluginRef>(data)});
  }
  return nb::none();
}

void write_field(const Field& field, void* owner, nb::handle value) {
  void* data = field.at(owner);
  bool is_scale = std::string_view(field.name) == "scale" && is_number(value);
  if (!is_array(field)) {
    check_textures(field, value);
    write_other(field, data, value);
  } else if (is_scale && field.count == 3) {
    fill_array(field, data, std::vector<double>(3, to_real(value)));
  } else {
    std::vector<double> numbers = to_reals(value);
    if (static_cast<int>(numbers.size()) != field.count) {
      std::string text =
          fmt::format("{} needs {} numbers, got {}", field.name, field.count, numbers.size());
      // one member is checked as a value, the others by their type
      if (std::string_view(field.name) == "scale") wrong_value(text);
      wrong_type(text);
    }
    fill_array(field, data, numbers);
  }
}

void write_argument(const Field& field, void* owner, nb::handle value) {
  void* data = field.at(owner);
  if (!is_array(field)) {
    bool empty_text = nb::isinstance<nb::str>(value) && field.kind == Kind::real_list;
    if (empty_text) wrong_type(fmt::format("{} should be a list/array", field.name));
    write_other(field, data, value);
    return;
  }
  bool partial = may_be_short(field.name) && field.count == 3;
  std::vector<double> numbers;
  if (is_number(value) && std::string_view(field.name) == "scale") {
    numbers.assign(3, to_real(value));
  } else if (is_number(value) && partial && std::string_view(field.name) != "size") {
    numbers = {to_real(value)};
  } else {
    numbers = to_reals(value);
  }
  size_t count = static_cast<size_t>(field.count);
  if (partial && (numbers.empty() || numbers.size() > count)) {
    wrong_value(fmt::format("{} should be a list/array of size 1 to {}.", field.name, count));
  }
  if (!partial && numbers.size() != count) {
    wrong_value(fmt::format("{} should be a list/array of size {}.", field.name, count));
  }
  fill_array(field, data, numbers);
}

void set_text(std::string& text, nb::handle value, const char* name, size_t count) {
  std::string joined;
  if (nb::isinstance<nb::str>(value)) {
    joined = to_text(value);
  } else if (nb::isinstance<TextView>(value)) {
    joined = *nb::cast<TextView&>(value).text;
  } else {
    for (const nb::object& item : items_of(value)) joined += to_text(item);
  }
  if (joined.size() > count) {
    wrong_value(fmt::format("{} may have at most {} characters", name, count));
  }
  text = joined;
}

void set_text_argument(std::string& text, nb::handle value, const char* name, size_t count) {
  std::string joined;
  if (nb::isinstance<nb::str>(value)) {
    joined = to_text(value);
  } else {
    std::vector<nb::object> items = items_of(value);
    for (const nb::object& item : items) {
      std::string piece = to_text(item);
      if (piece.size() != 1) {
        wrong_value(fmt::format("{} list elements must be single characters.", name));
      }
      joined += piece;
    }
  }
  if (joined.size() != count) {
    wrong_value(fmt::format("{} should have length {}.", name, count));
  }
  text = joined;
}

namespace {

size_t checked_index(nb::handle index, size_t size) {
  int number = to_integer(index);
  if (number < 0 || static_cast<size_t>(number) >= size)
    throw nb::index_error("Index out of range.");
  return static_cast<size_t>(number);
}

template <class T, class Convert>
void bind_list(nb::module_& m, const char* name, Convert convert) {
  using View = ListView<T>;
  nb::class_<View>(m, name)
      .def("__len__", [](View& self) { return self.list->size(); })
      .def("__getitem__",
           [](View& self, nb::object index) {
             return (*self.list)[checked_index(index, self.list->size())];
           })
      .def("__setitem__",
           [convert](View& self, nb::object index, nb::object value) {
             (*self.list)[checked_index(index, self.list->size())] = static_cast<T>(convert(value));
           })
      .def("__iter__", [](View& self) { return nb::iter(nb::cast(*self.list)); });
}

void bind_text(nb::module_& m) {
  auto at = [](TextView& self, size_t i) {
    return std::string(1, i < self.text->size() ? (*self.text)[i] : '\0');
  };
  nb::class_<TextView>(m, "MjCharVec")
      .def("__len__", [](TextView& self) { return self.count; })
      .def("__getitem__",
           [at](TextView& self, nb::object index) {
             return at(self, checked_index(index, self.count));
           })
      .def("__setitem__",
           [](TextView& self, nb::object index, nb::object value) {
             size_t i = checked_index(index, self.count);
             std::string piece = to_text(value);
             if (piece.size() != 1) wrong_type("expected a single character");
             if (self.text->size() < self.count) self.text->resize(self.count, '\0');
             (*self.text)[i] = piece[0];
           })
      .def("__iter__", [at](TextView& self) {
        nb::list pieces;
        for (size_t i = 0; i < self.count; ++i) pieces.append(at(self, i));
        return nb::iter(pieces);
      });
}

}  // namespace

template <>
void add_fields<OrientationView>(nb::handle type, const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    auto get = [field](nb::handle_t<OrientationView> self) {
      OrientationView& view = nb::cast<OrientationView&>(self);
      return read_field(field, view.value, nullptr, self);
    };
    auto set = [field](OrientationView& self, nb::object value) {
      write_field(field, self.value, value);
    };
    add_property(type, field.name, nb::cpp_function(get), nb::cpp_function(set), "");
  }
}

template <>
void add_fields<Handle>(nb::handle type, const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    auto get = [field](nb::handle_t<Handle> self) {
      Handle& handle = nb::cast<Handle&>(self);
      return read_field(field, handle.attributes, &handle, self);
    };
    auto set = [field](Handle& self, nb::object value) {
      write_field(field, self.attributes, value);
    };
    add_property(type, field.name, nb::cpp_function(get),
                 nb::cpp_function(set, nb::arg(), nb::arg("value").none()), "");
  }
}

void bind_spec_values(nb::module_& m) {
  bind_list<double>(m, "MjDoubleVec", to_real);
  bind_list<float>(m, "MjFloatVec", to_real);
  bind_list<int>(m, "MjIntVec", to_integer);
  bind_list<std::string>(m, "MjStringVec", to_text);
  bind_text(m);
  nb::class_<OrientationView> orientation(m, "MjsOrientation");
  add_fields<OrientationView>(orientation, fields_of<Orientation>());
}

}  // namespace lockstep::python
