"""Claim: Laplace's method is the evidence of one mode, with an error that falls with the number of rows; it has no
value where its point is no maximum.

Sources of truth: the closed form of one class; bridge sampling of separated classes, of which each naming is a mode.
"""

from math import lgamma

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, sample_rows, small_table

from ockham.contracts import Doubt
from ockham.errors import ModelError
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.em import run as climb
from ockham.mixtures.inference.fit_scores import log_alike
from ockham.mixtures.inference.starts import starts
from ockham.mixtures.items import Categorical, Gaussian, Poisson
from ockham.mixtures.scorers import bridge, em, exact, laplace
from ockham.streams import Stream


def scored(model, data, seed=1, **settings):
    return laplace.score(model, data, laplace.Settings(**settings), Stream(seed))["laplace"]


@pytest.mark.parametrize("name", ITEMS)
def test_with_one_class_the_error_falls_with_the_rows(name):
    model, errors = mixture(1, items={name: ITEMS[name]}), []
    cells = sample_rows(model, np.random.default_rng(1), 4000, missing=0.0)
    for n in (40, 400, 4000):
        data = MixedRows.of(cells[:n], model.items)
        truth = exact.score(model, data, exact.Settings(), Stream(1))["exact"].log_evidence
        errors.append(abs(scored(model, data).log_evidence - truth))
    assert 1e-3 < errors[0] < 0.5
    assert errors[1] < errors[0] / 5
    assert errors[2] < errors[0] / 40 + 1e-6


def separated(n=150):
    rng = np.random.default_rng(2)
    items = {"x": Gaussian(0.0, 1.0), "y": Poisson(10.0), "z": Categorical(3)}
    of = np.repeat([0, 1], n // 2)
    cells = np.stack([8.0 * of + rng.normal(0, 1, n), rng.poisson(5 + 20 * of), rng.integers(0, 3, n)], axis=1)
    return FiniteMixture(2, items), MixedRows.of(cells, items)


def test_separated_classes_have_the_evidence_of_bridge_sampling_by_their_names():
    model, data = separated()
    found = scored(model, data)
    truth = bridge.score(model, data, bridge.Settings(n_starts=8, max_draws=500), Stream(1))["bridge_sampling"]
    assert truth.trusted
    assert found.trusted
    whole = found.log_evidence + lgamma(3) - found.diagnostics["log_alike"]
    assert whole == pytest.approx(truth.log_evidence, abs=4 * truth.standard_error + 0.05)
    assert abs(found.log_evidence - truth.log_evidence) > 0.5  # one name of two


def test_classes_without_a_row_are_alike():
    model, data = separated()
    more = FiniteMixture(4, model.items, 0.001)
    design = Design.of(more, data)
    begun = starts(more, design, Stream(0), 8)
    fits = [climb(more, design, start, max_iterations=3000, tolerance=1e-9) for start in begun]
    alike = [log_alike(fit) for fit in fits]
    n_empty = [int((fit.sums.cases < 0.5).sum()) for fit in fits]
    assert {0, 2} <= set(n_empty)
    assert alike == pytest.approx([lgamma(1 + n) for n in n_empty])


def test_where_the_point_is_no_maximum_there_is_no_value():
    """EM that has taken one step."""
    values = []
    for seed in range(10):
        model, data = mixture(3), small_table(mixture(3), seed, 8)
        found = scored(model, data, seed, n_starts=1, max_iterations=1)
        assert found.doubt & Doubt.NOT_CONVERGED
        assert bool(found.doubt & Doubt.NOT_A_MODE) == np.isnan(found.log_evidence)
        values.append(found.log_evidence)
    assert np.isnan(values).any()
    assert np.isfinite(values).any()


def test_the_fit_is_that_of_em():
    model, data = separated()
    one = em.score(model, data, em.Settings(), Stream(1))["map"]
    assert scored(model, data).diagnostics["n_iterations"] == one.diagnostics["n_iterations"]


def test_a_hessian_that_is_too_large_is_refused():
    model = FiniteMixture(100, {"x": Categorical(100)})
    data = MixedRows.of([[0.0], [1.0]], model.items)
    with pytest.raises(ModelError, match="Hessian of 9999 parameters takes 800 MB; the limit is 5000"):
        scored(model, data)
    with pytest.raises(ModelError, match="Hessian of 9999"):
        laplace.check(model, 2, laplace.Settings())
