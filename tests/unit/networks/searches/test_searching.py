"""A search finds what a table is from, says how sure it is, repeats itself, and refuses what cannot be.

Sources of truth: the structures that tables were drawn from, exact evidences, and the list of what is wrong.
"""

import warnings
from itertools import islice

import networkx
import numpy as np
import pytest
from reference import enumeration
from reference.ctrl_c import pressed_once
from reference.foreign_models import graph

import ockham
from ockham.networks.classes.priors import Prior
from ockham.networks.comparisons.structures import structure_in
from ockham.networks.searches import searching
from ockham.networks.searches.climbing import Limits
from ockham.networks.searches.exporting import to_yaml
from ockham.networks.searches.fits import Fitter
from ockham.networks.searches.searching import search
from ockham.networks.searches.starts import graph_of, simplest_graphs
from ockham.streams import Stream

FEW = {"climbs": 3, "judged": 2}


@pytest.fixture(scope="module")
def found(quick):
    return quick(**FEW)


def test_the_structure_of_an_easy_table_has_the_highest_evidence(found, of_class):
    truth = ockham.DiscreteNetwork.build(
        {"h": 3, **dict(zip(of_class.names, of_class.cardinalities, strict=True))},
        {**{f"x{k}": ["h"] for k in range(6)}, "x6": ["x0"]},
        ["h"],
    )
    first = next(iter(found.models.values()))
    classes = [graph_of(network, of_class.names).equivalence_class for network in (truth, first)]
    assert classes[0] == classes[1]
    complete = [name for name, network in found.models.items() if not network.hidden]
    assert len(complete) == 1
    assert found.judged.evidences[complete[0]].standard_error == 0
    assert found.judged.bayes_factors[complete[0]].high < -50
    assert found.n_climbs == found.n_starts == 3


def test_where_nothing_is_hidden_no_hidden_variable_is_chosen(of_chain, quick):
    """And with hidden variables forbidden it is the same graph, for hill climbing competes with its exact evidence."""
    free, plain = quick(of_chain, **FEW), quick(of_chain, max_hidden=0, **FEW)
    for each in (free, plain):
        best = next(iter(each.models.values()))
        assert not best.hidden
        assert {frozenset(arc) for arc in each.to_networkx().edges} == {
            frozenset([f"x{k - 1}", f"x{k}"]) for k in range(1, 6)
        }
    assert free.judged.posterior.chosen in (None, next(iter(free.models)))
    assert all(not network.hidden for network in plain.models.values())


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
def test_the_same_seed_finds_the_same_and_another_starts_elsewhere(found, quick):
    again, other = quick(judging=False, **FEW), quick(judging=False, seed=7, **FEW)
    assert again.scores == found.scores
    for name, network in again.models.items():
        assert network.digest == found.models[name].digest
    assert again.n_graphs == found.n_graphs
    assert other.n_graphs != found.n_graphs


def test_hill_climbing_without_hidden_variables_finds_nothing_that_a_search_misses(of_class):
    """From as many starts, of which only those with hidden variables depend on these being allowed."""
    pairs = [
        list(islice(simplest_graphs(of_class.cardinalities, Limits(3, n_hidden, 3), Stream(4)), 6))
        for n_hidden in (0, 2)
    ]
    assert [plain for plain, _ in pairs[0]] == [plain for plain, _ in pairs[1]]
    assert all(plain == start for plain, start in pairs[0])
    assert {len(start.hidden) for _, start in pairs[1]} == {0, 1, 2}
    found = []
    for limits in (Limits(3, 0, 3), Limits(3, 2, 3)):
        searched = searching.Searching(Fitter(of_class, Prior(1.0), "cheeseman_stutz", Stream(4)), limits)
        searched.run(islice(simplest_graphs(of_class.cardinalities, limits, Stream(4)), 4), 600.0, lambda *_: None)
        found.append({key for key, each in searched.classes.items() if not each.graph.hidden})
    assert found[0] <= found[1]


def test_evidences_of_missing_cells_are_those_of_sums_over_all_completions(tiny):
    result = search(tiny, max_hidden=0, climbs=2, judged=3, progress=False)
    for name, evidence in result.judged.evidences.items():
        truth = enumeration.log_evidence(result.models[name], tiny.states)
        assert np.isclose(evidence.log_evidence, truth)
        assert result.scores[name] <= truth + 1e-9


def test_what_is_found_can_be_taken_elsewhere(found, of_class, tmp_path):
    (tmp_path / "best.yaml").write_text(found.to_yaml(), encoding="utf-8")
    first, second, *_ = found.models
    models = {"file": tmp_path / "best.yaml", "network": found.models[first], "graph": found.to_networkx(first),
              "other": found.models[second]}  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        compared = ockham.compare(models, of_class, seconds=0.001, progress=False)
    assert len({compared.models[name].digest for name in ("file", "network", "graph")}) == 1
    assert networkx.is_directed_acyclic_graph(found.to_networkx(second))
    assert found.best is None or found.best is found.models[first]
    with pytest.raises(ockham.ConfigError, match="name: 'graph 99' is none of 'graph"):
        found.to_networkx("graph 99")


@pytest.mark.parametrize("names", [("08", "1e5", "16"), ("yes", "1:30", "0o7"), ("null", "a: b #", 'c "d" \\ é')])
def test_names_that_yaml_may_take_for_something_else_are_text(names, tmp_path):
    network = ockham.DiscreteNetwork.build(dict.fromkeys(names, 2), {names[1]: [names[0]]}, [names[0]])
    (tmp_path / "one.yaml").write_text(to_yaml(network), encoding="utf-8")
    read = structure_in(tmp_path / "one.yaml")
    assert tuple(read.cardinalities) == network.names
    assert read.parents[names[1]] == (names[0],)
    assert [name for name, hidden in read.hidden.items() if hidden] == [names[0]]


def test_a_divided_prior_is_written_by_variable(tiny, tmp_path):
    result = search(tiny, prior="bdeu:6", max_hidden=0, climbs=1, judged=1, progress=False)
    (tmp_path / "one.yaml").write_text(result.to_yaml(), encoding="utf-8")
    two = [tmp_path / "one.yaml", graph({}, a={}, b={}, c={})]
    compared = ockham.compare(two, tiny, progress=False)
    assert compared.models["one"].digest == next(iter(result.models.values())).digest


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
def test_a_given_start_is_climbed_from(quick, monkeypatch):
    started = []
    climb = searching.climb
    monkeypatch.setattr(searching, "climb", lambda fitted, *rest: (started.append(fitted.graph), climb(fitted, *rest)))
    start = graph({f"x{k}": ["h"] for k in range(6)}, h={"cardinality": 3}, x6={})
    quick(judging=False, starts={"mine": start}, climbs=1, judged=1)
    assert sorted(map(str, [each.cardinalities[7:] for each in started])) == ["()", "(3,)"]


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
def test_time_that_is_up_leaves_what_is_known(of_class):
    result = search(of_class, seconds=0.05, progress=False)
    assert result.n_climbs < result.n_starts
    assert any("The search ended" in remark for remark in result.remarks)
    assert result.models


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
def test_ctrl_c_leaves_what_is_known(of_class, monkeypatch):
    press = pressed_once()

    def interrupting(fitted, limits, visit):
        visit(fitted)
        press()

    monkeypatch.setattr(searching, "climb", interrupting)
    result = search(of_class, **FEW, progress=False)
    assert result.interrupted
    assert "It was stopped before it had ended." in result.remarks
    assert all(not evidence.trusted for evidence in result.judged.evidences.values())
    assert result.best is None


def test_a_graph_that_memory_has_no_room_for_ends_its_climb_alone(of_chain, monkeypatch):
    def refusing(fitted, limits, visit):
        raise ockham.ModelError("too large")

    monkeypatch.setattr(searching, "climb", refusing)
    monkeypatch.setattr(searching, "settle", refusing)
    result = search(of_chain, **FEW, progress=False)
    assert (result.n_graphs, result.n_climbs) == (1, 3)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"score": "bic"}, "score: 'bic' must be cheeseman_stutz or variational_bayes"),
        ({"max_hidden": 5}, "max_hidden: 5 must be an integer of at most 4"),
        ({"max_values": 1}, "max_values: 1 must be an integer of at least 2"),
        ({"climbs": 0}, "climbs: 0 must be an integer of at least 1"),
        ({"judged": True}, "judged: True must be an integer"),
        ({"prior": "flat"}, "prior: 'flat' is neither"),
        ({"starts": []}, "starts: must be 1 to 100; leave it out"),
        ({"starts": [graph({"a": ["b"]})]}, "model 'model 1': does not use column 'c'"),
        ({"starts": [graph({"c": ["a", "b"]})], "max_indegree": 1},
         "'model 1': has 2 parents of a variable, and 1 are allowed; raise max_indegree"),
        ({"starts": [graph({}, a={}, b={"cardinality": 5}, c={})]}, "'b' has 5 values, its column 3 states"),
        ({"starts": [graph({"a": ["h"], "b": ["h"], "c": ["h"]}, h={"cardinality": 9})]},
         "has 9 values of a hidden variable, and 4 are allowed; raise max_values"),
        ({"starts": [graph({"a": ["h"], "b": ["h"], "c": ["h"]}, h={"cardinality": 2})], "max_hidden": 0},
         "has 1 hidden variables, and 0 are allowed"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_before_any_work(more, words, tiny, monkeypatch):
    monkeypatch.setattr(searching, "Searching", None)
    with pytest.raises(ockham.OckhamError, match=words) as caught:
        search(tiny, **{"progress": False} | more)
    assert "\n" not in str(caught.value)


def test_a_table_that_is_too_large_is_refused_before_any_work(monkeypatch):
    monkeypatch.setattr(searching, "Searching", None)
    wide = np.tile(np.eye(2, dtype=int), (3, 33))[:, :65]
    with pytest.raises(ockham.ModelError, match="has 65 columns, and a search takes 64; drop some"):
        search(wide, progress=False)
    gaps = np.full((6, 60), np.nan)
    gaps[:2] = [[0.0], [1.0]]
    with pytest.raises(ockham.ModelError, match=r"completed rows, with up to .* take fewer"):
        search(gaps, progress=False)
    rows = np.random.default_rng(1).integers(0, 2, (3000, 60))
    with pytest.raises(ockham.ModelError, match=r"the scores of all arcs alone are predicted to take .* allow more"):
        search(rows, seconds=0.01, progress=False)
