// flexcomp.h: what a flexcomp says: a flex together with the bodies it needs. It is taken apart
// when it is read, so a Spec holds the flex, its bodies, joints and equalities, not the flexcomp.
#pragma once

#include "spec/attributes.h"
#include "spec/spec.h"

namespace lockstep {

// in the order of their keywords
enum class FlexcompType {
  grid,
  box,
  cylinder,
  ellipsoid,
  square,
  disc,
  circle,
  mesh,
  gmsh,
  direct
};
enum class FlexcompDof { full, radial, trilinear, quadratic, plane };
enum class FlexcompEquality { none, edge, vert, strain };

struct FlexcompSpec {
  int type = 0;  // FlexcompType
  int group = 0;
  int dim = 2;
  int dof = 0;  // FlexcompDof
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
  std::vector<std::string> material{};
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1.0f};
  bool flatskin = false;
  std::array<double, 3> pos{};
  std::array<double, 4> quat{1, 0, 0, 0};
  Orientation alt{};
  std::array<double, 3> origin{};

  // constraint of its edges
  int equality = 0;  // FlexcompEquality
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

struct Flexcomp : FlexcompSpec {
  std::string name;
  bool dim_given = false;
  bool origin_given = false;
  bool single_yield = false;  // one number was given for stretching and bending
  std::string meshdir;        // where `file` is looked for
  FlexcompPin pin;
  FlexSpec flex;  // contact and elasticity; what FlexcompSpec has too comes from there
  PluginRef plugin;
  Source source;
};

// Makes the flex, its bodies, joints and equalities in `parent`, as seen from `frame`. After an
// error the answer is null and nothing was made. Defined in compile/flexcomp, which knows meshes.
Flex* expand_flexcomp(Spec& spec, Body* parent, const Frame* frame, const Flexcomp& comp,
                      Diagnostics& diagnostics);

}  // namespace lockstep
