// tree factorization against MuJoCo's numbers and against dense algebra.
#include "math/sparse.h"

#include <gtest/gtest.h>

#include <vector>

#include "math/cholesky.h"
#include "math/golden_trees.h"
#include "math/pack.h"

namespace lockstep {
namespace {

constexpr double tolerance = 1e-12;

struct Tree {
  const char* name;
  TreePattern pattern;
  std::vector<int> chainup, chaindown;
  std::vector<double> mass, factor, diag_inv, right, solution, half;
};

template <class A>
std::vector<double> values(const A& a) {
  return std::vector<double>(std::begin(a), std::end(a));
}

std::vector<Tree> trees() {
#define TREE(t)                                                                                  \
  Tree {                                                                                         \
    #t,                                                                                          \
        {int(std::size(golden::t::rownnz)),                                                      \
         golden::t::rownnz,                                                                      \
         golden::t::rowadr,                                                                      \
         golden::t::colind,                                                                      \
         nullptr,                                                                                \
         nullptr},                                                                               \
        {}, {}, values(golden::t::mass), values(golden::t::factor), values(golden::t::diag_inv), \
        values(golden::t::right), values(golden::t::solution), values(golden::t::half)           \
  }
  std::vector<Tree> all = {TREE(one_hinge),  TREE(two_links),      TREE(branching),
                           TREE(ball_chain), TREE(free_and_chain), TREE(mixed)};
#undef TREE
  for (Tree& tree : all) {
    TreePattern& p = tree.pattern;
    tree.chainup.resize(size_t(p.n));
    tree.chaindown.resize(size_t(p.n));
    find_chains(p.n, p.rownnz, p.rowadr, p.colind, tree.chainup.data(), tree.chaindown.data());
    p.chainup = tree.chainup.data();
    p.chaindown = tree.chaindown.data();
  }
  return all;
}

void expect_close(const std::vector<double>& got, const std::vector<double>& want,
                  const char* what) {
  ASSERT_EQ(got.size(), want.size());
  double scale = 1;
  for (const double w : want) scale = max(scale, abs(w));
  for (size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], tolerance * scale) << what << " " << i;
  }
}

std::vector<double> dense(const TreePattern& p, const std::vector<double>& mat) {
  std::vector<double> full(size_t(p.n * p.n), 0.0);
  for (int k = 0; k < p.n; ++k) {
    for (int at = p.rowadr[k]; at < p.rowadr[k] + p.rownnz[k]; ++at) {
      full[size_t(k * p.n + p.colind[at])] = full[size_t(p.colind[at] * p.n + k)] = mat[size_t(at)];
    }
  }
  return full;
}

TEST(Ltdl, FactorsAndSolutionsEqualMujoco) {
  for (const Tree& t : trees()) {
    SCOPED_TRACE(t.name);
    std::vector<double> mat = t.mass, inv(t.right.size()), x = t.right, half = t.right;
    EXPECT_TRUE(factor_ltdl(t.pattern, mat.data(), inv.data()));
    expect_close(mat, t.factor, "factor");
    expect_close(inv, t.diag_inv, "inverse diagonal");
    solve_ltdl(t.pattern, mat.data(), inv.data(), x.data());
    expect_close(x, t.solution, "solution");
    solve_ltdl_half(t.pattern, mat.data(), inv.data(), half.data());
    expect_close(half, t.half, "half solution");
  }
}

TEST(Ltdl, EqualsDense) {
  for (const Tree& t : trees()) {
    SCOPED_TRACE(t.name);
    const int n = t.pattern.n;
    std::vector<double> mat = t.mass, inv(t.right.size()), sparse = t.right, full = t.right;
    factor_ltdl(t.pattern, mat.data(), inv.data());
    solve_ltdl(t.pattern, mat.data(), inv.data(), sparse.data());
    std::vector<double> a = dense(t.pattern, t.mass);
    EXPECT_TRUE(cholesky_factor(a.data(), n));
    cholesky_solve(a.data(), n, full.data());
    expect_close(sparse, full, "sparse against dense");
    std::vector<double> back(t.right.size());
    mul_symmetric(t.pattern, t.mass.data(), sparse.data(), back.data());
    expect_close(back, t.right, "M x");
  }
}

// L' D L multiplied out gives M again.
TEST(Ltdl, RebuildsTheMatrix) {
  for (const Tree& t : trees()) {
    SCOPED_TRACE(t.name);
    const TreePattern& p = t.pattern;
    std::vector<double> mat = t.mass, inv(t.right.size()), rebuilt(t.mass.size(), 0.0);
    factor_ltdl(p, mat.data(), inv.data());
    const std::vector<double> l = dense(p, mat);
    const auto entry = [&](int k, int i) { return i == k ? 1.0 : l[size_t(k * p.n + i)]; };
    for (int row = 0; row < p.n; ++row) {
      for (int at = p.rowadr[row]; at < p.rowadr[row] + p.rownnz[row]; ++at) {
        for (int k = row; k < p.n; ++k) {
          const double d = l[size_t(k * p.n + k)];
          rebuilt[size_t(at)] += entry(k, row) * d * entry(k, p.colind[at]);
        }
      }
    }
    expect_close(rebuilt, t.mass, "rebuilt");
  }
}

// MuJoCo 4.0.0 raises a pivot below 1e-15 to 1e-15 and warns.
TEST(Ltdl, RaisesSmallPivots) {
  const std::vector<Tree> all = trees();
  const Tree& t = all[1];
  for (const double pivot : {0.0, 1e-16, -1.0}) {
    std::vector<double> mat = t.mass, inv(2);
    mat.back() = pivot;
    EXPECT_FALSE(factor_ltdl(t.pattern, mat.data(), inv.data()));
    EXPECT_EQ(mat.back(), 1e-15);
    EXPECT_EQ(inv[1], 1 / 1e-15);
  }
}

TEST(Ltdl, LanesEqualPlainNumbersAndFailAlone) {
  using P = Pack<double, 4>;
  for (const Tree& t : trees()) {
    SCOPED_TRACE(t.name);
    std::vector<P> mat(t.mass.size()), inv(t.right.size()), x(t.right.size());
    std::vector<std::vector<double>> mat1(4, t.mass), x1(4, t.right);
    for (int i = 0; i < 4; ++i) {
      for (double& v : mat1[size_t(i)]) v *= 1 + 0.1 * i;
      if (i == 2) mat1[2].back() = -1;  // the last dof of this lane is broken
      for (size_t k = 0; k < mat.size(); ++k) set_lane(mat[k], i, mat1[size_t(i)][k]);
      for (size_t k = 0; k < x.size(); ++k) set_lane(x[k], i, t.right[k]);
    }
    const Mask<P> good = factor_ltdl(t.pattern, mat.data(), inv.data());
    solve_ltdl(t.pattern, mat.data(), inv.data(), x.data());
    for (int i = 0; i < 4; ++i) {
      std::vector<double> inv1(t.right.size());
      const bool good1 = factor_ltdl(t.pattern, mat1[size_t(i)].data(), inv1.data());
      solve_ltdl(t.pattern, mat1[size_t(i)].data(), inv1.data(), x1[size_t(i)].data());
      EXPECT_EQ(lane(good, i), good1);
      EXPECT_EQ(good1, i != 2);
      for (size_t k = 0; k < x.size(); ++k) EXPECT_EQ(lane(x[k], i), x1[size_t(i)][k]);
    }
  }
}

// a chain of n dofs with a side chain that leaves it half-way
struct Fork {
  std::vector<int> rownnz, rowadr, colind, chainup, chaindown;
  TreePattern pattern;

  Fork(int n, int side) {
    for (int k = 0; k < n + side; ++k) {
      rowadr.push_back(int(colind.size()));
      const int shared = k < n ? k : n / 2;
      for (int j = 0; j < shared; ++j) colind.push_back(j);
      for (int j = k < n ? k : n; j <= k; ++j) colind.push_back(j);
      rownnz.push_back(int(colind.size()) - rowadr.back());
    }
    chainup.resize(rownnz.size());
    chaindown.resize(rownnz.size());
    find_chains(n + side, rownnz.data(), rowadr.data(), colind.data(), chainup.data(),
                chaindown.data());
    pattern = {n + side,      rownnz.data(),  rowadr.data(),
               colind.data(), chainup.data(), chaindown.data()};
  }
};

TEST(Ltdl, LongChainsInLanesEqualPlainNumbers) {
  using P = Pack<double, 4>;
  for (int n = 10; n < 62; ++n) {
    SCOPED_TRACE(n);
    const Fork t(n, n % 5 == 0 ? 17 : n % 3);
    std::vector<P> mat(t.colind.size()), inv(t.rownnz.size());
    std::vector<double> mat1(mat.size()), inv1(inv.size());
    for (size_t i = 0; i < mat.size(); ++i) {
      for (int k = 0; k < 4; ++k) {
        set_lane(mat[i], k, double((i * 7919 + size_t(k) * 104729) % 1000) / 1000 - 0.5);
      }
    }
    for (size_t k = 0; k < inv.size(); ++k) {
      P& diagonal = mat[size_t(t.rowadr[k] + t.rownnz[k] - 1)];
      diagonal = diagonal + P(double(inv.size()));
    }
    const std::vector<P> start = mat;
    EXPECT_TRUE(all(factor_ltdl(t.pattern, mat.data(), inv.data())));
    for (int k = 0; k < 4; ++k) {
      for (size_t i = 0; i < mat.size(); ++i) mat1[i] = lane(start[i], k);
      EXPECT_TRUE(factor_ltdl(t.pattern, mat1.data(), inv1.data()));
      for (size_t i = 0; i < mat.size(); ++i) ASSERT_EQ(lane(mat[i], k), mat1[i]) << i;
      for (size_t i = 0; i < inv.size(); ++i) ASSERT_EQ(lane(inv[i], k), inv1[i]) << i;
    }
  }
}

TEST(Cholesky, ReadsOnlyTheLowerTriangle) {
  const double nan = __builtin_nan("");
  double a[9] = {4, nan, nan, 2, 5, nan, -2, 1, 6}, x[3] = {2, 3, 5};
  EXPECT_TRUE(cholesky_factor(a, 3));
  cholesky_solve(a, 3, x);
  EXPECT_NEAR(4 * x[0] + 2 * x[1] - 2 * x[2], 2, tolerance);
  EXPECT_NEAR(2 * x[0] + 5 * x[1] + 1 * x[2], 3, tolerance);
  EXPECT_NEAR(-2 * x[0] + 1 * x[1] + 6 * x[2], 5, tolerance);
}

TEST(Cholesky, ReportsNonPositivePivots) {
  double indefinite[4] = {1, 0, 2, 1}, zero[1] = {0}, nan[1] = {__builtin_nan("")};
  EXPECT_FALSE(cholesky_factor(indefinite, 2));
  EXPECT_FALSE(cholesky_factor(zero, 1));
  EXPECT_FALSE(cholesky_factor(nan, 1));
  double small[1] = {1e-16};
  EXPECT_FALSE(cholesky_factor(small, 1, min_val));
}

}  // namespace
}  // namespace lockstep
