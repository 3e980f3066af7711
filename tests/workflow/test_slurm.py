"""Through a real Slurm of one node, and the profile for other schedulers, every stored bit is that of a local run.

``slurm.sh`` starts it on this machine. Where Debian's packages of it or Snakemake's plugins are not installed, the
tests are skipped and say so.
"""

import os
import shutil
import signal
import subprocess
import tempfile
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


@pytest.fixture
def twin_folder(undisturbed, new_folder):
    """A function that makes a working copy with the configurations of the small twin."""

    def make():
        folder = new_folder(undisturbed.config)
        shutil.copytree(REPOSITORY / "config", folder.path / "config", dirs_exist_ok=True)
        return folder

    return make


def test_small_twins_of_studies(twin_folder):
    """Every store of them, from which figures and tables are made; the studies side by side, for each waits for Slurm.

    The local run is that of README's preview, in the folder ``OCKHAM_TWIN``, or is made here.
    """
    local = twin_folder()
    if stored := os.environ.get("OCKHAM_TWIN"):
        shutil.copytree(REPOSITORY / stored, local.path / "results/smoke")
    else:
        local.snakemake(*TWIN)
    expected = local.stores()
    folders = {study: twin_folder() for study in STUDIES}

    def run(study):
        stores = (local.path / "results/smoke" / study).rglob("*.nc")
        folders[study].snakemake(*SLURM, *TWIN, "--", *(str(store.relative_to(local.path)) for store in stores))

    with ThreadPoolExecutor() as pool:
        list(pool.map(run, STUDIES))
    for study, folder in folders.items():
        of_study = {name: content for name, content in expected.items() if name.startswith(f"smoke/{study}/")}
        assert of_study
        assert folder.differences(of_study) == []
