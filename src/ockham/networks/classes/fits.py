"""What single fits say of a number of classes: MAP, BIC, Cheeseman-Stutz, variational Bayes, and how well it fits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ockham.contracts import Estimator, Evidence
from ockham.estimation.combining import combine_runs
from ockham.networks.classes.fit_statistics import FitStatistics, fit_statistics
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em as inference
from ockham.networks.inference.fit_scores import evidences, map_scores
from ockham.networks.scorers import em, vb
from ockham.streams import Stream

__all__ = ["ESTIMATES", "ClassFit", "fit"]

N_RUNS = 3
"""That ``ockham.score`` makes by default."""
ESTIMATES: Mapping[str, Estimator] = {
    name: about for name, about in (em.ESTIMATES | vb.ESTIMATES).items() if name != "bicp"
}


@dataclass(frozen=True, eq=False)
class ClassFit:
    """Fits of one number of classes.

    Attributes
    ----------
    scores : mapping of str to Evidence
        Over runs, by the names of ``ESTIMATES``; the same as those of ``ockham.score``.
    parameters : ndarray, shape (n_entries,)
        Of the MAP fit with the highest posterior density.
    statistics : FitStatistics
        At these.
    """

    scores: Mapping[str, Evidence]
    parameters: np.ndarray
    statistics: FitStatistics


def fit(network: DiscreteNetwork, data: UniqueRows, root: int) -> ClassFit:
    """Fits from several starts, on the streams that ``ockham.score`` has for this seed."""
    streams = [Stream(root, "run", run) for run in range(N_RUNS)]
    modes = [inference.search(network, data, stream, em.Settings()) for stream in streams]
    runs: list[dict[str, Any]] = [
        evidences(network, mode, map_scores(network, mode, data.n), em.ESTIMATES)
        | vb.score(network, data, vb.Settings(), stream)
        for mode, stream in zip(modes, streams, strict=True)
    ]
    scores = {name: combine_runs(about, [run[name] for run in runs]) for name, about in ESTIMATES.items()}
    best = max(modes, key=lambda mode: mode.objective)
    return ClassFit(scores, best.parameters, fit_statistics(network, data, best.parameters))
