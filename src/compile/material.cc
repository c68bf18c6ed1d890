// material.cc: materials: textures by role, looks.
#include "compile/build.h"
#include "compile/pack_row.h"
#include "compile/passes.h"

namespace lockstep {

void compile_materials(Build& b) {
  for (const Material* material : b.spec.materials) {
    for (const std::string& texture : material->textures) {
      if (!texture.empty()) b.resolve(*material, "texture", ObjType::texture, texture);
    }
  }
}

void pack_materials(Build& b) {
  Model& m = b.model;
  for (const Material* material : b.spec.materials) {
    int i = material->id;
    for (int role = 0; role < mjNTEXROLE; role++) {
      bool given =
          role < static_cast<int>(material->textures.size()) && !material->textures[role].empty();
      m.mat_texid[mjNTEXROLE * i + role] =
          given ? b.resolve(*material, "texture", ObjType::texture, material->textures[role]) : -1;
    }
    m.mat_texuniform[i] = material->texuniform;
    pack_row(m.mat_texrepeat, i, material->texrepeat);
    m.mat_emission[i] = material->emission;
    m.mat_specular[i] = material->specular;
    m.mat_shininess[i] = material->shininess;
    m.mat_reflectance[i] = material->reflectance;
    m.mat_metallic[i] = material->metallic;
    m.mat_roughness[i] = material->roughness;
    pack_row(m.mat_rgba, i, material->rgba);
  }
}

}  // namespace lockstep
