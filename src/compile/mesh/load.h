// load.h: triangles from files: OBJ, binary STL, MuJoCo's own binary MSH, GMSH.
#pragma once

#include <string>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

enum class Format { unknown, obj, stl, msh, gmsh };

// by extension; a content type can make a file msh, or not msh, or gmsh if it looks like it
Format format_of(const std::string& file, const std::string& content_type, const Bytes& bytes = {});

// `file` serves messages
bool load(Format format, const std::string& file, const Bytes& bytes, Surface& out,
          std::string& error);

bool load_obj(const std::string& file, const Bytes& bytes, Surface& out, std::string& error);
bool load_stl(const std::string& file, const Bytes& bytes, Surface& out, std::string& error);
bool load_gmsh(const std::string& file, const Bytes& bytes, Surface& out, std::string& error);
bool load_msh(const std::string& file, const Bytes& bytes, Surface& out, std::string& error);

}  // namespace lockstep::mesh
