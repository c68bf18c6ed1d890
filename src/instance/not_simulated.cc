// not_simulated.cc: names what a Model asks for and the step leaves out so far, so that nothing is
// dropped in silence.
#include <algorithm>
#include <iterator>

#include "stage/actuation/dcmotor.h"
#include "stage/sensor/sensor.h"
#include "step/engine.h"

namespace lockstep {
namespace {

bool disabled(const Model& m, DisableBit bit) { return m.opt.disableflags & code(bit); }

// geoms of a type that may touch something
bool may_touch(const Model& m, GeomType type) {
  for (int64_t geom = 0; geom < m.ngeom; geom++) {
    const bool touches = m.geom_contype[geom] || m.geom_conaffinity[geom];
    if (touches && m.geom_type[geom] == code(type)) return true;
  }
  return false;
}

// sensors that nothing computes yet; those of users are theirs
bool has_unread_sensors(const Model& m) {
  for (int64_t id = 0; id < m.nsensor; id++) {
    const auto reads = [&](const SensorKind<double>& kind) {
      return code(kind.type) == m.sensor_type[id];
    };
    const auto& kinds = sensor_kinds<double>;
    if (m.sensor_type[id] == code(SensorType::user)) continue;
    if (std::none_of(std::begin(kinds), std::end(kinds), reads)) return true;
  }
  return false;
}

// taxels that SDF geoms may touch
bool feels_sdf(const Model& m) {
  if (disabled(m, DisableBit::sensor) || !may_touch(m, GeomType::sdf)) return false;
  const int* types = m.sensor_type;
  return std::count(types, types + m.nsensor, code(SensorType::tactile)) > 0;
}

}  // namespace

std::string unknown_option(const Option& option) {
  const auto missing = [](int value, int last) { return value < 0 || value > last; };
  if (missing(option.integrator, code(Integrator::implicitspringdamper))) {
    return "mj_step: invalid integrator " + std::to_string(option.integrator);
  }
  if (missing(option.solver, code(Solver::cgstrict))) {
    return "mj_fwdConstraint: unknown solver type " + std::to_string(option.solver);
  }
  return "";
}

std::string wrong_numbers(const Model& m) {
  for (int id = 0; id < m.nactuator; id++) {
    if (m.actuator_dyntype[id] != code(DynType::dcmotor)) continue;
    int states = 0;
    for (const MotorState& state : motor_states) {
      states += state.gain ? m.actuator_gainprm[mjNGAIN * id + state.prm] > 0
                           : m.actuator_dynprm[mjNDYN * id + state.prm] > 0;
    }
    if (states == m.actuator_actnum[id]) continue;
    return "mj_fwdActuation: inconsistent state array dimension in DC motor (actuator " +
           std::to_string(id) + ")";
  }
  for (int64_t i = 0; i < m.nwrap; i++) {
    const auto type = static_cast<WrapType>(m.wrap_type[i]);
    const double side = m.wrap_prm[i];
    if (type != WrapType::sphere && type != WrapType::cylinder) continue;
    if (side < static_cast<double>(m.nsite)) continue;
    return "mj_tendon: invalid sideid " + std::to_string(side) + " in wrap_prm";
  }
  return "";
}

std::string not_simulated(const Model& m) {
  std::string names;
  const auto add = [&names](bool present, const char* name) {
    if (present) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  if (!disabled(m, DisableBit::constraint)) {
    const bool contacts = !disabled(m, DisableBit::contact);
    add(contacts && may_touch(m, GeomType::sdf), "contacts of SDF geoms");
  }
  add(m.nflex > 0, "flexes");
  add(feels_sdf(m), "tactile readings of SDF geoms");
  add(!disabled(m, DisableBit::sensor) && has_unread_sensors(m), "some sensors");
  return names;
}

}  // namespace lockstep
