// texture.cc: see texture.h.
#include "compile/mesh/texture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "compile/mesh/png.h"

namespace lockstep::mesh {
namespace {

constexpr int64_t max_bytes = int64_t{1} << 30;  // larger requests are refused, not attempted

bool fail(std::string& error, std::string message) {
  error = std::move(message);
  return false;
}

void flip(const TextureInput& input, int width, int height, int nchannel,
          std::vector<uint8_t>& data) {
  size_t row = size_t(width) * nchannel;
  if (input.hflip) {
    for (int r = 0; r < height; r++) {
      for (int c = 0; c < width / 2; c++) {
        uint8_t* a = &data[r * row + size_t(c) * nchannel];
        std::swap_ranges(a, a + nchannel, &data[r * row + size_t(width - 1 - c) * nchannel]);
      }
    }
  }
  if (input.vflip) {
    for (int r = 0; r < height / 2; r++) {
      uint8_t* a = &data[r * row];
      std::swap_ranges(a, a + row, &data[(height - 1 - r) * row]);
    }
  }
}

// KTX files are kept as they are: one row of bytes for the renderer
bool load_ktx(const TextureInput& input, const TextureFile& file, Image& out, std::string& error) {
  if (input.hflip || input.vflip) return fail(error, "a KTX texture cannot be flipped");
  if (file.bytes->empty()) {
    return fail(error, fmt::format("file '{}' is empty", file.name));
  }
  out.data = *file.bytes;
  out.width = static_cast<int>(out.data.size());
  out.height = 1;
  out.nchannel = 1;
  return true;
}

bool load(const TextureInput& input, const TextureFile& file, Image& out, std::string& error) {
  std::string type = input.content_type;
  if (type.empty()) {
    std::string extension = extension_of(file.name);
    if (extension == "png" || extension == "ktx") type = "image/" + extension;
  }
  if (type != "image/png" && type != "image/ktx") {
    return fail(error, fmt::format("unknown content type '{}'", type));
  }
  if (!file.bytes) return fail(error, fmt::format("cannot read file '{}'", file.name));
  if (type == "image/ktx") return load_ktx(input, file, out, error);
  if (!load_png(file.name, *file.bytes, input.nchannel, out, error)) return false;
  flip(input, out.width, out.height, out.nchannel, out.data);
  return true;
}

void resolve_colorspace(const Image& image, TextureData& out) {
  if (out.colorspace != ColorSpace::auto_) return;
  out.colorspace = image.srgb ? ColorSpace::srgb : ColorSpace::linear;
}

// faces of a cube, filled one by one; the rest get the first colour
class CubeFaces {
 public:
  CubeFaces(TextureData& out, int width) : out_(out) {
    out.width = width;
    out.height = 6 * width;
    out.data.assign(3 * size_t(out.width) * out.height, 0);
  }
  // copies the square whose corner is (row, col)
  void set(int face, const Image& image, int row, int col) {
    size_t n = 3 * size_t(out_.width);
    for (int r = 0; r < out_.width; r++) {
      std::memcpy(&out_.data[(size_t(face) * out_.width + r) * n],
                  &image.data[3 * (size_t(row + r) * image.width + col)], n);
    }
    known_[face] = true;
  }
  void fill_rest(const std::array<double, 3>& rgb) {
    size_t n = 3 * size_t(out_.width) * out_.width;
    for (int face = 0; face < 6; face++) {
      if (known_[face]) continue;
      for (size_t i = 0; i < n; i++) {
        out_.data[face * n + i] = static_cast<uint8_t>(static_cast<int>(255 * rgb[i % 3]));
      }
    }
  }

 private:
  TextureData& out_;
  bool known_[6] = {};
};

bool load_cube_single(const TextureInput& input, TextureData& out, std::string& error) {
  const int nrow = input.gridsize[0], ncol = input.gridsize[1];
  if (nrow < 1 || ncol < 1 || int64_t(nrow) * ncol > 12) {
    return fail(error, "the grid needs 1 to 12 squares");
  }
  Image image;
  if (!load(input, input.file, image, error)) return false;
  if (image.nchannel != 3) {
    return fail(error, "cubes and skyboxes from files need 3 channels");
  }
  resolve_colorspace(image, out);
  if (image.width / ncol != image.height / nrow || image.width % ncol || image.height % nrow) {
    return fail(error, fmt::format("the grid does not divide the image '{}'", input.file.name));
  }
  if (nrow == 1 && ncol == 1) {
    out.width = out.height = image.width;
    out.data = std::move(image.data);
    return true;
  }
  CubeFaces faces(out, image.width / ncol);
  for (int k = 0; k < nrow * ncol; k++) {
    char symbol = k < static_cast<int>(input.gridlayout.size()) ? input.gridlayout[k] : '.';
    if (symbol == '.') continue;
    size_t face = std::string_view("RLUDFB").find(symbol);
    if (face == std::string_view::npos) {
      return fail(error, "letters of gridlayout must be among .RLUDFB");
    }
    faces.set(static_cast<int>(face), image, out.width * (k / ncol), out.width * (k % ncol));
  }
  faces.fill_rest(input.rgb1);
  return true;
}

bool load_cube_separate(const TextureInput& input, TextureData& out, std::string& error) {
  std::array<Image, 6> images;
  int width = 0;
  for (int i = 0; i < 6; i++) {
    const TextureFile& file = input.cubefile[i];
    if (file.name.empty()) continue;
    Image& image = images[i];
    if (!load(input, file, image, error)) return false;
    if (image.nchannel != 3) {
      return fail(error, "cubes and skyboxes from files need 3 channels");
    }
    resolve_colorspace(image, out);
    if (image.width != image.height) {
      return fail(error,
                  fmt::format("PNG file '{}' is not square, as sides of a cube are", file.name));
    }
    if (width && image.width != width) {
      return fail(error,
                  fmt::format("PNG file '{}' differs in size from the other sides", file.name));
    }
    width = image.width;
  }
  if (!width) return fail(error, "no file is named for any side of the cube");
  CubeFaces faces(out, width);
  for (int i = 0; i < 6; i++) {
    if (images[i].width) faces.set(i, images[i], 0, 0);
  }
  faces.fill_rest(input.rgb1);
  return true;
}

bool paint(const TextureInput& input, TextureData& out, std::string& error) {
  bool flat = input.type == TextureType::two_d;
  if (input.nchannel != 3) return fail(error, "a built-in texture has 3 channels");
  if (input.width < 1) return fail(error, "the width must be positive");
  if (flat && input.height < 1) return fail(error, "the height must be positive");
  int64_t height = flat ? input.height : int64_t{6} * input.width;
  if (height > max_bytes / 3 / input.width) return fail(error, "the built-in texture is too large");
  out.width = input.width;
  out.height = static_cast<int>(height);
  out.data.assign(3 * size_t(out.width) * out.height, 0);
  if (flat) {
    paint_2d(input, out);
  } else {
    paint_cube(input, out);
  }
  return true;
}

bool take_buffer(const TextureInput& input, TextureData& out, std::string& error) {
  int64_t expected = int64_t{input.nchannel} * input.width * input.height;
  if (static_cast<int64_t>(input.data.size()) != expected) {
    return fail(error, fmt::format("the buffer has {} bytes, not {}", input.data.size(), expected));
  }
  out.width = input.width;
  out.height = input.height;
  out.data = input.data;
  flip(input, out.width, out.height, out.nchannel, out.data);
  return true;
}

}  // namespace

bool process_texture(const TextureInput& input, TextureData& out, std::string& error) {
  out = TextureData();
  out.nchannel = input.nchannel;
  out.colorspace = input.colorspace;
  if (!input.data.empty()) return take_buffer(input, out, error);
  if (input.builtin != Builtin::none) return paint(input, out, error);
  bool flat = input.type == TextureType::two_d;
  if (input.file.name.empty()) {
    if (flat) return fail(error, "a 2d texture has one file");
    return load_cube_separate(input, out, error);
  }
  if (!flat) return load_cube_single(input, out, error);
  Image image;
  if (!load(input, input.file, image, error)) return false;
  resolve_colorspace(image, out);
  out.width = image.width;
  out.height = image.height;
  out.nchannel = image.nchannel;
  out.data = std::move(image.data);
  return true;
}

}  // namespace lockstep::mesh
