"""Claim: the Candidate method is the evidence within its standard error, wherever the formula is taken.

Truth: the exact evidence, itself checked against enumeration. A chain that forgets the data, and a point whose aliases
are not averaged over, must be noticed.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.contracts import Doubt
from ockham.estimation.combining import combine
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import collapsed_gibbs
from ockham.networks.inference.relabellings import Relabellings
from ockham.networks.scorers import candidate, exact
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream
from ockham.studies.loading import load
from ockham.studies.study_files import conditions_of

CONFIGS = Path(__file__).parents[4] / "config"
PAPERS = sorted(path for path in CONFIGS.glob("**/*.yaml") if not re.search("truth|calibration", path.stem))
"""Studies, but those that judge the package's defaults."""
SPACE = bipartite([2, 2], [2, 2, 2])
ROWS = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
NAMES = ["asymmetric prior", "hidden chain", "hidden leaf", "hidden with observed parent", "observed only"]


def z_scores(network, data, n_runs=6, **settings):
    """Distance from the exact evidence in standard errors, of independent runs of one chain."""
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    chosen = candidate.Settings(**{"n_chains": 1, "n_sweeps": 6000} | settings)
    found = [candidate.score(network, data, chosen, Stream(1, run))["candidate"] for run in range(n_runs)]
    rounding = 1e-12 * abs(truth)  # all there is where nothing hidden is left to sample
    return np.array([(evidence.log_evidence - truth) / (evidence.standard_error + rounding) for evidence in found])


def check(z):
    """Not only no chain is far off, but the chains together are not."""
    assert np.abs(z).max() < 4
    assert abs(z.sum()) / np.sqrt(len(z)) < 4


@pytest.mark.parametrize("point", ["completion", "map"])
@pytest.mark.parametrize("label", list(SPACE)[::3])
def test_candidate_is_exact_within_its_error(label, point):
    check(z_scores(SPACE[label], UniqueRows.of(ROWS, [2] * 3), point=point))


@pytest.mark.parametrize("name", NAMES[:4])
def test_candidate_on_other_networks(name):
    network = CASES[name]
    check(z_scores(network, UniqueRows.of(random_data(network, 7, 5), observed_cardinalities(network))))


@pytest.mark.parametrize("n_classes", range(2, 9))
def test_candidate_is_exact_for_any_number_of_classes(n_classes):
    """Ten cases, the sum over their partitions, and the permanent's average over r! relabellings."""
    network = naive_bayes([n_classes], [2] * 4)[f"classes-{n_classes}"]
    rows = np.random.default_rng(n_classes).integers(0, 2, (10, 4))
    check(z_scores(network, UniqueRows.of(rows, [2] * 4), n_runs=4))


@pytest.mark.parametrize("study", PAPERS, ids=str)
def test_the_papers_point_is_written_in_their_studies(study):
    """The default is not the papers', so that what is stored must not rest on it."""
    assert candidate.Settings().point == "map"
    for condition in conditions_of(str(study)) if study.stem != "workflow" else ():
        loaded = load(condition)
        chosen = [
            (loaded.scorers[name].role, given)
            for name, given in loaded.scorer_settings.items()
            if isinstance(given, candidate.Settings) and loaded.scorers[name].role != "map_point"
        ]
        assert all(given.point == "completion" and given.n_chains == 1 for _, given in chosen)
        one_start = {"uniform_start"} | ({role for role, _ in chosen} if "beal" in study.name else set())
        assert all(given.n_starts == (1 if role in one_start else 64) for role, given in chosen)


@pytest.mark.parametrize("sampler", ["parameters", "collapsed"])
def test_chains_together_are_exact_within_their_error(sampler):
    network = naive_bayes([3], [2] * 4)["classes-3"]
    rows = np.random.default_rng(3).integers(0, 2, (10, 4))
    n_sweeps = 6000 if sampler == "parameters" else 1500
    z = z_scores(network, UniqueRows.of(rows, [2] * 4), n_runs=6, sampler=sampler, n_chains=4, n_sweeps=n_sweeps)
    check(z)


def test_the_error_of_several_chains_is_not_below_what_they_differ_by():
    """Chains of classes to spare, whose batches are too much alike: the spread of four tells."""
    network = naive_bayes([3], [2] * 4, prior=0.2)["classes-3"]
    data = UniqueRows.of(np.random.default_rng(3).integers(0, 2, (8, 4)), [2] * 4)
    seen, apart = [], candidate.log_mean_of_chains
    for run in range(20):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(candidate, "log_mean_of_chains", lambda chains: seen.append(chains) or apart(chains))
            found = candidate.score(network, data, candidate.Settings(n_sweeps=200), Stream(2, run))["candidate"]
        values = np.array([combine(chain, "mean").value for chain in seen[-1]])
        assert found.standard_error >= combine(values, "mean").standard_error
        assert found.degrees_of_freedom == 3


def test_chains_that_keep_to_different_modes_are_doubted():
    """Many rows of two splits, either of which may be the hidden variable: no chain passes from one to the other."""
    network = naive_bayes([2], [2] * 4, prior=1.0)["classes-2"]
    one, other = np.array([[0, 0, 0, 1], [1, 1, 0, 1]]), np.array([[0, 1, 0, 0], [0, 1, 1, 1]])
    rows = np.repeat(np.concatenate([one, other]), 60, axis=0)
    data = UniqueRows.of(rows, [2] * 4)
    single, several = (
        candidate.score(network, data, candidate.Settings(n_chains=n, n_sweeps=200), Stream(4))["candidate"]
        for n in (1, 8)
    )
    assert single.trusted
    assert Doubt.RUNS_DIFFER in several.doubt


@pytest.mark.parametrize(("n_alike", "stays"), [(50, True), (2, False)])
def test_a_single_chain_that_stays_at_one_completion_is_doubted(n_alike, stays):
    """Of rows that are surely of two classes all densities are the same, and so their error says nothing."""
    rows = np.repeat([[0] * 8, [1] * 8], n_alike, axis=0)
    found = candidate.score(
        naive_bayes([2], [2] * 8)["classes-2"],
        UniqueRows.of(rows, [2] * 8),
        candidate.Settings(n_chains=1, n_sweeps=100),
        Stream(1),
    )["candidate"]
    assert (found.standard_error < 1e-9) == stays
    assert found.doubt == (Doubt.NOT_MIXED if stays else Doubt(0))


def test_a_single_chain_with_nothing_hidden_is_trusted():
    network = CASES["observed only"]
    data = UniqueRows.of(random_data(network, 9, 5), observed_cardinalities(network))
    assert candidate.score(network, data, candidate.Settings(n_chains=1), Stream(1))["candidate"].trusted


def test_complete_data_need_no_sampling():
    network = CASES["observed only"]
    data = UniqueRows.of(random_data(network, 9, 5), observed_cardinalities(network))
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    found = candidate.score(network, data, candidate.Settings(), Stream(1))["candidate"]
    assert found.log_evidence == pytest.approx(truth, rel=1e-12)
    assert found.standard_error < 1e-12


def test_the_check_notices_a_chain_of_other_data(monkeypatch):
    network, data = SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3)
    other = UniqueRows.of(1 - ROWS[:5], [2] * 3)
    right = candidate.gibbs.run
    monkeypatch.setattr(
        candidate.gibbs, "run", lambda network, _, *arguments, **options: right(network, other, *arguments, **options)
    )
    with pytest.raises(AssertionError):
        check(z_scores(network, data))


@pytest.mark.parametrize("name", [*NAMES[1:4], "classes"])
def test_the_collapsed_sampler_is_exact_within_its_error(name):
    """With missing cells as well, which it draws with the hidden states."""
    network = CASES.get(name, naive_bayes([3], [2] * 4)["classes-3"])
    rows = random_data(network, 7, 5)
    rows[[1, 3], 0] = -1
    data = UniqueRows.of(rows, observed_cardinalities(network), missing=True)
    check(z_scores(network, data, n_runs=4, sampler="collapsed"))


def test_the_check_notices_rows_that_are_drawn_given_themselves(monkeypatch):
    """A collapsed chain must take a row out of the counts before it draws it anew."""
    network = naive_bayes([3], [2] * 4)["classes-3"]
    data = UniqueRows.of(random_data(network, 7, 5), observed_cardinalities(network))
    original = collapsed_gibbs._move
    monkeypatch.setattr(collapsed_gibbs, "_move", lambda entries, by, *given: None)
    with pytest.raises(AssertionError):
        check(z_scores(network, data, n_runs=4, sampler="collapsed"))
    monkeypatch.setattr(collapsed_gibbs, "_move", original)
    check(z_scores(network, data, n_runs=4, sampler="collapsed"))


def test_the_check_notices_a_point_without_its_aliases(monkeypatch):
    """Where the chain keeps to one labelling, the density at one alias alone is too high by up to ln S."""
    network = bipartite([2], [3] * 6)["1-1-1-1-1-1"]
    data = UniqueRows.of([[0] * 6] * 4 + [[2] * 6] * 4, [3] * 6)
    check(z_scores(network, data))
    monkeypatch.setattr(candidate, "relabellings", Relabellings.none)
    with pytest.raises(AssertionError):
        check(z_scores(network, data))


@pytest.mark.parametrize(("prior", "hidden", "doubted"), [(0.05, 2, True), (0.1, 2, False), (0.05, 1, False)])
def test_sparse_priors_are_doubted_where_something_is_hidden(prior, hidden, doubted):
    """Of mixtures of few rows one interval in five held there (benchmarks/results.txt)."""
    network = naive_bayes([hidden], [2] * 3, prior=prior)[f"classes-{hidden}"]
    found = candidate.score(network, UniqueRows.of(ROWS, [2] * 3), candidate.Settings(), Stream(1))["candidate"]
    assert (Doubt.NOT_MIXED in found.doubt) == doubted
