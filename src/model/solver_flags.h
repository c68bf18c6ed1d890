// solver_flags.h: bits of the Data field solver_flags: how the last solve of a world went.
#pragma once

namespace lockstep {

inline constexpr int solver_unconverged = 1;  // stopped at the cap, or broke down
inline constexpr int solver_broken = 2;       // not finite, or stuck where the cost still falls
inline constexpr int solver_fallback = 4;     // Gauss-Seidel solved what CG could not

}  // namespace lockstep
