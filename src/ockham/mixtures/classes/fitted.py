"""A finite mixture of mixed items fitted to data."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ockham.estimation.chain_agreement import agreement_of_labels, verdict
from ockham.estimation.given_rows import GivenRows
from ockham.estimation.interrupting import interruptible
from ockham.estimation.memory import check_memory
from ockham.estimation.posterior_parts import LARGEST_MISSING
from ockham.io.blas import one_blas_thread
from ockham.io.extras import naming_extras
from ockham.mixtures.classes.model import MixtureClasses
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.data.tables import MixedTable
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import modes
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream
from ockham.table_results.fitted.classes import FittedClasses, Summary
from ockham.table_results.fitted.fitting import Chains
from ockham.table_results.fitted.models import Labels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ockham.mixtures.classes.checks import MixedChecks
    from ockham.table_results.fitted.exporting import Exported

__all__ = ["MixedClasses", "fit_mixed", "fitted"]

N_STARTS = 32
N_COPIES = 4
"""Of rows in their classes, in a replicate."""


@dataclass(frozen=True, eq=False, repr=False)
class MixedClasses(FittedClasses):
    """Of mixed items, with ``MixedRows`` as data.

    Draws are the log weights of the classes and then the natural parameters, class by class.
    """

    in_words: ClassVar[str] = ".3g"

    model: MixtureClasses
    data: MixedRows

    @cached_property
    def profiles(self) -> dict[str, dict[str, Summary]]:
        """What each item is like in each class, in its own unit, by item and quantity; shape (n_classes,)."""
        found: dict[str, dict[str, Summary]] = {item: {} for item in self.items}
        for j, (item, what) in enumerate(self.model.quantities):
            found[item][what] = Summary(*(part[:, j] for part in self.quantities))
        return found

    def check(self, n_replicates: int = 500, seed: int = 0) -> "MixedChecks":
        with one_blas_thread():
            return interruptible(lambda: self.checks_now(n_replicates, seed))

    def checks_now(self, n_replicates: int, seed: int) -> "MixedChecks":
        """As ``check``, in the caller's thread."""
        from ockham.mixtures.classes.checks import predictive_checks

        points, rng = self._to_replicate(n_replicates, seed)
        check_memory(
            N_COPIES * self.data.n * (self.n_classes * len(self.model.quantities) + len(self.items)),
            f"replicates of {self.data.n:,} rows of {len(self.items)} items", "check a sample of the rows",
        )  # fmt: skip
        return predictive_checks(self.model, self.data, points, rng, self.doubt)

    @naming_extras()
    def plot(self) -> "Figure":
        """Bars of categories, densities of numbers and rates of counts at the means, with intervals of 95 %.

        A colour for each class that is known. The interval of a number is that of its mean.
        """
        from ockham.mixtures.classes.drawing import Shown, profile_figure

        shown = Shown(self.sizes.mean, self.quantities.mean, np.array(self.quantities[1:]))
        return profile_figure(self.model.mixture, self.model.labels, shown)

    def _exported(self) -> "Exported":
        from ockham.mixtures.classes.exporting import exported

        return exported(self)


def fit_mixed(mixture: FiniteMixture, data: Any, labels: Labels | None, chains: Chains) -> MixedClasses:
    """What ``ockham.fit_classes`` returns of a mixture.

    Parameters
    ----------
    mixture : FiniteMixture
    data : array_like, shape (n_rows, n_items), or MixedRows
        Numbers, of categories their states counted from 0. Cells may be missing (NaN or masked).
    labels : mapping of str to sequence of str, or sequence of sequence of str, optional
        What the values of categories are called; of those that are left out 0, 1, ...
    chains : Chains

    Raises
    ------
    ModelError
        For more than 20 classes, or draws that memory has no room for.
    DataError
        For data that do not fit the items.
    ConfigError
        For labels that cannot be.
    """
    return chains.run(lambda: fitted(mixture, data, labels, chains))


def fitted(mixture: FiniteMixture, data: Any, labels: Labels | None, chains: Chains) -> MixedClasses:
    """As ``fit_mixed``, in the caller's thread."""
    model = MixtureClasses.of(mixture, labels)
    if not isinstance(data, MixedRows | MixedTable):
        MixedRows.of(data, mixture.items)  # refuses items without a value, or constant
    rows, given = model.read(data)
    chains.check_room(2 * model.n_entries)
    return _fit(model, Design.of(mixture, rows), rows, given, chains)


def _fit(model: MixtureClasses, design: Design, data: MixedRows, given: GivenRows, chains: Chains) -> MixedClasses:
    from ockham.mixtures.classes import sampling

    stream = Stream(chains.root, "classes")
    search = modes.find(model.mixture, design, stream, N_STARTS, N_STARTS)  # all are followed
    start = search.for_chains(chains.n_chains)
    draws, sums, thinning = sampling.run_chains(model, design, start, stream, chains.n_draws)
    flat = np.stack([draws, sums], axis=2).reshape(-1, 2, model.n_entries)
    agreement = agreement_of_labels(
        flat, partial(sampling.labelled, model), lambda kept: model.parameters(kept[:, 0]).log_weights
    )
    certainty = np.minimum(sampling.label_certainty(model, draws, sums), agreement)
    said = verdict(model.of_classes(draws), certainty)
    unseen = search.worth(chains.n_chains) == 1 and search.share_missing > LARGEST_MISSING
    return MixedClasses(model, data, given, draws, thinning, said, unseen, chains.root)
