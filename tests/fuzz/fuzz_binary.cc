// fuzz_binary.cc: any bytes behind a valid header as a binary model. What loads can be saved to the
// same bytes, and moved.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "model/data.h"
#include "model/model_io.h"
#include "step/engine.h"

using namespace lockstep;

namespace {

constexpr int64_t max_data_bytes = int64_t{1} << 26;  // more would only test the allocator

void check(const Model& model, const std::vector<uint8_t>& bytes) {
  if (save_model(model) != bytes) std::abort();
  DataView<double> unused;
  if (lay_out(model, nullptr, unused) > max_data_bytes) return;
  Data data = make_data(model);
  run_phases(model, data, Phase::position, Phase::velocity);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes(data, data + size);
  seal_model(bytes);  // else the checksum would hide everything behind it
  Model model;
  if (load_model(bytes, model).empty()) check(model, bytes);
  return 0;
}
