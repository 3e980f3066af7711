"""Claims are judged and counted by the workflow, again when they change, and refused before any job if they are wrong.

Source of truth: a paper of another distribution with one claim; the rules that a dry run names.
"""

import os
import re

import pytest
from plugin.conftest import distribution
from reference.tiny_study import NETWORKS

PAPER = """from pathlib import Path

from ockham.contracts import Paper, Shown

PAPER = Paper("tiny", Path(__file__).parent, tables={"scored": Shown("judged.tables:table")})
"""
TABLES = """import pandas as pd


def table(stored, paper):
    return pd.DataFrame({"n": [5], "value": [1.5]})
"""
STORED = "tables: {scored: {rows: {n: [5]}, columns: [value]}}\n"
CLAIMS = """claims:
  a_value:
    where: Table 1
    quote: "1.5"
    judged_by: {kind: equal, ours: {table: scored, columns: [value]}, printed: 1.5}
"""
FILES = {
    "judged/__init__.py": PAPER, "judged/tables.py": TABLES, "judged/stored.yaml": STORED, "judged/claims.yaml": CLAIMS,
}  # fmt: skip
CONFIG = NETWORKS | {
    "paper": "tiny", "replicates": {"prior_draws": 1}, "sizes": [5], "scorers": {"exact": {"split": {}}},
}  # fmt: skip
COUNTS = "figures/claims.md"


@pytest.fixture(scope="module")
def folder(new_folder, tmp_path_factory):
    """A folder in which claims were judged."""
    site = distribution(tmp_path_factory.mktemp("site"), "ockham-judged", {"papers": {"tiny": "judged:PAPER"}}, FILES)
    folder = new_folder(CONFIG)
    folder.copy_package()
    folder.package["PYTHONPATH"] = os.pathsep.join([str(site), folder.package["PYTHONPATH"]])
    folder.claims = site / "judged/claims.yaml"
    folder.snakemake(COUNTS)
    return folder


def rules(folder):
    said = folder.snakemake("--dry-run", COUNTS)
    return re.findall(r"^(?:local)?rule (\w+):", said, re.MULTILINE)


def test_claims_are_judged_and_counted(folder):
    claims, counts = ((folder.path / f"figures/{name}").read_text() for name in ("tiny/claims.csv", "claims.csv"))
    assert claims.splitlines()[1] == "a_value,Table 1,1.5,equal,1.5,1.5,same,,tiny/scored,"
    assert counts.splitlines()[1] == "tiny,1,1,0,0,0,0,0"
    assert rules(folder) == []


def test_a_changed_claim_is_judged_again(folder):
    folder.claims.write_text(CLAIMS.replace("printed: 1.5", "printed: 2.5"))
    assert rules(folder) == ["judge_claims", "count_claims"]
    folder.claims.write_text(CLAIMS)


def test_a_claim_that_names_nothing_is_refused_before_any_job(folder):
    folder.claims.write_text(CLAIMS.replace("[value]", "[values]"))
    said = folder.snakemake(COUNTS, status=1)
    assert "claims.yaml: claims.a_value.judged_by.ours.columns: 'scored' has no column 'values'; it has value" in said
    assert "rule " not in said
    folder.claims.write_text(CLAIMS)
