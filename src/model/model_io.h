// model_io.h: a Model as bytes: header, sizes, options, arrays; little-endian, checked on loading.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"

namespace lockstep {

int64_t saved_bytes(const Model& m);
std::vector<uint8_t> save_model(const Model& m);

// writes the header that belongs to what follows it, with its checksum
void seal_model(std::span<uint8_t> bytes);

// Fills `m` from bytes that may be anything; returns what is wrong, "" if all is well.
[[nodiscard]] std::string load_model(std::span<const uint8_t> bytes, Model& m);

}  // namespace lockstep
