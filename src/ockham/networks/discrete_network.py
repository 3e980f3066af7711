"""Discrete directed networks with hidden variables and Dirichlet priors (Beal & Ghahramani 2006, section 2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import permutations, product
from math import factorial, prod
from typing import ClassVar

import numpy as np

from ockham.errors import ModelError
from ockham.io.arguments import is_masked, sequence, shown, text

__all__ = ["MAX_HIDDEN_CONFIGURATIONS", "MAX_HYPERPARAMETER", "MIN_HYPERPARAMETER", "DiscreteNetwork", "joint_states"]

MAX_HIDDEN_CONFIGURATIONS = 65_536
MAX_ENTRIES = 10_000_000
MAX_RELABELLINGS = 100_000
MIN_HYPERPARAMETER, MAX_HYPERPARAMETER = 1e-10, 1e6
"""Beyond these the log-gamma differences of the evidence lose their digits."""


@dataclass(frozen=True, eq=False)
class DiscreteNetwork:
    """A directed acyclic graph over discrete variables, some of them hidden, with a Dirichlet prior on every row.

    Parameters live in one flat vector: variable by variable, parent configuration by parent configuration (the first
    parent varies slowest), value by value. Its cells are the theta_ijk of the field's N_ijk.

    Attributes
    ----------
    names : tuple of str
        One name per variable.
    cardinalities : tuple of int
        Number of values of each variable, at least 2.
    parents : tuple of tuple of int
        Indices of the parents of each variable, in the order of the parent configurations.
    hidden : tuple of int
        Indices of the hidden variables, ascending. The others are observed, and data columns follow their order.
    prior : ndarray, shape (n_entries,)
        Dirichlet hyperparameters, flat as the parameters are.

    Raises
    ------
    ModelError
        For a cycle, a cardinality below 2, a parent that does not exist, a hyperparameter that is not positive, or more
        joint hidden configurations than ``MAX_HIDDEN_CONFIGURATIONS``.
    """

    family_name: ClassVar[str] = "discrete_network"
    names: tuple[str, ...]
    cardinalities: tuple[int, ...]
    parents: tuple[tuple[int, ...], ...]
    hidden: tuple[int, ...]
    prior: np.ndarray

    @classmethod
    def build(
        cls,
        cardinalities: Mapping[str, int],
        parents: Mapping[str, Sequence[str]],
        hidden: Sequence[str] = (),
        prior: float | Mapping[str, float | np.ndarray] = 1.0,
    ) -> "DiscreteNetwork":
        """A network from names.

        ``prior`` is one hyperparameter for every entry, or per variable a number or an array that broadcasts to
        ``(n_configurations, n_values)``; variables that it leaves out get 1.
        """
        for what, mapping in (("cardinalities", cardinalities), ("parents", parents)):
            if not isinstance(mapping, Mapping):
                raise ModelError(f"{what}: {shown(mapping)} must map names of variables to what they have")
        names = tuple(text(name, "name of a variable", ModelError) for name in cardinalities)
        index = {name: i for i, name in enumerate(names)}
        parents = {name: sequence(of, f"parents of {shown(name)}", ModelError) for name, of in parents.items()}
        hidden = sequence(hidden, "hidden", ModelError)
        for name in [*parents, *(p for ps in parents.values() for p in ps), *hidden]:
            if not isinstance(name, str) or name not in index:
                raise ModelError(f"unknown variable {shown(name)}: the network has {', '.join(names)[:200]}")
        _check_cardinalities(cardinalities)
        families = tuple(tuple(index[p] for p in parents.get(name, ())) for name in names)
        _check_size(tuple(cardinalities.values()), families)
        if isinstance(prior, Mapping):
            for name in prior:
                if name not in index:
                    raise ModelError(f"unknown variable {name!r} in the prior: the network has {', '.join(names)}")
            given = dict(prior)
        else:
            given = dict.fromkeys(names, prior)
        rows = []
        for name, family in zip(names, families, strict=True):
            shape = (prod(cardinalities[names[p]] for p in family), cardinalities[name])
            table = _hyperparameters(given.get(name, 1.0))
            try:
                rows.append(np.broadcast_to(table, shape).ravel())
            except ValueError as error:
                raise ModelError(f"the prior of {name!r} does not broadcast to its shape {shape}") from error
        return cls(
            names=names,
            cardinalities=tuple(int(c) for c in cardinalities.values()),
            parents=families,
            hidden=tuple(sorted(index[name] for name in hidden)),
            prior=np.concatenate(rows or [np.empty(0)]),
        )

    def __post_init__(self) -> None:
        for field in ("names", "cardinalities", "parents", "hidden"):
            object.__setattr__(self, field, sequence(getattr(self, field), field, ModelError))
        families = tuple(sequence(family, "parents", ModelError) for family in self.parents)
        if not self.names or not len(self.names) == len(self.cardinalities) == len(self.parents):
            raise ModelError("a network needs a variable, and for each its name, cardinality and parents")
        if len({text(name, "name of a variable", ModelError) for name in self.names}) < len(self.names):
            raise ModelError("two variables have one name")
        _check_cardinalities(dict(zip(self.names, self.cardinalities, strict=True)))
        for i in (*self.hidden, *(p for ps in families for p in ps)):
            if not isinstance(i, int | np.integer) or isinstance(i, bool) or not 0 <= i < self.n_variables:
                raise ModelError(f"there is no variable of index {shown(i)}: the network has {self.n_variables}")
        object.__setattr__(self, "cardinalities", tuple(map(int, self.cardinalities)))
        object.__setattr__(self, "parents", tuple(tuple(map(int, family)) for family in families))
        object.__setattr__(self, "hidden", tuple(sorted(map(int, self.hidden))))
        if any(len(set(ps)) != len(ps) for ps in self.parents):
            raise ModelError("a variable names the same parent twice")
        if len(set(self.hidden)) != len(self.hidden):
            raise ModelError("a variable is named as hidden twice")
        _ = self.topological_order
        if self.n_hidden_configurations > MAX_HIDDEN_CONFIGURATIONS:
            raise ModelError(
                f"{shown(self.n_hidden_configurations)} joint hidden configurations exceed the limit of "
                f"{MAX_HIDDEN_CONFIGURATIONS}: use fewer hidden variables or values"
            )
        _check_size(self.cardinalities, self.parents)
        object.__setattr__(self, "prior", _hyperparameters(self.prior))
        if self.prior.shape != (self.n_entries,):
            raise ModelError(f"the prior has shape {self.prior.shape}; the network has {self.n_entries} entries")
        if not ((self.prior >= MIN_HYPERPARAMETER) & (self.prior <= MAX_HYPERPARAMETER)).all():
            raise ModelError(
                "every Dirichlet hyperparameter must be positive, "
                f"from {MIN_HYPERPARAMETER:g} to {MAX_HYPERPARAMETER:g}"
            )
        self.prior.flags.writeable = False

    @property
    def n_variables(self) -> int:
        return len(self.names)

    @cached_property
    def observed(self) -> tuple[int, ...]:
        """Indices of the observed variables: column c of the data holds variable ``observed[c]``."""
        return tuple(i for i in range(self.n_variables) if i not in self.hidden)

    @cached_property
    def n_configurations(self) -> tuple[int, ...]:
        """Number of joint parent configurations q_i of each variable."""
        return tuple(prod(self.cardinalities[p] for p in ps) for ps in self.parents)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each variable's entries begin in the flat vector, and, last, where they end."""
        sizes = [q * r for q, r in zip(self.n_configurations, self.cardinalities, strict=True)]
        return tuple(int(x) for x in np.concatenate([[0], np.cumsum(sizes)]))

    @property
    def n_entries(self) -> int:
        return self.offsets[-1]

    @cached_property
    def rows(self) -> np.ndarray:
        """Which row (variable, parent configuration) each entry belongs to; int32, shape (n_entries,)."""
        lengths = np.repeat(self.cardinalities, self.n_configurations)
        return np.repeat(np.arange(len(lengths)), lengths).astype(np.int32)

    @cached_property
    def row_starts(self) -> np.ndarray:
        """First entry of every row, then n_entries; int32, shape (n_rows + 1,)."""
        return np.flatnonzero(np.diff(self.rows, prepend=-1, append=-1)).astype(np.int32)

    @cached_property
    def n_rows(self) -> int:
        return sum(self.n_configurations)

    @cached_property
    def n_parameters(self) -> int:
        """Free parameters d(m), eq. (23) of [BealGhahramani2006]."""
        return self.n_entries - self.n_rows

    @cached_property
    def n_hidden_configurations(self) -> int:
        return prod(self.cardinalities[i] for i in self.hidden)

    @cached_property
    def topological_order(self) -> tuple[int, ...]:
        order: list[int] = []
        placed: set[int] = set()
        while len(order) < self.n_variables:
            ready = [i for i in range(self.n_variables) if i not in placed and placed.issuperset(self.parents[i])]
            if not ready:
                left = ", ".join(self.names[i] for i in range(self.n_variables) if i not in placed)
                raise ModelError(f"the parents form a cycle among {left}")
            order += ready
            placed.update(ready)
        return tuple(order)

    @cached_property
    def strides(self) -> np.ndarray:
        """Entry of a joint state: ``offsets[i] + strides[i] @ state``; int64, shape (n_variables, n_variables)."""
        strides = np.zeros((self.n_variables, self.n_variables), dtype=np.int64)
        for i, family in enumerate(self.parents):
            step = 1
            for member in (i, *reversed(family)):
                strides[i, member] = step
                step *= self.cardinalities[member]
        return strides

    @cached_property
    def hidden_configurations(self) -> np.ndarray:
        """Every joint hidden state, the first hidden variable slowest; shape (n_hidden_configurations, n_hidden)."""
        return joint_states(self.cardinalities[i] for i in self.hidden)

    def family(self, variable: int, flat: np.ndarray) -> np.ndarray:
        """One variable's part of a flat vector, as a view of shape (..., n_configurations, n_values)."""
        part = flat[..., self.offsets[variable] : self.offsets[variable + 1]]
        return part.reshape(*flat.shape[:-1], self.n_configurations[variable], self.cardinalities[variable])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that the evidence depends on: graph, cardinalities, hidden variables and prior."""
        graph = repr((self.cardinalities, self.parents, self.hidden)).encode()
        return sha256(graph + self.prior.astype("<f8").tobytes()).hexdigest()

    @cached_property
    def n_aliases(self) -> int:
        """Number S of relabellings that leave likelihood and prior unchanged ([BealGhahramani2006], section 3.2).

        They permute the values of hidden variables, and hidden variables of equal cardinality in equal places of the
        graph. A hidden variable from which no observed variable descends has no alias: its labels do not matter.
        """
        relevant = self.relevant_hidden
        variable_permutations = [m for m in self._variable_permutations(relevant) if self._keeps_graph(m, relevant)]
        n_value_permutations = prod(factorial(self.cardinalities[i]) for i in relevant)
        families = [self.family(i, self.prior) for i in range(self.n_variables)]
        if all(np.ptp(table) == 0 for table in families):
            flat = [
                m for m in variable_permutations if all(families[i].flat[0] == families[m[i]].flat[0] for i in relevant)
            ]
            return len(flat) * n_value_permutations
        return len(self._aliases)

    @property
    def aliases(self) -> np.ndarray:
        """Where each relabelling takes the entries from: ``flat[aliases]`` has every alias of a flat vector as a row.

        int64, shape (n_aliases, n_entries); the first row is the identity.

        Raises
        ------
        ModelError
            When there are too many to list.
        """
        return np.array(self._aliases, dtype=np.int64).reshape(-1, self.n_entries)

    @cached_property
    def _aliases(self) -> list[np.ndarray]:
        relevant = self.relevant_hidden
        variable_permutations = [m for m in self._variable_permutations(relevant) if self._keeps_graph(m, relevant)]
        n_tried = len(variable_permutations) * prod(factorial(self.cardinalities[i]) for i in relevant)
        if n_tried > MAX_RELABELLINGS:
            raise ModelError(
                f"listing aliases means trying {n_tried} relabellings, more than {MAX_RELABELLINGS}: use a smaller "
                "hidden variable, or, to count them, a symmetric prior"
            )
        value_permutations = [permutations(range(self.cardinalities[i])) for i in relevant]
        labels = [dict(zip(relevant, chosen, strict=True)) for chosen in product(*value_permutations)]
        moved = (self._moved_entries(m, values, relevant) for m in variable_permutations for values in labels)
        return [entries for entries in moved if (self.prior == self.prior[entries]).all()]

    @cached_property
    def relevant_hidden(self) -> tuple[int, ...]:
        """The hidden variables from which an observed variable descends; the others sum out to 1."""
        has = {i: i not in self.hidden for i in range(self.n_variables)}
        for i in reversed(self.topological_order):
            if has[i]:
                has.update(dict.fromkeys(self.parents[i], True))
        return tuple(i for i in self.hidden if has[i])

    @cached_property
    def relevant(self) -> "DiscreteNetwork":
        """The network without the hidden variables that sum out to 1: it has the same evidence."""
        return self.part([i for i in range(self.n_variables) if i not in self.hidden or i in self.relevant_hidden])

    def part(self, kept: Sequence[int]) -> "DiscreteNetwork":
        """The network of some variables, ascending, with all the parents of each among them."""
        position = {i: k for k, i in enumerate(kept)}
        return DiscreteNetwork(
            tuple(self.names[i] for i in kept),
            tuple(self.cardinalities[i] for i in kept),
            tuple(tuple(position[p] for p in self.parents[i]) for i in kept),
            tuple(position[i] for i in self.hidden if i in position),
            np.concatenate([self.family(i, self.prior).ravel() for i in kept]),
        )

    def _variable_permutations(self, relevant: tuple[int, ...]) -> list[dict[int, int]]:
        if factorial(len(relevant)) > MAX_RELABELLINGS:
            raise ModelError(f"counting the aliases of {len(relevant)} hidden variables is out of reach")
        found = []
        for image in permutations(relevant):
            if all(self.cardinalities[i] == self.cardinalities[j] for i, j in zip(relevant, image, strict=True)):
                found.append({i: i for i in range(self.n_variables)} | dict(zip(relevant, image, strict=True)))
        return found

    def _keeps_graph(self, mapping: dict[int, int], relevant: tuple[int, ...]) -> bool:
        concerned = [i for i in range(self.n_variables) if i not in self.hidden or i in relevant]
        return all({mapping[p] for p in self.parents[i]} == set(self.parents[mapping[i]]) for i in concerned)

    def _moved_entries(
        self, mapping: dict[int, int], values: dict[int, tuple[int, ...]], relevant: tuple[int, ...]
    ) -> np.ndarray:
        """The entry that means, after a relabelling, what each entry means now."""
        moved = np.arange(self.n_entries)
        for i in range(self.n_variables):
            if i in self.hidden and i not in relevant:
                continue
            members = (*self.parents[i], i)
            for state in product(*(range(self.cardinalities[m]) for m in members)):
                here, there = np.zeros((2, self.n_variables), dtype=np.int64)
                for member, value in zip(members, state, strict=True):
                    here[member] = value
                    there[mapping[member]] = values[member][value] if member in values else value
                j = mapping[i]
                moved[self.offsets[i] + self.strides[i] @ here] = self.offsets[j] + self.strides[j] @ there
        return moved


def joint_states(cardinalities: Iterable[int]) -> np.ndarray:
    """Every joint state of some variables, the first variable slowest; int64, shape (n_states, n_variables)."""
    ranges = [range(r) for r in cardinalities]
    return (
        np.array(list(product(*ranges)), dtype=np.int64).reshape(-1, len(ranges)) if ranges else np.zeros((1, 0), int)
    )


def _hyperparameters(given: object) -> np.ndarray:
    """A copy as floats."""
    if is_masked(given):
        raise ModelError(f"the prior: {shown(given)} has masked entries; give every one")
    try:
        array = np.asarray(given)
    except Exception as error:  # of whatever the caller's object does
        raise ModelError(f"the prior: {shown(given)} is no array of numbers") from error
    if array.dtype.kind not in "iuf":
        raise ModelError(f"the prior: {shown(given)} must be real numbers")
    return array.astype(float)


def _check_cardinalities(cardinalities: Mapping[str, int]) -> None:
    for name, cardinality in cardinalities.items():
        if not isinstance(cardinality, int | np.integer) or cardinality < 2:
            raise ModelError(
                f"variable {name!r} has cardinality {shown(cardinality)}; it must be an integer of at least 2"
            )


def _check_size(cardinalities: Sequence[int], parents: Sequence[Sequence[int]]) -> None:
    sizes = (int(r) * prod(int(cardinalities[p]) for p in ps) for r, ps in zip(cardinalities, parents, strict=True))
    if (n_entries := sum(sizes)) > MAX_ENTRIES:
        raise ModelError(
            f"{shown(n_entries)} parameters exceed the limit of {MAX_ENTRIES}: use fewer parents or values per variable"
        )
