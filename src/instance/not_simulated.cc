// not_simulated.cc: names what a Model asks for and the step leaves out so far, so that nothing is
// dropped in silence.
#include <algorithm>
#include <iterator>

#include "stage/sensor/sensor.h"
#include "step/engine.h"

namespace lockstep {
namespace {

bool disabled(const Model& m, DisableBit bit) { return m.opt.disableflags & code(bit); }

bool has_flex_equalities(const Model& m) {
  return std::any_of(m.eq_type, m.eq_type + m.neq,
                     [](int type) { return type > code(EqType::tendon); });
}

// some moving geom has a partner that it may touch
bool has_contacts(const Model& m) {
  if (m.npair > 0) return true;
  for (int64_t a = 0; a < m.ngeom; a++) {
    if (m.body_weldid[m.geom_bodyid[a]] == 0) continue;
    for (int64_t b = 0; b < m.ngeom; b++) {
      const bool match = (m.geom_contype[a] & m.geom_conaffinity[b]) ||
                         (m.geom_contype[b] & m.geom_conaffinity[a]);
      if (match && m.body_weldid[m.geom_bodyid[a]] != m.body_weldid[m.geom_bodyid[b]]) return true;
    }
  }
  return false;
}

// sensors that nothing computes yet, or that remember their readings
bool has_unread_sensors(const Model& m) {
  for (int64_t id = 0; id < m.nsensor; id++) {
    const auto reads = [&](const SensorKind<double>& kind) {
      return code(kind.type) == m.sensor_type[id];
    };
    const auto& kinds = sensor_kinds<double>;
    if (m.sensor_history[2 * id] > 0 || std::none_of(std::begin(kinds), std::end(kinds), reads)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string not_simulated(const Model& m) {
  std::string names;
  const auto add = [&names](bool present, const char* name) {
    if (present) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  if (!disabled(m, DisableBit::constraint)) {
    add(!disabled(m, DisableBit::contact) && has_contacts(m), "contacts");
    add(!disabled(m, DisableBit::equality) && has_flex_equalities(m), "equalities of flexes");
  }
  add(!disabled(m, DisableBit::sensor) && has_unread_sensors(m), "some sensors");
  return names;
}

}  // namespace lockstep
