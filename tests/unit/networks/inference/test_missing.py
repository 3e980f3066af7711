"""Missing cells of variables without children, which sum to 1 by themselves.

Source of truth: the joint probability of the class and what is there of a row, with the other features left out; and,
for the evidence, that a variable which is always missing changes nothing.
"""

import numpy as np
import pytest
from reference.network import rows_of_cells

from ockham import families
from ockham.errors import DataError
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import em, gibbs, variational_em
from ockham.networks.inference.information import ObservedInformation
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

CARDINALITIES = [2, 3, 2, 4]
NETWORK = naive_bayes([3], CARDINALITIES, 0.8)["classes-3"]
RNG = np.random.default_rng(11)
DATA = RNG.integers(0, CARDINALITIES, size=(14, 4))
DATA[RNG.random(DATA.shape) < 0.3] = -1
PARAMETERS = np.concatenate([RNG.dirichlet(np.ones(len(row))) for row in rows_of_cells(NETWORK)])


def joint(row):
    """p(class, row) with the missing features left out."""
    p = NETWORK.family(0, PARAMETERS)[0].copy()
    for i, state in enumerate(row, start=1):
        if state >= 0:
            p *= NETWORK.family(i, PARAMETERS)[:, state]
    return p


def unique(data=DATA):
    return UniqueRows.of(data, CARDINALITIES, missing=True)


@pytest.mark.parametrize("many", [False, True], ids=["halves", "groups"])
def test_likelihood_and_counts_leave_missing_cells_out(many):
    network, data, parameters = NETWORK, DATA, PARAMETERS
    if many:  # every feature five times, so that factors go in groups
        network = naive_bayes([3], CARDINALITIES * 5, 0.8)["classes-3"]
        data = np.tile(DATA, 5)
        parameters = np.concatenate([PARAMETERS[:3], *[PARAMETERS[3:]] * 5])
    fit = em.init(
        network,
        UniqueRows.of(data, CARDINALITIES * (5 if many else 1), missing=True),
        np.log(parameters),
        network.prior,
    )
    power = 5 if many else 1
    p = [joint(row) / NETWORK.family(0, PARAMETERS)[0] for row in DATA]
    p = [NETWORK.family(0, PARAMETERS)[0] * q**power for q in p]
    assert fit.log_likelihood == pytest.approx(sum(np.log(q.sum()) for q in p), rel=1e-12)
    counts = np.zeros_like(PARAMETERS)
    for q, row in zip(p, DATA, strict=True):
        NETWORK.family(0, counts)[0] += q / q.sum()
        for i, state in enumerate(row, start=1):
            if state >= 0:
                NETWORK.family(i, counts)[:, state] += q / q.sum()
    np.testing.assert_allclose(fit.counts[: len(counts)], counts, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("many", [False, True], ids=["halves", "groups"])
def test_a_row_without_any_cell_has_probability_one_where_nothing_is_hidden(many):
    cardinalities = CARDINALITIES * (5 if many else 1)
    network = naive_bayes([1], cardinalities)["classes-1"]
    data = np.tile(DATA, 5 if many else 1)
    log_parameters = np.log(np.repeat(1 / np.array(cardinalities), cardinalities))
    without, some = (
        em.init(network, UniqueRows.of(rows, cardinalities, missing=True), log_parameters, network.prior)
        for rows in (data, np.r_[data, np.full((3, len(cardinalities)), -1)])
    )
    assert some.log_likelihood == pytest.approx(without.log_likelihood, rel=1e-12)
    np.testing.assert_allclose(some.counts, without.counts, rtol=1e-12)


@pytest.mark.parametrize("scorer", sorted({*families.scorer_names("discrete_network")} - {"ais", "candidate"}))
def test_a_feature_that_is_always_missing_changes_nothing(scorer):
    """But for BIC, its relative and Laplace, which have its parameters, and CS ML, whose point is not unique."""
    wide = naive_bayes([3], [*CARDINALITIES, 3], 0.8)["classes-3"]
    module = families.scorer("discrete_network", scorer)
    settings = module.Settings()
    if "n_starts" in type(settings).model_fields:
        settings = type(settings)(n_starts=64)
    small, large = (
        UniqueRows.of(DATA[:8], CARDINALITIES, missing=True),
        UniqueRows.of(np.c_[DATA, np.full(len(DATA), -1)][:8], [*CARDINALITIES, 3], missing=True),
    )
    found = module.score(NETWORK, small, settings, Stream(3))
    padded = module.score(wide, large, settings, Stream(3))
    for name in found:
        if not name.startswith(("bic", "sbic", "laplace", "cheeseman_stutz_ml")):
            both = found[name], padded[name]  # WBIC, an approximation, has the error of its sampling elsewhere
            errors = [each.diagnostics.get("monte_carlo_error", each.standard_error) for each in both]
            tolerance = 2e-4 if np.isnan(errors).any() else 4 * np.hypot(*errors)
            assert padded[name].log_evidence == pytest.approx(found[name].log_evidence, abs=tolerance), name


def test_the_information_of_missing_cells_is_that_of_finite_differences():
    free = np.setdiff1d(np.arange(NETWORK.n_entries), NETWORK.row_starts[:-1])

    def objective(shift):
        log_theta = np.log(PARAMETERS)
        log_theta[free] += shift
        total = np.add.reduceat(np.exp(log_theta), NETWORK.row_starts[:-1])
        return em.init(NETWORK, unique(), log_theta - np.log(total)[NETWORK.rows], NETWORK.prior).objective

    found = ObservedInformation(NETWORK, unique(), np.log(PARAMETERS)).whole()
    step, k = 1e-4, len(free)
    for i, j in [(0, 0), (0, 3), (2, 5), (4, 4), (k - 1, 1), (7, 7)]:
        a, b = np.eye(k)[i] * step, np.eye(k)[j] * step
        second = (objective(a + b) - objective(a - b) - objective(b - a) + objective(-a - b)) / (4 * step**2)
        assert found[i, j] == pytest.approx(-second, rel=1e-4, abs=1e-5)


def test_gibbs_and_variational_em_count_what_is_there():
    known = (DATA >= 0).sum(axis=0)
    chain = gibbs.run(NETWORK, unique(), np.log(PARAMETERS), np.random.default_rng(1), 5)
    fit = variational_em.run(NETWORK, unique(), np.log(PARAMETERS), max_iterations=5, tolerance=0.0)
    for counts in (chain.best_counts, fit.counts):
        for i, n in enumerate([len(DATA), *known]):
            assert NETWORK.family(i, counts).sum() == pytest.approx(n, rel=1e-12)


@pytest.mark.parametrize("data", [np.ma.masked_equal([[0, 9], [1, 0]], 9), [[0, np.nan], [1, 0]], [[0, -1], [1, 0]]])
def test_what_stands_for_a_missing_cell(data):
    assert UniqueRows.of(data, [2, 2], missing=True).rows.tolist() == [[0, -1], [1, 0]]
    with pytest.raises(DataError, match=r"missing=True|holds state -1"):
        UniqueRows.of(data, [2, 2])
