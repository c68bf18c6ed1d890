// mjcf.h: MJCF text to Spec and back.
#pragma once

#include <memory>
#include <string>

#include "spec/spec.h"

namespace lockstep {

// Reads a model; null if there were errors. `assets` (may be null) are files in memory, tried
// before the disk; the Spec keeps them for its meshes and images. A path may name an MJCF file or
// an MJZ archive.
std::unique_ptr<Spec> read_mjcf_file(const std::string& path, std::shared_ptr<Assets> assets,
                                     Diagnostics& diagnostics);
// `name` stands for the file in diagnostics; relative paths are resolved against the working
// directory
std::unique_ptr<Spec> read_mjcf_text(const std::string& text, const std::string& name,
                                     std::shared_ptr<Assets> assets, Diagnostics& diagnostics);

// Writes a spec as MJCF. The compiled copy of a spec (Compiled::spec) is written with its compiled
// numbers; a spec itself as it was written, in canonical notation or not, as its compiler settings
// say.
std::string write_mjcf(const Spec& spec);

}  // namespace lockstep
