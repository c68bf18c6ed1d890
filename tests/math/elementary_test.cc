// every elementary function against the long double library, whose 64-bit results are a wider
// reference for float and double: a million arguments each, edges and huge arguments included.
#include "math/elementary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/samples.h"

namespace lockstep {
namespace {

namespace reference {

using std::atan2, std::fmod, std::hypot;

// glibc's powl answers infinity to (-infinity)^(-2^63); the double version knows better.
long double pow(long double x, long double y) {
  return x == 0 || std::isinf(x) ? std::pow(double(x), double(y)) : std::pow(x, y);
}

}  // namespace reference

constexpr size_t points = 1'000'000 / LOCKSTEP_TEST_SHARE;

// distance in units of the last place of T at the wanted value.
template <class T>
double ulps(T got, long double want) {
  constexpr int digits = sizeof(T) == 8 ? 53 : 24, lowest = sizeof(T) == 8 ? -1074 : -149;
  const double wrong = 1e30;
  const T rounded = T(want);
  if (std::isnan(want)) return std::isnan(got) ? 0 : wrong;
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : wrong;
  if (want == 0) return got == 0 && std::signbit(got) == std::signbit(want) ? 0 : wrong;
  const int exponent = std::max(std::ilogb(want) + 1 - digits, lowest);
  return std::fabs(double(std::scalbn((long double)(got)-want, -exponent)));
}

template <class T, class Own, class Reference>
double worst_unary(Own own, Reference reference, const char* name) {
  static const std::vector<T> arguments = samples::arguments<T>(points);
  double worst = 0;
  T at = 0;
  for (const T x : arguments) {
    const double e = ulps<T>(own(x), reference((long double)x));
    if (e > worst) worst = e, at = x;
  }
  std::printf("%-8s %7.4f ulp at %a\n", name, worst, double(at));
  return worst;
}

template <class T, class Own, class Reference>
double worst_binary(Own own, Reference reference, const char* name) {
  static const samples::Pairs<T> pairs = samples::argument_pairs<T>(points);
  double worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < pairs.a.size(); ++i) {
    const T x = pairs.a[i], y = pairs.b[i];
    const double e = ulps<T>(own(x, y), reference((long double)x, (long double)y));
    if (e > worst) worst = e, at = i;
  }
  std::printf("%-8s %7.4f ulp at %a, %a\n", name, worst, double(pairs.a[at]), double(pairs.b[at]));
  return worst;
}

double bound(const std::string& name) {
  if (name == "floor" || name == "ceil" || name == "trunc" || name == "round" || name == "fmod")
    return 0;
  return name == "pow" ? 2 : 1;
}

#define TEST_UNARY(f)                                                           \
  TEST(Elementary, f##_double) {                                                \
    EXPECT_LE(worst_unary<double>([](double x) { return f(x); },                \
                                  [](long double x) { return std::f(x); }, #f), \
              bound(#f));                                                       \
  }                                                                             \
  TEST(Elementary, f##_float) {                                                 \
    EXPECT_LE(worst_unary<float>([](float x) { return f(x); },                  \
                                 [](long double x) { return std::f(x); }, #f),  \
              bound(#f));                                                       \
  }
#define TEST_BINARY(f)                                                                             \
  TEST(Elementary, f##_double) {                                                                   \
    EXPECT_LE(                                                                                     \
        worst_binary<double>([](double x, double y) { return f(x, y); },                           \
                             [](long double x, long double y) { return reference::f(x, y); }, #f), \
        bound(#f));                                                                                \
  }                                                                                                \
  TEST(Elementary, f##_float) {                                                                    \
    EXPECT_LE(                                                                                     \
        worst_binary<float>([](float x, float y) { return f(x, y); },                              \
                            [](long double x, long double y) { return reference::f(x, y); }, #f),  \
        bound(#f));                                                                                \
  }
LOCKSTEP_UNARY(TEST_UNARY)
LOCKSTEP_BINARY(TEST_BINARY)

// where the reduction is hardest; digits from a 400-bit computation.
TEST(Elementary, HugeAngles) {
  const double hardest = 6381956970095103.0 * 0x1p797;
  EXPECT_EQ(sin(hardest), 1.0);
  EXPECT_LE(ulps(cos(hardest), -4.68716592425462761112e-19L), 1);
  EXPECT_LE(ulps(sin(1e22), -0.852200849767188801772L), 1);
  EXPECT_LE(ulps(cos(1e22), 0.523214785395138945498L), 1);
  EXPECT_LE(ulps(tan(1e22), -1.62877822560689887855L), 1);
}

TEST(Elementary, SincosIsSinAndCos) {
  samples::Random random;
  for (int i = 0; i < 10000; ++i) {
    const double x = samples::draw<double>(random);
    if (!is_finite(x)) continue;
    const SinCos<double> both = sincos(x);
    EXPECT_EQ(both.sin, sin(x));
    EXPECT_EQ(both.cos, cos(x));
  }
}

}  // namespace
}  // namespace lockstep
