// skin_file.cc: a .skn file is four counts (vertices, texture coordinates, faces, bones), their
// arrays, and per bone a name, the bind pose and weighted vertices. Every count is checked against
// the bytes left.
#include "compile/objects/skin_file.h"

#include <fmt/core.h>

#include <cstring>

namespace lockstep {
namespace {

constexpr size_t name_length = 40;

class Cursor {
 public:
  explicit Cursor(const Bytes& bytes) : at_(bytes.data()), left_(bytes.size()) {}

  bool has(int64_t count, size_t size) const {
    return count >= 0 && static_cast<uint64_t>(count) <= left_ / size;
  }
  template <class T>
  bool read(std::vector<T>& out, int64_t count) {
    if (!has(count, sizeof(T))) return false;
    const size_t old = out.size();
    out.resize(old + static_cast<size_t>(count));
    if (count > 0) take(out.data() + old, static_cast<size_t>(count) * sizeof(T));
    return true;
  }
  bool read(int& value) {
    if (left_ < sizeof(value)) return false;
    take(&value, sizeof(value));
    return true;
  }
  bool read_name(std::string& name) {
    if (left_ < name_length) return false;
    char text[name_length + 1] = {};
    take(text, name_length);
    name = text;
    return true;
  }
  size_t left() const { return left_; }

 private:
  void take(void* target, size_t size) {
    std::memcpy(target, at_, size);
    at_ += size;
    left_ -= size;
  }
  const uint8_t* at_;
  size_t left_;
};

std::string read_bone(Cursor& cursor, SkinSpec& skin, int bone) {
  std::string name;
  int count = 0;
  if (!cursor.read_name(name) || !cursor.read(skin.bindpos, 3) || !cursor.read(skin.bindquat, 4) ||
      !cursor.read(count)) {
    return fmt::format("the file ends within bone {}", bone);
  }
  if (count <= 0) return fmt::format("bone {} moves no vertices", bone);
  skin.bodyname.push_back(name);
  if (!cursor.read(skin.vertid.emplace_back(), count) ||
      !cursor.read(skin.vertweight.emplace_back(), count)) {
    return fmt::format("the file ends within the vertices of bone {}", bone);
  }
  return "";
}

}  // namespace

std::string read_skn(const Bytes& bytes, SkinSpec& skin) {
  Cursor cursor(bytes);
  int nvert = 0, ntexcoord = 0, nface = 0, nbone = 0;
  if (bytes.empty()) return "the file is empty";
  for (int* count : {&nvert, &ntexcoord, &nface, &nbone}) {
    if (!cursor.read(*count)) return "the file ends within its header";
    if (*count < 0) return "a count in the header is negative";
  }
  if (!cursor.read(skin.vert, int64_t{3} * nvert) ||
      !cursor.read(skin.texcoord, int64_t{2} * ntexcoord) ||
      !cursor.read(skin.face, int64_t{3} * nface)) {
    return "the file is shorter than its header says";
  }
  for (int bone = 0; bone < nbone; bone++) {
    if (std::string error = read_bone(cursor, skin, bone); !error.empty()) return error;
  }
  return cursor.left() == 0 ? "" : fmt::format("{} bytes too many", cursor.left());
}

}  // namespace lockstep
