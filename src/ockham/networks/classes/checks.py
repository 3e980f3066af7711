"""Posterior predictive checks of categorical items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation.ancestral_sampling import ancestral_sample
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.classes.pair_tables import PairTables
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.table_results.fitted.checks import N_WORST, Check, PredictiveChecks, compared

__all__ = ["CategoricalChecks", "predictive_checks"]


@dataclass(frozen=True, repr=False)
class CategoricalChecks(PredictiveChecks):
    """What was found.

    Attributes
    ----------
    likelihood_ratio : Check
        G^2 = 2 sum n_y ln(n_y / (n p(y | theta))) over the distinct rows, the likelihood ratio to the saturated table.
        With missing cells the rows that miss the same cells are a table of their own.
    distinct_rows : Check
        Number of distinct rows; its p-value counts both sides.
    largest_residual : Check
        The largest of all bivariate residuals: one p-value for every pair of items together.
    margins : tuple of Check
        Of every item, sum over its values of (O - E)^2 / E, over the values less one.
    pairs : tuple of Check
        Of every pair of items, the bivariate residual: the same sum over the cells of their table, over the product of
        their values less one each, [OberskiEtAl2013]. Rows that miss either do not count. The worst come first.
    n_replicates : int
    doubt : Doubt
        Of the draws.
    """

    likelihood_ratio: Check
    distinct_rows: Check
    largest_residual: Check
    margins: tuple[Check, ...]
    pairs: tuple[Check, ...]
    n_replicates: int
    doubt: Doubt = NO_DOUBT

    @property
    def by_kind(self) -> Mapping[str, Sequence[Check]]:
        return {
            "table": (self.likelihood_ratio, self.distinct_rows), "pair": (self.largest_residual, *self.pairs),
            "margin": self.margins,
        }  # fmt: skip

    @property
    def told(self) -> Sequence[Check]:
        return (self.likelihood_ratio, self.distinct_rows, self.largest_residual, *self.pairs[:N_WORST])


def predictive_checks(
    model: LatentClassModel,
    data: UniqueRows,
    log_parameters: np.ndarray,
    rng: np.random.Generator,
    doubt: Doubt = NO_DOUBT,
) -> CategoricalChecks:
    """With one data set drawn at each of the points, logs of shape (n_points, n_entries)."""
    missing = np.repeat(data.rows == MISSING, data.counts, axis=0)
    observed = _Table.of(model, data.rows, data.counts)
    found = []
    for log_theta in log_parameters:
        drawn = _Table.of(model, *np.unique(_replicate(model, log_theta, missing, rng), axis=0, return_counts=True))
        found.append([table.discrepancies(model, log_theta) for table in (observed, drawn)])
    pairs = [f"{model.items[i]} and {model.items[j]}" for i, j in zip(*_pairs(model), strict=True)]
    names = ["likelihood ratio", "distinct rows", "largest residual", *model.items, *pairs]
    checks = compared(names, np.array(found), two_sided=[1])
    n_items = len(model.items)
    worst = sorted(checks[3 + n_items :], key=lambda check: (check.p_value, -check.observed))
    return CategoricalChecks(
        checks[0], checks[1], checks[2], tuple(checks[3 : 3 + n_items]), tuple(worst), len(log_parameters), doubt
    )


def _replicate(
    model: LatentClassModel, log_theta: np.ndarray, missing: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Rows drawn from the model, as many as there are rows of ``missing``, and missing the same cells."""
    profiles = np.exp(model.log_profiles(log_theta))
    tables = [np.exp(model.log_sizes(log_theta))[None], *(model.of_item(i, profiles) for i in range(len(model.items)))]
    parents: Sequence[Sequence[int]] = [(), *[(0,)] * len(model.items)]
    rows = ancestral_sample(tables, parents, len(missing), rng)[:, 1:]
    rows[missing] = MISSING
    return rows


def _pairs(model: LatentClassModel) -> tuple[np.ndarray, np.ndarray]:
    """The items of every pair."""
    return np.triu_indices(len(model.items), 1)


@dataclass(frozen=True)
class _Table:
    """Distinct rows, and what the discrepancies take of them."""

    rows: np.ndarray
    counts: np.ndarray
    saturated: float
    pairs: PairTables

    @classmethod
    def of(cls, model: LatentClassModel, rows: np.ndarray, counts: np.ndarray) -> "_Table":
        """Of distinct rows and how often each occurs."""
        _, pattern = np.unique(rows == MISSING, axis=0, return_inverse=True)
        n_alike = np.bincount(pattern.ravel(), counts)[pattern.ravel()]
        return cls(rows, counts, float(counts @ np.log(counts / n_alike)), PairTables.of(model, rows, counts))

    def discrepancies(self, model: LatentClassModel, log_theta: np.ndarray) -> np.ndarray:
        """Likelihood ratio, number of distinct rows, largest residual, margins of the items, and residuals of pairs."""
        likelihood = self.counts @ np.logaddexp.reduce(model.log_joint(self.rows, log_theta[None])[0], axis=1)
        residuals = self.pairs.residuals(log_theta)[_pairs(model)]
        overall = [2 * (self.saturated - likelihood), len(self.rows), residuals.max(initial=0.0)]
        return np.concatenate([overall, self.pairs.margins(log_theta), residuals])
