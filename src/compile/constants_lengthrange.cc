// constants_lengthrange.cc: how short and how long the transmission of an actuator can become.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "compile/constants.h"
#include "step/engine.h"

namespace lockstep {
namespace {

// whether this kind of actuator needs a length range at all
bool wanted(const Model& m, int actuator, LRMode mode) {
  const GainType gain{m.actuator_gaintype[actuator]};
  const BiasType bias{m.actuator_biastype[actuator]};
  const bool muscle = gain == GainType::muscle || bias == BiasType::muscle;
  const bool user = gain == GainType::user || bias == BiasType::user;
  switch (mode) {
    case LRMode::muscle: return muscle;
    case LRMode::muscleuser: return muscle || user;
    case LRMode::all: return true;
    default: return false;
  }
}

// limits of the joint or tendon that the actuator drives; null if there are none
const double* own_limits(const Model& m, int actuator) {
  const int id = m.actuator_trnid[2 * actuator];
  const TrnType type{m.actuator_trntype[actuator]};
  const bool joint = type == TrnType::joint || type == TrnType::jointinparent;
  if (joint && m.jnt_limited[id]) return m.jnt_range + 2 * id;
  if (type == TrnType::tendon && m.tendon_limited[id]) return m.tendon_range + 2 * id;
  return nullptr;
}

// pulls along the actuator so hard that it alone would cause the acceleration `options.accel`
void pull(const Model& m, Data& d, int out, double sign, const LengthRangeOptions& options) {
  std::vector<double> moment(m.nv);
  for (int k = d.moment_rowadr[out]; k < d.moment_rowadr[out] + d.moment_rownnz[out]; k++) {
    moment[d.moment_colind[k]] = d.actuator_moment[k];
  }
  const auto length = [](const std::vector<double>& x) {
    double square = 0;
    for (double v : x) square += v * v;
    return std::sqrt(square);
  };
  std::vector<double> acceleration = moment;
  solve_m(m, d, acceleration.data());
  double scale = sign * options.accel / std::max(mjMINVAL, length(acceleration));
  const double force = std::abs(scale) * length(moment);
  if (options.maxforce > 0 && force > options.maxforce)
    scale *= options.maxforce / std::max(mjMINVAL, force);
  for (int dof = 0; dof < m.nv; dof++) d.qfrc_applied[dof] = scale * moment[dof];
}

// one step; returns the length before it
double advance(const Model& m, Data& d, int out, double sign, const LengthRangeOptions& options) {
  const double keep = std::exp(-m.opt.timestep / std::max(0.01, options.timeconst));
  for (int dof = 0; dof < m.nv; dof++) d.qvel[dof] *= keep;
  step1(m, d);
  pull(m, d, out, sign, options);
  step2(m, d);
  return d.actuator_length[out];
}

struct Range {
  double low, high;
};

// lengths seen in the last part of a simulation that pulls in one direction; false if it blew up
bool search(const Model& m, Data& d, int out, double sign, const LengthRangeOptions& options,
            Range& seen) {
  constexpr double max_speed = 1e10;  // MuJoCo's limit for all coordinates
  reset(m, d);
  bool first = true;
  seen = {0, 0};
  while (d.time[0] < options.inttotal) {
    const double before = d.time[0];
    const double length = advance(m, d, out, sign, options);
    if (!(d.time[0] > before)) return false;  // reset on its own
    const auto bad = [](double x) { return !(std::abs(x) < max_speed); };
    if (std::any_of(d.qpos, d.qpos + m.nq, bad) || std::any_of(d.qacc, d.qacc + m.nv, bad))
      return false;
    if (d.time[0] <= options.inttotal - options.interval) continue;
    seen = {first ? length : std::min(seen.low, length),
            first ? length : std::max(seen.high, length)};
    first = false;
  }
  return true;
}

// the search runs without contacts, friction, springs, dampers, gravity and actuators, as whole
// steps with all other constraints
struct SearchOptions {
  Model& m;
  Option saved;
  SearchOptions(Model& model, double timestep) : m(model), saved(model.opt) {
    m.opt.disableflags = code(DisableBit::frictionloss) | code(DisableBit::contact) |
                         code(DisableBit::spring) | code(DisableBit::damper) |
                         code(DisableBit::gravity) | code(DisableBit::actuation);
    if (timestep > 0) m.opt.timestep = timestep;
  }
  ~SearchOptions() { m.opt = saved; }
};

std::string text(const char* format, double a, double b) {
  char buffer[100];
  std::snprintf(buffer, sizeof buffer, format, a, b);
  return buffer;
}

}  // namespace

std::string set_lengthrange(Model& m, int actuator, const LengthRangeOptions& options) {
  if (!wanted(m, actuator, LRMode{options.mode})) return "";
  const int out = m.actuator_outadr[actuator];
  double* range = m.actuator_lengthrange + 2 * out;
  if (options.useexisting && range[0] < range[1]) return "";
  const double* limits = options.uselimit ? own_limits(m, actuator) : nullptr;
  if (limits) {
    std::copy_n(limits, 2, range);
    return "";
  }
  const std::string who = " in actuator " + std::to_string(actuator);
  const SearchOptions search_options(m, options.timestep);
  // a step of no length would never end
  if (!(options.inttotal / m.opt.timestep < 1e8))
    return "the length range takes too many steps to find" + who;
  Data d = make_data(m);
  Range shortest, longest;
  if (!search(m, d, out, -1, options, shortest) || !search(m, d, out, 1, options, longest)) {
    return "the motion that searches the length range is unstable" + who;
  }
  range[0] = shortest.low;
  range[1] = longest.high;
  const double width = range[1] - range[0];
  if (!(width > 0))
    return "the length range is empty" + text(" (%g, %g)", range[0], range[1]) + who;
  for (const Range& seen : {shortest, longest}) {
    if (seen.high - seen.low <= options.tolrange * width) continue;
    return "the length range did not converge" + who + ":" +
           text(" eval (%g, %g)", seen.low, seen.high) +
           text(" range (%g, %g)", range[0], range[1]);
  }
  return "";
}

}  // namespace lockstep
