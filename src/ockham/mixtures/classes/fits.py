"""What single fits say of a number of classes: MAP, BIC, Cheeseman-Stutz, variational Bayes, and how well it fits."""

from collections.abc import Mapping
from dataclasses import dataclass

from ockham.contracts import Estimator, Evidence
from ockham.estimation.combining import combine_runs
from ockham.mixtures.classes.fit_statistics import FitStatistics, fit_statistics
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.mixtures.inference import em as inference
from ockham.mixtures.inference.design import Design
from ockham.mixtures.scorers import em, vb
from ockham.streams import Stream

__all__ = ["ESTIMATES", "ClassFit", "fit"]

N_RUNS = 3
"""That ``ockham.score`` makes by default."""
ESTIMATES: Mapping[str, Estimator] = em.ESTIMATES | vb.ESTIMATES


@dataclass(frozen=True, eq=False)
class ClassFit:
    """Fits of one number of classes.

    Attributes
    ----------
    scores : mapping of str to Evidence
        Over runs, by the names of ``ESTIMATES``; the same as those of ``ockham.score``.
    parameters : Parameters
        Of the MAP fit with the highest posterior density, the largest class first.
    statistics : FitStatistics
        At these.
    """

    scores: Mapping[str, Evidence]
    parameters: Parameters
    statistics: FitStatistics


def fit(model: FiniteMixture, data: MixedRows, root: int) -> ClassFit:
    """Fits from several starts, on the streams that ``ockham.score`` has for this seed."""
    streams = [Stream(root, "run", run) for run in range(N_RUNS)]
    runs = [em.score(model, data, em.Settings(), s) | vb.score(model, data, vb.Settings(), s) for s in streams]
    scores = {name: combine_runs(about, [run[name] for run in runs]) for name, about in ESTIMATES.items()}
    design = Design.of(model, data)
    modes = [inference.search(model, design, stream, em.Settings(), data.n) for stream in streams]
    found = max(modes, key=lambda mode: mode.objective).parameters
    order = (-found.log_weights).argsort(kind="stable")
    parameters = Parameters(found.log_weights[order], found.natural[order])
    return ClassFit(scores, parameters, fit_statistics(model, data, parameters))
