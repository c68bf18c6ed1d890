// bytes.h: numbers and arrays one after the other, as a batch is saved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep {

class ByteWriter {
 public:
  void put(const void* from, int64_t bytes) {
    const auto* first = static_cast<const std::byte*>(from);
    if (bytes > 0) bytes_.insert(bytes_.end(), first, first + bytes);
  }
  void put(int64_t number) { put(&number, sizeof number); }
  void put(std::string_view text) {
    put(int64_t(text.size()));
    put(text.data(), int64_t(text.size()));
  }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// past the end there are zeros, null pointers and `good()` is false
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  const std::byte* skip(int64_t bytes) {
    good_ = good_ && bytes >= 0 && bytes <= int64_t(rest_.size());
    if (!good_) return nullptr;
    const std::byte* here = rest_.data();
    rest_ = rest_.subspan(size_t(bytes));
    return here;
  }
  int64_t number() {
    int64_t value = 0;
    if (const std::byte* here = skip(sizeof value)) std::memcpy(&value, here, sizeof value);
    return value;
  }
  std::string_view text() {
    const int64_t size = number();
    const auto* here = reinterpret_cast<const char*>(skip(size));
    return here ? std::string_view(here, size_t(size)) : std::string_view();
  }
  bool good() const { return good_; }
  bool at_end() const { return good_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool good_ = true;
};

}  // namespace lockstep
