// math_band.cc: mju_* functions of banded matrices and of small optimisation problems.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "array_args.h"
#include "bind.h"
#include "math/cholesky.h"
#include "model/types.h"

namespace lockstep::python {
namespace {

using nb::arg;

// The lower triangle of a matrix of which row i has at most `band` numbers up to the diagonal, but
// for the last `dense` rows, which are whole.
struct Band {
  int64_t total, band, dense;

  Band(int64_t total, int64_t band, int64_t dense) : total(total), band(band), dense(dense) {
    require(total >= 0 && dense >= 0 && dense <= total && band >= 0 && band <= total,
            "ntotal, nband and ndense do not describe a matrix");
  }
  int64_t size() const { return (total - dense) * band + dense * total; }
  bool whole(int64_t row) const { return row >= total - dense; }
  int64_t first(int64_t row) const { return whole(row) ? 0 : std::max<int64_t>(0, row - band + 1); }
  int64_t at(int64_t row, int64_t col) const {
    if (!whole(row)) return row * band + band - 1 - (row - col);
    return (total - dense) * band + (row - (total - dense)) * total + col;
  }
};

// f(row, column, place) for all numbers up to the diagonal
template <class F>
void for_each(const Band& band, F&& f) {
  for (int64_t row = 0; row < band.total; row++) {
    for (int64_t col = band.first(row); col <= row; col++) f(row, col, band.at(row, col));
  }
}

// smallest number on the diagonal of the factor, 0 if there is none
double factor(const Band& band, double* mat, double diagadd, double diagmul) {
  double least = band.total ? HUGE_VAL : 0;
  for (int64_t i = 0; i < band.total; i++) {
    mat[band.at(i, i)] += diagadd + diagmul * mat[band.at(i, i)];
  }
  for (int64_t j = 0; j < band.total; j++) {
    double pivot = mat[band.at(j, j)];
    for (int64_t k = band.first(j); k < j; k++) {
      pivot -= mat[band.at(j, k)] * mat[band.at(j, k)];
    }
    if (pivot < mjMINVAL) return 0;
    const double root = std::sqrt(pivot);
    least = std::min(least, root);
    mat[band.at(j, j)] = root;
    for (int64_t i = j + 1; i < band.total; i++) {
      if (band.first(i) > j) continue;
      double sum = mat[band.at(i, j)];
      for (int64_t k = std::max(band.first(i), band.first(j)); k < j; k++) {
        sum -= mat[band.at(i, k)] * mat[band.at(j, k)];
      }
      mat[band.at(i, j)] = sum / root;
    }
  }
  return least;
}

void solve(const Band& band, const double* mat, double* x) {
  for (int64_t i = 0; i < band.total; i++) {
    for (int64_t k = band.first(i); k < i; k++) x[i] -= mat[band.at(i, k)] * x[k];
    x[i] /= mat[band.at(i, i)];
  }
  for (int64_t i = band.total - 1; i >= 0; i--) {
    x[i] /= mat[band.at(i, i)];
    for (int64_t k = band.first(i); k < i; k++) x[k] -= mat[band.at(i, k)] * x[i];
  }
}

constexpr const char* band_size = "mat must have size (ntotal-ndense)*nband + ndense*ntotal";

void bind_band_forms(nb::module_& m) {
  m.def(
      "mju_bandDiag",
      [](int64_t i, int64_t ntotal, int64_t nband, int64_t ndense) {
        return Band(ntotal, nband, ndense).at(i, i);
      },
      arg("i"), arg("ntotal"), arg("nband"), arg("ndense"),
      "Place of a number of the diagonal in a banded matrix.");
  m.def(
      "mju_dense2Band",
      [](Out<> res, InMat mat, int64_t ntotal, int64_t nband, int64_t ndense) {
        const Band band(ntotal, nband, ndense);
        require(res.size == band.size(),
                "res must have size (ntotal-ndense)*nband + ndense*ntotal");
        require(mat.rows == ntotal, "mat should have ntotal rows");
        require(mat.cols == ntotal, "mat should have ntotal columns");
        for_each(band, [&](int64_t i, int64_t j, int64_t at) { res[at] = mat(i, j); });
      },
      arg("res"), arg("mat"), arg("ntotal"), arg("nband"), arg("ndense"),
      "Dense matrix to banded matrix.");
  m.def(
      "mju_band2Dense",
      [](OutMat res, In<> mat, int64_t ntotal, int64_t nband, int64_t ndense, int flg_sym) {
        const Band band(ntotal, nband, ndense);
        require(mat.size == band.size(), band_size);
        require(res.rows == ntotal, "res should have ntotal rows");
        require(res.cols == ntotal, "res should have ntotal columns");
        std::fill_n(res.data, res.rows * res.cols, 0.0);
        for_each(band, [&](int64_t i, int64_t j, int64_t at) {
          res(i, j) = mat[at];
          if (flg_sym) res(j, i) = mat[at];
        });
      },
      arg("res"), arg("mat"), arg("ntotal"), arg("nband"), arg("ndense"), arg("flg_sym"),
      "Banded matrix to dense matrix.");
}

void bind_band_algebra(nb::module_& m) {
  m.def(
      "mju_bandMulMatVec",
      [](Out<> res, In<> mat, In<> vec, int64_t ntotal, int64_t nband, int64_t ndense, int64_t nvec,
         int flg_sym) {
        const Band band(ntotal, nband, ndense);
        require(mat.size == band.size(), band_size);
        require(res.size == ntotal * nvec, "res should have ntotal rows");
        require(vec.size == ntotal * nvec, "vec should have ntotal rows");
        std::fill_n(res.data, res.size, 0.0);
        for (int64_t start = 0; start < res.size; start += ntotal) {
          for_each(band, [&](int64_t i, int64_t j, int64_t at) {
            res[start + i] += mat[at] * vec[start + j];
            if (flg_sym && i != j) res[start + j] += mat[at] * vec[start + i];
          });
        }
      },
      arg("res"), arg("mat"), arg("vec"), arg("ntotal"), arg("nband"), arg("ndense"), arg("nvec"),
      arg("flg_sym"), "Banded matrix times vectors.");
  m.def(
      "mju_cholFactorBand",
      [](Out<> mat, int64_t ntotal, int64_t nband, int64_t ndense, double diagadd, double diagmul) {
        const Band band(ntotal, nband, ndense);
        require(mat.size == band.size(), band_size);
        return factor(band, mat.data, diagadd, diagmul);
      },
      arg("mat"), arg("ntotal"), arg("nband"), arg("ndense"), arg("diagadd"), arg("diagmul"),
      "Cholesky factor of a banded matrix; gives the smallest number of its diagonal, or 0.");
  m.def(
      "mju_cholSolveBand",
      [](Out<> res, In<> mat, In<> vec, int64_t ntotal, int64_t nband, int64_t ndense) {
        const Band band(ntotal, nband, ndense);
        require(mat.size == band.size(),
                "mat must have (ntotal-ndense)*nband + ndense*ntotal elements");
        require(res.size == ntotal, "size of res should equal ntotal");
        require(vec.size == ntotal, "size of vec should equal ntotal");
        std::copy_n(vec.data, ntotal, res.data);
        solve(band, mat.data, res.data);
      },
      arg("res"), arg("mat"), arg("vec"), arg("ntotal"), arg("nband"), arg("ndense"),
      "Solves with the factor of a banded matrix.");
}

// Minimises x' H x / 2 + g' x within bounds by projected Newton steps: variables at a bound that
// the gradient pushes against stay there, the others go to their minimum along a line that is bent
// by the bounds.
class BoxProblem {
 public:
  BoxProblem(int n, const double* hessian, const double* gradient, const double* lower,
             const double* upper)
      : n_(n), h_(hessian), g_(gradient), lower_(lower), upper_(upper), slope_(n), step_(n) {}

  std::vector<int> free;       // variables that are not at a bound
  std::vector<double> factor;  // of their part of H

  // the number of free variables, or -1
  int solve(double* x) {
    constexpr int most_steps = 100;
    constexpr double small_slope = 1e-16;
    for (int i = 0; i < n_; i++) x[i] = clip(i, x[i]);
    for (int iteration = 0; iteration < most_steps; iteration++) {
      find_slope(x);
      const std::vector<int> before = free;
      find_free(x);
      if (free.empty()) return 0;
      if ((iteration == 0 || free != before) && !factor_free()) return -1;
      double size = 0;
      for (int i : free) size += slope_[i] * slope_[i];
      if (size < small_slope * small_slope || !descend(x)) break;
    }
    return int(free.size());
  }

 private:
  double clip(int i, double x) const {
    if (lower_ && x < lower_[i]) x = lower_[i];
    if (upper_ && x > upper_[i]) x = upper_[i];
    return x;
  }
  double h(int i, int j) const { return i >= j ? h_[i * n_ + j] : h_[j * n_ + i]; }

  void find_slope(const double* x) {
    for (int i = 0; i < n_; i++) {
      slope_[i] = g_[i];
      for (int j = 0; j < n_; j++) slope_[i] += h(i, j) * x[j];
    }
  }
  double value(const double* x) const {
    double sum = 0;
    for (int i = 0; i < n_; i++) {
      double row = g_[i];
      for (int j = 0; j < n_; j++) row += 0.5 * h(i, j) * x[j];
      sum += row * x[i];
    }
    return sum;
  }
  void find_free(const double* x) {
    free.clear();
    for (int i = 0; i < n_; i++) {
      const bool low = lower_ && x[i] == lower_[i] && slope_[i] > 0;
      const bool high = upper_ && x[i] == upper_[i] && slope_[i] < 0;
      if (!low && !high) free.push_back(i);
    }
  }
  bool factor_free() {
    const int count = int(free.size());
    factor.assign(size_t(count) * count, 0);
    for (int i = 0; i < count; i++) {
      for (int j = 0; j <= i; j++) factor[i * count + j] = h(free[i], free[j]);
    }
    return cholesky_factor(factor.data(), count, mjMINVAL);
  }

  // goes along the Newton step, shorter and shorter until it helps; false if it does not
  bool descend(double* x) {
    constexpr double shrink = 0.5, shortest = 1e-22, enough = 0.1;
    std::vector<double> newton;
    for (int i : free) newton.push_back(-slope_[i]);
    cholesky_solve(factor.data(), int(free.size()), newton.data());
    std::fill(step_.begin(), step_.end(), 0.0);
    double expected = 0;
    for (size_t k = 0; k < free.size(); k++) {
      step_[free[k]] = newton[k];
      expected += newton[k] * slope_[free[k]];
    }
    const double old = value(x);
    std::vector<double> next(n_);
    for (double length = 1; length > shortest; length *= shrink) {
      for (int i = 0; i < n_; i++) next[i] = clip(i, x[i] + length * step_[i]);
      if (value(next.data()) > old + enough * length * expected) continue;
      const bool moved = !std::equal(next.begin(), next.end(), x);
      std::copy(next.begin(), next.end(), x);
      return moved;
    }
    return false;
  }

  int n_;
  const double *h_, *g_, *lower_, *upper_;
  std::vector<double> slope_, step_;
};

int box_qp(Out<> res, OutMat r, std::optional<OutInts> index, InMat h, In<> g,
           std::optional<In<>> lower, std::optional<In<>> upper) {
  const int n = int(res.size);
  require(r.rows * r.cols == int64_t{n} * (n + 7), "size of R should be n*(n+7)");
  require(h.rows == n && h.cols == n, "H should be of shape (n, n)");
  require(g.size == n, "size of g should equal n");
  require(!index || index->size == n, "size of index should equal n");
  require(!lower || lower->size == n, "size of lower should equal n");
  require(!upper || upper->size == n, "size of upper should equal n");
  BoxProblem problem(n, h.data, g.data, lower ? lower->data : nullptr,
                     upper ? upper->data : nullptr);
  const int rank = problem.solve(res.data);
  if (rank > 0) {
    std::copy(problem.factor.begin(), problem.factor.end(), r.data);
    if (index) std::copy(problem.free.begin(), problem.free.end(), index->data);
  }
  return rank;
}

}  // namespace

void bind_bands(nb::module_& m) {
  bind_band_forms(m);
  bind_band_algebra(m);
  m.def("mju_boxQP", box_qp, arg("res"), arg("R"), arg("index").none(), arg("H"), arg("g"),
        arg("lower").none(), arg("upper").none(),
        "Minimises a quadratic function within bounds; gives the number of free variables, or -1.");
}

}  // namespace lockstep::python
