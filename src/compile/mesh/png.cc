// png.cc: see png.h.
#include "compile/mesh/png.h"

#include <fmt/core.h>
#include <lodepng.h>

#include <cstdlib>

namespace lockstep::mesh {
namespace {

constexpr uint64_t max_pixels = uint64_t{1} << 28;  // decoding more would only exhaust memory

// what lodepng allocates
struct Pixels {
  unsigned char* data = nullptr;
  ~Pixels() { std::free(data); }
};

std::vector<uint8_t> without_alpha(const uint8_t* rgba, size_t count) {
  std::vector<uint8_t> out(3 * count);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < 3; k++) out[3 * i + k] = rgba[4 * i + k];
  }
  return out;
}

}  // namespace

bool load_png(const std::string& file, const Bytes& bytes, int nchannel, Image& out,
              std::string& error) {
  if (bytes.empty()) {
    error = fmt::format("PNG file '{}' is empty", file);
    return false;
  }
  lodepng::State state;
  if (nchannel == 4) {
    state.info_raw.colortype = LCT_RGBA;
  } else if (nchannel == 3) {
    state.info_raw.colortype = LCT_RGB;
  } else if (nchannel == 1) {
    state.info_raw.colortype = LCT_GREY;
  } else {
    error = fmt::format("{} channels are not available", nchannel);
    return false;
  }
  state.info_raw.bitdepth = 8;

  unsigned width = 0, height = 0;
  unsigned code = lodepng_inspect(&width, &height, &state, bytes.data(), bytes.size());
  if (!code && uint64_t(width) * height > max_pixels) {
    error = fmt::format("PNG file '{}' has an impossible size", file);
    return false;
  }
  // dropping the fourth channel ourselves takes a fraction of the time of a general conversion
  const LodePNGColorMode& stored = state.info_png.color;
  const bool drop = nchannel == 3 && stored.colortype == LCT_RGBA && stored.bitdepth == 8;
  if (drop) state.info_raw.colortype = LCT_RGBA;
  Pixels pixels;
  if (!code)
    code = lodepng_decode(&pixels.data, &width, &height, &state, bytes.data(), bytes.size());
  if (code) {
    error = fmt::format("PNG file '{}': {}", file, lodepng_error_text(code));
    return false;
  }
  const size_t count = size_t(width) * height;
  if (drop) {
    out.data = without_alpha(pixels.data, count);
  } else {
    out.data.assign(pixels.data, pixels.data + count * nchannel);
  }
  out.width = static_cast<int>(width);
  out.height = static_cast<int>(height);
  out.nchannel = nchannel;
  out.srgb = state.info_png.srgb_defined == 1;
  return true;
}

}  // namespace lockstep::mesh
