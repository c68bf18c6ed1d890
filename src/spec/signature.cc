// signature.cc: a number for the structure of a spec: which elements there are, in which places.
#include "spec/lists.h"

namespace lockstep {
namespace {

// FNV-1a, a byte at a time
struct Hash {
  uint64_t value = 14695981039346656037ull;
  void add(uint64_t number) {
    for (int i = 0; i < 8; ++i) {
      value = (value ^ ((number >> (8 * i)) & 0xff)) * 1099511628211ull;
    }
  }
};

void add_body(Hash& hash, Body& body) {
  for_each_leaf_list(body, [&](auto& list) { hash.add(list.size()); });
  for (const Joint* joint : body.joints) hash.add(static_cast<uint64_t>(code(joint->type)));
  hash.add(body.bodies.size());
  for (Body* child : body.bodies) add_body(hash, *child);
}

}  // namespace

uint64_t structure_signature(const Spec& spec) {
  Hash hash;
  add_body(hash, *spec.world());
  for_each_list(const_cast<Spec&>(spec), [&](auto& list) { hash.add(list.size()); });
  return hash.value ? hash.value : 1;
}

}  // namespace lockstep
