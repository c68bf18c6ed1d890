// rod.cc: bending and torsion of flexes made of lines, as discrete elastic rods.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "compile/flex/elasticity.h"
#include "compile/mesh/geometry.h"

namespace lockstep {
namespace {

using mesh::point;

constexpr int record_size = 10;
constexpr double straight = 1e-4;  // rad: less bent counts as straight

// stiffness of a cross section, before it is divided by lengths
struct Section {
  double weak = 0, strong = 0, torsion = 0;
  double minor = 0;  // signed half size of a box along its second axis
};

Section section_of(const FlexSpec& spec, double radius) {
  const double shear = spec.shear > 0 ? spec.shear : spec.young / (2 * (1 + spec.poisson));
  Section s;
  if (spec.section == FlexSection::box) {
    const auto [b, a] = std::minmax(spec.sectionsize[0], spec.sectionsize[1]);  // half sizes
    s.weak = spec.young * (2 * a) * std::pow(2 * b, 3) / 12;
    s.strong = spec.young * (2 * b) * std::pow(2 * a, 3) / 12;
    // Saint-Venant's constant of a rectangle, by Roark's formula
    const double ratio = b / a;
    s.torsion =
        shear * a * b * b * b * (16. / 3 - 3.36 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
    s.minor = spec.sectionsize[1] > spec.sectionsize[0] ? -b : b;
  } else {
    const double r4 = radius * radius * radius * radius;
    s.weak = s.strong = spec.young * std::numbers::pi * r4 / 4;
    s.torsion = shear * std::numbers::pi * r4 / 2;
  }
  return s;
}

// two lines that meet
struct Hinge {
  int before = -1, at = -1, after = -1;
  double length0 = 0, length1 = 0;
  double curvature = 0;  // of the reference: 2 tan(angle / 2)

  double sum() const { return length0 + length1; }
};

class Rod {
 public:
  Rod(const FlexSpec& spec, FlexData& flex)
      : flex_(flex), section_(section_of(spec, flex.radius)), neighbors_(flex.nvert) {
    for (const auto& [a, b] : flex.edge) {
      neighbors_[a].push_back(b);
      neighbors_[b].push_back(a);
    }
  }

  std::string add_chain(const std::vector<int>& chain, const std::vector<int>& twist) {
    for (size_t i = 1; i + 1 < chain.size(); i++) {
      Hinge hinge{chain[i - 1], chain[i], chain[i + 1]};
      if (std::string error = measure(hinge); !error.empty()) return error;
      add_single(hinge, twist[i]);
    }
    finish();
    return "";
  }

  // Without twist joints bent neighbors are held to each other: a record for each edge between two
  // of them; the others stand alone.
  std::string add_loose(bool pairs) {
    std::vector<Hinge> hinges(flex_.nvert);
    for (int v = 0; v < flex_.nvert; v++) {
      if (neighbors_[v].size() != 2) continue;
      hinges[v] = {neighbors_[v][0], v, neighbors_[v][1]};
      if (std::string error = measure(hinges[v]); !error.empty()) return error;
    }
    auto bent = [&](int v) { return hinges[v].at >= 0 && hinges[v].curvature > 0; };
    std::vector<int> uses(flex_.nvert, 0);
    for (const auto& [a, b] : flex_.edge) {
      if (pairs && bent(a) && bent(b)) uses[a]++, uses[b]++;
    }
    for (const auto& [a, b] : flex_.edge) {
      if (pairs && bent(a) && bent(b)) add_pair(hinges[a], hinges[b], uses[a], uses[b]);
    }
    for (int v = 0; v < flex_.nvert; v++) {
      if (hinges[v].at >= 0 && uses[v] == 0) add_single(hinges[v], -1);
    }
    finish();
    return "";
  }

 private:
  std::string measure(Hinge& hinge) const {
    const Vec3d e0 = point(flex_.vertpos, hinge.at) - point(flex_.vertpos, hinge.before);
    const Vec3d e1 = point(flex_.vertpos, hinge.after) - point(flex_.vertpos, hinge.at);
    hinge.length0 = norm(e0);
    hinge.length1 = norm(e1);
    const double product = hinge.length0 * hinge.length1, reach = product + dot(e0, e1);
    if (!(product > 0) || !(reach > 1e-10 * product)) {
      return fmt::format("the lines at vertex {} fold back or have no length", hinge.at);
    }
    hinge.curvature = 2 * norm(cross(e0, e1)) / reach;
    if (2 * std::atan(hinge.curvature / 2) <= straight) hinge.curvature = 0;
    return "";
  }

  void add_single(const Hinge& h, int joint) {
    add({double(h.before), double(h.at), double(h.after), -1, section_.weak / h.sum(),
         (section_.strong - section_.weak) / h.sum(), h.curvature, double(joint),
         section_.torsion / h.sum(), section_.minor});
  }

  void add_pair(const Hinge& a, const Hinge& b, int uses_a, int uses_b) {
    const int before = a.before == b.at ? a.after : a.before;
    const int after = b.after == a.at ? b.before : b.after;
    const Vec3d x[4] = {point(flex_.vertpos, before), point(flex_.vertpos, a.at),
                        point(flex_.vertpos, b.at), point(flex_.vertpos, after)};
    const Vec3d middle = x[2] - x[1];
    const Vec3d n0 = cross(x[1] - x[0], middle), n1 = cross(middle, x[3] - x[2]);
    const double length = norm(middle);
    const double angle = std::atan2(dot(cross(n0, n1), middle) / length, dot(n0, n1));
    add({double(before), double(a.at), double(b.at), double(after),
         section_.weak / a.sum() / uses_a, section_.weak / b.sum() / uses_b, a.curvature,
         b.curvature, section_.torsion / (2 * length), angle});
  }

  void add(const std::array<double, record_size>& record) {
    records_.insert(records_.end(), record.begin(), record.end());
  }

  void finish() {
    if (records_.empty()) return;
    flex_.bending = {static_cast<double>(records_.size() / record_size)};
    flex_.bending.insert(flex_.bending.end(), records_.begin(), records_.end());
  }

  FlexData& flex_;
  Section section_;
  std::vector<std::vector<int>> neighbors_;
  std::vector<double> records_;
};

}  // namespace

std::string set_rod(const FlexSpec& spec, const std::vector<int>& chain,
                    const std::vector<int>& twist, FlexData& flex) {
  Rod rod(spec, flex);
  return twist.empty() ? rod.add_loose(true) : rod.add_chain(chain, twist);
}

}  // namespace lockstep
