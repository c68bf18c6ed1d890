// trial.h: masses and inertias of bodies as compilation would find them, for edits that depend on
// them.
#pragma once

#include <memory>
#include <unordered_map>

#include "compile/build.h"

namespace lockstep {

struct TrialBody {
  Pose pose;      // in the parent
  Pose inertial;  // in the body
  double mass = 0;
  Vec3d inertia{0, 0, 0};
  bool inferred = false;  // from geoms
  bool adjusted = false;  // by boundmass, boundinertia, balanceinertia
};

struct Trial {
  std::unordered_map<const Body*, TrialBody> bodies;  // of b.spec
  std::unordered_map<const Geom*, double> mass;       // of geoms
};

// null if there were errors, which are reported
std::unique_ptr<Trial> try_inertias(Build& b);

// the inertial becomes part of the element
void adopt_inertial(Body& body, const TrialBody& found);

}  // namespace lockstep
