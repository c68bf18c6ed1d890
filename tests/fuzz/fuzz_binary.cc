// fuzz_binary.cc: any bytes behind a valid header as a binary model. What loads can be saved to the
// same bytes. Stepping it is not tried yet: model_check does not know all that the stages rely on.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "model/model_io.h"

using namespace lockstep;

namespace {

void check(const Model& model, const std::vector<uint8_t>& bytes) {
  if (save_model(model) != bytes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes(data, data + size);
  seal_model(bytes);  // else the checksum would hide everything behind it
  Model model;
  if (load_model(bytes, model).empty()) check(model, bytes);
  return 0;
}
