"""Claim: a study takes a table of mixed items as ``ockham.read_mixed_table`` does, in a random order, or refuses it.

Truth: the table as it was written; the list of studies that are wrong before any work.
"""

import numpy as np
import pytest

from ockham import read_mixed_table
from ockham.errors import ConfigError
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.data.priors import MixedPrior
from ockham.streams import Stream
from ockham.studies.loading import load

RNG = np.random.default_rng(1)
COLOURS = RNG.choice(["red", "blue", ""], 30)
ROWS = [f"{c},{x:.2f},{v}" for c, x, v in zip(COLOURS, RNG.normal(size=30), RNG.poisson(4, 30), strict=True)]
STUDY = """\
study: survey
model: finite_mixture
root_seed: 1
data: {source: table, file: survey.csv, types: {visits: count}%s}
classes: [1, 2]
replicates: {prior_draws: 1}
sizes: [10, 30]
scorers: {vb: {runs: 1}}
"""


def write(folder, rows=ROWS, study=STUDY % ""):
    (folder / "survey.csv").write_text("\n".join(["colour,height,visits", *rows]) + "\n")
    (folder / "survey.yaml").write_text(study)
    return folder / "survey.yaml"


def drawn(study, n=30, seed=1):
    return study.family.draw(study, [n], 1, Stream(seed), None).states


def test_the_items_are_those_of_the_table(tmp_path):
    study = load(write(tmp_path, study=STUDY % ", prior: 'within=0.25'"))
    read = read_mixed_table(tmp_path / "survey.csv", {"visits": "count"}, prior=MixedPrior(within=0.25))
    assert study.columns == read.items
    assert list(study.models) == ["classes-1", "classes-2"]
    assert study.true_label is None
    assert study.models["classes-2"].items["height"] != load(write(tmp_path)).models["classes-2"].items["height"]


def test_a_study_says_that_its_evidences_rest_on_the_priors_of_numbers_and_counts(tmp_path):
    assert load(write(tmp_path)).rests_on == "it rests on the priors of 'height', 'visits'"
    told = STUDY.replace("types: {visits: count}", "types: {visits: categorical}, drop: [height]") % ""
    only = load(write(tmp_path, study=told))
    assert only.rests_on == ""


def test_all_rows_are_drawn_in_a_random_order_and_fewer_begin_the_same(tmp_path):
    study = load(write(tmp_path))
    rows, table = drawn(study), study.data.table
    assert MixedRows.of(rows, table.items).digest == table.rows.digest
    assert not np.array_equal(rows, table.cells, equal_nan=True)
    np.testing.assert_array_equal(drawn(study, 10), rows[:10])
    assert not np.array_equal(drawn(study, seed=2), rows, equal_nan=True)


def test_rows_occur_as_often_as_their_weights_say(tmp_path):
    rows = [f"{row},{1 + i % 3}" for i, row in enumerate(ROWS)]
    path = write(tmp_path, study=(STUDY % ", weights: times").replace("30]", "60]"))
    (tmp_path / "survey.csv").write_text("\n".join(["colour,height,visits,times", *rows]) + "\n")
    study = load(path)
    assert MixedRows.of(drawn(study, 60), study.columns).digest == study.data.table.rows.digest


def test_what_was_drawn_depends_on_the_table_and_its_types(tmp_path):
    def digest():
        study = load(tmp_path / "survey.yaml")
        return repr(study.family.drawn_from(study, [30]))

    write(tmp_path)
    first = digest()
    assert digest() == first
    write(tmp_path, [*ROWS[:-1], "red,0.5,3"])
    assert digest() != first
    write(tmp_path, study=(STUDY % "").replace("visits: count", "visits: gaussian"))
    assert digest() != first


BAD = {
    "has no column 'visit'": ("visits: count", "visit: count"),
    "data.types: 'round' of column 'visits' is none of": ("visits: count", "visits: round"),
    "column 'height': holds .*, which is no count": ("visits: count", "height: count"),
    r"column 'colour': is gaussian, and line 2 has the text .* categorical \(data.types: {colour: categorical}\)$": (
        "visits: count", "colour: gaussian",
    ),
    "sizes: 31 is more than the 30 rows of survey.csv": ("30]", "31]"),
    "data names one table, which is one replicate": ("prior_draws: 1", "prior_draws: 2"),
    "survey2.csv: .*give the path of a CSV file": ("survey.csv", "survey2.csv"),
    "true_classes: needed for drawn rows, and not allowed with a table": (
        "classes: [1, 2]", "classes: [1, 2]\ntrue_classes: 2",
    ),
    "items: needed for drawn rows, and not allowed with a table": (
        "classes: [1, 2]", "classes: [1, 2]\nitems: {x: {type: gaussian}}",
    ),
    "missing: is of drawn rows": ("classes: [1, 2]", "classes: [1, 2]\nmissing: 0.1"),
    "prior: 'wide' is no number and no text": ("types: {visits: count}", "prior: wide"),
    "within: 2.0 must be a number": ("types: {visits: count}", "prior: within=2"),
    "weights": ("types: {visits: count}", "weights: height"),
    "has no column 'size'; it has 'colour'": ("types: {visits: count}", "drop: [size]"),
}  # fmt: skip


@pytest.mark.parametrize("words", BAD)
def test_what_is_wrong_is_said_before_any_work(words, tmp_path):
    study = (STUDY % "").replace(*BAD[words])
    with pytest.raises(ConfigError, match=words):
        load(write(tmp_path, study=study))


@pytest.mark.parametrize(
    ("row", "words"),
    [("red,1e999,3", "height"), ("red,0.5,-3", "column 'visits': holds -3, which is no count")],
)
def test_cells_that_are_none_of_their_item_are_refused(row, words, tmp_path):
    with pytest.raises(ConfigError, match=words):
        load(write(tmp_path, [*ROWS, row]))
