"""Posterior predictive checks: whether data drawn from the fitted model look like those that it was fitted to.

For draws theta of the posterior, data of the same size and with the same cells missing are drawn from p(y | theta). The
p-value of a discrepancy T is the share of the draws with T(drawn data, theta) >= T(data, theta), [GelmanEtAl1996]; for
latent class models [Hoijtink1998]. Small ones speak against the model. They are conservative: data from the model have
small ones more seldom than their size says.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation.ancestral_sampling import ancestral_sample
from ockham.io.extras import naming_extras
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.classes.pair_tables import PairTables
from ockham.networks.data.unique_rows import MISSING, UniqueRows

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Check", "PredictiveChecks", "predictive_checks"]

N_WORST = 3
"""Pairs that are named."""


@dataclass(frozen=True)
class Check:
    """One discrepancy of data from model.

    Attributes
    ----------
    name : str
    observed, replicated : float
        Means of the discrepancy over the draws, of the data and of data from the model.
    lower, upper : float
        Between which it is for 95 % of the data from the model.
    p_value : float
        Small where the data do not look as the model has them.
    """

    name: str
    observed: float
    replicated: float
    lower: float
    upper: float
    p_value: float


@dataclass(frozen=True)
class PredictiveChecks:
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
    @naming_extras()
    def table(self) -> "pd.DataFrame":
        """All as a DataFrame of pandas, by kind and name."""
        import pandas as pd

        kinds = {
            "table": (self.likelihood_ratio, self.distinct_rows), "pair": (self.largest_residual, *self.pairs),
            "margin": self.margins,
        }  # fmt: skip
        found = [{"kind": kind, **vars(check)} for kind, checks in kinds.items() for check in checks]
        return pd.DataFrame(found).set_index(["kind", "name"])

    def __repr__(self) -> str:
        named = (self.likelihood_ratio, self.distinct_rows, self.largest_residual, *self.pairs[:N_WORST])
        found = ", ".join(f"{check.name} {self._said(check.p_value)}" for check in named)
        doubted = f"; doubted: {'; '.join(self.doubt.reasons)}" if self.doubt else ""
        return f"posterior predictive p-values of {self.n_replicates} replicates: {found}{doubted}"

    def _repr_html_(self) -> str:
        doubted = f"<p>Doubted: {'; '.join(self.doubt.reasons)}.</p>" if self.doubt else ""
        return self.table.to_html(float_format="{:.3g}".format) + doubted

    def _said(self, p_value: float) -> str:
        least = 1 / self.n_replicates
        return f"< {least:.2g}" if p_value < least else f"{p_value:.2g}"


def predictive_checks(
    model: LatentClassModel,
    data: UniqueRows,
    log_parameters: np.ndarray,
    rng: np.random.Generator,
    doubt: Doubt = NO_DOUBT,
) -> PredictiveChecks:
    """With one data set drawn at each of the points, logs of shape (n_points, n_entries)."""
    missing = np.repeat(data.rows == MISSING, data.counts, axis=0)
    observed = _Table.of(model, data.rows, data.counts)
    found = []
    for log_theta in log_parameters:
        drawn = _Table.of(model, *np.unique(_replicate(model, log_theta, missing, rng), axis=0, return_counts=True))
        found.append([table.discrepancies(model, log_theta) for table in (observed, drawn)])
    values = np.array(found)  # (n_points, of data and replicate, n_discrepancies)
    means = values.mean(axis=0)
    at_least = (values[:, 1] >= values[:, 0]).mean(axis=0)
    at_most = (values[:, 1] <= values[:, 0]).mean(axis=0)
    p_values = at_least.copy()
    p_values[1] = min(1.0, 2 * min(at_least[1], at_most[1]))  # of the number of distinct rows
    pairs = [f"{model.items[i]} and {model.items[j]}" for i, j in zip(*_pairs(model), strict=True)]
    names = ["likelihood ratio", "distinct rows", "largest residual", *model.items, *pairs]
    lower, upper = np.quantile(values[:, 1], [0.025, 0.975], axis=0)
    columns = (means[0], means[1], lower, upper, p_values)
    checks = [Check(name, *map(float, numbers)) for name, *numbers in zip(names, *columns, strict=True)]
    n_items = len(model.items)
    worst = sorted(checks[3 + n_items :], key=lambda check: (check.p_value, -check.observed))
    return PredictiveChecks(
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
        likelihood = self.counts @ logsumexp(model.log_joint(self.rows, log_theta[None])[0], axis=1)
        residuals = self.pairs.residuals(log_theta)[_pairs(model)]
        overall = [2 * (self.saturated - likelihood), len(self.rows), residuals.max(initial=0.0)]
        return np.concatenate([overall, self.pairs.margins(log_theta), residuals])
