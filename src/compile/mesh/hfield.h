// hfield.h: elevation data of height fields.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/files.h"

namespace lockstep::mesh {

struct HFieldInput {
  std::string file;              // for messages, and to tell the format; empty: no file
  std::string content_type;      // wins over the extension of `file`
  const Bytes* bytes = nullptr;  // contents of `file`
  std::array<double, 4> size{};
  int nrow = 0, ncol = 0;   // without a file
  std::vector<float> user;  // elevation given in the model, row by row
};

struct HFieldData {
  int nrow = 0, ncol = 0;
  std::vector<float> data;  // between 0 and 1
};

bool process_hfield(const HFieldInput& input, HFieldData& out, std::string& error);

}  // namespace lockstep::mesh
