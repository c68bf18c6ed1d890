// a step allocates nothing, whatever the integrator.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "batch/batch.h"
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

// of a call of a batch, in which every world has taken steps before
long allocations_of_call(const Model& m, int nsim, const BatchOptions& options, const char* own) {
  Batch batch(m, nsim, options);
  if (own) batch.expand(own);
  for (int i = 0; i < 5; i++) batch.step({}, 2);
  const long before = allocations;
  batch.step({}, 2);
  return allocations - before;
}

// what a call needs is the same for few worlds and for many
TEST(Batch, WorldsAllocateNothing) {
  const Golden golden = read_golden(golden_files()[0]);
  for (const char* own : {static_cast<const char*>(nullptr), "body_mass", "geom_condim"}) {
    for (const bool persistent : {false, true}) {
      for (const int width : {0, 1}) {
        BatchOptions options;
        options.nthread = 1;
        options.persistent = persistent;
        options.width = width;
        EXPECT_EQ(allocations_of_call(golden.model, 40, options, own),
                  allocations_of_call(golden.model, 8, options, own))
            << (own ? own : "nothing") << " differs, " << width << " lanes"
            << (persistent ? ", persistent" : "");
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
