// samples.h: the functions under test, each listed once, and the arguments to try them on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/elementary.h"

// clang-format off
#define LOCKSTEP_UNARY(X) \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(exp) X(log) X(sinh) X(cosh) X(tanh) X(cbrt) \
  X(floor) X(ceil) X(trunc) X(round)
#define LOCKSTEP_BINARY(X) X(atan2) X(pow) X(hypot) X(fmod)
// clang-format on

namespace lockstep::samples {

// splitmix64: the same numbers everywhere.
struct Random {
  uint64_t state = 1;
  uint64_t bits() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double unit() { return double(bits() >> 11) * 0x1p-53; }
  double between(double lo, double hi) { return lo + (hi - lo) * unit(); }
};

// values where functions like to go wrong: zeros, subnormals, powers of two and their neighbours,
// multiples of pi/4, thresholds of exp and sinh, the largest numbers, infinities, NaN.
template <class T>
std::vector<T> edges() {
  std::vector<T> e;
  auto add = [&](double x) {
    for (const double s : {x, -x}) {
      const T t = T(s);
      e.push_back(t);
      e.push_back(from_bits(to_bits(t) + 1));
      e.push_back(from_bits(to_bits(t) - 1));
    }
  };
  constexpr int lowest = sizeof(T) == 8 ? -1074 : -149, highest = sizeof(T) == 8 ? 1023 : 127;
  for (int k = lowest; k <= highest; k += (k > -70 && k < 70) ? 1 : 13) add(__builtin_ldexp(1, k));
  for (int k = 1; k <= 64; ++k) add(k * pi / 4);
  for (int k = 1; k <= 40; ++k) add(k * 0.5);
  for (double x : {88.722839, 103.97208, 709.782712893384, 710.4758600739439, 745.1332191019412,
                   708.3964185322641, 0.34657359027997264, 0.55, 1e6, 1e22, 1e300, 1.7e308})
    add(x);
  // the argument of a double that comes closest to a multiple of pi/2
  add(6381956970095103.0 * 0x1p797);
  e.push_back(T(__builtin_inf()));
  e.push_back(-T(__builtin_inf()));
  e.push_back(T(__builtin_nan("")));
  return e;
}

// one in four any bit pattern, the others spread over the magnitudes and over [-20, 20].
template <class T>
T draw(Random& random) {
  const uint64_t kind = random.bits() & 3;
  if (kind == 0) return from_bits(Bits<T>(random.bits()));
  if (kind == 1) return T(random.between(-20, 20));
  if (kind == 2) return T(random.between(-1, 1));
  // one draw per statement: compilers may evaluate arguments in any order.
  const double mantissa = random.between(1, 2);
  const double x = __builtin_ldexp(mantissa, int(random.bits() % 80) - 60);
  return T(random.bits() & 1 ? x : -x);
}

template <class T>
struct Pairs {
  std::vector<T> a, b;
  void add(T x, T y) {
    a.push_back(x);
    b.push_back(y);
  }
};

// n pairs: half of them edges with edges, then whole exponents, near pairs and random ones.
template <class T>
Pairs<T> argument_pairs(size_t n) {
  Pairs<T> p;
  const std::vector<T> e = edges<T>();
  Random random;
  for (size_t i = 0; i < n / 2; ++i) p.add(e[i % e.size()], e[random.bits() % e.size()]);
  while (p.a.size() < n) {
    const T x = draw<T>(random), y = draw<T>(random);
    p.add(x, y);
    p.add(x, T(int(random.bits() % 64) - 32));
    p.add(x, T(x * T(random.between(0.3, 3))));
    const T near_one = T(random.between(0.9, 1.1)), exponent = T(random.between(-7000, 7000));
    p.add(near_one, exponent);
  }
  const size_t whole_packs = p.a.size() / 16 * 16;  // the same arguments for every width
  p.a.resize(whole_packs);
  p.b.resize(whole_packs);
  return p;
}

template <class T>
std::vector<T> arguments(size_t n) {
  std::vector<T> a = edges<T>();
  Random random;
  while (a.size() < n) a.push_back(draw<T>(random));
  return a;
}

}  // namespace lockstep::samples
