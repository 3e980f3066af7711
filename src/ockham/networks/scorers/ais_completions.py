"""Annealed importance sampling over completions of the data, proposed in section 7 of [BealGhahramani2006]."""

from dataclasses import replace
from functools import partial

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation.completion_annealing import SPARSER, Settings, check_rows, mean_weight
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import completions
from ockham.networks.inference.missing_cells import is_open
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"ais_completions": Estimator("Annealed importance sampling over completions", over_runs="mean")}

FEW_ROWS = 16
"""Of which chains come to a class that one is in alone, down to hyperparameters of .001 (benchmarks/alone.py)."""


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for too many rows, and for rows whose completions would take more memory than allowed."""
    check_rows(n, settings)
    completions.check_rows(network, n)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean weight of chains, whose sweeps take one row after another, not every distinct row once.

    Both its error and its cost grow with n, so that it pays for few data. It does not know the modes of the parameters:
    where priors are sparse, and those who walk among them get stuck, it still moves. But hardly a chain comes to a
    class that one of many rows is in alone: of more than 16 it is doubted under hyperparameters below .05.

    Raises
    ------
    ModelError
        For more rows than are allowed, or ways to complete single rows that would take more memory than allowed.

    Notes
    -----
    The states are completions s, p(s, y | m) is eq. (5), and the first of the distributions is uniform over them:
    the paper proposes to anneal in their space (section 7) and does not say from where.
    """
    check_rows(data.n, settings)
    log_weight = partial(completions.log_weight, network, data)
    found = mean_weight(log_weight, settings, stream, (network.digest, data.digest))
    alone = is_open(network, data) and network.prior.min() < SPARSER and data.n > FEW_ROWS
    return {"ais_completions": replace(found, doubt=found.doubt | (Doubt.NOT_MIXED if alone else NO_DOUBT))}
