"""How the solver of a world fared in its last solve."""

from typing import NamedTuple

from lockstep import _core

__all__ = ["SolverReport", "solver_report"]


class SolverReport(NamedTuple):
    """What a solver says of its last solve."""

    solver: str  #: as in MJCF: PGS, CG, Newton, cgstrict
    iterations: int  #: the most that an island took; those of noslip and of a fallback are added
    residual: float  #: scaled gradient where it stopped, or what the last sweep of PGS saved; the worst island
    converged: bool  #: whether it stopped by its tolerance, not at the cap
    fallback: bool  #: whether PGS solved what CG could not


def solver_report(d):
    """Iterations, residual, convergence and fallback of the last solve of an MjData."""
    return SolverReport(*_core._solver_report(d))
