// hfield.cc: see hfield.h.
#include "compile/mesh/hfield.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "compile/mesh/png.h"

namespace lockstep::mesh {
namespace {

constexpr double eps = 1e-14;

bool fail(std::string& error, std::string message) {
  error = std::move(message);
  return false;
}

// int32 rows, int32 columns, float32 elevations
bool load_custom(const std::string& file, const Bytes& bytes, HFieldData& out, std::string& error) {
  if (bytes.empty()) return fail(error, fmt::format("cannot read file '{}'", file));
  if (bytes.size() < 8) return fail(error, fmt::format("file '{}' ends within its header", file));
  int32_t dims[2];
  std::memcpy(dims, bytes.data(), sizeof(dims));
  if (dims[0] < 2 || dims[1] < 2) {
    return fail(error, fmt::format("file '{}' has fewer than 2 rows or columns", file));
  }
  uint64_t n = uint64_t(dims[0]) * uint64_t(dims[1]);
  if (bytes.size() != 8 + 4 * n) {
    return fail(error, fmt::format("the size of file '{}' does not fit its header", file));
  }
  out.nrow = dims[0];
  out.ncol = dims[1];
  out.data.resize(n);
  std::memcpy(out.data.data(), bytes.data() + 8, 4 * n);
  return true;
}

// images have their first row at the top, height fields at the bottom
bool load_image(const std::string& file, const Bytes& bytes, HFieldData& out, std::string& error) {
  Image image;
  if (!load_png(file, bytes, 1, image, error)) return false;
  out.nrow = image.height;
  out.ncol = image.width;
  out.data.reserve(image.data.size());
  for (int row = image.height - 1; row >= 0; row--) {
    const uint8_t* from = image.data.data() + size_t(row) * image.width;
    out.data.insert(out.data.end(), from, from + image.width);
  }
  return true;
}

bool load(const HFieldInput& input, HFieldData& out, std::string& error) {
  if (!input.user.empty()) return fail(error, "elevations are given in a file and in the model");
  std::string type = input.content_type;
  if (type.empty()) {
    type = extension_of(input.file) == "png" ? "image/png" : "image/vnd.mujoco.hfield";
  }
  if (type != "image/png" && type != "image/vnd.mujoco.hfield") {
    return fail(error, fmt::format("unknown content type '{}'", type));
  }
  if (!input.bytes) return fail(error, fmt::format("cannot read file '{}'", input.file));
  return type == "image/png" ? load_image(input.file, *input.bytes, out, error)
                             : load_custom(input.file, *input.bytes, out, error);
}

bool normalize(const std::string& file, std::vector<float>& data, std::string& error) {
  float low = 1e10f, high = -1e10f;
  for (float x : data) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  if (low > high) return fail(error, fmt::format("file '{}' has no range of elevations", file));
  for (float& x : data) {
    x -= low;
    if (high - low > eps) x /= high - low;
  }
  return true;
}

}  // namespace

bool process_hfield(const HFieldInput& input, HFieldData& out, std::string& error) {
  out = HFieldData();
  if (!input.user.empty() &&
      int64_t(input.nrow) * input.ncol != static_cast<int64_t>(input.user.size())) {
    return fail(error, "elevation data length must match nrow*ncol");
  }
  for (double s : input.size) {
    if (!(s > 0)) return fail(error, "all four sizes must be positive");
  }
  if (!input.file.empty()) {
    if (!load(input, out, error)) return false;
  } else {
    out.nrow = input.nrow;
    out.ncol = input.ncol;
    out.data = input.user;
  }
  if (out.nrow < 1 || out.ncol < 1 || out.data.empty())
    return fail(error, "there are no elevations");
  if (out.nrow < 2 || out.ncol < 2) return fail(error, "there are fewer than 2 rows or columns");
  return normalize(input.file, out.data, error);
}

}  // namespace lockstep::mesh
