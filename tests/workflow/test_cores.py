"""The model of many cores: its simulation, the costs and the graph that it takes, and the profiles that follow from it.

Sources of truth: schedules found by hand, Graham's bounds on schedules that leave no core idle, Snakemake's rules.
"""

import json
import random
import sys
from pathlib import Path

import pytest
import yaml
from reference.tiny_study import NETWORKS

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def cores(monkeypatch):
    monkeypatch.syspath_prepend(str(REPOSITORY / "benchmarks"))
    import cores

    yield cores
    del sys.modules["cores"]


def chain(cores, *seconds):
    return [cores.Job("score", s, frozenset({i - 1} if i else ())) for i, s in enumerate(seconds)]


def test_schedules_found_by_hand(cores):
    alike = [cores.Job("score", 10.0, frozenset())] * 6
    assert [cores.wall(alike, n) for n in (1, 2, 4, 6, 64)] == [60, 30, 20, 10, 10]
    assert cores.wall(chain(cores, 3.0, 4.0, 5.0), 64) == 12
    assert cores.wall(alike, 6, start=1.0) == 16  # the sixth starts after 6 s
    assert cores.wall(alike, 1, start=1.0) == 66


def test_slurm_jobs_are_looked_at_now_and_then(cores):
    assert cores.wall(chain(cores, 5.0), 1, looks=True) == 20
    assert cores.wall(chain(cores, 25.0), 1, looks=True) == 50  # after 20 s, and 30 s later
    assert cores.wall(chain(cores, 5.0, 5.0), 1, looks=True) == 40


def longest_chain(jobs):
    """Seconds; jobs wait for earlier ones."""
    until = []
    for job in jobs:
        until.append(job.seconds + max((until[i] for i in job.after), default=0.0))
    return max(until)


@pytest.mark.parametrize("seed", range(20))
def test_times_are_within_bounds(cores, seed):
    """No core is left idle, so the time is at most the work of a core and the longest chain, and at least either."""
    draw = random.Random(seed)
    jobs = [
        cores.Job("score", draw.uniform(0, 10), frozenset(draw.sample(range(i), min(i, draw.randrange(3)))))
        for i in range(40)
    ]
    total, chained = sum(job.seconds for job in jobs), longest_chain(jobs)
    assert cores.wall(jobs, 1) == pytest.approx(total)
    for n in (2, 5, 64):
        seconds = cores.in_any_order(lambda some, n=n: cores.wall(some, n), jobs)
        assert max(total / n, chained) - 1e-9 <= seconds <= total / n + chained
    loose = [cores.Job(job.rule, job.seconds, frozenset()) for job in jobs]
    assert cores.wall(loose, 64) < chained  # what waits for nothing is within no such bound


def test_what_waits_for_itself_is_refused(cores):
    with pytest.raises(ValueError, match="wait for each other"):
        cores.wall([cores.Job("score", 1.0, frozenset({1})), cores.Job("score", 1.0, frozenset({0}))], 2)


def test_groups_are_slurm_jobs(cores):
    jobs = [cores.Job("draw", 1.0, frozenset())] * 3 + [cores.Job("score", 2.0, frozenset({i})) for i in (0, 1, 2)]
    jobs += [cores.Job("measure", 9.0, frozenset({0})), cores.Job("collect", 4.0, frozenset({3, 4, 5}))]
    jobs += [cores.Job("plot", 4.0, frozenset({6, 7}))]
    groups = {"draw": "data", "score": "scores", "collect": "rest", "plot": "rest"}
    lots = cores.grouped(jobs, groups, {"data": 2, "scores": 3})
    assert [sorted(lot.after) for lot in lots] == [[], [], [0, 1], [2, 4], [0]]
    inside = [lot.seconds - cores.QUEUE - cores.IN_SLURM for lot in lots]
    assert inside == pytest.approx([s + n * cores.IN_SLURM for s, n in ((2, 2), (1, 1), (6, 3), (8, 2), (9, 1))])


def test_short_jobs_go_together_and_long_ones_do_not(cores):
    """With a core for each, an hour twice in one Slurm job is twice as long. Four short ones end before the first
    look at them, 11.5 + 4 x 1.6 = 17.9 s, and six do not, so they are known at the second.
    """
    groups = {"draw": "data", "score": "scores"}
    long = [cores.Job("score", 3600.0, frozenset())] * 50
    assert cores.best_components(long, groups, 100)["scores"] == 1
    short = [cores.Job("score", 0.1, frozenset())] * 50
    assert cores.best_components(short, groups, 100)["scores"] == 4


def test_the_graph_and_the_costs_of_a_study(cores, new_folder):
    """Its own times go before those of the manifest, whose total is kept for what has not run here. Where jobs did not
    tell their CPU time, they count by wall time.
    """
    entries = {"em": {"runs": 2}, "vb": {"runs": 2}, "ais": {"runs": 2, "settings": {"n_steps": 4}}}
    tiny = new_folder(NETWORKS | {"replicates": {"prior_draws": 3}, "scorers": entries})
    scoring = {
        "em": {"jobs": 3, "cpu_seconds": 30.0, "wall_seconds": 60.0, "longest_job_seconds": 40.0},
        "vb": {"jobs": 2, "cpu_seconds": 21.0, "wall_seconds": 30.0, "longest_job_seconds": 20.0},
    }
    scoring["em"]["jobs_that_timed_themselves"], scoring["vb"]["jobs_that_timed_themselves"] = 3, 1
    manifest = tiny.path / "figures/tiny/manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"study": "tiny", "scoring": scoring}))
    own = tiny.path / "results/benchmarks/tiny/em/replicate-002.tsv"
    own.parent.mkdir(parents=True)
    own.write_text("s\tmax_rss\tcpu_time\n9\t70\t7.5\n")
    cells = own.with_suffix(".cells")
    blocks = cores.load(tiny.path / "config/tiny.yaml").blocks("em")
    cells.write_text(f"{blocks['replicate-002'].n_cells} 7.6\n")
    jobs, unknown = cores.jobs_of(["tiny"], tiny.path)
    seconds = {job.output: job.seconds for job in jobs if job.rule == "score"}
    assert [seconds[f"tiny/scores/em/{block}.nc"] for block in blocks] == [20.0, 7.6, 5.0]
    assert [seconds[f"tiny/scores/vb/{block}.nc"] for block in blocks] == [10.0] * 3  # cut otherwise elsewhere
    assert unknown == 3
    assert [seconds[f"tiny/scores/ais/{block}.nc"] for block in blocks] == pytest.approx([(32.6 + 30) / 6] * 3)
    for job in jobs:
        before = {jobs[i].output for i in job.after}
        if job.rule == "score":
            assert before == {f"tiny/data/{Path(job.output).name}"}
        if job.rule == "collect":
            assert before >= set(seconds)
    cells.write_text(f"{blocks['replicate-002'].n_cells}\n")
    jobs, _ = cores.jobs_of(["tiny"], tiny.path)
    assert {job.seconds for job in jobs if job.output == "tiny/scores/em/replicate-002.nc"} == {9.0}
    cells.write_text("1 0.5\n")  # a job that found the others computed tells nothing of the whole
    jobs, _ = cores.jobs_of(["tiny"], tiny.path)
    assert {job.seconds for job in jobs if job.output == "tiny/scores/em/replicate-002.nc"} == {5.0}


def test_profiles_have_what_follows_from_the_committed_costs(cores, tmp_path):
    """After studies were run anew: python benchmarks/cores.py groups --write."""
    studies = yaml.safe_load((REPOSITORY / "config/workflow.yaml").read_text())["studies"]
    jobs, _ = cores.jobs_of(studies, benchmarks=str(tmp_path))
    about = cores.profile()
    expected = cores.best_components(jobs, about["groups"], about["jobs"])
    for file in cores.PROFILES:
        assert yaml.safe_load(file.read_text())["group-components"] == expected


def test_only_the_sizes_of_a_profile_are_written(cores, tmp_path):
    file = tmp_path / "config.yaml"
    for other in cores.PROFILES:
        text = other.read_text()
        file.write_text(text + "\n# and more\nretries: 2\n")
        cores.write_components(file, {"data": 1, "scores": 99})
        before, after = (yaml.safe_load(t) for t in (text, file.read_text()))
        assert after == before | {"group-components": {"data": 1, "scores": 99}, "retries": 2}
    file.write_text("jobs: 1\n")
    with pytest.raises(SystemExit, match="has no group-components"):
        cores.write_components(file, {})
