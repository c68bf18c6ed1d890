// texture.h: pixels of textures that are stored in the Model.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/files.h"
#include "model/types.h"

namespace lockstep::mesh {

struct TextureFile {
  std::string name;              // for messages, and to tell the format; empty: none
  const Bytes* bytes = nullptr;  // contents
};

struct TextureInput {
  TextureType type = TextureType::cube;
  ColorSpace colorspace = ColorSpace::auto_;
  Builtin builtin = Builtin::none;
  Mark mark = Mark::none;
  std::array<double, 3> rgb1{0.8, 0.8, 0.8};
  std::array<double, 3> rgb2{0.5, 0.5, 0.5};
  std::array<double, 3> markrgb{};
  double random = 0.01;
  int width = 0, height = 0;
  int nchannel = 3;
  std::string content_type;
  TextureFile file;                     // single file
  std::array<TextureFile, 6> cubefile;  // right, left, up, down, front, back
  std::array<int, 2> gridsize{1, 1};
  std::string gridlayout = "............";
  bool hflip = false, vflip = false;
  std::vector<uint8_t> data;  // pixels given by the user
};

struct TextureData {
  int width = 0, height = 0, nchannel = 3;
  ColorSpace colorspace = ColorSpace::auto_;
  std::vector<uint8_t> data;
};

bool process_texture(const TextureInput& input, TextureData& out, std::string& error);

// generated pixels: three channels, `out` sized
void paint_2d(const TextureInput& input, TextureData& out);
void paint_cube(const TextureInput& input, TextureData& out);

}  // namespace lockstep::mesh
