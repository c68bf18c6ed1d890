// references.h: which names of other elements an element holds, and whether they exist. Attaching
// renames them, deleting a subtree drops the elements that named something in it.
#pragma once

#include <map>
#include <string>
#include <unordered_set>

#include "spec/spec.h"

namespace lockstep {

// names in use, by kind
class NameIndex {
 public:
  explicit NameIndex(const Spec& spec) : spec_(spec) {}
  bool contains(ObjType kind, const std::string& name);
  void insert(ObjType kind, const std::string& name);

 private:
  std::unordered_set<std::string>& names_of(ObjType kind);
  const Spec& spec_;
  std::map<ObjType, std::unordered_set<std::string>> names_;
};

// how names change when elements move into another spec
struct Renaming {
  std::string prefix;
  std::string suffix;

  std::string operator()(const std::string& name) const { return prefix + name + suffix; }
  void apply(std::string& name) const {
    if (!name.empty()) name = prefix + name + suffix;
  }
};

// Renames the references of an element and tells whether they all exist in the index. Where an
// element names two objects, one of them may be outside the renamed part and keep its name.
bool rebind(Skin& skin, const Renaming& rename, NameIndex& index);
bool rebind(Flex& flex, const Renaming& rename, NameIndex& index);
bool rebind(Pair& pair, const Renaming& rename, NameIndex& index);
bool rebind(Exclude& exclude, const Renaming& rename, NameIndex& index);
bool rebind(Tendon& tendon, const Renaming& rename, NameIndex& index);
bool rebind(Equality& equality, const Renaming& rename, NameIndex& index);
bool rebind(Actuator& actuator, const Renaming& rename, NameIndex& index);
bool rebind(Sensor& sensor, const Renaming& rename, NameIndex& index);
bool rebind(Tuple& tuple, const Renaming& rename, NameIndex& index);

// what an equality constrains
ObjType object_kind(const EqualitySpec& equality);

}  // namespace lockstep
