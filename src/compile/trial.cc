#include "compile/trial.h"

#include "compile/passes.h"

namespace lockstep {
namespace {

// inertias before the compiler's corrections
void clear_corrections(Spec& spec) {
  for (Body* body : spec.all<Body>()) {
    body->compiler->boundmass = 0;
    body->compiler->boundinertia = 0;
    body->compiler->balanceinertia = true;  // what is wrong will be reported later
  }
}

struct Run {
  std::unique_ptr<Spec> spec;
  Model model;
  Diagnostics diagnostics;
  Build build;
  explicit Run(const Spec& source) : spec(source.copy()), build(*spec, model, diagnostics) {
    spec->compiler->settotalmass = -1;
    for (Joint* joint : spec->all<Joint>()) {
      joint->align = AlignFree::false_;
      // where free joints may stand is known after fusing; here they only have to move
      if (joint->type == JointType::free) joint->type = JointType::slide;
    }
  }
  bool passes() {
    for (auto pass :
         {resolve_orientations, number_elements, check_names, compile_user, compile_meshes,
          compile_tree, compile_frames, compile_geoms, compile_inertias}) {
      pass(build);
      if (diagnostics.failed()) return false;
    }
    return true;
  }
};

bool differs(const BodyData& a, const BodyData& b) {
  return a.mass != b.mass || a.inertia.x != b.inertia.x || a.inertia.y != b.inertia.y ||
         a.inertia.z != b.inertia.z;
}

}  // namespace

std::unique_ptr<Trial> try_inertias(Build& b) {
  Run run(b.spec), raw(b.spec);
  clear_corrections(*raw.spec);
  if (!run.passes()) {
    b.diagnostics.append(run.diagnostics);
    return nullptr;
  }
  bool compared = raw.passes();
  auto result = std::make_unique<Trial>();
  for (const Body* body : run.build.bodies) {
    const BodyData& data = run.build.tree.bodies[body->id];
    const auto* source = static_cast<const Body*>(body->origin);
    InertiaFromGeom mode = source->compiler->inertiafromgeom;
    TrialBody found{data.pose, data.inertial, data.mass, data.inertia};
    found.inferred = mode == InertiaFromGeom::true_ ||
                     (mode == InertiaFromGeom::auto_ && !source->explicitinertial &&
                      source->ipos[0] != source->ipos[0]);
    found.adjusted = !compared || differs(data, raw.build.tree.bodies[body->id]);
    result->bodies[source] = found;
  }
  for (const Geom* geom : run.build.geoms) {
    result->mass[static_cast<const Geom*>(geom->origin)] = run.build.tree.geoms[geom->id].mass;
  }
  return result;
}

void adopt_inertial(Body& body, const TrialBody& found) {
  body.explicitinertial = true;
  body.mass = found.mass;
  body.ipos = to_array(found.inertial.pos);
  body.iquat = to_array(found.inertial.quat);
  body.inertia = to_array(found.inertia);
  body.ialt = Orientation{};
  body.inertial_frame = nullptr;
  body.fullinertia[0] = undefined;
}

}  // namespace lockstep
