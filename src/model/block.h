// block.h: memory that views point into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lockstep {

// aligned for the widest vectors
class Block {
 public:
  Block() = default;
  explicit Block(int64_t bytes);  // zeroed
  std::byte* start() const { return memory_.get(); }

 private:
  struct Release {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Release> memory_;
};

namespace detail {

inline constexpr int64_t block_alignment = 64;  // bytes; a cache line, and the widest vector

// hands out pieces of a block; without memory it only counts
struct Cutter {
  std::byte* start;
  int64_t used = 0;

  template <class Cell>
  Cell* cut(int64_t count) {
    std::byte* here = start ? start + used : nullptr;
    const int64_t bytes = count * static_cast<int64_t>(sizeof(Cell));
    used += (bytes + block_alignment - 1) / block_alignment * block_alignment;
    return reinterpret_cast<Cell*>(here);
  }
};

}  // namespace detail

}  // namespace lockstep
