"""A latent class model fitted to data: sizes, profiles and memberships of its classes, with their uncertainty."""

import warnings
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ockham.contracts import Doubt
from ockham.errors import ConfigError, OckhamWarning
from ockham.estimation.interrupting import interruptible
from ockham.estimation.memory import check_memory
from ockham.io.arguments import flag, whole
from ockham.io.extras import naming_extras
from ockham.io.progress import progress_bar
from ockham.networks.classes.memberships import Memberships, log_predictive, memberships
from ockham.networks.classes.model import Labels, LatentClassModel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.streams import Stream

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes

    from ockham.networks.classes.checks import PredictiveChecks
    from ockham.networks.classes.diagnostics import Verdict

__all__ = ["FittedClasses", "Summary", "fit_classes"]

PROBABILITY = 0.95
"""Of intervals."""
LARGEST_MISSING = 0.25
"""Share of the posterior that modes may have that no start led to, if all chains start from one."""
UNSEEN = "starts seldom led to the same mode, so there may be better ones"
N_COPIES = 8
"""Of all draws."""


class Summary(NamedTuple):
    """Posterior means, and the ends of intervals of 95 % with equal tails; NaN for a class that is not known."""

    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class FittedClasses:
    """The classes of a data set. They are numbered from 1, the largest first, and are the same in all draws.

    A class is not known where chains differ about it, where it has few effective draws, or where its label switches too
    often to tell it from another. Its means, intervals and memberships are NaN then, and ``reasons`` says why;
    ``draws`` has what the chains did. Where the prior tells classes apart, they are in the order of the network's
    values.

    Attributes
    ----------
    model : LatentClassModel
    data : UniqueRows
    which : ndarray of int, shape (n_rows,)
        The distinct row of ``data`` that each row is.
    draws : ndarray, shape (n_chains, n_draws, n_entries)
        Logs of the parameters, in the network's order.
    thinning : int
        Sweeps from one draw to the next.
    verdict : Verdict
        Split R-hat, effective sample size and certainty of the label of each class, and which are ``known``.
    unseen : bool
        Whether there may be modes that no start led to.
    seed : int
    """

    model: LatentClassModel
    data: UniqueRows
    which: np.ndarray
    draws: np.ndarray
    thinning: int
    verdict: "Verdict"
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
        return self._summary(self.model.log_sizes(self.draws))

    @cached_property
    def profiles(self) -> dict[str, Summary]:
        """Probabilities of each item's values in each class, by item; shape (n_classes, n_values)."""
        whole = self._summary(self.model.log_profiles(self.draws))
        return {item: Summary(*(self.model.of_item(j, part) for part in whole)) for j, item in enumerate(self.items)}

    @cached_property
    def memberships(self) -> Memberships:
        """Of the rows that it was fitted to, in their order; of the distinct rows where those were given."""
        probabilities = self._memberships(self.data)[self.which]
        given_distinct = len(self.which) < self.data.n
        counts = self.data.counts if given_distinct else np.ones(len(self.which), dtype=np.int64)
        return Memberships(probabilities, counts)

    def predict(self, rows: Any) -> Memberships:
        """Memberships of other rows, which leave the posterior as it is; cells may be missing (NaN, masked or -1).

        Raises
        ------
        DataError
            For rows that do not fit the items, such as a state that an item does not have; row and column are named.
        """
        unique, which = self.model.read(rows, "rows")
        counts = unique.counts if isinstance(rows, UniqueRows) else np.ones(len(which), dtype=np.int64)
        return Memberships(self._memberships(unique)[which], counts)

    def log_predictive(self, rows: Any) -> np.ndarray:
        """ln p(row | data), nats, of each row by itself, averaged over the draws; shape (n_rows,).

        It does not depend on labels; ``doubt`` says where the chains do not bear it out.

        Raises
        ------
        DataError
            As ``predict``.
        """
        unique, which = self.model.read(rows, "rows")
        return interruptible(lambda: log_predictive(self.model, unique.rows, self._flat))[which]

    def check(self, n_replicates: int = 500, seed: int = 0) -> "PredictiveChecks":
        """Posterior predictive checks, from so many draws of the posterior, evenly spaced.

        Raises
        ------
        ConfigError
            For numbers out of bounds.
        ModelError
            When a replicate would take more memory than allowed.
        """
        from ockham.networks.classes.checks import predictive_checks  # and with it SciPy

        n_points = whole(n_replicates, "n_replicates", 20, 10**6, ConfigError)
        root = whole(seed, "seed", 0, 2**63 - 1, ConfigError)
        check_memory(
            self.data.n * (4.0 * len(self.items) + self.model.value_starts[-1]),
            f"replicates of {self.data.n:,} rows of {len(self.items)} items", "check a sample of the rows",
        )  # fmt: skip
        points = self._flat[np.linspace(0, len(self._flat) - 1, n_points).astype(int)]
        rng = Stream(root, "classes", "replicates").generator()
        return interruptible(lambda: predictive_checks(self.model, self.data, points, rng, self.doubt))

    @property
    @naming_extras()
    def table(self) -> "pd.DataFrame":
        """Means and intervals, by item and value, the sizes first, and by class."""
        from ockham.networks.classes.showing import table

        return table(self)

    @property
    @naming_extras()
    def diagnostics(self) -> "pd.DataFrame":
        """What says whether each class is known, by class."""
        from ockham.networks.classes.showing import diagnostics

        return diagnostics(self)

    @naming_extras()
    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Profiles with their intervals, a colour for each class that is known; of two values the second is shown."""
        from ockham.networks.classes.showing import plot

        return plot(self, axes)

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """All draws, whatever is known of the classes, and memberships; NaN beyond the values of an item."""
        from ockham.networks.classes.exporting import to_xarray

        return to_xarray(self)

    @naming_extras()
    def to_arviz(self) -> "xr.DataTree":
        """The groups ``posterior``, ``log_likelihood`` and ``observed_data`` that ArviZ takes.

        Raises
        ------
        ConfigError
            Where arviz-base is not installed.
        """
        from ockham.networks.classes.exporting import to_arviz

        return to_arviz(self)

    def __repr__(self) -> str:
        from ockham.networks.classes.showing import text

        return text(self)

    def _repr_html_(self) -> str:
        from ockham.networks.classes.showing import html

        return html(self)

    @property
    def _flat(self) -> np.ndarray:
        return self.draws.reshape(-1, self.draws.shape[-1])

    def _summary(self, log_draws: np.ndarray) -> Summary:
        draws = np.exp(log_draws)
        tails = (1 - PROBABILITY) / 2
        lower, upper = np.quantile(draws, [tails, 1 - tails], axis=(0, 1))
        found = Summary(draws.mean(axis=(0, 1)), lower, upper)
        for part in found:
            part[~self.known] = np.nan
        return found

    def _memberships(self, data: UniqueRows) -> np.ndarray:
        found = interruptible(lambda: memberships(self.model, data.rows, self._flat))
        found[:, ~self.known] = np.nan
        return found


def fit_classes(
    network: DiscreteNetwork,
    data: Any,
    *,
    labels: Labels | None = None,
    n_draws: int = 1000,
    n_chains: int = 4,
    seed: int = 0,
    progress: bool = True,
) -> FittedClasses:
    """Draws of the posterior of a latent class model, and what they say of its classes.

    Gibbs chains start at the best modes that variational EM finds. They go on, with more sweeps from one draw to the
    next, until they agree and have enough effective draws, or to 16 sweeps for each draw.

    Parameters
    ----------
    network : DiscreteNetwork
        One hidden variable, the only parent of every item, as ``ockham.naive_bayes`` makes them; or, for one class,
        items alone.
    data : array_like of int, shape (n_rows, n_items), or UniqueRows
        States counted from 0. Cells may be missing (NaN, masked or -1).
    labels : mapping of str to sequence of str, or sequence of sequence of str, optional
        What the values of items are called; of those that are left out 0, 1, ...
    n_draws : int
        Of each chain that are kept.
    n_chains : int
        At least two, for one cannot tell whether it keeps to a mode.
    seed : int
        Root of the random streams; the same seed gives the same draws.
    progress : bool
        Whether to show on a terminal or in a notebook that it goes on.

    Returns
    -------
    FittedClasses

    Warns
    -----
    OckhamWarning
        When something of it is not to be trusted, such as a class that is not known: why.

    Raises
    ------
    ModelError
        For another network, more than 20 classes, or draws that memory has no room for.
    DataError
        For data that do not fit the network.
    ConfigError
        For another argument that cannot be.
    """
    model = LatentClassModel.of(network, labels)
    n_draws = whole(n_draws, "n_draws", 100, 10**6, ConfigError)
    n_chains = whole(n_chains, "n_chains", 2, 256, ConfigError)
    root = whole(seed, "seed", 0, 2**63 - 1, ConfigError)
    rows, which = model.read(data)
    _ = model.relabellings  # too many are refused before any work
    check_memory(
        N_COPIES * n_chains * n_draws * network.n_entries,
        f"{n_draws:,} draws of {n_chains} chains of {network.n_entries:,} parameters", "take fewer n_chains or n_draws",
    )  # fmt: skip
    begun = monotonic()
    with progress_bar(None, shown=flag(progress, "progress", ConfigError)) as tell:
        fitted = interruptible(
            lambda: _fit(model, rows, which, n_draws, n_chains, root),
            lambda: tell(0.0, f"{monotonic() - begun:.0f} s"),
        )
    if not fitted.trusted:
        warnings.warn(f"not all of the fit is known: {'; '.join(fitted.reasons)}", OckhamWarning, stacklevel=2)
    return fitted


def _fit(
    model: LatentClassModel, data: UniqueRows, which: np.ndarray, n_draws: int, n_chains: int, seed: int
) -> FittedClasses:
    from ockham.networks.classes import diagnostics, sampling  # and with them SciPy

    stream = Stream(seed, "classes")
    start = sampling.starts(model, data, stream, n_chains)
    states = [start.modes[c % len(start.modes)] for c in range(n_chains)]
    draws, thinning = sampling.run_chains(model, data, states, stream, n_draws)
    unseen = len(start.modes) == 1 and start.share_missing > LARGEST_MISSING
    return FittedClasses(model, data, which, draws, thinning, diagnostics.verdict(model, draws), unseen, seed)
