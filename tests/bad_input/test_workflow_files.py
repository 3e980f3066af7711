"""A workflow configuration that cannot be run is refused before any job, through Snakemake with status 1.

Each case is the project's own configuration with one thing changed. What Snakemake hands on is checked in this process;
a handful of cases goes through Snakemake itself, of which each costs seconds.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bad_input.support import REMOVED, STUDY, changed, snapshot, study_with, write

from ockham.errors import ConfigError
from ockham.studies.workflow import check_places, load_workflow

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
    ("config", "{}", "config: '{}' has { or }"),
    ("config", "a<b", "config: 'a<b' has < or >"),
    ("config", "c" * 300, "config: 'ccc.*more than 255 bytes"),
    ("published", "published", "published: unknown key"),
    ("pathvars", REMOVED, "pathvars: Field required"),
    ("pathvars", {}, "pathvars: .*at least 4 items"),
    ("pathvars", "results", "pathvars: .*dictionary"),
    ("pathvars.results", REMOVED, "pathvars: .*at least 4 items"),
    ("pathvars.results", None, "pathvars.results: .*string"),
    ("pathvars.figures", "", "pathvars.figures: .*at least 1 character"),
    *(
        (f"pathvars.{name}", place, f"pathvars.{name}: '{re.escape(place[:30])}.*{problem}")
        for name in ("results", "figures", "logs", "benchmarks")
        for place, problem in {
            "{}": "has { or }",
            "a/{x}": "has { or }",
            "{": "has { or }",
            "<nothing>/a": "has < or >",
            "a>b": "has < or >",
            " a": "begins or ends with a space",
            "a ": "begins or ends with a space",
            "a/" + "ä" * 128: "has a part of more than 255 bytes",
        }.items()
    ),
    ("pathvars.results", "a\nb", "pathvars.results: .*cannot be printed"),
    ("pathvars.results", "a\0b", "pathvars.results: .*cannot be printed"),
    ("pathvars.plots", "plots", "pathvars.plots.*: .*'results', 'figures', 'logs' or 'benchmarks'"),
]


def test_the_sound_one_is_accepted():
    assert load_workflow(SOUND).studies == SOUND["studies"]


@pytest.mark.parametrize(("path", "value", "message"), CASES, ids=[f"{path} = {str(v)[:30]}" for path, v, _ in CASES])
def test_refused(path, value, message):
    with pytest.raises(ConfigError, match=f"workflow configuration: {message}"):
        load_workflow(changed(SOUND, (path, value)))


SCHEDULES = {"measurements": {"schedules": {}}}


def places(folder, **changes):
    """The check of the folders of a configuration that is read in a folder."""
    written = {name: str(folder / name) for name in SOUND["pathvars"]} | changes
    config = changes.pop("config", str(folder))
    check_places(load_workflow(SOUND | {"config": config, "studies": ["tiny"]}), written, [folder])


SOUND_PLACES = ("my results", "-out", "results/$(touch X)", "r; touch X #", "it's `touch X`", "a/b/c", "Größe", "link")


@pytest.mark.parametrize("name", SOUND_PLACES)
def test_any_other_name_of_a_folder_is_accepted(name, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)
    assert load_workflow(SOUND | {"config": name}).config == name
    assert load_workflow(changed(SOUND, ("pathvars.results", name))).pathvars["results"] == name
    places(tmp_path, results=str(tmp_path / name))


@pytest.mark.parametrize("key", [*SOUND["pathvars"], "config"])
def test_what_is_no_folder_and_cannot_become_one_is_refused(key, tmp_path):
    named = key if key == "config" else f"pathvars.{key}"
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "file").touch()
    for name, problem in {
        "loop": "Too many levels",
        "loop/a": "Too many levels",
        "dangling": "a link to what is not there",
        "file": "is a file, where a folder should be",
        "file/a/b": "is a file, where a folder should be",
        "a" * 300: "File name too long|more than 255 bytes",
    }.items():
        with pytest.raises(ConfigError, match=f"workflow configuration: {named}: .*({problem})"):
            places(tmp_path, **{key: str(tmp_path / name)})


def test_a_file_in_the_place_of_a_studys_own_folder_is_refused(tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/tiny").touch()
    with pytest.raises(ConfigError, match=r"pathvars\.results: .*results/tiny is a file"):
        places(tmp_path)


def test_a_study_whose_results_would_lie_among_other_files_of_the_workflow_is_refused(tmp_path):
    for key in ("figures", "logs", "benchmarks"):
        for name in ("tiny", "tiny/deeper"):
            with pytest.raises(ConfigError, match=f"studies: 'tiny' would store its results where pathvars.{key} is"):
                places(tmp_path, **{key: str(tmp_path / "results" / name)})


@pytest.mark.parametrize("name", ["{y}", "a{", "}b"])
def test_a_folder_of_the_workflow_with_braces_is_refused(name, tmp_path):
    (tmp_path / name).mkdir()
    with pytest.raises(ConfigError, match=f"the folder .*{re.escape(name)}: has {{ or }}"):
        places(tmp_path / name, **dict.fromkeys(SOUND["pathvars"], "out"), config=str(tmp_path))


THROUGH_SNAKEMAKE = {
    "a study that is not there": (("studies", ["nowhere"]), STUDY, "config/nowhere.yaml: cannot be read"),
    "a study twice": (("studies", ["tiny", "tiny"]), STUDY, "workflow configuration: studies: 'tiny' is given twice"),
    "a study of another name": (("studies", ["tiny"]), study_with(("study", "other")), "study: is 'other', must be"),
    "a broken study": (("studies", ["tiny"]), b"sizes: [", "config/tiny.yaml: not valid YAML"),
    "a folder that reads as a wildcard": (("pathvars.results", "{x}"), STUDY, "pathvars.results: '{x}' has { or }"),
    "a file where results should be": (
        ("pathvars.results", "config/tiny.yaml"), STUDY, "pathvars.results: config/tiny.yaml is a file",
    ),
    "an unknown paper": (
        ("studies", ["tiny"]), study_with(("paper", "nobody_1900")), "tiny.yaml: paper: 'nobody_1900' is unknown",
    ),
    "a measurement with the name of a condition": (
        ("studies", ["tiny"]), study_with(("conditions", {"few": SCHEDULES, "schedules": {}})),
        "config/tiny.yaml: measurements.schedules: is the name of a condition; choose another for the condition",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", THROUGH_SNAKEMAKE)
def test_snakemake_stops_before_any_job(case, tmp_path):
    change, study, message = THROUGH_SNAKEMAKE[case]
    stopped(tmp_path, yaml.safe_dump(changed(SOUND | {"studies": ["tiny"]}, change)), study, message)


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


def test_snakemake_stops_in_a_folder_with_braces(tmp_path):
    (tmp_path / "{y}").mkdir()
    text = yaml.safe_dump(SOUND | {"studies": ["tiny"]})
    stopped(tmp_path / "{y}", text, STUDY, "{y}: has { or }")


@pytest.mark.parametrize(
    "words", [["tiny", "--configfile", "config/workflow.yaml"], ["--configfile", "config/workflow.yaml", "--", "tiny"]]
)
def test_a_target_stands_before_the_configfile_or_after_two_dashes(words, tmp_path):
    """As config/README.md says; elsewhere Snakemake takes it for another configfile, before it reads our rules."""
    prepare(tmp_path, yaml.safe_dump(SOUND | {"studies": ["tiny"]}), STUDY)
    done = dry_run(tmp_path, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    swallowed = dry_run(tmp_path, "--configfile", "config/workflow.yaml", "tiny")
    assert swallowed.returncode == 1
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'tiny'" in swallowed.stdout + swallowed.stderr


def prepare(folder, workflow, study):
    for name in ("Snakefile", "workflow"):
        (folder / name).symlink_to(REPOSITORY / name)
    (folder / "config").mkdir()
    write(folder / "config/workflow.yaml", workflow.encode())
    write(folder / "config/tiny.yaml", study)


def dry_run(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run", *words],
        cwd=folder, env=os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}, capture_output=True, text=True,
    )  # fmt: skip


def stopped(folder, workflow, study, message):
    """Run Snakemake on this configuration, which it must refuse in these words and without a trace."""
    prepare(folder, workflow, study)
    before = snapshot(folder / "config")
    done = dry_run(folder)
    assert done.returncode == 1
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert snapshot(folder / "config") == before
    assert not (folder / "results").exists()
