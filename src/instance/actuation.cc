// actuation.cc: plain functions of actuators, and of histories, in double.
#include <algorithm>

#include "step/drive.h"
#include "step/engine.h"

namespace lockstep {

void read_ctrl(const Model& m, const Data& d, int actuator, double time, double* result,
               int interpolation) {
  const int count = m.actuator_ctrlnum[actuator], samples = m.actuator_history[2 * actuator];
  if (samples <= 0) {
    std::copy_n(d.ctrl + m.actuator_ctrladr[actuator], count, result);
    return;
  }
  const History<double> ring{d.history + m.actuator_historyadr[actuator], samples, count};
  if (interpolation < 0) interpolation = m.actuator_history[2 * actuator + 1];
  for (int i = 0; i < count; i++) {
    result[i] = read_history(ring, time - m.actuator_delay[actuator], i, interpolation, 0);
  }
}

void read_sensor(const Model& m, const Data& d, int sensor, double time, double* result,
                 int interpolation) {
  const int dim = m.sensor_dim[sensor], samples = m.sensor_history[2 * sensor];
  if (samples <= 0) {
    std::copy_n(d.sensordata + m.sensor_adr[sensor], dim, result);
    return;
  }
  const History<double> ring{d.history + m.sensor_historyadr[sensor], samples, dim};
  if (interpolation < 0) interpolation = m.sensor_history[2 * sensor + 1];
  for (int i = 0; i < dim; i++) {
    result[i] = read_history(ring, time - m.sensor_delay[sensor], i, interpolation, 0);
  }
}

namespace {

void init_ring(double* ring, int samples, int dim, const double* times, const double* values) {
  if (times) {
    std::copy_n(times, samples, ring + 2);
  } else {  // oldest first, as the values are
    std::rotate(ring + 2, ring + 2 + (int(ring[1]) + 1) % samples, ring + 2 + samples);
  }
  ring[1] = samples - 1;
  std::copy_n(values, samples * dim, ring + 2 + samples);
}

}  // namespace

void init_ctrl_history(const Model& m, Data& d, int actuator, const double* times,
                       const double* values) {
  const int samples = m.actuator_history[2 * actuator];
  if (samples <= 0) return;
  double* ring = d.history + m.actuator_historyadr[actuator];
  ring[0] = 0;
  init_ring(ring, samples, m.actuator_ctrlnum[actuator], times, values);
}

void init_sensor_history(const Model& m, Data& d, int sensor, const double* times,
                         const double* values, double phase) {
  const int samples = m.sensor_history[2 * sensor];
  if (samples <= 0) return;
  double* ring = d.history + m.sensor_historyadr[sensor];
  ring[0] = phase;
  init_ring(ring, samples, m.sensor_dim[sensor], times, values);
}

const char* actuator_input_name(const Model& m, int actuator, int input) {
  constexpr const char* expmap[] = {"rx", "ry", "rz"};
  constexpr const char* quat[] = {"qw", "qx", "qy", "qz"};
  constexpr const char* inputs[] = {"pos", "vel", "ff", "voltage", nullptr, "pressure"};
  if (actuator < 0 || actuator >= m.nactuator) return nullptr;
  if (input < 0 || input >= m.actuator_ctrlnum[actuator]) return nullptr;
  const int taken = m.actuator_ctrlspec[actuator];
  if (m.actuator_gaintype[actuator] == code(GainType::so3)) {
    return taken == code(CtrlChart::quat) ? quat[input] : expmap[input];
  }
  for (size_t bit = 0; bit < std::size(inputs); bit++) {
    if ((taken & (1 << bit)) && input-- == 0) return inputs[bit];
  }
  return nullptr;
}

double muscle_gain(double length, double velocity, const double lengthrange[2], double acc0,
                   const double prm[9]) {
  return muscle_gain(Muscle<double>{prm, lengthrange, acc0}, length, velocity);
}
double muscle_bias(double length, const double lengthrange[2], double acc0, const double prm[9]) {
  return muscle_bias(Muscle<double>{prm, lengthrange, acc0}, length);
}
double muscle_dynamics(double ctrl, double act, const double prm[3]) {
  return muscle_dynamics<double>(ctrl, act, prm);
}

}  // namespace lockstep
