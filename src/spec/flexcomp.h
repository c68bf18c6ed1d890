// flexcomp.h: what a flexcomp says: a flex together with the bodies it needs.
#pragma once

#include "spec/attributes.h"

namespace lockstep {

struct FlexcompSpec {
  std::string name{};
  int type = 0;  // by the order of its keywords
  int group = 0;
  int dim = 2;
  int dof = 0;  // likewise
  std::array<int, 3> count{10, 10, 10};
  std::array<int, 3> cellcount{1, 1, 1};
  std::array<double, 3> spacing{0.02, 0.02, 0.02};
  double radius = 0.005;
  bool rigid = false;
  double mass = 1;
  double inertiabox = 0.005;
  std::array<double, 3> scale{1, 1, 1};
  std::string file{};
  std::string mesh{};
  Numbers point{};
  std::vector<int> element{};
  std::vector<float> texcoord{};
  std::string material{};
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1.0f};
  bool flatskin = false;
  std::array<double, 3> pos{};
  std::array<double, 4> quat{1, 0, 0, 0};
  Orientation alt{};
  std::array<double, 3> origin{};

  // constraint of its edges
  int equality = 0;
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2};
  double edgestiffness = 0;
  double edgedamping = 0;
};

// points that are fixed to the parent
struct FlexcompPin {
  std::vector<int> id{};
  std::vector<int> range{};
  std::vector<int> grid{};
  std::vector<int> gridrange{};
};

}  // namespace lockstep
