#include "step/switching_numbers.h"

#include "stage/actuation/dcmotor.h"

namespace lockstep {

std::vector<SwitchingNumber> switching_numbers(const Model& m) {
  std::vector<SwitchingNumber> list;
  const auto add_prm = [&list](int actuator, bool gain, int prm) {
    if (gain) {
      list.push_back({"actuator_gainprm", int64_t{mjNGAIN} * actuator + prm, true});
    } else {
      list.push_back({"actuator_dynprm", int64_t{mjNDYN} * actuator + prm, true});
    }
  };
  for (int i = 0; i < m.nactuator; i++) {
    if (m.actuator_dyntype[i] == code(DynType::pid)) {
      add_prm(i, false, 1);
      add_prm(i, true, 0);
    } else if (m.actuator_dyntype[i] == code(DynType::dcmotor)) {
      for (const MotorState& state : motor_states) add_prm(i, state.gain, state.prm);
    }
  }
  for (int64_t i = 0; i < m.nwrap; i++) {
    const auto type = static_cast<WrapType>(m.wrap_type[i]);
    if (type == WrapType::sphere || type == WrapType::cylinder)
      list.push_back({"wrap_prm", i, false});
  }
  for (int64_t i = 0; i < m.ngeom; i++) list.push_back({"geom_rbound", i, true});
  return list;
}

}  // namespace lockstep
