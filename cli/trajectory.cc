#include "trajectory.h"

#include <fmt/format.h>

#include <cstring>

#include "base/zip.h"

namespace lockstep::cli {
namespace {

// where the numbers of a series are in a Data
const double* numbers_of(const Data& d, const std::string& name) {
  if (name == "time") return d.time;
  if (name == "qpos") return d.qpos;
  if (name == "qvel") return d.qvel;
  if (name == "act") return d.act;
  if (name == "ctrl") return d.ctrl;
  if (name == "sensordata") return d.sensordata;
  return d.energy;
}

// an array of doubles in NumPy's format
Bytes npy(const Series& series, int64_t rows) {
  const std::string shape =
      series.width ? fmt::format("({}, {})", rows, series.width) : fmt::format("({},)", rows);
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}", shape);
  constexpr size_t preamble = 10, alignment = 64;  // bytes; data starts at a multiple of 64
  while ((preamble + header.size() + 1) % alignment) header += ' ';
  header += '\n';
  Bytes bytes;
  for (const char c : std::string_view("\x93NUMPY\x01\x00", 8)) bytes.push_back(uint8_t(c));
  bytes.push_back(uint8_t(header.size() & 255));
  bytes.push_back(uint8_t(header.size() >> 8));
  bytes.insert(bytes.end(), header.begin(), header.end());
  const auto* data = reinterpret_cast<const uint8_t*>(series.numbers.data());
  bytes.insert(bytes.end(), data, data + series.numbers.size() * sizeof(double));
  return bytes;
}

}  // namespace

Trajectory::Trajectory(const Model& m) {
  series_ = {{"time", 0, {}},   {"qpos", m.nq, {}}, {"qvel", m.nv, {}},
             {"act", m.na, {}}, {"ctrl", m.nu, {}}, {"sensordata", m.nsensordata, {}}};
  series_.push_back({"energy", 2, {}});
  std::erase_if(series_, [](const Series& s) { return s.name != "time" && s.width == 0; });
}

void Trajectory::record(const Model&, const Data& d) {
  for (Series& series : series_) {
    const double* numbers = numbers_of(d, series.name);
    series.numbers.insert(series.numbers.end(), numbers,
                          numbers + std::max<int64_t>(series.width, 1));
  }
  rows_++;
}

Bytes Trajectory::npz() const {
  std::vector<ZipMember> members;
  for (const Series& series : series_)
    members.push_back({series.name + ".npy", npy(series, rows_)});
  return write_zip(members);
}

std::string Trajectory::csv() const {
  std::string text;
  for (const Series& series : series_) {
    if (!series.width) text += text.empty() ? series.name : "," + series.name;
    for (int64_t i = 0; i < series.width; i++) text += fmt::format(",{}[{}]", series.name, i);
  }
  text += '\n';
  for (int64_t row = 0; row < rows_; row++) {
    bool first = true;
    for (const Series& series : series_) {
      const int64_t width = std::max<int64_t>(series.width, 1);
      for (int64_t i = 0; i < width; i++) {
        fmt::format_to(std::back_inserter(text), "{}{}", first ? "" : ",",
                       series.numbers[size_t(row * width + i)]);
        first = false;
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace lockstep::cli
