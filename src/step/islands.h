// islands.h: the groups of trees that constraints tie together, as MuJoCo reports them; found when
// someone asks. Defined in instance/.
#pragma once

#include <string_view>
#include <vector>

#include "model/data.h"

namespace lockstep {

// how many islands there are, and how many dofs are in some; also written into the Data
struct IslandCounts {
  int nisland = 0, nidof = 0;
};
IslandCounts count_islands(const Model& m, Data& d);

// an array of the list in model/arena_fields.def that follows from islands: integers or numbers.
// false if the name is none, or if there are no islands
bool read_islands(const Model& m, Data& d, std::string_view name, std::vector<int>& integers,
                  std::vector<double>& numbers);

}  // namespace lockstep
