#include "model/block.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace lockstep {

Block::Block(int64_t bytes) {
  const int64_t align = detail::block_alignment;
  const int64_t size = (bytes + align) / align * align;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(align, size)));
  if (!memory_) throw std::bad_alloc();
  std::memset(memory_.get(), 0, size);
}

void Block::Release::operator()(std::byte* memory) const { std::free(memory); }

}  // namespace lockstep
