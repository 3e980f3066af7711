"""``ockham.arcs`` says of a table's graph what its posterior says, exactly and from samples.

Source of truth: enumeration of all graphs of four variables, whose family scores are those that the package computes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from reference.graphs import QUANTITIES, Enumerated, markov_blankets
from reference.orders import arcs_of

import ockham
from ockham.orders import arcs, counts
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.data.reading import complete_table
from ockham.orders.data.structure_data import table_of_array
from ockham.orders.family import FAMILY
from ockham.orders.inference import best_graph, graph_draws
from ockham.orders.learning import space_of

RULES = {
    "none": {},
    "forbidden": {"forbidden": [("x1", "x2"), ("x2", "x1"), ("x4", "x3")]},
    "required": {"required": [("x4", "x2"), ("x2", "x1")]},
    "both": {"forbidden": [("x1", "x3"), ("x3", "x4")], "required": [("x2", "x3")]},
}
PRIORS = ("graphs", "orders")
OFF = ~np.eye(4, dtype=bool)


def states():
    """Forty rows in which two variables say something of a third, and little of the fourth."""
    rng = np.random.default_rng(4)
    first = rng.integers(0, [2, 3], (40, 2))
    third = (first.sum(axis=1) + (rng.random(40) < 0.3)) % 2
    return np.column_stack([first, third, third ^ (rng.random(40) < 0.35)])


STATES = states()


def enumerated(prior, rules, max_indegree=3):
    data = complete_table(STATES)
    space = space_of(data, max_indegree, 1.0, rules.get("forbidden", ()), rules.get("required", ()))
    return Enumerated(data.family_scores(space), prior)


def largest_z(found, truth, names=tuple(QUANTITIES)):
    """Standard errors, by the intervals, between probabilities of pairs and the exact ones, of what is farthest off."""
    deviations = []
    for name in names:
        of, exact = getattr(found, name), truth.mean(QUANTITIES[name])
        errors = (of.high - of.low)[OFF] / (2 * 1.96)
        assert (of.low[OFF] <= of.probability[OFF]).all()
        assert (of.probability[OFF] <= of.high[OFF]).all()
        deviations.append(np.abs(of.probability - exact)[OFF] / np.maximum(errors, 1e-9))
    return np.max(deviations)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("rules", RULES)
def test_sums_are_exact_and_the_rest_is_drawn_from_the_exact_posterior(prior, rules):
    found, truth = ockham.arcs(STATES, prior=prior, n_draws=4000, **RULES[rules]), enumerated(prior, RULES[rules])
    assert found.exact
    assert found.log_evidence == pytest.approx(truth.log_evidence, rel=1e-12)
    assert found.standard_error == 0
    for name in ("arcs", "adjacencies"):
        of = getattr(found, name)
        assert of.low.tolist() == of.probability.tolist() == of.high.tolist()
        np.testing.assert_allclose(of.probability, truth.mean(QUANTITIES[name]), atol=1e-11)
    assert (found.graphs.source, len(found.graphs.parents)) == ("exact posterior", 4000)
    assert found.graphs.effective_sample_size == pytest.approx(4000)
    assert largest_z(found, truth, ("paths", "markov_blankets")) < 4
    assert (found.paths.probability >= found.arcs.probability - 1e-12).all()
    assert (found.markov_blankets.probability >= found.adjacencies.probability).all()
    for parent, child in RULES[rules].get("required", ()):
        u, v = (found.names.index(name) for name in (parent, child))
        assert found.paths.low[u, v] == pytest.approx(1)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("rules", RULES)
def test_samples_agree_with_the_truth(prior, rules):
    found = ockham.arcs(STATES, prior=prior, exact=False, n_effective=1500, **RULES[rules])
    truth = enumerated(prior, RULES[rules])
    assert not found.exact
    assert abs(found.log_evidence - truth.log_evidence) < 4 * found.standard_error
    assert found.graphs.source == "annealing"
    assert found.graphs.effective_sample_size >= 1500
    assert largest_z(found, truth) < 4
    graph, probability = truth.best()
    assert found.best.low <= found.best.probability <= found.best.high
    assert abs(np.log(found.best.probability / probability)) < 4 * found.standard_error
    assert found.best.log_score == pytest.approx(score_of(graph, RULES[rules]), abs=1e-9)


def score_of(graph, rules):
    data = complete_table(STATES)
    scores = data.family_scores(space_of(data, 3, 1.0, rules.get("forbidden", ()), rules.get("required", ())))
    return best_graph.log_scores(scores, np.array([graph], dtype=np.uint64))[0]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("prior", PRIORS)
def test_the_other_prior_and_other_rules_are_found_out(prior, exact):
    """Negative controls: the same comparisons with a truth that is not that of what was asked for."""
    found = ockham.arcs(STATES, prior=prior, exact=exact, n_effective=1500, n_draws=4000)
    names = ("paths", "markov_blankets") if exact else tuple(QUANTITIES)
    other = PRIORS[1 - PRIORS.index(prior)]
    assert largest_z(found, enumerated(other, {}), names) > 6
    for rules in ("forbidden", "required", "both"):
        assert largest_z(found, enumerated(prior, RULES[rules]), names) > 6


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("max_indegree", [1, 2])
def test_the_most_probable_graph_is_that_of_all(prior, rules, max_indegree):
    found = ockham.arcs(STATES, prior=prior, max_indegree=max_indegree, n_draws=2000, **RULES[rules])
    truth = enumerated(prior, RULES[rules], max_indegree)
    _, probability = truth.best()
    assert found.best.probability == pytest.approx(probability, rel=1e-9)
    assert found.best.low == found.best.probability == found.best.high
    assert found.best.of_all == (prior == "graphs")  # the sums of scores are not all, under the other
    place = truth.graphs.index(tuple(found.best.parents.tolist()))  # one of those that are as probable
    assert truth.probabilities[place] == pytest.approx(probability, rel=1e-9)
    assert set(found.best.arcs) >= set(RULES[rules].get("required", ()))


def test_a_graph_of_a_sampled_order_is_said_to_be_the_best_found(monkeypatch):
    monkeypatch.setattr(best_graph, "MOST_NODES", 3)
    found, truth = ockham.arcs(STATES), enumerated("graphs", {})
    assert not found.best.of_all
    assert "the best found" in repr(found)
    assert found.best.probability == pytest.approx(truth.best()[1], rel=1e-9)


@pytest.mark.parametrize("prior", PRIORS)
def test_the_most_probable_blanket_is_that_of_all_graphs(prior):
    found, truth = ockham.arcs(STATES, prior=prior, n_draws=4000), enumerated(prior, {})
    for v, name in enumerate(found.names):
        shares = {}
        for graph, probability in zip(truth.graphs, truth.probabilities, strict=True):
            members = tuple(np.flatnonzero(markov_blankets(arcs_of(graph))[v]))
            shares[members] = shares.get(members, 0) + probability
        blanket = found.most_probable_blanket(name)
        exact = shares[tuple(found.names.index(member) for member in blanket.members)]
        assert exact > max(shares.values()) - 0.03  # two may be as probable
        assert abs(blanket.probability - exact) < 4 * (blanket.high - blanket.low) / (2 * 1.96)
    with pytest.raises(ockham.DataError, match="there is no variable 'x9'; there are x1, x2, x3, x4"):
        found.most_probable_blanket("x9")


@pytest.mark.parametrize("prior", PRIORS)
def test_graphs_are_annealed_where_draws_from_the_exact_posterior_take_too_long(prior, monkeypatch):
    costs = graph_draws.predicted_cost
    monkeypatch.setattr(graph_draws, "predicted_cost", lambda *given: (1e9 if given[-1] > 300 else 1, costs(*given)[1]))
    fewer = ockham.arcs(STATES, prior=prior, n_draws=1000)
    assert (fewer.graphs.source, len(fewer.graphs.parents)) == ("exact posterior", 250)
    monkeypatch.setattr(graph_draws, "predicted_cost", lambda *_: (1e9, 1))
    found = ockham.arcs(STATES, prior=prior, n_effective=500, **RULES["both"])
    assert found.exact
    assert found.graphs.source == "annealing"
    assert largest_z(found, enumerated(prior, RULES["both"]), ("paths", "markov_blankets")) < 4


def test_what_too_few_samples_say_is_unknown():
    """A megabyte is room for less than 2000 samples."""
    with pytest.warns(ockham.OckhamWarning, match="arcs: unknown: a few samples carry nearly all of the weight"):
        found = ockham.arcs(STATES, exact=False, n_effective=3000, max_gigabytes=0.001)
    assert found.doubt
    for name in QUANTITIES:
        assert all(np.isnan(of).all() for of in getattr(found, name))
    assert np.isnan([found.best.probability, found.best.low, found.best.high]).all()
    assert found.best.of_all  # that needs no samples
    assert found.most_probable_blanket("x1").members == ()
    assert np.isnan(found.most_probable_blanket("x1").probability)
    assert "unknown: a few samples" in repr(found)


@pytest.fixture
def uncounted(monkeypatch):
    """Graphs are not counted by recurrences."""
    for count in (counts.log_n_graphs, counts.log_n_ordered_graphs):
        count.cache_clear()
    monkeypatch.setattr(counts, "MOST_TERMS", 0)


@pytest.mark.parametrize("prior", PRIORS)
def test_what_recurrences_do_not_count_sums_of_ones_do(prior, uncounted):
    truth = enumerated(prior, RULES["both"])
    found = ockham.arcs(STATES, prior=prior, **RULES["both"])
    assert found.log_evidence == pytest.approx(truth.log_evidence, rel=1e-12)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("prior", PRIORS)
def test_the_evidence_is_unknown_where_graphs_are_too_many_to_count(prior, exact, uncounted, monkeypatch):
    truth, right = enumerated(prior, RULES["both"]), arcs._log_count
    monkeypatch.setattr(arcs, "_log_count", lambda space, prior, limits: right(space, prior, arcs.Limits(0.0, 0.0)))
    found = ockham.arcs(STATES, prior=prior, exact=exact, n_effective=500, **RULES["both"])
    assert np.isnan(found.log_evidence)
    assert np.isnan(found.estimates.lower_bound).all()
    assert "log evidence: unknown, for the graphs" in repr(found)
    assert not found.doubt
    spread = 0.0 if exact else found.estimates.standard_error[["orders", "graphs"].index(prior)]
    assert abs(np.log(found.best.probability / truth.best()[1])) <= 4 * spread + 1e-9


def test_the_seed_decides():
    given = {"exact": False, "n_steps": 30}
    first, again, other = (ockham.arcs(STATES, seed=seed, **given) for seed in (1, 1, 2))
    assert first.arcs.probability.tolist() == again.arcs.probability.tolist() != other.arcs.probability.tolist()
    assert first.graphs.parents.tolist() == again.graphs.parents.tolist()
    drawn = [ockham.arcs(STATES, seed=seed, n_draws=50).graphs.parents.tolist() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_table_may_be_a_path_an_array_or_a_table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("\n".join([",".join("abcd"), *(",".join(map(str, row)) for row in STATES)]))
    expected = ockham.arcs(STATES, n_draws=30)
    for table in (
        path,
        str(path),
        STATES.tolist(),
        table_of_array(STATES),
        FAMILY.read(ockham.OrderSpace(4, 3), STATES),
    ):
        found = ockham.arcs(table, n_draws=30)
        assert found.log_evidence == expected.log_evidence
        assert found.names == (tuple("abcd") if isinstance(table, str | Path) else expected.names)


BAD = {
    "no file": ({"table": "nowhere.csv"}, ockham.DataError, "nowhere.csv: cannot be read .No such file"),
    "no path": ({"table": "\0"}, ockham.DataError, "null (byte|character).*; give the path of a file"),
    "one column": ({"table": [[0], [1]]}, ockham.DataError, "the data: has one column; arcs need two variables"),
    "a number": ({"table": 3}, ockham.DataError, "the data: need a non-empty table"),
    "another prior": ({"prior": "uniform"}, ockham.ConfigError, "prior: 'uniform' must be 'graphs' or 'orders'"),
    "an array as a prior": ({"prior": np.ones(2)}, ockham.ConfigError, "prior: array.* must be a text"),
    "no draws": ({"n_draws": 3}, ockham.ConfigError, "n_draws: 3 must be an integer of at least 30"),
    "no time": ({"max_seconds": 0}, ockham.ConfigError, "max_seconds: 0 must be a number from 0.01"),
    "no memory": ({"max_gigabytes": 0.0}, ockham.ConfigError, "max_gigabytes: 0.0 must be a number from 0.001"),
    "a fraction of a parent": ({"max_indegree": 1.5}, ockham.ConfigError, "max_indegree: 1.5 must be an integer"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_is_refused(case):
    arguments, kind, message = BAD[case]
    with pytest.raises(kind, match=message) as caught:
        ockham.arcs(**{"table": STATES} | arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("library", [pd, pl])
def test_frames_give_what_their_states_give(library, tmp_path):
    words = np.array(["a", "b", "c"])[STATES]
    frame = library.DataFrame({f"v{k}": list(words[:, k]) for k in range(4)})
    found = ockham.arcs(frame)
    assert found.names == ("v0", "v1", "v2", "v3")
    numbers, others = (each.table.select_dtypes("number") for each in (found, ockham.arcs(STATES)))
    np.testing.assert_array_equal(numbers, others)


def test_weights_of_a_read_table_are_repeats():
    rows, counts = np.unique(STATES, axis=0, return_counts=True)
    read_already = ockham.read_table(rows, weights=counts)
    assert complete_table(read_already).digest == complete_table(np.repeat(rows, counts, axis=0)).digest


def test_missing_cells_are_refused_in_files_and_frames(tmp_path):
    frame = pd.DataFrame(STATES.astype(str), columns=list("abcd"))
    frame.loc[3, "c"] = None
    frame.to_csv(tmp_path / "rows.csv", index=False, na_rep="NA")
    for table, source in ((frame, "the data"), (tmp_path / "rows.csv", "rows.csv")):
        with pytest.raises(
            ockham.DataError, match=f"{source}: 1 of 40 rows have missing cells, in the columns 'c'; arcs"
        ):
            ockham.arcs(table)
    with pytest.warns(ockham.OckhamWarning, match="column 'c': 'NA' is read as a state"):
        as_state = ockham.arcs(tmp_path / "rows.csv", missing=())
    with pytest.warns(ockham.OckhamWarning, match="column 'c': 'NA' is read as a state"):
        of_frame = ockham.arcs(frame.fillna("NA"), missing=())
    assert as_state.log_evidence == of_frame.log_evidence


def test_numbers_that_are_no_categories_are_refused_in_files_and_frames(tmp_path):
    frame = pd.DataFrame({"a": STATES[:, 0], "income": np.arange(40) * 1.5, "c": STATES[:, 2]})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    for table in (frame, tmp_path / "rows.csv"):
        with pytest.raises(ockham.DataError, match="column 'income': has a different value in each of 40 rows"):
            ockham.arcs(table)
        assert ockham.arcs(table, drop=["income"]).names == ("a", "c")


def test_columns_are_left_out_and_rows_weighted_in_files_and_frames(tmp_path):
    frame = pd.DataFrame(STATES.astype(str), columns=list("abcd"))
    counted = frame.value_counts().rename("times").reset_index()
    counted.to_csv(tmp_path / "rows.csv", index=False)
    truth = ockham.arcs(frame, drop="d")
    for table in (counted, tmp_path / "rows.csv"):
        found = ockham.arcs(table, drop="d", weights="times")
        assert found.log_evidence == pytest.approx(truth.log_evidence, rel=1e-12)
    for given in ({"drop": ["x1"]}, {"weights": "x1"}, {"missing": ["9"]}, {"missing": "9"}):
        with pytest.raises(ockham.DataError, match="the data: missing, drop and weights are for tables with names"):
            ockham.arcs(STATES, **given)
    assert ockham.arcs(STATES, missing=[]).log_evidence == ockham.arcs(STATES).log_evidence


@pytest.mark.parametrize(
    ("cardinalities", "states"),
    [
        ((2, 2), np.array([[0, 5], [1, 0]])),
        ((2, 2), np.array([[0, -1], [1, 0]])),
        ((2, 2), np.array([[0.0, 1.0]])),
        ((2, 2), np.array([0, 1])),
        ((2, 2), [[0, 1]]),
        ((2,), np.array([[0, 1]])),
        ((2, 2**15), np.array([[0, 1]])),
    ],
)
def test_a_table_made_by_hand_that_is_none_is_refused(cardinalities, states):
    with pytest.raises(ockham.DataError, match="data: the states of a CompleteTable must be whole numbers"):
        ockham.arcs(CompleteTable(("a", "b"), cardinalities, states), progress=False)


def test_a_table_made_by_hand_is_taken():
    states = np.array([[0, 1], [1, 0], [1, 1]])
    by_hand, read = (
        ockham.arcs(each, progress=False) for each in (CompleteTable(("x1", "x2"), (2, 2), states), states)
    )
    assert str(by_hand) == str(read)
