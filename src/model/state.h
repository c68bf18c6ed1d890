// state.h: parts of a Data that make up its state, as one vector; in the order of the bits of
// State.
#pragma once

#include <array>
#include <string_view>

#include "model/data.h"

namespace lockstep {

// a part of the state: its bit, the field that holds it and how many numbers it has
struct StatePart {
  State bit;
  std::string_view field;
  int64_t count;
};
std::array<StatePart, mjNSTATE> state_parts(const Model& m);

// whether all bits of a signature name a part
bool is_state_signature(int64_t signature);

// numbers in a state with these parts
int64_t state_size(const Model& m, int signature);

void get_state(const Model& m, const Data& d, int signature, double* state);
void set_state(const Model& m, Data& d, int signature, const double* state);
void copy_state(const Model& m, const Data& from, Data& to, int signature);

// the parts `wanted` of a state with the parts `signature`, which has them all
void extract_state(const Model& m, const double* state, int signature, double* extracted,
                   int wanted);

}  // namespace lockstep
