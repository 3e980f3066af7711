"""Every scorer of networks keeps its promise where cells are missing, of whatever variables.

Source of truth: the evidence of complete data, summed over all fillings of the missing cells. A scorer that is
registered must be compared with it. Cells that were filled in with the most common values must be noticed.
"""

from itertools import product

import numpy as np
import pytest
from reference.network_cases import observed_cardinalities
from scipy.special import logsumexp

import ockham
from ockham import families
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.completions import log_evidence
from ockham.networks.inference.likelihoods import log_likelihoods
from ockham.streams import Stream

SCORERS = {name: families.scorer("discrete_network", name) for name in families.scorer_names("discrete_network")}
build = DiscreteNetwork.build
NETWORKS = {
    "a hidden variable below an observed one": build(
        {"a": 2, "h": 2, "b": 3, "c": 2}, {"h": ["a"], "b": ["a", "h"], "c": ["b", "h"]}, ["h"], {"b": 1.5}
    ),
    "nothing hidden": build({"a": 2, "b": 3, "c": 2}, {"b": ["a"], "c": ["b", "a"]}, prior=1.2),
    "two hidden variables": build(
        {"g": 2, "h": 2, "x": 3, "y": 2, "z": 2}, {"x": ["g", "h"], "y": ["h"], "z": ["y", "g"]}, ["g", "h"], prior=1.3
    ),
}
UNBIASED = {
    "ais_completions": {},
    "ais_from_vb": {"n_starts": 16, "n_steps": 256},
    "ais": {"n_steps": 20_000, "strength": 20.0},
    "bridge": {"n_starts": 16, "n_chains": 4, "n_draws": 400, "error": 0.03},
    "candidate": {"n_sweeps": 4000, "n_starts": 4},
    "smc": {"n_states": 20},
    "tempered_smc": {"n_starts": 16, "n_draws": 500},
}
N_RUNS = {"ais": 60, "ais_completions": 30, "ais_from_vb": 2, "bridge": 2, "candidate": 3, "smc": 2, "tempered_smc": 2}


def rows_of(network, n=7, seed=4):
    """Rows from a draw of the prior, some without a cell, and one without any."""
    rng = np.random.default_rng(seed)
    rows = draw(network, np.exp(sample_log(network, rng)), n, rng)[:, network.observed]
    rows[[1, 3, 4], [0, 1, 0]] = -1
    rows[5, 1:] = -1
    return np.concatenate([rows, np.full((1, rows.shape[1]), -1)])


def truth(network, rows):
    rows, cardinalities = rows[(rows >= 0).any(axis=1)].copy(), observed_cardinalities(network)
    gaps, values = tuple(np.argwhere(rows == -1).T), []
    for states in product(*(range(cardinalities[column]) for column in gaps[1])):
        rows[gaps] = states
        values.append(log_evidence(network, UniqueRows.of(rows, cardinalities)))
    return logsumexp(values)


def imputed(rows):
    return np.where(rows == -1, [np.bincount(column[column >= 0]).argmax() for column in rows.T], rows)


def score(scorer, network, rows, settings=None, seed=1):
    data = UniqueRows.of(rows, observed_cardinalities(network), missing=True)
    return SCORERS[scorer].score(network, data, SCORERS[scorer].Settings(**settings or {}), Stream(seed, scorer))


networks = pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS.keys())


@networks
def test_exact_is_exact(network):
    rows = rows_of(network)
    assert score("exact", network, rows)["exact"].log_evidence == pytest.approx(truth(network, rows), abs=1e-10)


BOUNDED = {
    name: [label for label, about in module.ESTIMATES.items() if about.bound == "lower"]
    for name, module in SCORERS.items()
}


@networks
@pytest.mark.parametrize("scorer", [name for name, bounds in BOUNDED.items() if bounds])
def test_lower_bounds_are_below(network, scorer):
    rows = rows_of(network)
    exact, few, many = truth(network, rows), rows[:6], np.repeat(rows, 4, axis=0)
    for seed in range(4):
        found = score(scorer, network, rows, seed=seed)
        assert all(exact - 30 < found[name].log_evidence <= exact + 1e-9 for name in BOUNDED[scorer])
    above_few = truth(network, few)
    assert all(score(scorer, network, few)[name].log_evidence <= above_few + 1e-9 for name in BOUNDED[scorer])
    assert all(score(scorer, network, many)[name].log_evidence < exact for name in BOUNDED[scorer])


@networks
def test_variational_bayes_from_cheeseman_stutz_is_not_below_it(network):
    rows = np.tile(rows_of(network), (5, 1))
    for seed in range(4):
        from_cs = score("vb_from_cs", network, rows, seed=seed)["variational_bayes_from_cs"]
        assert from_cs.log_evidence >= score("em", network, rows, seed=seed)["cheeseman_stutz"].log_evidence - 1e-9


def deviation(scorer, network, rows, exact):
    """Of what some runs say together, by the first of their estimates, from the truth, in standard errors."""
    found = ockham.score(network, rows, scorer, runs=N_RUNS[scorer], **UNBIASED[scorer])
    evidence = next(iter(found.values()))
    assert evidence.standard_error < 0.5
    return (evidence.log_evidence - exact) / evidence.standard_error


@networks
@pytest.mark.parametrize("scorer", UNBIASED)
def test_estimates_are_right_within_their_error(network, scorer):
    rows = rows_of(network)
    assert abs(deviation(scorer, network, rows, truth(network, rows))) < 4


@pytest.mark.parametrize("scorer", UNBIASED)
def test_the_check_notices_cells_that_are_imputed(scorer):
    network = NETWORKS["a hidden variable below an observed one"]
    rows = rows_of(network)
    exact = truth(network, rows)
    assert abs(deviation(scorer, network, imputed(rows), exact)) > 4
    assert abs(score("exact", network, imputed(rows))["exact"].log_evidence - exact) > 1


def test_every_scorer_is_checked_here():
    compared_with_exact = {"exact", *UNBIASED, *(name for name, bounds in BOUNDED.items() if bounds)}
    assert {*SCORERS} - compared_with_exact == {"laplace", "laplace_sum", "wbic", "sbic"}


@networks
def test_wbic_is_the_mean_log_likelihood_of_tempered_draws_of_the_prior(network):
    """Of one temperature; a row without any cell counts in n, and nowhere else."""
    rows, rng = np.repeat(rows_of(network), 2, axis=0), np.random.default_rng(3)
    draws = np.array([sample_log(network, rng) for _ in range(100_000)])

    def apart(given):
        data = UniqueRows.of(rows, observed_cardinalities(network), missing=True)
        logs = log_likelihoods(network, data, draws)
        weights = np.exp((logs - logs.max()) / np.log(len(rows)))
        mean = weights @ logs / weights.sum()
        error = np.sqrt(weights**2 @ (logs - mean) ** 2) / weights.sum()
        found = score("wbic", network, given, {"error": 0.05})["wbic"]
        assert found.trusted
        return (found.log_evidence - mean) / np.hypot(found.diagnostics["monte_carlo_error"], error)

    assert abs(apart(rows)) < 4
    assert abs(apart(imputed(rows))) > 4


def test_the_singular_bic_is_of_the_likelihood_of_what_is_there():
    network = NETWORKS["two hidden variables"]
    rows, n = rows_of(network), 8
    fits = [score("em_ml", network, given)["maximum_likelihood"].log_evidence for given in (rows, imputed(rows))]
    found = score("sbic", network, rows)
    dimension = found["sbic"].diagnostics["effective_dimension"]
    assert found["bic_effective"].log_evidence == pytest.approx(fits[0] - dimension / 2 * np.log(n), abs=1e-3)
    assert abs(fits[0] - fits[1]) > 0.5


def test_laplace_approaches_the_evidence():
    """With few gaps and nothing hidden the exact sum reaches large n, where Laplace's error is of order 1 / n."""
    network, rng = NETWORKS["nothing hidden"], np.random.default_rng(9)
    parameters = np.exp(sample_log(network, rng, np.full(network.n_entries, 8.0)))
    states = draw(network, parameters, 2000, rng)
    errors = []
    for n in (100, 2000):
        rows = states[:n].copy()
        rows[[3, 40, 41, 77], [0, 1, 0, 2]] = -1
        exact = score("exact", network, rows)["exact"].log_evidence
        errors.append(abs(score("laplace", network, rows, {"tolerance": 1e-10})["laplace"].log_evidence - exact))
        assert abs(score("exact", network, imputed(rows))["exact"].log_evidence - exact) > 0.5
    assert errors[1] < 0.1
    assert errors[1] < errors[0] / 4


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_order_of_rows_does_not_matter(scorer):
    network = NETWORKS["a hidden variable below an observed one"]
    rows, settings = rows_of(network), UNBIASED.get(scorer, {})
    found = score(scorer, network, rows, settings)
    again = score(scorer, network, rows[::-1], settings)
    assert [one.log_evidence for one in found.values()] == [one.log_evidence for one in again.values()]


@pytest.mark.filterwarnings("ignore:bicp?. unknown")  # below Cheeseman-Stutz
@pytest.mark.parametrize("scorer", ["exact", "em", "vb"])
def test_what_stands_for_a_missing_cell(scorer):
    network = NETWORKS["nothing hidden"]
    rows = rows_of(network)
    kinds = [rows, rows.tolist(), np.where(rows == -1, np.nan, rows), np.ma.masked_equal(rows, -1)]
    values = [[one.log_evidence for one in ockham.score(network, kind, scorer).values()] for kind in kinds]
    assert all(value == values[0] for value in values)


def test_the_number_of_rows_is_that_of_all_rows():
    """BIC's n has rows without a value, too."""
    network = NETWORKS["nothing hidden"]
    rows = rows_of(network)
    found = score("em", network, rows)
    penalty = found["map"].log_evidence - found["bic"].log_evidence
    assert penalty == pytest.approx(network.n_parameters / 2 * np.log(8), rel=1e-12)


def test_the_evidence_of_a_table_with_gaps():
    network = NETWORKS["a hidden variable below an observed one"]
    rows = rows_of(network)
    found = ockham.evidence(network, rows, seconds=60)
    assert str(found).endswith("(exact)")
    assert found.log_evidence == pytest.approx(truth(network, rows), abs=1e-10)
