// discard_visual.cc: compiler discardvisual: what is only seen leaves the model, its inertia stays.
#include <algorithm>
#include <unordered_set>

#include "compile/build.h"
#include "compile/passes.h"
#include "compile/references.h"
#include "compile/trial.h"

namespace lockstep {
namespace {

bool only_seen(const Geom& geom, const References& references) {
  return !geom.contype && !geom.conaffinity && geom.fluid_ellipsoid <= 0 &&
         !references.contains(ObjType::geom, geom.name);
}

// bodies whose inertia comes from geoms that leave get it as their own
bool keep_inertias(Build& b, const std::vector<Geom*>& leaving) {
  auto infers = [](const Geom* geom) {
    const Body& body = *geom->parent;
    InertiaFromGeom mode = body.compiler->inertiafromgeom;
    bool given = body.explicitinertial || body.ipos[0] == body.ipos[0];
    return body.parent &&
           (mode == InertiaFromGeom::true_ || (mode == InertiaFromGeom::auto_ && !given));
  };
  if (std::none_of(leaving.begin(), leaving.end(), infers)) return true;
  auto trial = try_inertias(b);
  if (!trial) return false;
  for (const Geom* geom : leaving) {
    Body& body = *geom->parent;
    if (!infers(geom) || trial->mass[geom] == 0) continue;
    if (body.compiler->inertiafromgeom == InertiaFromGeom::true_) {
      b.error(*geom, "mass",
              "discardvisual removes this geom, but inertiafromgeom 'true' counts its mass; with "
              "'auto' the inertia of the body would be kept");
      return false;
    }
    adopt_inertial(body, trial->bodies[&body]);
  }
  return true;
}

void clear_looks(Spec& spec) {
  for (Geom* geom : spec.all<Geom>()) geom->material.clear();
  for (Site* site : spec.all<Site>()) site->material.clear();
  for (Light* light : spec.all<Light>()) light->texture.clear();
  for (Skin* skin : spec.skins) skin->material.clear();
  for (Tendon* tendon : spec.tendons) tendon->material.clear();
  for (Mesh* mesh : spec.meshes) mesh->material.clear();
  for (Flex* flex : spec.flexes) flex->material.clear();
  for (Material* material : spec.materials) material->textures.assign(mjNTEXROLE, "");
  for (Default* def : spec.defaults()) {
    def->geom.material.clear();
    def->site.material.clear();
    def->light.texture.clear();
    def->tendon.material.clear();
    def->mesh.material.clear();
    def->flex.material.clear();
    def->material.textures.assign(mjNTEXROLE, "");
  }
}

template <class T>
void remove_unless(Spec& spec, const std::vector<T*>& list, auto&& kept) {
  for (T* element : std::vector<T*>(list)) {
    if (!kept(*element)) spec.remove(element);
  }
}

}  // namespace

void discard_visual(Build& b) {
  Spec& spec = b.spec;
  if (!spec.compiler->discardvisual) return;
  References references(spec);
  std::vector<Geom*> leaving;
  for (Geom* geom : spec.all<Geom>()) {
    if (only_seen(*geom, references)) leaving.push_back(geom);
  }
  if (!keep_inertias(b, leaving)) return;
  for (Geom* geom : leaving) spec.remove(geom);
  clear_looks(spec);
  auto sensed = [&](const Element& element) {
    return references.sensed(element.kind, element.name);
  };
  remove_unless(spec, spec.materials, sensed);
  remove_unless(spec, spec.textures, sensed);
  std::unordered_set<std::string> used;
  for (const Geom* geom : spec.all<Geom>()) used.insert(geom->meshname);
  for (const Site* site : spec.all<Site>()) used.insert(site->meshname);
  remove_unless(spec, spec.meshes,
                [&](const Mesh& mesh) { return used.contains(mesh.name) || sensed(mesh); });
}

}  // namespace lockstep
