// convex.h: distances of geoms for one world in double, as plain functions; defined in instance/.
#pragma once

#include "model/data.h"
#include "model/model.h"

namespace lockstep {

// whether distances from a geom are known: planes, all convex shapes, height fields
bool has_geom_distance(const Model& m, int geom);

// Smallest signed distance of two geoms that have one, negative where they overlap, at most
// distmax. fromto (may be null) becomes the segment from a point of geom1 to one of geom2, zeros
// if they are not nearer than distmax; normal (likewise) the direction from geom1 to geom2 along
// which they come apart. Planes and height fields are never near each other.
double geom_distance(const Model& m, Data& d, int geom1, int geom2, double distmax, double* fromto,
                     double* normal = nullptr);

// The smallest box around a geom that is parallel to the axes; that of a height field is the box
// around its own. False for planes, which have none.
bool geom_box(const Model& m, Data& d, int geom, double low[3], double high[3]);

}  // namespace lockstep
