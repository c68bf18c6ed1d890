// polygon_split.cc: see polygon_split.h. All in float32: its rounding decides between equal
// choices.
#include "compile/mesh/polygon_split.h"

#include <cmath>
#include <limits>

namespace lockstep::mesh {
namespace {

struct Point2 {
  float x, y;
};

bool exists(int v, const std::vector<float>& vert) {
  return v >= 0 && 3 * size_t(v) + 2 < vert.size();
}

float square_distance(const float* a, const float* b) {
  float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return x * x + y * y + z * z;
}

void split_quad(const std::vector<int>& v, const std::vector<float>& vert,
                std::vector<std::array<int, 3>>& out) {
  const float* p[4];
  for (int i = 0; i < 4; i++) {
    if (!exists(v[i], vert)) return;
    p[i] = &vert[3 * size_t(v[i])];
  }
  if (square_distance(p[0], p[2]) < square_distance(p[1], p[3])) {
    out.insert(out.end(), {{0, 1, 2}, {0, 2, 3}});
  } else {
    out.insert(out.end(), {{0, 1, 3}, {1, 2, 3}});
  }
}

// the two coordinates in which the first real corner is widest
std::array<int, 2> projection(const std::vector<int>& v, const std::vector<float>& vert) {
  constexpr float epsilon = std::numeric_limits<float>::epsilon();
  const size_t n = v.size();
  for (size_t k = 0; k < n; k++) {
    int a = v[k], b = v[(k + 1) % n], c = v[(k + 2) % n];
    if (!exists(a, vert) || !exists(b, vert) || !exists(c, vert)) continue;
    float e[3], f[3];
    for (int i = 0; i < 3; i++) {
      e[i] = vert[3 * size_t(b) + i] - vert[3 * size_t(a) + i];
      f[i] = vert[3 * size_t(c) + i] - vert[3 * size_t(b) + i];
    }
    float x = std::fabs(e[1] * f[2] - e[2] * f[1]);
    float y = std::fabs(e[2] * f[0] - e[0] * f[2]);
    float z = std::fabs(e[0] * f[1] - e[1] * f[0]);
    if (!(x > epsilon || y > epsilon || z > epsilon)) continue;
    if (x > y && x > z) return {1, 2};
    return z > x && z > y ? std::array{0, 1} : std::array{0, 2};
  }
  return {1, 2};
}

bool inside(const Point2 triangle[3], const Point2& p) {
  bool in = false;
  for (int i = 0, j = 2; i < 3; j = i++) {
    const Point2 &a = triangle[i], &b = triangle[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

class EarClipper {
 public:
  EarClipper(const std::vector<int>& outline, const std::vector<float>& vert)
      : outline_(outline), vert_(vert), axes_(projection(outline, vert)), rest_(outline.size()) {
    for (size_t i = 0; i < rest_.size(); i++) rest_[i] = static_cast<int>(i);
  }

  void run(std::vector<std::array<int, 3>>& out) {
    // as many attempts as there are corners since the last success, then give up
    size_t guess = 0, attempts = rest_.size(), before = rest_.size();
    while (rest_.size() > 3 && attempts > 0) {
      size_t n = rest_.size();
      if (guess >= n) guess -= n;
      attempts = before != n ? n : attempts - 1;
      before = n;
      if (!is_ear(guess)) {
        guess++;
        continue;
      }
      out.push_back({rest_[guess], rest_[(guess + 1) % n], rest_[(guess + 2) % n]});
      rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>((guess + 1) % n));
    }
    if (rest_.size() == 3) out.push_back({rest_[0], rest_[1], rest_[2]});
  }

 private:
  bool real(int corner) const { return exists(outline_[corner], vert_); }
  Point2 at(int corner) const {
    if (!real(corner)) return {0, 0};
    const float* p = &vert_[3 * size_t(outline_[corner])];
    return {p[axes_[0]], p[axes_[1]]};
  }

  bool is_ear(size_t guess) const {
    const size_t n = rest_.size();
    Point2 p[3];
    for (size_t k = 0; k < 3; k++) p[k] = at(rest_[(guess + k) % n]);
    float cross = (p[1].x - p[0].x) * (p[2].y - p[1].y) - (p[1].y - p[0].y) * (p[2].x - p[1].x);
    float area = (p[0].x * p[1].y - p[0].y * p[1].x) * 0.5f;
    if (cross * area < 0) return false;
    for (size_t other = 3; other < n; other++) {
      int corner = rest_[(guess + other) % n];
      if (real(corner) && inside(p, at(corner))) return false;
    }
    return true;
  }

  const std::vector<int>& outline_;
  const std::vector<float>& vert_;
  std::array<int, 2> axes_;
  std::vector<int> rest_;
};

}  // namespace

void split_polygon(const std::vector<int>& outline, const std::vector<float>& vert,
                   std::vector<std::array<int, 3>>& out) {
  if (outline.size() == 3) {
    out.push_back({0, 1, 2});
  } else if (outline.size() == 4) {
    split_quad(outline, vert, out);
  } else if (outline.size() > 4) {
    EarClipper(outline, vert).run(out);
  }
}

}  // namespace lockstep::mesh
