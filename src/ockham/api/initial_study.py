"""The study file that a user begins with, from a table of their own."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

from ockham.io.frames import MISSING_TEXTS, CategoricalTable
from ockham.mixtures.data.tables import MixedTable
from ockham.mixtures.items import Binomial
from ockham.mixtures.items.item import Item

__all__ = ["initial_study", "study_name"]


def study_name(stem: str) -> str:
    """The name of a file without suffix as that of a study: letters, digits and _."""
    return re.sub("[^A-Za-z0-9_]+", "_", stem)[:100].strip("_") or "table"


def initial_study(
    data: Path,
    table: CategoricalTable | MixedTable,
    output: Path,
    *,
    missing: Sequence[str],
    drop: Sequence[str],
    weights: str | None,
    header: bool,
) -> str:
    """YAML of a study of one to six latent classes, for the file ``output``; what is by default stands in comments."""
    given = {
        "missing": (list(missing or MISSING_TEXTS), "what says that a cell is missing"),
        "drop": (list(drop), "columns to leave out"),
        "weights": (weights, "the column that says how often each row occurs"),
        "header": (header, "whether the first row names the columns"),
    }
    chosen = {"missing": bool(missing), "drop": bool(drop), "weights": weights is not None, "header": not header}
    options = [
        f"  {'' if chosen[key] else '# '}{key}: {_yaml(value)}  # {about}" for key, (value, about) in given.items()
    ]
    read_as = [
        f"#   {note.column or 'the table'}: {'NOTE: ' if note.is_warning else ''}{note.text}" for note in table.notes
    ]
    is_mixed = isinstance(table, MixedTable)
    n = table.rows.n if isinstance(table, MixedTable) else table.n
    lines = [
        f"# A study of {data.name}, as `ockham init` wrote it. It runs as it is; config/README.md has every key.",
        f"study: {output.stem}  # as the file",
        *(["model: finite_mixture  # latent classes of mixed items"] if is_mixed else []),
        "root_seed: 1  # of every random number: another seed draws other subsamples and starts",
        "",
        "data:",
        "  source: table",
        f"  file: {_yaml(os.path.relpath(data, output.parent))}  # from the folder of this file",
        *options,
        *(_types(table) if isinstance(table, MixedTable) else []),
        "# What each column was read as:",
        *read_as,
        "",
        *(OF_MIXTURES if is_mixed else OF_NETWORKS),
        "",
        "replicates: {prior_draws: 1}  # one table",
        f"sizes: [{n}]  # numbers of rows, increasing; {n} are all, fewer are the first of a random order",
        "",
        "scorers:",
        "  em: {runs: 5}  # BIC, Cheeseman-Stutz and more, from five restarts",
        "  vb: {runs: 5}  # variational Bayes, a lower bound",
        "  bridge: {}  # bridge sampling, with a standard error",
    ]
    return "\n".join(lines) + "\n"


OF_NETWORKS = (
    "structures:",
    "  space: naive_bayes  # the columns are independent within each latent class",
    "  classes: [1, 2, 3, 4, 5, 6]",
    "  prior: 1.0  # Dirichlet hyperparameter of every entry",
)
OF_MIXTURES = (
    "classes: [1, 2, 3, 4, 5, 6]  # the columns are independent within each latent class",
    "concentration: 1.0  # Dirichlet hyperparameter of every class",
)


def _types(table: MixedTable) -> list[str]:
    """What every column is, and the prior of the items."""
    return [
        "  types:  # categorical, ordered, gaussian, count or binomial",
        *(f"    {_yaml(name)}: {_type(item)}" for name, item in table.items.items()),
        '  # prior: "concentration=1,within=0.5,rates=1,shape=2"  # what the evidence rests on, in units of columns:',
        "  #   cases imagined of every category; standard deviation expected in a class, as a share of the column's;",
        "  #   shape of the gamma distribution of the rates of counts, and of that of the variances of numbers",
    ]


def _type(item: Item) -> str:
    """What reads a column as such an item again."""
    return _yaml(f"binomial:{item.total}") if isinstance(item, Binomial) else item.kind


def _yaml(value: object) -> str:
    """A value on one line, as YAML 1.1 and 1.2 alike read it."""
    return json.dumps(value, ensure_ascii=False)
