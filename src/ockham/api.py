"""The five-line way in: one model, one array of data, one scorer."""

from typing import Any

import numpy as np
from pydantic import ValidationError

from ockham.contracts import Estimate, Evidence
from ockham.errors import ConfigError
from ockham.estimation.combining import combine
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.machines.scorers import BOLTZMANN_SCORERS
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.scorers import SCORERS
from ockham.streams import Stream

__all__ = ["score"]


def score(
    model: DiscreteNetwork | RestrictedBoltzmann,
    data,
    scorer: str | None = None,
    *,
    runs: int = 3,
    seed: int = 0,
    **settings: Any,
) -> dict[str, Evidence]:
    """Scores of one model on one data set, from several runs.

    Parameters
    ----------
    model : DiscreteNetwork or RestrictedBoltzmann
    data : array_like of int, shape (n, n_observed)
        States counted from 0, one column per observed variable in the network's order, or per visible unit.
    scorer : str, optional
        For a network a name in ``ockham.SCORERS``: ``em`` (MAP, BIC, BICp, Cheeseman-Stutz), ``vb``, which is the
        default, ``vb_from_cs``, ``ais``, ``candidate``, ``laplace`` or ``exact``. For a machine one in
        ``ockham.BOLTZMANN_SCORERS``: ``laplace``, which is the default, ``ais``, ``bic``, ``cross_validation`` or
        ``langevin`` (harmonic means, bridge sampling, DIC).
    runs : int
        Independent runs, such as restarts from other parameters.
    seed : int
        Root of the random streams; the same seed gives the same bits.
    **settings
        The scorer's own settings, such as ``max_iterations``.

    Returns
    -------
    dict of str to Evidence
        By name of the score, in nats: the highest of restarts, the mean of unbiased estimates, the median of others;
        without alias correction, which would add ``log(network.n_aliases)`` for a network. ``n_evaluations`` is
        the sum over runs.

    Raises
    ------
    DataError
        For data that do not fit the model.
    ConfigError
        For an unknown scorer or setting.
    ModelError
        When the scorer refuses the model, such as an exact sum that would take too long.
    """
    machine = isinstance(model, RestrictedBoltzmann)
    known, scorer = BOLTZMANN_SCORERS if machine else SCORERS, scorer or ("laplace" if machine else "vb")
    if scorer not in known:
        raise ConfigError(f"scorer: {scorer!r} is unknown; known are {', '.join(known)}")
    for name, value, least in (("runs", runs, 1), ("seed", seed, 0)):
        if not isinstance(value, int | np.integer) or value < least:
            raise ConfigError(f"{name}: {value!r} must be an integer of at least {least}")
    try:
        chosen = known[scorer].Settings(**settings)
    except ValidationError as error:
        raise ConfigError(f"settings of {scorer}: {error}") from error
    rows = BinaryRows.of(data) if machine else UniqueRows.of(data, [model.cardinalities[i] for i in model.observed])
    found = [known[scorer].score(model, rows, chosen, Stream(int(seed), "run", run)) for run in range(runs)]
    estimates = known[scorer].ESTIMATES
    return {name: _over_runs(estimate, [run[name] for run in found]) for name, estimate in estimates.items()}


def _over_runs(estimate: Estimate, runs: list[Evidence]) -> Evidence:
    """One evidence from several runs; the diagnostics are those of the run nearest to it."""
    values = np.array([evidence.log_evidence for evidence in runs])
    errors = np.array([evidence.standard_error for evidence in runs])
    value, error, _ = combine(values, estimate.over_runs, errors)
    nearest = runs[int(np.argmin(np.abs(values - value)))] if np.isfinite(value) else runs[0]
    n_evaluations = sum(evidence.n_evaluations for evidence in runs)
    return Evidence(float(value), float(error), n_evaluations, nearest.diagnostics)
