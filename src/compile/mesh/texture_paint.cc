// texture_paint.cc: built-in textures. Colours are truncated, not rounded, to bytes.
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

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

// between b (-1) and a (+1), along a sigmoid
Color blend(const Rgb& a, const Rgb& b, double position) {
  const double correction = 1.0 / std::sqrt(2);
  double alpha = 0.5 * (1 + position / std::sqrt(1 + position * position) / correction);
  alpha = alpha < 0 ? 0 : alpha > 1 ? 1 : alpha;
  Rgb mix;
  for (int i = 0; i < 3; i++) mix[i] = alpha * a[i] + (1 - alpha) * b[i];
  return to_bytes(mix);
}

// one rectangular picture inside a texture
struct Canvas {
  uint8_t* data;
  int width, height;

  void set(int row, int col, const Color& color) {
    std::memcpy(data + 3 * (size_t(row) * width + col), color.data(), 3);
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

// the same dots for everybody: fixed generator and seed, 53 random bits per pixel
void random_dots(Canvas canvas, const Color& color, double probability) {
  std::mt19937_64 generator(42);
  for (int r = 0; r < canvas.height; r++) {
    for (int c = 0; c < canvas.width; c++) {
      double sample = static_cast<double>(generator()) * 0x1p-64;
      if (sample < probability) canvas.set(r, c, color);
    }
  }
}

}  // namespace

void paint_2d(const TextureInput& input, TextureData& out) {
  Canvas canvas{out.data.data(), out.width, out.height};
  if (input.builtin == Builtin::gradient) {
    for (int r = 0; r < out.height; r++) {
      for (int c = 0; c < out.width; c++) {
        double x = 2 * c / static_cast<double>(out.width - 1) - 1;
        double y = 1 - 2 * r / static_cast<double>(out.height - 1);
        canvas.set(r, c, blend(input.rgb2, input.rgb1, 2 * std::sqrt(x * x + y * y) - 1));
      }
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
    constexpr double quarter = 0.5 * std::numbers::pi;
    for (int r = 0; r < w; r++) {
      for (int c = 0; c < w; c++) {
        double x = 2 * c / static_cast<double>(w - 1) - 1;
        double y = 1 - 2 * r / static_cast<double>(w - 1);
        double length = std::sqrt(1 + x * x + y * y);
        Color side = blend(input.rgb1, input.rgb2, std::asin(y / length) / quarter);
        double elevation = 1 - std::acos(1.0 / length) / quarter;
        for (int i : {right, left, front, back}) face(i).set(r, c, side);
        face(up).set(r, c, blend(input.rgb1, input.rgb2, elevation));
        face(down).set(r, c, blend(input.rgb1, input.rgb2, -elevation));
      }
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
