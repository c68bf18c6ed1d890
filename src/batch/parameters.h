// parameters.h: numbers of a Model that differ from world to world: a row per world for each field
// that was expanded. What is not expanded is shared and costs nothing.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batch/bytes.h"
#include "batch/rows.h"
#include "model/model.h"
#include "step/lanes.h"
#include "step/switching_numbers.h"

namespace lockstep {

class Parameters {
 public:
  Parameters(const Model& m, int nsim);

  // the rows of a field of Model::fields, or of "opt.<name>"; null if it cannot differ. Expanding
  // fills them with the Model's values
  const Rows* expand(std::string_view name);
  const Rows* find(std::string_view name) const;
  bool is_expandable(std::string_view name) const;
  bool empty() const { return list_.empty(); }

  // whether lanes may hold them: integers are common to all lanes, and so are the flags
  bool fit_lanes() const { return fit_lanes_ && alike_; }
  // to be called before worlds are run: looks whether numbers differ that lanes must have in common
  void look_at_switches();
  // whether a world's integers are what they were when they were last accepted; at first they are
  // the Model's
  bool are_accepted(int sim) const;
  void accept(int sim);

  // a world's values into a Model; those of its options; into lanes
  void apply(int sim, Model& m) const;
  void apply(int sim, Option& option) const;
  void apply(const Lanes& lanes, bool single_precision, LaneWorlds& at) const;
  // Takes derived fields of a world's Model back, by index. Numbers must have been expanded before,
  // so that threads may take theirs; returns whether integers or flags differ from the shared ones,
  // which take_integers then expands.
  void expand_numbers(std::span<const int> fields);
  bool take_numbers(int sim, const Model& m, std::span<const int> fields);
  void take_integers(int sim, const Model& m, std::span<const int> fields);

  // every world gets the values of its own Model; false, and nothing changes, if one has other
  // sizes. Clearing makes all worlds share the batch's Model again
  bool take_models(std::span<const Model* const> models);
  void clear();

  // Bytes of all values. Finding them again in bytes that may be damaged comes first; restoring
  // then writes them into the rows, which stay where they are. What was not saved becomes the
  // Model's.
  struct Saved {
    struct Values {
      std::string_view name;
      const std::byte* rows;
      int64_t cols;
    };
    std::vector<Values> values;
    const std::byte* flags = nullptr;  // of all worlds, if some were derived
    bool good = true;
  };
  void save(ByteWriter& to) const;
  Saved find_saved(ByteReader& from) const;
  void restore(const Saved& saved);

 private:
  struct Item {
    std::string name;
    int field = -1, option = -1;
    Rows rows, accepted;  // the latter of integers of the Model only
    std::vector<SwitchingNumber> switches = {};
  };
  int64_t cells_of(int field) const;
  Item* item(std::string_view name) const;
  const Rows* add_option(int option);
  const Rows* add_field(int field, int64_t cells);
  const Rows* add(std::unique_ptr<Item> item, const void* from);
  void fill(const Rows& rows, const void* from) const;
  const void* shared_value(const Item& item) const;
  int field_at(std::string_view name) const;
  int option_at(std::string_view name) const;
  void take_model(int sim, const Model& m);

  const Model& model_;
  int nsim_;
  std::vector<FieldInfo> fields_;
  std::vector<std::unique_ptr<Item>> list_;
  std::vector<ForceFlags> flags_;  // per world, once some were derived
  bool fit_lanes_ = true, alike_ = true;
};

ForceFlags flags_of(const Model& m);

}  // namespace lockstep
