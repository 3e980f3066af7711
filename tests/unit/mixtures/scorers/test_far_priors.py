"""Claim: priors that lie far from the rows, or are vague, do not hide the classes that these are in.

Of draws of such a prior every one has all rows in a single class. Truth: the sum over how many rows of each kind are in
each class, which half a nat less is not, nor sizes of one large class those of two.
"""

import numpy as np
import pytest
from reference.mixed_items import summed

import ockham
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.inference import modes
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.mixtures.items import Gaussian, Poisson
from ockham.mixtures.scorers import bridge
from ockham.streams import Stream

FAR = {
    "counts": ({"x": Poisson(1e5, 2.0), "y": Poisson(1e5, 2.0)}, [[3, 4], [5, 3], [9, 8], [12, 14]], [25, 25, 8, 8]),
    "numbers": ({"x": Gaussian(0.0, 1.0, 1e-6, 2.0)}, [[-3], [-2.5], [2.5], [3]], [12, 12, 8, 8]),
}
NEAR = {"x": Poisson(5.0, 2.0), "y": Poisson(5.0, 2.0)}, *FAR["counts"][1:]


def given(items, kinds, counts):
    model = ockham.FiniteMixture(2, items, 1.0)
    rows = np.repeat(np.array(kinds, dtype=float), counts, axis=0)
    data = MixedRows.of(rows, model.items)
    return model, rows, data, float(summed(model, data))


@pytest.mark.parametrize("name", FAR)
def test_a_bridge_knows_the_evidence(name):
    model, _, data, truth = given(*FAR[name])
    found = bridge.score(model, data, bridge.Settings(n_starts=32), Stream(1))["bridge_sampling"]
    assert found.trusted
    assert abs(found.log_evidence - truth) < 4 * found.standard_error + 1e-3
    assert 4 * found.standard_error < 0.5


def test_draws_of_the_prior_alone_would_miss_them(monkeypatch):
    model, _, data, truth = given(*FAR["counts"])

    def of_the_prior(model, design, stream, n):
        rng = stream.child("initial parameters").generator()
        return [model.sample(model.nothing, rng) for _ in range(n)]

    monkeypatch.setattr(modes, "starts", of_the_prior)
    found = bridge.score(model, data, bridge.Settings(n_starts=32), Stream(1))["bridge_sampling"]
    assert found.log_evidence < truth - 20


@pytest.mark.parametrize("name", FAR)
def test_evidences_are_right_or_unknown(name):
    model, rows, _, truth = given(*FAR[name])
    found = ockham.evidence(model, rows, seconds=2, progress=False)
    assert not found.trusted or abs(found.log_evidence - truth) < 4 * found.standard_error + 1e-3
    assert found.at_least < truth


def test_fitted_classes_have_their_rows():
    model, rows, _, _ = given(*FAR["counts"])
    fit = ockham.fit_classes(model, rows, progress=False)
    near = ockham.fit_classes(*given(*NEAR)[:2], progress=False)
    for each in (fit, near):
        weights = np.exp(each.draws[..., :2])
        assert weights.min(axis=-1).mean() == pytest.approx(0.25, abs=0.05)


def test_the_first_start_is_of_the_prior_and_more_begin_with_the_fewer():
    model, _, data, _ = given(*FAR["counts"])
    design = Design.of(model, data)
    few, many = (starts(model, design, Stream(2), n) for n in (3, 6))
    for one, other in zip(few, many, strict=False):
        np.testing.assert_array_equal(one.natural, other.natural)
    far, near = (design.log_likelihood(start) for start in few[:2])
    assert near > far + 1000


def test_rows_without_a_value_leave_draws_of_the_prior():
    model = given(*NEAR)[0]
    design = Design.of(model, MixedRows.of(np.full((3, 2), np.nan), model.items, empty=True))
    assert len(starts(model, design, Stream(2), 4)) == 4
