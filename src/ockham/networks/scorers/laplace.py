"""Laplace's method in the natural parameters, and its cheaper relatives ([ChickeringHeckerman1997], section 3.1)."""

from ockham.contracts import Estimator, Evidence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import curvature, em
from ockham.networks.inference.curvature import SearchWithHessian
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "laplace": Estimator("Laplace", local=True),
    "laplace_block": Estimator("Laplace with a block-diagonal Hessian", local=True),
    "laplace_diagonal": Estimator("Laplace with a diagonal Hessian", local=True),
}


class Settings(SearchWithHessian):
    """Where EM starts, when it stops, and how large a Hessian may be."""


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for a Hessian, a fit or completions that would take more memory than allowed."""
    curvature.check(network, n, settings)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One MAP fit, the same as ``em``'s, and the observed information there.

    A score is NaN where what it takes of the Hessian is not positive definite, which the paper prints as "?". Where the
    whole is not, which the diagnostic ``positive_definite`` tells, all are doubted, and of several runs the highest is
    that of the others.

    Raises
    ------
    ModelError
        When the network has more than ``max_parameters`` free parameters, or the completions of the rows would take
        more memory than allowed.

    Notes
    -----
    Eq. (15) of [ChickeringHeckerman1997]; the block version leaves out second derivatives between parameters of two
    variables, the diagonal version all but the diagonal.
    """
    curvature.check_data(network, data, settings)
    return curvature.laplace_scores(network, data, em.search(network, data, stream, settings))
