// hash_order.cc: see hash_order.h.
#include "compile/mesh/hash_order.h"

#include <algorithm>

namespace lockstep::mesh {
namespace {

bool is_power2(uint64_t n) { return n > 2 && !(n & (n - 1)); }

uint64_t next_prime(uint64_t n) {
  auto is_prime = [](uint64_t p) {
    for (uint64_t d = 2; d * d <= p; d++) {
      if (p % d == 0) return false;
    }
    return p > 1;
  };
  while (!is_prime(n)) n++;
  return n;
}

}  // namespace

uint64_t HashOrder::bucket_of(uint64_t hash) const {
  uint64_t n = before_.size();
  if (!(n & (n - 1))) return hash & (n - 1);
  return hash < n ? hash : hash % n;
}

void HashOrder::insert(uint64_t hash) {
  uint64_t size = next_.size() - 1, nbucket = before_.size();
  if (size + 1 > nbucket) {
    uint64_t want = std::max(2 * nbucket + (is_power2(nbucket) ? 0 : 1), size + 1);
    if (want == 1) {
      want = 2;
    } else if (want & (want - 1)) {
      want = next_prime(want);
    }
    rehash(want);
  }

  int entry = static_cast<int>(next_.size());
  uint64_t bucket = bucket_of(hash);
  hash_.push_back(hash);
  if (before_[bucket] == none) {
    // a new bucket comes first of all; the one that was first now follows this entry
    next_.push_back(next_[head]);
    next_[head] = entry;
    before_[bucket] = head;
    if (next_[entry] != none) before_[bucket_of(hash_[next_[entry]])] = entry;
  } else {
    next_.push_back(next_[before_[bucket]]);
    next_[before_[bucket]] = entry;
  }
}

void HashOrder::rehash(uint64_t nbucket) {
  before_.assign(nbucket, none);
  int previous = head;
  int entry = next_[head];
  if (entry == none) return;
  uint64_t current = bucket_of(hash_[entry]);
  before_[current] = head;
  previous = entry;
  for (entry = next_[previous]; entry != none; entry = next_[previous]) {
    uint64_t bucket = bucket_of(hash_[entry]);
    if (bucket == current) {
      previous = entry;
    } else if (before_[bucket] == none) {
      before_[bucket] = previous;
      previous = entry;
      current = bucket;
    } else {
      // its bucket exists already: move the entry to the front of it
      next_[previous] = next_[entry];
      next_[entry] = next_[before_[bucket]];
      next_[before_[bucket]] = entry;
    }
  }
}

std::vector<int> HashOrder::sequence() const {
  std::vector<int> out;
  out.reserve(next_.size() - 1);
  for (int entry = next_[head]; entry != none; entry = next_[entry]) out.push_back(entry - 1);
  return out;
}

}  // namespace lockstep::mesh
