#include "compile/compile.h"

#include <fmt/core.h>

#include <chrono>
#include <new>

#include "compile/build.h"
#include "compile/passes.h"
#include "spec/nesting.h"

namespace lockstep {
namespace {

struct Pass {
  const char* name;
  void (*run)(Build&);
  CTimer timer = CTimer::total;  // beside the total
};

// clang-format off
constexpr Pass passes[] = {
    // the working copy is edited, named and numbered
    {"check flexes",         check_flexes},
    {"discard visual",       discard_visual},
    {"fuse static",          fuse_static},
    {"orientations",         resolve_orientations},
    {"scale frames",         scale_frames},
    {"number elements",      number_elements},
    {"names",                check_names},
    {"user numbers",         compile_user},
    // assets
    {"meshes",               compile_meshes,   CTimer::mesh_load},
    {"height fields",        compile_hfields,  CTimer::assets},
    {"textures",             compile_textures, CTimer::texture},
    {"materials",            compile_materials, CTimer::assets},
    // the tree
    {"tree",                 compile_tree},
    {"frames",               compile_frames},
    {"geoms",                compile_geoms},
    {"sites",                compile_sites},
    {"joints",               compile_joints},
    {"cameras, lights",      compile_cameras_lights},
    {"inertias",             compile_inertias},
    {"bounding volumes",     compile_bvh},
    {"flexes",               compile_flexes},
    {"flex metric",          count_flex_metric},
    // objects outside the tree
    {"plugins",              compile_plugins},
    {"pairs, excludes",      compile_pairs_excludes},
    {"equalities",           compile_equalities},
    {"tendons",              compile_tendons},
    {"actuators",            compile_actuators},
    {"sensors",              compile_sensors},
    {"plugin settings",      check_plugin_settings},
    {"keyframes",            compile_keyframes},
    {"custom",               compile_custom},
    {"skins",                compile_skins},
    // the model is sized and allocated
    {"sparsity",             compile_sparsity},
    {"name sizes",           compile_name_sizes},
    {"path sizes",           compile_path_sizes},
    {"sizes",                compile_sizes},
    {"allocate",             allocate_model},
    // the working copy is packed
    {"pack options",         pack_options},
    {"pack bodies",          pack_bodies},
    {"pack joints",          pack_joints},
    {"pack dofs",            pack_dofs},
    {"pack sparsity",        pack_sparsity},
    {"pack geoms",           pack_geoms},
    {"pack sites",           pack_sites},
    {"pack cameras, lights", pack_cameras_lights},
    {"pack meshes",          pack_meshes},
    {"pack height fields",   pack_hfields},
    {"pack textures",        pack_textures},
    {"pack materials",       pack_materials},
    {"pack volumes",         pack_bvh},
    {"pack flexes",          pack_flexes},
    {"pack plugins",         pack_plugins},
    {"pack pairs, excludes", pack_pairs_excludes},
    {"pack equalities",      pack_equalities},
    {"pack tendons",         pack_tendons},
    {"pack actuators",       pack_actuators},
    {"pack sensors",         pack_sensors},
    {"pack custom",          pack_custom},
    {"pack skins",           pack_skins},
    {"pack names",           pack_names},
    {"pack paths",           pack_paths},
    // the model is completed by computation
    {"constants",            compute_constants},
    {"length ranges",        compute_lengthranges},
    {"scale keyframes",      scale_keyframes},
    {"pack keyframes",       pack_keyframes},
    {"derived numbers",      keep_derived},
};
// clang-format on

// elements of the user's spec get the numbers of their copies; those that the compiler removed have
// none
void write_back_ids(Spec& spec, const Spec& copy) {
  for (int kind = 0; kind < mjNOBJECT; kind++) {
    for (Element* element : spec.all(static_cast<ObjType>(kind))) element->id = -1;
  }
  for (int kind = 0; kind < mjNOBJECT; kind++) {
    for (const Element* element : copy.all(static_cast<ObjType>(kind))) {
      if (element->origin) element->origin->id = element->id;
    }
  }
}

// keyframes that were taken apart are whole again
void write_back_keys(const Spec& copy) {
  for (const Key* key : copy.keys) {
    auto* original = static_cast<Key*>(key->origin);
    if (!original || !original->pending) continue;
    original->attributes() = key->attributes();
    original->pending = false;
    original->parts.clear();
  }
}

// runs a pass and adds its time to the total and to what it belongs to
void run_timed(const Pass& pass, Build& build, std::array<double, mjNCTIMER>& timer) {
  auto start = std::chrono::steady_clock::now();
  pass.run(build);
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  timer[code(CTimer::total)] += elapsed.count();
  if (pass.timer == CTimer::total) return;
  timer[code(pass.timer)] += elapsed.count();
  if (pass.timer != CTimer::assets) timer[code(CTimer::assets)] += elapsed.count();
}

// the compiled spec may outlive the one it was copied from
void forget_origins(Spec& copy) {
  for (int kind = 0; kind < mjNOBJECT; kind++) {
    for (Element* element : copy.all(static_cast<ObjType>(kind))) element->origin = nullptr;
  }
  for (Element* element : copy.all(ObjType::frame)) element->origin = nullptr;
  for (Default* element : copy.defaults()) element->origin = nullptr;
}

}  // namespace

std::unique_ptr<Compiled> compile(Spec& spec, Diagnostics& diagnostics) {
  if (const Body* body = too_deep(*spec.world(), max_body_nesting)) {
    Diagnostic& d = diagnostics.error(body->source, "bodies are nested too deeply");
    d.element = "body";
    d.expected = fmt::format("at most {} around each other", max_body_nesting);
    return nullptr;
  }
  auto result = std::make_unique<Compiled>();
  result->spec = spec.copy();
  Diagnostics own;
  Build build(*result->spec, result->model, own);
  try {
    for (const Pass& pass : passes) {
      run_timed(pass, build, result->timer);
      if (own.failed()) break;
    }
  } catch (const std::bad_alloc&) {
    own.error(spec.source, "there is not enough memory to compile the model");
  }
  diagnostics.append(own);
  if (own.failed()) return nullptr;
  diagnostics.append(spec.warnings);
  write_back_ids(spec, *result->spec);
  if (build.scales.empty()) write_back_keys(*result->spec);  // others stay apart, unscaled
  forget_origins(*result->spec);
  result->model.signature = structure_signature(spec);
  spec.signature = result->spec->signature = result->model.signature;
  return result;
}

}  // namespace lockstep
