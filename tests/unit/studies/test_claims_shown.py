"""Tables of claims are made from tables alone, by the command as by the workflow, and are verified.

Source of truth: the committed tables, copied and changed.
"""

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ockham.cli import main
from ockham.studies.verifying_shown import verify_counts

FIGURES = Path(__file__).parents[3] / "figures"
NAME = "niinimaki_koivisto_2013"


@pytest.fixture
def figures(tmp_path):
    """The tables of one study and of others that some of its claims are judged by, without its claims."""
    for study in (NAME, f"{NAME}_alarm", f"{NAME}_remarks"):
        (tmp_path / "figures" / study).mkdir(parents=True)
        for path in (FIGURES / study).glob("*.csv"):
            if path.stem != "claims":
                shutil.copy(path, tmp_path / "figures" / study)
    return tmp_path / "figures"


def claims(figures):
    result = CliRunner().invoke(main, ["claims", str(figures)])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_makes_the_tables_of_the_studies_that_are_there(figures):
    said = claims(figures)
    assert said == (figures / "claims.md").read_text()
    assert said.count("\n") == 3  # a heading, a line and one paper
    for suffix in ("csv", "md"):
        made, committed = (folder / NAME / f"claims.{suffix}" for folder in (figures, FIGURES))
        assert made.read_bytes() == committed.read_bytes()


def test_counts_that_are_not_those_of_the_claims_are_found(figures, tmp_path):
    claims(figures)
    assert [*verify_counts(figures, tmp_path)] == []
    csv = figures / "claims.csv"
    csv.write_text(re.sub(rf"{NAME},(\d+)", lambda found: f"{NAME},{int(found[1]) + 1}", csv.read_text()))
    (finding,) = verify_counts(figures, tmp_path)
    assert finding.wrong
    assert finding.text == f"{csv}: DIFFERENT from what is made anew; run the workflow again"
    csv.unlink()
    assert [finding.wrong for finding in verify_counts(figures, tmp_path)] == [True]
    (figures / "claims.md").unlink()
    assert [*verify_counts(figures, tmp_path)] == []  # nobody counted


def test_a_table_that_cannot_be_read_is_refused(figures):
    (figures / NAME / "evidence.csv").write_bytes(b"\xff\xfe\x00")
    result = CliRunner().invoke(main, ["claims", str(figures)])
    assert result.exit_code == 2
    assert "evidence.csv: not a readable table" in result.output
