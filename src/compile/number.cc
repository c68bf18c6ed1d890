// number.cc: every element gets its number: bodies depth first, their elements in the order of
// bodies, all others in the order of definition.
#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

template <class T>
int64_t number(std::vector<T*>& list) {
  int id = 0;
  for (T* element : list) element->id = id++;
  return id;
}

}  // namespace

void number_elements(Build& b) {
  b.bodies = b.spec.all<Body>();
  b.joints = b.spec.all<Joint>();
  b.geoms = b.spec.all<Geom>();
  b.sites = b.spec.all<Site>();
  b.cameras = b.spec.all<Camera>();
  b.lights = b.spec.all<Light>();
  Model& m = b.model;
  m.nbody = number(b.bodies);
  m.njnt = number(b.joints);
  m.ngeom = number(b.geoms);
  m.nsite = number(b.sites);
  m.ncam = number(b.cameras);
  m.nlight = number(b.lights);
  m.nflex = number(b.spec.flexes);
  m.nmesh = number(b.spec.meshes);
  m.nhfield = number(b.spec.hfields);
  m.nskin = number(b.spec.skins);
  m.ntex = number(b.spec.textures);
  m.nmat = number(b.spec.materials);
  m.npair = number(b.spec.pairs);
  m.nexclude = number(b.spec.excludes);
  m.neq = number(b.spec.equalities);
  m.ntendon = number(b.spec.tendons);
  m.nactuator = number(b.spec.actuators);
  m.nsensor = number(b.spec.sensors);
  m.nnumeric = number(b.spec.numerics);
  m.ntext = number(b.spec.texts);
  m.ntuple = number(b.spec.tuples);
  m.nkey = number(b.spec.keys);
  m.nplugin = number(b.spec.plugins);
}

}  // namespace lockstep
