"""``ockham arcs`` estimates arcs and evidence of a user's table, the same at every call, and refuses what is no table.

Source of truth: sums over all graphs of three variables, whose family scores are those that the package computes.
"""

import csv

import netCDF4
import numpy as np
import pytest
from click.testing import CliRunner
from reference.orders import arcs_of, over_graphs

from ockham.cli import main
from ockham.contracts import Doubt
from ockham.orders.data.structure_data import read_csv
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.space import OrderSpace

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
    graphs = over_graphs(bdeu_scores(read_csv(table), OrderSpace(3, 2)))
    log_scores, counts = np.array([score for score, _ in graphs.values()]), np.array([n for _, n in graphs.values()])
    found = []
    for weights in (counts, np.ones(len(counts))):
        total = np.logaddexp.reduce(log_scores + np.log(weights))
        posterior = weights * np.exp(log_scores - total)
        found.append((total - np.log(weights.sum()), np.tensordot(posterior, [arcs_of(g) for g in graphs], axes=1)))
    return found


def test_both_posteriors_are_estimated(table, tmp_path):
    result = CliRunner().invoke(main, ["arcs", str(table), "--samples", "900", "--output", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "log evidence, prior uniform over graphs: -" in result.output
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        for prior, (log_evidence, arcs) in enumerate(exact(table)):
            assert abs(file["log_evidence"][prior] - log_evidence) < 4 * file["standard_error"][prior]
            assert file["lower_bound"][prior] < log_evidence
            off = ~np.eye(3, dtype=bool)
            errors = np.asarray(file["arc_errors"][prior])[off]
            assert (np.abs(np.asarray(file["arcs"][prior]) - arcs)[off] < 4 * errors).all()
        assert abs(file["log_evidence"][1] - exact(table)[0][0]) > 4 * file["standard_error"][1]
        assert file.method in ("table", "lists")
        assert file["parent"][:].tolist() == list(NAMES)
        assert np.asarray(file["arc_errors"][:])[:, off].min() > 1e-4  # no arc is known for certain from samples
    with (tmp_path / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    assert {rows[0]["parent"], rows[0]["child"]} in ({"rain", "wet"}, {"wet", "slip"})
    assert [float(row["posterior_graphs"]) for row in rows] == sorted(float(r["posterior_graphs"]) for r in rows)[::-1]
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_the_seed_decides(table, tmp_path):
    def run(name, seed):
        arguments = ["arcs", str(table), "--samples", "90", "--seed", seed, "--output", str(tmp_path / name)]
        assert CliRunner().invoke(main, arguments).exit_code == 0
        return (tmp_path / f"{name}.csv").read_text()

    assert run("a", "1") == run("b", "1") != run("c", "2")


def test_results_lie_beside_the_table_by_default(table):
    assert CliRunner().invoke(main, ["arcs", str(table), "--samples", "9", "--steps", "5"]).exit_code == 0
    assert sorted(path.name for path in table.parent.glob("walk_arcs.*")) == [
        "walk_arcs.csv", "walk_arcs.nc", "walk_arcs.png",
    ]  # fmt: skip


def test_few_effective_samples_say_nothing_of_arcs(table, tmp_path):
    result = CliRunner().invoke(main, ["arcs", str(table), "--samples", "20", "--output", str(tmp_path / "few")])
    assert result.exit_code == 0, result.output
    assert "arcs, prior uniform over graphs: unknown: a few samples carry nearly all of the weight" in result.output
    with (tmp_path / "few.csv").open() as file:
        assert {row["posterior_graphs"] + row["standard_error_graphs"] for row in csv.DictReader(file)} == {""}
    with netCDF4.Dataset(tmp_path / "few.nc") as file:
        assert file["arcs_doubt"][1] & int(Doubt.FEW_EFFECTIVE_SAMPLES)
        assert file["arcs_doubt"].flag_meanings.split()[0] == "few_effective_samples"


def test_weights_too_wide_for_the_evidence_give_a_bound(tmp_path):
    """Eight noisy copies of one column, which has to come early, for each may have one parent: few orders are good."""
    rng, path = np.random.default_rng(1), tmp_path / "star.csv"
    cause = rng.random((300, 1)) < 0.5
    rows = np.hstack([cause, cause ^ (rng.random((300, 8)) < 0.15)]).astype(int)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[f"x{i}" for i in range(9)], *rows.tolist()])
    result = CliRunner().invoke(main, ["arcs", str(path), "--samples", "20", "--steps", "4", "--max-indegree", "1"])
    assert result.exit_code == 0, (result.exception, result.stderr)
    (line,) = [line for line in result.output.splitlines() if "prior uniform over graphs: at least" in line]
    assert "+-" not in line


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\nx,\n", r"line 2, column 'b': is empty"),
        ("a,b\nx\n", "line 2: has 1 cells"),
        ("a\nx\n", "bad.csv: has one column; arcs need two variables or more"),
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
