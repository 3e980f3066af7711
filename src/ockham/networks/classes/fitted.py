"""A latent class model of categorical items fitted to data."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ockham.estimation import chain_agreement
from ockham.estimation.given_rows import GivenRows
from ockham.estimation.interrupting import interruptible
from ockham.estimation.memory import check_memory
from ockham.estimation.posterior_parts import LARGEST_MISSING
from ockham.io.blas import one_blas_thread
from ockham.io.extras import naming_extras
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.streams import Stream
from ockham.table_results.fitted.classes import FittedClasses, Summary
from ockham.table_results.fitted.fitting import Chains
from ockham.table_results.fitted.models import Labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ockham.networks.classes.checks import CategoricalChecks
    from ockham.table_results.fitted.exporting import Exported

__all__ = ["CategoricalClasses", "fit_categorical"]


@dataclass(frozen=True, eq=False, repr=False)
class CategoricalClasses(FittedClasses):
    """Of categorical items, with ``UniqueRows`` as data; draws are logs of the parameters, in the network's order."""

    in_words: ClassVar[str] = ".2f"

    model: LatentClassModel
    data: UniqueRows

    @cached_property
    def profiles(self) -> dict[str, Summary]:
        """Probabilities of each item's values in each class, by item; shape (n_classes, n_values)."""
        every = self.quantities
        return {item: Summary(*(self.model.of_item(j, part) for part in every)) for j, item in enumerate(self.items)}

    def check(self, n_replicates: int = 500, seed: int = 0) -> "CategoricalChecks":
        from ockham.networks.classes.checks import predictive_checks

        points, rng = self._to_replicate(n_replicates, seed)
        check_memory(
            self.data.n * (4.0 * len(self.items) + self.model.value_starts[-1]),
            f"replicates of {self.data.n:,} rows of {len(self.items)} items", "check a sample of the rows",
        )  # fmt: skip
        with one_blas_thread():
            return interruptible(lambda: predictive_checks(self.model, self.data, points, rng, self.doubt))

    @naming_extras()
    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Profiles with their intervals, a colour for each class that is known; of two values the second is shown."""
        from ockham.networks.classes.showing import plot

        return plot(self, axes)

    def _exported(self) -> "Exported":
        from ockham.networks.classes.exporting import exported

        return exported(self)


def fit_categorical(network: DiscreteNetwork, data: Any, labels: Labels | None, chains: Chains) -> CategoricalClasses:
    """What ``ockham.fit_classes`` returns of a network.

    Parameters
    ----------
    network : DiscreteNetwork
        One hidden variable, the only parent of every item, as ``ockham.naive_bayes`` makes them; or, for one class,
        items alone.
    data : array_like of int, shape (n_rows, n_items), or UniqueRows
        States counted from 0. Cells may be missing (NaN, masked or -1).
    labels : mapping of str to sequence of str, or sequence of sequence of str, optional
        What the values of items are called; of those that are left out 0, 1, ...
    chains : Chains

    Raises
    ------
    ModelError
        For another network, more than 20 classes, or draws that memory has no room for.
    DataError
        For data that do not fit the network.
    ConfigError
        For labels that cannot be.
    """
    model = LatentClassModel.of(network, labels)
    rows, given = model.read(data)
    _ = model.relabellings  # too many are refused before any work
    chains.check_room(network.n_entries)
    return chains.run(lambda: _fit(model, rows, given, chains))


def _fit(model: LatentClassModel, data: UniqueRows, given: GivenRows, chains: Chains) -> CategoricalClasses:
    from ockham.networks.classes import sampling
    from ockham.networks.classes.labels import label_certainty

    stream = Stream(chains.root, "classes")
    start = sampling.starts(model, data, stream, chains.n_chains)
    states = [start.modes[c % len(start.modes)] for c in range(chains.n_chains)]
    draws, thinning = sampling.run_chains(model, data, states, stream, chains.n_draws)
    flat = draws.reshape(-1, draws.shape[-1])
    agreement = chain_agreement.agreement_of_labels(flat, partial(sampling.labelled, model), model.log_sizes)
    certainty = np.minimum(label_certainty(model, flat), agreement)
    verdict = chain_agreement.verdict(model.of_classes(draws), certainty)
    unseen = len(start.modes) == 1 and start.share_missing > LARGEST_MISSING
    return CategoricalClasses(model, data, given, draws, thinning, verdict, unseen, chains.root)
