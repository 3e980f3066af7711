"""Tables, remarks and the paragraph on methods say what was found, and nothing that is not known looks sure.

Sources of truth: the selection itself, and docs/references.bib.
"""

import re
from dataclasses import replace
from math import nan
from pathlib import Path

import numpy as np
import pytest
from reference.evidences import certified

from ockham.contracts import NO_DOUBT, Doubt, Evidence
from ockham.estimation.model_posterior import model_posterior
from ockham.estimation.sources import Run
from ockham.io.frames import Note
from ockham.networks.classes.methods import methods
from ockham.networks.classes.results import result_rows
from ockham.streams import Stream
from ockham.table_results.cells import Cell
from ockham.table_results.methods import REFERENCES, references
from ockham.table_results.pages.rendering import read_columns
from ockham.table_results.selection_showing import headline, panel_rows

BIBLIOGRAPHY = Path(__file__).parents[4] / "docs/references.bib"


def under(selection, evidences):
    """The same selection with other evidences."""
    posterior = model_posterior(evidences, Stream(0))
    return replace(selection, main=replace(selection.main, evidences=evidences, posterior=posterior))


def test_the_table_has_everything_by_number_of_classes(selection):
    table = selection.table
    assert table.index.tolist() == [1, 2, 3]
    for k, row in table.iterrows():
        fit, evidence = selection.fits[k], selection.evidences[k]
        assert row["log_evidence"] == evidence.log_evidence
        assert (row["standard_error"], row["scorer"], row["doubt"]) == (0, "exact", "")
        assert row["bic"] == fit.scores["bic"].log_evidence
        assert row["g2"] == fit.statistics.g2
        assert row["n_parameters"] == selection.models[k].n_parameters
        j, other, value = fit.statistics.largest_residual
        names = list(selection.labels)
        assert row["largest_residual_items"] == f"{names[j]}, {names[other]}"
        assert row["largest_residual"] == value
    np.testing.assert_array_equal(table["probability"], selection.posterior.probability)
    assert selection.panel.index.tolist() == [
        "Dirichlet 1", "Dirichlet 0.5", "Dirichlet 2", "BDeu, equivalent sample size 1",
    ]  # fmt: skip
    np.testing.assert_array_equal(
        selection.panel.loc["Dirichlet 2", [1, 2, 3]], selection.others[1].posterior.probability
    )
    assert len(repr(selection).splitlines()) == 1
    assert str(selection.posterior) in repr(selection)


def test_what_readers_see(selection):
    heads, rows = result_rows(selection)
    assert [len(row) for row in rows] == [len(heads)] * 3
    row = {head: cell.text for head, cell in zip(heads, rows[0], strict=True)}
    assert row["log evidence"] == f"{selection.evidences[1].log_evidence:.2f}"
    assert (row["checked by"], row["entropy"]) == ("exact", "-")
    heads, rows = panel_rows(selection)
    assert heads == ["prior", "highest evidence", "K = 1", "K = 2", "K = 3"]
    assert rows[0][1].text == str(selection.posterior)
    assert read_columns(selection.notes)[0] == ("x", "2 states: a (4), b (5)")


def test_what_is_unknown_is_said_to_be(doubtful):
    assert doubtful.table["probability"].isna().all()
    assert doubtful.table["doubt"].tolist() == [
        "",
        "the chains did not come to agree",
        "no run ended in time; allow more seconds",
    ]
    assert doubtful.table["bic"].isna().tolist() == [False, False, True]
    heads, rows = result_rows(doubtful)
    column = {head: [row[k].text for row in rows] for k, head in enumerate(heads)}
    assert column["log evidence"] == ["-30.00 +- 0.05", "at least -31.00", "unknown"]
    assert column["p(K | data)"] == ["unknown"] * 3
    assert column["BIC"][2] == "-"
    assert panel_rows(doubtful)[1][0][2].text.startswith("at most 0.7")
    assert "classes: unknown (of those known, 1)" in headline(doubtful)
    assert doubtful.chosen is None
    said = " ".join(doubtful.remarks)
    for part in (
        "It was stopped before it had ended.",
        "The evidence of 2 classes is not known: the chains did not come to agree.",
        "The evidence of 3 classes is not known: no run ended in time; allow more seconds.",
        "No second estimate was made to check the evidence of 1 class.",
    ):
        assert part in said
    paragraph = methods(doubtful)
    assert "For K = 2 and 3 it could not be established, and is treated as unknown." in paragraph
    assert "posterior probabilities of K have bounds only" in paragraph
    assert "p(K" not in paragraph
    assert not re.search(r"\d \(\d", paragraph)  # no probability with its interval


@pytest.mark.parametrize(
    ("scorer", "error", "doubt", "lack"),
    [
        ("bridge", 0.1, NO_DOUBT, "made"),  # its own runs check nothing
        ("vb", nan, NO_DOUBT, "made"),  # nor does a bound
        ("smc", 0.9, NO_DOUBT, "precise enough"),
        ("smc", nan, Doubt.NOT_MIXED, "precise enough"),
    ],
)
def test_a_check_that_nobody_made_is_not_said_to_have_failed(scorer, error, doubt, lack, selection):
    run = Run(scorer, scorer, {}, 0, Evidence(-20.0, error, doubt=doubt), 1.0)
    alone = replace(certified(-20.0), runs=(run,))
    found = under(selection, {1: replace(alone, checked_by="smc"), 2: alone, 3: certified(-40.0, 0.0)})
    assert f"No second estimate was {lack} to check the evidence of 2 classes." in found.remarks
    assert f"For K = 2 no second estimate was {lack} for a check." in methods(found)
    assert str(found.remarks).count("No second estimate") == methods(found).count("no second estimate") == 1


@pytest.mark.parametrize(
    ("evidences", "part"),
    [
        ({1: certified(-30.0), 2: certified(-20.0), 3: certified(-40.0)}, "The evidence was highest for K = 2."),
        ({1: certified(-30.0), 2: certified(-30.02), 3: certified(-40.0)}, "leave open for which of K = 1 or 2"),
        ({1: certified(-30.0, 0.0), 2: certified(-30.02, 0.123), 3: certified(-40.0, 0.01)}, "were 0.01 to 0.12 nats"),
        ({1: certified(nan), 2: certified(nan), 3: certified(nan)}, "For K = 1 to 3 it could not be established"),
    ],
)
def test_the_paragraph_follows_from_what_was_found(evidences, part, selection):
    assert part in methods(under(selection, evidences))


def test_the_paragraph_cites_what_was_done_and_no_more(selection):
    paragraph = selection.methods
    assert "1 to 3 classes" in paragraph
    assert "9 rows of 4 categorical items" in paragraph
    assert "Missing cells (8.3% of all, in 3 rows) were summed out" in paragraph
    assert "all hyperparameters 1, which is the uniform distribution" in paragraph
    assert "for K = 1 to 3 by the exact sum over all completions of the data" in paragraph
    assert f"for K = {selection.chosen}." in paragraph
    assert "Meng & Wong" not in paragraph
    assert selection.references == references(paragraph)
    cited = re.findall(r"[(;] ?([A-Z][^();]*?, \d{4})", paragraph)
    assert len(cited) == len(set(cited) & set(REFERENCES)) == len(selection.references)


def test_references_are_those_of_the_bibliography():
    entries = re.findall(r"@\w+\{(\w+),(.*?)\n\}", BIBLIOGRAPHY.read_text(encoding="utf-8"), flags=re.DOTALL)
    known = {
        (re.search(r"year\s*= \{(\d+)\}", entry)[1], re.search(r"pages\s*= \{(\d+)", entry)[1]): entry
        for _, entry in entries if "pages" in entry
    }  # fmt: skip
    for citation, reference in REFERENCES.items():
        year, pages = citation[-4:], re.search(r"(\d+)-\d+\D*$", reference)[1]
        entry = re.sub(r"[{}\\\"]", "", known[year, pages])
        assert f"({year})" in reference
        assert citation.partition(" ")[0].rstrip(",").replace("ü", "u") in entry
        title = re.search(r"title\s*= (.*),\n", entry)[1]
        assert title.lower()[:40] in reference.lower().replace("ü", "u")


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        (lambda s: replace(s, notes=(*s.notes, Note("x", "is odd", True))), "Column 'x': is odd."),
        (lambda s: replace(s, notes=(*s.notes, Note("", "is odd", True))), "The table: is odd."),
        (
            lambda s: under(s, {1: certified(-9.0), 2: certified(-5.0), 3: certified(-1.0)}),
            "More than 3 classes may have a higher evidence",
        ),
        (
            lambda s: under(s, {1: replace(certified(-1.0), reached=False), 2: certified(-9.0), 3: certified(-9.0)}),
            "The error asked for, 0.1 nats, was not reached with 1 class.",
        ),
        (
            lambda s: replace(s, others=(under(s, {k: certified(nan) for k in s.classes}).main,)),
            "Under the prior Dirichlet 1 the highest evidence is unknown, for lack of some.",
        ),
    ],
)
def test_remarks(change, remark, selection):
    assert any(said.startswith(remark) for said in change(selection).remarks)


def test_a_sparse_table_and_dependent_items_are_remarked(selection):
    said = " ".join(selection.remarks)
    assert "The table is sparse: 6 complete rows for 24 cells" in said
    k = selection.chosen
    statistics = selection.fits[k].statistics
    residuals = np.where(np.isnan(statistics.residuals), np.nan, 99.0)
    fits = {**selection.fits, k: replace(selection.fits[k], statistics=replace(statistics, residuals=residuals))}
    assert f"With {k} class" in " ".join(replace(selection, fits=fits).remarks)
    assert "bivariate residual is 99.0" in " ".join(replace(selection, fits=fits).remarks)


def test_cells_sort_by_numbers():
    assert [Cell("a").key, Cell("-", nan).key, Cell("1,000", 1000).key] == ["", "", "1000.0"]
    assert [Cell("a").is_number, Cell("-", nan).is_number] == [False, True]
