// skin_file.h: binary .skn files.
#pragma once

#include <string>

#include "base/files.h"
#include "spec/attributes.h"

namespace lockstep {

// Fills vertices, faces and bones of a skin; returns what is wrong with the file, "" if nothing.
std::string read_skn(const Bytes& bytes, SkinSpec& skin);

}  // namespace lockstep
