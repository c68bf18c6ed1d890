// png.cc: see png.h.
#include "compile/mesh/png.h"

#include <fmt/core.h>
#include <lodepng.h>

namespace lockstep::mesh {
namespace {

constexpr uint64_t max_pixels = uint64_t{1} << 28;  // decoding more would only exhaust memory

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
  if (!code) code = lodepng::decode(out.data, width, height, state, bytes);
  if (code) {
    error = fmt::format("PNG file '{}': {}", file, lodepng_error_text(code));
    return false;
  }
  out.width = static_cast<int>(width);
  out.height = static_cast<int>(height);
  out.nchannel = nchannel;
  out.srgb = state.info_png.srgb_defined == 1;
  return true;
}

}  // namespace lockstep::mesh
