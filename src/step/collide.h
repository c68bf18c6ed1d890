// collide.h: contacts of one pair of geoms in double, as plain functions; defined in instance/.
#pragma once

#include "model/data.h"
#include "model/model.h"
#include "stage/collision/contact_point.h"

namespace lockstep {

// contacts of two geoms at their present poses that are nearer than the margin, with normals from
// the geom of the lower type to the other; their number, of which at most room are written.
// -1 if the pair has no collider in closed form
int collide(const Model& m, Data& d, int geom1, int geom2, double margin, ContactPoint<double>* out,
            int room);

// the same for any pair, as the collision stage finds them: into the arena of d, where they replace
// the contacts that are there; their number
int collide_geoms(const Model& m, Data& d, int geom1, int geom2, double margin);

}  // namespace lockstep
