// checksum.h: tells damaged bytes. Not against those who mean harm.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace lockstep {

// 64 bits of mixing per word
inline uint64_t checksum(std::span<const uint8_t> bytes, uint64_t hash = 0x9e3779b97f4a7c15u) {
  constexpr uint64_t prime = 0xff51afd7ed558ccdu;
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<size_t>(8, bytes.size() - at));
    hash = (hash ^ word) * prime;
    hash ^= hash >> 32;
  }
  return hash ^ bytes.size();
}

}  // namespace lockstep
