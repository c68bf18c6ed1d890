// load.h: triangles from files: OBJ, binary STL, MuJoCo's own binary MSH.
#pragma once

#include <string>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

enum class Format { unknown, obj, stl, msh };

// by extension; a content type can make a file msh, or not msh
Format format_of(const std::string& file, const std::string& content_type);

// `file` serves messages
bool load(Format format, const std::string& file, const Bytes& bytes, Surface& out,
          std::string& error);

bool load_obj(const std::string& file, const Bytes& bytes, Surface& out, std::string& error);
bool load_stl(const std::string& file, const Bytes& bytes, Surface& out, std::string& error);
bool load_msh(const std::string& file, const Bytes& bytes, Surface& out, std::string& error);

}  // namespace lockstep::mesh
