"""After whatever stopped a run, the same command completes it, and every store is as if nothing had happened.

The source of truth is a run of the same study that nothing disturbed. Each test takes a block, and what follows from
it, out of a complete copy of that run, and disturbs the run that makes them again. A fault that needs a right that is
not there, such as to mount a disk, is skipped and says so.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager

import pytest

BLOCK = "results/tiny/scores/ais/replicate-002.nc"
HINT = "To go on, run the same command again."
SLOW_TO_START = """
import threading, time

start = threading.Thread.start

def start_and_wait(thread):
    start(thread)
    if thread.name.startswith("ThreadPoolExecutor"):
        time.sleep(3)

threading.Thread.start = start_and_wait
"""
"""What a process does first: a pool hears of its new thread late, as on a busy machine."""


def completes(folder, undisturbed):
    """The same command goes through, and everything stored is bit for bit as it must be."""
    folder.snakemake()
    assert folder.differences(undisturbed.stores()) == []
    assert not list(folder.path.rglob("*.tmp"))


@contextmanager
def mounted(folder, *arguments):
    """A mount on a folder, taken away in any case."""
    done = subprocess.run(("mount", *arguments, folder), capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"needs the right to mount a disk: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(("umount", folder), check=True)


def test_the_comparison_sees_one_bit(incomplete, undisturbed):
    """The negative control of every test below and of those of the order."""
    assert any(
        name.startswith("tiny/scores/ais/replicate-002.nc") for name in incomplete.differences(undisturbed.stores())
    )
    stores = undisturbed.stores()
    name = "tiny/scores/em/replicate-001.nc/:map"
    *about, content = stores[name]
    stores[name] = (*about, content[:-1] + bytes([content[-1] ^ 1]))
    assert undisturbed.differences(stores) == [name]


def test_a_scoring_process_killed_at_any_moment_leaves_nothing_half_written(undisturbed, tmp_path):
    """Eight moments over the life of the process, and two at which it is writing."""
    (tmp_path / "config").mkdir()
    shutil.copy(undisturbed.path / "config/tiny.yaml", tmp_path / "config")
    data = undisturbed.path / "results/tiny/data/replicate-002.nc"
    whole = (undisturbed.path / BLOCK).read_bytes()
    output = tmp_path / "block.nc"
    command = ("ockham", "score", "config/tiny.yaml", "ais", "replicate-002", data, "--output", output)
    began = time.monotonic()
    subprocess.run(command, cwd=tmp_path, env=undisturbed.environment, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - began
    killed = writing = 0
    for moment in [*(k / 8 for k in range(8)), *["writing"] * 2]:
        output.unlink(missing_ok=True)
        process = subprocess.Popen(command, cwd=tmp_path, env=undisturbed.environment, stdout=subprocess.DEVNULL)
        if moment == "writing":
            while process.poll() is None and not any(name.endswith(".tmp") for name in os.listdir(tmp_path)):
                pass
        else:
            time.sleep(moment * seconds)
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        writing += any(name.endswith(".tmp") for name in os.listdir(tmp_path))
        assert not output.exists() or output.read_bytes() == whole
    assert killed > 4
    assert writing > 0
    subprocess.run(command, cwd=tmp_path, env=undisturbed.environment, check=True, stdout=subprocess.DEVNULL)
    assert output.read_bytes() == whole
    assert sorted(os.listdir(tmp_path)) == ["block.nc", "config"]


def test_a_killed_scoring_process(incomplete, undisturbed):
    run = incomplete.start()
    os.kill(incomplete.wait_for_job(), signal.SIGKILL)
    assert HINT in run.communicate()[0]
    assert run.returncode == 1
    assert not (incomplete.path / BLOCK).exists()
    completes(incomplete, undisturbed)


def test_a_killed_snakemake(incomplete, undisturbed):
    """Its jobs go on without it, and its lock stays; the next run starts beside them."""
    run = incomplete.start()
    job = incomplete.wait_for_job()
    run.kill()
    run.wait()
    run.stdout.close()
    assert list(incomplete.path.glob(".snakemake/locks/*.lock"))
    assert job in incomplete.jobs()
    completes(incomplete, undisturbed)


def test_a_second_run_beside_a_live_one_is_refused(incomplete, undisturbed):
    """The locks of a run that is alive are left alone."""
    run = incomplete.start()
    job = incomplete.wait_for_job()
    os.kill(job, signal.SIGSTOP)  # however slow the second run is, the first is alive
    try:
        assert "Directory cannot be locked" in incomplete.snakemake(status=1)
    finally:
        os.kill(job, signal.SIGCONT)
        run.communicate()
    assert run.returncode == 0
    assert incomplete.differences(undisturbed.stores()) == []


@pytest.mark.parametrize("before", ["", SLOW_TO_START], ids=["at work", "just started"])
def test_control_c(before, incomplete, undisturbed, tmp_path, monkeypatch):
    """The signal goes to every process of the group, as from a terminal."""
    (tmp_path / "sitecustomize.py").write_text(before)
    with monkeypatch.context() as only:
        only.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
        run = incomplete.start()
    incomplete.wait_for_job()
    os.killpg(run.pid, signal.SIGINT)
    output = run.communicate()[0]
    assert run.returncode == 1
    assert HINT in output
    assert "Traceback" not in output
    assert not incomplete.jobs()
    assert not list(incomplete.path.glob(".snakemake/locks/*.lock"))
    completes(incomplete, undisturbed)


@pytest.mark.parametrize("free", [0, 120_000])
def test_a_full_disk(free, undisturbed, new_folder, tmp_path):
    """The folder is a disk of its own with so many bytes left: it is full at once, or in the middle."""
    with mounted(tmp_path, "-t", "tmpfs", "-o", "size=32M", "tmpfs"):
        folder = new_folder(undisturbed.config, tmp_path)
        folder.be_copy_of(undisturbed)
        folder.take_block_away()
        ballast = tmp_path / "ballast"
        disk = os.statvfs(tmp_path)
        with ballast.open("wb") as file:
            file.write(bytes(disk.f_bavail * disk.f_frsize - free))
        folder.snakemake(status=1)
        ballast.unlink()
        completes(folder, undisturbed)


def test_a_read_only_folder_of_results(incomplete, undisturbed):
    results = incomplete.path / "results"
    with mounted(results, "--bind", results):
        subprocess.run(("mount", "-o", "remount,ro,bind", results), check=True)
        output = incomplete.snakemake(status=1)
        assert re.search(r"pathvars\.\w+: nothing can be written to results\S*; make it writable", output)
        assert "Write-protected" not in output
        assert "Traceback" not in output
    completes(incomplete, undisturbed)


def test_a_clock_that_goes_backwards(incomplete, undisturbed):
    """All that is there is of tomorrow. The next run mends what is missing, and the one after it has nothing to do."""
    tomorrow = time.time() + 86400
    for path in incomplete.path.rglob("*"):
        os.utime(path, (tomorrow, tomorrow))
    completes(incomplete, undisturbed)
    assert "Nothing to be done" in incomplete.snakemake()
