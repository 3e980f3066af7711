"""Discrete networks with known parameters from files in the Bayesian Interchange Format (BIF), version 0.15."""

import re
from graphlib import CycleError, TopologicalSorter
from math import prod
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ockham.errors import DataError

__all__ = ["TabulatedNetwork", "read_bif"]

TOLERANCE = 1e-3
"""How far the probabilities of a row, which are rounded in files, may sum from 1."""
MAX_BYTES = 20_000_000
MAX_VALUES = 32_767
"""States of a variable."""
MAX_ENTRIES = 10_000_000
"""Probabilities of all tables together, a float64 each."""
MAX_WORD = 1000

TOKEN = re.compile(
    r"""\s*+(?:(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<mark>[{}()\[\],;|])|(?P<quoted>"[^"]*")|(?P<word>[^\s{}()\[\],;|"]+)|(?P<end>\Z)|(?P<other>.))""",
    re.S | re.X,
)
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


class TabulatedNetwork(NamedTuple):
    """A network as its tables say it.

    Attributes
    ----------
    names : tuple of str
    values : tuple of tuple of str
        Names of the states of each variable.
    parents : tuple of tuple of int
        From the last in the file to the first.
    tables : tuple of ndarray, shape (n_configurations, n_values)
        Conditional probabilities of each variable, the first parent varying slowest; every row sums to 1.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[np.ndarray, ...]


def read_bif(path: Path) -> TabulatedNetwork:
    """The network of a file. Numbers are rounded to single precision, and every row is then divided by its sum.

    Raises
    ------
    DataError
        When the file cannot be read, is larger than the limits above, or a row of probabilities does not sum to 1 or
        has a negative one.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); give the path of a BIF file") from error
    if len(content) > MAX_BYTES:
        raise DataError(f"{path}: more than {MAX_BYTES:,} bytes, which are allowed; give a smaller network")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not text in UTF-8 ({error}); save it as UTF-8") from error
    return _Reader(path, text).network()


class _Reader:
    """One pass over the words and marks of a text, each seen once."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text, self.place = path, text, 0
        self.tokens = TOKEN.finditer(text)
        self.names: dict[str, int] = {}
        self.values: list[dict[str, int]] = []
        self.parents: dict[int, list[int]] = {}
        self.tables: dict[int, np.ndarray] = {}
        self.n_entries = 0
        self.advance()

    def network(self) -> TabulatedNetwork:
        """The whole file."""
        self.expect("network")
        while self.kind != "mark":
            self.name()
        self.expect("{")
        self.properties()
        self.expect("}")
        while self.kind != "end":
            block = self.name()
            if block not in ("variable", "probability"):
                raise self.wrong(f"{_shown(block)} is neither 'variable' nor 'probability'")
            (self.variable if block == "variable" else self.probabilities)()
        names = tuple(self.names)
        if not names:
            raise self.wrong("no variable")
        for i, name in enumerate(names):
            if i not in self.tables:
                raise self.wrong(f"variable {_shown(name)} has no probabilities")
        try:
            TopologicalSorter(self.parents).prepare()
        except CycleError as error:
            raise self.wrong(f"{_shown(names[error.args[1][0]])} is among its own ancestors") from error
        indices = range(len(names))
        values = tuple(tuple(states) for states in self.values)
        parents = tuple(tuple(reversed(self.parents[i])) for i in indices)
        return TabulatedNetwork(names, values, parents, tuple(self.rows(names[i], self.tables[i]) for i in indices))

    def variable(self) -> None:
        """A block such as ``grass { type discrete [ 2 ] { wet, dry }; }``."""
        name = self.name()
        if name in self.names:
            raise self.wrong(f"variable {_shown(name)} is given twice")
        self.expect("{")
        self.properties()
        for word in ("type", "discrete", "["):
            self.expect(word)
        count = self.name()
        if not re.fullmatch("[0-9]{1,9}", count) or not 2 <= int(count) <= MAX_VALUES:
            raise self.wrong(f"{_shown(count)} states of {_shown(name)}; a variable has 2 to {MAX_VALUES}")
        for word in "]{":
            self.expect(word)
        states = self.list_of_names("}")
        for word in "};":
            self.expect(word)
        self.properties()
        self.expect("}")
        if len(states) != int(count):
            raise self.wrong(f"{len(states)} states of {_shown(name)}, not {count}")
        self.names[name] = len(self.names)
        self.values.append({state: k for k, state in enumerate(states)})
        if len(self.values[-1]) < len(states):
            raise self.wrong(f"a state of {_shown(name)} is given twice")

    def probabilities(self) -> None:
        """A block such as ``( grass | rain ) { (yes) 0.9, 0.1; (no) 0.0, 1.0; }``."""
        self.expect("(")
        child = self.index(self.name())
        if child in self.tables:
            raise self.wrong("the probabilities of this variable are given twice")
        parents = []
        if self.token == "|":
            self.advance()
            parents = [self.index(name) for name in self.list_of_names(")")]
        self.expect(")")
        if len(set(parents)) < len(parents):
            raise self.wrong("a parent is given twice")
        extents, n_values = [len(self.values[p]) for p in parents], len(self.values[child])
        n_rows = prod(extents)
        self.n_entries += n_rows * n_values
        if self.n_entries > MAX_ENTRIES:
            raise self.wrong(f"tables of more than {MAX_ENTRIES:,} probabilities; give a smaller network")
        table, given, default = np.full((n_rows, n_values), np.nan), np.zeros(n_rows, dtype=bool), None
        self.expect("{")
        self.properties()
        while self.kind == "word" or self.token == "(":
            if self.token == "(":
                row = self.row(parents)
                if given[row]:
                    raise self.wrong("a row is given twice")
                table[row], given[row] = self.numbers(n_values), True
            elif (what := self.name()) == "default" and default is None:
                default = self.numbers(n_values)
            elif what == "table" and not given.any():
                # the child varies slowest there, the last parent fastest
                table = np.array(self.numbers(table.size)).reshape(n_values, *extents).T.reshape(n_rows, n_values)
                given[:] = True
            else:
                raise self.wrong(f"{_shown(what)} in place of one 'table', one 'default' or rows")
            self.properties()
        self.expect("}")
        if default is not None:
            table[~given] = default
        elif not given.all():
            raise self.wrong(f"{n_rows - given.sum()} of {n_rows} rows are missing")
        self.parents[child], self.tables[child] = parents, table

    def row(self, parents: list[int]) -> int:
        """Which row ``(yes, on)`` is; of the parents, the last varies slowest."""
        self.expect("(")
        states = self.list_of_names(")")
        self.expect(")")
        if len(states) != len(parents):
            raise self.wrong(f"a row of {len(states)} states, not of {len(parents)}")
        found = 0
        for parent, state in reversed(list(zip(parents, states, strict=True))):
            if state not in self.values[parent]:
                raise self.wrong(f"unknown state {_shown(state)}")
            found = found * len(self.values[parent]) + self.values[parent][state]
        return found

    def numbers(self, count: int) -> list[float]:
        """So many numbers up to a semicolon, with or without commas between."""
        found: list[float] = []
        while self.token != ";":
            word = self.name()
            if not NUMBER.fullmatch(word):
                raise self.wrong(f"{_shown(word)} is no number")
            found.append(float(word))
            if self.token == ",":
                self.advance()
            if len(found) > count:
                break
        if len(found) != count:
            raise self.wrong(f"{'more' if len(found) > count else len(found)} probabilities, not {count}")
        self.expect(";")
        return found

    def rows(self, name: str, table: np.ndarray) -> np.ndarray:
        """The rows of a table, divided by their sums."""
        with np.errstate(over="ignore"):  # of what is no probability
            table = np.ascontiguousarray(table, dtype=np.float32).astype(float)
        totals = np.add.reduceat(table.ravel(), np.arange(0, table.size, table.shape[1]))
        wrong = ~(np.abs(totals - 1) <= TOLERANCE) | (table.min(axis=1) < 0)
        if wrong.any():
            total = totals[np.argmax(wrong)]
            raise DataError(
                f"{self.path}: probabilities of {_shown(name)} sum to {total:.6g} in a row, not 1, or are negative; "
                "correct them"
            )
        divided: np.ndarray = table / totals[:, None]
        return divided

    def properties(self) -> None:
        """What programs add, which says nothing of the network, up to a semicolon each."""
        while self.token == "property":
            while self.token != ";" and self.kind != "end":
                self.advance()
            self.expect(";")

    def list_of_names(self, end: str) -> list[str]:
        """Names with commas between them, up to a mark."""
        found = [self.name()]
        while self.token != end:
            self.expect(",")
            found.append(self.name())
            if len(found) > MAX_VALUES:
                raise self.wrong(f"a list of more than {MAX_VALUES} names")
        return found

    def index(self, name: str) -> int:
        """The variable of a name."""
        if name not in self.names:
            raise self.wrong(f"unknown variable {_shown(name)}")
        return self.names[name]

    def name(self) -> str:
        """A word, or what stands between quotation marks."""
        word = self.token.strip('"')
        if self.kind != "word" or not word:
            raise self.wrong(f"{_shown(word)} in place of a word" if self.kind != "end" else "it ends here")
        if len(word) > MAX_WORD or not word.isprintable():
            raise self.wrong(f"{_shown(word)} cannot be printed or has more than {MAX_WORD} characters")
        self.advance()
        return word

    def expect(self, word: str) -> None:
        """The next one is this."""
        if self.token != word:
            raise self.wrong(f"{_shown(self.token)} in place of {word!r}" if self.kind != "end" else "it ends here")
        self.advance()

    def advance(self) -> None:
        """To the next word or mark."""
        for match in self.tokens:
            kind = match.lastgroup or ""
            self.place = match.start(kind)
            self.kind, self.token = "word" if kind == "quoted" else kind, match[kind]
            if kind == "other":
                raise self.wrong("a quotation without an end")
            if kind != "comment":
                return

    def wrong(self, problem: str) -> DataError:
        """A refusal that names the file and the line."""
        line = self.text.count("\n", 0, self.place) + 1
        return DataError(f"{self.path}: not a network in BIF (line {line}: {problem}); correct the file")


def _shown(word: str) -> str:
    return repr(word if len(word) <= 60 else f"{word[:60]}...")
