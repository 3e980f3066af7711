"""The table of peers: errors against the truth, who is ahead, and a reason in every row without an answer.

Source of truth: errors by hand, processes that fail in known ways, and the package's own likelihood.
"""

import importlib.util
import sys
from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference.likelihoods import log_likelihoods

FOLDER = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture(scope="module")
def peers():
    """The command, and with it the modules that it imports."""
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    found = importlib.util.spec_from_file_location("peers_command", FOLDER / "peers.py")
    command = importlib.util.module_from_spec(found)
    found.loader.exec_module(command)
    yield command
    sys.path.remove(str(FOLDER))
    for name in {name for name in set(sys.modules) - before if name.partition(".")[0] == "peers"}:
        del sys.modules[name]


@pytest.fixture
def task(peers):
    return peers.tasks.tasks()[0]


def row(peers, task, theirs, ours, **given):
    """The judged record of what both sides returned, seconds and answer."""
    theirs, ours = ({"seconds": seconds, "answer": answer} for seconds, answer in (theirs, ours))
    record = peers.judging.record(task, "1.0", theirs, ours, given)
    return peers.judging.judged([record], {task.table: given})[0]


def of(task, **changes):
    return type(task)(**{**vars(task), **changes})


def test_the_error_of_a_height_is_how_far_it_is_below_the_highest(peers, task):
    found = row(peers, of(task, judge="height"), (2.0, -101.0), (0.1, -100.0))
    assert (found.error, found.our_error, found.ratio) == (1.0, 0.0, 20.0)
    assert peers.judging.ahead(found)


def test_the_error_of_an_evidence_is_its_distance_from_the_truth(peers, task):
    found = row(peers, of(task, judge="evidence"), (2.0, -99.0), (0.1, -100.5), log_evidence=-100.0)
    assert (found.error, found.our_error) == (1.0, 0.5)


def test_the_error_of_arcs_is_the_largest(peers, task):
    exact = np.array([[0.0, 0.75], [0.25, 0.0]])
    found = row(peers, of(task, judge="arcs"), (2.0, [[0.0, 0.5], [0.5, 0.0]]), (0.1, exact.tolist()), arcs=exact)
    assert (found.answer, found.error, found.our_error) == (1.0, 0.25, 0.0)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [((0.05, -101.0), (0.1, -100.0)), ((2.0, -99.0), (0.1, -100.0)), ((2.0, -101.0), (nan, None))],
    ids=["slower", "worse", "without our answer"],
)
def test_we_are_not_ahead_where_we_are_slower_or_worse(peers, task, theirs, ours):
    assert not peers.judging.ahead(row(peers, of(task, judge="height"), theirs, ours))


def test_a_peer_that_cannot_be_installed_is_named_with_its_error(peers, task, tmp_path):
    found = peers.theirs(task, tmp_path / "none.npz", {task.peer: "no matching distribution"})
    record = peers.judging.record(task, "1.0", found, {"seconds": 0.1, "answer": -100.0}, {})
    assert isnan(record.seconds)
    assert peers.judging.ahead(record) is None
    line = peers.judging.line(record)
    assert task.peer in line
    assert line.endswith("no matching distribution")
    assert "nan" not in line


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("raise ValueError('of the peer')", "ValueError: of the peer"),
        ("return lambda: exec('while True: pass'), float", "not done after 1 CPU s"),
        ("return lambda: 3, float", ""),
    ],
    ids=["fails", "takes too long", "works"],
)
def test_a_process_is_timed_or_says_why_not(peers, tmp_path, body, note):
    (tmp_path / "work_of_a_peer.py").write_text(f"def run(given):\n    {body}\n", encoding="utf-8")
    np.savez(tmp_path / "problem.npz", rows=np.zeros(2))
    found = peers.run(sys.executable, "work_of_a_peer.run", {}, tmp_path / "problem.npz", 1, [str(tmp_path)])
    assert found.get("note", "") == note
    assert found.get("answer") == (None if note else 3.0)


def test_a_peer_that_was_ended_is_not_compared_and_shown_with_its_limit(peers, task):
    ours = {"seconds": 0.5, "answer": -100.0}
    record = peers.judging.record(task, "1.0", {"seconds": 60.0, "note": "not done after 60 CPU s"}, ours, {})
    (found,) = peers.judging.judged([record], {task.table: {}})
    assert peers.judging.ahead(found) is None
    assert {">60", ">120"} <= set(peers.judging.line(found).split())
    assert "ahead in 0 of the 0 rows whose errors are known; of the others 1 were ended" in peers.judging.table([found])


def test_a_score_of_another_model_has_no_error_to_compare(peers, task):
    found = row(peers, of(task, judge="own"), (2.0, -101.0), (0.1, -100.0))
    assert peers.judging.ahead(found) is None
    assert "1 have no error" in peers.judging.table([found])


def test_results_are_kept_until_they_rest_on_something_else(peers, tmp_path):
    made = []

    def get(how, limit):
        kept = peers.Kept(tmp_path, how)
        found = [
            kept.get(lambda: made.append(limit) or {"answer": limit}, "table", limit, sources=["fits"]) for _ in "ab"
        ]
        return [one.get("answer") for one in found]

    assert get(peers.KEPT, 1) == [None, None]
    assert get(peers.CONTINUE, 1) == get(peers.CONTINUE, 1) == get("", 1) == get(peers.KEPT, 1) == [1, 1]
    assert get(peers.CONTINUE, 2) == [2, 2]
    assert made == [1, 1, 2]


def test_all_tasks_have_a_peer_a_judge_and_our_work(peers):
    """Of those that the packages of the peers are not needed for."""
    text = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / "peers").glob("*.py")}
    for task in peers.tasks.tasks():
        module, _, function = task.theirs[0].partition(".")
        assert task.judge in peers.judging.EQUAL
        assert f"def {function}(" in text[module]
        assert f"def {task.ours[0]}(" in text["ours"]
        assert peers.PEERS[task.peer] == "debian" or peers.version_of(task.peer)


@pytest.mark.parametrize("n_classes", [0, 3], ids=["the paper's structure", "survey"])
def test_peers_get_the_likelihood_of_the_package(peers, n_classes):
    problems = peers.judging.problems
    given = problems.survey(n_classes) if n_classes else problems.true_structure(480)
    network = problems.network_of(given)
    points = sample_log(network, np.random.default_rng(0))[None]
    ours = log_likelihoods(network, UniqueRows.of(given["states"], given["cardinalities"]), points)
    np.testing.assert_allclose(problems.log_likelihood(points, given), ours, rtol=1e-12)
    assert abs(problems.log_likelihood(points + 1e-3, given) - ours) > 1


def test_points_of_the_cube_are_uniform_parameters(peers):
    """Two moments of a Dirichlet of ones; sticks that are not raised to their power have others."""
    from peers import likelihood

    sizes, rng = np.array([2, 5]), np.random.default_rng(1)
    maps, u = likelihood.sticks(sizes), rng.random((20_000, 5))
    theta = np.exp(likelihood.cube_to_log(u, maps))
    wrong = np.exp(likelihood.cube_to_log(u, maps | {"after": np.ones(5)}))
    first, second = np.repeat(1 / sizes, sizes), np.repeat(2 / sizes / (sizes + 1), sizes)

    def z(points):
        moments = (points, first), (points**2, second)
        return [(x.mean(axis=0) - mean) / x.std(axis=0) * np.sqrt(len(u)) for x, mean in moments]

    assert np.abs(z(theta)).max() < 4
    assert np.abs(z(wrong)).max() > 4
    logits = likelihood.log_to_real(np.log(theta), sizes)
    np.testing.assert_allclose(logits, np.log(u) - np.log1p(-u), atol=1e-6)
    np.testing.assert_allclose(np.exp(likelihood.real_to_log(logits, maps)), theta, rtol=1e-8)
