// trajectory.h: what `lockstep run` records, and the files it writes: NumPy archives and CSV.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "model/data.h"

namespace lockstep::cli {

// one array: a row per recorded moment
struct Series {
  std::string name;
  int64_t width;  // numbers per row; 0: one number per row, an array of one dimension
  std::vector<double> numbers;
};

class Trajectory {
 public:
  explicit Trajectory(const Model& m);

  void record(const Model& m, const Data& d);
  int64_t rows() const { return rows_; }

  Bytes npz() const;
  std::string csv() const;  // a header with names like qpos[0], then a line per row

 private:
  std::vector<Series> series_;
  int64_t rows_ = 0;
};

}  // namespace lockstep::cli
