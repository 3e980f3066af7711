"""Bayes factors are what exact evidences say, whatever form and order models come in, and errors are carried along.

Sources of truth: sums over all completions by another program, Bayes's rule, and the exact values for sampled ones.
"""

import warnings

import networkx
import numpy as np
import pytest
from reference import enumeration
from reference.foreign_models import PARENTS, graph

import ockham
from ockham.networks.family import Networks

CARDINALITIES = {"h": 2, "x": 2, "y": 2, "z": 3}


@pytest.fixture
def without_exact(monkeypatch):
    monkeypatch.setattr(Networks, "plan", Networks.plan._replace(exact=""))


def quick(models, table, **more):
    return ockham.compare(models, table, **{"progress": False} | more)


def truth(tiny, parents, hidden=(), prior=1.0):
    """The log evidence by enumeration, of a network built anew with its columns in another order."""
    names = ["z", *hidden, "y", "x"]
    network = ockham.DiscreteNetwork.build({name: CARDINALITIES[name] for name in names}, parents, hidden, prior)
    columns = [tiny[network.names[i]].map({"a": 0, "b": 1, "c": 2}) for i in network.observed]
    return enumeration.log_evidence(network, np.stack([c.fillna(-1).astype(int) for c in columns], axis=1))


def test_bayes_factors_are_those_of_exact_evidences(tiny, comparison):
    truths = {
        "hidden": truth(tiny, PARENTS, ["h"]),
        "chain": truth(tiny, {"y": ["x"], "z": ["y"]}),
        "independent": truth(tiny, {}),
    }
    best = max(truths, key=truths.get)
    weights = {name: np.exp(value - truths[best]) for name, value in truths.items()}
    table = comparison.table
    assert table.index.tolist() == sorted(truths, key=truths.get, reverse=True)
    assert comparison.best == best
    for name, row in table.iterrows():
        assert row["log_evidence"] == pytest.approx(truths[name], abs=1e-9)
        for column in ("log_bayes_factor", "log_bayes_factor_low", "log_bayes_factor_high"):
            assert row[column] == pytest.approx(truths[name] - truths[best], abs=1e-9)
        for column in ("probability", "probability_low", "probability_high"):
            assert row[column] == pytest.approx(weights[name] / sum(weights.values()), abs=1e-9)
        assert (row["log_bayes_factor_error"], row["probability_error"]) == (0, pytest.approx(0, abs=1e-12))
    assert np.ptp(list(truths.values())) > 0.1  # or it would show nothing


def test_one_structure_is_one_network_whatever_form_it_has(tiny, forms):
    found = quick(forms, tiny)
    assert len({network.digest for network in found.models.values()}) == 1
    assert found.models["bif"].names == ("h", "x", "y", "z")
    assert set(found.table["log_bayes_factor"]) == {0}
    assert found.best is None
    others = quick({**forms, "other": graph({"x": ["h"], "y": ["h"], "z": ["h"]}, h={"cardinality": 2})}, tiny)
    assert len({network.digest for network in others.models.values()}) == 2  # so digests tell structures apart


def test_a_network_of_ockham_keeps_its_order_and_prior(tiny):
    network = ockham.DiscreteNetwork.build({"z": 3, "h": 2, "y": 2, "x": 2}, PARENTS, ["h"], {"z": [[3, 2, 1]] * 2})
    found = quick({"own": network, "other": graph(PARENTS, h={"cardinality": 2})}, tiny)
    assert found.models["own"] is network
    assert found.evidences["own"].log_evidence == pytest.approx(
        truth(tiny, PARENTS, ["h"], {"z": [[3, 2, 1]] * 2}), abs=1e-9
    )
    assert abs(found.table["log_bayes_factor"].min()) > 0.01


def test_the_order_of_models_changes_nothing(tiny, forms, without_exact):
    forms["other"] = graph({"x": ["h"]}, h={"cardinality": 2}, y={}, z={})
    chosen = [(name, forms[name]) for name in ("yaml", "other")]
    one, other = (quick(dict(each), tiny, error=0.2, seconds=3600) for each in (chosen, chosen[::-1]))
    assert list(one.models) == list(other.models)
    for name in one.models:  # how many runs there are depends on the machine, what a run gives does not
        both = [{(run.score, run.index): run.evidence.log_evidence for run in each.evidences[name].runs}
                for each in (one, other)]  # fmt: skip
        shared = both[0].keys() & both[1].keys()
        assert shared
        assert all(both[0][key] == both[1][key] or np.isnan(both[0][key]) for key in shared)


def test_sampled_bayes_factors_are_exact_within_their_errors(tiny, comparison, without_exact):
    found = quick(dict(comparison.models), tiny, error=0.1, seconds=3600)
    best = next(iter(found.models))
    exact = {name: evidence.log_evidence for name, evidence in comparison.evidences.items()}
    for name, factor in found.bayes_factors.items():
        error = found.table["log_bayes_factor_error"][name]
        assert abs(factor.log_factor - (exact[name] - exact[best])) <= 4 * error
        squares = sum(found.evidences[each].standard_error ** 2 for each in {name, best}) if name != best else 0
        assert error == pytest.approx(np.sqrt(squares))
        assert name == best or error > 0


def test_bdeu_gives_equivalent_graphs_one_evidence(tiny):
    """A negative control comes with it: under another prior these graphs differ."""
    models = {"to": graph({"z": ["x"]}, y={}), "fro": graph({"x": ["z"]}, y={})}
    complete = tiny.fillna("b")
    assert abs(quick(models, complete, prior="bdeu:1").table["log_bayes_factor"]).max() < 1e-9
    assert abs(quick(models, complete, prior=1.0).table["log_bayes_factor"]).max() > 1e-3


def test_states_that_a_model_has_beside_those_of_the_table_count(tiny):
    models = {"two": graph({}, x={}, y={}, z={}), "three": graph({}, x={"cardinality": 3}, y={}, z={})}
    found = quick(models, tiny)
    assert found.models["three"].cardinalities == (3, 2, 3)
    assert found.table["log_bayes_factor"]["three"] < -0.1
    assert any("'x' 2 or 3 values" in remark for remark in found.remarks)


def test_weights_are_rows_repeated(tiny):
    counts, models = [1, 0, 2, 1, 1, 0, 1, 2], {"one": graph({"y": ["x"]}, z={}), "two": graph({"z": ["x"]}, y={})}
    weighted = quick(models, tiny.assign(times=counts), weights="times")
    repeated = quick(models, tiny.loc[np.repeat(tiny.index, counts)])
    assert weighted.table["log_evidence"].to_dict() == pytest.approx(repeated.table["log_evidence"].to_dict())


def test_what_is_not_known_is_unknown(tiny, comparison, without_exact):
    with pytest.warns(ockham.OckhamWarning, match="evidence of some models is not known: chain: "):
        found = quick(dict(comparison.models), tiny, seconds=0.001)
    table = found.table
    assert table[["log_evidence", "log_bayes_factor", "probability", "probability_error"]].isna().all(axis=None)
    assert found.best is None
    assert "unknown" in repr(found)


def test_names_are_those_of_files_and_graphs(tiny, forms):
    named = networkx.DiGraph(graph({"y": ["x"]}, z={}), name="a graph")
    network = ockham.DiscreteNetwork.build({"x": 2, "y": 2, "z": 3}, {})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = quick([forms["bif"], named, network], tiny)
    assert set(found.models) == {"of_bif", "a graph", "model 3"}
