// paths.h: where the files of assets are.
#pragma once

#include <optional>
#include <string>

#include "compile/build.h"

namespace lockstep {

// path of a file that an asset names, in a directory given by compiler (meshdir, texturedir); next
// to the model file that the settings are from
std::string asset_path(const Spec& spec, const CompilerSpec& settings, const std::string& directory,
                       const std::string& file);

// contents of an asset's file; reports an error if there is none
std::optional<Bytes> read_asset(Build& b, const Element& asset, const std::string& path);

// paths as they stand in the Model; "" where there is no file
std::string path_of(const Spec& spec, const Mesh& mesh);
std::string path_of(const Spec& spec, const HField& hfield);
std::string path_of(const Spec& spec, const Skin& skin);
std::string path_of(const Spec& spec, const Texture& texture);

}  // namespace lockstep
