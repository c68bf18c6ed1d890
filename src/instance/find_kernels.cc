// find_kernels.cc: which of the compiled kernels to run on this machine.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "step/kernels.h"

namespace lockstep {

#define VARIANT(name, number, lanes) extern const Kernels name;
#include "instance/variants.def"
#undef VARIANT

namespace {

constexpr const Kernels* compiled[] = {
#define VARIANT(name, number, lanes) &name,
#include "instance/variants.def"
#undef VARIANT
};

bool runs_here(std::string_view isa) {
#if defined(__x86_64__)
  if (isa == "isa_avx2") return __builtin_cpu_supports("avx2");
  if (isa == "isa_avx512") {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  }
#endif
  return isa == "isa_base";
}

}  // namespace

std::span<const Kernels* const> all_kernels() {
  // no allocation: a step may be the first to ask
  struct Usable {
    const Kernels* list[std::size(compiled)];
    size_t count;
  };
  static const Usable usable = [] {
    Usable found;
    const auto* end = std::copy_if(std::rbegin(compiled), std::rend(compiled), found.list,
                                   [](const Kernels* kernels) { return runs_here(kernels->isa); });
    found.count = size_t(end - found.list);
    return found;
  }();
  return {usable.list, usable.count};
}

const Kernels* find_kernels(bool single_precision, int width) {
  const char* told = std::getenv("LOCKSTEP_ISA");
  const bool plain = told && std::string_view(told) == "base";
  // one register per pack: wider ones wait for the slowest of more worlds
  const int number = single_precision ? 4 : 8;
  const Kernels* unusual = nullptr;  // where not all kinds are compiled
  for (const Kernels* kernels : all_kernels()) {
    const std::string_view isa = kernels->isa;
    if (kernels->single_precision != single_precision || (plain && isa != "isa_base")) continue;
    const int usual = (isa == "isa_avx512" ? 64 : 32) / number;
    if (kernels->width == (width ? width : usual)) return kernels;
    if (!width) unusual = kernels;
  }
  return unusual;
}

}  // namespace lockstep
