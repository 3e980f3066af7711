"""Claim: columns of a table are read as the types that they look like, or as a user says, in their own units.

Source of truth: the columns below, written out with what they are.
"""

import numpy as np
import pytest

import ockham
from ockham.errors import DataError
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
    assert "Gaussian(centre=" in notes["height"]
    assert notes["height"].endswith("inferred; 1 missing")
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
    assert all("as was said" in note.text for note in found.notes if note.column in types)


def test_the_table_is_scored(file):
    found = read_mixed_table(file)
    model = found.model(1)
    assert found.rows.n == N
    assert np.isfinite(ockham.score(model, found.rows, "exact")["exact"].log_evidence)


def test_weights_repeat_rows():
    rows = [["a", "1.5", "2"], ["b", "2.5", "3"], ["a", "0.5", "0"]]
    found = read_mixed_table(rows, weights="x3")
    assert found.rows.n == 5
    assert len(found.rows.rows) == 2


BAD = {
    "column 'colour': is gaussian, and has texts such as 'red'": {"types": {"colour": "gaussian"}},
    "item 'height': holds .*, which is no count": {"types": {"height": "poisson"}},
    "item 'visits': holds .*, and counts go to 3": {"types": {"visits": Binomial(3)}},
    "none of categorical, ordered, gaussian, poisson, binomial": {"types": {"age": "normal"}},
    "has no column 'weight'": {"types": {"weight": "gaussian"}},
    "column 'height': has 5. different numbers in 59 rows": {"types": {"height": "categorical"}},
    "types: 3 must map": {"types": 3},
}


@pytest.mark.parametrize("words", BAD)
def test_what_is_not_of_its_type_is_refused(words, file):
    with pytest.raises(DataError, match=words):
        read_mixed_table(file, **BAD[words])
