// compile.h: Spec to Model. `passes` in compile.cc is the list of what happens, in order.
#pragma once

#include <array>
#include <memory>

#include "base/diagnostic.h"
#include "model/model.h"
#include "spec/spec.h"

namespace lockstep {

// a Model and the spec it was packed from: a copy in which frames, classes, notations and
// references are resolved
struct Compiled {
  Model model;
  std::unique_ptr<Spec> spec;
  std::array<double, mjNCTIMER> timer{};  // seconds, by CTimer
};

// Compiles a spec; null if there were errors. Elements of `spec` get their ids, keyframes that
// waited for it their vectors; nothing else in it changes.
std::unique_ptr<Compiled> compile(Spec& spec, Diagnostics& diagnostics);

}  // namespace lockstep
