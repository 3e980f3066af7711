"""Claim: annealing over the classes of rows is unbiased for the evidence, and its error is how far it is off.

Source of truth: the sum over all set partitions, which .3 nats more is not. Without temperatures between the ends the
weights spread; half of the error, or twice as much, would not pass.
"""

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, small_table

from ockham.contracts import Doubt
from ockham.errors import ModelError
from ockham.estimation import completion_annealing
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Categorical, Gaussian
from ockham.mixtures.scorers import ais_completions, exact, smc
from ockham.streams import Stream

NAME = "ais_completions"


def truth_of(model, data):
    return exact.score(model, data, exact.Settings(), Stream(1))["exact"].log_evidence


def score(model, data, seed=1, **settings):
    return ais_completions.score(model, data, ais_completions.Settings(**settings), Stream(seed))[NAME]


def deviations(model, data, truth, n_steps, n_runs=400):
    """How far the mean of the weights is from the truth, in its standard errors, and their coefficient of variation."""
    found = [score(model, data, run, n_chains=1, n_steps=n_steps).log_evidence for run in range(n_runs)]
    ratios = np.exp(np.array(found) - truth)
    return (ratios.mean() - 1) / (ratios.std(ddof=1) / np.sqrt(n_runs)), ratios.std() / ratios.mean()


@pytest.mark.parametrize("items", [*({name: item} for name, item in ITEMS.items()), ITEMS], ids=[*ITEMS, "all"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_mean_weight_is_the_evidence(items, n_classes):
    model = mixture(n_classes, items=items)
    data = small_table(model, 2, 8)
    truth = truth_of(model, data)
    assert abs(deviations(model, data, truth, 64)[0]) < 4
    assert abs(deviations(model, data, truth + 0.3, 64)[0]) > 4


def test_without_temperatures_between_the_ends_weights_spread(monkeypatch):
    model, data = mixture(3), small_table(mixture(3), 1, 10)
    truth = truth_of(model, data)
    assert deviations(model, data, truth, 256)[1] < 1
    monkeypatch.setattr(completion_annealing, "nonlinear_schedule", lambda n, _: np.append(np.zeros(n), 1.0))
    assert deviations(model, data, truth, 256)[1] > 2


SPARSE = FiniteMixture(2, {f"y{j}": Categorical(2, 0.02) for j in range(3)}, 1.0)
CLUSTERS = FiniteMixture(3, {"x": Gaussian(0.0, 1.0)}, 0.01)


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (SPARSE, [[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 0], [1, 1, 1]]),
        (CLUSTERS, [[-4.0], [-4.1], [4.0], [4.1], [3.9], [0.2]]),
        (mixture(3), None),
    ],
    ids=["sparse items", "sparse classes", "all items"],
)
def test_the_error_is_how_far_the_mean_is_from_the_truth(model, rows):
    data = small_table(model, 1, 10) if rows is None else MixedRows.of(rows, model.items)
    truth = truth_of(model, data)
    found = [score(model, data, seed, n_chains=16, n_steps=1024) for seed in range(60)]
    assert all(each.doubt == model.doubt_of_completions for each in found)
    squares = np.array([((each.log_evidence - truth) / each.standard_error) ** 2 for each in found])
    assert abs(np.sqrt(squares.mean()) - 1) < 0.35


def test_few_steps_are_doubted_not_believed():
    data = small_table(mixture(3), 1, 40)
    assert score(mixture(3), data, n_chains=16, n_steps=1).doubt == Doubt.FEW_EFFECTIVE_SAMPLES


def test_with_one_class_or_no_value_it_is_exact():
    data = small_table(mixture(1), 1, 12)
    assert score(mixture(1), data, n_steps=3).log_evidence == pytest.approx(truth_of(mixture(1), data), abs=1e-9)
    nothing = MixedRows.of(np.full((3, len(ITEMS)), np.nan), ITEMS, empty=True)
    assert score(mixture(3), nothing, n_steps=3).log_evidence == pytest.approx(0.0, abs=1e-12)


def test_more_rows_than_are_allowed_are_refused():
    with pytest.raises(ModelError, match="takes 12 rows one after another; 11 are allowed"):
        score(mixture(2), small_table(mixture(2), 1, 12), max_rows=11)


@pytest.mark.parametrize(("prior", "doubted"), [(0.05, False), (0.049, True)])
@pytest.mark.parametrize("scorer", [ais_completions, smc])
def test_priors_under_which_few_rows_may_have_a_class_for_themselves_are_doubted(scorer, prior, doubted):
    model = mixture(2, items={"category": Categorical(3, prior)})
    data = MixedRows.of(np.array([[0.0]] * 6 + [[1.0]]), model.items)
    (found,) = scorer.score(model, data, scorer.Settings(), Stream(1)).values()
    assert bool(found.doubt & Doubt.NOT_MIXED) is bool(scorer.doubted(model)) is doubted
