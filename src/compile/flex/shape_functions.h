// shape_functions.h: polynomials of first and second order on [0, 1] that are 1 at one of equally
// spaced nodes and 0 at the others; and Gauss points.
#pragma once

#include <cmath>

namespace lockstep {

inline double basis(int order, int node, double s) {
  if (order == 1) return node == 0 ? 1 - s : s;
  if (node == 0) return 2 * s * s - 3 * s + 1;
  return node == 1 ? 4 * (s - s * s) : 2 * s * s - s;
}

inline double slope(int order, int node, double s) {
  if (order == 1) return node == 0 ? -1 : 1;
  if (node == 0) return 4 * s - 3;
  return node == 1 ? 4 * (1 - 2 * s) : 4 * s - 1;
}

// Gauss-Legendre with 2 or 3 points on [0, 1]
struct Quadrature {
  double point[3] = {}, weight[3] = {};
  explicit Quadrature(int count) {
    if (count == 2) {
      point[0] = 0.5 - 0.5 / std::sqrt(3.);
      point[1] = 0.5 + 0.5 / std::sqrt(3.);
      weight[0] = weight[1] = 0.5;
    } else {
      point[0] = 0.5;
      point[1] = 0.5 - 0.5 * std::sqrt(0.6);
      point[2] = 0.5 + 0.5 * std::sqrt(0.6);
      weight[0] = 4. / 9;
      weight[1] = weight[2] = 2.5 / 9;
    }
  }
};

}  // namespace lockstep
