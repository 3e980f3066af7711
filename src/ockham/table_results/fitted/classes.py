"""A latent class model fitted to data: sizes, profiles and memberships of its classes, with their uncertainty."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ockham.contracts import Doubt
from ockham.errors import ConfigError
from ockham.estimation.chain_agreement import Verdict
from ockham.estimation.given_rows import GivenRows
from ockham.estimation.interrupting import interruptible
from ockham.io.arguments import whole
from ockham.io.blas import one_blas_thread
from ockham.io.extras import naming_extras
from ockham.streams import Stream
from ockham.table_results.fitted.memberships import (
    Memberships,
    log_predictive,
    memberships,
    predicted_memberships,
)
from ockham.table_results.fitted.models import ClassModel
from ockham.table_results.limits import seed_of

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from ockham.table_results.fitted.checks import PredictiveChecks
    from ockham.table_results.fitted.exporting import Exported

__all__ = ["FittedClasses", "Summary"]

PROBABILITY = 0.95
"""Of intervals."""
UNSEEN = "starts seldom led to the same mode, so there may be better ones"


class Summary(NamedTuple):
    """Posterior means, and the ends of intervals of 95 % with equal tails; NaN for a class that is not known."""

    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class FittedClasses(ABC):
    """The classes of a data set. They are numbered from 1, the largest first, and are the same in all draws.

    A class is not known where chains differ about it, where it has few effective draws, or where its label switches too
    often to tell it from another. Its means, intervals and memberships are NaN then, and ``reasons`` says why;
    ``draws`` has what the chains did. Where the prior tells classes apart, they are in the order of the model's own.

    Attributes
    ----------
    model : ClassModel
    data : UniqueRows or MixedRows
    given : GivenRows
        Which of the distinct rows of ``data`` each row is, in the order in which they were given.
    draws : ndarray, shape (n_chains, n_draws, n_entries)
        Parameters, in the model's order.
    thinning : int
        Sweeps from one draw to the next.
    verdict : Verdict
        Split R-hat, effective sample size and certainty of the label of each class, and which are ``known``.
    unseen : bool
        Whether there may be modes that no start led to.
    seed : int
    """

    in_words: ClassVar[str]
    """A number of a profile as readers see it: the format of it."""

    model: ClassModel
    data: Any
    given: GivenRows
    draws: np.ndarray
    thinning: int
    verdict: Verdict
    unseen: bool
    seed: int

    @property
    def n_classes(self) -> int:
        return self.model.n_classes

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the items."""
        return self.model.items

    @property
    def known(self) -> np.ndarray:
        """Which classes are known; bool, shape (n_classes,)."""
        return self.verdict.known

    @property
    def doubt(self) -> Doubt:
        """Of the draws as a whole, and so of what does not depend on labels, such as predictions and checks."""
        return self.verdict.doubt | (Doubt.NOT_MIXED if self.unseen else Doubt(0))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why not all of it is to be trusted."""
        return (*self.verdict.reasons, *([UNSEEN] if self.unseen else []))

    @property
    def trusted(self) -> bool:
        """Whether nothing speaks against any of it."""
        return not self.reasons

    @cached_property
    def sizes(self) -> Summary:
        """Shares of the classes, shape (n_classes,)."""
        return self._summary(self.model.sizes(self.draws))

    @cached_property
    def quantities(self) -> Summary:
        """All that profiles have, in the order of ``model.quantities``; shape (n_classes, n_quantities)."""
        return self._summary(self.model.profiles(self.draws))

    @cached_property
    def memberships(self) -> Memberships:
        """Of the rows that it was fitted to, in the order of the array, or of the table that they were read from."""
        return self._memberships(memberships, self.data, self.given)

    def predict(self, rows: Any) -> Memberships:
        """Memberships of further rows, each by itself; cells may be missing.

        The probability of a class is that given the row and the data that were fitted, p(class | row, data). So a row
        like one of the data counts once more than there; ``memberships`` has those of the data.
        They are given as to ``ockham.fit_classes``: a data frame or the path of a CSV file with the labels of the
        items, a table that was read, or an array of states and numbers.

        Raises
        ------
        DataError
            For rows that do not fit the items, such as a label that an item does not have; row and column are named.
        """
        return self._memberships(predicted_memberships, *self.model.read(rows, "rows"))

    def log_predictive(self, rows: Any) -> np.ndarray:
        """ln p(row | data), nats, of each row by itself, averaged over the draws; shape (n_rows,).

        It does not depend on labels; ``doubt`` says where the chains do not bear it out. NaN for a row that is probable
        by only a few of the draws, such as one far from all data.

        Raises
        ------
        DataError
            As ``predict``.
        """
        distinct, given = self.model.read(rows, "rows")
        with one_blas_thread():
            return interruptible(lambda: log_predictive(self.model, distinct.rows, self.points))[given.which]

    @abstractmethod
    def check(self, n_replicates: int = 500, seed: int = 0) -> "PredictiveChecks":
        """Posterior predictive checks, from so many draws of the posterior, evenly spaced.

        Raises
        ------
        ConfigError
            For numbers out of bounds.
        ModelError
            When a replicate would take more memory than allowed.
        """

    @property
    @naming_extras()
    def table(self) -> "pd.DataFrame":
        """Means and intervals, by item and what is said of it, the sizes first, and by class."""
        from ockham.table_results.fitted.showing import table

        return table(self)

    @property
    @naming_extras()
    def diagnostics(self) -> "pd.DataFrame":
        """What says whether each class is known, by class."""
        from ockham.table_results.fitted.showing import diagnostics

        return diagnostics(self)

    @abstractmethod
    def plot(self) -> Any:
        """A picture of the profiles with their intervals, a colour for each class that is known."""

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """All draws, whatever is known of the classes, and memberships; NaN beyond the values of an item."""
        from ockham.table_results.fitted.exporting import to_xarray

        return to_xarray(self, self._exported())

    @naming_extras()
    def to_arviz(self) -> "xr.DataTree":
        """The groups ``posterior``, ``log_likelihood`` and ``observed_data`` that ArviZ takes.

        Raises
        ------
        ConfigError
            Where arviz-base is not installed.
        """
        from ockham.table_results.fitted.exporting import to_arviz

        return to_arviz(self, self._exported())

    @abstractmethod
    def _exported(self) -> "Exported":
        """What other programs get of the items."""

    def __repr__(self) -> str:
        from ockham.table_results.fitted.showing import text

        return text(self)

    def _repr_html_(self) -> str:
        from ockham.table_results.fitted.showing import html

        return html(self)

    @property
    def points(self) -> np.ndarray:
        """The draws of all chains, shape (n_points, n_entries)."""
        return self.draws.reshape(-1, self.draws.shape[-1])

    def _to_replicate(self, n_replicates: int, seed: int) -> tuple[np.ndarray, np.random.Generator]:
        """Points that replicates are drawn at, and what draws them."""
        n_points = whole(n_replicates, "n_replicates", 20, 10**6, ConfigError)
        root = seed_of(seed)
        chosen = np.linspace(0, len(self.points) - 1, n_points).astype(int)
        return self.points[chosen], Stream(root, "classes", "replicates").generator()

    def _summary(self, draws: np.ndarray) -> Summary:
        tails = (1 - PROBABILITY) / 2
        lower, upper = np.quantile(draws, [tails, 1 - tails], axis=(0, 1))
        found = Summary(draws.mean(axis=(0, 1)), lower, upper)
        for part in found:
            part[~self.known] = np.nan
        return found

    def _memberships(self, of: Callable[..., np.ndarray], data: Any, given: GivenRows) -> Memberships:
        with one_blas_thread():
            found = interruptible(lambda: of(self.model, data.rows, self.points))
        found[:, ~self.known] = np.nan
        return Memberships(found[given.which], given.counts)
