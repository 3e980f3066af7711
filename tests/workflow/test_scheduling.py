"""A limit of jobs per time that limits nothing is taken away, and a user's own stays.

The source of truth is the limit that Snakemake's scheduler has at the end of a run.
"""

import re

import pytest

SAY = """

onsuccess:
    print("limit:", getattr(workflow.scheduler.job_rate_limiter, "max_jobs", "none"))
"""


@pytest.mark.parametrize(("options", "limit"), [((), "none"), (("--max-jobs-per-timespan", "9999/1s"), "9999")])
def test_a_limit_that_limits_nothing_is_taken_away(options, limit, undisturbed, new_folder):
    folder = new_folder(undisturbed.config)
    folder.be_copy_of(undisturbed)
    with (folder.path / "Snakefile").open("a") as file:
        file.write(SAY)
    said = folder.snakemake(*options, "--forcerun", "draw", "--", "results/tiny/data/replicate-001.nc")
    assert re.findall(r"^limit: (.*)$", said, flags=re.MULTILINE) == [limit]
