"""Every paper has claims, on what tables have; committed tables of claims are what the code makes of the others.

Source of truth: the committed tables, the registry of papers, and the studies' configurations.
"""

from itertools import chain
from pathlib import Path

import pandas as pd
import pytest

from ockham import families
from ockham.papers.claims.cells import is_label, read_rows
from ockham.papers.claims.files import check_claims, named_tables, quantities, read_claims
from ockham.papers.claims.stored import read_stored
from ockham.papers.claims.verdicts import VERDICTS
from ockham.studies.loading import load
from ockham.studies.products import write_claims, write_counts
from ockham.studies.shown import shown_by, shows_claims
from ockham.studies.study_files import conditions_of

ROOT = Path(__file__).parents[4]
FIGURES = ROOT / "figures"
PAPERS = {name: families.paper(name) for name in families.paper_names()}
OWN = [name for name in PAPERS if shows_claims(PAPERS[name], name)]
STORED = [(name, table) for name in OWN for table in read_stored(PAPERS[name]).tables]
COMMITTED = [(name, table) for name, table in STORED if (FIGURES / name / f"{table}.csv").is_file()]


def test_every_paper_has_claims():
    assert len(OWN) == 4
    for name in OWN:
        check_claims(PAPERS[name])
        assert len(read_claims(PAPERS[name])) >= 20


def test_the_study_of_the_papers_name_shows_them():
    paper = PAPERS["beal_ghahramani_2006"]
    assert shows_claims(paper, "beal_ghahramani_2006")
    assert not shows_claims(paper, "beal_ghahramani_2006_restarts")
    assert not shows_claims(None, "beal_ghahramani_2006")


@pytest.mark.parametrize("name", OWN)
def test_the_papers_own_study_shows_every_table_that_claims_rest_on(name):
    studies = [load(source) for source in conditions_of(ROOT / f"config/{name}.yaml")]
    shown = shown_by(PAPERS[name], studies)[1]
    assert {table for study, table in named_tables(PAPERS[name]) if study == name} <= set(shown)


@pytest.mark.parametrize("name", OWN)
def test_conditions_and_sizes_are_those_of_the_studies(name):
    """So that no claim, and no row of printed numbers, names a condition that no study has."""
    paper, stored = PAPERS[name], read_stored(PAPERS[name])
    files = [ROOT / f"config/{study}.yaml" for study in (name, *stored.studies)]
    own, *others = [[load(source) for source in conditions_of(file)] for file in files]
    for table, about in stored.tables.items():
        showing = [one for studies in (own, *others) if table in shown_by(paper, studies)[1] for one in studies]
        assert set(about.rows.get("condition", [])) <= {one.condition for one in showing}
        assert set(about.rows.get("n", [])) <= {n for one in showing for n in one.sizes}
    labels = [columns.get("condition", []) for columns in stored.numbers.values()]
    assert set(chain.from_iterable(labels)) <= {one.condition for one in own}


@pytest.mark.parametrize("name", OWN)
def test_the_other_studies_that_claims_name_have_configurations(name):
    for study in read_stored(PAPERS[name]).studies:
        assert {load(source).paper for source in conditions_of(ROOT / f"config/{study}.yaml")} == {name}


@pytest.mark.parametrize(("name", "table"), COMMITTED)
def test_a_committed_table_has_only_what_is_declared(name, table):
    """In its columns, and in those that tell rows apart."""
    about = read_stored(PAPERS[name]).tables[table]
    rows = read_rows(FIGURES / name / f"{table}.csv")
    assert set(about.rows) <= set(rows[0])
    others = set(rows[0]) - {*about.rows, *about.columns}
    assert others <= {"unit"}
    for column, labels in about.rows.items():
        assert all(any(is_label(row[column], label) for label in labels) for row in rows if labels)


def test_most_declared_tables_are_committed():
    """So that the test above is not of nothing."""
    assert len(COMMITTED) >= 12


@pytest.mark.parametrize("name", OWN)
def test_a_claim_on_a_committed_table_finds_its_rows_and_columns(name):
    """What is not stored is of a table that is not committed yet, or of a column or a label that it lacks."""
    table, claims = pd.read_csv(FIGURES / name / "claims.csv", keep_default_na=False), read_claims(PAPERS[name])
    missing = {row.claim for row in table.itertuples() if "not stored" in (row.ours, row.printed)}
    for claim in missing:
        named = [quantity for _, quantity in quantities(claims[claim])]
        assert any(lacks(name, quantity) for quantity in named), claim


def lacks(name, quantity):
    path = FIGURES / (quantity.study or name) / f"{quantity.table}.csv"
    if not path.is_file():
        return True
    rows, about = read_rows(path), read_stored(PAPERS[name]).tables[quantity.table]
    closed = [(column, labels) for column, labels in quantity.rows.items() if about.rows[column]]
    named = [(c, label) for c, labels in closed for label in (labels if isinstance(labels, list) else [labels])]
    there = all(any(is_label(row[c], label) for row in rows) for c, label in named if isinstance(label, int | str))
    return not there or not {*quantity.columns} <= set(rows[0])


@pytest.mark.parametrize("name", OWN)
def test_the_committed_claims_are_what_the_code_makes_of_the_committed_tables(name, tmp_path):
    write_claims(tmp_path / "claims.csv", tmp_path / "claims.md", PAPERS[name], sorted(FIGURES.glob("*/*.csv")))
    for file in ("claims.csv", "claims.md"):
        assert (FIGURES / name / file).read_bytes() == (tmp_path / file).read_bytes()


def test_the_committed_counts_are_those_of_the_committed_claims(tmp_path):
    write_counts(tmp_path / "claims.csv", tmp_path / "claims.md", [FIGURES / name / "claims.csv" for name in OWN])
    for file in ("claims.csv", "claims.md"):
        assert (FIGURES / file).read_bytes() == (tmp_path / file).read_bytes()
    counts = pd.read_csv(FIGURES / "claims.csv")
    assert (counts[[*VERDICTS]].sum(axis=1) == counts["claims"]).all()


def test_a_changed_table_changes_the_verdict(tmp_path):
    """The negative control of the tests above: one rank, and its claim is another."""
    name = "beal_ghahramani_2006"
    (tmp_path / name).mkdir()
    path = tmp_path / name / "table_2.csv"
    rows = (FIGURES / name / "table_2.csv").read_text().splitlines()
    at_960 = next(i for i, row in enumerate(rows) if row.startswith("960,"))
    cells = rows[at_960].split(",")
    cells[rows[0].split(",").index("AIS")] = "7"
    rows[at_960] = ",".join(cells)
    path.write_text("\n".join(rows) + "\n")
    write_claims(tmp_path / "claims.csv", tmp_path / "claims.md", PAPERS[name], [path])
    verdicts = pd.read_csv(tmp_path / "claims.csv").set_index("claim")["verdict"]
    committed = pd.read_csv(FIGURES / name / "claims.csv").set_index("claim")["verdict"]
    assert (committed["ais_finds_at_960"], verdicts["ais_finds_at_960"]) == ("same", "differs, open")
