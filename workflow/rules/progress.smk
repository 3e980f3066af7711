# While a run goes on, every ten seconds or so: how many score jobs are done, and about how long the rest will take.
import logging
import sys
import time
from datetime import timedelta


class Progress(logging.Handler):
    """Counts finished jobs of the rules that take the time; the others are short, and would spoil the estimate."""

    counted = ("score",)
    seconds_between_lines = 10

    def __init__(self):
        super().__init__()
        self.total = self.done = 0
        self.began = self.printed = None
        self.jobs = set()

    def emit(self, record):
        event = str(getattr(record, "event", "")).rpartition(".")[2].lower()
        if event == "run_info":
            self.total = sum(record.stats.get(rule, 0) for rule in self.counted)
        elif event == "job_info" and record.rule_name in self.counted:
            self.jobs.add(record.jobid)
            self.began = self.began or time.monotonic()
        elif event == "job_finished" and record.job_id in self.jobs:
            self.done += 1
            self.tell(time.monotonic())

    def tell(self, now):
        if (
            self.done < self.total
            and self.printed
            and now - self.printed < self.seconds_between_lines
        ):
            return
        self.printed = now
        elapsed = now - self.began
        left = elapsed / self.done * (self.total - self.done)
        print(
            f"Scores: {self.done} of {self.total} jobs, {timedelta(seconds=round(elapsed))} so far, "
            f"about {timedelta(seconds=round(left))} left",
            file=sys.stderr,
            flush=True,
        )


if workflow.is_main_process:
    logging.getLogger("snakemake.logging").addHandler(Progress())
