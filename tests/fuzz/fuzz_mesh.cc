// fuzz_mesh.cc: any bytes as a mesh file. The first byte chooses the format.
#include <cstddef>
#include <cstdint>
#include <string>

#include "compile/mesh/mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  static const char* const files[] = {"a.obj", "a.stl", "a.msh"};
  lockstep::Bytes bytes(data + 1, data + size);
  lockstep::MeshInput input;
  input.file = files[data[0] % 3];
  input.bytes = &bytes;
  input.needhull = true;
  lockstep::MeshData out;
  std::string error;
  lockstep::process_mesh(input, out, error);
  return 0;
}
