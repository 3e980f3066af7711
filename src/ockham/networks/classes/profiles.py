"""What the classes of a MAP fit of categorical items are like, the largest first, and which class rows belong to."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ockham.networks.classes.model import LatentClassModel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.table_results import selection_showing as shared
from ockham.table_results.fitted.memberships import memberships as over_points
from ockham.table_results.pages.rendering import Section

if TYPE_CHECKING:
    from ockham.networks.classes.selection import CategoricalSelection

__all__ = ["memberships", "profile_records", "sections"]


def profile_records(
    network: DiscreteNetwork, parameters: np.ndarray, labels: Mapping[str, tuple[str, ...]]
) -> list[tuple[str, str, np.ndarray]]:
    """Item, quantity and its values in the classes, shape (n_classes,); the sizes first."""
    sizes, order = _sizes(network, parameters)
    found = [("size", "", sizes[order])]
    for i, (name, states) in zip(network.observed, labels.items(), strict=True):
        of_states = network.family(i, parameters)[order].T
        found += [(name, f"probability of {state}", row) for state, row in zip(states, of_states, strict=True)]
    return found


def memberships(network: DiscreteNetwork, parameters: np.ndarray, data: UniqueRows) -> np.ndarray:
    """p(class | row, parameters) of the rows of the table that the data are of, shape (n_rows, n_classes)."""
    model = LatentClassModel.of(network)
    distinct, given = model.read(data)
    shares = over_points(model, distinct.rows, np.log(parameters)[None])
    return shares[:, _sizes(network, parameters)[1]][given.which]


def sections(found: "CategoricalSelection") -> list[Section]:
    """Profiles of the number of classes with the highest evidence that is known."""
    k = found.described
    if k is None:
        return []
    words = (
        "Sizes of classes and probabilities of states at the MAP fit, the largest class first. ockham.fit_classes has "
        "them with intervals, and memberships of rows."
    )
    records = profile_records(found.models[k], found.fits[k].parameters, found.labels)
    head = f"Profiles of {shared.classes_in_words(k)}"
    return [Section(head, [*shared.why_described(found, k), words], shared.profile_rows(records, k))]


def _sizes(network: DiscreteNetwork, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the classes, and their order by these."""
    sizes = network.family(network.hidden[0], parameters)[0] if network.hidden else np.ones(1)
    return sizes, np.argsort(-sizes, kind="stable")
