#include "arrays.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>

namespace lockstep::python {
namespace {

nb::dlpack::dtype dlpack_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f64: return nb::dtype<double>();
    case Dtype::f32: return nb::dtype<float>();
    case Dtype::i32: return nb::dtype<int32_t>();
    case Dtype::i64: return nb::dtype<int64_t>();
    case Dtype::boolean: return nb::dtype<bool>();
    case Dtype::chr: return nb::dtype<int8_t>();
    default: return nb::dtype<uint8_t>();
  }
}

template <class T>
T load(const void* cell) {
  T value;
  std::memcpy(&value, cell, sizeof value);
  return value;
}

template <class T>
void store(void* cell, T value) {
  std::memcpy(cell, &value, sizeof value);
}

template <class T>
T number_of(nb::handle value, const char* wanted) {
  T number{};
  if (nb::try_cast<T>(value, number)) return number;
  std::string text("expected ");
  text.append(wanted).append(", got ").append(nb::cast<std::string>(nb::repr(value)));
  throw nb::type_error(text.c_str());
}

}  // namespace

nb::object make_array(void* data, Dtype dtype, const std::vector<size_t>& shape, nb::handle owner,
                      const std::vector<int64_t>& strides) {
  nb::ndarray<nb::numpy> array(data, shape.size(), shape.data(), owner,
                               strides.empty() ? nullptr : strides.data(), dlpack_of(dtype));
  return nb::cast(array);
}

void assign_array(const nb::object& array, nb::handle value) {
  nb::handle everything(Py_Ellipsis);
  if (PyObject_SetItem(array.ptr(), everything.ptr(), value.ptr())) throw nb::python_error();
}

nb::object read_number(const void* cell, Dtype dtype) {
  switch (dtype) {
    case Dtype::f64: return nb::float_(load<double>(cell));
    case Dtype::f32: return nb::float_(double{load<float>(cell)});
    case Dtype::i32: return nb::int_(load<int32_t>(cell));
    case Dtype::i64: return nb::int_(load<int64_t>(cell));
    case Dtype::boolean: return nb::bool_(load<bool>(cell));
    default: return nb::int_(load<uint8_t>(cell));
  }
}

void write_number(void* cell, Dtype dtype, nb::handle value) {
  switch (dtype) {
    case Dtype::f64: return store(cell, number_of<double>(value, "a number"));
    case Dtype::f32: return store(cell, static_cast<float>(number_of<double>(value, "a number")));
    case Dtype::i32: return store(cell, number_of<int32_t>(value, "an integer"));
    case Dtype::i64: return store(cell, number_of<int64_t>(value, "an integer"));
    case Dtype::boolean: return store(cell, number_of<bool>(value, "True or False"));
    default: return store(cell, number_of<uint8_t>(value, "an integer"));
  }
}

void add_property(nb::handle type, const char* name, const nb::object& get, const nb::object& set,
                  std::string_view doc) {
  nb::handle property(reinterpret_cast<PyObject*>(&PyProperty_Type));
  nb::setattr(type, name, property(get, set, nb::none(), nb::str(doc.data(), doc.size())));
}

std::string describe_object(nb::handle self, std::string_view title,
                            const std::vector<std::string>& attributes) {
  std::string text("<");
  text.append(title).append("\n");
  for (const std::string& attribute : attributes) {
    std::string value = nb::cast<std::string>(nb::repr(self.attr(attribute.c_str())));
    text.append("  ").append(attribute).append(": ");
    for (char c : value) {
      text += c;
      if (c == '\n' && value[0] == '<') text += "  ";  // objects within objects
    }
    text += '\n';
  }
  text += '>';
  return text;
}

}  // namespace lockstep::python
