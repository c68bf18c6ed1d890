// find_kernels.cc: which of the compiled kernels to run on this machine.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <vector>

#include "step/kernels.h"

namespace lockstep {

#define VARIANT(name) extern const Kernels name;
#include "instance/variants.def"
#undef VARIANT

namespace {

constexpr const Kernels* compiled[] = {
#define VARIANT(name) &name,
#include "instance/variants.def"
#undef VARIANT
};

bool runs_here(std::string_view isa) {
#if defined(__x86_64__)
  if (isa == "isa_avx2") return __builtin_cpu_supports("avx2");
#endif
  return isa == "isa_base";
}

}  // namespace

std::span<const Kernels* const> all_kernels() {
  static const std::vector<const Kernels*> usable = [] {
    std::vector<const Kernels*> list;
    std::copy_if(std::rbegin(compiled), std::rend(compiled), std::back_inserter(list),
                 [](const Kernels* kernels) { return runs_here(kernels->isa); });
    return list;
  }();
  return usable;
}

const Kernels* find_kernels(bool single_precision, int width) {
  const char* asked = std::getenv("LOCKSTEP_ISA");
  // one register per pack: wider ones wait for the slowest of more worlds
  const int usual = single_precision ? 8 : 4;
  for (const Kernels* kernels : all_kernels()) {
    if (kernels->single_precision != single_precision) continue;
    if (kernels->width != (width ? width : usual)) continue;
    if (!asked || std::string_view(kernels->isa).substr(4) == asked) return kernels;
  }
  return nullptr;
}

}  // namespace lockstep
