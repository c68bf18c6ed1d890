#include "model/model.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "math/sparse.h"
#include "model/view.h"

namespace lockstep {
namespace {

constexpr int64_t alignment = 64;  // bytes; a cache line, and the widest vector
constexpr int64_t max_bytes = int64_t{1} << 40;

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, double>) return Dtype::f64;
  if constexpr (std::is_same_v<T, float>) return Dtype::f32;
  if constexpr (std::is_same_v<T, int>) return Dtype::i32;
  if constexpr (std::is_same_v<T, int64_t>) return Dtype::i64;
  if constexpr (std::is_same_v<T, Byte>) return Dtype::u8;
  if constexpr (std::is_same_v<T, bool>) return Dtype::boolean;
  if constexpr (std::is_same_v<T, char>) return Dtype::chr;
}

int64_t padded(int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

int64_t cell_bytes(Dtype dtype) {
  switch (dtype) {
    case Dtype::f64:
    case Dtype::i64: return 8;
    case Dtype::f32:
    case Dtype::i32: return 4;
    default: return 1;
  }
}

}  // namespace

int64_t FieldInfo::bytes() const { return size() * cell_bytes(dtype); }

void Model::Release::operator()(void* memory) const { std::free(memory); }

std::vector<SizeInfo> Model::sizes() const {
  auto& m = const_cast<Model&>(*this);
  return {
#define SIZE(name, doc) {#name, &m.name, doc},
#include "model/sizes.def"
#undef SIZE
  };
}

void Model::derive() {
  M_chainup.resize(size_t(nv));
  M_chaindown.resize(size_t(nv));
  find_chains(int(nv), M_rownnz, M_rowadr, M_colind, M_chainup.data(), M_chaindown.data());
}

std::vector<FieldInfo> Model::fields() const {
  const Model& m = *this;
  std::vector<FieldInfo> list;
  list.reserve(500);
#define FIELD(element, name, rows, cols, doc)                      \
  list.push_back({#name, dtype_of<element##_cell>(), m.name, rows, \
                  int64_t{cols} * width_##element,                 \
                  std::string_view(#cols) == "1" && width_##element == 1, #rows, doc});
#include "model/model_fields.def"
#undef FIELD
  return list;
}

void* Model::field_start(int field) const {
  using Start = void* (*)(const Model&);
  static constexpr Start starts[] = {
#define FIELD(element, name, rows, cols, doc) [](const Model& m) -> void* { return m.name; },
#include "model/model_fields.def"
#undef FIELD
  };
  return starts[field](*this);
}

bool Model::allocate() {
  for (const SizeInfo& size : sizes()) {
    const bool may_be_automatic = size.value == &njmax || size.value == &nconmax;  // -1
    if (*size.value < (may_be_automatic ? -1 : 0) || *size.value > (int64_t{1} << 36)) return false;
  }
  nbuffer = 0;
  std::vector<int64_t> offsets;
  for (const FieldInfo& field : fields()) {
    offsets.push_back(nbuffer);
    if (field.rows < 0 || field.cols < 0) return false;  // -1, "not limited", counts nothing
    if (field.cols > 0 && field.rows > max_bytes / 8 / field.cols) return false;
    nbuffer += padded(field.bytes());
    if (nbuffer > max_bytes) return false;
  }
  void* memory = std::aligned_alloc(alignment, padded(nbuffer + 1));
  if (!memory) return false;
  std::memset(memory, 0, padded(nbuffer + 1));
  buffer_.reset(memory);
  auto* start = static_cast<std::byte*>(memory);
  int next = 0;
#define FIELD(element, name, rows, cols, doc) \
  name = reinterpret_cast<element##_cell*>(start + offsets[next++]);
#include "model/model_fields.def"
#undef FIELD
  return true;
}

Model Model::copy() const {
  Model result;
#define SIZE(name, doc) result.name = name;
#include "model/sizes.def"
#undef SIZE
  result.flg_gravcomp = flg_gravcomp;
  result.flg_surfacevel = flg_surfacevel;
  result.flg_adhesion = flg_adhesion;
  result.signature = signature;
  result.opt = opt;
  result.vis = vis;
  result.stat = stat;
  if (!result.allocate()) throw std::bad_alloc();
  std::vector<FieldInfo> from = fields(), to = result.fields();
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i].bytes()) std::memcpy(to[i].data, from[i].data, from[i].bytes());
  }
  result.M_chainup = M_chainup;
  result.M_chaindown = M_chaindown;
  return result;
}

NameTable names_of(const Model& m, ObjType type) {
  switch (type) {
    case ObjType::body:
    case ObjType::xbody: return {m.nbody, m.name_bodyadr};
    case ObjType::joint: return {m.njnt, m.name_jntadr};
    case ObjType::geom: return {m.ngeom, m.name_geomadr};
    case ObjType::site: return {m.nsite, m.name_siteadr};
    case ObjType::camera: return {m.ncam, m.name_camadr};
    case ObjType::light: return {m.nlight, m.name_lightadr};
    case ObjType::flex: return {m.nflex, m.name_flexadr};
    case ObjType::mesh: return {m.nmesh, m.name_meshadr};
    case ObjType::skin: return {m.nskin, m.name_skinadr};
    case ObjType::hfield: return {m.nhfield, m.name_hfieldadr};
    case ObjType::texture: return {m.ntex, m.name_texadr};
    case ObjType::material: return {m.nmat, m.name_matadr};
    case ObjType::pair: return {m.npair, m.name_pairadr};
    case ObjType::exclude: return {m.nexclude, m.name_excludeadr};
    case ObjType::equality: return {m.neq, m.name_eqadr};
    case ObjType::tendon: return {m.ntendon, m.name_tendonadr};
    case ObjType::actuator: return {m.nactuator, m.name_actuatoradr};
    case ObjType::sensor: return {m.nsensor, m.name_sensoradr};
    case ObjType::numeric: return {m.nnumeric, m.name_numericadr};
    case ObjType::text: return {m.ntext, m.name_textadr};
    case ObjType::tuple: return {m.ntuple, m.name_tupleadr};
    case ObjType::key: return {m.nkey, m.name_keyadr};
    case ObjType::plugin: return {m.nplugin, m.name_pluginadr};
    default: return {};
  }
}

std::string_view id2name(const Model& m, ObjType type, int id) {
  NameTable table = names_of(m, type);
  if (id < 0 || id >= table.count) return "";
  return m.names + table.adr[id];
}

int name2id(const Model& m, ObjType type, std::string_view name) {
  if (name.empty()) return -1;
  NameTable table = names_of(m, type);
  for (int id = 0; id < table.count; id++) {
    if (name == m.names + table.adr[id]) return id;
  }
  return -1;
}

}  // namespace lockstep
