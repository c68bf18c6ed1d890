// symmetric_modes.cc: Jacobi rotations until the matrix is diagonal.
#include "compile/flex/symmetric_modes.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

constexpr int max_sweeps = 100;
constexpr double relative_threshold = 1e-8;  // smaller eigenvalues belong to rigid motions

// turns rows and columns p and q so that the entry (p, q) vanishes
void rotate(std::vector<double>& a, std::vector<double>& v, int n, int p, int q) {
  const double apq = a[p * n + q];
  const double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  auto turn = [&](double& x, double& y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (int k = 0; k < n; k++) turn(a[k * n + p], a[k * n + q]);
  for (int k = 0; k < n; k++) turn(a[p * n + k], a[q * n + k]);
  for (int k = 0; k < n; k++) turn(v[k * n + p], v[k * n + q]);
}

}  // namespace

std::vector<std::vector<double>> scaled_modes(std::vector<double> a, int n) {
  std::vector<double> v(size_t(n) * n, 0.0);
  double scale = 0;
  for (int i = 0; i < n; i++) v[i * n + i] = 1;
  for (double x : a) scale = std::max(scale, std::abs(x));
  for (int sweep = 0; sweep < max_sweeps; sweep++) {
    bool done = true;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) {
        if (std::abs(a[p * n + q]) <= 1e-16 * scale) continue;
        rotate(a, v, n, p, q);
        done = false;
      }
    }
    if (done) break;
  }
  double largest = 0;
  for (int i = 0; i < n; i++) largest = std::max(largest, std::abs(a[i * n + i]));
  std::vector<std::vector<double>> modes;
  for (int i = 0; i < n; i++) {
    const double value = -a[i * n + i];
    if (value <= relative_threshold * largest) continue;
    std::vector<double> mode(n);
    for (int k = 0; k < n; k++) mode[k] = std::sqrt(value) * v[k * n + i];
    modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace lockstep
