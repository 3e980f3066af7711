"""EM for the parameters of a finite mixture ([BealGhahramani2006], section 3.1, for all its items): MAP, or ML."""

from dataclasses import dataclass, replace

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation.convergence import Search
from ockham.estimation.successive_halving import halved
from ockham.kernels import mixture_em as kernel
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.layout import by_class, by_statistic, layout
from ockham.mixtures.inference.starts import starts
from ockham.streams import Stream

__all__ = ["State", "doubt", "run", "search"]


@dataclass(frozen=True, slots=True)
class State:
    """Where EM stands.

    Attributes
    ----------
    parameters : Parameters
        Of the last M step (the starting point before any).
    sums : Sums
        Expected sums of the E step at ``parameters``.
    log_likelihood : float
        But for base measures, nats.
    objective : float
        What EM climbs, nats: the log likelihood, for MAP with the log prior density in the bases of the items.
    n_iterations : int
    converged : bool
    n_evaluations_before : int
        E steps that went into the choice of the start.
    """

    parameters: Parameters
    sums: Sums
    log_likelihood: float
    objective: float
    n_iterations: int
    converged: bool
    n_evaluations_before: int = 0

    @property
    def n_evaluations(self) -> int:
        """E steps in all."""
        return self.n_evaluations_before + self.n_iterations + 1


def search(
    model: FiniteMixture,
    design: Design,
    stream: Stream,
    settings: Search,
    n: int,
    largest_precision: float | None = None,
) -> State:
    """The fit to n rows from the best of several ``starts``, the same for all scorers of a cell."""

    def climb(start: Parameters, n_steps: int) -> State:
        return run(model, design, start, max_iterations=n_steps, tolerance=0.0, largest_precision=largest_precision)

    given = starts(model, design, stream, settings.n_starts)
    (start,), n_before = halved(given, climb, lambda _, state: state.parameters)
    found = run(model, design, start, **settings.limits(n), largest_precision=largest_precision)
    return replace(found, n_evaluations_before=n_before)


def doubt(fit: State) -> Doubt:
    """What speaks against scores that take a fit for a maximum."""
    return NO_DOUBT if fit.converged else Doubt.NOT_CONVERGED


def run(
    model: FiniteMixture,
    design: Design,
    parameters: Parameters,
    *,
    max_iterations: int,
    tolerance: float,
    relative_tolerance: float = 0.0,
    largest_precision: float | None = None,
) -> State:
    """Iterate from given parameters until the objective changes by less than ``tolerance`` nats, or to the cap.

    ``relative_tolerance``, in units of the objective, is added to it. With ``largest_precision``, of Gaussian items in
    their deviations, the objective is the likelihood, which without this bound need not have a maximum.
    """
    plan = layout(model, design)
    if largest_precision is not None:
        plan = plan.without_prior(largest_precision)
    log_weights, natural = np.array(parameters.log_weights), by_statistic(parameters.natural)
    cases, sums = np.empty_like(log_weights), np.empty_like(natural)
    log_likelihood, objective, n_iterations, converged = kernel.run(
        plan,
        log_weights=log_weights,
        natural=natural,
        cases=cases,
        sums=sums,
        log_prior=float(model.log_prior(parameters)) if largest_precision is None else 0.0,
        max_iterations=max_iterations,
        tolerance=tolerance,
        relative_tolerance=relative_tolerance,
        work=np.empty(kernel.work_size(plan)),
    )
    fitted = Parameters(log_weights, by_class(natural))
    return State(fitted, Sums(cases, by_class(sums)), log_likelihood, objective, n_iterations, converged)
