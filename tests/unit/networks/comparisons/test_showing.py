"""The table, the paragraph and the stored file say what was found, and nothing that is not known looks sure.

Sources of truth: the comparison itself, and evidences made up.
"""

import re
from dataclasses import replace
from math import nan

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from reference.evidences import certified
from reference.html_pages import Parsed

import ockham
from ockham.contracts import Doubt
from ockham.estimation.model_posterior import bayes_factors, model_posterior
from ockham.io.netcdf import describe, write
from ockham.networks.comparisons.showing import result_rows
from ockham.streams import Stream


def of(comparison, *evidences):
    """The same comparison with other evidences."""
    found = dict(zip(comparison.models, evidences, strict=True))
    best = next(iter(found))
    return replace(
        comparison,
        evidences=found,
        posterior=model_posterior(found, Stream(0)),
        bayes_factors=bayes_factors(found, best, Stream(0)),
    )


@pytest.fixture
def sampled(comparison):
    return of(comparison, certified(-9.0, 0.03), certified(-9.5, 0.04), certified(-20.0, 0.0))


@pytest.fixture
def doubtful(comparison):
    doubted = certified(nan, at_least=-10.0, doubt=Doubt.NOT_MIXED)
    return replace(of(comparison, certified(-9.0, 0.03), doubted, certified(nan)), interrupted=True)


def shown(comparison):
    heads, rows = result_rows(comparison)
    return [dict(zip([*heads[:4], "interval", "p"], [cell.text for cell in row], strict=False)) for row in rows]


def test_a_factor_is_shown_with_its_error_and_interval(sampled):
    best, second, last = shown(sampled)
    assert (best["log Bayes factor"], best["interval"]) == ("0.00", "-")
    assert second["log Bayes factor"] == "-0.50 +- 0.05"
    assert re.fullmatch(r"-0\.(59|60|61) to -0\.(39|40|41)", second["interval"])
    assert re.fullmatch(r"0\.378 \+- 0\.01\d", second["p"])
    assert last["checked by"] == "exact"
    assert last["p"] == "<0.001"


def test_what_is_unknown_is_not_shown_as_a_number(doubtful):
    best, second, last = shown(doubtful)
    assert best["p"].startswith("at most 0.7")
    assert {cell.text for row in result_rows(doubtful)[1] for cell in row[6:7]} == {"-"}
    assert re.fullmatch(r"at least -1\.\d\d", second["log Bayes factor"])
    assert (last["log Bayes factor"], last["interval"], last["p"]) == ("unknown", "-", "unknown")
    assert repr(doubtful).endswith("highest evidence: unknown (of those known, hidden)>")
    remarks = " ".join(doubtful.remarks)
    assert "It was stopped before it had ended." in remarks
    assert remarks.count("is not known: ") == 2
    assert "posterior probabilities have bounds only" in doubtful.methods
    assert "for chain" not in doubtful.methods.partition("Log Bayes factors")[2]


def test_the_paragraph_says_what_was_done(sampled, comparison):
    assert "3 discrete networks (" in comparison.methods
    assert "8 rows of 3 categorical variables" in comparison.methods
    assert "Hidden variables were h (2 values) in hidden." in comparison.methods
    assert "Missing cells (8.3% of all, in 2 rows) were summed out" in comparison.methods
    assert "by the exact sum over all completions of the data" in comparison.methods
    assert "with all hyperparameters 1." in comparison.methods
    assert [reference[:4] for reference in comparison.references] == ["Kass"]
    assert "bridge sampling (Meng & Wong, 1996" in sampled.methods
    assert "Standard errors of its logarithm were 0.03 to 0.04 nats." in sampled.methods
    assert len(sampled.references) == 3


def test_names_are_text_on_pages(comparison, tiny):
    names = ["<script>alert(1)</script>", "b"]
    models = dict(zip(names, comparison.models.values(), strict=False))
    found = ockham.compare(models, tiny, progress=False)
    for html, n_scripts in ((found._repr_html_(), 0), (found.to_html(), 1)):
        parsed = Parsed(html)
        assert names[0] in parsed.text
        assert parsed.tags().count("script") == n_scripts
    assert found._repr_html_().count("<tr>") == 3


def test_the_page_has_everything_and_asks_for_nothing(comparison):
    made = comparison.to_html()
    parsed = Parsed(made)
    for text in (comparison.methods, *comparison.references, *comparison.remarks, "2 states: a ("):
        assert text in parsed.text
    assert not any({"src", "href"} & set(attributes) for _, attributes in parsed.elements)
    assert "default-src 'none';" in made


@pytest.mark.parametrize("kind", ["comparison", "sampled", "doubtful"])
def test_the_stored_file_has_everything_but_the_data(kind, request, tmp_path):
    found = request.getfixturevalue(kind)
    write(tmp_path / "a.nc", found.to_xarray())
    assert "log_bayes_factor(model)" in describe(tmp_path / "a.nc")
    with xr.open_dataset(tmp_path / "a.nc") as dataset:
        for name in ("log_evidence", "standard_error", "log_bayes_factor", "log_bayes_factor_error", "probability",
                     "log_bayes_factor_low", "log_bayes_factor_high", "probability_error", "leads"):  # fmt: skip
            np.testing.assert_array_equal(dataset[name], found.table[name], err_msg=name)
        assert dataset["model"].values.tolist() == list(found.models)
        assert dataset["network"].values.tolist() == [model.digest for model in found.models.values()]
        assert dataset.attrs["methods"] == found.methods
        assert dataset.attrs["interrupted"] == found.interrupted
        assert dataset.sizes.get("run", 0) == sum(len(each.runs) for each in found.evidences.values())


def test_the_table_is_one_of_numbers(sampled):
    assert isinstance(sampled.table, pd.DataFrame)
    assert sampled.table.index.name == "model"
    assert sampled.table["log_bayes_factor"].tolist() == [0, -0.5, -11]
    assert sampled.table["n_parameters"].tolist() == [model.n_parameters for model in sampled.models.values()]
