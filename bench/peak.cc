// peak.cc: what this processor can do at best with eight doubles or sixteen floats at a time: the
// yardstick for stages that bench_lanes times. Compiled for the machine it is built on.
//   bench_peak
// Prints per nanosecond: products that are added to a sum (a multiplication and an addition each,
// since contraction is off), vectors read from and written to the nearest cache.
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

template <class T>
using Vector __attribute__((vector_size(64))) = T;

constexpr int chains = 8;       // so many independent sums hide how long one takes
constexpr int in_cache = 128;   // vectors: 8 KB
constexpr int rounds = 200000;  // of each measurement

template <class F>
double most_per_ns(double count, F&& f) {
  using Clock = std::chrono::steady_clock;
  double least = 1e30;
  for (int i = 0; i < 9; i++) {
    const auto start = Clock::now();
    f();
    const std::chrono::duration<double, std::nano> took = Clock::now() - start;
    least = std::min(least, took.count());
  }
  return count / least;
}

// the compiler must believe that a number is used, or that memory has changed
template <class V>
void keep(V& x) {
  asm volatile("" : "+v"(x));
}
void touch(void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

template <class T>
double products() {
  return most_per_ns(double(rounds) * chains, [] {
    const Vector<T> one = Vector<T>{} + T(1.000001);
    Vector<T> a = one, b = one, c = one, d = one, e = one, f = one, g = one, h = one;
    for (int i = 0; i < rounds; i++) {
      // in an array they would be kept in memory
      a = a * one + one, b = b * one + one, c = c * one + one, d = d * one + one;
      e = e * one + one, f = f * one + one, g = g * one + one, h = h * one + one;
      keep(a), keep(b), keep(c), keep(d), keep(e), keep(f), keep(g), keep(h);
    }
  });
}

template <class T>
double reads(Vector<T>* memory) {
  return most_per_ns(double(rounds) * in_cache / 8, [&] {
    for (int i = 0; i < rounds / 8; i++) {
#pragma GCC unroll 16
      for (int k = 0; k < in_cache; k++) {
        Vector<T> x = memory[k];
        keep(x);
      }
      touch(memory);
    }
  });
}

template <class T>
double writes(Vector<T>* memory) {
  return most_per_ns(double(rounds) * in_cache / 8, [&] {
    for (int i = 0; i < rounds / 8; i++) {
#pragma GCC unroll 16
      for (int k = 0; k < in_cache; k++) memory[k] = Vector<T>{};
      touch(memory);
    }
  });
}

template <class T>
void report(const char* name) {
  alignas(64) static Vector<T> memory[in_cache];
  std::printf("%-18s %8.2f %8.2f %8.2f\n", name, products<T>(), reads<T>(memory),
              writes<T>(memory));
}

}  // namespace

int main() {
  std::printf("%-18s %8s %8s %8s\n", "64 bytes, per ns", "products", "reads", "writes");
  report<double>("eight doubles");
  report<float>("sixteen floats");
}
