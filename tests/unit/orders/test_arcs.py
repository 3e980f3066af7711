"""``ockham arcs`` estimates arcs and evidence of a user's table, the same at every call, and refuses what is no table.

Source of truth: sums over all graphs of three variables, whose family scores are those that the package computes.
"""

import csv
import re
import tracemalloc

import netCDF4
import numpy as np
import pytest
from click.testing import CliRunner
from reference.orders import arcs_of, over_graphs

import ockham
from ockham.cli import main
from ockham.contracts import Doubt
from ockham.errors import ModelError, OckhamWarning
from ockham.estimation.combining import combine
from ockham.orders import arcs
from ockham.orders.data.reading import complete_table, completed
from ockham.orders.estimates import mean_of_corrected
from ockham.orders.family import FAMILY
from ockham.orders.inference.exact_structures import predicted_cost
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.inference.family_scores import predicted_cost as scores_cost
from ockham.orders.space import PRIORS, OrderSpace

NAMES = ("rain", "wet", "slip")


@pytest.fixture
def table(tmp_path):
    """A chain rain -> wet -> slip with some noise."""
    rng = np.random.default_rng(3)
    rain = rng.random(60) < 0.4
    wet = rain ^ (rng.random(60) < 0.2)
    slip = wet ^ (rng.random(60) < 0.25)
    path = tmp_path / "walk.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([NAMES, *zip(*(np.where(x, "yes", "no") for x in (rain, wet, slip)), strict=True)])
    return path


def exact(table):
    """Log evidence and arc posteriors, under the order-modular prior and the uniform one over graphs."""
    graphs = over_graphs(bdeu_scores(complete_table(table), OrderSpace(3, 2)))
    log_scores, counts = np.array([score for score, _ in graphs.values()]), np.array([n for _, n in graphs.values()])
    found = []
    for weights in (counts, np.ones(len(counts))):
        total = np.logaddexp.reduce(log_scores + np.log(weights))
        posterior = weights * np.exp(log_scores - total)
        found.append((total - np.log(weights.sum()), np.tensordot(posterior, [arcs_of(g) for g in graphs], axes=1)))
    return found


def run(table, tmp_path, *options):
    result = CliRunner().invoke(main, ["arcs", str(table), "--output", str(tmp_path / "out"), *options])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def rows(tmp_path):
    with (tmp_path / "out.csv").open() as file:
        return list(csv.DictReader(file))


OFF = ~np.eye(3, dtype=bool)


def test_exact_sums_are_taken_where_they_fit(table, tmp_path):
    printed = run(table, tmp_path)
    for label, (log_evidence, _) in zip(("order-modular", "uniform over graphs"), exact(table), strict=True):
        assert f"log evidence, prior {label}: {log_evidence:.3f} nats, exact" in printed
    assert "arcs, prior uniform over graphs: exact" in printed
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        for prior, (log_evidence, arcs) in enumerate(exact(table)):
            assert file["exact"][prior] == 1
            assert file["log_evidence"][prior] == pytest.approx(log_evidence, abs=1e-9)
            for name in ("arcs", "low", "high"):
                np.testing.assert_allclose(file[name][prior], arcs, atol=1e-9)
            assert file["doubt"][prior] == file["arcs_doubt"][prior] == 0
        assert file.method == "orders: exact, graphs: exact"
        assert file["parent"][:].tolist() == list(NAMES)
    written = rows(tmp_path)
    assert len(written) == 6
    assert {written[0]["parent"], written[0]["child"]} in ({"rain", "wet"}, {"wet", "slip"})
    posteriors = [float(row["posterior_graphs"]) for row in written]
    assert posteriors == sorted(posteriors, reverse=True)
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_both_posteriors_are_estimated_from_samples(table, tmp_path):
    printed = run(table, tmp_path, "--sample", "--effective-samples", "800")
    assert "arcs, prior uniform over graphs: from samples" in printed
    assert "sampled: effective sample size" in printed
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        for prior, (log_evidence, arcs) in enumerate(exact(table)):
            assert not file["exact"][prior]
            assert abs(file["log_evidence"][prior] - log_evidence) < 4 * file["standard_error"][prior] + 1e-9
            assert file["lower_bound"][prior] < log_evidence
            found, low, high = (np.asarray(file[name][prior])[OFF] for name in ("arcs", "low", "high"))
            assert (np.abs(found - arcs[OFF]) < 4 * (high - low) / (2 * 1.96)).all()
            assert ((low < found) & (found < high) & (high - low > 0.01)).all()  # no arc is known for certain
            assert file["effective_sample_size"][prior] >= 800
        assert abs(file["log_evidence"][1] - exact(table)[0][0]) > 4 * file["standard_error"][1]
        assert file.method == "orders: sampled, graphs: sampled"
        assert file.sums in ("table", "lists")


def test_the_cheaper_sum_is_exact_where_only_it_fits(tmp_path):
    """The sum over graphs of 14 nodes is predicted to take 29 ms, that over orders with the scores less."""
    rng, path = np.random.default_rng(1), tmp_path / "coins.csv"
    write(path, rng.integers(0, 2, (20, 14)))
    space = OrderSpace(14, 1)
    seconds = sum(predicted_cost("orders", 14, 1)[:1]) + scores_cost(space, 20)[0] + 0.01
    with pytest.warns(OckhamWarning, match="arcs, prior graphs: unknown"):
        found = arcs.estimate(complete_table(path), space, max_seconds=seconds, n_steps=1)
    assert found.exact.tolist() == [True, False]
    assert np.isfinite(found.arcs[0]).all()
    assert np.isnan(found.arcs[1]).all()


def test_the_seed_decides(table, tmp_path):
    options = ["--sample", "--steps", "20"]
    first = run(table, tmp_path, *options, "--seed", "1"), rows(tmp_path)
    assert (run(table, tmp_path, *options, "--seed", "1"), rows(tmp_path)) == first
    assert (run(table, tmp_path, *options, "--seed", "2"), rows(tmp_path)) != first


def test_results_lie_beside_the_table_by_default(table):
    assert CliRunner().invoke(main, ["arcs", str(table)]).exit_code == 0
    assert sorted(path.name for path in table.parent.glob("walk_arcs.*")) == [
        "walk_arcs.csv", "walk_arcs.nc", "walk_arcs.png",
    ]  # fmt: skip


def write(path, states):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[f"x{i}" for i in range(states.shape[1])], *states.tolist()])


def test_many_coins_give_no_confident_arc(tmp_path):
    """64 columns that have nothing to do with one another, and more structures than so few samples can stand for."""
    path = tmp_path / "coins.csv"
    write(path, np.random.default_rng(1).integers(0, 2, (100, 64)))
    printed = run(path, tmp_path, "--max-seconds", "3", "--max-indegree", "2")
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        few = file["effective_sample_size"][:] < 30
        unknown = file["doubt"][:] > 0
        assert (unknown | ~few).all()
        assert (np.isnan(file["arcs"][:]).all(axis=(1, 2)) | ~few).all()
        assert few[1]
        assert not (file["arcs"][:] > 0.5).any()
    assert "log evidence, prior uniform over graphs: at least" in printed
    assert "of which nothing is known" in printed
    assert "  x" not in printed.partition("log evidence")[2]


def test_too_few_effective_samples_say_nothing_of_arcs(table, tmp_path):
    """A megabyte is room for less than 2000 samples."""
    printed = run(table, tmp_path, "--sample", "--effective-samples", "3000", "--max-gigabytes", "0.001")
    assert "arcs, prior uniform over graphs: unknown: a few samples carry nearly all of the weight" in printed
    assert " 0." not in printed.partition("unknown")[2]
    written = rows(tmp_path)
    assert {value for row in written for name, value in row.items() if name not in ("parent", "child")} == {""}
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        assert file["arcs_doubt"][1] & int(Doubt.FEW_EFFECTIVE_SAMPLES)
        assert file["arcs_doubt"].flag_meanings.split()[0] == "few_effective_samples"
        for name in ("arcs", "low", "high"):
            assert np.isnan(file[name][:]).all()


def star():
    """Eight noisy copies of one column, which has to come early, for each may have one parent: few orders are good."""
    rng = np.random.default_rng(1)
    cause = rng.random((300, 1)) < 0.5
    return np.hstack([cause, cause ^ (rng.random((300, 8)) < 0.15)]).astype(int)


def test_weights_too_wide_for_the_evidence_give_a_bound(tmp_path):
    """The memory that is allowed is room for the first samples, with the schedule that they begin with, alone."""
    write(tmp_path / "star.csv", star())
    options = ["--sample", "--steps", "2", "--max-indegree", "1", "--graphs", "500", "--max-gigabytes", "0.001"]
    printed = run(tmp_path / "star.csv", tmp_path, *options)
    (line,) = [line for line in printed.splitlines() if "prior uniform over graphs: at least" in line]
    assert "+-" not in line


def test_schedules_are_lengthened_where_weights_are_wide(tmp_path):
    space = OrderSpace(9, 1)
    found = arcs.estimate(FAMILY.read(space, star()), space, exact=False, n_steps=2, n_graphs=1)
    assert found.about["steps"] > 2
    assert found.about["samples"] < 2000
    assert found.effective_sample_size.min() >= 100
    truth = arcs.estimate(FAMILY.read(space, star()), space)
    assert truth.exact.all()
    assert (np.abs(found.log_evidence - truth.log_evidence) < 4 * found.standard_error).all()


def test_errors_of_evidences_are_those_of_weights_of_their_kind():
    space = OrderSpace(9, 1)
    found = arcs.search(FAMILY.read(space, star()), space, arcs.Effort(exact=False, n_steps=100))
    over_orders, over_graphs = (found.weighted[prior].log_weights for prior in PRIORS)
    errors = [float(combine(over_orders, "mean").standard_error), float(mean_of_corrected(over_graphs).standard_error)]
    assert found.estimates.standard_error.tolist() == errors
    assert combine(over_graphs, "mean").standard_error != errors[1]


@pytest.mark.parametrize("limits", [{"max_bytes": 1e6}, {"max_bytes": 1e15, "max_seconds": 1e9}])
def test_the_limits_of_the_limits_can_be_given(table, limits):
    space = OrderSpace(3, 2)
    found = arcs.estimate(complete_table(table), space, exact=False, n_steps=20, n_effective=30, **limits)
    assert not found.arcs_doubt.any()


def test_what_would_take_too_much_is_refused_before_it_starts(table):
    space = OrderSpace(3, 2)
    data = complete_table(table)
    with pytest.raises(ModelError, match=r"a first round of 32 samples of 100,000,000 steps: predicted to take"):
        arcs.estimate(data, space, exact=False, n_steps=10**8)
    wide = OrderSpace(64, 6)
    coins = FAMILY.read(wide, np.random.default_rng(1).integers(0, 2, (50, 64)))
    with pytest.raises(ModelError, match=r"the scores of all families: predicted to take .*lower the largest indegree"):
        arcs.estimate(coins, wide)


def test_the_most_probable_graph_is_printed_and_written(table, tmp_path):
    printed = run(table, tmp_path)
    graphs = over_graphs(bdeu_scores(complete_table(table), OrderSpace(3, 2)))
    log_scores = np.array([score for score, _ in graphs.values()])
    share = np.exp(log_scores.max() - np.logaddexp.reduce(log_scores))
    assert f"most probable graph, of all graphs, posterior probability {share:.3g}:" in printed
    lines = [line.split() for line in printed.partition("most probable graph")[2].splitlines()[1:-1]]
    best = arcs_of(max(graphs, key=lambda graph: graphs[graph][0]))
    best_pairs = {frozenset((NAMES[u], NAMES[v])) for u, v in np.argwhere(best)}
    assert {frozenset(line[:2]) for line in lines} == best_pairs
    assert all(line[2:] == ["or", "reversed"] for line in lines)  # without a v-structure no arc is fixed
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        assert file["best_probability"][...] == pytest.approx(share)
        assert file["best_graph"][:].sum() == len(best_pairs)
        assert (file.graph_prior, file.graphs_from, file.best_of_all) == ("graphs", "exact posterior", 1)
        for name in ("adjacent", "path", "in_blanket"):
            low, found, high = (np.asarray(file[f"{name}{end}"][:])[OFF] for end in ("_low", "", "_high"))
            assert ((low <= found) & (found <= high)).all()
        np.testing.assert_allclose(file["adjacent"][:], exact(table)[1][1] + exact(table)[1][1].T, atol=1e-9)


def test_a_best_graph_without_arcs_is_said_to_have_none(tmp_path):
    path = tmp_path / "coins.csv"
    path.write_text("a,b\n" + "0,0\n0,1\n1,0\n1,1\n" * 5)
    printed = run(path, tmp_path)
    assert re.search(r"most probable graph, of all graphs, posterior probability [0-9.]+: no arcs\nwritten", printed)


def test_the_prior_may_be_that_of_orders(table, tmp_path):
    printed, by_graphs = run(table, tmp_path, "--prior", "orders"), exact(table)
    assert "arcs, prior order-modular: exact" in printed
    assert "most probable graph, the best found, posterior probability" in printed
    assert f"log evidence, prior uniform over graphs: {by_graphs[1][0]:.3f} nats, exact" in printed
    posteriors = [float(row["posterior_orders"]) for row in rows(tmp_path)]
    assert posteriors == sorted(posteriors, reverse=True)
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        adjacent = by_graphs[0][1] + by_graphs[0][1].T
        np.testing.assert_allclose(file["adjacent"][:], adjacent, atol=1e-9)


@pytest.mark.parametrize("sampled", [[], ["--sample", "--effective-samples", "500"]])
def test_arcs_are_forbidden_and_required(table, tmp_path, sampled):
    printed = run(table, tmp_path, "--forbid", "rain,wet", "--forbid", "slip, rain", "--require", "slip,wet", *sampled)
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        for prior in range(2):
            arcs = np.asarray(file["arcs"][prior])
            assert arcs[0, 1] == arcs[2, 0] == arcs[1, 2] == 0
            assert arcs[2, 1] == pytest.approx(1)
            assert arcs[1, 0] > 0.5
        assert (file.forbidden, file.required) == ("rain -> wet, slip -> rain", "slip -> wet")
        space = OrderSpace(3, 2, forbidden=[(0, 1), (2, 0)], required=[(2, 1)])
        graphs = {
            graph for graph, of in over_graphs(bdeu_scores(complete_table(table), space)).items() if np.isfinite(of[0])
        }
        assert np.exp(file["log_count"][1]) == pytest.approx(len(graphs))
    arcs = printed.partition("most probable graph")[2]
    assert "slip  wet" in arcs
    assert "rain  wet" not in arcs


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--forbid", "rain"], "--forbid rain: must be two names with a comma between, a parent and a child"),
        (["--require", "rain,wet,slip"], "--require rain,wet,slip: must be two names"),
        (["--require", ""], "--require : must be two names"),
        (["--require", "rain,snow"], "required: there is no variable 'snow'; there are rain, wet, slip"),
        (["--require", "rain,wet", "--forbid", "rain,wet"], "rain -> wet: is both forbidden and required"),
        (["--require", "rain,wet", "--require", "wet,rain"], "wet -> rain -> wet: required arcs make a cycle"),
        (
            ["--require", "rain,wet", "--require", "slip,wet", "--max-indegree", "1"],
            "wet: 2 parents are required, 1 are allowed",
        ),
    ],
)
def test_rules_that_cannot_be_are_refused_in_one_line(options, message, table):
    result = CliRunner().invoke(main, ["arcs", str(table), *options])
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert [path.name for path in table.parent.iterdir()] == [table.name]


def test_the_table_is_not_written_over(table):
    before = table.read_bytes()
    result = CliRunner().invoke(main, ["arcs", str(table), "--output", str(table.with_suffix(""))])
    assert result.exit_code == 2
    assert result.stderr == f"ockham: {table}: is read, and results would be written over it; give them another name\n"
    assert result.stdout == ""
    assert table.read_bytes() == before
    assert [path.name for path in table.parent.iterdir()] == [table.name]


def test_what_the_table_was_read_as_is_said(tmp_path):
    path = tmp_path / "counted.csv"
    path.write_text("a,b,same,times\n0,1,x,2\n1,0,x,3\n1,1,x,1\n?,1,x,1\n")
    printed = run(path, tmp_path, "--missing", "NA", "--weights", "times")
    assert "a: 3 states: 0 (1), 1 (2), ? (1)\n" in printed
    assert "note: column 'same': left out: every cell that is not missing is 'x'" in printed
    assert "counted.csv: 2 variables, 7 rows\n" in printed


def test_rows_that_are_too_many_by_their_weights_are_refused_before_they_are_repeated(tmp_path, monkeypatch):
    path = tmp_path / "counted.csv"
    path.write_text("a,b,times\n0,1,50000000\n1,0,50000000\n")
    monkeypatch.setattr(np, "repeat", None)
    words = "counted.csv: 100,000,000 rows, as the weights say, of 2 columns: predicted to take 1.2 GB, 0.5 GB are"
    result = CliRunner().invoke(main, ["arcs", str(path), "--weights", "times", "--max-gigabytes", "0.5"])
    assert result.exit_code == 2
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
    with pytest.raises(ModelError, match=words):
        ockham.arcs(path, weights="times", max_gigabytes=0.5)


def test_repeated_rows_take_two_bytes_a_cell(tmp_path):
    path = tmp_path / "counted.csv"
    path.write_text("a,b,times\n0,1,1000000\n1,0,1000000\n")
    read = ockham.read_table(path, weights="times")
    tracemalloc.start()
    try:
        assert completed(read, "the data").states.nbytes == 2 * 2 * 2_000_000
        assert tracemalloc.get_traced_memory()[1] < 1.2 * 2 * 2 * 2_000_000
    finally:
        tracemalloc.stop()


def test_a_name_with_a_comma_is_in_quotes(tmp_path):
    path = tmp_path / "commas.csv"
    path.write_text('"a,b",c\n0,1\n1,0\n1,1\n')
    run(path, tmp_path, "--forbid", '"a,b",c')
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        assert file["arcs"][0][0, 1] == 0
        assert file["arcs"][0][1, 0] > 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "a,b\nx,y\nz,y\nx,\nx,z\n",
            "bad.csv: 1 of 4 rows have missing cells, in the columns 'b'; arcs need complete rows",
        ),
        ("a,b\nx\n", "line 2: has 1 cells"),
        ("a,b\nx,z\ny,z\n", "bad.csv: has one column; arcs need two variables or more"),
        (
            "a,b\n" + "".join(f"name {i},{i % 2}\n" for i in range(20)),
            "bad.csv: column 'a': has a different value in each",
        ),
        ("", "has 0 rows"),
    ],
)
def test_bad_tables_are_refused_in_one_line(content, message, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(content)
    result = CliRunner().invoke(main, ["arcs", str(path)])
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == [path]
