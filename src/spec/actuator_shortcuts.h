// actuator_shortcuts.h: motor, position, muscle and the other shortcuts of the general actuator:
// what their parameters make of gains, biases and dynamics, and back.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "spec/attributes.h"

namespace lockstep {

// Each sets the force model of an actuator and its type; the answer is empty, or what is wrong.
std::string set_to_motor(ActuatorSpec& actuator);
std::string set_to_position(ActuatorSpec& actuator, double kp, std::optional<double> kv,
                            std::optional<double> dampratio, std::optional<double> timeconst,
                            double inheritrange);
std::string set_to_intvelocity(ActuatorSpec& actuator, double kp, std::optional<double> kv,
                               std::optional<double> dampratio, std::optional<double> timeconst,
                               double inheritrange);
std::string set_to_velocity(ActuatorSpec& actuator, double kv);
std::string set_to_damper(ActuatorSpec& actuator, double kv);
// a negative diameter leaves the area as it is given
std::string set_to_cylinder(ActuatorSpec& actuator, double timeconst, double bias, double area,
                            double diameter);

// negative numbers (other than force) stand for the usual values
struct MuscleParams {
  std::array<double, 2> timeconst{0.01, 0.04};
  double tausmooth = 0;
  std::array<double, 2> range{0.75, 1.05};
  double force = -1;
  double scale = 200;
  double lmin = 0.5;
  double lmax = 1.6;
  double vmax = 1.5;
  double fpmax = 1.3;
  double fvmax = 1.2;
};
std::string set_to_muscle(ActuatorSpec& actuator, const MuscleParams& params);
std::string set_to_adhesion(ActuatorSpec& actuator, double gain);
std::string set_to_orientation(ActuatorSpec& actuator, double kp, std::optional<double> kv,
                               std::optional<double> dampratio, int ctrlspec);
std::string set_to_pid(ActuatorSpec& actuator, double kp, std::optional<double> kv,
                       std::optional<double> dampratio, double ki, double imax, double slewmax,
                       double inheritrange, int ctrlspec);

struct DCMotorParams {
  std::array<double, 2> motorconst{};  // torque and back-EMF constant
  double resistance = 0;
  std::array<double, 3> nominal{};     // voltage, stall torque, no-load speed
  std::array<double, 3> saturation{};  // torque, current, rate of current
  std::array<double, 2> inductance{};  // inductance, electrical time constant
  std::array<double, 3> cogging{};     // amplitude, periods, phase
  std::array<double, 6> controller{};  // kp ki kd slewmax imax vmax
  std::array<double, 6>
      thermal{};  // resistance, capacitance, time constant, coefficient, reference, ambient
  std::array<double, 5> lugre{};  // stiffness, damping, Coulomb, static, Stribeck
};
std::string set_to_dcmotor(ActuatorSpec& actuator, const DCMotorParams& params, int ctrlspec);

// the parameters of any shortcut in one place, for model files
struct ShortcutParams {
  double kp = 0;
  std::optional<double> kv, dampratio, timeconst;  // of servos; nothing: not given
  double inheritrange = 0;
  int ctrlspec = 0;
  double ki = 0, imax = 0, slewmax = 0;
  double rate = 0;  // kv of velocity servos and dampers, gain of adhesion
  double cylinder_timeconst = 1, area = 1, diameter = -1;
  std::array<double, 3> bias{};
  MuscleParams muscle;
  DCMotorParams motor;
};

// parameters of a shortcut when nothing is written
ShortcutParams usual_shortcut(ActuatorKind kind);
// parameters that give an actuator its force model
ShortcutParams shortcut_of(const ActuatorSpec& actuator, ActuatorKind kind);
// whether a class passes its force model on to a shortcut of this kind
bool shortcut_inherits(const ActuatorSpec& prototype, ActuatorKind kind);
std::string set_to_shortcut(ActuatorSpec& actuator, ActuatorKind kind,
                            const ShortcutParams& params);

}  // namespace lockstep
