"""What a family of models is made of: its settings, models and data, its scorers, and what it says of a study."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, cast, runtime_checkable

import numpy as np
from pydantic import BaseModel, ConfigDict

from ockham.contracts.evidence import Estimator, Evidence
from ockham.streams import Stream, cell_stream

__all__ = [
    "LABEL", "NAME", "RESERVED", "CheckedScorer", "Data", "Draw", "Family", "FamilySettings", "Model", "Plan",
    "Resources", "Sampler", "Scored", "Scorer", "Settings", "Variable", "check_label",
]  # fmt: skip

NAME = "[a-z][a-z0-9_]{0,99}"
"""What a condition, an entry of the scorers, a measurement or a figure is called: also a file or a folder."""
LABEL = "[A-Za-z0-9][A-Za-z0-9_-]{0,99}"
"""What a structure is called: also a part of a file's name."""
RESERVED = ("replicate", "n", "structure", "run", "key")
"""What a store of scores has under these names."""


def check_label(label: str) -> str:
    """The label of a structure; a ValueError for what cannot be one."""
    if not re.fullmatch(LABEL, label):
        shown = repr(label if len(label) <= 100 else f"{label[:100]}...")
        raise ValueError(
            f"{shown} cannot be a label; labels consist of at most 100 letters, digits, _ and -, and begin with a "
            "letter or a digit"
        )
    return label


class Settings(BaseModel):
    """Base of all settings: frozen, bounded, and closed to keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Variable(NamedTuple):
    """Values with the names of their dimensions, a label and a unit, for a store."""

    dimensions: tuple[str, ...]
    values: Any
    long_name: str
    units: str = "1"


@dataclass(frozen=True)
class Draw:
    """One replicate's data.

    Attributes
    ----------
    replicate : int
    parameters : ndarray of float64, shape (n_entries,)
        Of the true model; NaN where they are not known.
    states : ndarray, shape (n, n_variables)
        Of the family's ``state_type``; a data set of size n is the first n rows.
    names : tuple of str
        Of the variables, where they have names.
    cardinalities : tuple of int
        How many values each variable can take, where the settings do not say.
    """

    replicate: int
    parameters: np.ndarray
    states: np.ndarray
    names: tuple[str, ...] = ()
    cardinalities: tuple[int, ...] = ()


class Model(Protocol):
    """One structure, whose evidence is wanted."""

    @property
    def family_name(self) -> str:
        """The family that it is of."""

    @property
    def digest(self) -> str:
        """Text that says all that the evidence depends on, or its SHA-256: no two models of a family share it."""


class Data(Protocol):
    """A data set as the scorers of a family take it."""

    @property
    def digest(self) -> str:
        """SHA-256 of all that a score depends on."""


OfModel = TypeVar("OfModel", contravariant=True)
OfData = TypeVar("OfData", contravariant=True)
OfSettings = TypeVar("OfSettings", bound=Settings)


@runtime_checkable
class Scorer(Protocol[OfModel, OfData, OfSettings]):
    """One estimator, or several from one run: a module with these names.

    It may also have ``ARRAYS``, a mapping of names to ``Array``; ``check``, as a ``CheckedScorer`` has; and
    ``doubted``, which takes a model and returns the ``Doubt`` that every estimate of it will have, whatever the run
    finds. ``score`` may take ``start``, the true parameters.
    """

    __name__: str

    @property
    def ESTIMATES(self) -> Mapping[str, Estimator]:
        """What it estimates, by name."""

    @property
    def Settings(self) -> type[OfSettings]:
        """Its own settings."""

    def score(self, model: OfModel, data: OfData, settings: OfSettings, stream: Stream, /) -> dict[str, Evidence]:
        """One run, a value for every name in ``ESTIMATES``."""


@runtime_checkable
class CheckedScorer(Scorer[OfModel, OfData, OfSettings], Protocol):
    """A scorer that says beforehand what it would refuse."""

    def check(self, model: OfModel, n: int, settings: OfSettings, /) -> None:
        """Raise a ModelError for a model and a number of rows that would be refused, and so would more rows be."""


class Resources(NamedTuple):
    """What a job asks a cluster for."""

    megabytes: int = 1000
    minutes: int = 5


class FamilySettings(Settings):
    """The keys of a study's file that are one family's: its data and its structures."""

    @property
    def models(self) -> Mapping[str, Model]:
        """The structures to score, by label."""
        raise NotImplementedError

    @property
    def true_label(self) -> str | None:
        """Label of the structure that the data are drawn from, if they are."""
        return None

    @property
    def cardinalities(self) -> tuple[int, ...] | None:
        """How many values each variable of a draw can take; None where that is not known before it is drawn."""
        return None

    @property
    def n_variables(self) -> int:
        """Columns of a draw."""
        raise NotImplementedError

    @property
    def n_entries(self) -> int:
        """Parameters of the true model that a draw stores."""
        return 0

    @property
    def extent(self) -> str:
        """What they amount to, for a user's eyes."""
        return f"{len(self.models)} structures"

    def check_grid(self, sizes: Sequence[int], published: bool, prior_draws: int) -> None:
        """Raise a ValueError for a grid that does not go with them."""

    def check_published(self, parameters: Mapping[str, np.ndarray]) -> None:
        """Raise a ValueError for parameters that a paper prints and that do not go with them."""


class Scored(Protocol):
    """What a family that says what jobs need sees of a study."""

    @property
    def n_variables(self) -> int:
        """Columns of a draw."""

    @property
    def scorer_settings(self) -> Mapping[str, Settings]:
        """The settings of every entry of the scorers."""

    def scorer_module(self, entry: str) -> "Scorer[Any, Any, Any]":
        """The scorer of an entry."""


Keys = TypeVar("Keys", bound=FamilySettings)
Structure = TypeVar("Structure", bound=Model)
Table = TypeVar("Table", bound=Data)


class Sampler(NamedTuple):
    """A scorer whose estimate has an error, and the settings of its first run that are not its defaults.

    Every further run has twice of the setting ``doubled``; without one, runs are pooled. A scorer is ``two_sided`` if
    its error has what passes in both directions differ by: of others a few passes may miss the same.
    """

    scorer: str
    settings: Mapping[str, Any] = MappingProxyType({})
    doubled: str = ""
    two_sided: bool = False


class Plan(NamedTuple):
    """The scorers that ``ockham.evidence`` runs: an exact one, which refuses with a ModelError what costs too much,
    those whose first estimate is a proven lower bound, and samplers that fail in different ways, the best first.
    """

    exact: str = ""
    bounds: tuple[str, ...] = ()
    samplers: tuple[Sampler, ...] = ()


class Family(ABC, Generic[Keys, Structure, Table]):
    """All that the workflow and ``ockham.score`` know of a family of models; one instance is its entry point.

    Its parameters, for a type checker, are its settings, its models and its data.

    Attributes
    ----------
    name : str
        As study files say in ``model``; models have it in ``family_name``.
    settings : type of FamilySettings
    default_scorer : str
        What ``ockham.score`` takes by default.
    summaries : str
        ``<module>:<function>``, which takes the stores of scores by condition and what was measured by name, both of
        xarray, and returns a tree; loaded when it is needed.
    record : str
        ``<module>:<name>`` of the ``Paper`` whose figures and tables a study shows that names no paper; empty for none.
    plan : Plan
        What ``ockham.evidence`` runs; without samplers it refuses the family.
    measurements : mapping of str to str
        Name to a module with ``Settings`` and ``measure(study, draw, settings)``, which returns a dataset of xarray:
        what a figure shows that is no score. It may have ``check(study, settings)``, which raises a ValueError for a
        study that cannot be measured. Every job of a study that names it imports the module, so it leaves the
        import of xarray to the function.
    state_type : str
        Type of NumPy of the states of a draw; of floating point, and then NaN where a cell is missing, for a family
        whose variables are not all discrete, which has no cardinalities.
    beside_scores : tuple of str
        Names of all that ``of_scores`` may return, which no entry of the scorers can have.
    """

    name: ClassVar[str]
    settings: type[Keys]
    default_scorer: ClassVar[str]
    summaries: ClassVar[str]
    record: ClassVar[str] = ""
    plan: ClassVar[Plan] = Plan()
    measurements: ClassVar[Mapping[str, str]] = {}
    state_type: ClassVar[str] = "i2"
    beside_scores: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def draw(
        self,
        study: Keys,
        sizes: Sequence[int],
        replicate: int,
        stream: Stream,
        published: Mapping[str, np.ndarray] | None,
    ) -> Draw:
        """The data of one replicate, as long as the largest size.

        ``study`` has the family's settings; the stream is named after the study's data, without the replicate, and
        ``published`` has the parameters that the study's paper prints, if it does.
        """

    def drawn_from(self, study: Keys, sizes: Sequence[int]) -> Any:
        """All that a draw depends on in the family's settings and the sizes, as JSON holds it."""
        return study.model_dump(mode="json", include=set(self.settings.model_fields)), list(sizes)

    @abstractmethod
    def prepare(self, study: Keys, draw: Draw, n: int) -> Table:
        """The data set of size n of a replicate, as scorers take it."""

    def model_of(self, study: Keys, draw: Draw, label: str) -> Structure:
        """The structure of a label, as it is scored on a replicate: the same on all, but where each has its own."""
        return cast(Structure, study.models[label])

    @abstractmethod
    def read(self, model: Structure, data: Any) -> Table:
        """A caller's data for a model, as scorers take them; a DataError where they do not fit."""

    def record_for(self, study: Keys) -> str:
        """The ``record`` of a study, or nothing where its figures and tables do not fit."""
        return self.record

    def rests_on(self, model: Structure) -> str:
        """What the evidence rests on beside the data, in a few words, where users should know; empty for nothing."""
        return ""

    def cell_stream(
        self, root: int, study: str, entry: str, replicate: int, n: int, structure: str, run: int
    ) -> Stream:
        """The stream of one cell: scorers share it, and take from it by the name of what they draw."""
        return cell_stream(root, study, replicate, n, structure, run)

    def start(self, study: Keys, parameters: np.ndarray) -> np.ndarray:
        """The true parameters, as scorers may start from them."""
        return parameters

    def of_draw(self, study: Keys) -> Mapping[str, Variable]:
        """What the file of a draw has beside states and parameters."""
        return {}

    def of_scores(self, study: Keys, sizes: Sequence[int], draws: Iterable[Draw]) -> Mapping[str, Variable]:
        """What the store of all scores has beside them: the coordinates of structures, over ``structure``, and more.

        A variable of the name of its one dimension is a coordinate. ``draws`` are read as they are taken.
        """
        return {}

    def resources(self, study: Scored, entry: str) -> Resources:
        """What a job of an entry of the scorers asks for."""
        return Resources()
