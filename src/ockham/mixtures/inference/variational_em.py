"""Variational Bayesian EM for a finite mixture of conjugate-exponential items ([BealGhahramani2003])."""

from dataclasses import dataclass, replace

import numpy as np

from ockham.estimation.convergence import Search
from ockham.estimation.successive_halving import halved
from ockham.kernels import mixture_variational_em as kernel
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.layout import by_class, by_statistic, layout

__all__ = ["State", "begin", "run", "search"]


@dataclass(frozen=True, slots=True)
class State:
    """Where variational EM stands.

    Attributes
    ----------
    posterior : Sums
        What q(theta) is the prior updated by.
    sums : Sums
        Expected sums of the rows under q(classes), which follows from q(theta).
    objective : float
        Lower bound on the log evidence but for base measures, nats.
    n_iterations : int
    converged : bool
    n_evaluations_before : int
        E steps that went into the choice of the start.
    """

    posterior: Sums
    sums: Sums
    objective: float
    n_iterations: int
    converged: bool
    n_evaluations_before: int = 0

    @property
    def n_evaluations(self) -> int:
        """E steps in all."""
        return self.n_evaluations_before + self.n_iterations + 1


def search(model: FiniteMixture, design: Design, given: list[Parameters], settings: Search, n: int) -> State:
    """The fit to n rows from the best of given parameters."""

    def climb(start: Sums, n_steps: int) -> State:
        return run(model, design, start, max_iterations=n_steps, tolerance=0.0)

    begun = [begin(model, design, parameters) for parameters in given]
    (start,), n_before = halved(begun, climb, lambda _, state: state.posterior)
    found = run(model, design, start, **settings.limits(n))
    return replace(found, n_evaluations_before=n_before + len(begun))


def begin(model: FiniteMixture, design: Design, parameters: Parameters) -> Sums:
    """The first q(theta), from given parameters: a conventional E step, whose sums enter the first VBM step."""
    return em.run(model, design, parameters, max_iterations=0, tolerance=0.0).sums


def run(
    model: FiniteMixture,
    design: Design,
    posterior: Sums,
    *,
    max_iterations: int,
    tolerance: float,
    relative_tolerance: float = 0.0,
) -> State:
    """Iterate from the prior updated by given sums until the bound changes by less than ``tolerance``, or to the cap.

    Notes
    -----
    The bound is ln Z(q) - KL(q(theta) || p(theta)), where ln Z is the log likelihood at the mean natural parameters.
    As q(theta) is p(theta) exp(sums . phi) / m(sums), the divergence is sums . <phi> - ln m(sums).
    """
    plan = layout(model, design)
    posterior_cases, posterior_sums = np.array(posterior.cases), by_statistic(posterior.items)
    cases, sums = np.empty_like(posterior_cases), np.empty_like(posterior_sums)
    bound, n_iterations, converged = kernel.run(
        plan,
        posterior_cases=posterior_cases,
        posterior_sums=posterior_sums,
        log_weights=np.empty_like(cases),
        natural=np.empty_like(sums),
        cases=cases,
        sums=sums,
        max_iterations=max_iterations,
        tolerance=tolerance,
        relative_tolerance=relative_tolerance,
        work=np.empty(kernel.work_size(plan)),
    )
    reached = Sums(posterior_cases, by_class(posterior_sums))
    return State(reached, Sums(cases, by_class(sums)), bound, n_iterations, converged)
