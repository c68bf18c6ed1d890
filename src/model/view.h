// view.h: how kernels see a Model and a Data. Derived from the field lists; nothing here owns
// memory. For Real = double the views point straight into the host structs; for packs, into lane
// blocks.
#pragma once

#include "math/mat.h"
#include "math/quat.h"
#include "math/real.h"
#include "math/spatial.h"
#include "math/vec.h"
#include "model/enums.h"
#include "model/watch.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// rows of T (Vec3, Quat, Mat3, Vec6, Inertia), component by component: a struct-wide copy of packs
// is slow
template <class T, class Real>
struct View {
  Real* start;

  LOCKSTEP_INLINE T operator[](int i) const {
    T x;
    for (int k = 0; k < T::size; k++) x[k] = start[i * T::size + k];
    return x;
  }
  LOCKSTEP_INLINE void set(int i, const T& x) const {
    for (int k = 0; k < T::size; k++) start[i * T::size + k] = x[k];
  }
  LOCKSTEP_INLINE void add(int i, const T& x) const {
    for (int k = 0; k < T::size; k++) start[i * T::size + k] = start[i * T::size + k] + x[k];
  }
};

template <class T, class Real>
struct ConstView {
  const Real* start;

  LOCKSTEP_INLINE T operator[](int i) const {
    T x;
    for (int k = 0; k < T::size; k++) x[k] = start[i * T::size + k];
    return x;
  }
};

// integers of a Data, which may differ from lane to lane
template <class Cell, class Real>
struct LaneView {
  Cell* start;

  LOCKSTEP_INLINE Cell get(int i, int lane) const { return start[i * lanes<Real> + lane]; }
  LOCKSTEP_INLINE void set(int i, int lane, Cell value) const {
    start[i * lanes<Real> + lane] = value;
  }
  LOCKSTEP_INLINE void fill(int i, Cell value) const {
    for (int lane = 0; lane < lanes<Real>; lane++) set(i, lane, value);
  }
};

// three numbers of a Real field with several columns
template <class Real>
LOCKSTEP_INLINE Vec3<Real> load3(const Real* p) {
  return {p[0], p[1], p[2]};
}
template <class Real>
LOCKSTEP_INLINE void store3(Real* p, const Vec3<Real>& v) {
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
}

// numbers per element of the field lists
inline constexpr int width_Real = 1, width_Vec3 = 3, width_Quat = 4, width_Mat3 = 9;
inline constexpr int width_Vec6 = 6, width_Inertia = 10, width_int = 1, width_float = 1;
inline constexpr int width_char = 1, width_Byte = 1, width_Bool = 1, width_Int64 = 1;
inline constexpr int width_Slot = 1;

// one number, or an array of them; aligned the same whether a pack is one register or several
template <class T, int N>
struct alignas(sizeof(T)) OptionCell {
  T value[N];
  LOCKSTEP_INLINE const T& operator[](int i) const { return value[i]; }
};
template <class T>
struct alignas(sizeof(T)) OptionCell<T, 1> {
  T value;
  LOCKSTEP_INLINE operator T() const { return value; }
};

template <class Real>
struct OptionView {
#define OPTION(type, name, count, value, doc) OptionCell<type, count> name;
#define STATISTIC(type, name, count, value, doc)
#include "model/option.def"
#undef OPTION
#undef STATISTIC
};

template <class Real>
struct ModelView {
#define SIZE(name, doc) int name;
#include "model/sizes.def"
#undef SIZE

  bool flg_gravcomp, flg_surfacevel, flg_adhesion;
  OptionView<Real> opt;

  using Real_rows = const Real*;
  using Vec3_rows = ConstView<Vec3<Real>, Real>;
  using Quat_rows = ConstView<Quat<Real>, Real>;
  using Mat3_rows = ConstView<Mat3<Real>, Real>;
  using Vec6_rows = ConstView<Vec6<Real>, Real>;
  using Inertia_rows = ConstView<Inertia<Real>, Real>;
  using int_rows = const int*;
  using float_rows = const float*;
  using char_rows = const char*;
  using Byte_rows = const unsigned char*;
  using Bool_rows = const bool*;
  using Int64_rows = const int64_t*;
#define FIELD(element, name, rows, cols, doc) element##_rows name;
#include "model/model_fields.def"
#undef FIELD
  const int *M_chainup, *M_chaindown;  // derived (Model::derive)
};

// what an arena has room for, or is asked to have
struct Room {
#define ROOM(name, doc) int name = 0;
#define ARENA(element, name, rows, cols, stage, doc)
#define WORK(element, name, rows, cols)
#define REPORT(element, name, rows, cols, stage, doc)
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT
};

// one iteration of a solver, as MuJoCo reports it
struct SolverStat {
  double improvement, gradient, lineslope;
  int nactive, nchange, neval, nupdate;
};

// Contacts and constraint rows. Kernels see it through DataView::arena and never allocate: a stage
// asks for room, and where there is too little it returns; the driver makes room, keeping what is
// there, and runs the stage again.
template <class Real>
struct ArenaView {
  using Real_rows = Real*;
  using Vec3_rows = View<Vec3<Real>, Real>;
  using Mat3_rows = View<Mat3<Real>, Real>;
  using int_rows = LaneView<int, Real>;
  using Slot_rows = int*;

  Room room, need;
  bool lacking = false;  // some need exceeds the room
  // places in use, common to all lanes; the counts of each lane stand in Data
  int ncon = 0, ne = 0, nf = 0, nl = 0, nefc = 0, nJ = 0;
  // pairs of geoms that may touch, kept from step to step (stage/collision/candidates.h)
  int ncandidate = 0;
  bool candidates_known = false;
  bool cones = true;             // whether rows may belong to elliptic contacts
  SolverStat* solver = nullptr;  // mjNISLAND x mjNSOLVER, or null where nobody reads it
  void* owner = nullptr;
  bool (*grow)(ArenaView&) = nullptr;  // set by the owner; false if there is no memory

#define ROOM(name, doc)
#define ARENA(element, name, rows, cols, stage, doc) element##_rows name{};
#define WORK(element, name, rows, cols) element##_rows name{};
#define REPORT(element, name, rows, cols, stage, doc)
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT

  // whether there is room for this many; if not, the stage must return
  LOCKSTEP_INLINE bool has_room(int Room::* what, int count) {
    if (count <= room.*what) return true;
    need.*what = max(need.*what, count);
    lacking = true;
    return false;
  }
};

template <class Real>
struct DataView {
  using Real_rows = Real*;
  using Vec3_rows = View<Vec3<Real>, Real>;
  using Quat_rows = View<Quat<Real>, Real>;
  using Mat3_rows = View<Mat3<Real>, Real>;
  using Vec6_rows = View<Vec6<Real>, Real>;
  using Inertia_rows = View<Inertia<Real>, Real>;
  using int_rows = LaneView<int, Real>;
  using Bool_rows = LaneView<bool, Real>;
#define FIELD(element, name, rows, cols, stage, doc) element##_rows name;
#define SCRATCH(element, name, rows, cols) element##_rows name;
#define SCALAR(element, name, count, stage, doc) element##_rows name;
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR

  ArenaView<Real>* arena = nullptr;

  // who looks on, or null; one world only
  Watch* watch = nullptr;

  // raises a warning in some lanes; info says what raised it
  LOCKSTEP_INLINE void warn(Warning kind, Mask<Real> where, int info = 0) const {
    for (int i = 0; i < lanes<Real>; i++) {
      if (!lane(where, i)) continue;
      warning.set(code(kind), i, warning.get(code(kind), i) + 1);
      warning_info.set(code(kind), i, info);
    }
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
