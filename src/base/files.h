// files.h: bytes by name, from memory (assets given by the user, members of an archive) or from
// disk.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

using Bytes = std::vector<uint8_t>;

// Files that live in memory. A look-up tries the path as given, then without its directories,
// ignoring case, as users of MuJoCo's `assets` dictionaries expect.
class Assets {
 public:
  void add(std::string name, Bytes bytes);
  const Bytes* find(const std::string& name) const;
  bool empty() const { return files_.empty(); }
  const std::map<std::string, Bytes>& all() const { return files_; }

 private:
  std::map<std::string, Bytes> files_;
};

// largest file that is read: larger ones are refused instead of exhausting memory
constexpr int64_t max_file_bytes = int64_t{4} << 30;

// contents of a file: memory first, then disk; nullopt if there is none, it is a directory or too
// large
std::optional<Bytes> read_bytes(const std::string& path, const Assets* assets = nullptr);
bool write_bytes(const std::string& path, const void* data, size_t size);

std::string directory_of(const std::string& path);  // with trailing slash, or ""
std::string file_name_of(const std::string& path);  // without directories
std::string extension_of(const std::string& path);  // lower case, without dot
std::string join_path(const std::string& directory, const std::string& file);  // absolute file wins
bool is_absolute(const std::string& path);

}  // namespace lockstep
