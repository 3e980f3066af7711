"""A target names a study that is listed, or one whose file lies in the folder of studies, or it is refused. So is a
folder that nothing can be written to.

Source of truth: files put there by hand.
"""

import os
import re
from pathlib import Path

import pytest

from ockham.errors import ConfigError
from ockham.studies.workflow import (
    RESERVED,
    RULES,
    check_places,
    check_writable,
    load_workflow,
    named_studies,
    only_stores,
)

HERE = Path(__file__).parents[3]


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    for name in ("listed", "mine", "other", "draw"):
        (tmp_path / f"config/{name}.yaml").touch()
    (tmp_path / "file").touch()
    places = {name: name for name in ("results", "figures", "logs", "benchmarks")}
    return load_workflow({"studies": ["listed"], "config": "config", "pathvars": places})


@pytest.mark.parametrize(
    ("targets", "found"),
    [
        ([], ["listed"]),
        (["all", "file", "results/new.nc"], ["listed"]),
        (["listed"], ["listed"]),
        (["mine"], ["listed", "mine"]),
        (["results/mine/scores.nc", "other", "mine"], ["listed", "mine", "other"]),
        (["results/mine/scores.nc"], ["mine"]),
        (["results/mine/first/scores.nc", "results/other/data/replicate-001.nc"], ["mine", "other"]),
        (["results/mine/scores.nc", "results/new.nc"], ["listed", "mine"]),
        (["results/mine/scores.nc", "all"], ["listed", "mine"]),
        (["figures/mine/scores.nc"], ["listed", "mine"]),
        (["results/mine/claims.md"], ["listed", "mine"]),
        (["other/condition"], ["listed", "other"]),
    ],
)
def test_studies_that_targets_name(targets, found, loaded):
    assert named_studies(loaded, targets, "results", RULES) == found
    assert only_stores(loaded, targets, "results") == ("listed" not in found)


def test_a_target_that_is_nothing_is_refused(loaded):
    with pytest.raises(ConfigError, match=r"target 'mines': is no study.*config/mines\.yaml.*name one of listed"):
        named_studies(loaded, ["mines"], "results", RULES)


@pytest.mark.parametrize(
    "target", ["m" * 101, "m" * 300, "results/" + "m" * 300, "results/" + "m" * 300 + "/scores.nc", "mine.yaml"]
)
def test_what_no_study_can_be_called_is_left_to_snakemake(target, loaded):
    assert named_studies(loaded, [target], "results", RULES) == ["listed"]


def test_what_no_study_can_be_called_is_every_rule_and_every_folder_of_the_results(loaded):
    files = [HERE / "Snakefile", *HERE.glob("workflow/rules/*.smk")]
    rules = {name for file in files for name in re.findall(r"^rule (\w+):", file.read_text(), re.MULTILINE)}
    assert set(RULES) == rules
    written = {"results": "results", "figures": "figures", "logs": "results/logs", "benchmarks": "results/benchmarks"}
    for name in set(RESERVED) - rules:
        with pytest.raises(ConfigError, match=f"studies: {name!r} would store its results where pathvars"):
            check_places(loaded.model_copy(update={"studies": [name]}), written, [])
    check_places(loaded, written, [])


@pytest.mark.parametrize(("closed", "named"), [("results", "results"), ("figures/listed", "figures"), (".", "results")])
def test_a_folder_that_nothing_can_be_written_to_is_refused(closed, named, loaded, tmp_path, monkeypatch):
    """One that is there, one of a study in it, and one that those to be made would be in."""
    places = {name: f"{tmp_path}/{name}" for name in loaded.pathvars}
    (tmp_path / closed).mkdir(parents=True, exist_ok=True)
    check_writable(loaded, places)
    shut = (tmp_path / closed).absolute()
    monkeypatch.setattr(os, "access", lambda folder, mode: folder != shut)
    with pytest.raises(ConfigError, match=rf"pathvars\.{named}: nothing can be written to {shut}; make it writable"):
        check_writable(loaded, places)
