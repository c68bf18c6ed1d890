// paths about spheres and cylinders: lanes equal plain numbers, whatever their neighbours do.
#include "stage/position/wrap.h"

#include <gtest/gtest.h>

#include <random>

#include "math/pack.h"

namespace lockstep {
namespace {

constexpr int width = 4;
using P = Pack<double, width>;

struct Case {
  Vec3<double> from, to, center, side;
  Mat3<double> mat;
  double radius;
};

struct Draw {
  std::mt19937_64 random{7};

  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  Vec3<double> vec(double size) {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }
  // ends near the obstacle, at times inside, in line with its center or on it; a side site inside
  // or outside
  Case one() {
    Case c;
    c.center = vec(1);
    c.mat =
        to_mat(normalize(Quat<double>{number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)}));
    const int kind = int(number(0, 10));
    c.radius = kind == 0 ? 0.0 : number(0.05, 0.5);
    c.from = c.center + vec(1);
    c.to = kind == 1 ? c.center - (c.from - c.center) * 0.5 : c.center + vec(1);
    if (kind == 2) c.to = c.center;
    c.side = c.center + vec(kind % 2 ? 0.1 : 1);
    return c;
  }
};

void set(Vec3<P>& to, int i, const Vec3<double>& from) {
  for (int k = 0; k < 3; k++) set_lane(to[k], i, from[k]);
}

void compare(bool cylinder, bool has_side) {
  Draw draw;
  int touching = 0;
  for (int sample = 0; sample < 5000; sample++) {
    Case cases[width];
    Vec3<P> from, to, center, side;
    Mat3<P> mat;
    P radius;
    for (int i = 0; i < width; i++) {
      const Case& c = cases[i] = draw.one();
      set(from, i, c.from), set(to, i, c.to), set(center, i, c.center), set(side, i, c.side);
      for (int k = 0; k < 9; k++) set_lane(mat[k], i, c.mat[k]);
      set_lane(radius, i, c.radius);
    }
    const Wrapped<P> many =
        wrap<P>(from, to, center, mat, radius, cylinder, has_side ? &side : nullptr);
    for (int i = 0; i < width; i++) {
      const Case& c = cases[i];
      const Wrapped<double> one = wrap<double>(c.from, c.to, c.center, c.mat, c.radius, cylinder,
                                               has_side ? &c.side : nullptr);
      ASSERT_EQ(lane(many.length, i), one.length) << sample;
      touching += one.length >= 0;
      for (int k = 0; k < 3; k++) {
        ASSERT_EQ(lane(many.first[k], i), one.first[k]) << sample;
        ASSERT_EQ(lane(many.last[k], i), one.last[k]) << sample;
      }
    }
  }
  EXPECT_GT(touching, 1000);
}

TEST(Wrap, LanesEqualPlainNumbers) {
  for (const bool cylinder : {false, true}) {
    for (const bool has_side : {false, true}) {
      SCOPED_TRACE(cylinder ? "cylinder" : "sphere");
      SCOPED_TRACE(has_side ? "side" : "no side");
      compare(cylinder, has_side);
    }
  }
}

}  // namespace
}  // namespace lockstep
