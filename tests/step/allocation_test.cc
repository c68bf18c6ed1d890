// a step allocates nothing, whatever the integrator.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "stage/golden.h"
#include "step/engine.h"

namespace {
long allocations = 0;
}

// not inline: g++ would see free() given what `new` returned, and warn
[[gnu::noinline]] void* operator new(size_t bytes) {
  allocations++;
  if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace lockstep {
namespace {

TEST(Step, AllocatesNothing) {
  for (const std::filesystem::path& file : golden_files()) {
    Golden golden = read_golden(file);
    for (int integrator : {0, 1, 2, 3, 4, 5}) {
      golden.model.opt.integrator = integrator;
      Data d = make_data(golden.model);
      const long before = allocations;
      const size_t used = mallinfo2().uordblks;
      for (int i = 0; i < 10; i++) step(golden.model, d);
      forward(golden.model, d);
      EXPECT_EQ(allocations, before) << file << " integrator " << integrator;
      EXPECT_EQ(mallinfo2().uordblks, used) << file << " integrator " << integrator;
    }
  }
}

}  // namespace
}  // namespace lockstep
