// collide.cc: contacts of one pair of geoms, in double.
#include "step/collide.h"

#include <algorithm>
#include <utility>

#include "stage/collision/analytic.h"
#include "step/drive.h"

namespace lockstep {

int collide(const Model& m, Data& d, int geom1, int geom2, double margin, ContactPoint<double>* out,
            int room) {
  if (m.geom_type[geom1] > m.geom_type[geom2]) std::swap(geom1, geom2);
  const Collider<double>* collider =
      analytic_collider<double>(m.geom_type[geom1], m.geom_type[geom2]);
  if (!collider) return -1;
  const auto shape = [&](int geom) {
    return Shape<double>{view(d).geom_xpos[geom], view(d).geom_xmat[geom], view(m).geom_size[geom]};
  };
  ContactSet<double> found;
  collider->run(shape(geom1), shape(geom2), margin, found);
  std::copy_n(found.item, std::min(found.used, room), out);
  return found.used;
}

}  // namespace lockstep
