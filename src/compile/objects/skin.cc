// skin.cc: skins: surfaces that follow bodies, given in the model or in .skn files.
#include <fmt/format.h>

#include <cmath>

#include "compile/objects/common.h"
#include "compile/objects/skin_file.h"
#include "compile/passes.h"
#include "compile/paths.h"

namespace lockstep {
namespace {

bool fail(Build& b, const Skin& skin, std::string_view attribute, std::string message,
          std::string expected = "", std::string found = "") {
  expect(b.error(skin, attribute, std::move(message)), std::move(expected), std::move(found));
  return false;
}

bool load(Build& b, Skin& skin) {
  if (skin.file.empty()) return true;
  if (!skin.vert.empty() || !skin.texcoord.empty() || !skin.face.empty() ||
      !skin.bodyname.empty()) {
    return fail(b, skin, "file", "a skin has either a file or data of its own");
  }
  if (extension_of(skin.file) != "skn") {
    return fail(b, skin, "file", "unknown type of skin file", "a .skn file", skin.file);
  }
  const std::string path = path_of(b.spec, skin);
  const std::optional<Bytes> bytes = read_bytes(path, b.spec.assets.get());
  if (!bytes) return fail(b, skin, "file", fmt::format("cannot open '{}'", path));
  const std::string error = read_skn(*bytes, skin);
  return error.empty() || fail(b, skin, "file", fmt::format("'{}': {}", path, error));
}

// arrays of a skin must have sizes that fit together
bool check_sizes(Build& b, const Skin& skin) {
  const size_t bones = skin.bodyname.size();
  if (skin.vert.empty() || skin.face.empty() || bones == 0 || skin.bindpos.empty() ||
      skin.bindquat.empty() || skin.vertid.empty() || skin.vertweight.empty()) {
    return fail(b, skin, "", "the skin is incomplete", "vertices, faces and bones");
  }
  auto count = [&](std::string_view attribute, size_t found, size_t expected) {
    return found == expected || fail(b, skin, attribute, "the arrays of the skin differ in size",
                                     std::to_string(expected), std::to_string(found));
  };
  if (skin.vert.size() % 3) return fail(b, skin, "vertex", "not a multiple of three numbers");
  if (skin.face.size() % 3) return fail(b, skin, "face", "not a multiple of three numbers");
  if (!skin.texcoord.empty() &&
      !count("texcoord", skin.texcoord.size(), skin.vert.size() / 3 * 2)) {
    return false;
  }
  return count("bindpos", skin.bindpos.size(), 3 * bones) &&
         count("bindquat", skin.bindquat.size(), 4 * bones) &&
         count("vertid", skin.vertid.size(), bones) &&
         count("vertweight", skin.vertweight.size(), bones);
}

bool check_indices(Build& b, const Skin& skin) {
  const int nvert = static_cast<int>(skin.vert.size() / 3);
  auto inside = [&](std::string_view attribute, int vertex) {
    return (vertex >= 0 && vertex < nvert) ||
           fail(b, skin, attribute, "no such vertex", fmt::format("0 to {}", nvert - 1),
                std::to_string(vertex));
  };
  for (int vertex : skin.face) {
    if (!inside("face", vertex)) return false;
  }
  for (size_t bone = 0; bone < skin.vertid.size(); bone++) {
    if (skin.vertid[bone].empty() || skin.vertid[bone].size() != skin.vertweight[bone].size()) {
      return fail(b, skin, "vertid",
                  fmt::format("bone {} needs as many weights as vertices", bone));
    }
    for (int vertex : skin.vertid[bone]) {
      if (!inside("vertid", vertex)) return false;
    }
  }
  return true;
}

// the weights of a vertex sum to one
bool normalize_weights(Build& b, Skin& skin) {
  std::vector<float> total(skin.vert.size() / 3, 0.0f);
  for (size_t bone = 0; bone < skin.vertid.size(); bone++) {
    for (size_t i = 0; i < skin.vertid[bone].size(); i++) {
      total[skin.vertid[bone][i]] += skin.vertweight[bone][i];
    }
  }
  for (size_t vertex = 0; vertex < total.size(); vertex++) {
    if (total[vertex] > static_cast<float>(mjMINVAL)) continue;
    return fail(b, skin, "vertweight", fmt::format("vertex {} has no weight", vertex),
                "a positive total weight", fmt::format("{}", total[vertex]));
  }
  for (size_t bone = 0; bone < skin.vertid.size(); bone++) {
    for (size_t i = 0; i < skin.vertid[bone].size(); i++) {
      skin.vertweight[bone][i] /= total[skin.vertid[bone][i]];
    }
  }
  return true;
}

void normalize_bind_poses(Skin& skin) {
  for (size_t at = 0; at + 4 <= skin.bindquat.size(); at += 4) {
    float* q = skin.bindquat.data() + at;
    double square = 0;
    for (int i = 0; i < 4; i++) square += static_cast<double>(q[i]) * q[i];
    const double length = std::sqrt(square);
    if (length < mjMINVAL) continue;
    for (int i = 0; i < 4; i++) q[i] = static_cast<float>(q[i] / length);
  }
}

void count_sizes(Model& m, const Skin& skin) {
  m.nskinvert += static_cast<int64_t>(skin.vert.size() / 3);
  m.nskintexvert += static_cast<int64_t>(skin.texcoord.size() / 2);
  m.nskinface += static_cast<int64_t>(skin.face.size() / 3);
  m.nskinbone += static_cast<int64_t>(skin.bodyname.size());
  for (const auto& vertices : skin.vertid) m.nskinbonevert += static_cast<int64_t>(vertices.size());
}

// running ends of the arrays that all skins share
struct Ends {
  int vert = 0, texcoord = 0, face = 0, bone = 0, bonevert = 0;
};

void pack_bones(Build& b, const Skin& skin, Ends& ends) {
  Model& m = b.model;
  for (size_t i = 0; i < skin.bodyname.size(); i++, ends.bone++) {
    m.skin_bonebodyid[ends.bone] = b.resolve(skin, "body", ObjType::body, skin.bodyname[i]);
    m.skin_bonevertadr[ends.bone] = ends.bonevert;
    m.skin_bonevertnum[ends.bone] = static_cast<int>(skin.vertid[i].size());
    std::copy(skin.vertid[i].begin(), skin.vertid[i].end(), m.skin_bonevertid + ends.bonevert);
    std::copy(skin.vertweight[i].begin(), skin.vertweight[i].end(),
              m.skin_bonevertweight + ends.bonevert);
    ends.bonevert += static_cast<int>(skin.vertid[i].size());
  }
}

void pack_skin(Build& b, const Skin& skin, Ends& ends) {
  Model& m = b.model;
  const int id = skin.id;
  m.skin_matid[id] =
      skin.material.empty() ? -1 : b.resolve(skin, "material", ObjType::material, skin.material);
  m.skin_group[id] = skin.group;
  m.skin_inflate[id] = skin.inflate;
  put(m.skin_rgba, id, skin.rgba);
  m.skin_vertadr[id] = ends.vert;
  m.skin_vertnum[id] = static_cast<int>(skin.vert.size() / 3);
  m.skin_texcoordadr[id] = skin.texcoord.empty() ? -1 : ends.texcoord;
  m.skin_faceadr[id] = ends.face;
  m.skin_facenum[id] = static_cast<int>(skin.face.size() / 3);
  m.skin_boneadr[id] = ends.bone;
  m.skin_bonenum[id] = static_cast<int>(skin.bodyname.size());
  std::copy(skin.vert.begin(), skin.vert.end(), m.skin_vert + 3 * ends.vert);
  std::copy(skin.texcoord.begin(), skin.texcoord.end(), m.skin_texcoord + 2 * ends.texcoord);
  std::copy(skin.face.begin(), skin.face.end(), m.skin_face + 3 * ends.face);
  std::copy(skin.bindpos.begin(), skin.bindpos.end(), m.skin_bonebindpos + 3 * ends.bone);
  std::copy(skin.bindquat.begin(), skin.bindquat.end(), m.skin_bonebindquat + 4 * ends.bone);
  ends.vert += m.skin_vertnum[id];
  ends.texcoord += static_cast<int>(skin.texcoord.size() / 2);
  ends.face += m.skin_facenum[id];
  pack_bones(b, skin, ends);
}

}  // namespace

void compile_skins(Build& b) {
  for (Skin* skin : b.spec.skins) {
    if (!load(b, *skin) || !check_sizes(b, *skin) || !check_indices(b, *skin)) continue;
    if (!normalize_weights(b, *skin)) continue;
    normalize_bind_poses(*skin);
    for (const std::string& body : skin->bodyname) b.resolve(*skin, "body", ObjType::body, body);
    if (!skin->material.empty()) b.resolve(*skin, "material", ObjType::material, skin->material);
    count_sizes(b.model, *skin);
  }
}

void pack_skins(Build& b) {
  Ends ends;
  for (const Skin* skin : b.spec.skins) pack_skin(b, *skin, ends);
}

}  // namespace lockstep
