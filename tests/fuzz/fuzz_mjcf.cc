// fuzz_mjcf.cc: any bytes as a model file give diagnostics or a model; what compiles can be saved.
#include <cstddef>
#include <cstdint>
#include <string>

#include "compile/compile.h"
#include "mjcf/mjcf.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  lockstep::Diagnostics diagnostics;
  std::string text(reinterpret_cast<const char*>(data), size);
  auto spec = lockstep::read_mjcf_text(text, "fuzz.xml", nullptr, diagnostics);
  if (!spec) return 0;
  auto compiled = lockstep::compile(*spec, diagnostics);
  if (compiled) lockstep::write_mjcf(*compiled->spec);
  return 0;
}
