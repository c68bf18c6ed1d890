// model.h: the compiled model. Sizes, options and arrays come from the lists; one allocation holds
// all arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/option.h"
#include "model/types.h"

namespace lockstep {

// one array of a Model, as found in memory
struct FieldInfo {
  std::string_view name;
  Dtype dtype;
  void* data;
  int64_t rows;
  int64_t cols;                // numbers per row
  bool flat;                   // one-dimensional in Python
  std::string_view rows_name;  // size that counts the rows
  std::string_view doc;

  int64_t size() const { return rows * cols; }
  int64_t bytes() const;
};

// a size of a Model
struct SizeInfo {
  std::string_view name;
  int64_t* value;
  std::string_view doc;
};

class Model {
 public:
  Model() = default;
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Model copy() const;

  // allocates all arrays, zeroed, from the sizes; false if the sizes are absurd
  [[nodiscard]] bool allocate();

  // What kernels need beside the fields and follows from them: chains of rows of M (find_chains).
  // To be called when the pattern of M is known.
  void derive();
  std::vector<int> M_chainup, M_chaindown;

  // every size and every array, in the order of the lists
  std::vector<SizeInfo> sizes() const;
  std::vector<FieldInfo> fields() const;
  // the first cell of one of them, by its place in the list
  void* field_start(int field) const;

#define SIZE(name, doc) int64_t name = 0;
#include "model/sizes.def"
#undef SIZE

  bool flg_gravcomp = false;    // some body compensates gravity
  bool flg_surfacevel = false;  // some geom has a moving surface
  bool flg_adhesion = false;    // some geom or pair is sticky
  uint64_t signature = 0;       // of the spec that made it

  Option opt;
  Visual vis;
  Statistic stat;

// host arrays are plain: three numbers of a Vec3 lie side by side
#define FIELD(element, name, rows, cols, doc) element##_cell* name = nullptr;
  using Real_cell = double;
  using Vec3_cell = double;
  using Quat_cell = double;
  using Mat3_cell = double;
  using Vec6_cell = double;
  using Inertia_cell = double;
  using int_cell = int;
  using Slot_cell = int;
  using float_cell = float;
  using char_cell = char;
  using Byte_cell = Byte;
  using Bool_cell = bool;
  using Int64_cell = int64_t;
#include "model/model_fields.def"
#undef FIELD

 private:
  struct Release {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, Release> buffer_;
};

// id of a named object, -1 if there is none; name of an object, "" if it has none
int name2id(const Model& m, ObjType type, std::string_view name);
std::string_view id2name(const Model& m, ObjType type, int id);

// names of one kind of object: how many, and where each starts in m.names
struct NameTable {
  int64_t count = 0;
  const int* adr = nullptr;
};
NameTable names_of(const Model& m, ObjType type);

}  // namespace lockstep
