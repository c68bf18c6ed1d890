// zip.h: archives in memory: what MJZ model files are.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"

namespace lockstep {

struct ZipMember {
  std::string name;  // with '/' between directories
  Bytes bytes;
};

bool looks_like_zip(const Bytes& bytes);

// Members of an archive, stored or deflated, without directories; `problem` is empty or says what
// is wrong. Members larger than max_file_bytes in sum are refused.
std::vector<ZipMember> read_zip(const Bytes& bytes, std::string& problem);

Bytes write_zip(const std::vector<ZipMember>& members);

}  // namespace lockstep
