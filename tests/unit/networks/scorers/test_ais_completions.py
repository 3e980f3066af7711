"""Claim: annealing over completions is unbiased for the evidence, whatever is hidden or missing; without either, exact.

Truth: the exact evidence, which .3 nats more is not. The error of several chains is that of their mean. Without
temperatures between the ends the weights spread.
"""

import numpy as np
import pytest
from reference.mixed_items import summed
from scipy.special import logsumexp

from ockham.contracts import Doubt
from ockham.errors import ModelError
from ockham.estimation import completion_annealing, pilot_chains
from ockham.estimation.schedules import nonlinear_schedule
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Categorical
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import completions
from ockham.networks.scorers import ais_completions
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

NAME = "ais_completions"
ROWS = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
SPACE = bipartite([2, 2], [2, 2, 2])


def data(*, missing=False):
    rows = ROWS.copy()
    if missing:
        rows.flat[::7] = -1
    return UniqueRows.of(rows, [2] * 3, missing=missing)


def deviations(network, rows, n_steps, truth, n_runs=400):
    """How far the mean of the weights is from the truth, in its standard errors, and their coefficient of variation."""
    settings = ais_completions.Settings(n_chains=1, n_steps=n_steps)
    found = [
        ais_completions.score(network, rows, settings, Stream(1, "run", run))[NAME].log_evidence
        for run in range(n_runs)
    ]
    ratios = np.exp(np.array(found) - truth)
    return (ratios.mean() - 1) / (ratios.std(ddof=1) / np.sqrt(n_runs)), ratios.std() / ratios.mean()


@pytest.mark.parametrize("label", ["12-12-12", "1-12-2", "1-2-12", "1-1-2"])
@pytest.mark.parametrize("missing", [False, True])
def test_the_mean_weight_is_the_evidence(label, missing):
    network, rows = SPACE[label], data(missing=missing)
    truth = completions.log_evidence(network, rows)
    assert abs(deviations(network, rows, 32, truth)[0]) < 4
    assert abs(deviations(network, rows, 32, truth + 0.3)[0]) > 4


def test_one_chain_has_no_error_and_is_the_first_of_several():
    network, rows = SPACE["12-12-12"], data()
    one, several = (
        ais_completions.score(network, rows, ais_completions.Settings(n_chains=n, n_steps=16), Stream(1))[NAME]
        for n in (1, 8)
    )
    rng = Stream(1).child("annealing of completions").generator()
    temperatures = nonlinear_schedule(16, 1.0)
    weights = [completions.log_weight(network, rows, temperatures, rng) for _ in range(8)]
    assert one.log_evidence == weights[0]
    assert np.isnan(one.standard_error)
    assert several.log_evidence == pytest.approx(logsumexp(weights) - np.log(8), abs=1e-12)
    assert several.n_evaluations == 8 * 16


@pytest.mark.parametrize(("prior", "n_states"), [(1.0, 2), (0.05, 2), (0.05, 3), (1e-3, 2)])
def test_the_error_of_chains_is_how_far_their_mean_is_from_the_truth(prior, n_states):
    """Whatever the prior; half of it, or twice as much, would not pass."""
    network = naive_bayes([n_states], [2] * 3, prior=prior)[f"classes-{n_states}"]
    truth = completions.log_evidence(network, data())
    settings = ais_completions.Settings(n_chains=16, n_steps=1024)
    found = [ais_completions.score(network, data(), settings, Stream(2, "run", run))[NAME] for run in range(100)]
    assert all(each.trusted for each in found)
    squares = np.array([((each.log_evidence - truth) / each.standard_error) ** 2 for each in found])
    assert abs(np.sqrt(squares.mean()) - 1) < 0.3


def test_few_steps_are_doubted_not_believed():
    network = naive_bayes([3], [2] * 3, prior=1e-4)["classes-3"]
    settings = ais_completions.Settings(n_chains=16, n_steps=2)
    found = ais_completions.score(network, data(), settings, Stream(1))[NAME]
    assert found.doubt == Doubt.FEW_EFFECTIVE_SAMPLES


def test_without_steps_as_many_are_taken_as_leave_nine_tenths_where_the_pilot_varies_half_as_much(monkeypatch):
    """Log-normal weights of which they are left vary by .32, so these by .16; those of the least number by more."""
    network, rows = SPACE["12-12-12"], data()

    def log_weights(**settings):
        settings = ais_completions.Settings(n_chains=1, **settings)
        runs = [ais_completions.score(network, rows, settings, Stream(1, "run", run))[NAME] for run in range(60)]
        assert len({run.n_evaluations for run in runs}) == 1  # of one pilot for all
        return np.std([run.log_evidence for run in runs], ddof=1), runs[0].n_evaluations

    monkeypatch.setattr(completion_annealing, "LEAST_STEPS", 4)
    spread, cost = log_weights()
    assert 0.1 < spread < 0.22
    least, few = log_weights(n_steps=4)
    assert least > 0.6
    assert cost > 9 * few == 36  # with eight pilot chains


def test_runs_of_one_model_and_data_set_share_a_pilot_and_others_have_their_own(monkeypatch):
    tuned, found = pilot_chains.tuned_steps, []

    def counted(log_weights, *bounds):
        found.append(log_weights(8))
        return tuned(log_weights, *bounds)

    monkeypatch.setattr(pilot_chains, "tuned_steps", counted)
    pilot_chains._found.cache_clear()
    settings = ais_completions.Settings(n_chains=1, max_steps=2048)
    for label, missing in (("12-12-12", False), ("12-12-12", True), ("1-12-2", True)):
        for run in range(3):
            ais_completions.score(SPACE[label], data(missing=missing), settings, Stream(1, "run", run))
    assert len(found) == 3
    assert len({weights[0] for weights in found}) == 3


def test_more_steps_make_the_weights_more_alike():
    network, rows = SPACE["12-12-12"], data()
    truth = completions.log_evidence(network, rows)
    spreads = [deviations(network, rows, n_steps, truth)[1] for n_steps in (8, 64, 512)]
    assert spreads[0] > 1.5 * spreads[1] > 1.5**2 * spreads[2]


def test_complete_data_without_hidden_variables_have_the_exact_evidence():
    network = SPACE["0-0-0"]
    found = ais_completions.score(network, data(), ais_completions.Settings(n_steps=1), Stream(1))[NAME]
    assert found.log_evidence == completions.log_evidence(network, data())


def test_without_temperatures_between_the_ends_weights_spread(monkeypatch):
    """At the temperature 0 all along: every state is drawn anew, none after the data."""
    network, rows = SPACE["12-12-12"], data()
    truth = completions.log_evidence(network, rows)
    monkeypatch.setattr(completion_annealing, "nonlinear_schedule", lambda n, _: np.append(np.zeros(n), 1.0))
    assert deviations(network, rows, 32, truth)[1] > 2


def test_more_completions_than_memory_has_room_for_are_refused_beforehand():
    hidden = [f"s{i}" for i in range(10)]
    network = DiscreteNetwork.build(dict.fromkeys(hidden, 2) | {"y": 6000}, {"y": hidden}, hidden)
    settings = ais_completions.Settings()
    with pytest.raises(ModelError, match=r"6,000 rows, with up to 1,024 ways to complete one: .* GB, 8 are") as before:
        ais_completions.check(network, 6000, settings)
    rows = UniqueRows(np.arange(6000)[:, None], np.ones(6000, dtype=np.int64))
    with pytest.raises(ModelError) as later:
        ais_completions.score(network, rows, settings, Stream(1))
    assert str(later.value) == str(before.value)


def test_more_rows_than_are_allowed_are_refused_beforehand():
    settings = ais_completions.Settings(max_rows=7)
    for refuse in (
        lambda: ais_completions.check(SPACE["12-12-12"], 8, settings),
        lambda: ais_completions.score(SPACE["12-12-12"], data(), settings, Stream(1)),
    ):
        with pytest.raises(ModelError, match="takes 8 rows one after another; 7 are allowed"):
            refuse()


@pytest.mark.parametrize(("n", "prior", "doubted"), [(16, 1e-3, False), (31, 1e-3, True), (31, 0.1, False)])
def test_a_row_that_may_be_alone_in_a_class_is_reached_or_the_value_is_doubted(n, prior, doubted):
    """Truth: the sum over how many rows of each kind are in each class. Of 31 rows the value is confidently wrong."""
    rows, items = np.array([[0, 1]] * (n - 1) + [[2, 0]]), {"x": Categorical(3, prior), "y": Categorical(2, prior)}
    mixture = FiniteMixture(2, items, 100.0)
    truth = summed(mixture, MixedRows.of(rows.astype(float), mixture.items))
    network = DiscreteNetwork.build(
        {"class": 2, "x": 3, "y": 2}, {"x": ["class"], "y": ["class"]}, hidden=["class"],
        prior={"class": 100.0, "x": prior, "y": prior},
    )  # fmt: skip
    settings = ais_completions.Settings(n_chains=64, n_steps=2048)
    found = ais_completions.score(network, UniqueRows.of(rows, [3, 2]), settings, Stream(3))[NAME]
    assert (Doubt.NOT_MIXED in found.doubt) == doubted
    assert (abs(found.log_evidence - truth) > 4 * found.standard_error) == doubted


def test_a_class_that_is_missing_in_every_row_is_doubted_like_a_hidden_one():
    rows = np.column_stack([np.full(31, -1), [[0, 1]] * 30 + [[2, 0]]])
    network = DiscreteNetwork.build(
        {"class": 2, "x": 3, "y": 2}, {"x": ["class"], "y": ["class"]}, prior={"class": 100.0, "x": 1e-3, "y": 1e-3}
    )
    settings = ais_completions.Settings(n_chains=16, n_steps=64)
    for missing, doubted in ((31, True), (0, False)):
        filled = np.where(np.arange(31)[:, None] < missing, rows, np.abs(rows))
        found = ais_completions.score(network, UniqueRows.of(filled, [2, 3, 2], missing=True), settings, Stream(3))
        assert (Doubt.NOT_MIXED in found[NAME].doubt) == doubted
