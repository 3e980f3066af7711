"""Random networks with rows of them, on which estimators of the evidence are tried: ordinary ones, and hard ones."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from ockham.networks import structure_space
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.completions import predicted_completions
from ockham.streams import Stream

__all__ = ["KINDS", "LEAST_ROWS", "MAX_OBSERVED", "Kind", "Problem", "random_problem"]

Kind = Literal[
    "graphs", "mixtures", "sparse_graphs", "sparse_mixtures", "tiny_priors", "spare_classes", "empty_classes",
    "one_row", "rows_alike", "larger_graphs", "surveys",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_OBSERVED = 8
LEAST_ROWS = {"larger_graphs": 40, "surveys": 100}
"""Of kinds whose evidence is no sum; that of the others is one of few terms, and they may have a single row."""
MAX_COMPLETIONS = 10**6
ORDINARY = (0.1, 0.3, 1.0, 1.0, 3.0)
SPARSE = (1e-4, 0.001, 0.01, 0.03)
VERY_SPARSE = (1e-10, 1e-6, *SPARSE)
TINY = (1e-6,)
ANY = (*TINY, 0.01, 0.1, 0.3, 1.0)
PROPER = (0.5, 1.0, 1.0, 2.0)


class Problem(NamedTuple):
    """A network and the rows that it is scored on.

    Attributes
    ----------
    network : DiscreteNetwork
        All of its Dirichlet hyperparameters are equal.
    states : ndarray of int, shape (n, n_observed)
    """

    network: DiscreteNetwork
    states: np.ndarray

    @property
    def cardinalities(self) -> list[int]:
        """Of the observed variables."""
        return [self.network.cardinalities[i] for i in self.network.observed]

    @property
    def rows(self) -> UniqueRows:
        """Its distinct rows."""
        return UniqueRows.of(self.states, self.cardinalities)


def random_problem(kind: Kind, largest: int, stream: Stream) -> Problem:
    """A network of a kind with at most ``largest`` rows, and with a hidden variable that matters to them.

    Kinds whose evidence is a sum are drawn again until that has at most a million terms, so that it is known. Rows of
    the first nine are no draws of the network, but repeat a few that are drawn uniformly: the hardest that are known.
    """
    rng = stream.generator()
    while True:
        found = DRAWS[kind](rng, largest)
        known = kind in LEAST_ROWS or predicted_completions(found.network, found.rows) <= MAX_COMPLETIONS
        if known and found.network.relevant.hidden:
            return found


def _graph(rng: np.random.Generator, priors: Sequence[float], fewest: int = 3, most: int = 6) -> DiscreteNetwork:
    """A graph on variables of 2 or 3 values with up to two parents each, one or two of them hidden."""
    names = [f"v{i}" for i in range(rng.integers(fewest, most + 1))]
    order = [str(name) for name in rng.permutation(names)]
    parents = {
        name: [str(p) for p in rng.permutation(order[:place])[: rng.integers(0, min(place, 2) + 1)]]
        for place, name in enumerate(order)
    }
    hidden = [str(name) for name in rng.permutation(names)[: rng.integers(1, 3)]]
    cardinalities = {name: int(rng.integers(2, 4)) for name in names}
    return DiscreteNetwork.build(cardinalities, parents, hidden, float(rng.choice(priors)))


def _mixture(
    rng: np.random.Generator, priors: Sequence[float], classes: tuple[int, int], items: tuple[int, int] = (3, 5)
) -> DiscreteNetwork:
    """Latent classes of items of 2 or 3 values; both numbers are uniform between two, which are included."""
    n_classes, n_items = (int(rng.integers(low, high + 1)) for low, high in (classes, items))
    features = {f"item{i}": int(rng.integers(2, 4)) for i in range(n_items)}
    return structure_space.naive_bayes_network(n_classes, features, float(rng.choice(priors)), hidden="class")


def _repeated(network: DiscreteNetwork, rng: np.random.Generator, n: int, n_kinds: int) -> Problem:
    """Rows of a few kinds, which are drawn uniformly; kinds may be the same."""
    observed = [network.cardinalities[i] for i in network.observed]
    kinds = np.stack([rng.integers(0, r, n_kinds) for r in observed], axis=1)
    return Problem(network, kinds[rng.integers(0, n_kinds, n)])


def _graphs(priors: Sequence[float]) -> Callable[[np.random.Generator, int], Problem]:
    def draw_one(rng: np.random.Generator, largest: int) -> Problem:
        n = int(rng.integers(min(4, largest), largest + 1))
        return _repeated(_graph(rng, priors), rng, n, int(rng.integers(1, n + 1)))

    return draw_one


def _mixtures(priors: Sequence[float]) -> Callable[[np.random.Generator, int], Problem]:
    def draw_one(rng: np.random.Generator, largest: int) -> Problem:
        n = int(rng.integers(min(4, largest), largest + 1))
        return _repeated(_mixture(rng, priors, (2, 4)), rng, n, max(2, n // 2))

    return draw_one


def _either(n: int | None, n_kinds: int | None) -> Callable[[np.random.Generator, int], Problem]:
    """A graph or a mixture under any prior; as many rows as there may be, of as many kinds, by default."""

    def draw_one(rng: np.random.Generator, largest: int) -> Problem:
        network = _graph(rng, ANY) if rng.random() < 0.5 else _mixture(rng, ANY, (2, 4))
        n_rows = int(rng.integers(1, largest + 1)) if n is None else n
        return _repeated(network, rng, n_rows, n_rows if n_kinds is None else n_kinds)

    return draw_one


def _tiny_priors(rng: np.random.Generator, largest: int) -> Problem:
    return (_graphs if rng.random() < 0.5 else _mixtures)(TINY)(rng, largest)


def _spare_classes(rng: np.random.Generator, largest: int) -> Problem:
    """More classes than distinct rows."""
    network = _mixture(rng, ANY, (3, 5))
    n_classes = network.cardinalities[network.hidden[0]]
    return _repeated(network, rng, int(rng.integers(2, largest + 1)), int(rng.integers(1, n_classes)))


def _empty_classes(rng: np.random.Generator, largest: int) -> Problem:
    """More classes than rows, so that no completion has a row in each."""
    n = int(rng.integers(1, min(largest, 3) + 1))
    return _repeated(_mixture(rng, ANY, (4, 6)), rng, n, n)


def _larger_graph(rng: np.random.Generator, largest: int) -> Problem:
    """Rows of a graph whose parameters are a draw of the prior; their number is uniform in its log."""
    network = _graph(rng, PROPER, 4, 8)
    n = int(np.exp(rng.uniform(np.log(LEAST_ROWS["larger_graphs"]), np.log(largest))))
    return _drawn(network, rng, n)


def _survey(rng: np.random.Generator, largest: int) -> Problem:
    """Rows of latent classes whose parameters are a draw of the prior."""
    network = _mixture(rng, PROPER, (2, 5), (4, MAX_OBSERVED))
    return _drawn(network, rng, int(rng.integers(LEAST_ROWS["surveys"], largest + 1)))


def _drawn(network: DiscreteNetwork, rng: np.random.Generator, n: int) -> Problem:
    states = draw(network, np.exp(sample_log(network, rng)), n, rng)
    return Problem(network, states[:, list(network.observed)])


DRAWS: dict[Kind, Callable[[np.random.Generator, int], Problem]] = {
    "graphs": _graphs(ORDINARY),
    "mixtures": _mixtures(ORDINARY),
    "sparse_graphs": _graphs(SPARSE),
    "sparse_mixtures": _mixtures(VERY_SPARSE),
    "tiny_priors": _tiny_priors,
    "spare_classes": _spare_classes,
    "empty_classes": _empty_classes,
    "one_row": _either(1, 1),
    "rows_alike": _either(None, 1),
    "larger_graphs": _larger_graph,
    "surveys": _survey,
}
