// mjcf.h: MJCF text to Spec and back.
#pragma once

#include <memory>
#include <string>

#include "model/model.h"
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

// an MJZ archive in memory; `name` says its stem, by which the model is found inside
std::unique_ptr<Spec> read_mjz(const Bytes& bytes, const std::string& name,
                               std::shared_ptr<Assets> assets, Diagnostics& diagnostics);

struct WriteOptions {
  // the spec is the compiled copy (Compiled::spec): its numbers are written in canonical notation.
  // Otherwise a spec is written as it was written itself, in canonical notation if its compiler
  // setting savecanonical says so.
  bool compiled = false;
  // compiled numbers with all their digits, not the six that MuJoCo writes: the file compiles to
  // the same model. What is written as it was written always has them.
  bool exact = false;
  // of the compiled spec; may be null: lengths of springs and completed keyframes are then not
  // written
  const Model* model = nullptr;
};
std::string write_mjcf(const Spec& spec, const WriteOptions& options = {});
// an MJZ archive: model.xml and the files that it names
Bytes write_mjz(const Spec& spec, const WriteOptions& options = {});

}  // namespace lockstep
