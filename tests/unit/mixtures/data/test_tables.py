"""Claim: columns of a table are read as the types that they look like, or as a user says, in their own units.

Source of truth: the columns below, written out with what they are.
"""

import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ockham
from ockham.api.selecting import read
from ockham.errors import ConfigError, DataError
from ockham.mixtures.data.priors import MixedPrior
from ockham.mixtures.data.tables import read_mixed_table
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson

RNG = np.random.default_rng(3)
N = 60
COLUMNS = {
    "colour": RNG.choice(["red", "green", "blue"], N).tolist(),
    "answer": RNG.choice(["0", "1"], N).tolist(),
    "grade": RNG.choice(["1", "2", "3", "4", "5"], N).tolist(),
    "height": [f"{x:.1f}" for x in RNG.normal(170, 10, N)],
    "age": [str(x) for x in RNG.integers(18, 80, N)],
    "visits": [str(x) for x in RNG.poisson(8, N)],
    "site": ["here"] * N,
}
COLUMNS["height"][4] = "NA"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "survey.csv"
    rows = zip(*COLUMNS.values(), strict=True)
    path.write_text("\n".join([",".join(COLUMNS), *map(",".join, rows)]) + "\n")
    return path


def test_types_are_inferred_and_shown(file):
    found = read_mixed_table(file)
    kinds = {name: type(item) for name, item in found.items.items()}
    assert kinds == {
        "colour": Categorical, "answer": Categorical, "grade": Categorical, "height": Gaussian, "age": Gaussian,
        "visits": Poisson,
    }  # fmt: skip
    assert found.categories["colour"] == ("blue", "green", "red")
    notes = {note.column: note.text for note in found.notes if not note.is_warning}
    item = found.items["height"]
    assert notes["height"].startswith(f"gaussian, inferred; means of classes around {item.centre:.4g} with")
    assert f"standard deviation inside a class about {item.deviation:.3g} " in notes["height"]
    assert notes["height"].endswith("; 1 missing")
    assert notes["colour"].startswith("categorical, inferred; 3 states: blue (")
    assert notes["visits"].startswith("poisson, inferred; rates of classes around ")
    warnings = {note.column for note in found.notes if note.is_warning}
    assert warnings == {"grade", "site"}


def test_hyperparameters_are_in_the_unit_of_the_item(file):
    height = np.array([float(x) for x in COLUMNS["height"] if x != "NA"])
    item = read_mixed_table(file).items["height"]
    assert item.centre == pytest.approx(height.mean())
    assert item.deviation == pytest.approx(height.std() / 2)
    assert read_mixed_table(file).items["visits"].mean == pytest.approx(np.mean([int(x) for x in COLUMNS["visits"]]))


def test_types_are_overridden(file):
    types = {"grade": "ordered", "age": "poisson", "visits": Binomial(40), "answer": "gaussian"}
    found = read_mixed_table(file, types, drop=["colour"])
    assert "colour" not in found.items
    assert found.items["grade"] == Ordered(5)
    assert found.items["visits"] == Binomial(40)
    assert isinstance(found.items["answer"], Gaussian)
    said = [note.text for note in found.notes if note.column in types and not note.is_warning]
    assert len(said) == len(types)
    assert all("as was said" in text for text in said)


def test_a_total_may_be_larger_than_every_count(file):
    found = read_mixed_table(file, {"visits": "binomial:40"})
    assert found.items["visits"] == Binomial(40)
    assert found.items_under(MixedPrior(0.5))["visits"] == Binomial(40, 0.5)
    largest = max(int(x) for x in COLUMNS["visits"])
    assert read_mixed_table(file, {"visits": "binomial"}).items["visits"] == Binomial(largest)


@pytest.mark.parametrize("column", ["height", "age", "visits"])
def test_a_text_among_numbers_is_refused_with_its_row(column):
    cells = [*COLUMNS[column][:7], "12k", *COLUMNS[column][7:]]
    table = pd.DataFrame({column: cells, "colour": ["red", "blue"] * 30 + ["red"]})
    with pytest.raises(DataError, match=rf"column '{column}': looks .*, and row 7 has the text '12k'; correct it"):
        read(table)
    assert column in read(table, missing=["12k", "NA"]).items
    table["times"] = [0, *[1] * 60]
    with pytest.raises(DataError, match="row 7 has the text '12k'"):  # also where rows of weight 0 are left out
        read_mixed_table(table, weights="times")


def test_texts_beside_few_codes_are_categories():
    found = read(pd.DataFrame({"grade": ["1", "2", "3", "other"] * 15, "height": np.arange(60) / 7}))
    assert found.items["grade"] == Categorical(4)


ORDERED = {
    "pandas": lambda cells, order: pd.DataFrame({"size": pd.Categorical(cells, order, ordered=True)}),
    "polars": lambda cells, order: pl.DataFrame({"size": pl.Series(cells, dtype=pl.Enum(order))}),
}


@pytest.mark.parametrize("library", ORDERED)
def test_the_order_of_a_data_type_is_that_of_the_states(library):
    order = ["small", "middle", "large", "huge"]
    found = read(ORDERED[library](["large", "small", None, "middle"] * 5, order))
    assert found.items["size"] == Ordered(3)
    assert found.categories["size"] == ("small", "middle", "large")
    np.testing.assert_array_equal(found.cells[:4, 0], [2, 0, np.nan, 1])
    assert any("is ordered as its data type says, small, middle, large" in text for text in found.warnings)
    nominal = read(ORDERED[library](["large", "small", None, "middle"] * 5, order), {"size": "nominal"})
    assert nominal.categories == (("small", "middle", "large"),)


def test_two_states_in_order_are_categories():
    table = ORDERED["pandas"](["yes", "no"] * 5, ["yes", "no"])
    assert read(table).categories == (("yes", "no"),)


def test_the_words_of_the_field_are_understood(file):
    types = {"grade": "ordinal", "visits": "count", "age": "continuous", "answer": "nominal"}
    kinds = [read_mixed_table(file, types).items[name].kind for name in types]
    assert kinds == ["ordered", "poisson", "gaussian", "categorical"]


def test_whole_numbers_of_few_values_are_categories_whatever_their_sign():
    rows = [[str(k % 5 - 2), str(k % 7 * 0.5)] for k in range(40)]
    found = read_mixed_table(rows)
    assert found.items["x1"] == Categorical(5)
    assert found.categories["x1"] == ("-2", "-1", "0", "1", "2")
    assert isinstance(found.items["x2"], Gaussian)


def test_the_table_is_scored(file):
    found = read_mixed_table(file)
    model = found.model(1)
    assert found.rows.n == N
    assert np.isfinite(ockham.score(model, found.rows, "exact")["exact"].log_evidence)


def test_weights_repeat_rows():
    rows = [["a", "1.5", "2"], ["b", "2.5", "3"], ["a", "0.5", "0"]]
    numeric = {"x2": "gaussian"}
    found = read_mixed_table(rows, numeric, weights="x3")
    assert found.rows.n == 5
    assert len(found.rows.rows) == 2
    again = [row[:2] for row, times in zip(rows, (2, 3, 0), strict=True) for _ in range(times)]
    repeated = read_mixed_table(again, numeric)
    assert found.rows.digest == repeated.rows.digest
    assert found.items["x1"] == repeated.items["x1"]
    assert found.items["x2"].centre == pytest.approx(repeated.items["x2"].centre, rel=1e-14)
    assert found.items["x2"].deviation == pytest.approx(repeated.items["x2"].deviation, rel=1e-14)


def numbers(*cells):
    """A column of numbers beside one of categories."""
    return [[str(cell), "ab"[k % 2]] for k, cell in enumerate(cells)]


def test_a_prior_is_in_units_of_the_item_and_as_wide_as_the_table():
    found = read_mixed_table(numbers(*np.linspace(0.5, 30, 40)))
    deviation = found.items["x1"].deviation / 0.5
    for within in (0.25, 0.75):
        item = found.items_under(MixedPrior(within=within))["x1"]
        assert item.deviation == pytest.approx(within * deviation)
        total = item.deviation**2 * (1 + 1 / item.mean_weight)
        assert total == pytest.approx(deviation**2)
    thin = found.items_under(MixedPrior(concentration=0.5))
    assert (thin["x2"], thin["x1"]) == (Categorical(2, 0.5), found.items["x1"])


def test_given_hyperparameters_stay_under_every_prior():
    given = Gaussian(3.0, 1.0)
    found = read_mixed_table(numbers(*np.linspace(0.5, 5, 40)), {"x1": given})
    assert found.items_under(MixedPrior(within=0.25))["x1"] == given


@pytest.mark.parametrize(
    ("text", "prior"),
    [(2, MixedPrior(2.0)), ("0.5", MixedPrior(0.5)), ("within=0.25, rates=2", MixedPrior(1.0, 0.25, 2.0))],
)
def test_priors_are_read(text, prior):
    assert MixedPrior.of(text) == prior


@pytest.mark.parametrize("text", ["bdeu:1", "within=1", "within=0", "rates=nan", "a=1", "1,2", "", None, "within="])
def test_what_is_no_prior_is_refused(text):
    with pytest.raises(ConfigError, match=r"prior"):
        MixedPrior.of(text)


EDGES = {
    "two values are a category": (numbers(*[1.5, 2.5] * 20), {}, "categorical"),
    "two values of a number": (numbers(*[1.5, 2.5] * 20), {"x1": "gaussian"}, "gaussian"),
    "tiny numbers": (numbers(*np.linspace(1, 2, 40) * 1e-140), {}, "gaussian"),
    "huge numbers": (numbers(*np.linspace(1, 2, 40) * 1e140), {}, "gaussian"),
}


@pytest.mark.parametrize("case", EDGES)
def test_edges_have_finite_evidences(case):
    rows, types, kind = EDGES[case]
    found = read_mixed_table(rows, types)
    assert found.items["x1"].kind == kind
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        scores = [ockham.score(found.model(k), found.rows, "em", runs=1, progress=False) for k in (1, 2, 50)]
    assert all(np.isfinite(score.log_evidence) for each in scores for score in each.values())


def test_units_shift_the_evidence_by_their_density_alone():
    """ln p of n cells in another unit differs by n ln of the ratio of units, at any scale."""
    cells = np.random.default_rng(1).normal(3, 1, 12).round(3)

    def evidence(unit):
        found = read_mixed_table(numbers(*cells * unit))
        return ockham.score(found.model(2), found.rows, "exact", runs=1)["exact"].log_evidence

    for unit in (1e-100, 1e100):
        assert evidence(unit) == pytest.approx(evidence(1.0) - 12 * np.log(unit), rel=1e-9)


UNREADABLE = {
    "is constant": numbers(*[1 + 1e-16 * k for k in range(3)], 1 + 3e-16, 1 + 5e-16),
    "column 'x1': is too large or too small for a prior in its unit": numbers(*np.linspace(1, 2, 40) * 1e-300),
    "too large or too small": numbers(*np.linspace(1.01, 1.9, 40) * 1e300),
    r"column 'x1': has a different value .* as an identifier has; .*\(types={'x1': 'gaussian'}\)$": numbers(
        *range(7, 47)
    ),
    r"looks gaussian, and row 20 has the text 'k'; .* take it as categorical \(types={'x1': 'categorical'}\)$": numbers(
        *np.linspace(1, 2, 20), "k"
    ),
}


@pytest.mark.parametrize("words", UNREADABLE)
def test_what_cannot_be_right_is_refused(words):
    with pytest.raises(DataError, match=words):
        read_mixed_table(UNREADABLE[words])


def test_a_constant_and_an_empty_column_are_left_out():
    rows = [["5", "", "a"], ["5.0", "", "b"], ["5.00", "", "a"]]
    found = read_mixed_table(rows)
    assert list(found.items) == ["x3"]
    assert [note.column for note in found.notes if note.is_warning] == ["x1", "x2"]


@pytest.mark.parametrize("cells", [[-1, 2, 3], [0.5, 2, 3]])
def test_counts_are_whole_and_not_negative(cells):
    with pytest.raises(DataError, match=r"column 'x1': holds .*, which is no count; .* take it as a number"):
        read_mixed_table(numbers(*cells), {"x1": "count"})


def test_codes_and_few_known_cells_are_doubted():
    found = read_mixed_table(numbers(*range(20, 60), 9, 999))
    assert any("'999' is read as a number; if it says that a cell is missing" in text for text in found.warnings)
    found = read_mixed_table(numbers(*[""] * 30, *np.linspace(1, 2, 20)))
    assert any("30 of 50 cells are missing" in text for text in found.warnings)
    found = read_mixed_table([["low", "1.5"], ["high", "2.5"], ["middle", "3"]] * 4, {"x1": "ordered"})
    assert any("is ordered as its text is, high, low, middle" in text for text in found.warnings)


BAD = {
    "column 'colour': is gaussian, and line 2 has the text 'blue'": {"types": {"colour": "gaussian"}},
    "item 'visits': holds .*, and counts go to 4": {"types": {"visits": "binomial:4"}},
    "types: 'binomial:many' of column 'visits': the total must be": {"types": {"visits": "binomial:many"}},
    "types: 'binomial:0' of column 'visits': the total": {"types": {"visits": "binomial:0"}},
    "types: 'poisson:3' of column 'visits' is none of": {"types": {"visits": "poisson:3"}},
    "column 'height': holds .*, which is no count": {"types": {"height": "poisson"}},
    "item 'visits': holds .*, and counts go to 3": {"types": {"visits": Binomial(3)}},
    "none of categorical, ordered, gaussian, poisson, binomial": {"types": {"age": "normal"}},
    "has no column 'weight'": {"types": {"weight": "gaussian"}},
    "column 'height': has 5. different numbers in 59 rows": {"types": {"height": "categorical"}},
    "types: 3 must map": {"types": 3},
    "types: column 'colour' is left out": {"types": {"colour": "nominal"}, "drop": ["colour"]},
}


@pytest.mark.parametrize("words", BAD)
def test_what_is_not_of_its_type_is_refused(words, file):
    with pytest.raises(DataError, match=words):
        read_mixed_table(file, **BAD[words])


def test_a_mean_that_types_are_inferred_by_is_that_of_the_rows():
    few_large = [*[1, 2, 3] * 100, 38, 45, 60, 71, 90, 101, 120, 140, *range(4, 12)]
    assert isinstance(read_mixed_table(numbers(*few_large)).items["x1"], Poisson)
    assert isinstance(read_mixed_table(numbers(*(20 + x for x in few_large), *range(40, 60))).items["x1"], Poisson)
    assert isinstance(read_mixed_table(numbers(*(40 + x for x in few_large))).items["x1"], Gaussian)
    table = pd.DataFrame({"x": [1, *range(3, 50, 3)], "times": [1000, *[1] * 16]})
    assert isinstance(read_mixed_table(table, weights="times").items["x"], Poisson)


def test_what_is_no_count_and_what_may_be_an_identifier_is_doubted():
    incomes = [0, *np.random.default_rng(1).integers(12_000, 90_000, 80)] * 2
    found = read_mixed_table(numbers(*incomes))
    assert isinstance(found.items["x1"], Poisson)
    assert any(
        re.search(r"variance of \d+ times its mean, .* \(types={'x1': 'gaussian'}\)", text) for text in found.warnings
    )
    assert not any("identifier" in text for text in found.warnings)
    found = read_mixed_table(numbers(*np.random.default_rng(1).permutation(1000)[:60] + 5000))
    assert any("is different in each of 60 rows" in text for text in found.warnings)


def test_an_item_with_a_state_that_never_occurs_is_refused(file):
    with pytest.raises(
        DataError, match="'grade': has 5 different values, and the item that is given for it has 7; give"
    ):
        read_mixed_table(file, {"grade": Ordered(7)})
    assert read_mixed_table(file, {"grade": Ordered(5, 3.0)}).items["grade"] == Ordered(5, 3.0)


def test_notes_say_the_prior_that_is_taken(file):
    prior = MixedPrior(within=0.25)
    read = {note.column: note.text for note in read_mixed_table(file, prior=prior).notes if not note.is_warning}
    found = {note.column: note.text for note in read_mixed_table(file).notes_under(prior) if not note.is_warning}
    assert found == read
    assert found != {note.column: note.text for note in read_mixed_table(file).notes if not note.is_warning}


def test_a_concentration_that_an_item_does_not_take_is_named_as_such():
    with pytest.raises(ConfigError, match=r"prior: concentration 0.0001 is none for .*'x1', which is binomial"):
        read_mixed_table(numbers(1, 2, 3), {"x1": "binomial"}, prior=MixedPrior(1e-4))
