#include "spec/dimensions.h"

#include <cmath>

namespace lockstep {
namespace {

constexpr SensorDimension sensor_dimensions[] = {
    {SensorType::touch, "F", "F"},
    {SensorType::accelerometer, "L/T^2", "L/T^2"},
    {SensorType::velocimeter, "L/T", "L/T"},
    {SensorType::force, "F", "F"},
    {SensorType::torque, "FL", "FL"},
    {SensorType::rangefinder, "L", "L"},
    {SensorType::jointpos, "Q", "Q"},
    {SensorType::jointvel, "Q/T", "Q/T"},
    {SensorType::jointactfrc, "F", "F"},
    {SensorType::jointlimitpos, "Q", "Q"},
    {SensorType::jointlimitvel, "Q/T", "Q/T"},
    {SensorType::jointlimitfrc, "F", "F"},
    {SensorType::tendonpos, "Q", "Q"},
    {SensorType::tendonvel, "Q/T", "Q/T"},
    {SensorType::tendonactfrc, "F", "F"},
    {SensorType::tendonlimitpos, "Q", "Q"},
    {SensorType::tendonlimitvel, "Q/T", "Q/T"},
    {SensorType::tendonlimitfrc, "F", "F"},
    {SensorType::actuatorpos, "Q", "Q"},
    {SensorType::actuatorvel, "Q/T", "Q/T"},
    {SensorType::actuatorfrc, "F", "F"},
    {SensorType::framepos, "L", "L"},
    {SensorType::framelinvel, "L/T", "L/T"},
    {SensorType::framelinacc, "L/T^2", "L/T^2"},
    {SensorType::subtreecom, "L", "L"},
    {SensorType::subtreelinvel, "L/T", "L/T"},
    {SensorType::subtreeangmom, "FLT", "FLT"},
    {SensorType::geomdist, "L", "L"},
    {SensorType::geomnormal, "1", "L"},
    {SensorType::geomfromto, "L", "L"},
};

std::string_view component(std::string_view dimension, int index) {
  for (; index > 0; index--) {
    size_t comma = dimension.find(',');
    if (comma == std::string_view::npos) break;
    dimension.remove_prefix(comma + 1);
  }
  return dimension.substr(0, dimension.find(','));
}

}  // namespace

SensorDimension dimension_of(SensorType type) {
  for (const SensorDimension& entry : sensor_dimensions) {
    if (entry.type == type) return entry;
  }
  return {type, "1", "1"};
}

std::string_view control_dimension(const ActuatorSpec& actuator) {
  const int inputs = actuator.ctrlspec;
  if (inputs & code(CtrlInput::pos)) return "Q";
  if (inputs & code(CtrlInput::vel)) return "Q/T";
  if (inputs & code(CtrlInput::ff)) return "F";
  if (inputs & code(CtrlInput::pressure)) return "P/L^2";
  return "1";
}

double Factors::of(std::string_view dimension, int index, std::string_view control) const {
  std::string_view text = component(dimension, index);
  const bool dynamic = text.find('F') != text.npos || text.find('P') != text.npos;
  double factor = 1;
  int sign = 1;
  for (size_t i = 0; i < text.size(); i++) {
    double base = 1;
    switch (text[i]) {
      case '/': sign = -1; continue;
      case 'L': base = dynamic ? unit_length : length; break;
      case 'Q': base = dynamic ? unit_coordinate : coordinate; break;
      case 'F': base = force(); break;
      case 'P': base = linear_force(); break;
      case 'C': base = of(control); break;
      default: break;
    }
    int power = 1;
    if (i + 2 < text.size() && text[i + 1] == '^') {
      power = text[i + 2] - '0';
      i += 2;
    }
    factor *= std::pow(base, sign * power);
  }
  return factor;
}

}  // namespace lockstep
