"""The claims of a paper, ``claims*.yaml`` in its folder: read strictly, refused where they name what is not stored."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, Field, model_validator

from ockham.contracts import Paper, Settings
from ockham.errors import ConfigError
from ockham.papers.claims.comparisons import Comparison, NotStored
from ockham.papers.claims.quantities import Quantity
from ockham.papers.claims.stored import read_stored, read_valid
from ockham.papers.published import printed_texts

__all__ = ["Claim", "check_claims", "claim_files", "named_tables", "quantities", "read_claims"]


class Cause(Settings):
    """Why ours differs, with the comparison that must hold for it to be one."""

    says: str = Field(max_length=300, description="the cause, in a sentence")
    tested_by: Comparison


class Claim(Settings):
    """A claim of a paper."""

    where: str = Field(max_length=120, description="section, table or figure")
    quote: str = Field(max_length=120, description="at most a line of the paper, or its figures")
    judged_by: Comparison | NotStored = Field(discriminator="kind")
    pattern: Comparison | None = Field(default=None, description="what must hold for `pattern only`")
    trusted_if: Comparison | None = Field(
        default=None, description="what must hold for ours to be known; the verdict is `unknown` otherwise"
    )
    cause: Cause | None = None
    figure: str | None = Field(default=None, description="figure or table of the study that shows it")

    @model_validator(mode="after")
    def _judged_by_something(self) -> "Claim":
        if isinstance(self.judged_by, NotStored) and (self.pattern or self.trusted_if or self.cause):
            raise ValueError("judged_by: nothing is stored, so leave out pattern, trusted_if and cause")
        return self


class _File(Settings):
    claims: dict[str, Claim] = Field(min_length=1, description="name to claim")


def claim_files(paper: Paper) -> list[Path]:
    """The files of a paper's claims, in the order of their names."""
    return sorted(paper.folder.glob("claims*.yaml"))


def read_claims(paper: Paper) -> dict[str, Claim]:
    """The claims of a paper by name; none where it has no such file.

    Raises
    ------
    ConfigError
        With the file and the field: unknown keys and kinds, and tables, columns, rows, studies or figures that are not
        stored.
    """
    stored, shown = read_stored(paper), [*paper.figures, *paper.tables]
    found: dict[str, Claim] = {}
    for path in claim_files(paper):
        claims = read_valid(path, _File).claims
        for name, claim in claims.items():
            if name in found:
                raise ConfigError(f"{path}: claims.{name}: another file has a claim of this name; rename one")
            if claim.figure is not None and claim.figure not in shown:
                raise ConfigError(f"{path}: claims.{name}.figure: {claim.figure!r} is none of {', '.join(shown)}")
            for field, quantity in quantities(claim):
                if problem := quantity.problem(stored):
                    raise ConfigError(f"{path}: claims.{name}.{field}.{problem}")
        found |= claims
    return found


def check_claims(paper: Paper) -> None:
    """Refuse claims that name what is not stored, and printed numbers under names that nothing has.

    Raises
    ------
    ConfigError
        With the file and the field.
    """
    stored = read_stored(paper)
    for name, columns in stored.numbers.items():
        path, texts = paper.folder / name, printed_texts(paper, name)
        for column, labels in columns.items():
            if column not in texts:
                raise ConfigError(f"{paper.folder / 'stored.yaml'}: numbers.{name}.{column}: {path} has no such column")
            found = texts[column]
            for value in found:
                if value not in labels:
                    raise ConfigError(f"{path}: column {column!r} has {value!r}, which is none of {', '.join(labels)}")
            if missing := [label for label in labels if label not in found]:
                raise ConfigError(f"{path}: column {column!r} has no {missing[0]!r}; add its row")
    read_claims(paper)


def named_tables(paper: Paper) -> list[tuple[str, str]]:
    """The tables that a paper's claims rest on, as names of a study and of a table."""
    named = [quantity for claim in read_claims(paper).values() for _, quantity in quantities(claim)]
    return sorted({(quantity.study or paper.name, quantity.table) for quantity in named})


def quantities(model: BaseModel, place: str = "") -> Iterator[tuple[str, Quantity]]:
    """Every quantity that a claim, or a comparison of it, names, with its field after `place`."""
    for name, value in model:
        field = f"{place}{name}"
        if isinstance(value, Quantity):
            yield field, value
        elif isinstance(value, BaseModel):
            yield from quantities(value, f"{field}.")
        elif isinstance(value, list):
            for i, part in enumerate(value):
                if isinstance(part, BaseModel):
                    yield from quantities(part, f"{field}.{i}.")
