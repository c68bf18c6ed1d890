#include "model/state.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

// one part: numbers of a Data, or flags where there are none
struct Part {
  State bit;
  int64_t count;
  double* numbers;
  bool* flags;
  std::string_view field;
};

std::array<Part, mjNSTATE> parts_of(const Model& m, const Data& d) {
  return {{
      {State::time, 1, d.time, nullptr, "time"},
      {State::qpos, m.nq, d.qpos, nullptr, "qpos"},
      {State::qvel, m.nv, d.qvel, nullptr, "qvel"},
      {State::act, m.na, d.act, nullptr, "act"},
      {State::history, m.nhistory, d.history, nullptr, "history"},
      {State::warmstart, m.nv, d.qacc_warmstart, nullptr, "qacc_warmstart"},
      {State::ctrl, m.nu, d.ctrl, nullptr, "ctrl"},
      {State::qfrc_applied, m.nv, d.qfrc_applied, nullptr, "qfrc_applied"},
      {State::xfrc_applied, 6 * m.nbody, d.xfrc_applied, nullptr, "xfrc_applied"},
      {State::eq_active, m.neq, nullptr, d.eq_active, "eq_active"},
      {State::mocap_pos, 3 * m.nmocap, d.mocap_pos, nullptr, "mocap_pos"},
      {State::mocap_quat, 4 * m.nmocap, d.mocap_quat, nullptr, "mocap_quat"},
      {State::userdata, m.nuserdata, d.userdata, nullptr, "userdata"},
      {State::plugin, m.npluginstate, d.plugin_state, nullptr, "plugin_state"},
      {State::plastic, m.nplastic, d.plastic, nullptr, "plastic"},
  }};
}

}  // namespace

std::array<StatePart, mjNSTATE> state_parts(const Model& m) {
  std::array<StatePart, mjNSTATE> result;
  const auto parts = parts_of(m, Data());
  std::transform(parts.begin(), parts.end(), result.begin(),
                 [](const Part& part) { return StatePart{part.bit, part.field, part.count}; });
  return result;
}

bool is_state_signature(int64_t signature) {
  return signature >= 0 && signature < int64_t{1} << mjNSTATE;
}

int64_t state_size(const Model& m, int signature) {
  int64_t size = 0;
  for (const Part& part : parts_of(m, Data())) {
    if (signature & code(part.bit)) size += part.count;
  }
  return size;
}

void get_state(const Model& m, const Data& d, int signature, double* state) {
  for (const Part& part : parts_of(m, d)) {
    if (!(signature & code(part.bit))) continue;
    state = part.flags ? std::copy_n(part.flags, part.count, state)
                       : std::copy_n(part.numbers, part.count, state);
  }
}

void set_state(const Model& m, Data& d, int signature, const double* state) {
  for (const Part& part : parts_of(m, d)) {
    if (!(signature & code(part.bit))) continue;
    if (part.flags) {
      std::transform(state, state + part.count, part.flags, [](double x) { return x != 0; });
    } else {
      std::copy_n(state, part.count, part.numbers);
    }
    state += part.count;
  }
}

void copy_state(const Model& m, const Data& from, Data& to, int signature) {
  const auto source = parts_of(m, from), target = parts_of(m, to);
  for (size_t i = 0; i < source.size(); i++) {
    if (!(signature & code(source[i].bit))) continue;
    if (source[i].flags) {
      std::copy_n(source[i].flags, source[i].count, target[i].flags);
    } else {
      std::copy_n(source[i].numbers, source[i].count, target[i].numbers);
    }
  }
}

void extract_state(const Model& m, const double* state, int signature, double* extracted,
                   int wanted) {
  for (const Part& part : parts_of(m, Data())) {
    if (!(signature & code(part.bit))) continue;
    if (wanted & code(part.bit)) extracted = std::copy_n(state, part.count, extracted);
    state += part.count;
  }
}

}  // namespace lockstep
