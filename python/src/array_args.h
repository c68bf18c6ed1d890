// array_args.h: NumPy arrays as arguments of functions in MuJoCo's style: results are written in
// place.
#pragma once

#include <nanobind/nanobind.h>

#include <type_traits>

namespace lockstep::python {

namespace nb = nanobind;

// a vector of N numbers (-1: any count, -2: of any shape, row by row), or a matrix; T is const for
// inputs, which are converted if they must be
template <class T, int N>
struct Vector {
  T* data = nullptr;
  int64_t size = 0;
  nb::object array;  // keeps the memory

  T& operator[](int64_t i) const { return data[i]; }
};

template <class T>
struct Matrix {
  T* data = nullptr;
  int64_t rows = 0;
  int64_t cols = 0;
  nb::object array;

  T& operator()(int64_t row, int64_t col) const { return data[row * cols + col]; }
};

template <int N = -1>
using In = Vector<const double, N>;
template <int N = -1>
using Out = Vector<double, N>;
using InMat = Matrix<const double>;
using OutMat = Matrix<double>;
using InInts = Vector<const int, -1>;

// shapes that do not fit are errors of type, as in MuJoCo
inline void require(bool good, const char* message) {
  if (!good) throw nb::type_error(message);
}
using OutInts = Vector<int, -1>;

// buffer of an array, released with it
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  // contiguous memory of numbers of this kind ('d', 'f', 'i'); false, without a Python error, if it
  // is not
  bool open(PyObject* object, char kind, bool writable) {
    release();
    int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, &view_, flags)) {
      PyErr_Clear();
      return false;
    }
    open_ = true;
    return view_.format && view_.format[0] == kind && !view_.format[1];
  }
  const Py_buffer& view() const { return view_; }

 private:
  void release() {
    if (open_) PyBuffer_Release(&view_);
    open_ = false;
  }
  Py_buffer view_{};
  bool open_ = false;
};

template <class T>
constexpr char kind_of() {
  using Plain = std::remove_const_t<T>;
  return std::is_same_v<Plain, double>  ? 'd'
         : std::is_same_v<Plain, float> ? 'f'
         : std::is_same_v<Plain, int>   ? 'i'
                                        : 'B';
}

// the array itself if it fits, a converted copy for inputs; null if neither is possible
template <class T>
nb::object fitting_array(nb::handle source, Buffer& buffer) noexcept {
  if (buffer.open(source.ptr(), kind_of<T>(), !std::is_const_v<T>)) return nb::borrow(source);
  if (!std::is_const_v<T> || source.is_none()) return {};
  try {
    const char* name = kind_of<T>() == 'd'   ? "float64"
                       : kind_of<T>() == 'f' ? "float32"
                       : kind_of<T>() == 'i' ? "int32"
                                             : "uint8";
    nb::object copy =
        nb::module_::import_("numpy").attr("ascontiguousarray")(source, nb::arg("dtype") = name);
    if (buffer.open(copy.ptr(), kind_of<T>(), false)) return copy;
  } catch (nb::python_error& error) {
    error.restore();
    PyErr_Clear();
  }
  return {};
}

}  // namespace lockstep::python

NAMESPACE_BEGIN(NB_NAMESPACE)
NAMESPACE_BEGIN(detail)

template <class T, int N>
struct type_caster<lockstep::python::Vector<T, N>> {
  using Held = lockstep::python::Vector<T, N>;
  NB_TYPE_CASTER(Held, const_name("numpy.typing.NDArray"))

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    lockstep::python::Buffer buffer;
    value.array = lockstep::python::fitting_array<T>(source, buffer);
    if (!value.array.is_valid()) return false;
    const Py_buffer& view = buffer.view();
    int64_t count = view.len / view.itemsize;
    bool line =
        N == -2 || view.ndim == 1 || (view.ndim == 2 && (view.shape[0] == 1 || view.shape[1] == 1));
    if (!line || (N >= 0 && count != N)) return false;
    value.data = static_cast<T*>(view.buf);
    value.size = count;
    return true;
  }
};

template <class T>
struct type_caster<lockstep::python::Matrix<T>> {
  using Held = lockstep::python::Matrix<T>;
  NB_TYPE_CASTER(Held, const_name("numpy.typing.NDArray"))

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    lockstep::python::Buffer buffer;
    value.array = lockstep::python::fitting_array<T>(source, buffer);
    if (!value.array.is_valid() || buffer.view().ndim != 2) return false;
    value.data = static_cast<T*>(buffer.view().buf);
    value.rows = buffer.view().shape[0];
    value.cols = buffer.view().shape[1];
    return true;
  }
};

NAMESPACE_END(detail)
NAMESPACE_END(NB_NAMESPACE)
