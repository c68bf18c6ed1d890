// copy_changes.h: which numbers of a Model were changed since it was compiled; what copy_back
// copies.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "compile/copy_back.h"
#include "compile/pose.h"

namespace lockstep {

// Changed rows of a model, and what a spec needs to say them. A compiled spec (`resolved`) has
// angles in radians already; in an authored one they are in the unit of the element's file.
class Changes {
 public:
  Changes(const Model& model, const Baseline& baseline, const Spec& compiled, bool resolved);

  const Model& m;
  const bool resolved;

  // whether one of `width` numbers of a row was changed
  template <class Cell>
  bool changed(const Cell* field, int row, int width) const {
    return changed_cells(field, int64_t{row} * width, width);
  }
  template <class Cell>
  bool changed_cells(const Cell* field, int64_t first, int64_t count) const {
    auto found = before_.find(field);
    if (found == before_.end()) return false;
    size_t offset = sizeof(Cell) * size_t(first);
    return std::memcmp(field + first, found->second + offset, sizeof(Cell) * size_t(count));
  }

  // copies a row into a member if it was changed, and says whether
  template <class Cell, class T, size_t N>
  bool get(const Cell* field, int row, std::array<T, N>& value, double factor = 1) const {
    if (!changed(field, row, N)) return false;
    for (size_t i = 0; i < N; i++) value[i] = static_cast<T>(field[int64_t(N) * row + i] * factor);
    return true;
  }
  template <class Cell, class T>
    requires std::is_arithmetic_v<T>
  bool get(const Cell* field, int row, T& value, double factor = 1) const {
    if (!changed(field, row, 1)) return false;
    value = static_cast<T>(field[row] * factor);
    return true;
  }
  // linear coefficient and the higher ones
  bool get_poly(const double* linear, const double* higher, int row,
                std::array<double, 3>& value) const;
  // cells of a vector that may have another length in the spec
  template <class Cell, class T>
  bool get_vector(const Cell* field, int64_t first, int64_t count, std::vector<T>& value) const {
    if (!count || !changed_cells(field, first, count)) return false;
    value.assign(field + first, field + first + count);
    return true;
  }
  // a range with its limit, which stays what it is in the model
  void get_range(const double* field, const auto* limited, int row, const Element& element,
                 std::array<double, 2>& range, Limited& limit, double factor = 1) const {
    if (!get(field, row, range, factor) || limit != Limited::auto_) return;
    const bool inferred = element.compiler->autolimits && (range[0] != 0 || range[1] != 0);
    if (inferred != bool(limited[row])) limit = limited[row] ? Limited::true_ : Limited::false_;
  }

  // what turns radians into the unit of an element's file
  double angle_unit(const Element& element) const;
  // the frames around an element, as they were compiled
  Pose frames_of(const TreeElement& element) const;

 private:
  std::unordered_map<const void*, const uint8_t*> before_;
  std::array<std::vector<const Element*>, mjNOBJECT> compiled_;  // by kind and id
};

// elements in the tree, and all others
void copy_tree(const Changes& changes, Spec& spec);
void copy_objects(const Changes& changes, Spec& spec);

}  // namespace lockstep
