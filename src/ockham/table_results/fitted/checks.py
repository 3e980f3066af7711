"""Posterior predictive checks: whether data drawn from the fitted model look like those that it was fitted to.

For draws theta of the posterior, data of the same size and with the same cells missing are drawn from p(y | theta). The
p-value of a discrepancy T is the share of the draws with T(drawn data, theta) >= T(data, theta), [GelmanEtAl1996]; for
latent class models [Hoijtink1998]. Small ones speak against the model. They are conservative: data from the model have
small ones more seldom than their size says.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ockham.contracts import Doubt
from ockham.io.extras import naming_extras

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["N_WORST", "Check", "PredictiveChecks", "compared"]

N_WORST = 3
"""Of many checks, that are named."""


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


class PredictiveChecks(ABC):
    """What was found: checks by kind, the number of replicates, and the doubt of the draws."""

    n_replicates: int
    doubt: Doubt

    @property
    @abstractmethod
    def by_kind(self) -> Mapping[str, Sequence[Check]]:
        """All of them."""

    @property
    @abstractmethod
    def told(self) -> Sequence[Check]:
        """Those of a line."""

    @property
    @naming_extras()
    def table(self) -> "pd.DataFrame":
        """All as a DataFrame of pandas, by kind and name."""
        import pandas as pd

        found = [{"kind": kind, **vars(check)} for kind, checks in self.by_kind.items() for check in checks]
        return pd.DataFrame(found).set_index(["kind", "name"])

    def said(self, p_value: float) -> str:
        """A p-value as far as so many replicates tell it."""
        least = 1 / self.n_replicates
        return f"< {least:.2g}" if p_value < least else f"{p_value:.2g}"

    def __repr__(self) -> str:
        found = ", ".join(f"{check.name} {self.said(check.p_value)}" for check in self.told)
        doubted = f"; doubted: {'; '.join(self.doubt.reasons)}" if self.doubt else ""
        return f"posterior predictive p-values of {self.n_replicates} replicates: {found}{doubted}"

    def _repr_html_(self) -> str:
        doubted = f"<p>Doubted: {'; '.join(self.doubt.reasons)}.</p>" if self.doubt else ""
        return self.table.to_html(float_format="{:.3g}".format) + doubted


def compared(names: Sequence[str], values: np.ndarray, two_sided: Collection[int]) -> list[Check]:
    """A check for each discrepancy, from those of data and replicate at each point, shape (n_points, 2, n_names).

    P-values of those whose places are ``two_sided`` count both sides.
    """
    means = values.mean(axis=0)
    at_least = (values[:, 1] >= values[:, 0]).mean(axis=0)
    at_most = (values[:, 1] <= values[:, 0]).mean(axis=0)
    p_values = at_least.copy()
    both = list(two_sided)
    p_values[both] = np.minimum(1.0, 2 * np.minimum(at_least, at_most)[both])
    lower, upper = np.quantile(values[:, 1], [0.025, 0.975], axis=0)
    columns = (means[0], means[1], lower, upper, p_values)
    return [Check(name, *map(float, numbers)) for name, *numbers in zip(names, *columns, strict=True)]
