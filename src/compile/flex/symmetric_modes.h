// symmetric_modes.h: modes of a symmetric matrix.
#pragma once

#include <vector>

namespace lockstep {

// sqrt(-eigenvalue) * eigenvector for each clearly negative eigenvalue of a symmetric n x n matrix
std::vector<std::vector<double>> scaled_modes(std::vector<double> matrix, int n);

}  // namespace lockstep
