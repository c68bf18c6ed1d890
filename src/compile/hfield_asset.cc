// hfield_asset.cc: height fields: files found and read, processed, packed.
#include <fmt/core.h>

#include "compile/build.h"
#include "compile/pack_row.h"
#include "compile/passes.h"
#include "compile/paths.h"

namespace lockstep {
namespace {

bool settle(Build& b, const HField& hfield, mesh::HFieldData& data) {
  mesh::HFieldInput input;
  input.content_type = hfield.content_type;
  input.size = hfield.size;
  input.nrow = hfield.nrow;
  input.ncol = hfield.ncol;
  input.user = hfield.userdata;
  std::optional<Bytes> bytes;
  if (!hfield.file.empty()) {
    input.file = path_of(b.spec, hfield);
    bytes = read_asset(b, hfield, input.file);
    if (!bytes) return false;
    input.bytes = &*bytes;
  }
  std::string problem;
  if (mesh::process_hfield(input, data, problem)) return true;
  b.error(hfield, hfield.file.empty() ? "" : "file", problem);
  return false;
}

}  // namespace

void compile_hfields(Build& b) {
  for (const HField* hfield : b.spec.hfields) {
    mesh::HFieldData data;
    if (settle(b, *hfield, data)) b.model.nhfielddata += static_cast<int64_t>(data.data.size());
    b.meshes.hfields.push_back(std::move(data));
  }
}

void pack_hfields(Build& b) {
  Model& m = b.model;
  int adr = 0;
  for (const HField* hfield : b.spec.hfields) {
    int i = hfield->id;
    const mesh::HFieldData& data = b.meshes.hfields[i];
    pack_row(m.hfield_size, i, hfield->size);
    m.hfield_nrow[i] = data.nrow;
    m.hfield_ncol[i] = data.ncol;
    m.hfield_adr[i] = adr;
    std::copy(data.data.begin(), data.data.end(), m.hfield_data + adr);
    adr += static_cast<int>(data.data.size());
  }
}

}  // namespace lockstep
