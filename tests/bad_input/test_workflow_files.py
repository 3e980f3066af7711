"""A workflow configuration that cannot be run is refused before any job, through Snakemake with status 1.

Each case is the project's own configuration with one thing changed. What Snakemake hands on is checked in this process;
a handful of cases goes through Snakemake itself, of which each costs seconds.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bad_input.support import REMOVED, STUDY, changed, snapshot, study_with, write

from ockham.errors import ConfigError
from ockham.studies.workflow import load_workflow

REPOSITORY = Path(__file__).parents[2]
SOUND = yaml.safe_load((REPOSITORY / "config/workflow.yaml").read_text())
CASES = [
    ("studies", REMOVED, "studies: Field required"),
    ("studies", [], "studies: .*at least 1 item"),
    ("studies", None, "studies: .*list"),
    ("studies", "tiny", "studies: .*list.*'tiny'"),
    ("studies", {"tiny": 1}, "studies: .*list"),
    ("studies", [1], "studies.0: .*string"),
    ("studies", [None], "studies.0: .*string"),
    ("studies", [""], "studies.0: .*match pattern"),
    ("studies", ["../tiny"], "studies.0: .*match pattern"),
    ("studies", ["tiny.yaml"], "studies.0: .*match pattern"),
    ("studies", ["tiny:few"], "studies.0: .*match pattern"),
    ("studies", ["a" * 101], "studies.0: .*at most 100 characters"),
    ("studies", ["tiny", "tiny"], "studies: 'tiny' is given twice"),
    ("study", ["tiny"], "study: unknown key"),
    ("config", REMOVED, "config: Field required"),
    ("config", "", "config: .*at least 1 character"),
    ("config", ["config"], "config: .*string"),
    ("config", "c" * 2000, "config: .*at most 1000 characters"),
    ("published", "published", "published: unknown key"),
    ("pathvars", REMOVED, "pathvars: Field required"),
    ("pathvars", {}, "pathvars: .*at least 4 items"),
    ("pathvars", "results", "pathvars: .*dictionary"),
    ("pathvars.results", REMOVED, "pathvars: .*at least 4 items"),
    ("pathvars.results", None, "pathvars.results: .*string"),
    ("pathvars.figures", "", "pathvars.figures: .*at least 1 character"),
    ("pathvars.plots", "plots", "pathvars.plots.*: .*'results', 'figures', 'logs' or 'benchmarks'"),
]


def test_the_sound_one_is_accepted():
    assert load_workflow(SOUND).studies == SOUND["studies"]


@pytest.mark.parametrize(("path", "value", "message"), CASES, ids=[f"{path} = {str(v)[:30]}" for path, v, _ in CASES])
def test_refused(path, value, message):
    with pytest.raises(ConfigError, match=f"workflow configuration: {message}"):
        load_workflow(changed(SOUND, (path, value)))


SCHEDULES = {"measurements": {"schedules": {}}}
THROUGH_SNAKEMAKE = {
    "a study that is not there": (("studies", ["nowhere"]), STUDY, "config/nowhere.yaml: cannot be read"),
    "a study twice": (("studies", ["tiny", "tiny"]), STUDY, "workflow configuration: studies: 'tiny' is given twice"),
    "a study of another name": (("studies", ["tiny"]), study_with(("study", "other")), "study: is 'other', must be"),
    "a broken study": (("studies", ["tiny"]), b"sizes: [", "config/tiny.yaml: not valid YAML"),
    "an unknown paper": (
        ("studies", ["tiny"]), study_with(("paper", "nobody_1900")), "tiny.yaml: paper: 'nobody_1900' is unknown",
    ),
    "a measurement of two conditions": (
        ("studies", ["tiny"]), study_with(("conditions", {"few": SCHEDULES, "many": SCHEDULES})),
        "config/tiny.yaml: measurements.schedules: is of several conditions, or has the name of one; give it to one",
    ),
    "a measurement with the name of a condition": (
        ("studies", ["tiny"]), study_with(("conditions", {"few": SCHEDULES, "schedules": {}})),
        "config/tiny.yaml: measurements.schedules: is of several conditions, or has the name of one; give it to one",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", THROUGH_SNAKEMAKE)
def test_snakemake_stops_before_any_job(case, tmp_path):
    change, study, message = THROUGH_SNAKEMAKE[case]
    stopped(tmp_path, yaml.safe_dump(changed(SOUND, change)), study, message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("studies: [tiny]", "config/workflow.yaml: not valid YAML: key 'studies' is given twice"),
        ("pathvars: {results: a, figures: b, logs: c, benchmarks: d}", "key 'pathvars' is given twice"),
        ("root: 010", "'010' is one thing in YAML 1.1 and another in YAML 1.2"),
    ],
)
def test_snakemake_stops_at_what_it_would_read_as_something_else(line, message, tmp_path):
    text = f"{yaml.safe_dump(changed(SOUND, ('studies', ['tiny'])))}{line}\n"
    stopped(tmp_path, text, STUDY, message)


def stopped(folder, workflow, study, message):
    """Run Snakemake on this configuration, which it must refuse in these words and without a trace."""
    for name in ("Snakefile", "workflow"):
        (folder / name).symlink_to(REPOSITORY / name)
    (folder / "config").mkdir()
    write(folder / "config/workflow.yaml", workflow.encode())
    write(folder / "config/tiny.yaml", study)
    before = snapshot(folder / "config")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run"],
        cwd=folder, env=os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert snapshot(folder / "config") == before
    assert not (folder / "results").exists()
