#include "compile/edit.h"

#include "compile/build.h"
#include "compile/passes.h"
#include "compile/trial.h"

namespace lockstep {
namespace {

size_t count_elements(const Spec& spec) {
  return spec.all<Geom>().size() + spec.materials.size() + spec.textures.size() +
         spec.meshes.size();
}

// runs a pass on the spec itself, with its setting switched on meanwhile
bool run(void (*pass)(Build&), bool CompilerSpec::* setting, Spec& spec, Diagnostics& diagnostics) {
  Model model;
  Build build(spec, model, diagnostics);
  bool before = (*spec.compiler).*setting;
  (*spec.compiler).*setting = true;
  pass(build);
  (*spec.compiler).*setting = before;
  spec.signature = 0;
  return !diagnostics.failed();
}

}  // namespace

int fuse_static(Spec& spec, Diagnostics& diagnostics) {
  size_t before = spec.all_bodies().size();
  if (!run(fuse_static, &CompilerSpec::fusestatic, spec, diagnostics)) return -1;
  return static_cast<int>(before - spec.all_bodies().size());
}

int discard_visual(Spec& spec, Diagnostics& diagnostics) {
  size_t before = count_elements(spec);
  if (!run(discard_visual, &CompilerSpec::discardvisual, spec, diagnostics)) return -1;
  return static_cast<int>(before - count_elements(spec));
}

bool adopt_inertial(Body& body, Diagnostics& diagnostics) {
  Model model;
  Build build(*body.spec, model, diagnostics);
  if (body.compiler->inertiafromgeom == InertiaFromGeom::true_) {
    build.error(body, "inertial", "an own inertial has no effect while inertiafromgeom is 'true'");
    return false;
  }
  auto trial = try_inertias(build);
  if (!trial) return false;
  auto found = trial->bodies.find(&body);
  if (found == trial->bodies.end()) {
    build.error(body, "inertial", "the body has no inertial");
    return false;
  }
  adopt_inertial(body, found->second);
  return true;
}

}  // namespace lockstep
