"""A run computes what is missing or changed, and nothing else.

One small study goes through a sequence of changes in a folder of its own, each followed by a run. The source of truth
is what the jobs logged, ``computed X of Y cells``: the numbers expected are counted by hand from the change. Stages
build on each other, so the order of the tests in this file is part of it.
"""

import re
import shutil

import pytest
import xarray as xr
from reference.stored_studies import edited
from reference.tiny_study import NETWORKS as CONFIG
from reference.tiny_study import ORDERS

from ockham.studies.costs import job_cost

SCORES = "results/tiny/scores.nc"
COMPUTED = re.compile(r"(\w+) (\S+): computed (\d+) of (\d+) cells")


def run(folder, target=SCORES):
    """The cells that a run computes, by scorer; scorers without a job are left out."""
    logs = folder.path / "results/logs/tiny/score"
    shutil.rmtree(logs, ignore_errors=True)
    folder.snakemake(target)
    computed = {}
    for log in logs.glob("*/*.log"):
        scorer, _, n, _ = COMPUTED.search(log.read_text()).groups()
        computed[scorer] = computed.get(scorer, 0) + int(n)
        beside = folder.path / f"results/benchmarks/tiny/{log.parent.name}/{log.stem}.cells"
        told, seconds = beside.read_text().split()
        assert told == n
        assert 0 < float(seconds) < 600  # of CPU
    return computed


def scores(folder):
    with xr.open_datatree(folder.path / SCORES) as tree:
        return tree.load()


def files(folder):
    return sorted(p for p in (folder.path / "results").rglob("*") if p.suffix == ".nc")


@pytest.fixture(scope="module")
def folder(new_folder):
    return new_folder(CONFIG)


def test_a_broken_configuration_stops_before_any_work(folder):
    folder.write(CONFIG | {"sizes": [10, 5]})
    output = folder.snakemake(status=1)
    assert "config/tiny.yaml: sizes: sizes must increase: 5 follows 10" in output
    folder.write(CONFIG | {"study": "another"})
    assert "study: is 'another', must be the file's name 'tiny'" in folder.snakemake(status=1)
    assert not (folder.path / "results").exists()
    folder.write(CONFIG)


def test_the_first_run_computes_every_cell(folder):
    assert run(folder, "tiny") == {"em": 2 * 2 * 2 * 2, "vb": 2 * 2 * 2 * 2}
    stored = scores(folder)
    assert stored["em"].sizes == {"replicate": 2, "n": 2, "structure": 2, "run": 2}
    assert stored["em/map"].notnull().all()
    assert (folder.path / "figures/tiny/manifest.json").is_file()


def test_a_second_run_does_nothing(folder):
    before = {path: path.stat().st_mtime_ns for path in files(folder)}
    output = folder.snakemake()
    assert "Nothing to be done" in output
    assert {path: path.stat().st_mtime_ns for path in files(folder)} == before


def test_jobs_that_find_their_cells_leave_what_these_cost_known(folder):
    def costs():
        return [job_cost(path) for path in sorted((folder.path / "results/benchmarks/tiny").rglob("*.tsv"))]

    before = costs()
    assert all(cost["computed"] for cost in before)
    folder.snakemake("--forcerun", "score", "--", SCORES)
    assert costs() == before


def test_a_new_size_within_the_draw_computes_that_size(folder):
    """The draws and the other sizes stay, and so do their bits."""
    before = scores(folder)["em/map"]
    folder.write(CONFIG | {"sizes": [5, 7, 10]})
    assert run(folder) == {"em": 2 * 2 * 2, "vb": 2 * 2 * 2}
    after = scores(folder)["em/map"]
    assert after["n"].values.tolist() == [5, 7, 10]
    assert (after.sel(n=[5, 10]).values == before.values).all()


def test_a_new_largest_size_computes_that_size(folder):
    """The draws are made again, longer; what the other sizes see of them is the same."""
    folder.write(folder.config | {"sizes": [5, 7, 10, 20]})
    assert run(folder) == {"em": 2 * 2 * 2, "vb": 2 * 2 * 2}


def test_a_new_replicate_computes_its_own_blocks(folder):
    """Sizes taken away at the same time cost nothing."""
    folder.write(folder.config | {"replicates": {"prior_draws": 3}, "sizes": [5, 10]})
    assert run(folder) == {"em": 2 * 2 * 2, "vb": 2 * 2 * 2}
    assert len(files(folder)) == 3 + 2 * 3 + 2


def test_a_new_structure_computes_its_cells(folder):
    folder.write(folder.config | {"only": ["0-0", "0-1", "1-1"]})
    assert run(folder) == {"em": 3 * 2 * 2, "vb": 3 * 2 * 2}


def test_a_new_scorer_computes_its_own_blocks(folder):
    folder.write(folder.config | {"scorers": CONFIG["scorers"] | {"exact": {"sizes": [5]}}})
    assert run(folder) == {"exact": 3 * 3}


def test_new_settings_compute_that_scorer_and_new_runs_themselves(folder):
    """What another scorer says of its defaults computes nothing."""
    em, vb = {"runs": 3, "settings": {"tolerance": 1e-8}}, {"runs": 2, "settings": {"tolerance": 1e-4}}
    folder.write(folder.config | {"scorers": folder.config["scorers"] | {"em": em, "vb": vb}})
    assert run(folder) == {"em": 3 * 2 * 3, "vb": 3 * 2 * 3 * 2}


def test_one_forced_cell_reruns_what_follows_it(folder):
    """A stored value that somebody changed is collected, told and mended by ``ockham cell``; nothing is scored."""
    command = "ockham cell config/tiny.yaml --scorer em --replicate 2 --n 10 --structure 1-1 --results results"
    cell = command.split()
    before = scores(folder)["em/map"]
    with edited(folder.path / "results/tiny/scores/em/replicate-002.nc") as file:
        file["map"][0, 1, 2, 0] += 1.0
    assert run(folder) == {}
    assert (scores(folder)["em/map"].values != before.values).sum() == 1
    done = folder.call(*cell)
    assert done.returncode == 1
    assert done.stdout.count("DIFFERENT") == 1
    done = folder.call(*cell, "--write")
    assert done.returncode == 0, done.stderr
    assert "computed 3 of 18 cells" in done.stdout
    assert run(folder) == {}
    assert (scores(folder)["em/map"].values == before.values).all()


def test_one_block_as_a_target_is_computed_alone(folder):
    for name in ("scores/em/replicate-001.nc", "scores/vb/replicate-001.nc", "scores.nc"):
        (folder.path / "results/tiny" / name).unlink()
    assert run(folder, "results/tiny/scores/vb/replicate-001.nc") == {"vb": 2 * 3 * 2}
    assert run(folder) == {"em": 2 * 3 * 3}


def test_an_edited_scorer_computes_its_own_cells(folder):
    """The package is copied, and a remark added to the copy's ``vb``."""
    source = folder.copy_package() / "networks/scorers/vb.py"
    source.write_text(source.read_text() + "\n# a remark\n")
    before = scores(folder)
    assert run(folder) == {"vb": 3 * 2 * 3 * 2}
    assert (scores(folder)["vb/variational_bayes"].values == before["vb/variational_bayes"].values).all()


def test_an_edited_kernel_computes_the_cells_of_its_scorer(folder):
    source = folder.path / "package/ockham/kernels/em.pyx"
    source.write_text(source.read_text() + "\n# a remark\n")
    assert run(folder) == {"em": 3 * 2 * 3 * 3}


def test_sources_beside_the_snakefile_must_be_the_installed_ones(folder):
    shutil.copytree(folder.path / "package/ockham", folder.path / "src/ockham", ignore=shutil.ignore_patterns("*.so"))
    assert "Nothing to be done" in folder.snakemake(SCORES)
    (folder.path / "src/ockham/streams.py").write_text("# other\n")
    output = folder.snakemake(status=1)
    assert "was built from other sources" in output
    assert "pip install ." in output
    shutil.rmtree(folder.path / "src")


def test_a_failed_job_says_why_and_is_run_again(folder):
    """A block of another study fails its job; with the block back in order, the next run does that job."""
    block = folder.path / "results/tiny/scores/em/replicate-003.nc"
    whole = block.read_bytes()
    with edited(block) as file:
        file.study = "another"
    folder.write(folder.config | {"only": ["0-0", "0-1", "1-0", "1-1"]})
    assert "Error in rule score" in folder.snakemake("--keep-going", status=1)
    log = (folder.path / "results/logs/tiny/score/em/replicate-003.log").read_text()
    assert re.fullmatch(
        r"ockham: results/tiny/scores/em/replicate-003.nc: attribute study is .*move the file away\n", log
    )
    block.write_bytes(whole)
    assert run(folder) == {"em": 2 * 1 * 3}


def test_a_damaged_block_is_computed_anew(folder):
    before = folder.stores()
    block = folder.path / "results/tiny/scores/em/replicate-003.nc"
    content = bytearray(block.read_bytes())
    content[len(content) // 2] ^= 1
    block.write_bytes(content)
    (block.parent / "replicate-003.done").unlink()
    assert run(folder) == {"em": 4 * 2 * 3}
    assert "not a readable netCDF" in (folder.path / "results/logs/tiny/score/em/replicate-003.log").read_text()
    assert not folder.differences(before)


def test_the_profile_of_the_folder_is_used(folder):
    assert "workflow specific profile" in folder.snakemake("--dry-run")


def test_a_run_more_of_node_orders_computes_that_run(new_folder):
    """The arrays of runs are in the file of their cells; those of runs that were there stay, measured times too."""
    folder = new_folder(ORDERS)
    assert run(folder) == {"ais": 2 * 2, "mc3": 2 * 2}
    before = scores(folder)
    more = {name: entry | {"runs": 3} for name, entry in ORDERS["scorers"].items() if name == "ais"}
    folder.write(ORDERS | {"scorers": ORDERS["scorers"] | more})
    assert run(folder) == {"ais": 2}
    after = scores(folder)
    xr.testing.assert_identical(after["mc3"].to_dataset(), before["mc3"].to_dataset())
    kept = after["ais"].to_dataset().sel(run=[0, 1])
    xr.testing.assert_identical(kept, before["ais"].to_dataset())
    assert {"parents", "seconds"} <= set(kept)
    assert len(set(after["ais/ais_orders"].sel(n=20).values.ravel().tolist())) == 3
