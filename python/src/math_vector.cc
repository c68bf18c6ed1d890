// math_vector.cc: mju_* functions of numbers and vectors.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "array_args.h"
#include "bind.h"
#include "math/elementary.h"
#include "model/types.h"

namespace lockstep::python {
namespace {

using nb::arg;

constexpr double max_val = 1e10;  // larger numbers mean that a simulation has blown up

template <class A, class B>
void same_size(const A& a, const B& b, const char* message) {
  if (a.size != b.size) throw nb::type_error(message);
}

template <class A, class B>
double dot(const A& a, const B& b) {
  double sum = 0;
  for (int64_t i = 0; i < a.size; i++) sum += a[i] * b[i];
  return sum;
}

// becomes a unit vector, or the first axis if it is too short; returns the old length
template <class A>
double normalize(const A& a) {
  double length = std::sqrt(dot(a, a));
  if (length < mjMINVAL) {
    for (int64_t i = 0; i < a.size; i++) a[i] = i == 0;
  } else {
    for (int64_t i = 0; i < a.size; i++) a[i] *= 1 / length;
  }
  return length;
}

// res = f(vec1, vec2), element by element, for any length and for length 3
template <class F>
void def_binary(nb::module_& m, const char* name, F f) {
  m.def(
      name,
      [f](Out<> res, In<> vec1, In<> vec2) {
        same_size(res, vec1, "res and vec1 should have the same size");
        same_size(res, vec2, "res and vec2 should have the same size");
        for (int64_t i = 0; i < res.size; i++) res[i] = f(vec1[i], vec2[i]);
      },
      arg("res"), arg("vec1"), arg("vec2"));
  m.def((std::string(name) + "3").c_str(),
        [f](Out<3> res, In<3> vec1, In<3> vec2) {
          for (int i = 0; i < 3; i++) res[i] = f(vec1[i], vec2[i]);
        },
        arg("res"), arg("vec1"), arg("vec2"));
}

// res = f(res, vec)
template <class F>
void def_update(nb::module_& m, const char* name, F f) {
  m.def(
      name,
      [f](Out<> res, In<> vec) {
        same_size(res, vec, "res and vec should have the same size");
        for (int64_t i = 0; i < res.size; i++) res[i] = f(res[i], vec[i]);
      },
      arg("res"), arg("vec"));
  m.def((std::string(name) + "3").c_str(),
        [f](Out<3> res, In<3> vec) {
          for (int i = 0; i < 3; i++) res[i] = f(res[i], vec[i]);
        },
        arg("res"), arg("vec"));
}

template <int N>
void def_copy(nb::module_& m, const char* name, const char* source) {
  m.def(
      name,
      [](Out<N> res, In<N> data) {
        same_size(res, data, "res and data should have the same size");
        if (res.size) std::memmove(res.data, data.data, size_t(res.size) * sizeof(double));
      },
      arg("res"), arg(source));
}

template <int N>
void def_zero(nb::module_& m, const char* name) {
  m.def(name, [](Out<N> res) { std::fill(res.data, res.data + res.size, 0.0); }, arg("res"));
}

void bind_numbers(nb::module_& m) {
  m.def("mju_min", [](double a, double b) { return a <= b ? a : b; }, arg("a"), arg("b"));
  m.def("mju_max", [](double a, double b) { return a >= b ? a : b; }, arg("a"), arg("b"));
  m.def(
      "mju_clip",
      [](double x, double min, double max) { return x < min   ? min
                                                    : x > max ? max
                                                              : x; }, arg("x"),
      arg("min"), arg("max"));
  m.def("mju_sign", [](double x) { return x < 0 ? -1.0 : x > 0 ? 1.0 : 0.0; }, arg("x"));
  m.def("mju_round", [](double x) { return int64_t(std::round(x)); }, arg("x"));
  m.def("mju_isBad", [](double x) { return int(!(x >= -max_val && x <= max_val)); }, arg("x"));
  m.def(
      "mju_Halton",
      [](int index, int base) {
        double f = 1.0 / base, h = 0;
        for (int n = index; n > 0; n /= base, f /= base) h += f * (n % base);
        return h;
      },
      arg("index"), arg("base"));
  m.def(
      "mju_sigmoid",
      [](double x) { return x <= 0   ? 0.0
                            : x >= 1 ? 1.0
                                     : x * x * x * (3 * x * (2 * x - 5) + 10); },
      arg("x"));
  m.def(
      "mju_springDamper",
      [](double pos0, double vel0, double kp, double kv, double dt) {
        double det = kv * kv / 4 - kp, a = -kv / 2;
        if (det > mjMINVAL) {  // overdamped
          double r1 = a - std::sqrt(det), r2 = a + std::sqrt(det);
          double c2 = (vel0 - r1 * pos0) / (r2 - r1), c1 = pos0 - c2;
          return c1 * std::exp(r1 * dt) + c2 * std::exp(r2 * dt);
        }
        if (det >= -mjMINVAL) return std::exp(a * dt) * (pos0 + (vel0 - a * pos0) * dt);
        double w = std::sqrt(-det);
        return std::exp(a * dt) *
               (pos0 * std::cos(w * dt) + (vel0 - a * pos0) / w * std::sin(w * dt));
      },
      arg("pos0"), arg("vel0"), arg("Kp"), arg("Kv"), arg("dt"));
}

void bind_elementwise(nb::module_& m) {
  def_binary(m, "mju_add", [](double a, double b) { return a + b; });
  def_binary(m, "mju_sub", [](double a, double b) { return a - b; });
  def_update(m, "mju_addTo", [](double a, double b) { return a + b; });
  def_update(m, "mju_subFrom", [](double a, double b) { return a - b; });
  def_copy<-1>(m, "mju_copy", "vec");
  def_copy<3>(m, "mju_copy3", "data");
  def_copy<4>(m, "mju_copy4", "data");
  def_copy<-1>(m, "mju_n2d", "vec");
  def_copy<-1>(m, "mju_d2n", "vec");
  def_zero<-1>(m, "mju_zero");
  def_zero<3>(m, "mju_zero3");
  def_zero<4>(m, "mju_zero4");
  m.def(
      "mju_f2n",
      [](Out<> res, Vector<const float, -1> vec) {
        same_size(res, vec, "res and vec should have the same size");
        std::copy(vec.data, vec.data + vec.size, res.data);
      },
      arg("res"), arg("vec"));
  m.def(
      "mju_n2f",
      [](Vector<float, -1> res, In<> vec) {
        same_size(res, vec, "res and vec should have the same size");
        for (int64_t i = 0; i < res.size; i++) res[i] = float(vec[i]);
      },
      arg("res"), arg("vec"));
  m.def(
      "mju_fill", [](Out<> res, double val) { std::fill(res.data, res.data + res.size, val); },
      arg("res"), arg("val"));
  m.def(
      "mju_unit4",
      [](Out<4> res) {
        for (int i = 0; i < 4; i++) res[i] = i == 0;
      },
      arg("res"));
}

template <int N>
void bind_scaled(nb::module_& m, const char* suffix) {
  auto name = [&](const char* stem) { return std::string(stem) + suffix; };
  m.def(
      name("mju_scl").c_str(),
      [](Out<N> res, In<N> vec, double scl) {
        same_size(res, vec, "res and vec should have the same size");
        for (int64_t i = 0; i < res.size; i++) res[i] = vec[i] * scl;
      },
      arg("res"), arg("vec"), arg("scl"));
  m.def(
      name("mju_addScl").c_str(),
      [](Out<N> res, In<N> vec1, In<N> vec2, double scl) {
        same_size(res, vec1, "res and vec1 should have the same size");
        same_size(res, vec2, "res and vec2 should have the same size");
        for (int64_t i = 0; i < res.size; i++) res[i] = vec1[i] + vec2[i] * scl;
      },
      arg("res"), arg("vec1"), arg("vec2"), arg("scl"));
  m.def(
      name("mju_addToScl").c_str(),
      [](Out<N> res, In<N> vec, double scl) {
        same_size(res, vec, "res and vec should have the same size");
        for (int64_t i = 0; i < res.size; i++) res[i] += vec[i] * scl;
      },
      arg("res"), arg("vec"), arg("scl"));
  m.def(
      name("mju_dot").c_str(),
      [](In<N> vec1, In<N> vec2) {
        same_size(vec1, vec2, "vec1 and vec2 should have the same size");
        return dot(vec1, vec2);
      },
      arg("vec1"), arg("vec2"));
}

void bind_measures(nb::module_& m) {
  m.def(
      "mju_sum",
      [](In<> vec) {
        double sum = 0;
        for (int64_t i = 0; i < vec.size; i++) sum += vec[i];
        return sum;
      },
      arg("vec"));
  m.def(
      "mju_L1",
      [](In<> vec) {
        double sum = 0;
        for (int64_t i = 0; i < vec.size; i++) sum += std::abs(vec[i]);
        return sum;
      },
      arg("vec"));
  m.def(
      "mju_isZero",
      [](In<> vec) {
        return int(std::all_of(vec.data, vec.data + vec.size, [](double x) { return x == 0; }));
      },
      arg("vec"));
  m.def("mju_norm", [](In<> res) { return std::sqrt(dot(res, res)); }, arg("res"));
  m.def("mju_norm3", [](In<3> vec) { return std::sqrt(dot(vec, vec)); }, arg("vec"));
  m.def("mju_normalize", [](Out<> res) { return normalize(res); }, arg("res"));
  m.def("mju_normalize3", [](Out<3> vec) { return normalize(vec); }, arg("vec"));
  m.def(
      "mju_dist3",
      [](In<3> pos1, In<3> pos2) {
        double square = 0;
        for (int i = 0; i < 3; i++) square += (pos1[i] - pos2[i]) * (pos1[i] - pos2[i]);
        return std::sqrt(square);
      },
      arg("pos1"), arg("pos2"));
  m.def(
      "mju_insertionSort", [](Out<> list) { std::stable_sort(list.data, list.data + list.size); },
      arg("list"));
  m.def(
      "mju_insertionSortInt",
      [](OutInts list) { std::stable_sort(list.data, list.data + list.size); }, arg("list"));
}

// edges of a friction pyramid to forces and back: two edges per tangential direction. As in
// MuJoCo's package, `mu` has as many elements as the contact has dimensions, and the last one is
// not used.
void bind_pyramid(nb::module_& m) {
  m.def(
      "mju_encodePyramid",
      [](Out<> pyramid, In<> force, In<> mu) {
        if (pyramid.size != 2 * mu.size)
          throw nb::type_error("size of pyramid should be twice as large as size of mu");
        if (force.size != mu.size + 1)
          throw nb::type_error("size of force should be exactly one larger than size of mu");
        double normal = force[0] / double(mu.size - 1);
        for (int64_t i = 0; i + 1 < mu.size; i++) {
          double side = std::min(normal, force[i + 1] / mu[i]);
          pyramid[2 * i] = 0.5 * (normal + side);
          pyramid[2 * i + 1] = 0.5 * (normal - side);
        }
      },
      arg("pyramid"), arg("force"), arg("mu"));
  m.def(
      "mju_decodePyramid",
      [](Out<> force, In<> pyramid, In<> mu) {
        if (pyramid.size != 2 * mu.size)
          throw nb::type_error("size of pyramid should be twice as large as size of mu");
        if (force.size != mu.size + 1)
          throw nb::type_error("size of force should be exactly one larger than size of mu");
        force[0] = 0;
        for (int64_t i = 0; i + 2 < pyramid.size; i++) force[0] += pyramid[i];
        for (int64_t i = 0; i + 1 < mu.size; i++)
          force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu[i];
      },
      arg("force"), arg("pyramid"), arg("mu"));
}

}  // namespace

void bind_vectors(nb::module_& m) {
  bind_numbers(m);
  bind_elementwise(m);
  bind_scaled<-1>(m, "");
  bind_scaled<3>(m, "3");
  bind_measures(m);
  bind_pyramid(m);
}

}  // namespace lockstep::python
