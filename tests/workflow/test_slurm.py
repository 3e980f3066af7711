"""Through a real Slurm of one node, and the profile for other schedulers, every stored bit is that of a local run.

``slurm.sh`` starts it on this machine. Where Debian's packages of it or Snakemake's plugins are not installed, the
tests are skipped and say so.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("slurm.sh")
SLURM = ("--profile", "workflow/profiles/slurm", "--slurm-init-seconds-before-status-checks", "1")
CLUSTER = ("--profile", "workflow/profiles/cluster", "--seconds-between-status-checks", "2")
TWIN = ("--configfile", "config/smoke/workflow.yaml")
STUDIES = ("niinimaki_koivisto_2013", "chen_welling_2013")
"""With conditions, measurements and jobs of all groups, of orders and of machines; networks are what is disturbed."""


@pytest.fixture(scope="module", autouse=True)
def slurm():
    """A Slurm that is up while these tests run."""
    if missing := [name for name in ("slurmctld", "slurmd", "srun", "munged") if shutil.which(name) is None]:
        pytest.skip(f"no {', '.join(missing)} here: apt-get install slurmctld slurmd slurm-client munge")
    if find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("Snakemake's plugins for clusters are not installed: pip install '.[cluster]'")
    if os.geteuid() == 0:
        subprocess.run((SCRIPT, "clear"), check=True)  # what is left of a run of these tests that was killed
    if os.geteuid() or Path("/etc/slurm/slurm.conf").exists():
        pytest.skip("starting a Slurm needs root, and a machine that has none of its own")
    with tempfile.TemporaryDirectory(prefix="ockham-slurm-") as folder:
        try:
            subprocess.run((SCRIPT, "up", folder), check=True)
            yield
        finally:
            subprocess.run((SCRIPT, "down", folder), check=True)


def finished_jobs():
    """Slurm jobs so far, by state."""
    lines = subprocess.run(("squeue", "--states=all", "--noheader", "--format=%i %T"), capture_output=True, text=True)
    return dict(line.split() for line in lines.stdout.splitlines())


def array_sizes(rule):
    """How many jobs of a rule are in each array that Slurm has had, by its number; of a job by itself, one."""
    about = "--format=%i|%k"  # <array>_<job> or <job>, and what the plugin says of it
    command = ("squeue", "--states=all", "--noheader", "--array", about)
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    of_rule = [line.split("|")[0] for line in lines if line.split("|")[1].startswith(f"rule_{rule}_")]
    return Counter(number.partition("_")[0] for number in of_rule)


def test_a_killed_slurm_job_is_run_again(incomplete, undisturbed):
    """Every process of the job is killed; Snakemake submits it once more, by itself."""
    before = finished_jobs()
    run = incomplete.start(*SLURM)
    incomplete.wait_for_job()
    (running,) = [job for job, state in finished_jobs().items() if state == "RUNNING"]
    subprocess.run(("scancel", "--full", "--signal=KILL", running), check=True)
    output = run.communicate()[0]
    assert run.returncode == 0, output
    after = {job: state for job, state in finished_jobs().items() if job not in before}
    assert sorted(state == "COMPLETED" for state in after.values()) == [False, True, True]
    assert incomplete.differences(undisturbed.stores()) == []


def test_control_c_cancels_the_slurm_jobs(incomplete, undisturbed):
    run = incomplete.start(*SLURM)
    incomplete.wait_for_job()
    os.killpg(run.pid, signal.SIGINT)
    output = run.communicate()[0]
    assert "To go on, run the same command again." in output, output
    assert "RUNNING" not in finished_jobs().values()
    incomplete.snakemake()
    assert incomplete.differences(undisturbed.stores()) == []


def test_the_profile_for_other_schedulers(incomplete, undisturbed):
    before = len(finished_jobs())
    incomplete.snakemake(*CLUSTER)
    assert len(finished_jobs()) == before + 2
    assert incomplete.differences(undisturbed.stores()) == []


@pytest.fixture(scope="module")
def twin_folder(undisturbed, new_folder):
    """A function that makes a working copy with the configurations of the small twin."""

    def make():
        folder = new_folder(undisturbed.config)
        shutil.copytree(REPOSITORY / "config", folder.path / "config", dirs_exist_ok=True)
        return folder

    return make


@pytest.fixture(scope="module")
def local(twin_folder):
    """The small twins without Slurm: README's preview in the folder ``OCKHAM_TWIN``, or a run that is made here."""
    folder = twin_folder()
    if stored := os.environ.get("OCKHAM_TWIN"):
        shutil.copytree(REPOSITORY / stored, folder.path / "results/smoke")
    else:
        folder.snakemake(*TWIN)
    return folder


def test_small_twins_of_studies(twin_folder, local):
    """Every store of them, from which all else is made; the studies side by side, for each waits for Slurm."""
    expected, folders = local.stores(), {study: twin_folder() for study in STUDIES}

    def run(study):
        stores = (local.path / "results/smoke" / study).rglob("*.nc")
        folders[study].snakemake(*SLURM, *TWIN, "--", *(str(store.relative_to(local.path)) for store in stores))

    with ThreadPoolExecutor() as pool:
        list(pool.map(run, STUDIES))
    for study, folder in folders.items():
        of_study = {name: content for name, content in expected.items() if name.startswith(f"smoke/{study}/")}
        assert of_study
        assert folder.differences(of_study) == []


def test_scores_as_an_array(twin_folder, local, array_options):
    """As docs/cluster.md has it, every draw and score of a small twin is in an array, and no stored bit differs."""
    study = "niinimaki_koivisto_2013"
    expected = {
        name: content
        for name, content in local.stores().items()
        if re.match(rf"smoke/{study}/\w+/(data|scores)\b", name)
    }
    before = {rule: array_sizes(rule) for rule in ("draw", "score")}
    folder = twin_folder()
    stores = sorted({name.partition(".nc")[0] for name in expected})
    folder.snakemake(*SLURM, *TWIN, *array_options, "--", *(f"results/{store}.nc" for store in stores))
    assert folder.differences(expected) == []
    for rule, place in (("draw", "data"), ("score", "scores")):
        sizes = array_sizes(rule) - before[rule]
        assert sizes.total() == sum(f"/{place}/" in store for store in stores)
        assert min(sizes.values()) > 1
