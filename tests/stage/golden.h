// golden.h: reads the files of make_golden.py: a Model as MuJoCo compiled it, states, and what
// MuJoCo computes there.
#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/data.h"

namespace lockstep {

struct GoldenState {
  std::map<std::string, std::vector<char>> input, expected;
};

struct Golden {
  Model model;
  std::map<std::string, std::vector<char>>
      spec;  // numbers before the compiler resolves them; statistics
  std::vector<GoldenState> states;
};

inline std::vector<std::filesystem::path> golden_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".bin") files.push_back(entry.path());
  }
  return files;
}

inline std::filesystem::path test_data() {
  return std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests" / "data";
}

// golden files: the committed ones, or those of the folder LOCKSTEP_GOLDEN
inline std::vector<std::filesystem::path> golden_files() {
  const char* other = std::getenv("LOCKSTEP_GOLDEN");
  return golden_in(other ? std::filesystem::path(other) : test_data() / "stage");
}

inline std::vector<double> as_numbers(const std::vector<char>& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

inline std::vector<int> as_ints(const std::vector<char>& bytes) {
  std::vector<int> numbers(bytes.size() / sizeof(int));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

inline void copy_field(const FieldInfo& field, const std::vector<char>& bytes) {
  if (static_cast<int64_t>(bytes.size()) != field.bytes()) {
    throw std::runtime_error("size of " + std::string(field.name));
  }
  std::memcpy(field.data, bytes.data(), bytes.size());
}

inline void fill_model(Model& m, const std::map<std::string, std::vector<char>>& sizes,
                       const std::map<std::string, std::vector<char>>& options,
                       const std::map<std::string, std::vector<char>>& arrays) {
  for (const SizeInfo& size : m.sizes())
    std::memcpy(size.value, sizes.at(std::string(size.name)).data(), 8);
  if (!m.allocate()) throw std::runtime_error("allocate");
  for (const MemberInfo& member : option_members()) {
    const std::vector<char>& bytes = options.at(std::string(member.name));
    std::memcpy(reinterpret_cast<char*>(&m.opt) + member.offset, bytes.data(), bytes.size());
  }
  for (const FieldInfo& field : m.fields()) {
    const auto found = arrays.find(std::string(field.name));
    if (found != arrays.end()) copy_field(field, found->second);
  }
  m.derive();
}

inline Golden read_golden(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  Golden golden;
  std::map<std::string, std::vector<char>> sizes, options, arrays;
  char kind, name_length;
  while (file.get(kind)) {
    file.get(name_length);
    std::string name(static_cast<unsigned char>(name_length), ' ');
    file.read(name.data(), static_cast<std::streamsize>(name.size()));
    uint32_t size = 0;
    file.read(reinterpret_cast<char*>(&size), sizeof size);
    std::vector<char> bytes(size);
    file.read(bytes.data(), size);
    if (kind == 's') sizes[name] = bytes;
    if (kind == 'o') options[name] = bytes;
    if (kind == 'm') arrays[name] = bytes;
    if (kind == 'p') golden.spec[name] = bytes;
    if (kind == 'S') golden.states.emplace_back();
    if (kind == 'i') golden.states.back().input[name] = bytes;
    if (kind == 'e') golden.states.back().expected[name] = bytes;
  }
  fill_model(golden.model, sizes, options, arrays);
  return golden;
}

inline void set_input(const Golden& golden, const GoldenState& state, Data& d) {
  reset(golden.model, d);
  for (const FieldInfo& field : d.fields(golden.model)) {
    const auto found = state.input.find(std::string(field.name));
    if (found != state.input.end() && field.bytes() > 0) copy_field(field, found->second);
  }
}

}  // namespace lockstep
