"""What a paper that is reproduced is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

__all__ = ["Columns", "Needs", "Paper", "Shown"]


@dataclass(frozen=True)
class Needs:
    """What a study must have for a figure or table.

    Attributes
    ----------
    scorers, roles : tuple of str
        Entries without a role, by their scorer, and entries with one: in each of ``conditions``, or, if it names none,
        in any.
    conditions : tuple of str
    measurements : tuple of str
        In one of ``conditions``, or, if it names none, in any.
    prior_draws : bool
        Whether it shows data sets from draws of the prior, so that there must be some.
    whole : bool
        Whether it shows a study without conditions only.
    """

    scorers: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    measurements: tuple[str, ...] = ()
    prior_draws: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Shown:
    """A figure or a table of a paper, by ``<module>:<function>``, which takes the summaries, a table's also the paper.

    With ``costs`` it is a table of what the jobs cost, whose function takes a frame of jobs and the paper.
    """

    function: str
    needs: Needs = Needs()
    costs: bool = False


class Columns(NamedTuple):
    """What a file of a paper's numbers has: columns that tell its rows apart, columns of text, and other numbers."""

    key: str
    texts: str = ""
    numbers: str = ""


@dataclass(frozen=True)
class Paper:
    """A paper that is reproduced: all names, and where what they name is.

    Attributes
    ----------
    name : str
    folder : Path
        Where the files of its numbers are, and the captions of its figures and tables, ``captions/<name>.rst``.
    figures, tables : mapping of str to Shown
    roles : mapping of str to str
        What an entry of a study's scorers can be in this paper besides its own scorer: name to a description.
    numbers : mapping of str to Columns
        CSV files of the numbers that it prints; numbers may be blank.
    parameters : str
        ``<module>:<mapping>`` of the true parameters that it prints, by variable; empty if it prints none.
    """

    name: str
    folder: Path
    figures: Mapping[str, Shown] = field(default_factory=dict)
    tables: Mapping[str, Shown] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, Columns] = field(default_factory=dict)
    parameters: str = ""
