// fuzz_mjcf.cc: any bytes as a model file or as an archive with one give diagnostics or a model.
// What compiles can be saved, and what was saved can be read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/zip.h"
#include "compile/compile.h"
#include "mjcf/mjcf.h"

using namespace lockstep;

namespace {

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

// files that models may name: a part to include, which includes itself, a model, a mesh
std::shared_ptr<Assets> assets() {
  auto files = std::make_shared<Assets>();
  files->add("part.xml", bytes_of("<mujoco><worldbody><body><joint/><geom size='1'/></body>"
                                  "<include file='other.xml'/></worldbody></mujoco>"));
  files->add("other.xml", bytes_of("<mujoco><include file='part.xml'/></mujoco>"));
  files->add("model.xml", bytes_of("<mujoco><worldbody><body name='b'><geom size='1'/>"
                                   "</body></worldbody></mujoco>"));
  files->add("mesh.obj", bytes_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"));
  return files;
}

// what would only test the allocator and the patience of the reader
bool is_costly(const Spec& spec) {
  constexpr int64_t most = 1 << 18;
  int64_t cost = int64_t{spec.nuserdata} + spec.nkey;
  for (const Texture* texture : spec.textures) {
    cost += int64_t{texture->width} * std::max(texture->width, texture->height);
  }
  for (const HField* hfield : spec.hfields) cost += static_cast<int64_t>(hfield->userdata.size());
  for (const Numeric* numeric : spec.numerics) cost += static_cast<int64_t>(numeric->data.size());
  for (const Mesh* mesh : spec.meshes) {
    for (double parameter : mesh->builtin_params) {
      if (parameter > 100) return true;
    }
  }
  return cost > most;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diagnostics;
  const Bytes bytes(data, data + size);
  const std::string text(bytes.begin(), bytes.end());
  auto spec = looks_like_zip(bytes) ? read_mjz(bytes, "fuzz.mjz", assets(), diagnostics)
                                    : read_mjcf_text(text, "fuzz.xml", assets(), diagnostics);
  if (spec && is_costly(*spec)) return 0;
  auto compiled = spec ? compile(*spec, diagnostics) : nullptr;
  if (!compiled && !diagnostics.failed()) std::abort();  // refused without a word
  if (!compiled) return 0;
  Diagnostics again;
  const std::string saved = write_mjcf(*spec);
  if (!read_mjcf_text(saved, "saved.xml", assets(), again)) std::abort();
  write_mjcf(*compiled->spec, {.compiled = true, .exact = true, .model = &compiled->model});
  return 0;
}
