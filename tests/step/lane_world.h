// lane_world.h: worlds in lanes, stepped by compiled kernels; a test runs once for each instruction
// set that the machine has.
#pragma once

#include <algorithm>
#include <vector>

#include "step/engine.h"
#include "step/kernels.h"
#include "step/world.h"

namespace lockstep {

// all that step lanes of this kind
template <class Real>
std::vector<const Kernels*> kernels_of() {
  const auto all = all_kernels();
  std::vector<const Kernels*> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), [](const Kernels* kernels) {
    return kernels->width == lanes<Real> &&
           kernels->single_precision == (sizeof(Scalar<Real>) == sizeof(float));
  });
  return found;
}

template <class Real>
struct LaneWorld : World<Real> {
  const Kernels& kernels;

  LaneWorld(const Model& m, const Kernels* by) : World<Real>(m), kernels(*by) {}
  void step() { kernels.step(&this->m, &this->d, Detail::all); }
  void inverse() { kernels.inverse(&this->m, &this->d); }
  void run_phases(Phase first, Phase last) { kernels.run_phases(&this->m, &this->d, first, last); }
  void run_on_demand(std::string_view name) {
    kernels.run_on_demand(&this->m, &this->d, on_demand_place(name));
  }
  void run_stage(std::string_view name) {
    for (int stage = 0; stage < stage_count(); stage++) {
      if (stage_info(stage).name == name) kernels.run_stage(&this->m, &this->d, stage);
    }
  }
};

}  // namespace lockstep
