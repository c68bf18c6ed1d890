// lanes.h: runs a function on packs and on plain numbers and compares the bits.
#pragma once

#include "math/pack.h"
#include "math/samples.h"

namespace lockstep::samples {

// all NaN are one: their sign and payload are not promised.
template <class T>
Bits<T> canonical(T x) {
  return x != x ? to_bits(T(0)) - 1 : to_bits(x);
}

// how many lanes differ from the plain result; arguments rotate so that lanes get strangers.
template <class P, class F>
size_t differing_lanes(F f, const Pairs<Scalar<P>>& args) {
  using T = Scalar<P>;
  constexpr size_t width = lanes<P>;
  size_t wrong = 0;
  for (size_t at = 0; at + width <= args.a.size(); at += width) {
    P x, y;
    for (size_t i = 0; i < width; ++i) {
      set_lane(x, int(i), args.a[at + i]);
      set_lane(y, int(i), args.b[at + i]);
    }
    const P r = f(x, y);
    for (size_t i = 0; i < width; ++i) {
      const T want = f(args.a[at + i], args.b[at + i]);
      wrong += canonical(lane(r, int(i))) != canonical(want);
    }
  }
  return wrong;
}

struct Name {
  const char* text;
};

// calls visit(name, function of two numbers) for each function; unary ones ignore the second.
template <class Visit>
void for_each_function(Visit&& visit) {
#define VISIT_UNARY(f) visit(Name{#f}, [](auto x, auto) { return f(x); });
#define VISIT_BINARY(f) visit(Name{#f}, [](auto x, auto y) { return f(x, y); });
  LOCKSTEP_UNARY(VISIT_UNARY)
  LOCKSTEP_BINARY(VISIT_BINARY)
#undef VISIT_UNARY
#undef VISIT_BINARY
  visit(Name{"arithmetic"}, [](auto x, auto y) { return (x + y) * (x - y) / y; });
  visit(Name{"sqrt"}, [](auto x, auto) { return sqrt(x); });
  visit(Name{"min max"}, [](auto x, auto y) { return min(x, y) - max(y, x); });
  visit(Name{"min"}, [](auto x, auto y) { return min(x, y); });
  visit(Name{"max"}, [](auto x, auto y) { return max(x, y); });
  visit(Name{"clamp"}, [](auto x, auto y) { return clamp(x, -abs(y), abs(y)); });
  visit(Name{"sign"}, [](auto x, auto y) { return copysign(sign(x), y); });
}

}  // namespace lockstep::samples
