// texture_paint.cc: built-in textures. Colours are truncated, not rounded, to bytes.
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "compile/mesh/texture.h"

namespace lockstep::mesh {
namespace {

using Color = std::array<uint8_t, 3>;
using Rgb = std::array<double, 3>;

Color to_bytes(const Rgb& rgb) {
  Color out;
  for (int i = 0; i < 3; i++) out[i] = static_cast<uint8_t>(static_cast<int>(255 * rgb[i]));
  return out;
}

// Pixels between b (position -1) and a (+1), along a sigmoid. Whole rows, in plain loops that
// compilers turn into vector code.
void blend(const Rgb& a, const Rgb& b, std::vector<double>& position, uint8_t* pixels) {
  const double correction = 1.0 / std::sqrt(2);
  const size_t n = position.size();
  for (size_t c = 0; c < n; c++) {
    const double p = position[c];
    double alpha = 0.5 * (1 + p / std::sqrt(1 + p * p) / correction);
    alpha = 0 > alpha ? 0 : alpha;
    position[c] = 1 < alpha ? 1 : alpha;
  }
  for (size_t c = 0; c < n; c++) {
    for (int i = 0; i < 3; i++) {
      const double mix = position[c] * a[i] + (1 - position[c]) * b[i];
      pixels[3 * c + i] = static_cast<uint8_t>(static_cast<int>(255 * mix));
    }
  }
}

// one rectangular picture inside a texture
struct Canvas {
  uint8_t* data;
  int width, height;

  uint8_t* row_start(int row) const { return data + 3 * size_t(row) * width; }
  void set(int row, int col, const Color& color) {
    std::memcpy(row_start(row) + 3 * size_t(col), color.data(), 3);
  }
  void fill(const Color& color) {
    for (int r = 0; r < height; r++) {
      for (int c = 0; c < width; c++) set(r, c, color);
    }
  }
  void checker(const Color& a, const Color& b) {
    for (int r = 0; r < height; r++) {
      for (int c = 0; c < width; c++) {
        set(r, c, (r < height / 2) == (c < width / 2) ? a : b);
      }
    }
  }
  void row(int r, const Color& color) {
    for (int c = 0; c < width; c++) set(r, c, color);
  }
  void column(int c, const Color& color) {
    for (int r = 0; r < height; r++) set(r, c, color);
  }
  void mark(Mark mark, const Color& color) {
    if (mark == Mark::edge) {
      column(0, color);
      column(width - 1, color);
      row(0, color);
      row(height - 1, color);
    } else if (mark == Mark::cross) {
      column(width / 2, color);
      row(height / 2, color);
    }
  }
};

// the smallest draw of the generator that makes no dot
uint64_t dot_limit(double probability) {
  uint64_t low = 0, high = std::numeric_limits<uint64_t>::max();  // the limit is not above `high`
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (static_cast<double>(middle) * 0x1p-64 < probability) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// the same dots for everybody: fixed generator and seed, 53 random bits per pixel
void random_dots(Canvas canvas, const Color& color, double probability) {
  if (probability > 1) return canvas.fill(color);
  std::mt19937_64 generator(42);
  const uint64_t limit = dot_limit(probability);
  for (int r = 0; r < canvas.height; r++) {
    for (int c = 0; c < canvas.width; c++) {
      if (generator() < limit) canvas.set(r, c, color);
    }
  }
}

// the sky: sides by elevation, above and below by the angle from the pole
void cube_gradient(const TextureInput& input, Canvas side, Canvas up, Canvas down) {
  constexpr double quarter = 0.5 * std::numbers::pi;
  const int w = side.width;
  std::vector<double> x(w), length(w), position(w), above(w), below(w);
  for (int c = 0; c < w; c++) x[c] = 2 * c / static_cast<double>(w - 1) - 1;
  for (int r = 0; r < w; r++) {
    const double y = 1 - 2 * r / static_cast<double>(w - 1);
    for (int c = 0; c < w; c++) length[c] = std::sqrt(1 + x[c] * x[c] + y * y);
    for (int c = 0; c < w; c++) {
      position[c] = std::asin(y / length[c]) / quarter;
      above[c] = 1 - std::acos(1.0 / length[c]) / quarter;
      below[c] = -above[c];
    }
    blend(input.rgb1, input.rgb2, position, side.row_start(r));
    blend(input.rgb1, input.rgb2, above, up.row_start(r));
    blend(input.rgb1, input.rgb2, below, down.row_start(r));
  }
}

}  // namespace

void paint_2d(const TextureInput& input, TextureData& out) {
  Canvas canvas{out.data.data(), out.width, out.height};
  if (input.builtin == Builtin::gradient) {
    std::vector<double> position(out.width);
    for (int r = 0; r < out.height; r++) {
      for (int c = 0; c < out.width; c++) {
        double x = 2 * c / static_cast<double>(out.width - 1) - 1;
        double y = 1 - 2 * r / static_cast<double>(out.height - 1);
        position[c] = 2 * std::sqrt(x * x + y * y) - 1;
      }
      blend(input.rgb2, input.rgb1, position, canvas.row_start(r));
    }
  } else if (input.builtin == Builtin::checker) {
    canvas.checker(to_bytes(input.rgb1), to_bytes(input.rgb2));
  } else if (input.builtin == Builtin::flat) {
    canvas.fill(to_bytes(input.rgb1));
  }
  canvas.mark(input.mark, to_bytes(input.markrgb));
  if (input.mark == Mark::random && input.random > 0) {
    random_dots(canvas, to_bytes(input.markrgb), input.random);
  }
}

void paint_cube(const TextureInput& input, TextureData& out) {
  enum { right, left, up, down, front, back };
  const int w = out.width;
  auto face = [&](int i) { return Canvas{out.data.data() + 3 * size_t(i) * w * w, w, w}; };
  Color color1 = to_bytes(input.rgb1), color2 = to_bytes(input.rgb2);

  if (input.builtin == Builtin::gradient) {
    cube_gradient(input, face(right), face(up), face(down));
    for (int i : {left, front, back}) {
      std::memcpy(face(i).data, face(right).data, 3 * size_t(w) * w);
    }
  } else if (input.builtin == Builtin::checker) {
    for (int i : {right, left, up, down}) face(i).checker(color1, color2);
    for (int i : {front, back}) face(i).checker(color2, color1);
  } else if (input.builtin == Builtin::flat) {
    for (int i = 0; i < 6; i++) face(i).fill(i == down ? color2 : color1);
  }
  for (int i = 0; i < 6; i++) face(i).mark(input.mark, to_bytes(input.markrgb));
  if (input.mark == Mark::random && input.random > 0) {
    random_dots({out.data.data(), w, out.height}, to_bytes(input.markrgb), input.random);
  }
}

}  // namespace lockstep::mesh
