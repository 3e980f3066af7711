"""A run computes what is missing or changed, and nothing else.

One small study goes through a sequence of changes in a folder of its own, each followed by a run. The source of truth
is what the jobs logged, ``computed X of Y cells``: the numbers expected are counted by hand from the change. Stages
build on each other, so the order of the tests in this file is part of it.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import netCDF4
import pytest
import xarray as xr
import yaml

import ockham

REPOSITORY = Path(__file__).parents[2]
CONFIG = {
    "study": "tiny",
    "root_seed": 3,
    "structures": {"space": "bipartite", "hidden_cardinalities": [2], "observed_cardinalities": [2, 2]},
    "only": ["0-0", "1-1"],
    "true_structure": "1-1",
    "replicates": {"prior_draws": 2},
    "sizes": [5, 10],
    "scorers": {"em": {"runs": 2}, "vb": {"runs": 2}},
}
SCORES = "results/tiny/scores.nc"
COMPUTED = re.compile(r"(\w+) (\S+): computed (\d+) of (\d+) cells")


class Folder:
    """A working copy of the workflow with one study, and how to run it."""

    def __init__(self, path):
        self.path = path
        for name in ("Snakefile", "workflow", "profiles"):
            copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy
            copy(REPOSITORY / name, path / name)
        self.config = CONFIG
        self.package_path = os.environ.get("PYTHONPATH", "")
        self.write(CONFIG)

    def write(self, config):
        self.config = config
        folder = self.path / "config"
        folder.mkdir(exist_ok=True)
        settings = yaml.safe_load((REPOSITORY / "config/workflow.yaml").read_text())
        (folder / "workflow.yaml").write_text(yaml.safe_dump(settings | {"studies": ["tiny"]}))
        (folder / "tiny.yaml").write_text(yaml.safe_dump(config, sort_keys=False))

    def call(self, *command):
        scripts = sysconfig.get_path("scripts")
        environment = os.environ | {
            "PATH": scripts + os.pathsep + os.environ["PATH"],
            "PYTHONPATH": self.package_path,
            "XDG_CACHE_HOME": str(self.path / "cache"),
        }
        return subprocess.run(command, cwd=self.path, env=environment, capture_output=True, text=True, timeout=300)

    def snakemake(self, *targets, status=0):
        done = self.call(sys.executable, "-m", "snakemake", "--cores", "2", *targets)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def run(self, target=SCORES):
        """The cells that a run computes, by scorer; scorers without a job are left out."""
        logs = self.path / "results/logs/tiny/score"
        shutil.rmtree(logs, ignore_errors=True)
        self.snakemake(target)
        computed = {}
        for log in logs.glob("*/*.log"):
            scorer, _, n, _ = COMPUTED.search(log.read_text()).groups()
            computed[scorer] = computed.get(scorer, 0) + int(n)
        return computed

    @property
    def scores(self):
        with xr.open_datatree(self.path / SCORES) as tree:
            return tree.load()

    def files(self):
        return sorted(p for p in (self.path / "results").rglob("*") if p.suffix == ".nc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return Folder(tmp_path_factory.mktemp("workflow"))


def test_a_broken_configuration_stops_before_any_work(folder):
    folder.write(CONFIG | {"sizes": [10, 5]})
    output = folder.snakemake(status=1)
    assert "config/tiny.yaml: sizes: sizes must increase: 5 follows 10" in output
    folder.write(CONFIG | {"study": "another"})
    assert "study: is 'another', must be the file's name 'tiny'" in folder.snakemake(status=1)
    assert not (folder.path / "results").exists()
    folder.write(CONFIG)


def test_the_first_run_computes_every_cell(folder):
    assert folder.run("tiny") == {"em": 2 * 2 * 2 * 2, "vb": 2 * 2 * 2 * 2}
    scores = folder.scores
    assert scores["em"].sizes == {"replicate": 2, "n": 2, "structure": 2, "run": 2}
    assert scores["em/map"].notnull().all()
    assert (folder.path / "figures/tiny/manifest.json").is_file()


def test_a_second_run_does_nothing(folder):
    before = {path: path.stat().st_mtime_ns for path in folder.files()}
    output = folder.snakemake()
    assert "Nothing to be done" in output
    assert {path: path.stat().st_mtime_ns for path in folder.files()} == before


def test_a_new_size_within_the_draw_computes_that_size(folder):
    """The draws and the other sizes stay, and so do their bits."""
    before = folder.scores["em/map"]
    folder.write(CONFIG | {"sizes": [5, 7, 10]})
    assert folder.run() == {"em": 2 * 2 * 2, "vb": 2 * 2 * 2}
    after = folder.scores["em/map"]
    assert after["n"].values.tolist() == [5, 7, 10]
    assert (after.sel(n=[5, 10]).values == before.values).all()


def test_a_new_largest_size_computes_that_size(folder):
    """The draws are made again, longer; what the other sizes see of them is the same."""
    folder.write(folder.config | {"sizes": [5, 7, 10, 20]})
    assert folder.run() == {"em": 2 * 2 * 2, "vb": 2 * 2 * 2}


def test_a_new_replicate_computes_its_own_blocks(folder):
    """Sizes taken away at the same time cost nothing."""
    folder.write(folder.config | {"replicates": {"prior_draws": 3}, "sizes": [5, 10]})
    assert folder.run() == {"em": 2 * 2 * 2, "vb": 2 * 2 * 2}
    assert len(folder.files()) == 3 + 2 * 3 + 1


def test_a_new_structure_computes_its_cells(folder):
    folder.write(folder.config | {"only": ["0-0", "0-1", "1-1"]})
    assert folder.run() == {"em": 3 * 2 * 2, "vb": 3 * 2 * 2}


def test_a_new_scorer_computes_its_own_blocks(folder):
    folder.write(folder.config | {"scorers": CONFIG["scorers"] | {"exact": {"sizes": [5]}}})
    assert folder.run() == {"exact": 3 * 3}


def test_new_settings_compute_that_scorer_and_new_runs_themselves(folder):
    """What another scorer says of its defaults computes nothing."""
    em, vb = {"runs": 3, "settings": {"tolerance": 1e-6}}, {"runs": 2, "settings": {"tolerance": 1e-4}}
    folder.write(folder.config | {"scorers": folder.config["scorers"] | {"em": em, "vb": vb}})
    assert folder.run() == {"em": 3 * 2 * 3, "vb": 3 * 2 * 3 * 2}


def test_one_forced_cell_reruns_what_follows_it(folder):
    """A stored value that somebody changed is collected, told and mended by ``ockham cell``; nothing is scored."""
    command = "ockham cell config/tiny.yaml --scorer em --replicate 2 --n 10 --structure 1-1 --results results"
    cell = command.split()
    before = folder.scores["em/map"]
    with netCDF4.Dataset(folder.path / "results/tiny/scores/em/replicate-002.nc", "a") as file:
        file["map"][0, 1, 2, 0] += 1.0
    assert folder.run() == {}
    assert (folder.scores["em/map"].values != before.values).sum() == 1
    done = folder.call(*cell)
    assert done.returncode == 1
    assert done.stdout.count("DIFFERENT") == 1
    done = folder.call(*cell, "--write")
    assert done.returncode == 0, done.stderr
    assert "computed 3 of 18 cells" in done.stdout
    assert folder.run() == {}
    assert (folder.scores["em/map"].values == before.values).all()


def test_one_block_as_a_target_is_computed_alone(folder):
    for name in ("scores/em/replicate-001.nc", "scores/vb/replicate-001.nc", "scores.nc"):
        (folder.path / "results/tiny" / name).unlink()
    assert folder.run("results/tiny/scores/vb/replicate-001.nc") == {"vb": 2 * 3 * 2}
    assert folder.run() == {"em": 2 * 3 * 3}


def test_an_edited_scorer_computes_its_own_cells(folder):
    """The package is copied, and a remark added to the copy's ``vb``."""
    package = Path(ockham.__file__).parent
    copy = folder.path / "package"
    shutil.copytree(package, copy / "ockham", ignore=shutil.ignore_patterns("__pycache__"))
    folder.package_path = os.pathsep.join([str(copy), os.environ.get("PYTHONPATH", "")])
    source = copy / "ockham/scorers/vb.py"
    source.write_text(source.read_text() + "\n# a remark\n")
    before = folder.scores
    assert folder.run() == {"vb": 3 * 2 * 3 * 2}
    assert (folder.scores["vb/variational_bayes"].values == before["vb/variational_bayes"].values).all()


def test_an_edited_kernel_computes_the_cells_of_its_scorer(folder):
    source = folder.path / "package/ockham/kernels/em.pyx"
    source.write_text(source.read_text() + "\n# a remark\n")
    assert folder.run() == {"em": 3 * 2 * 3 * 3}


def test_sources_beside_the_snakefile_must_be_the_installed_ones(folder):
    shutil.copytree(folder.path / "package/ockham", folder.path / "src/ockham", ignore=shutil.ignore_patterns("*.so"))
    assert "Nothing to be done" in folder.snakemake(SCORES)
    (folder.path / "src/ockham/streams.py").write_text("# other\n")
    output = folder.snakemake(status=1)
    assert "was built from other sources" in output
    assert "pip install ." in output
    shutil.rmtree(folder.path / "src")


def test_a_failed_job_says_why_and_is_run_again(folder):
    """A block that cannot be read fails its job; with the block back in order, or away, the next run does that job."""
    block = folder.path / "results/tiny/scores/em/replicate-003.nc"
    whole = block.read_bytes()
    block.write_bytes(whole[:1000])
    folder.write(folder.config | {"only": ["0-0", "0-1", "1-0", "1-1"]})
    assert "Error in rule score" in folder.snakemake("--keep-going", status=1)
    log = (folder.path / "results/logs/tiny/score/em/replicate-003.log").read_text()
    assert re.fullmatch(r"ockham: results/tiny/scores/em/replicate-003.nc: not a readable netCDF .*move it away\n", log)
    block.write_bytes(whole)
    assert folder.run() == {"em": 2 * 1 * 3}


def test_the_profile_of_the_folder_is_used(folder):
    assert "workflow specific profile" in folder.snakemake("--dry-run")
