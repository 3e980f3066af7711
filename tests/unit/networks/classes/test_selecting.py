"""``ockham.select`` finds the evidences that there are, the same from every source of a table, in time or as unknown.

Sources of truth: exact evidences by ``ockham.score``, Bayes's rule, and a survey simulated from three classes.
"""

import signal
import threading
from itertools import count

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ockham
from ockham.networks.classes import selecting
from ockham.networks.classes.priors import Prior
from ockham.networks.family import Networks
from ockham.table_results import selecting as clock


@pytest.fixture
def without_exact(monkeypatch):
    monkeypatch.setattr(Networks, "plan", Networks.plan._replace(exact=""))


def quick(table, classes=(1, 2), **more):
    return ockham.select(table, classes, **{"priors": [1], "progress": False} | more)


def exact(selection, prior, k):
    """The exact log evidence of k classes, of a network built anew."""
    cardinalities = [len(labels) for labels in selection.labels.values()]
    network = ockham.naive_bayes([k], cardinalities, prior.hyperparameter, divided=prior.is_divided)[f"classes-{k}"]
    rows = np.repeat(selection.data.rows, selection.data.counts, axis=0)
    module = ockham.families.scorer("discrete_network", "exact")
    data = ockham.UniqueRows.of(rows, cardinalities, missing=True)
    return module.score(network, data, module.Settings(), None)["exact"].log_evidence


def test_evidences_and_probabilities_are_exact_where_that_is_cheap(selection):
    assert [under.prior for under in (selection.main, *selection.others)] == [
        Prior(1.0), Prior(0.5), Prior(2.0), Prior(1.0, True),
    ]  # fmt: skip
    for under in (selection.main, *selection.others):
        truths = np.array([exact(selection, under.prior, k) for k in (1, 2, 3)])
        np.testing.assert_allclose([under.evidences[k].log_evidence for k in (1, 2, 3)], truths, rtol=1e-12)
        weights = np.exp(truths - truths.max())
        np.testing.assert_allclose(under.posterior.probability, weights / weights.sum(), rtol=1e-12)
    assert selection.chosen == selection.posterior.models[int(np.argmax(selection.posterior.probability))]
    assert selection.classes == tuple(selection.models) == tuple(selection.fits) == (1, 2, 3)
    for k in (1, 2, 3):
        bound = selection.fits[k].scores["variational_bayes"].log_evidence
        assert bound <= selection.evidences[k].log_evidence + 1e-9
        assert selection.models[k].names[-4:] == ("x", "y", "z", "w")
    assert selection.labels == {"x": ("a", "b"), "y": ("a", "b"), "z": ("a", "b"), "w": ("a", "b", "c")}


def same(one, other):
    frames = [each.table.drop(columns=["largest_residual_items"]) for each in (one, other)]
    pd.testing.assert_frame_equal(*frames, rtol=1e-9)


def test_every_source_of_a_table_gives_the_same(tiny, tmp_path):
    tiny.to_csv(tmp_path / "tiny.csv", index=False)
    of_frame = quick(tiny)
    lists = {name: [None if pd.isna(cell) else cell for cell in tiny[name]] for name in tiny}
    for source in (tmp_path / "tiny.csv", pl.DataFrame(lists), ockham.read_table(tiny)):
        same(quick(source), of_frame)


def test_weights_are_rows_repeated(tiny):
    counts = [1, 0, 2, 1, 1, 0, 1, 2, 1]
    weighted = quick(tiny.assign(times=counts), weights="times")
    repeated = quick(tiny.loc[np.repeat(tiny.index, counts)])
    same(weighted, repeated)
    assert weighted.data.n == 9
    assert not np.allclose(weighted.table["log_evidence"], quick(tiny).table["log_evidence"])


def test_the_order_of_rows_and_columns_changes_nothing_exact(tiny):
    one = quick(tiny)
    other = quick(tiny.iloc[::-1, [2, 0, 3, 1]])
    for name in ("log_evidence", "probability", "n_parameters"):
        np.testing.assert_allclose(one.table[name], other.table[name], rtol=1e-12)
    swapped = quick(tiny.replace({"x": {"a": "z"}}))
    np.testing.assert_allclose(one.table["log_evidence"], swapped.table["log_evidence"], rtol=1e-12)


def survey(n=150):
    """Three classes of .5, .3 and .2, eight yes-no items; some cells are missing."""
    rng = np.random.default_rng(1)
    profiles = np.array([[0.9] * 4 + [0.1] * 4, [0.1] * 4 + [0.9] * 4, [0.9, 0.1] * 4])
    answers = (rng.random((n, 8)) < profiles[rng.choice(3, n, p=[0.5, 0.3, 0.2])]).astype(float)
    answers[rng.random(answers.shape) < 0.03] = np.nan
    return answers


def test_three_classes_are_found_and_order_matters_within_errors(monkeypatch):
    """The evidences of two permuted tables on other streams differ by their errors; the wrong numbers are far off."""
    plan = Networks.plan
    monkeypatch.setattr(Networks, "plan", plan._replace(samplers=plan.samplers[:1]))  # for it takes less time
    answers = survey()
    one = quick(answers, range(1, 5), seconds=300)
    other = quick(answers[::-1, ::-1], [3], seconds=300, seed=1)
    assert one.chosen == 3
    assert one.posterior.probability[:2].max() < 1e-3
    first, second = one.evidences[3], other.evidences[3]
    error = np.hypot(first.standard_error, second.standard_error)
    assert abs(first.log_evidence - second.log_evidence) < 4 * error
    assert abs(first.log_evidence - one.evidences[2].log_evidence) > 4 * error


def test_sampled_evidences_are_exact_within_their_errors(tiny, without_exact):
    found = quick(tiny, (2, 3), seconds=60)
    for k, evidence in found.evidences.items():
        assert evidence.standard_error > 0
        assert abs(evidence.log_evidence - exact(found, Prior(1.0), k)) < 4 * evidence.standard_error


def test_no_time_at_all_leaves_it_unknown_with_what_bounds_it(tiny, without_exact):
    with pytest.warns(ockham.OckhamWarning, match="evidence of some numbers of classes is not known: 1: "):
        found = quick(tiny, seconds=0.001, priors=(1, 2))
    assert found.chosen is None
    assert np.isnan(found.posterior.probability).all()
    assert np.isnan(found.table["log_evidence"]).all()
    assert found.seconds < 30
    assert "unknown" in repr(found)


def test_ctrl_c_returns_what_is_known(tiny, monkeypatch):
    """The evidence of two classes never comes; one class is known, and no other prior is begun."""
    stop, sources = threading.Event(), ockham.families.sources

    def slow(model, data, stream, plan):
        found = sources(model, data, stream, plan)
        if model.hidden:
            threading.Timer(1.0, signal.raise_signal, [signal.SIGINT]).start()
            found.exact.run = lambda index: stop.wait()
        return found

    monkeypatch.setattr(ockham.families, "sources", slow)
    with pytest.warns(ockham.OckhamWarning, match="not known: 2: unknown"):
        found = quick(tiny, priors=(1, 2), seconds=3600)
    stop.set()
    assert found.interrupted
    assert [found.evidences[k].trusted for k in (1, 2)] == [True, False]
    assert set(found.fits) == {1, 2}
    assert not any(evidence.runs for evidence in found.others[0].evidences.values())
    assert "It was stopped before it had ended." in found.remarks


def test_ctrl_c_among_the_fits_keeps_those_that_are_done(tiny, monkeypatch):
    stop, fit = threading.Event(), selecting.fit

    def slow(network, data, root):
        if network.hidden:
            signal.raise_signal(signal.SIGINT)
            stop.wait()
        return fit(network, data, root)

    monkeypatch.setattr(selecting, "fit", slow)
    monkeypatch.setattr(clock, "n_cores", lambda: 1)
    with pytest.warns(ockham.OckhamWarning, match="not known"):
        found = quick(tiny, seconds=3600)
    stop.set()
    assert (set(found.fits), found.interrupted) == ({1}, True)
    assert np.isnan(found.table["bic"][2])


@pytest.mark.filterwarnings("ignore::ockham.OckhamWarning")
def test_what_takes_too_long_is_left(tiny, monkeypatch):
    stop, stopped = threading.Event(), []
    monkeypatch.setattr(selecting, "fit", lambda *_: stopped.append(stop.wait(60)))
    found = quick(tiny, seconds=0.5)
    assert stopped == []
    stop.set()
    assert found.fits == {}
    assert found.table["map"].isna().all()


def test_the_other_priors_can_be_left_out(tiny):
    found = quick(tiny)
    assert found.others == ()
    assert found.panel.index.tolist() == ["Dirichlet 1"]
    assert quick(tiny, priors="bdeu:2").main.prior == Prior(2.0, True)


def test_the_seed_decides(tiny, without_exact):
    one, other = (quick(tiny, (2,), seconds=20, error=1.0, seed=seed).evidences[2].runs for seed in (3, 3))
    assert one[1].evidence.log_evidence == other[1].evidence.log_evidence
    another = quick(tiny, (2,), seconds=20, error=1.0, seed=4).evidences[2].runs
    assert one[1].evidence.log_evidence != another[1].evidence.log_evidence


def test_warnings_of_the_table_are_warnings():
    table = pd.DataFrame({"a": ["Yes", "yes", "no", "no"], "b": ["u", "v", "u", "v"]})
    with pytest.warns(ockham.OckhamWarning, match="column 'a': 'Yes' and 'yes' are different states"):
        quick(table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"classes": []}, "classes: must be 1 to 100 numbers, each given once"),
        ({"classes": [2, 2]}, "classes: must be 1 to 100 numbers, each given once"),
        ({"classes": range(1, 10**12)}, "classes: "),
        ({"classes": count(1)}, "classes: "),
        ({"classes": [0, 1]}, "classes: 0 must be an integer of at least 1"),
        ({"classes": 3}, "classes: 3 must be a list"),
        ({"classes": "1:8"}, "classes: '1:8' must be a list"),
        ({"priors": []}, "priors: must be one or more, each given once"),
        ({"priors": [1, 1.0]}, "priors: must be one or more, each given once"),
        ({"priors": ["flat"]}, "prior: 'flat' is neither a number nor bdeu:"),
        ({"error": 0}, "error: 0 must be a number"),
        ({"seconds": "1"}, "seconds: '1' must be a number"),
        ({"seed": -1}, "seed: -1 must be an integer"),
        ({"progress": 1}, "progress: 1 must be True or False"),
        ({"table": {}}, "'dict' is no table"),
        ({"table": ockham.read_table([[0, 1], [1, 0]]), "drop": ["x1"]}, "the table: is read already"),
    ],
)
def test_arguments_are_checked(arguments, message, tiny):
    with pytest.raises(ockham.OckhamError, match=message):
        ockham.select(**{"table": tiny, "classes": [1]} | arguments)


@pytest.mark.filterwarnings("ignore::ockham.OckhamWarning")
@pytest.mark.parametrize("k", [1, 2])
def test_the_classes_of_a_selection_can_be_fitted(k, selection):
    fitted = ockham.fit_classes(selection.models[k], selection.data, labels=selection.labels, n_draws=100, n_chains=2)
    assert fitted.items == tuple(selection.labels)
    assert fitted.model.labels == tuple(selection.labels.values())
