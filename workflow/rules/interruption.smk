# What makes the same command enough after a run was killed, on a full disk, or by Ctrl-C.
import fcntl
import os
import sys
import time
from contextlib import suppress

STATE = Path(".snakemake")


def remove_stale_locks():
    """Remove the locks that a killed Snakemake left, if no other is alive in this folder.

    A live one holds a lock of the operating system, which ends with its process. Where the disk has no such locks,
    nothing is removed, and Snakemake says how to go on.
    """
    STATE.mkdir(exist_ok=True)
    alive = open(STATE / "alive", "a")
    with suppress(OSError):
        fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for lock in STATE.glob("locks/*.lock"):
            lock.unlink()
    with suppress(OSError):
        fcntl.flock(alive, fcntl.LOCK_SH)
    return alive


def mend_times():
    """Give files of the future the present time, in their order.

    They were written before the clock was set back. Snakemake refuses what is older than the files it was made from.
    """
    folders = {path(f"<{name}>") for name in config["pathvars"]}
    folders |= {f"{BASE}/workflow/scripts"}
    folders |= {str(paper.folder) for paper in PAPERS.values()}
    files = {file for folder in folders for file in Path(folder).rglob("*")}
    now = time.time_ns()
    times = {}
    for file in files:
        # What is gone was a temporary file of another run, which has its name now.
        with suppress(OSError):
            if file.is_file():
                times[file] = file.stat().st_mtime_ns
    ahead = sorted({written for written in times.values() if written > now})
    mended = {written: now - len(ahead) + i for i, written in enumerate(ahead)}
    for file, written in times.items():
        if written in mended:
            with suppress(FileNotFoundError):
                os.utime(file, ns=(mended[written], mended[written]))


if workflow.is_main_process:
    with suppress(OSError):  # Snakemake tells why nothing can be written here
        alive = remove_stale_locks()  # released when this process ends
        mend_times()


def refuse_unclean_figures():
    """An error for figures that are to be published and that no commit would tell the source of, before any job."""
    jobs = workflow.dag.needrun_jobs()
    made = {file for job in jobs if job.rule.name in PUBLISHES for file in job.output}
    try:
        for folder in sorted({Path(file).parent for file in made}):
            check_publishable(folder, loaded_workflow.unclean)
    except OckhamError as error:
        raise WorkflowError(str(error))


onstart:
    refuse_unclean_figures()
    lift_job_rate()


def wait_for_jobs():
    """Until the thread of every job has ended what it does.

    By Ctrl-C right after a job was started, Snakemake closes the event loop of a thread that its pool does not know
    yet, and stops with a traceback.
    """
    for runner in list(getattr(workflow, "_async_runners", {}).values()):
        while runner.get_loop().is_running():
            time.sleep(0.05)


onerror:
    wait_for_jobs()
    print(
        "What is finished is kept. To go on, run the same command again.",
        file=sys.stderr,
    )
