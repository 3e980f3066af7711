"""How well a latent class model fits a table at given parameters: G2, bivariate residuals, certainty of classes."""

from dataclasses import dataclass
from math import nan, prod

import numpy as np

from ockham.estimation.special_functions import upper_gamma
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.classes.pair_tables import PairTables
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.separation import separation

__all__ = ["FitStatistics", "fit_statistics"]

SPARSE = 5.0
"""Rows for each cell of the table of all items; with fewer, G2 does not have its chi-square distribution."""


@dataclass(frozen=True, eq=False)
class FitStatistics:
    """Statistics of a fit.

    Attributes
    ----------
    g2 : float
        Likelihood-ratio statistic of the rows without missing cells, against the saturated model; NaN without any.
    degrees_of_freedom : float
        Cells of the table of all items less 1, less free parameters; below 1 there is nothing to test.
    p_value : float
        Of G2 by the chi-square distribution; NaN where the table is sparse or there is nothing to test.
    n_complete : int
        Rows without missing cells.
    n_cells : float
        Of the table of all items; inf where there are too many to count.
    residuals : ndarray, shape (n_items, n_items)
        Pearson's X2 of the table of two items over (r - 1)(s - 1); NaN on the diagonal and for items that no row has
        both of. It has no chi-square distribution ([OberskiEtAl2013]), so no p-value.
    entropy : float
        1 less the mean entropy of the class of a row with a value, in units of that of the uniform distribution; NaN of
        one class.
    """

    g2: float
    degrees_of_freedom: float
    p_value: float
    n_complete: int
    n_cells: float
    residuals: np.ndarray
    entropy: float

    @property
    def is_sparse(self) -> bool:
        """Whether there are too few rows for the chi-square distribution."""
        return self.n_complete < SPARSE * self.n_cells

    @property
    def largest_residual(self) -> tuple[int, int, float] | None:
        """Columns of the two items that are furthest from independent in a class, and their residual."""
        if np.isnan(self.residuals).all():
            return None
        first, second = np.unravel_index(np.nanargmax(self.residuals), self.residuals.shape)
        return int(min(first, second)), int(max(first, second)), float(self.residuals[first, second])


def fit_statistics(network: DiscreteNetwork, data: UniqueRows, parameters: np.ndarray) -> FitStatistics:
    """The statistics of a naive-Bayes network at parameters that are all positive, shape (n_entries,).

    Notes
    -----
    G2 is that of [Goodman1974]. The bivariate residuals are those of [OberskiEtAl2013], with the expected table of the
    rows that have both items. The certainty is eq. (23) of [ChickeringHeckerman1997], which is the relative entropy of
    [RamaswamyEtAl1993].
    """
    n_cells = prod(float(network.cardinalities[i]) for i in network.observed)
    freedom = n_cells - 1 - network.n_parameters
    g2, n_complete = _g2(network, data, parameters)
    p_value = nan
    if freedom > 0 and n_complete >= SPARSE * n_cells:
        p_value = upper_gamma(freedom / 2, max(g2, 0.0) / 2)
    tables = PairTables.of(LatentClassModel.of(network), data.rows, data.counts)
    residuals = np.where(tables.seen_together, tables.residuals(np.log(parameters)), nan)
    np.fill_diagonal(residuals, nan)
    return FitStatistics(g2, freedom, p_value, n_complete, n_cells, residuals, separation(network, data, parameters))


def _g2(network: DiscreteNetwork, data: UniqueRows, parameters: np.ndarray) -> tuple[float, int]:
    """Twice the log likelihood of the saturated model less that of this one, and the number of complete rows."""
    whole = (data.rows != MISSING).all(axis=1)
    if not whole.any():
        return nan, 0
    complete = UniqueRows(data.rows[whole], data.counts[whole])
    joint = LatentClassModel.of(network).log_joint(complete.rows, np.log(parameters)[None])[0]
    expected = np.logaddexp.reduce(joint, axis=1)
    return float(2 * complete.counts @ (np.log(complete.counts / complete.n) - expected)), complete.n
