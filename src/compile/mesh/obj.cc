// obj.cc: Wavefront OBJ. Only the first group or object with faces or lines counts; vertices of all
// do.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include "compile/mesh/load.h"
#include "compile/mesh/polygon_split.h"

namespace lockstep::mesh {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t'; }

// walks over the words of a line
class Words {
 public:
  explicit Words(std::string_view line) : at_(line.data()), end_(at_ + line.size()) {}

  bool done() {
    while (at_ != end_ && is_space(*at_)) at_++;
    return at_ == end_;
  }

  // next word as a number, 0 if it is none or missing
  float number() {
    done();
    const char* stop = std::find_if(at_, end_, is_space);
    const char* start = at_ != stop && *at_ == '+' ? at_ + 1 : at_;
    double value = 0;
    auto [ptr, code] = std::from_chars(start, stop, value);
    if (code == std::errc::invalid_argument) value = 0;
    if (code == std::errc::result_out_of_range) value = overflow(start, stop);
    at_ = stop;
    constexpr double largest = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(value, -largest, largest));
  }

  // an integer, 0 if there is none; goes on to the end of the number's word
  int index() {
    const char* start = at_ != end_ && *at_ == '+' ? at_ + 1 : at_;
    int value = 0;
    std::from_chars(start, end_, value);
    while (at_ != end_ && *at_ != '/' && !is_space(*at_)) at_++;
    return value;
  }
  bool slash() {
    if (at_ == end_ || *at_ != '/') return false;
    at_++;
    return true;
  }

 private:
  // too large or too small: from_chars does not say which
  static double overflow(const char* start, const char* stop) {
    const char* e = std::find_if(start, stop, [](char c) { return c == 'e' || c == 'E'; });
    bool small = stop - e > 1 && e[1] == '-';
    if (small) return 0;
    return *start == '-' ? -std::numeric_limits<double>::max() : std::numeric_limits<double>::max();
  }

  const char* at_;
  const char* end_;
};

// faces with more corners are left out, as by the referee's reader
constexpr size_t most_corners = 100;

struct Corner {
  int vert = -1, texcoord = -1, normal = -1;
};

// counted from 1, or from the end if negative; 0 is for corners that have none
bool resolve(int index, size_t count, bool optional, int& out) {
  if (index == 0) {
    out = -1;
    return optional;
  }
  out = index > 0 ? index - 1 : static_cast<int>(count) + index;
  return out >= 0;
}

class ObjReader {
 public:
  explicit ObjReader(Surface& out) : out_(out) {}

  bool read(std::string_view text, std::string& error) {
    int number = 0;
    while (!text.empty()) {
      // lines end with \n, \r or both
      size_t end = std::min(text.find_first_of("\r\n"), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end);
      text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<size_t>(1, text.size()));
      number++;
      if (!read_line(line)) {
        error = fmt::format("bad index in line {}", number);
        return false;
      }
    }
    close_shape();
    return true;
  }

 private:
  bool read_line(std::string_view line) {
    while (!line.empty() && is_space(line[0])) line.remove_prefix(1);
    if (line.size() < 2) return true;
    char key = line[0];
    if (key == 'v' && is_space(line[1])) return read_numbers(line.substr(2), 3, out_.vert);
    if (line.size() > 2 && key == 'v' && line[1] == 'n' && is_space(line[2])) {
      return read_numbers(line.substr(3), 3, out_.normal);
    }
    if (line.size() > 2 && key == 'v' && line[1] == 't' && is_space(line[2])) {
      return read_numbers(line.substr(3), 2, out_.texcoord);
    }
    if (!is_space(line[1])) return true;
    if (key == 'f') return read_face(Words(line.substr(2)));
    if (key == 'l') return read_segments(Words(line.substr(2)));
    if (key == 'g' || key == 'o') close_shape();
    return true;
  }

  static bool read_numbers(std::string_view text, int n, std::vector<float>& to) {
    Words words(text);
    for (int i = 0; i < n; i++) to.push_back(words.number());
    return true;
  }

  // v, v/t, v//n or v/t/n
  bool read_corner(Words& words, Corner& corner) {
    if (!resolve(words.index(), out_.vert.size() / 3, false, corner.vert)) return false;
    if (!words.slash()) return true;
    if (words.slash()) {
      return resolve(words.index(), out_.normal.size() / 3, true, corner.normal);
    }
    if (!resolve(words.index(), out_.texcoord.size() / 2, true, corner.texcoord)) return false;
    if (!words.slash()) return true;
    return resolve(words.index(), out_.normal.size() / 3, true, corner.normal);
  }

  bool read_face(Words words) {
    size_t start = corners_.size();
    while (!words.done()) {
      Corner corner;
      if (!read_corner(words, corner)) return false;
      corners_.push_back(corner);
    }
    const size_t count = corners_.size() - start;
    if (count < 3 || count > most_corners || closed_) {
      corners_.resize(start);
    } else {
      facesize_.push_back(static_cast<int>(count));
    }
    return true;
  }

  bool read_segments(Words words) {
    int previous = -1;
    while (!words.done()) {
      Corner corner;
      if (!read_corner(words, corner)) return false;
      if (previous >= 0 && !closed_) segments_.push_back({previous, corner.vert});
      previous = corner.vert;
    }
    return true;
  }

  // ends a group or object; the first that has faces, or else lines, is the mesh
  void close_shape() {
    if (closed_ || (facesize_.empty() && segments_.empty())) return;
    size_t start = 0;
    std::vector<int> outline;
    std::vector<std::array<int, 3>> triangles;
    for (int n : facesize_) {
      outline.clear();
      triangles.clear();
      for (int i = 0; i < n; i++) outline.push_back(corners_[start + i].vert);
      split_polygon(outline, out_.vert, triangles);
      for (const auto& triangle : triangles) {
        for (int i : triangle) chosen_.push_back(corners_[start + i]);
      }
      start += n;
    }
    closed_ = !chosen_.empty() || !segments_.empty();
    corners_.clear();
    facesize_.clear();
  }

 public:
  void finish() {
    // texture images have their origin at the top
    for (size_t i = 1; i < out_.texcoord.size(); i += 2) out_.texcoord[i] = 1 - out_.texcoord[i];
    bool has_normal = !out_.normal.empty();
    bool has_texcoord = std::all_of(chosen_.begin(), chosen_.end(), [this](const Corner& c) {
      return c.texcoord >= 0 && c.texcoord < out_.ntexcoord();
    });
    if (!has_texcoord) out_.texcoord.clear();
    for (const Corner& corner : chosen_) {
      out_.face.push_back(corner.vert);
      if (has_normal) out_.facenormal.push_back(corner.normal);
      if (!out_.texcoord.empty()) out_.facetexcoord.push_back(corner.texcoord);
    }
    if (!chosen_.empty()) return;
    // lines become degenerate triangles, for flexes made of them
    for (auto [a, b] : segments_) out_.face.insert(out_.face.end(), {a, b, b});
  }

 private:
  Surface& out_;
  std::vector<Corner> corners_;  // of the faces of the open shape
  std::vector<int> facesize_;
  std::vector<Corner> chosen_;  // triangles of the mesh
  std::vector<std::pair<int, int>> segments_;
  bool closed_ = false;
};

}  // namespace

bool load_obj(const std::string& file, const Bytes& bytes, Surface& out, std::string& error) {
  ObjReader reader(out);
  std::string what;
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!reader.read(text, what)) {
    error = fmt::format("OBJ file '{}': {}", file, what);
    return false;
  }
  reader.finish();
  return true;
}

}  // namespace lockstep::mesh
