#include "spec/nesting.h"

namespace lockstep {

int nesting(const Body& body) {
  int count = 0;
  for (const Body* at = body.parent; at; at = at->parent) count++;
  return count;
}

const Body* too_deep(const Body& root, int room) {
  std::vector<std::pair<const Body*, int>> open{{&root, 0}};
  while (!open.empty()) {
    const auto [body, depth] = open.back();
    open.pop_back();
    if (depth > room) return body;
    for (const Body* child : body->bodies) open.emplace_back(child, depth + 1);
  }
  return nullptr;
}

}  // namespace lockstep
