"""Priors of latent class models, and the models: naive-Bayes networks of items independent given a hidden class."""

from typing import NamedTuple

from ockham.errors import ConfigError
from ockham.estimation.wording import in_digits
from ockham.io.arguments import real, shown
from ockham.io.frames import CategoricalTable
from ockham.networks.data.table_rows import rows_of_table
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import MAX_HYPERPARAMETER, MIN_HYPERPARAMETER, DiscreteNetwork
from ockham.networks.structure_space import naive_bayes_network

__all__ = ["Prior", "class_model", "distinct_rows"]

CLASS = "class"
"""The hidden variable, where no item is called so."""
BDEU = "bdeu:"


class Prior(NamedTuple):
    """The Dirichlet prior of the class sizes and of every item in every class.

    Attributes
    ----------
    hyperparameter : float
        Of every entry; of a divided prior the equivalent sample size.
    is_divided : bool
        Whether it is divided by the number of entries of each variable's table, as in BDeu scores, so that a class has
        less weight the more classes there are.
    """

    hyperparameter: float
    is_divided: bool = False

    @classmethod
    def of(cls, given: object) -> "Prior":
        """From a prior, a number, or a text: a number, or ``bdeu:1`` with an equivalent sample size.

        Raises
        ------
        ConfigError
            For anything else.
        """
        if isinstance(given, Prior):
            return cls(real(given[0], "prior", MIN_HYPERPARAMETER, MAX_HYPERPARAMETER, ConfigError), given.is_divided)
        value, is_divided = given, False
        if isinstance(given, str):
            is_divided, number = given.startswith(BDEU), given.removeprefix(BDEU)
            try:
                value = float(number)
            except ValueError:
                raise ConfigError(f"prior: {shown(given)} is neither a number nor {BDEU} and a number") from None
        return cls(real(value, "prior", MIN_HYPERPARAMETER, MAX_HYPERPARAMETER, ConfigError), is_divided)

    def entry(self, n_entries: int) -> float:
        """The hyperparameter of every entry of a variable's table of so many."""
        return self.hyperparameter / n_entries if self.is_divided else self.hyperparameter

    @property
    def name(self) -> str:
        """As results have it."""
        kind = "BDeu, equivalent sample size" if self.is_divided else "Dirichlet"
        return f"{kind} {in_digits(self.hyperparameter)}"

    @classmethod
    def named(cls, name: str) -> "Prior":
        """That has this name.

        Raises
        ------
        ConfigError
            Where none has.
        """
        kind, _, number = name.rpartition(" ")
        found = cls.of(number if kind == "Dirichlet" else BDEU + number)
        if found.name != name:
            raise ConfigError(f"prior: {shown(name)} is the name of none")
        return found


def class_model(table: CategoricalTable, n_classes: int, prior: Prior) -> DiscreteNetwork:
    """The model with so many classes; with one the items are independent, and nothing is hidden."""
    hidden = CLASS
    while hidden in table.names:
        hidden += "_"
    items = dict(zip(table.names, table.cardinalities, strict=True))
    return naive_bayes_network(n_classes, items, prior.hyperparameter, divided=prior.is_divided, hidden=hidden)


def distinct_rows(table: CategoricalTable) -> UniqueRows:
    """The distinct rows, how often each occurs, and which of them each row of the table is."""
    return rows_of_table(table, table.names, table.cardinalities, "the table")
