// fuzz_image.cc: any bytes as a PNG file or a height field. The first byte chooses.
#include <lodepng.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "compile/mesh/hfield.h"
#include "compile/mesh/png.h"

namespace {

// chunks get their right checksums: else these would hide everything behind them
void seal_chunks(lockstep::Bytes& bytes) {
  constexpr size_t start = 8, frame = 12;  // the signature; length, kind and checksum of a chunk
  for (size_t at = start; at + frame <= bytes.size();) {
    const size_t length = lodepng_chunk_length(&bytes[at]);
    if (length > bytes.size() - at - frame) return;
    lodepng_chunk_generate_crc(&bytes[at]);
    at += frame + length;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  lockstep::Bytes bytes(data + 1, data + size);
  std::string error;
  if (!(data[0] & 1) || data[0] & 2) seal_chunks(bytes);
  if (data[0] & 1) {
    lockstep::mesh::HFieldInput input;
    input.file = data[0] & 2 ? "a.png" : "a.bin";
    input.bytes = &bytes;
    input.size = {1, 1, 1, 1};
    lockstep::mesh::HFieldData out;
    lockstep::mesh::process_hfield(input, out, error);
  } else {
    const int channels[] = {1, 3, 4};
    lockstep::mesh::Image image;
    lockstep::mesh::load_png("a.png", bytes, channels[data[0] / 2 % 3], image, error);
  }
  return 0;
}
