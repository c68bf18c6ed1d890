// hash_order.h: the order in which a hash table is walked.
// The reference lists polygons in the order of LLVM's std::unordered_map, which is part of its
// results; this keeps only what decides that order: one linked list, grouped by bucket.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::mesh {

class HashOrder {
 public:
  // adds the next key (numbered 0, 1, ...) by its hash; keys must differ
  void insert(uint64_t hash);
  // numbers of the keys in the order of a walk
  std::vector<int> sequence() const;

 private:
  static constexpr int head = 0;  // list entries are key number + 1, 0 is the list's head
  static constexpr int none = -1;

  uint64_t bucket_of(uint64_t hash) const;
  void rehash(uint64_t nbucket);

  std::vector<uint64_t> hash_{0};
  std::vector<int> next_{none};
  std::vector<int> before_;  // per bucket: the entry before its first
};

}  // namespace lockstep::mesh
