// dedup.h: assets that would compile to the same thing.
#pragma once

#include "spec/spec.h"

namespace lockstep {

// Merges textures and meshes that differ in nothing but their names: the first of each group stays,
// references to the others are turned to it. Returns how many were merged.
int dedup_assets(Spec& spec);

}  // namespace lockstep
