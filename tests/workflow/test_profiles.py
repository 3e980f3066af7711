"""Every rule says what it needs of a cluster, and the profiles for clusters know of every rule.

The sources of truth are the text of the rules, and what the jobs of the committed studies took.
"""

import json
import re
from pathlib import Path

import pytest
import yaml

from ockham.studies import requests
from ockham.studies.loading import load

REPOSITORY = Path(__file__).parents[2]
WORKFLOW = REPOSITORY / "workflow"
PROFILES = ("slurm", "cluster")
LONG = {"measure"}
"""Rules whose jobs take minutes, and are jobs of the cluster by themselves."""

SNAKEMAKES = 600
"""Megabytes that up to three Snakemakes around a job take."""


def rules():
    """Name to text of every rule that does something."""
    texts = (text for file in WORKFLOW.glob("rules/*.smk") for text in re.split(r"(?m)^rule ", file.read_text())[1:])
    return {text.partition(":")[0]: text for text in texts}


def profile(name):
    return yaml.safe_load((WORKFLOW / "profiles" / name / "config.yaml").read_text())


@pytest.mark.parametrize("name", PROFILES)
def test_every_rule_has_its_group(name):
    content = profile(name)
    assert set(rules()) == set(content["groups"]) | LONG
    assert set(content["group-components"]) == set(content["groups"].values()) - {"rest"}


def test_the_profiles_group_alike():
    first, second = (profile(name) for name in PROFILES)
    for key in ("groups", "group-components", "retries", "cores"):
        assert first[key] == second[key]


def test_arrays_leave_the_other_groups_as_they_are(array_options):
    """A rule in a group of draws or scores would be no array, and one without a group a Slurm job of a few seconds."""
    start = array_options.index("--groups")
    given = dict(word.split("=") for word in array_options[start + 1 :])
    in_arrays = array_options[array_options.index("--slurm-array-jobs") + 1].split(",")
    groups = profile("slurm")["groups"]
    assert in_arrays == ["draw", "score"]
    assert given == {rule: group for rule, group in groups.items() if rule not in in_arrays}


@pytest.mark.parametrize("text", rules().values(), ids=rules())
def test_every_rule_asks_for_memory_and_time(text):
    """More with every attempt: a number, or what the study's family says."""
    for name, asked in (("mem_mb", "megabytes"), ("runtime", "minutes")):
        of_family = rf"lambda wildcards, attempt: attempt \* asked\(wildcards\)\.{asked}"
        assert re.search(rf"^        {name}=(more_each_time\(\d+\)|{of_family}),$", text, flags=re.MULTILINE)


@pytest.mark.parametrize("path", sorted(REPOSITORY.glob("figures/*/manifest.json")), ids=lambda path: path.parent.name)
def test_no_job_of_a_committed_study_took_more_than_it_asks_for(path, monkeypatch):
    """Memory at the first attempt, Snakemakes included; time at the second, for some ran beside much other work."""
    monkeypatch.chdir(REPOSITORY)
    content = json.loads(path.read_text(encoding="utf-8"))
    for part in content if isinstance(content, list) else [content]:
        study = load(part["configuration"])
        for entry, took in part["scoring"].items():
            asks = requests.asked(study, entry)
            assert took["largest_memory_mb"] + SNAKEMAKES <= asks.megabytes, entry
            assert took["longest_job_seconds"] <= 2 * 60 * asks.minutes, entry
