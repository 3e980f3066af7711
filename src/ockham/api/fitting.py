"""Latent classes of a given number, with all that is known of them."""

from typing import Any

from ockham.io.blas import one_blas_thread
from ockham.mixtures.classes.fitted import fit_mixed
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.networks.classes.fitted import fit_categorical
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.table_results.fitted.classes import FittedClasses
from ockham.table_results.fitted.fitting import Chains, warn_of_untrusted
from ockham.table_results.fitted.models import Labels

__all__ = ["fit_classes"]


def fit_classes(
    model: DiscreteNetwork | FiniteMixture,
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
    model : DiscreteNetwork or FiniteMixture
        A mixture; or a network with one hidden variable, the only parent of every item, as ``ockham.naive_bayes`` makes
        them, or, for one class, of items alone.
    data : array_like, shape (n_rows, n_items), UniqueRows or MixedRows
        Of categories states counted from 0; of numbers and counts the cells themselves. Cells may be missing (NaN or
        masked, and of a network -1). Columns of a data frame are found by the names of the items, if it has them, and
        if ``labels`` are given, then these are what its categories are called, as those of a CSV file, whose path may
        be given. Or what ``read_table`` or ``read_mixed_table`` returns; or the ``data`` of a selection, which know the
        order of the rows of its table.
    labels : mapping of str to sequence of str, or sequence of sequence of str, optional
        What the values of categorical items are called; of those that are left out 0, 1, ...
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
    CategoricalClasses or MixedClasses

    Warns
    -----
    OckhamWarning
        When something of it is not to be trusted, such as a class that is not known: why.

    Raises
    ------
    ModelError
        For another model, more than 20 classes, or draws that memory has no room for.
    DataError
        For data that do not fit the model.
    ConfigError
        For another argument that cannot be.
    """
    chains = Chains.of(n_draws, n_chains, seed, progress)
    found: FittedClasses
    with one_blas_thread():
        if isinstance(model, FiniteMixture):
            found = fit_mixed(model, data, labels, chains)
        else:
            found = fit_categorical(model, data, labels, chains)
    warn_of_untrusted(found, stacklevel=2)
    return found
