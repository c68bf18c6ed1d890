// passes.h: the passes of the compiler, one file each; compile.cc runs them in order.
#pragma once

namespace lockstep {

struct Build;
struct Flex;
struct FlexData;

// edits of the working copy
void check_flexes(Build& b);          // what can be told of flexes before anything is compiled
void discard_visual(Build& b);        // compiler discardvisual
void fuse_static(Build& b);           // compiler fusestatic
void resolve_orientations(Build& b);  // other notations to quaternions
void scale_frames(Build& b);          // frame scale, scaling, massscale

// once their bodies are known: which of them cannot carry a flex
void check_flex_bodies(Build& b, const Flex& flex, const FlexData& data);

// names and numbers
void number_elements(Build& b);  // ids of all kinds, lists of the Build, sizes of these kinds
void check_names(Build& b);      // given or taken from files; unique within their kind
void compile_user(Build& b);     // how many user numbers each kind has

// assets, in the working copy and b.meshes
void compile_meshes(Build& b);
void compile_hfields(Build& b);
void compile_textures(Build& b);
void compile_materials(Build& b);

// the tree: the working copy is resolved as it would be written; what the Model needs is in b.tree
void compile_tree(Build& b);    // parents, weld groups, addresses of coordinates
void compile_frames(Build& b);  // poses of frames in their bodies
void compile_geoms(Build& b);
void compile_sites(Build& b);
void compile_joints(Build& b);
void compile_cameras_lights(Build& b);
void compile_inertias(Build& b);  // of bodies: given, full, or from geoms; bounds, total mass
void compile_bvh(Build& b);       // bounding volumes of bodies
void compile_flexes(Build& b);    // shape and material at qpos0
void count_flex_metric(Build& b);

// objects outside the tree: references resolved, values checked, sizes counted in b.model
// (b.model.nplastic counts those of joints already: tendons go on from there)
void compile_pairs_excludes(Build& b);
void compile_equalities(Build& b);
void compile_tendons(Build& b);
void compile_actuators(Build& b);
void compile_sensors(Build& b);
void compile_keyframes(Build& b);
void compile_custom(Build& b);
void compile_skins(Build& b);
void compile_plugins(Build& b);
void check_plugin_settings(Build& b);

// after these every size of b.model is known
void compile_sparsity(Build& b);
void compile_name_sizes(Build& b);
void compile_path_sizes(Build& b);
void compile_sizes(Build& b);
void allocate_model(Build& b);

// from the working copy into the arrays of b.model
void pack_options(Build& b);
void pack_bodies(Build& b);
void pack_joints(Build& b);
void pack_dofs(Build& b);
void pack_sparsity(Build& b);
void pack_geoms(Build& b);
void pack_sites(Build& b);
void pack_cameras_lights(Build& b);
void pack_meshes(Build& b);
void pack_hfields(Build& b);
void pack_textures(Build& b);
void pack_materials(Build& b);
void pack_bvh(Build& b);
void pack_flexes(Build& b);
void pack_pairs_excludes(Build& b);
void pack_equalities(Build& b);
void pack_tendons(Build& b);
void pack_actuators(Build& b);
void pack_sensors(Build& b);
void pack_keyframes(Build& b);  // after the constants: missing values come from qpos0
void pack_custom(Build& b);
void pack_skins(Build& b);
void pack_plugins(Build& b);
void pack_names(Build& b);
void pack_paths(Build& b);

// what follows from the packed arrays by computation: constants.h
void compute_constants(Build& b);
void compute_lengthranges(Build& b);

// what packing and constants have worked out goes into the compiled spec, which can be saved
void keep_derived(Build& b);

}  // namespace lockstep
