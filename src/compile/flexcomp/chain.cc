#include "compile/flexcomp/chain.h"

#include <algorithm>
#include <map>

namespace lockstep::flexcomp {

std::vector<int> open_chain(const std::vector<int>& lines) {
  std::map<int, std::vector<int>> neighbors;
  for (size_t i = 0; i + 1 < lines.size(); i += 2) {
    neighbors[lines[i]].push_back(lines[i + 1]);
    neighbors[lines[i + 1]].push_back(lines[i]);
  }
  std::vector<int> ends;
  for (const auto& [point, others] : neighbors) {
    if (others.size() > 2) return {};
    if (others.size() == 1) ends.push_back(point);
  }
  if (ends.size() != 2) return {};
  auto is_first = [&](int end) {
    for (size_t i = 0; i < lines.size(); i += 2) {
      if (lines[i] == end) return true;
    }
    return false;
  };
  const int start = !is_first(ends[0]) && is_first(ends[1]) ? ends[1] : ends[0];
  std::vector<int> chain{start};
  for (int before = -1, at = start;;) {
    int next = -1;
    for (int other : neighbors[at]) {
      if (other != before) next = other;
    }
    if (next < 0) break;
    chain.push_back(next);
    before = at;
    at = next;
  }
  // what is not reached is a piece of its own
  return chain.size() == neighbors.size() ? chain : std::vector<int>();
}

}  // namespace lockstep::flexcomp
