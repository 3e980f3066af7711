"""Every scorer of networks keeps its promises: bounds that hold, starts that are shared, aliases that score the same.

Sources of truth: the declarations in ``ESTIMATES``; the exact evidence, itself checked against a sum over every
completion in unit/networks/scorers; the closed form of complete data. A scorer that is registered is tested without a
line here.
"""

from itertools import pairwise
from math import log

import numpy as np
import pytest
from reference.enumeration import complete_log_evidence
from reference.network import relabelled

from ockham import families
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em, variational_em
from ockham.networks.structure_space import bipartite, bipartite_network, naive_bayes
from ockham.streams import Stream, cell_stream

SCORERS = {name: families.scorer("discrete_network", name) for name in families.scorer_names("discrete_network")}
SMALL = bipartite_network([[1], [1, 2], [2]], [2, 2], [2, 3, 2])
BOUND_ERROR = 1e-9


def observed(network, n, seed):
    """Rows drawn from a draw of the prior."""
    rng = np.random.default_rng(seed)
    states = draw(network, np.exp(sample_log(network, rng)), n, rng)
    return states[:, network.observed]


def unique(network, rows):
    return UniqueRows.of(rows, [network.cardinalities[i] for i in network.observed])


def run(scorer, network, data, replicate=1, repeat=0, **settings):
    module = SCORERS[scorer]
    stream = cell_stream(5, "contract", replicate, data.n, "structure", repeat)
    return module.score(network, data, module.Settings(**settings), stream)


@pytest.mark.parametrize("scorer", ["em", "vb"])
def test_another_run_starts_elsewhere(scorer):
    data = unique(SMALL, observed(SMALL, 40, 3))
    runs = [run(scorer, SMALL, data, repeat=repeat) for repeat in range(4)]
    assert all(a[name].log_evidence != b[name].log_evidence for a, b in pairwise(runs) for name in a)


def test_the_fits_start_from_the_same_parameters(monkeypatch):
    """Both begin at one draw of the prior, from the stream of its name."""
    starts = {}
    for module in (em, variational_em):
        original = module.run

        def record(network, data, start, *args, original=original, key=module.__name__, **options):
            starts[key] = start
            return original(network, data, start, *args, **options)

        monkeypatch.setattr(module, "run", record)
    data = unique(SMALL, observed(SMALL, 9, 4))
    run("em", SMALL, data, repeat=2, n_starts=1)
    run("vb", SMALL, data, repeat=2)
    first, second = starts.values()
    np.testing.assert_array_equal(first, second)
    stream = cell_stream(5, "contract", 1, 9, "structure", 2).child("initial parameters")
    np.testing.assert_array_equal(first, sample_log(SMALL, stream.generator()))


def violations(network, data, exact, repeats=2, change=0.0):
    """Lower bounds above the exact evidence, or upper ones below; ``change`` spoils every estimate."""
    found = []
    bounded = {name for name, module in SCORERS.items() if any(e.bound != "none" for e in module.ESTIMATES.values())}
    for scorer in sorted(bounded):
        module = SCORERS[scorer]
        for repeat in range(repeats):
            for name, evidence in run(scorer, network, data, repeat=repeat).items():
                sign = {"lower": 1, "upper": -1, "none": 0}[module.ESTIMATES[name].bound]
                if sign * (evidence.log_evidence + change - exact) > BOUND_ERROR * sign**2:
                    found.append((name, evidence.log_evidence - exact))
    return found


TWO_HIDDEN = dict(list(bipartite([2, 2], [2, 3, 2]).items())[::3])
ONE_HIDDEN = naive_bayes([2, 3], [3, 2, 2]) | {f"sparse {k}": v for k, v in naive_bayes([2], [2, 3], 0.01).items()}
ENUMERABLE = TWO_HIDDEN | ONE_HIDDEN
assert len(TWO_HIDDEN) >= 10


def exact_evidence(network, data):
    return run("exact", network, data)["exact"].log_evidence


@pytest.mark.parametrize("label", ENUMERABLE)
def test_bounds_hold_where_the_evidence_is_known(label):
    network = ENUMERABLE[label]
    for replicate, n in ((1, 10), (2, 10), (3, 3), (4, 1)):
        data = unique(network, observed(network, n, replicate))
        assert violations(network, data, exact_evidence(network, data)) == []


def test_the_bound_check_notices_a_nat_too_much_of_every_declared_bound():
    names = set()
    for label in ("0-0-1", "1-12-2", "12-12-12"):
        network = bipartite([2, 2], [2, 3, 2])[label]
        data = unique(network, observed(network, 1, 1))
        names |= {name for name, _ in violations(network, data, exact_evidence(network, data), change=1.0)}
    declared = {name for module in SCORERS.values() for name, e in module.ESTIMATES.items() if e.bound != "none"}
    assert names == declared
    assert "variational_bayes" in names


def test_cheeseman_stutz_exceeds_the_evidence_when_its_counts_come_from_elsewhere():
    """Completed counts of other parameters than those of its likelihood give no bound: the check must see that."""
    network = bipartite([2, 2], [2, 3, 2])["12-12-12"]
    data = unique(network, observed(network, 10, 1))
    exact, excess = exact_evidence(network, data), []
    for repeat in range(20):
        here, there = (
            em.init(network, data, sample_log(network, Stream(6, repeat, k).generator()), network.prior) for k in (0, 1)
        )
        completed = complete_log_evidence(network, there.counts)
        log_joint = there.counts @ np.log(here.parameters)
        excess.append(completed + here.log_likelihood - log_joint - exact)
        right = (
            complete_log_evidence(network, here.counts) + here.log_likelihood - here.counts @ np.log(here.parameters)
        )
        assert right <= exact + BOUND_ERROR
    assert max(excess) > BOUND_ERROR


NOTHING_HIDDEN = {
    "independent": DiscreteNetwork.build({"a": 2, "b": 3}, {}),
    "chain": DiscreteNetwork.build({"a": 2, "b": 3, "c": 2}, {"b": ["a"], "c": ["b"]}, (), 0.3),
    "collider": DiscreteNetwork.build({"a": 2, "b": 3, "c": 4}, {"c": ["b", "a"]}, (), {"c": 2.5, "a": 1e-3}),
}


@pytest.mark.parametrize("label", NOTHING_HIDDEN)
@pytest.mark.parametrize("n", [1, 10, 500])
def test_without_hidden_variables_bounds_and_evidence_agree(label, n):
    network = NOTHING_HIDDEN[label]
    rows = observed(network, n, n)
    counts = np.zeros(network.n_entries)
    np.add.at(counts, network.offsets[:-1] + rows @ network.strides.T, 1.0)
    expected = complete_log_evidence(network, counts)
    data = unique(network, rows)
    for scorer, name in (("exact", "exact"), ("vb", "variational_bayes"), ("em", "cheeseman_stutz")):
        found = run(scorer, network, data)[name].log_evidence
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-11), name


def test_scores_of_one_fit_differ_by_what_they_add():
    """BIC and BICp from MAP: d/2 ln n, and the prior density at the fit, here that of flat Dirichlets."""
    data = unique(SMALL, observed(SMALL, 50, 6))
    found = {name: evidence.log_evidence for name, evidence in run("em", SMALL, data).items()}
    penalty = (1 + 1 + 2 + 4 * 2 + 2) / 2 * log(50)
    assert SMALL.n_parameters == 14
    assert found["bic"] == pytest.approx(found["map"] - penalty, abs=1e-10)
    assert found["bicp"] == pytest.approx(found["bic"] + 4 * log(2), abs=1e-10)


START = {
    "em": lambda start: ("ockham.networks.inference.em.sample_starts", lambda *_: [start]),
    "vb": lambda start: ("ockham.networks.scorers.vb.sample_start", lambda *_: start),
}


@pytest.mark.parametrize(("scorer", "patch"), START.items())
def test_the_aliases_of_a_fit_score_the_same(scorer, patch, monkeypatch):
    """S relabellings of the start give S fits of one score, which is why a local score may have ln S added."""
    network = bipartite_network([[1, 2]] * 3, [2, 2], [2, 3, 2])
    data = unique(network, observed(network, 40, 7))
    start = sample_log(network, np.random.default_rng(7))
    module = SCORERS[scorer]
    flips = [{0: a, 1: b} for a in ([0, 1], [1, 0]) for b in ([0, 1], [1, 0])]
    aliases = [relabelled(network, start, swap, flip) for swap in ({}, {0: 1, 1: 0}) for flip in flips]
    assert len({alias.tobytes() for alias in aliases}) == network.n_aliases == 8
    scores = []
    for alias in aliases:
        monkeypatch.setattr(*patch(alias))
        scores.append({name: e.log_evidence for name, e in run(scorer, network, data).items()})
    for name in module.ESTIMATES:
        assert module.ESTIMATES[name].local == (name != "map")
        np.testing.assert_allclose([score[name] for score in scores], scores[0][name], rtol=1e-10)
