"""Scores of the best MAP that random starts and the MAP of the next smaller model lead to."""

from typing import Literal

from pydantic import Field

from ockham.contracts import Estimator, Evidence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import curvature, em, nested_search
from ockham.networks.inference.curvature import SearchWithHessian
from ockham.networks.inference.fit_scores import cheeseman_stutz, evidences, map_scores
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

OF_FIT = {
    "bic": Estimator("Bayesian information criterion of nested fits", local=True),
    "cheeseman_stutz": Estimator("Cheeseman-Stutz of nested fits", bound="lower", local=True),
}
SCORES = OF_FIT | {
    "laplace": Estimator("Laplace of nested fits", local=True),
    "laplace_block": Estimator("Laplace of nested fits with a block-diagonal Hessian", local=True),
    "laplace_diagonal": Estimator("Laplace of nested fits with a diagonal Hessian", local=True),
}
ESTIMATES = {f"{name}_nested": about for name, about in SCORES.items()}


class Settings(SearchWithHessian):
    """Where EM starts besides, when it stops, how large a Hessian may be, and which of two fits is taken."""

    chosen_by: Literal["objective", "cheeseman_stutz"] = Field(
        default="objective",
        description="what the fit that is taken has more of: the MAP objective, or the Cheeseman-Stutz score",
    )


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for a Hessian, a fit or completions that would take more memory than allowed."""
    curvature.check(network, n, settings)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The scores of ``em`` and ``laplace`` at the better of their fit and one from the next smaller model's.

    Random starts may all lead to a maximum below that of the next smaller model with one value of the hidden variable
    empty, and then scores of the fit fall where the evidence does not. A higher maximum may have less of the evidence
    around it; the Cheeseman-Stutz score tells, as a lower bound. With several hidden variables it is their fit.

    Raises
    ------
    ModelError
        As in ``laplace``.
    """
    curvature.check_data(network, data, settings)
    by_bound = settings.chosen_by == "cheeseman_stutz"
    fit = nested_search.search(network, data, stream, settings, cheeseman_stutz if by_bound else _objective)
    scores = map_scores(network, fit, data.n)
    found = evidences(network, fit, scores, OF_FIT) | curvature.laplace_scores(network, data, fit)
    return {f"{name}_nested": evidence for name, evidence in found.items()}


def _objective(network: DiscreteNetwork, fit: em.State) -> float:
    return fit.objective
