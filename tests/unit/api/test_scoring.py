"""``ockham.score`` gives what the scorers give, for networks and for machines.

Sources of truth: the scorers called run by run; the lines that the first steps show; exact values.
"""

import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ockham
from ockham import families
from ockham.api import scoring
from ockham.estimation.certifying import Certified
from ockham.machines.data.binary_rows import BinaryRows
from ockham.mixtures.items import Gaussian, Poisson
from ockham.streams import Stream

START = Path(__file__).parents[3] / "docs/start.md"
NETWORK = ockham.naive_bayes([2], [2, 2])["classes-2"]
MACHINE = ockham.RestrictedBoltzmann(2, 1)
ROWS = [[0, 1], [1, 1], [0, 1], [0, 0]]
FEW = {"n_steps": 100, "n_samples": 500}


def test_the_lines_of_the_first_steps_give_a_lower_bound_and_the_evidence(capsys):
    score, evidence, *of_tables = re.findall(r"```python\n(.*?)```", START.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec(score + evidence, names)
    for lines in of_tables:  # these need a table, and time
        compile(lines, "start.md", "exec")
        assert set(re.findall(r"ockham\.(\w+)\(", lines)) <= set(ockham.__all__)
    exact = ockham.score(names["network"], names["data"], "exact", runs=1)["exact"].log_evidence
    bound, evidence = capsys.readouterr().out.splitlines()
    name, value = bound.removesuffix(" (lower bound)").split(": ")
    assert name == "variational_bayes"
    assert exact - 2 < float(value) < exact
    assert evidence == f"{exact:.2f} (exact)"


def test_a_machine_is_scored_run_by_run():
    found = ockham.score(MACHINE, ROWS, runs=3, seed=7, **FEW)
    scorer = families.scorer("restricted_boltzmann", "laplace")
    runs = [scorer.score(MACHINE, BinaryRows.of(ROWS), scorer.Settings(**FEW), Stream(7, "run", r)) for r in range(3)]
    for name in scorer.ESTIMATES:
        assert found[name].log_evidence == np.median([run[name].log_evidence for run in runs])
        assert found[name].n_evaluations == sum(run[name].n_evaluations for run in runs)


SPARSE = ockham.DiscreteNetwork.build(
    {"s": 2, **dict.fromkeys("abcd", 3)}, {name: ["s"] for name in "abcd"}, ["s"], prior=0.01
)
ALIKE = [[0, 1, 2, 0]] * 4 + [[1, 0, 2, 1]] * 4


@pytest.mark.parametrize(("scorer", "name"), [("em", "bic"), ("laplace", "laplace")])
def test_what_is_below_a_proven_bound_is_unknown(scorer, name):
    """A bound of the same call, and that of variational Bayes; the bound, and what is above it, are trusted."""
    exact = ockham.score(SPARSE, ALIKE, "exact", runs=1)["exact"].log_evidence
    with pytest.warns(ockham.OckhamWarning, match="unknown: it is below a proven lower bound"):
        found = ockham.score(SPARSE, ALIKE, scorer)
    assert found[name].log_evidence < exact - 4
    assert found[name].doubt == ockham.Doubt.BELOW_BOUND
    assert f"{name}: unknown; it is below a proven lower bound of the same evidence" in repr(found).splitlines()
    if scorer == "em":
        assert found["cheeseman_stutz"].trusted
        assert found["cheeseman_stutz"].log_evidence < exact
        assert found["map"].trusted


DIFFER = "differ by more than their errors"


@pytest.mark.parametrize(("more", "trusted"), [(-1e-3, False), (1e-3, True)])
def test_a_local_score_is_held_to_a_bound_with_its_aliases(monkeypatch, more, trusted):
    """Two classes may change their names: Laplace's method knows one of two modes alike."""
    laplace = ockham.score(NETWORK, ROWS, "laplace", runs=1)["laplace"]
    monkeypatch.setattr(scoring, "bounds_beside", lambda *_: [laplace.log_evidence + np.log(2) - more])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        assert ockham.score(NETWORK, ROWS, "laplace", runs=1)["laplace"].trusted == trusted


@pytest.mark.parametrize(("above", "trusted"), [(0.5, True), (-0.5, False)])
def test_aliases_that_are_too_many_to_count_count_for_nothing(monkeypatch, above, trusted):
    """Nine hidden variables: a fit above the bound is trusted without them, and one below it is not."""
    hidden = [f"h{i}" for i in range(9)]
    network = ockham.DiscreteNetwork.build(
        {**dict.fromkeys(hidden, 2), **{f"y{i}": 2 for i in range(9)}}, {f"y{i}": [f"h{i}"] for i in range(9)}, hidden
    )
    with pytest.raises(ockham.ModelError, match="aliases of 9 hidden variables"):
        _ = network.n_aliases
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        value = ockham.score(network, [[0, 1, 0, 1, 0, 1, 0, 1, 1]], "em", runs=1)["cheeseman_stutz"].log_evidence
        monkeypatch.setattr(scoring, "combine_runs", lambda *_: ockham.Evidence(value))
        monkeypatch.setattr(scoring, "bounds_beside", lambda *_: [value - above])
        assert ockham.score(network, [[0, 1, 0, 1, 0, 1, 0, 1, 1]], "laplace", runs=1)["laplace"].trusted == trusted


@pytest.mark.parametrize(("error", "trusted"), [(0.5, True), (0.51, False), (np.nan, True)])
def test_an_error_of_more_than_half_a_nat_is_not_trusted(monkeypatch, error, trusted):
    """An approximation, which has no error, is held to bounds alone."""
    monkeypatch.setattr(scoring, "combine_runs", lambda *_: ockham.Evidence(-1.0, error))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        assert ockham.score(NETWORK, ROWS, "candidate", runs=1)["candidate"].trusted == trusted


@pytest.mark.parametrize(("scorer", "error", "n_runs"), [("ais", np.nan, 8), ("ais", 0.1, 3), ("candidate", np.nan, 3)])
def test_a_mean_whose_error_is_the_spread_is_of_eight_runs(monkeypatch, scorer, error, n_runs):
    (label,) = families.scorer("discrete_network", scorer).ESTIMATES
    computed = []

    def run(*_):
        computed.append(len(computed))
        return {label: ockham.Evidence(-1.0 - 0.01 * len(computed), error)}

    monkeypatch.setattr(families, "run", run)
    monkeypatch.setattr(scoring, "bounds_beside", lambda *_: [])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        ockham.score(NETWORK, ROWS, scorer)
    assert computed == list(range(n_runs))


@pytest.mark.parametrize(("n_runs", "trusted"), [(4, False), (5, True)])
def test_the_spread_of_fewer_than_five_runs_is_no_error(n_runs, trusted):
    """Nearly the same weights, which any number of runs would be trusted with."""
    network, rows = ockham.naive_bayes([2], [2, 2])["classes-2"], [[0, 1], [1, 1]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        found = ockham.score(network, rows, "ais", runs=n_runs, n_steps=2000)["annealed_importance_sampling"]
    assert found.trusted == trusted
    assert found.doubt == (ockham.Doubt(0) if trusted else ockham.Doubt.FEW_EFFECTIVE_SAMPLES)


def test_a_doubted_score_is_not_shown_as_a_number():
    with pytest.warns(ockham.OckhamWarning):
        found = ockham.score(NETWORK, ROWS * 100, "ais", n_steps=10, runs=1)
    assert re.fullmatch(r"annealed_importance_sampling: at least -\d+\.\d\d at 95 %; a few samples .*", str(found))
    assert str(ockham.score(NETWORK, ROWS, "exact", runs=1)) == repr(ockham.score(NETWORK, ROWS, "exact", runs=1))


@pytest.mark.parametrize(
    ("diagnostics", "said"),
    [
        ({"monte_carlo_error": 0.1234}, "-1.00 (an approximation; sampling error of a run 0.12)"),
        (
            {"wbic_monte_carlo_error": 0.3, "monte_carlo_error": 0.1},
            "-1.00 (an approximation; sampling error of a run 0.30)",
        ),
        ({"cic_monte_carlo_error": 0.3}, "-1.00 (its error is not known)"),
    ],
)
def test_an_approximation_by_draws_is_shown_with_the_error_of_these(monkeypatch, diagnostics, said):
    monkeypatch.setattr(scoring, "combine_runs", lambda *_: ockham.Evidence(-1.0, diagnostics=diagnostics))
    assert repr(ockham.score(NETWORK, ROWS, "wbic", runs=1)) == f"wbic: {said}"


def test_of_an_approximation_that_is_doubted_no_error_is_shown(monkeypatch):
    doubted = ockham.Evidence(-1.0, diagnostics={"monte_carlo_error": 0.1}, doubt=ockham.Doubt.NOT_MIXED)
    monkeypatch.setattr(scoring, "combine_runs", lambda *_: doubted)
    with pytest.warns(ockham.OckhamWarning):
        assert repr(ockham.score(NETWORK, ROWS, "wbic", runs=1)) == "wbic: unknown; the chains did not come to agree"


@pytest.mark.parametrize("spread", [0.0, 0.1, 0.3, 0.4])
def test_an_approximation_of_several_runs_tells_their_deviation(monkeypatch, spread):
    """Of five values a spread apart, it is sqrt(2.5) times the spread; half a nat and more is doubted."""
    values = [-10.0 + spread * k for k in (-2, -1, 0, 1, 2)]
    runs = iter(values)
    monkeypatch.setattr(
        scoring.families, "run", lambda module, *_: dict.fromkeys(module.ESTIMATES, ockham.Evidence(next(runs)))
    )
    deviation = np.sqrt(2.5) * spread
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        found = ockham.score(MACHINE, [[0, 1]] * 5, "cross_validation", runs=5)
    assert found["cross_validation"].diagnostics["deviation_of_runs"] == pytest.approx(deviation)
    assert np.isnan(found["cross_validation"].standard_error)
    assert found["cross_validation"].trusted == (deviation <= 0.5)
    said = f"-10.00 (an approximation; runs deviate by {deviation:.2f})"
    assert repr(found) == f"cross_validation: {said if deviation <= 0.5 else 'unknown; independent runs ' + DIFFER}"


def test_an_error_that_was_not_reached_is_warned_of(monkeypatch):
    wide = Certified(ockham.Evidence(-1.0, 0.5), "bridge", "", np.nan, -2.0, False, (), {}, 1.0)
    monkeypatch.setattr(scoring, "certify", lambda *_: ([wide], False))
    with pytest.warns(
        ockham.OckhamWarning, match=r"^the error of 0\.1 nats was not reached: -1\.00 \+- 0\.50 \(bridge"
    ):
        ockham.evidence(NETWORK, ROWS)


@pytest.mark.parametrize(
    ("model", "arguments", "message"),
    [
        (NETWORK, {"scorer": "langevin"}, "scorer: 'langevin' is unknown; known are ais, "),
        (MACHINE, {"scorer": "vb"}, "scorer: 'vb' is unknown; known are "),
        (
            MACHINE,
            {"n_leapfrog": 3},
            "settings of laplace: n_leapfrog: unknown key.*; there are .*n_starts, ",
        ),
        (NETWORK, {"runs": 0}, "runs: 0 must be an integer of at least 1"),
        (MACHINE, {"seed": -1}, "seed: -1 must be an integer of at least 0"),
    ],
)
def test_what_it_cannot_do_is_refused(model, arguments, message):
    with pytest.raises(ockham.ConfigError, match=f"^{message}"):
        ockham.score(model, ROWS, **arguments)


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(ockham.DataError, match="column 1"):
        ockham.score(MACHINE, [[0, 2]], **FEW)


NAMED = ockham.DiscreteNetwork.build({"a": 2, "b": 3, "c": 2}, {"b": ["a"], "c": ["b"]}, hidden=["a"])
CELLS = np.column_stack([np.arange(30) % 3, np.arange(30) % 2])
MIXTURE = ockham.FiniteMixture(1, {"x": Gaussian(0.0, 1.0), "n": Poisson(2.0)})
NUMBERS = np.column_stack([np.linspace(-1, 2, 30), np.arange(30) % 4])


@pytest.mark.parametrize("library", [pd, pl])
@pytest.mark.parametrize(
    ("model", "names", "rows"), [(NAMED, "bc", CELLS), (MIXTURE, "xn", NUMBERS)], ids=["network", "mixture"]
)
def test_columns_of_a_frame_are_found_by_their_names(model, names, rows, library):
    def exact(data):
        return ockham.score(model, data, "exact", runs=1)["exact"].log_evidence

    frame = library.DataFrame(dict(zip(names, rows.T, strict=True)))
    expected = exact(rows)
    assert exact(frame) == exact(frame[[*reversed(names)]]) == expected
    assert exact(library.DataFrame(dict(zip("uv", rows.T, strict=True)))) == expected  # no name of the model's
    assert ockham.evidence(model, frame[[*reversed(names)]]).log_evidence == expected
    for wrong, columns in ((names[0] + "z", [0, 1]), (names + "z", [0, 1, 1])):
        other = library.DataFrame(dict(zip(wrong, rows.T[columns], strict=True)))
        with pytest.raises(ockham.DataError, match=r"the data: the table has the columns .* and the model .*; give"):
            exact(other)


def test_tables_that_were_read_are_taken(tmp_path):
    """With their weights; of columns with other states than the model's it is not known which these are."""
    words = np.array(["low", "mid", "top"])[CELLS[:, 0]]
    frame = pd.DataFrame({"c": CELLS[:, 1], "b": words, "times": 1 + CELLS[:, 1]})
    table = ockham.read_table(frame, weights="times")

    def exact(model, data):
        return ockham.score(model, data, "exact", runs=1)["exact"].log_evidence

    assert exact(NAMED, table) == exact(NAMED, np.repeat(CELLS, 1 + CELLS[:, 1], axis=0))
    mixed = ockham.read_mixed_table(pd.DataFrame({"x": NUMBERS[:, 0], "n": NUMBERS[:, 1]}), {"n": "count"})
    assert exact(mixed.model(1), mixed) == exact(mixed.model(1), mixed.rows)
    with pytest.raises(ockham.DataError, match=r"column 'b' has 2 states \(mid, top\), the model 3; give an array"):
        exact(NAMED, ockham.read_table(frame[frame.b != "low"], drop="times"))
    with pytest.raises(ockham.DataError, match="the data: the table has the columns 'c', 'b', 'times', and the model"):
        exact(NAMED, ockham.read_table(frame))
    with pytest.raises(ockham.DataError, match="the data: the table has the items 'x', 'n', and the model 'n', 'x'"):
        exact(ockham.FiniteMixture(1, dict(reversed(mixed.items.items()))), mixed)
    for path in (tmp_path / "t.csv", str(tmp_path / "t.csv")):
        with pytest.raises(ockham.DataError, match=r"the data: is a path, .*; read it: ockham.read_table"):
            exact(NAMED, path)


def test_classes_are_fitted_to_tables_that_were_read():
    network = ockham.DiscreteNetwork.build({"k": 2, "b": 3, "c": 2}, {"b": ["k"], "c": ["k"]}, hidden=["k"])
    frame = pd.DataFrame({"c": CELLS[:, 1], "b": CELLS[:, 0]})
    short = {"n_draws": 100, "n_chains": 2, "progress": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ockham.OckhamWarning)
        found = [ockham.fit_classes(network, data, **short) for data in (CELLS, frame, ockham.read_table(frame))]
    for other in found[1:]:
        np.testing.assert_array_equal(found[0].draws, other.draws)
        np.testing.assert_array_equal(found[0].memberships.probabilities, other.memberships.probabilities)


def test_states_of_a_table_are_those_that_the_fit_calls_so():
    """As many states of other names, or fewer, would be taken for the first ones."""
    network = ockham.DiscreteNetwork.build({"b": 2, "c": 2}, {}, hidden=[])
    words = pd.DataFrame({"b": ["no", "yes"] * 15, "c": ["u", "v", "v"] * 10, "x": np.linspace(-1, 2, 30)})
    short = {"n_draws": 100, "n_chains": 2, "progress": False}
    plain, mixed = ockham.read_table(words, drop="x"), ockham.read_mixed_table(words)
    fits = [
        (
            ockham.fit_classes(network, plain, labels=[("no", "yes"), ("u", "v")], **short),
            ockham.read_table,
            {"drop": "x"},
        ),
        (ockham.fit_classes(mixed.model(1), mixed, labels=mixed.categories, **short), ockham.read_mixed_table, {}),
    ]
    for fit, read, arguments in fits:
        assert fit.predict(read(words[::-1], **arguments)).probabilities.tolist() == [[1.0]] * 30
        for other, message in (
            ({"no": "maybe"}, "has the states maybe, yes, and the labels"),
            ({}, "c.* has the states u, w"),
        ):
            table = read(words.replace({"b": other} if other else {"c": {"v": "w"}}), **arguments)
            with pytest.raises(ockham.DataError, match=message):
                fit.predict(table)
    three = ockham.read_mixed_table(words.assign(b=["no", "yes", "maybe"] * 10))
    with pytest.raises(ockham.DataError, match=r"column 'b' has 2 states \(no, yes\), the model 3"):
        ockham.score(three.model(1), mixed, "exact", runs=1)
