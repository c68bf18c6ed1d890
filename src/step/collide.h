// collide.h: contacts of one pair of geoms in double, as a plain function; defined in instance/.
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

}  // namespace lockstep
