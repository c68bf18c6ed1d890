// prints one hash over all functions, plain and in packs; scripts/check_bits compares builds.
#include <cstdio>
#include <cstring>

#include "math/lanes.h"

namespace lockstep {
namespace {

struct Hash {
  uint64_t value = 0xcbf29ce484222325u;
  void add(uint64_t x) {
    value = (value ^ x) * 0x100000001b3u;
    value ^= value >> 29;
  }
};

template <class P>
void hash_pack(Hash& hash, size_t n) {
  using T = Scalar<P>;
  constexpr size_t width = lanes<P>;
  const samples::Pairs<T> args = samples::argument_pairs<T>(n);
  samples::for_each_function([&](samples::Name, auto f) {
    for (size_t at = 0; at + width <= args.a.size(); at += width) {
      P x, y;
      for (size_t i = 0; i < width; ++i) {
        set_lane(x, int(i), args.a[at + i]);
        set_lane(y, int(i), args.b[at + i]);
      }
      const P r = f(x, y);
      for (size_t i = 0; i < width; ++i) hash.add(samples::canonical(lane(r, int(i))));
    }
  });
}

// the hash of a type must not depend on its width: each pack must repeat the plain one.
template <class Plain, class... Packs>
bool hash_all(Hash& total, const char* name) {
  constexpr size_t n = 40'000;
  Hash plain;
  hash_pack<Plain>(plain, n);
  total.add(plain.value);
  bool equal = true;
  auto one = [&](uint64_t value, int width) {
    total.add(value);
    if (value == plain.value) return;
    std::printf("%s in packs of %d differs from plain\n", name, width);
    equal = false;
  };
  auto run = [](auto pack) {
    Hash hash;
    hash_pack<decltype(pack)>(hash, n);
    return hash.value;
  };
  (one(run(Packs()), lanes<Packs>), ...);
  return equal;
}

}  // namespace
}  // namespace lockstep

int main() {
  using namespace lockstep;
  Hash total;
  const bool doubles =
      hash_all<double, Pack<double, 2>, Pack<double, 4>, Pack<double, 8>>(total, "double");
  const bool floats =
      hash_all<float, Pack<float, 4>, Pack<float, 8>, Pack<float, 16>>(total, "float");
  std::printf("%016llx\n", (unsigned long long)total.value);
  return doubles && floats ? 0 : 1;
}
