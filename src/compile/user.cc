// user.cc: numbers of the user: how many each kind has; all elements of a kind get as many.
#include <fmt/core.h>

#include <algorithm>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

// of all elements together; more would only exhaust memory
constexpr size_t max_numbers = size_t{1} << 27;

template <class T>
int64_t settle(Build& b, const std::vector<T*>& list, int given, std::string_view size_name) {
  size_t count = given >= 0 ? static_cast<size_t>(given) : 0;
  for (T* element : list) {
    if (given < 0) {
      count = std::max(count, element->userdata.size());
    } else if (element->userdata.size() > count) {
      auto& error = b.error(*element, "user", fmt::format("more numbers than {} says", size_name));
      error.expected = fmt::format("at most {}", count);
      error.found = fmt::format("{}", element->userdata.size());
    }
  }
  if (!list.empty() && count > max_numbers / list.size()) {
    b.diagnostics.error(b.spec.source, "too many user numbers").found =
        fmt::format("{} {}", size_name, count);
    return 0;
  }
  for (T* element : list) element->userdata.resize(count);
  return static_cast<int64_t>(count);
}

}  // namespace

void compile_user(Build& b) {
  Model& m = b.model;
  const Spec& s = b.spec;
  m.nuser_body = settle(b, b.bodies, s.nuser_body, "nuser_body");
  m.nuser_jnt = settle(b, b.joints, s.nuser_jnt, "nuser_jnt");
  m.nuser_geom = settle(b, b.geoms, s.nuser_geom, "nuser_geom");
  m.nuser_site = settle(b, b.sites, s.nuser_site, "nuser_site");
  m.nuser_cam = settle(b, b.cameras, s.nuser_cam, "nuser_cam");
  m.nuser_tendon = settle(b, s.tendons, s.nuser_tendon, "nuser_tendon");
  m.nuser_actuator = settle(b, s.actuators, s.nuser_actuator, "nuser_actuator");
  m.nuser_sensor = settle(b, s.sensors, s.nuser_sensor, "nuser_sensor");
}

}  // namespace lockstep
