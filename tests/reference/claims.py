"""Tables of a study that nobody made, and comparisons with them."""

from pathlib import Path

from pydantic import TypeAdapter

from ockham.contracts import Paper, Shown
from ockham.papers.claims.comparisons import Comparison, Tables
from ockham.papers.claims.stored import Stored

PAPER = Paper("a_paper", Path(), tables={name: Shown(f"m:{name}") for name in ("ranks", "text")})
STORED = Stored.model_validate({
    "studies": ["longer"],
    "tables": {
        "ranks": {"rows": {"n": [10, 20, 40]}, "columns": ["a", "a (paper)", "b", "error", "rare"]},
        "text": {"rows": {"name": ["x", "y"], "n": []}, "columns": ["c"]},
    },
})  # fmt: skip
RANKS = "n,a,a (paper),b,error\n10,3.0,3,5,0.5\n20,2.5,2,4,0.5\n40,1.0,1,0,0.5\n"


def tables(folder, ranks=RANKS, text="name,n,c\nx,1,0.4 (0.5)\nx,2,unknown\ny,1,3 ?\n", longer=None):
    """A folder with the tables, as comparisons take it."""
    for study, name, content in (("a_paper", "ranks", ranks), ("a_paper", "text", text), ("longer", "ranks", longer)):
        if content is not None:
            (folder / study).mkdir(exist_ok=True)
            (folder / study / f"{name}.csv").write_text(content, encoding="utf-8")

    def find(study, table):
        path = folder / study / f"{table}.csv"
        return path if path.exists() else None

    return Tables(find, PAPER, STORED)


def judged(folder, comparison, **more):
    """How a comparison with the tables ends."""
    return TypeAdapter(Comparison).validate_python(comparison).judge(tables(folder, **more))
