// math_matrix.cc: mju_* functions of dense and sparse matrices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "array_args.h"
#include "bind.h"

namespace lockstep::python {
namespace {

using nb::arg;

// res = mat1 mat2, where at1(i, k) and at2(k, j) read them
template <class At1, class At2>
void multiply(const OutMat& res, int64_t inner, const At1& at1, const At2& at2) {
  std::vector<double> result(size_t(res.rows * res.cols));
  for (int64_t i = 0; i < res.rows; i++) {
    for (int64_t k = 0; k < inner; k++) {
      double factor = at1(i, k);
      for (int64_t j = 0; j < res.cols; j++) result[size_t(i * res.cols + j)] += factor * at2(k, j);
    }
  }
  std::copy(result.begin(), result.end(), res.data);
}

void bind_products(nb::module_& m) {
  m.def(
      "mju_mulMatVec",
      [](Out<> res, InMat mat, In<> vec) {
        require(res.size == mat.rows, "size of res should equal the number of rows in mat");
        require(vec.size == mat.cols, "size of vec should equal the number of columns in mat");
        for (int64_t i = 0; i < mat.rows; i++) {
          double sum = 0;
          for (int64_t j = 0; j < mat.cols; j++) sum += mat(i, j) * vec[j];
          res[i] = sum;
        }
      },
      arg("res"), arg("mat"), arg("vec"));
  m.def(
      "mju_mulMatTVec",
      [](Out<> res, InMat mat, In<> vec) {
        require(res.size == mat.cols, "size of res should equal the number of columns in mat");
        require(vec.size == mat.rows, "size of vec should equal the number of rows in mat");
        for (int64_t j = 0; j < mat.cols; j++) res[j] = 0;
        for (int64_t i = 0; i < mat.rows; i++) {
          for (int64_t j = 0; j < mat.cols; j++) res[j] += mat(i, j) * vec[i];
        }
      },
      arg("res"), arg("mat"), arg("vec"));
  m.def(
      "mju_mulMatMat",
      [](OutMat res, InMat mat1, InMat mat2) {
        require(mat1.cols == mat2.rows,
                "number of columns in mat1 should equal the number of rows in mat2");
        require(res.rows == mat1.rows && res.cols == mat2.cols,
                "res should have the rows of mat1 and the columns of mat2");
        multiply(res, mat1.cols, mat1, mat2);
      },
      arg("res"), arg("mat1"), arg("mat2"));
  m.def(
      "mju_mulMatMatT",
      [](OutMat res, InMat mat1, InMat mat2) {
        require(mat1.cols == mat2.cols, "mat1 and mat2 should have the same number of columns");
        require(res.rows == mat1.rows && res.cols == mat2.rows,
                "res should have the rows of mat1 and the rows of mat2");
        multiply(res, mat1.cols, mat1, [&](int64_t k, int64_t j) { return mat2(j, k); });
      },
      arg("res"), arg("mat1"), arg("mat2"));
  m.def(
      "mju_mulMatTMat",
      [](OutMat res, InMat mat1, InMat mat2) {
        require(mat1.rows == mat2.rows, "mat1 and mat2 should have the same number of rows");
        require(res.rows == mat1.cols && res.cols == mat2.cols,
                "res should have the columns of mat1 and of mat2");
        multiply(res, mat1.rows, [&](int64_t i, int64_t k) { return mat1(k, i); }, mat2);
      },
      arg("res"), arg("mat1"), arg("mat2"));
  m.def(
      "mju_sqrMatTD",
      [](OutMat res, InMat mat, std::optional<Out<>> diag) {
        require(res.rows == mat.cols && res.cols == mat.cols,
                "res should be square, with the columns of mat");
        require(!diag || diag->size == mat.rows,
                "size of diag should equal the number of rows in mat");
        multiply(
            res, mat.rows,
            [&](int64_t i, int64_t k) { return mat(k, i) * (diag ? (*diag)[k] : 1); }, mat);
      },
      arg("res"), arg("mat"), arg("diag").none());
  m.def(
      "mju_mulVecMatVec",
      [](In<> vec1, InMat mat, In<> vec2) {
        require(mat.rows == mat.cols, "mat should be square");
        require(vec1.size == mat.rows && vec2.size == mat.rows,
                "sizes of vec1 and vec2 should equal the rows of mat");
        double sum = 0;
        for (int64_t i = 0; i < mat.rows; i++) {
          for (int64_t j = 0; j < mat.cols; j++) sum += vec1[i] * mat(i, j) * vec2[j];
        }
        return sum;
      },
      arg("vec1"), arg("mat"), arg("vec2"));
}

void bind_shapes(nb::module_& m) {
  m.def(
      "mju_eye",
      [](OutMat mat) {
        require(mat.rows == mat.cols, "mat should be square");
        for (int64_t i = 0; i < mat.rows * mat.cols; i++) mat.data[i] = i % (mat.cols + 1) == 0;
      },
      arg("mat"));
  m.def(
      "mju_transpose",
      [](OutMat res, InMat mat) {
        require(res.rows == mat.cols && res.cols == mat.rows,
                "res should have the shape of mat transposed");
        std::vector<double> copy(mat.data, mat.data + mat.rows * mat.cols);
        for (int64_t i = 0; i < mat.rows; i++) {
          for (int64_t j = 0; j < mat.cols; j++) res(j, i) = copy[size_t(i * mat.cols + j)];
        }
      },
      arg("res"), arg("mat"));
  m.def(
      "mju_symmetrize",
      [](OutMat res, InMat mat) {
        require(mat.rows == mat.cols, "mat should be square");
        require(res.rows == mat.rows && res.cols == mat.cols,
                "res and mat should have the same shape");
        for (int64_t i = 0; i < mat.rows; i++) {
          res(i, i) = mat(i, i);
          for (int64_t j = 0; j < i; j++) res(i, j) = res(j, i) = 0.5 * (mat(i, j) + mat(j, i));
        }
      },
      arg("res"), arg("mat"));
}

// lower factor in place, upper triangle kept; returns the rank
int cholesky(const OutMat& mat, double mindiag) {
  int rank = int(mat.rows);
  for (int64_t j = 0; j < mat.rows; j++) {
    double pivot = mat(j, j);
    for (int64_t k = 0; k < j; k++) pivot -= mat(j, k) * mat(j, k);
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    mat(j, j) = std::sqrt(pivot);
    for (int64_t i = j + 1; i < mat.rows; i++) {
      double sum = mat(i, j);
      for (int64_t k = 0; k < j; k++) sum -= mat(i, k) * mat(j, k);
      mat(i, j) = sum / mat(j, j);
    }
  }
  return rank;
}

// factor of mat + x x' or mat - x x', by rotations; x is used up
int cholesky_update(const OutMat& mat, const Out<>& x, bool plus) {
  int rank = int(mat.rows);
  for (int64_t k = 0; k < mat.rows; k++) {
    if (x[k] == 0) continue;
    double square = mat(k, k) * mat(k, k) + (plus ? x[k] * x[k] : -x[k] * x[k]);
    if (square < 1e-15) {
      square = 1e-15;
      rank--;
    }
    double r = std::sqrt(square), c = r / mat(k, k), s = x[k] / mat(k, k);
    mat(k, k) = r;
    for (int64_t i = k + 1; i < mat.rows; i++) {
      mat(i, k) = (mat(i, k) + (plus ? s : -s) * x[i]) / c;
      x[i] = c * x[i] - s * mat(i, k);
    }
  }
  return rank;
}

void bind_cholesky(nb::module_& m) {
  m.def(
      "mju_cholFactor",
      [](OutMat mat, double mindiag) {
        require(mat.rows == mat.cols, "mat should be a square matrix");
        return cholesky(mat, mindiag);
      },
      arg("mat"), arg("mindiag"));
  m.def(
      "mju_cholSolve",
      [](Out<> res, InMat mat, In<> vec) {
        require(mat.rows == mat.cols, "mat should be a square matrix");
        require(res.size == mat.rows && vec.size == mat.rows,
                "sizes of res and vec should equal the rows of mat");
        for (int64_t i = 0; i < mat.rows; i++) {
          double sum = vec[i];
          for (int64_t k = 0; k < i; k++) sum -= mat(i, k) * res[k];
          res[i] = sum / mat(i, i);
        }
        for (int64_t i = mat.rows - 1; i >= 0; i--) {
          for (int64_t k = i + 1; k < mat.rows; k++) res[i] -= mat(k, i) * res[k];
          res[i] /= mat(i, i);
        }
      },
      arg("res"), arg("mat"), arg("vec"));
  m.def(
      "mju_cholUpdate",
      [](OutMat mat, Out<> x, int flg_plus) {
        require(mat.rows == mat.cols, "mat should be a square matrix");
        require(x.size == mat.rows, "size of x should equal the number of rows in mat");
        return cholesky_update(mat, x, flg_plus != 0);
      },
      arg("mat"), arg("x"), arg("flg_plus"));
}

// rows of a sparse matrix stay within its arrays
void check_rows(int64_t rows, int64_t cols, const In<>& mat, const InInts& rownnz,
                const InInts& rowadr, const InInts& colind) {
  require(rownnz.size == rows && rowadr.size == rows,
          "rownnz and rowadr should have one element per row");
  for (int64_t i = 0; i < rows; i++) {
    int64_t end = int64_t{rowadr[i]} + rownnz[i];
    require(rowadr[i] >= 0 && rownnz[i] >= 0 && end <= mat.size && end <= colind.size,
            "rows exceed mat or colind");
    for (int64_t k = rowadr[i]; k < end; k++)
      require(colind[k] >= 0 && colind[k] < cols, "colind is out of range");
  }
}

void bind_sparse(nb::module_& m) {
  auto expand = [](bool symmetric) {
    return [symmetric](OutMat res, In<> mat, InInts rownnz, InInts rowadr, InInts colind) {
      check_rows(res.rows, res.cols, mat, rownnz, rowadr, colind);
      if (symmetric) require(res.rows == res.cols, "res should be square");
      std::fill(res.data, res.data + res.rows * res.cols, 0.0);
      for (int64_t i = 0; i < res.rows; i++) {
        for (int64_t k = rowadr[i]; k < int64_t{rowadr[i]} + rownnz[i]; k++) {
          res(i, colind[k]) = mat[k];
          if (symmetric) res(colind[k], i) = mat[k];
        }
      }
    };
  };
  m.def("mju_sparse2dense", expand(false), arg("res"), arg("mat"), arg("rownnz"), arg("rowadr"),
        arg("colind"));
  m.def("mju_sym2dense", expand(true), arg("res"), arg("mat"), arg("rownnz"), arg("rowadr"),
        arg("colind"));
  m.def(
      "mju_dense2sparse",
      [](Out<> res, InMat mat, OutInts rownnz, OutInts rowadr, OutInts colind) {
        require(rownnz.size == mat.rows && rowadr.size == mat.rows,
                "rownnz and rowadr should have one element per row");
        require(res.size == colind.size, "res and colind should have the same size");
        int64_t adr = 0;
        for (int64_t i = 0; i < mat.rows; i++) {
          rowadr[i] = int(adr);
          for (int64_t j = 0; j < mat.cols; j++) {
            if (mat(i, j) == 0) continue;
            if (adr >= res.size) return 1;  // does not fit
            res[adr] = mat(i, j);
            colind[adr++] = int(j);
          }
          rownnz[i] = int(adr) - rowadr[i];
        }
        return 0;
      },
      arg("res"), arg("mat"), arg("rownnz"), arg("rowadr"), arg("colind"));
}

}  // namespace

void bind_linear_algebra(nb::module_& m) {
  bind_products(m);
  bind_shapes(m);
  bind_cholesky(m);
  bind_sparse(m);
}

}  // namespace lockstep::python
