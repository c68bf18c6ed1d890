// collide.cc: contacts of one pair of geoms, in double.
#include "step/collide.h"

#include <algorithm>
#include <new>
#include <utility>

#include "stage/collision/narrow.h"
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

int collide_geoms(const Model& m, Data& d, int geom1, int geom2, double margin) {
  if (m.geom_type[geom1] > m.geom_type[geom2]) std::swap(geom1, geom2);
  const ModelView<double> model = view(m);
  const DataView<double> data = view(d);
  const GeomPair pair{{geom1, geom2}, -1};
  ArenaView<double>& arena = *data.arena;
  arena.ncon = 0;
  if (!spheres_near(model, data, pair, margin)) return 0;
  for (;;) {
    ContactList<double> list{model, data};
    collide_now(list, pair, margin, margin, true);
    if (arena.has_room(&Room::ncon, list.count)) return arena.ncon = list.count;
    if (!arena.grow(arena)) throw std::bad_alloc();
  }
}

}  // namespace lockstep
