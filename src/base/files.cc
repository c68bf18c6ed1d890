#include "base/files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace lockstep {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

void Assets::add(std::string name, Bytes bytes) { files_[std::move(name)] = std::move(bytes); }

const Bytes* Assets::find(const std::string& name) const {
  if (auto it = files_.find(name); it != files_.end()) return &it->second;
  const std::string wanted = lower(file_name_of(name));
  for (const auto& [key, bytes] : files_) {
    if (lower(file_name_of(key)) == wanted) return &bytes;
  }
  return nullptr;
}

std::optional<Bytes> read_bytes(const std::string& path, const Assets* assets) {
  if (assets) {
    if (const Bytes* bytes = assets->find(path)) return *bytes;
  }
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return std::nullopt;
  auto size = std::filesystem::file_size(path, code);
  if (code || size > static_cast<uintmax_t>(max_file_bytes)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  Bytes bytes(size);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<uintmax_t>(in.gcount()) != size) return std::nullopt;
  return bytes;
}

bool write_bytes(const std::string& path, const void* data, size_t size) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  return static_cast<bool>(out.flush());
}

std::string directory_of(const std::string& path) {
  size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::string file_name_of(const std::string& path) {
  size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string extension_of(const std::string& path) {
  std::string name = file_name_of(path);
  size_t dot = name.find_last_of('.');
  return dot == std::string::npos ? "" : lower(name.substr(dot + 1));
}

bool is_absolute(const std::string& path) {
  return !path.empty() &&
         (path[0] == '/' || path[0] == '\\' ||
          (path.size() > 1 && std::isalpha(static_cast<unsigned char>(path[0])) && path[1] == ':'));
}

std::string join_path(const std::string& directory, const std::string& file) {
  std::string path = file;
  if (!directory.empty() && !is_absolute(file)) {
    char last = directory.back();
    path = last == '/' || last == '\\' ? directory + file : directory + "/" + file;
  }
  std::replace(path.begin(), path.end(), '\\', '/');  // models written on Windows
  return path;
}

}  // namespace lockstep
