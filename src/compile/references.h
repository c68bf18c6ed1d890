// references.h: which elements others refer to by name.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "spec/spec.h"

namespace lockstep {

class References {
 public:
  explicit References(const Spec& spec);
  bool contains(ObjType kind, const std::string& name) const;
  // among them those of sensors and tuples, which may name anything
  bool sensed(ObjType kind, const std::string& name) const;

 private:
  using Names = std::unordered_map<int, std::unordered_set<std::string>>;
  static void add(Names& names, ObjType kind, const std::string& name);
  static bool has(const Names& names, ObjType kind, const std::string& name);

  Names all_, sensed_;
};

}  // namespace lockstep
