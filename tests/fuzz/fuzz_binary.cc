// fuzz_binary.cc: any bytes as a binary model; what loads can be saved to the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "model/model_io.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  lockstep::Model model;
  if (lockstep::load_model({data, size}, model).empty()) {
    if (lockstep::save_model(model).size() != size) std::abort();
  }
  return 0;
}
