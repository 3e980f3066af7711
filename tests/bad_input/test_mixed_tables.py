"""Claim: odd tables of mixed items are refused with the column, or have the right evidence, never NaN.

By ``ockham.select``, by ``ockham.evidence`` and by a study, computed by the workflow's commands. Source of truth: the
sum over all assignments of rows to classes, one by one; the table without a column that says nothing.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from reference.mixed_items import enumerated
from reference.stored_studies import compute

import ockham
from ockham.errors import ConfigError, DataError
from ockham.mixtures.items import Binomial, Gaussian, Poisson
from ockham.studies.collecting import open_store
from ockham.studies.loading import load

NAN = np.nan
NUMBERS = np.array([1.25, 2.0, 0.75, 3.5, 2.75, 1.5, 4.0])
OTHERS = {
    "colour": ["red", "blue", "blue", "red", "red", "blue", "red"],
    "length": [0.5, 1.5, 0.25, 2.5, 1.0, 3.0, 2.0],
}
ALL_ROWS = len(NUMBERS)
REFUSED = {
    "holds -1, which is no count": ([-1, 2, 3, 0, 2, 5, 1], "count"),
    "holds 0.5, which is no count": ([0.5, 2, 3, 0, 2, 5, 1], "count"),
    "holds 7, and counts go to 5": ([7, 2, 3, 0, 2, 5, 1], "binomial:5"),
    "is too large or too small for a prior in its unit": (1e-300 * NUMBERS, "gaussian"),
    "is too large or too small for a prior .* from 1e-150": (1e-150 * NUMBERS, "gaussian"),
    "is too large or too small for a prior .* to 1e.300": (2.5e307 * NUMBERS, "gaussian"),
}
RIGHT = {
    "numbers of two values": ([1.5, 2.5, 2.5, 1.5, 1.5, 2.5, 2.5], "gaussian"),
    "numbers that differ by little": ([1.5, 1.5 + 1e-9, 1.5, 1.5, 1.5, 1.5, 1.5], "gaussian"),
    "variances of 1e-298": (1e-149 * NUMBERS, "gaussian"),
    "variances of 1e300": (1e150 * NUMBERS, "gaussian"),
    "counts of a million": ([10**6, 0, 10**6, 0, 1, 2, 10**6], "count"),
    "few known cells": ([2.5, NAN, NAN, NAN, NAN, 1.5, NAN], "gaussian"),
    "one known cell": ([NAN, NAN, NAN, NAN, NAN, 1.5, NAN], "gaussian"),
}
SILENT = {"constant numbers": [3.5] * ALL_ROWS, "no known cell": [NAN] * ALL_ROWS}
CLASSES = [1, 2, 9]
SCORES = {
    "em": ["map", "bic", "cheeseman_stutz"],
    "em_ml": ["bic_ml", "cheeseman_stutz_ml"],
    "vb": ["variational_bayes"],
}
STUDY = """\
study: odd
model: finite_mixture
root_seed: 1
data: {source: table, file: odd.csv, types: {x: "%s", colour: categorical}}
classes: [1, 2, 9]
replicates: {prior_draws: 1}
sizes: [7]
scorers: {exact: {}, em: {runs: 1}, em_ml: {runs: 1}, vb: {runs: 1}}
"""


def table(cells):
    return pd.DataFrame({"x": cells} | OTHERS)


def study(folder, cells, kind):
    table(cells).to_csv(folder / "odd.csv", index=False)
    (folder / "odd.yaml").write_text(STUDY % kind)
    return folder / "odd.yaml"


def selected(cells, kind):
    return ockham.select(table(cells), CLASSES, items={"x": kind}, priors=[1], progress=False)


@pytest.fixture(autouse=True)
def _without_remarks():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        yield


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_right_is_refused_in_every_way_in(words, tmp_path):
    cells, kind = REFUSED[words]
    with pytest.raises(DataError, match=f"'x': {words}"):
        selected(cells, kind)
    with pytest.raises(DataError, match=f"'x': {words}"):
        ockham.read_mixed_table(table(cells), {"x": kind})
    with pytest.raises(ConfigError, match=f"'x': {words}"):
        load(study(tmp_path, cells, kind))


@pytest.mark.parametrize("case", RIGHT)
def test_what_is_odd_but_sound_has_the_right_evidence_in_every_way_in(case, tmp_path):
    cells, kind = RIGHT[case]
    read = ockham.read_mixed_table(table(cells), {"x": kind})
    found = selected(cells, kind)
    evidences = [one.log_evidence for one in found.evidences.values()]
    assert evidences[:2] == pytest.approx([enumerated(read.model(k), read.rows) for k in CLASSES[:2]], rel=1e-9)
    assert np.isfinite(found.table[["log_evidence", "map", "bic", "variational_bayes"]].to_numpy()).all()
    certified = [ockham.evidence(read.model(k), read.rows, progress=False).log_evidence for k in CLASSES]
    assert certified == pytest.approx(evidences, rel=1e-9)
    compute(tmp_path / "results", study(tmp_path, cells, kind))
    with open_store(tmp_path / "results/odd/scores.nc") as scores:
        assert scores["exact"]["exact"].values.ravel() == pytest.approx(evidences, rel=1e-9)
        for scorer, names in SCORES.items():
            assert all(np.isfinite(scores[scorer][name].values).all() for name in names)


@pytest.mark.parametrize("case", SILENT)
def test_what_says_nothing_of_classes_is_left_out_and_said(case, tmp_path):
    without = ockham.read_mixed_table(pd.DataFrame(OTHERS))
    truth = [ockham.evidence(without.model(k), without.rows, progress=False).log_evidence for k in CLASSES]
    with pytest.warns(ockham.OckhamWarning, match="column 'x': left out"):
        found = selected(SILENT[case], "gaussian")
    assert [one.log_evidence for one in found.evidences.values()] == pytest.approx(truth, rel=1e-12)
    assert list(load(study(tmp_path, SILENT[case], "gaussian")).columns) == ["colour", "length"]


@pytest.mark.parametrize(
    ("item", "cells", "words"),
    [
        (Poisson(), [-1.0, 2.0], "holds -1, which is no count"),
        (Poisson(), [0.5, 2.0], "holds 0.5, which is no count"),
        (Binomial(5), [7.0, 2.0], "holds 7, and counts go to 5"),
        (Gaussian(), [3.0, 3.0], "is constant, 3 in every row"),
        (Gaussian(), [NAN, NAN], "has no value in any row"),
        (Gaussian(0.0, 1e-150), [1.0, 2.0], "more than 100000 times the deviation"),
        (Gaussian(), [1e300, 2.0], "more than 100000 times the deviation"),
    ],
)
def test_models_of_ones_own_refuse_what_is_none_of_their_items(item, cells, words):
    with pytest.raises(DataError, match=f"item 'x': .*{words}"):
        ockham.evidence(ockham.FiniteMixture(2, {"x": item}), np.array(cells)[:, None], progress=False)


@pytest.mark.parametrize("deviation", [1e-150, 1e150])
def test_variances_of_300_digits_have_the_evidence_of_another_unit(deviation):
    plain = ockham.evidence(ockham.FiniteMixture(2, {"x": Gaussian(2.0, 1.0)}), NUMBERS[:, None], progress=False)
    model = ockham.FiniteMixture(2, {"x": Gaussian(2 * deviation, deviation)})
    found = ockham.evidence(model, deviation * NUMBERS[:, None], progress=False)
    assert found.log_evidence == pytest.approx(plain.log_evidence - ALL_ROWS * np.log(deviation), rel=1e-12)
