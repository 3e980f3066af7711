"""The five-line way in: one model, one array of data, one scorer."""

from typing import Any

import numpy as np
from pydantic import ValidationError

from ockham.contracts import Estimate, Evidence
from ockham.datasets.unique_rows import UniqueRows
from ockham.errors import ConfigError
from ockham.models.discrete_network import DiscreteNetwork
from ockham.scorers import SCORERS
from ockham.streams import Stream

__all__ = ["score"]


def score(
    network: DiscreteNetwork, data, scorer: str = "vb", *, runs: int = 3, seed: int = 0, **settings: Any
) -> dict[str, Evidence]:
    """Scores of one structure on one data set, from several runs.

    Parameters
    ----------
    network : DiscreteNetwork
    data : array_like of int, shape (n, n_observed)
        States counted from 0, one column per observed variable in the network's order.
    scorer : str
        A name in ``ockham.SCORERS``: ``em`` (MAP, BIC, BICp, Cheeseman-Stutz), ``vb`` or ``exact``.
    runs : int
        Independent runs, such as restarts from other parameters.
    seed : int
        Root of the random streams; the same seed gives the same bits.
    **settings
        The scorer's own settings, such as ``max_iterations``.

    Returns
    -------
    dict of str to Evidence
        By name of the score, in nats: the highest of restarts, the mean of unbiased estimates; without alias
        correction, which would add ``log(network.n_aliases)``.

    Raises
    ------
    DataError
        For data that do not fit the network.
    ConfigError
        For an unknown scorer or setting.
    ModelError
        When the scorer refuses the model, such as an exact sum that would take too long.
    """
    if scorer not in SCORERS:
        raise ConfigError(f"scorer: {scorer!r} is unknown; known are {', '.join(SCORERS)}")
    for name, value, least in (("runs", runs, 1), ("seed", seed, 0)):
        if not isinstance(value, int | np.integer) or value < least:
            raise ConfigError(f"{name}: {value!r} must be an integer of at least {least}")
    try:
        chosen = SCORERS[scorer].Settings(**settings)
    except ValidationError as error:
        raise ConfigError(f"settings of {scorer}: {error}") from error
    rows = UniqueRows.of(data, [network.cardinalities[i] for i in network.observed])
    found = [SCORERS[scorer].score(network, rows, chosen, Stream(int(seed), "run", run)) for run in range(runs)]
    return {
        name: _over_runs(estimate, [run[name] for run in found]) for name, estimate in SCORERS[scorer].ESTIMATES.items()
    }


def _over_runs(estimate: Estimate, runs: list[Evidence]) -> Evidence:
    """The highest of some restarts, or the mean of some unbiased estimates of the evidence."""
    if estimate.over_runs == "max":
        return max(runs, key=lambda evidence: evidence.log_evidence)
    values = np.array([evidence.log_evidence for evidence in runs])
    mean = np.logaddexp.reduce(values) - np.log(len(values))
    spread = np.exp(values - mean).std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return Evidence(float(mean), float(spread), sum(evidence.n_evaluations for evidence in runs))
