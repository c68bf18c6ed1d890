// lanes.h: some worlds side by side, one per lane, stepped together; defined in instance/.
// Each world keeps the bits it would have alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/block.h"
#include "model/data.h"
#include "model/model.h"
#include "step/kernels.h"

namespace lockstep {

// an array of such worlds: cell k of world i is start[k * width + i]
struct LaneCells {
  void* start = nullptr;
  int64_t count = 0;
};

// how many arrays the lists have
#define FIELD(...) +1
inline constexpr int model_field_count = 0
#include "model/model_fields.def"
    ;
#define SCRATCH(...)
#define SCALAR(...) +1
inline constexpr int data_field_count = 0
#include "model/data_fields.def"
    ;
#undef FIELD
#undef SCRATCH
#undef SCALAR
#define OPTION(...) +1
#define STATISTIC(...)
inline constexpr int option_count = 0
#include "model/option.def"
    ;
#undef OPTION
#undef STATISTIC

// flags of a Model that say which forces exist at all
struct ForceFlags {
  bool gravcomp = false, surfacevel = false, adhesion = false;
  bool operator==(const ForceFlags&) const = default;
};

class LaneWorlds {
 public:
  LaneWorlds() = default;
  LaneWorlds(const LaneWorlds&) = delete;
  LaneWorlds& operator=(const LaneWorlds&) = delete;
  virtual ~LaneWorlds() = default;

  virtual void step(Detail detail) = 0;
  virtual void run_phases(Phase first, Phase last) = 0;
  // worlds whose positions or velocities are not finite start anew, and a warning counts them
  virtual void check_state() = 0;
  // a stage of the pipeline table, whose inputs are there
  virtual void run_stage(int stage) = 0;
  // a stage that no step needs: its place in the list of those
  virtual void run_on_demand(int stage) = 0;
  // the worlds of these lanes (a bit each) start anew, from a keyframe unless it is negative
  virtual void reset(unsigned lanes, int key) = 0;
  virtual void set_flags(const ForceFlags& flags) = 0;
  // which bodies of each world were in contact when contacts were last looked for, a bit each
  virtual void contact_keys(uint64_t* keys) const = 0;
  // contacts and rows: those of other lanes of the same kind and sizes; of a single lane, into a
  // Data; as bytes, and back (false: these are none)
  virtual void take_rows(const LaneWorlds& other) = 0;
  virtual void give_rows(Data& d) const = 0;
  virtual std::vector<std::byte> rows() const = 0;
  [[nodiscard]] virtual bool set_rows(std::span<const std::byte> bytes) = 0;
  // numbers of one row per world, to cells of lanes and back
  virtual void rows_to_lanes(const void* const* rows, void* cells, int64_t count) const = 0;
  virtual void lanes_to_rows(const void* cells, void* const* rows, int64_t count) const = 0;

  int width = 1;
  int64_t bytes = 0;  // of memory
  Block buffer;       // for whoever copies rows of its worlds
  // by the order of the lists. Numbers are double, or float in single precision; integers and flags
  // of a Model are common to all worlds and have no cells
  LaneCells data[data_field_count];
  LaneCells model[model_field_count];
  LaneCells option[option_count];
  // integers among the options: one for all worlds; null for the others
  int* option_integer[option_count] = {};
};

// The Model must live as long: integers stay where they are. One world writes parameters into it.
std::unique_ptr<LaneWorlds> make_lane_worlds(const Model& m, const Kernels& kernels);
std::unique_ptr<LaneWorlds> make_one_world(Model& m, bool single_precision);

}  // namespace lockstep
