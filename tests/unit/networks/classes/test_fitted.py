"""Claim: what is said of sizes and memberships is the posterior, and of rows the posterior's predictions.

Truth: sums over every assignment of the rows of tiny data to classes, cells missing among them; a wrong prior must be
noticed. Whatever is not known is NaN and has a reason.
"""

import signal
import threading
import warnings
from dataclasses import replace

import numpy as np
import pytest
from reference.classes import enumerate_posterior, simulate, z_scores
from scipy.special import betainc, logsumexp

from ockham.api.fitting import fit_classes
from ockham.contracts import Doubt
from ockham.errors import ConfigError, DataError, ModelError, OckhamWarning
from ockham.networks.classes import fitted, sampling
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference.completions import log_evidence
from ockham.networks.structure_space import naive_bayes
from ockham.table_results.fitted import memberships

ROWS = np.array([[0, 1, 2], [0, 1, 1], [1, 0, 0], [-1, 0, 0], [1, -1, 2], [0, 1, 1], [-1, -1, -1]])
ALIKE = naive_bayes([2], [2, 2, 3], 0.8)["classes-2"]
TOLD_APART = replace(ALIKE, prior=np.random.default_rng(4).gamma(2.0, size=ALIKE.n_entries))
OTHER_PRIOR = replace(ALIKE, prior=3 * TOLD_APART.prior)
THREE = naive_bayes([3], [2] * 6)["classes-3"]
PROFILES = [[0.95] * 6, [0.05] * 6, [0.95] * 3 + [0.05] * 3]


def fit(network, rows, **arguments):
    """Tiny data leave much unknown."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)
        return fit_classes(network, rows, **arguments)


@pytest.fixture(scope="module")
def told_apart():
    return fit(TOLD_APART, ROWS, n_draws=4000)


@pytest.fixture(scope="module")
def alike():
    return fit(ALIKE, ROWS, n_draws=4000)


@pytest.fixture(scope="module")
def three():
    rows, classes = simulate([0.5, 0.3, 0.2], PROFILES, 400, np.random.default_rng(5))
    return fit_classes(THREE, rows, labels={"y1": ["no", "yes"]}), rows, classes


def sizes_of(found):
    return np.exp(found.model.log_sizes(found.draws))


def test_sizes_are_those_of_every_assignment(told_apart):
    z = z_scores(sizes_of(told_apart), enumerate_posterior(TOLD_APART, ROWS.tolist()).mean_sizes())
    assert np.abs(z).max() < 4
    np.testing.assert_allclose(told_apart.sizes.mean, sizes_of(told_apart).mean(axis=(0, 1)))


def test_another_prior_is_noticed(told_apart):
    z = z_scores(sizes_of(told_apart), enumerate_posterior(OTHER_PRIOR, ROWS.tolist()).mean_sizes())
    assert np.abs(z).max() > 4


def test_counts_without_a_prior_are_noticed(told_apart):
    shares = enumerate_posterior(TOLD_APART, ROWS.tolist()).mean(lambda counts: counts / counts.sum())
    assert np.abs(z_scores(sizes_of(told_apart), shares)).max() > 4


def test_the_larger_of_two_sizes_is_that_of_every_assignment(alike):
    """Whatever the labels: the mean of max(x, 1 - x) under a Beta distribution for each assignment."""

    def larger(counts):
        a, b = 0.8 + counts
        return (a * (1 - betainc(a + 1, b, 0.5)) + b * betainc(a, b + 1, 0.5)) / (a + b)

    truth = enumerate_posterior(ALIKE, ROWS.tolist()).mean(larger)
    assert abs(z_scores(sizes_of(alike).max(axis=2), truth)[0]) < 4


def test_memberships_are_those_of_every_assignment(told_apart):
    joint = told_apart.model.log_joint(ROWS, told_apart.draws.reshape(-1, TOLD_APART.n_entries))
    each = np.exp(joint - logsumexp(joint, axis=2, keepdims=True)).reshape(*told_apart.draws.shape[:2], len(ROWS), 2)
    truth = enumerate_posterior(TOLD_APART, ROWS.tolist()).memberships()
    assert np.abs(z_scores(each, truth)).max() < 4
    assert np.abs(z_scores(each, enumerate_posterior(OTHER_PRIOR, ROWS.tolist()).memberships())).max() > 4
    np.testing.assert_allclose(told_apart.memberships.probabilities, each.mean(axis=(0, 1)), rtol=1e-9)


def test_rows_are_of_one_class_as_often_as_in_every_assignment(alike):
    joint = alike.model.log_joint(ROWS, alike.draws.reshape(-1, ALIKE.n_entries))
    each = np.exp(joint - logsumexp(joint, axis=2, keepdims=True))
    together = np.einsum("tik,tjk->tij", each, each).reshape(*alike.draws.shape[:2], len(ROWS), len(ROWS))
    i, j = np.triu_indices(len(ROWS), 1)
    truth = enumerate_posterior(ALIKE, ROWS.tolist()).together()
    assert np.abs(z_scores(together[:, :, i, j], truth[i, j])).max() < 4


def test_what_a_row_adds_is_predicted(told_apart):
    """p(y | D) = p(y, D) / p(D), each a sum over completions."""
    new = np.array([[0, 1, 2], [1, 0, 0], [-1, 0, 1]])
    evidence = [
        log_evidence(TOLD_APART, UniqueRows.of(rows, [2, 2, 3], missing=True))
        for rows in (ROWS, *(np.concatenate([ROWS, row[None]]) for row in new))
    ]
    each = np.exp(
        logsumexp(told_apart.model.log_joint(new, told_apart.draws.reshape(-1, TOLD_APART.n_entries)), axis=2)
    )
    truth = np.exp(np.array(evidence[1:]) - evidence[0])
    assert np.abs(z_scores(each.reshape(*told_apart.draws.shape[:2], -1), truth)).max() < 4
    np.testing.assert_allclose(told_apart.log_predictive(new), np.log(each.mean(axis=0)), rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_probability_of_a_row_that_few_draws_know_is_unknown(seed):
    """All ones after thirty rows of zeros. Truth of the others: the evidence with and without the row."""
    network, zeros = naive_bayes([2], [2] * 20)["classes-2"], np.zeros((30, 20), dtype=int)
    near, far = np.eye(1, 20, dtype=int), np.ones((1, 20), dtype=int)
    found = fit(network, zeros, seed=seed)
    evidence = [log_evidence(network, UniqueRows.of(rows, [2] * 20)) for rows in (zeros, np.concatenate([zeros, near]))]
    known, unknown = found.log_predictive(np.concatenate([near, far]))
    assert known == pytest.approx(evidence[1] - evidence[0], abs=0.1)
    assert np.isnan(unknown)


def test_frequencies_are_rows_so_many_times():
    rows, _ = simulate([0.6, 0.4], PROFILES[:2], 60, np.random.default_rng(6))
    network = naive_bayes([2], [2] * 6)["classes-2"]
    given, distinct = fit(network, rows), fit(network, UniqueRows.of(rows, [2] * 6))
    np.testing.assert_array_equal(given.draws, distinct.draws)
    assert given.memberships.relative_entropy == pytest.approx(distinct.memberships.relative_entropy)
    np.testing.assert_allclose(given.memberships.average_probability, distinct.memberships.average_probability)
    assert distinct.memberships.counts.sum() == len(given.memberships.counts) == 60


def test_classes_of_a_further_row_are_those_given_the_data_and_the_row(told_apart):
    """Truth: every assignment of the data and the row. The mean over draws that have not seen the row is another."""
    of_mean = []
    for row in ([0, 1, 2], [1, 0, 0], [-1, 0, 1]):
        truth = enumerate_posterior(TOLD_APART, [*ROWS.tolist(), row]).memberships()[-1]
        joint = np.exp(told_apart.model.log_joint(np.array([row]), told_apart.points)[:, 0])
        weights = joint.sum(axis=1, keepdims=True)
        chains = (*told_apart.draws.shape[:2], 2)
        assert np.abs(z_scores((joint - truth * weights).reshape(chains), 0.0)).max() < 4
        of_mean.append(np.abs(z_scores((joint / weights).reshape(chains), truth)).max())
        expected = joint.sum(axis=0) / joint.sum()
        np.testing.assert_allclose(told_apart.predict([row]).probabilities[0], expected, rtol=1e-9)
    assert max(of_mean) > 4


def test_a_row_that_hardly_a_draw_knows_has_no_class(three, monkeypatch):
    found, rows, _ = three
    assert np.isfinite(found.predict(rows).probabilities).all()
    monkeypatch.setattr(memberships, "FEWEST_DRAWS", len(found.points) * 0.999)
    predicted = found.predict(np.concatenate([rows, np.full((1, 6), -1)]))
    assert np.isnan(predicted.probabilities[:-1]).any()
    assert np.isfinite(predicted.probabilities[-1]).all()  # of no cells all draws know as much


def test_every_row_is_predicted_by_itself(three):
    found, rows, _ = three
    expected = found.predict(rows).probabilities
    for part in (slice(None), slice(None, None, -1), slice(7)):
        np.testing.assert_allclose(found.predict(rows[part]).probabilities, expected[part], rtol=1e-9)


def test_three_classes_are_recovered(three):
    found, _, classes = three
    assert found.trusted
    np.testing.assert_allclose(found.sizes.mean, [0.5, 0.3, 0.2], atol=0.1)
    assert (np.diff(found.sizes.mean) < 0).all()
    profiles = np.stack([summary.mean[:, 1] for summary in found.profiles.values()], axis=1)
    np.testing.assert_allclose(profiles, PROFILES, atol=0.1)
    memberships = found.memberships
    assert (memberships.assigned == classes + 1).mean() > 0.95
    assert memberships.relative_entropy > 0.9
    assert (memberships.average_probability > 0.9).all()


def test_a_row_without_cells_has_the_sizes(three):
    found, _, _ = three
    np.testing.assert_allclose(found.predict(np.full((1, 6), np.nan)).probabilities[0], found.sizes.mean)


def test_one_class_is_items_alone():
    found = fit_classes(naive_bayes([1], [2, 3])["classes-1"], [[0, 2], [1, 1], [0, 2]])
    assert found.trusted
    assert found.sizes.mean.tolist() == [1.0]
    np.testing.assert_allclose(found.profiles["y2"].mean[0], [1 / 6, 2 / 6, 3 / 6], atol=0.03)
    assert (found.memberships.assigned == 1).all()


def test_classes_that_chains_differ_about_are_unknown(monkeypatch):
    """One mode with the classes of one half of the items, and one with those of the other half."""
    rows = np.array([[a] * 5 + [b] * 5 for a in (0, 1) for b in (0, 1)] * 30)
    network = naive_bayes([2], [2] * 10)["classes-2"]
    with pytest.warns(OckhamWarning, match="the chains differ, as if they kept to different modes"):
        found = fit_classes(network, rows)
    assert not found.trusted
    assert found.doubt & Doubt.NOT_MIXED
    assert np.isnan(found.sizes.mean).all()
    assert np.isnan(found.memberships.probabilities).all()
    assert (found.memberships.assigned == 0).all()
    right = sampling.starts

    def one_mode(*arguments):
        start = right(*arguments)
        return replace(start, modes=start.modes[:1])

    monkeypatch.setattr(sampling, "starts", one_mode)  # so it is the modes that they differ about
    assert fit_classes(network, rows).trusted


def test_classes_to_spare_are_unknown_and_the_others_are_not():
    rows, _ = simulate([0.6, 0.4], PROFILES[:2], 300, np.random.default_rng(7))
    with pytest.warns(OckhamWarning, match="classes 3 and 4: labels switch too often"):
        found = fit_classes(naive_bayes([4], [2] * 6)["classes-4"], rows)
    assert found.known.tolist() == [True, True, False, False]
    assert not found.doubt
    assert np.isnan(found.sizes.mean).tolist() == np.isnan(found.profiles["y1"].lower[:, 0]).tolist()
    assert set(found.memberships.assigned) == {1, 2}
    assert np.isnan(found.memberships.relative_entropy)
    assert np.isfinite(found.log_predictive(rows)).all()


def test_a_mode_that_starts_seldom_lead_to_is_doubted(monkeypatch):
    rows, _ = simulate([0.6, 0.4], PROFILES[:2], 100, np.random.default_rng(7))
    start = sampling.starts
    monkeypatch.setattr(sampling, "starts", lambda *arguments: replace(start(*arguments), share_missing=0.9))
    with pytest.warns(OckhamWarning, match="there may be better ones"):
        found = fit_classes(naive_bayes([2], [2] * 6)["classes-2"], rows)
    assert found.doubt == Doubt.NOT_MIXED


def test_the_same_seed_gives_the_same_draws():
    rows, _ = simulate([0.6, 0.4], PROFILES[:2], 40, np.random.default_rng(8))
    first, same, other = (fit(naive_bayes([2], [2] * 6)["classes-2"], rows, seed=s, n_draws=100) for s in (1, 1, 2))
    np.testing.assert_array_equal(first.draws, same.draws)
    assert not (first.draws == other.draws).any()


def test_ctrl_c_is_heard_while_a_kernel_computes(monkeypatch):
    begun, stop = threading.Event(), threading.Event()

    def deaf(*arguments):
        begun.set()
        stop.wait()

    def press():
        begun.wait()
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(sampling, "starts", deaf)
    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        fit_classes(THREE, [[0] * 6])
    assert not stop.is_set()
    stop.set()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_draws": 10}, ConfigError, "n_draws: 10 must be an integer of at least 100"),
        ({"n_chains": 1}, ConfigError, "n_chains: 1 must be an integer of at least 2"),
        ({"seed": -1}, ConfigError, "seed"),
        ({"n_draws": 10**6, "n_chains": 256}, ModelError, "take fewer n_chains or n_draws"),
        ({"model": naive_bayes([21], [2])["classes-21"], "data": [[0]]}, ModelError, "21 values"),
        ({"data": [[0, 2] + [0] * 4]}, DataError, "the data: row 0, column 1 holds state 2"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(arguments, error, message, monkeypatch):
    monkeypatch.setattr(fitted, "_fit", None)
    with pytest.raises(error, match=message):
        fit_classes(**({"model": THREE, "data": [[0] * 6]} | arguments))


def test_rows_with_states_that_an_item_does_not_have_are_refused(three):
    found, _, _ = three
    for ask in (found.predict, found.log_predictive):
        with pytest.raises(DataError, match="rows: row 1, column 3 holds state 2; the model allows 0 to 1"):
            ask([[0] * 6, [0, 0, 0, 2, 0, 0]])
    with pytest.raises(ConfigError, match="n_replicates"):
        found.check(n_replicates=1)
