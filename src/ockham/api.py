"""The five-line way in: one model, one array of data, one scorer."""

from typing import Any

import numpy as np
from pydantic import ValidationError

from ockham import families
from ockham.contracts import Estimator, Evidence, Model
from ockham.errors import ConfigError
from ockham.estimation.combining import combine
from ockham.io.arguments import text, whole
from ockham.streams import Stream

__all__ = ["score"]

MAX_RUNS = 10**6


def score(
    model: Model, data: Any, scorer: str | None = None, *, runs: int = 3, seed: int = 0, **settings: Any
) -> dict[str, Evidence]:
    """Scores of one model on one data set, from several runs.

    Parameters
    ----------
    model : DiscreteNetwork, RestrictedBoltzmann, OrderSpace, or of a family from elsewhere
    data : array_like of int, shape (n, n_observed)
        States counted from 0, one column per observed variable in the network's order, per visible unit, or per node.
    scorer : str, optional
        One of ``ockham.scorers(model)``. For a network ``em`` (MAP, BIC, BICp, Cheeseman-Stutz), ``em_ml``, ``vb``,
        which is the default, ``vb_from_cs``, ``ais``, ``candidate``, ``laplace`` or ``exact``. For a machine
        ``laplace``, which is the default, ``ais``, ``bic``, ``cross_validation`` or ``langevin`` (harmonic means,
        bridge sampling, DIC). For a space of graphs ``ais``, which is the default, ``mc3`` or ``exact``.
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
    family = families.family_of(model)
    name = family.default_scorer if scorer is None else text(scorer, "scorer", ConfigError)
    module = families.scorer(family.name, name)
    n_runs = whole(runs, "runs", 1, MAX_RUNS, ConfigError)
    root = whole(seed, "seed", 0, 2**63 - 1, ConfigError)
    try:
        chosen = module.Settings(**settings)
    except ValidationError as error:
        raise ConfigError(f"settings of {name}: {error}") from error
    rows = family.read(model, data)
    found = [families.run(module, model, rows, chosen, Stream(root, "run", run)) for run in range(n_runs)]
    return {label: _over_runs(about, [run[label] for run in found]) for label, about in module.ESTIMATES.items()}


def _over_runs(estimator: Estimator, runs: list[Evidence]) -> Evidence:
    """One evidence from several runs; the diagnostics are those of the run nearest to it."""
    values = np.array([evidence.log_evidence for evidence in runs])
    errors = np.array([evidence.standard_error for evidence in runs])
    value, error, _ = combine(values, estimator.over_runs, errors)
    nearest = runs[int(np.argmin(np.abs(values - value)))] if np.isfinite(value) else runs[0]
    n_evaluations = sum(evidence.n_evaluations for evidence in runs)
    return Evidence(float(value), float(error), n_evaluations, nearest.diagnostics, nearest.arrays)
