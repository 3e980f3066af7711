"""Spaces of structures to choose among, each structure a labelled discrete network."""

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from math import factorial

from ockham.errors import ModelError
from ockham.io.arguments import flag, real, sequence, shown, text, whole
from ockham.networks.discrete_network import MAX_HYPERPARAMETER, MIN_HYPERPARAMETER, DiscreteNetwork

__all__ = ["bipartite", "bipartite_label", "bipartite_network", "listed", "naive_bayes", "naive_bayes_network"]

ARGUMENTS = {"cardinalities", "parents", "hidden", "prior"}
MAX_TRIALS = 2_000_000
MAX_ENTRIES = 30_000_000
"""Of all structures of a space together: a float64 each."""


def bipartite(
    hidden_cardinalities: Sequence[int], observed_cardinalities: Sequence[int], prior: float = 1.0
) -> dict[str, DiscreteNetwork]:
    """Every graph in which hidden variables are the only parents, up to permutation of equal hidden variables.

    Two binary hidden and four observed variables give 2^8 = 256 graphs, 136 of them distinct
    ([BealGhahramani2006], section 4). The label names the hidden parents of each observed variable: in ``1-12-12-2``
    the second and third have both. Hidden variables are called s1, s2, ..., observed ones y1, y2, ...
    """
    hidden_cardinalities = _cardinalities(hidden_cardinalities, "hidden cardinalities")
    observed_cardinalities = _cardinalities(observed_cardinalities, "observed cardinalities")
    prior = real(prior, "prior", MIN_HYPERPARAMETER, MAX_HYPERPARAMETER, ModelError)
    n_hidden, n_observed = len(hidden_cardinalities), len(observed_cardinalities)
    if n_hidden * n_observed > 16 or 2 ** (n_hidden * n_observed) * factorial(n_hidden) > MAX_TRIALS:
        raise ModelError(
            f"{n_hidden} hidden and {n_observed} observed variables have 2^{n_hidden * n_observed} bipartite graphs, "
            "more than can be scored: list the structures that matter instead"
        )
    equal = [
        image
        for image in permutations(range(n_hidden))
        if all(hidden_cardinalities[i] == hidden_cardinalities[j] for i, j in enumerate(image))
    ]
    space = _Space()
    for masks in product(range(2**n_hidden), repeat=n_observed):
        images = (
            tuple(sum(1 << image[i] for i in range(n_hidden) if mask >> i & 1) for mask in masks) for image in equal
        )
        if masks == min(images):
            parents = [[i + 1 for i in range(n_hidden) if mask >> i & 1] for mask in masks]
            network = bipartite_network(parents, hidden_cardinalities, observed_cardinalities, prior)
            space.add(bipartite_label(parents), network)
    return space.networks


def bipartite_label(parents: Sequence[Sequence[int]]) -> str:
    """The label of a bipartite graph: ``[[1], [1, 2], [], [2]]`` gives ``1-12-0-2``."""
    return "-".join("".join(map(str, ps)) or "0" for ps in parents)


def bipartite_network(
    parents: Sequence[Sequence[int]],
    hidden_cardinalities: Sequence[int],
    observed_cardinalities: Sequence[int],
    prior: float = 1.0,
) -> DiscreteNetwork:
    """One bipartite graph; ``parents`` numbers the hidden parents of each observed variable from 1."""
    hidden = {f"s{i + 1}": r for i, r in enumerate(hidden_cardinalities)}
    observed = {f"y{j + 1}": r for j, r in enumerate(observed_cardinalities)}
    families = {f"y{j + 1}": [f"s{i}" for i in ps] for j, ps in enumerate(parents)}
    return DiscreteNetwork.build(hidden | observed, families, list(hidden), prior)


def naive_bayes(
    class_counts: Sequence[int], feature_cardinalities: Sequence[int], prior: float = 1.0, *, divided: bool = False
) -> dict[str, DiscreteNetwork]:
    """Mixtures with one hidden class, the only parent of every feature; the label is ``classes-r``.

    With one class the features are independent, and nothing is hidden. A ``divided`` prior is alpha / (r_i q_i) for
    every entry of a variable with r_i values and q_i parent configurations ([ChickeringHeckerman1997], section 4.5).
    """
    divided = flag(divided, "divided", ModelError)
    class_counts = _cardinalities(class_counts, "classes", least=1)
    feature_cardinalities = _cardinalities(feature_cardinalities, "feature cardinalities")
    prior = real(prior, "prior", MIN_HYPERPARAMETER, MAX_HYPERPARAMETER, ModelError)
    observed = {f"y{j + 1}": r for j, r in enumerate(feature_cardinalities)}
    space = _Space()
    for r in class_counts:
        space.add(f"classes-{r}", naive_bayes_network(r, observed, prior, divided=divided))
    return space.networks


def naive_bayes_network(
    n_classes: int, features: Mapping[str, int], prior: float = 1.0, *, divided: bool = False, hidden: str = "s1"
) -> DiscreteNetwork:
    """One such mixture, of features by name with their numbers of values."""
    variables = dict(features) if n_classes == 1 else {hidden: n_classes} | dict(features)
    entries = {name: values if name == hidden else values * n_classes for name, values in variables.items()}
    given = {name: prior / size for name, size in entries.items()} if divided else prior
    if n_classes == 1:
        return DiscreteNetwork.build(variables, {}, [], given)
    return DiscreteNetwork.build(variables, {name: [hidden] for name in features}, [hidden], given)


def listed(structures: Mapping[str, Mapping]) -> dict[str, DiscreteNetwork]:
    """An explicit list: label to the arguments of ``DiscreteNetwork.build``."""
    space = _Space()
    if not isinstance(structures, Mapping):
        raise ModelError(f"structures: {shown(structures)} must map labels to arguments of DiscreteNetwork.build")
    for label, arguments in structures.items():
        text(label, "label of a structure", ModelError)
        if not isinstance(arguments, Mapping) or not {"cardinalities", "parents"} <= set(arguments) <= ARGUMENTS:
            raise ModelError(
                f"structure {label!r}: {shown(arguments)} must have cardinalities, parents, and maybe hidden and prior"
            )
        try:
            network = DiscreteNetwork.build(**arguments)
        except ModelError as error:
            raise ModelError(f"structure {label!r}: {error}") from error
        space.add(label, network)
    return space.networks


def _cardinalities(given: Sequence[int], name: str, least: int = 2) -> list[int]:
    return [whole(r, name, least, MAX_ENTRIES, ModelError) for r in sequence(given, name, ModelError)]


class _Space:
    """Networks by label, each once, as many as memory has room for."""

    def __init__(self) -> None:
        self.networks: dict[str, DiscreteNetwork] = {}
        self.n_entries = 0

    def add(self, label: str, network: DiscreteNetwork) -> None:
        self.n_entries += network.n_entries
        if self.n_entries > MAX_ENTRIES:
            raise ModelError(
                f"the structures have more than {MAX_ENTRIES:,} parameters together: give fewer or smaller ones"
            )
        if label in self.networks:
            raise ModelError(f"structure {label!r} is given twice")
        self.networks[label] = network
