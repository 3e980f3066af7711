"""Scores of networks say when they are not to be trusted, and are not doubted where they are right.

Sources of truth: a chain too short for as many rows; a start at a saddle; a cap that no fit can keep.
"""

from dataclasses import replace

import numpy as np
import pytest

import ockham
from ockham.contracts import Doubt
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.scorers import bridge, candidate, laplace, tempered_smc, wbic
from ockham.networks.scorers import em as em_scores
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

NETWORK = naive_bayes([2], [2] * 3)["classes-2"]


def table(n, seed=1):
    """Rows in which three columns tell the classes well, but not surely."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, 2, n)
    return np.where(rng.random((n, 3)) < 0.85, classes[:, None], 1 - classes[:, None])


def data(rows):
    return UniqueRows.of(rows, [2] * 3)


def test_a_mean_density_that_one_completion_carries_is_doubted():
    network = bipartite([2, 2], [5] * 4)["1-12-12-2"]
    rows = UniqueRows.of(np.random.default_rng(1).integers(0, 5, (480, 4)), [5] * 4)
    few = candidate.score(network, rows, candidate.Settings(), Stream(1))["candidate"]
    assert few.doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert few.effective_sample_size < 30
    many = candidate.score(NETWORK, data(table(8)), candidate.Settings(), Stream(1))["candidate"]
    assert many.trusted
    assert many.effective_sample_size > 100


ONE_IN_FIFTY = np.where(np.arange(1000) % 50 == 0, 0.0, -50.0)
HALVES = np.repeat([0.0, -5.0], 500)


@pytest.mark.parametrize("log_density", [ONE_IN_FIFTY, HALVES], ids=["few sweeps", "few batches"])
def test_a_mean_density_of_few_sweeps_or_of_few_batches_is_doubted(monkeypatch, log_density):
    """Each where the other looks well: twenty sweeps, one in each batch; ten of the twenty batches."""
    right = candidate.gibbs.run

    def run(*given):
        chain = right(*given)
        return chain if len(given) < 6 else replace(chain, log_density=log_density)

    monkeypatch.setattr(candidate.gibbs, "run", run)
    found = candidate.score(NETWORK, data(table(8)), candidate.Settings(n_chains=1), Stream(1))["candidate"]
    assert found.doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert found.degrees_of_freedom == 19


def test_laplace_at_a_saddle_is_doubted(monkeypatch):
    """Where the classes are alike, expected counts stay alike, and EM stops at once."""
    rows = data(np.concatenate([np.zeros((30, 3), int), np.ones((30, 3), int)]))
    right = laplace.score(NETWORK, rows, laplace.Settings(), Stream(1))
    assert all(evidence.trusted for evidence in right.values())
    saddle = em.run(NETWORK, rows, np.log(np.full(NETWORK.n_entries, 0.5)), NETWORK.prior,
                    max_iterations=1000, tolerance=1e-9)  # fmt: skip
    assert saddle.converged
    monkeypatch.setattr(laplace.em, "search", lambda *_: saddle)
    for evidence in laplace.score(NETWORK, rows, laplace.Settings(), Stream(1)).values():
        assert evidence.doubt == Doubt.NOT_A_MODE


def test_fits_that_reach_the_cap_are_doubted_but_bounds_hold():
    rows = data(table(50))
    for scorer in (em_scores, laplace):
        found = scorer.score(NETWORK, rows, scorer.Settings(max_iterations=2), Stream(1))
        for name, evidence in found.items():
            bound = scorer.ESTIMATES[name].bound == "lower"
            assert (Doubt.NOT_CONVERGED in evidence.doubt) != bound
        whole = scorer.score(NETWORK, rows, scorer.Settings(), Stream(1))
        assert not any(evidence.doubt for evidence in whole.values())


def test_annealing_that_is_too_short_is_doubted_and_the_user_is_told():
    rows = table(400)
    with pytest.warns(ockham.OckhamWarning, match=r"^annealed_importance_sampling: at least -\d+\.\d\d at 95 %: a few"):
        found = ockham.score(NETWORK, rows, "ais", n_steps=30)["annealed_importance_sampling"]
    assert found.doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert found.standard_error > 1
    assert not found.trusted
    long = ockham.score(NETWORK, table(8), "ais", n_steps=4000, strength=20.0)["annealed_importance_sampling"]
    assert long.trusted
    assert long.standard_error < 0.3
    alone = ockham.score(NETWORK, table(8), "exact", runs=1)["exact"]
    assert abs(alone.log_evidence - long.log_evidence) < 5 * long.standard_error


@pytest.mark.parametrize(("error", "doubt"), [(0.35, Doubt(0)), (0.36, Doubt.FEW_EFFECTIVE_SAMPLES)])
def test_bridges_of_components_are_doubted_by_their_error_together(monkeypatch, error, doubt):
    """Of two, of which neither is doubted; how many there are says nothing of their draws."""
    two = DiscreteNetwork.build({"x": 2, "y": 2}, {})
    part = bridge._Found(log_evidence=-1.0, bound=-1.0, relative_error=error)
    monkeypatch.setattr(bridge, "_exact", lambda *_: part)
    found = bridge.score(two, UniqueRows.of([[0, 1]], [2, 2]), bridge.Settings(), Stream(1))["bridge_sampling"]
    assert found.standard_error == pytest.approx(2**0.5 * error)
    assert found.doubt == doubt


SPARSE_RUNS = {
    "tempered_smc": (tempered_smc, tempered_smc.Settings(n_starts=8, n_chains=2)),
    "wbic": (wbic, wbic.Settings(n_chains=2, max_steps=1000)),
    "candidate": (candidate, candidate.Settings(n_chains=2)),
}


@pytest.mark.parametrize("name", SPARSE_RUNS)
@pytest.mark.parametrize("missing", [True, False])
def test_sparse_priors_are_doubted_where_cells_are_missing(name, missing):
    """A class that is missing in every row is a hidden one; complete rows have one completion."""
    network = DiscreteNetwork.build({"class": 2, "x": 2, "y": 2}, {"x": ["class"], "y": ["class"]}, prior=0.05)
    rows = np.tile([[0, 0, 1], [1, 1, 0], [0, 1, 1]], (4, 1))
    rows[:, 0] = np.where(missing, -1, rows[:, 0])
    module, settings = SPARSE_RUNS[name]
    found = module.score(network, UniqueRows.of(rows, [2, 2, 2], missing=True), settings, Stream(1))
    assert all((Doubt.NOT_MIXED in each.doubt) == missing for each in found.values())
