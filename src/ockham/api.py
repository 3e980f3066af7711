"""The five-line way in: one model, one array of data, one scorer."""

from typing import Any

from pydantic import ValidationError

from ockham.contracts import Evidence
from ockham.datasets.unique_rows import UniqueRows
from ockham.errors import ConfigError
from ockham.models.discrete_network import DiscreteNetwork
from ockham.scorers import SCORERS
from ockham.streams import Stream

__all__ = ["score"]


def score(
    network: DiscreteNetwork, data, scorer: str = "vb", *, runs: int = 3, seed: int = 0, **settings: Any
) -> dict[str, Evidence]:
    """Scores of one structure on one data set, the highest of several runs.

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
        By name of the score, in nats, without alias correction (add ``log(network.n_aliases)`` for it).

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
    if runs < 1:
        raise ConfigError(f"runs: {runs} must be at least 1")
    try:
        chosen = SCORERS[scorer].Settings(**settings)
    except ValidationError as error:
        raise ConfigError(f"settings of {scorer}: {error}") from error
    rows = UniqueRows.of(data, [network.cardinalities[i] for i in network.observed])
    found = [SCORERS[scorer].score(network, rows, chosen, Stream(seed, "run", run)) for run in range(runs)]
    return {name: max((run[name] for run in found), key=lambda e: e.log_evidence) for name in found[0]}
