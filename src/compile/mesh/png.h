// png.h: PNG files, decoded to 8 bits per channel.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"

namespace lockstep::mesh {

struct Image {
  int width = 0, height = 0, nchannel = 0;
  bool srgb = false;          // the file says so
  std::vector<uint8_t> data;  // rows from the top, channels interleaved
};

// nchannel: 1 gray, 3 RGB, 4 RGBA; `file` serves messages
bool load_png(const std::string& file, const Bytes& bytes, int nchannel, Image& out,
              std::string& error);

}  // namespace lockstep::mesh
