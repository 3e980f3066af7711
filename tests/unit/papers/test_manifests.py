"""What is published under ``figures/`` was made from commits, and its manifests name them.

Source of truth: the manifests that are committed.
"""

import json
from pathlib import Path

import pytest

from ockham.io.commit import UNCLEAN

FIGURES = Path(__file__).parents[3] / "figures"
MANIFESTS = sorted(FIGURES.glob("*/manifest.json"))


def unclean(content):
    """What a manifest, or each of its conditions, says of changes that no commit has."""
    parts = content if isinstance(content, list) else [content]
    commits = [part[name] for part in parts for name in ("commit", "figures_commit") if name in part]
    assert commits
    told = [part["changes_that_no_commit_has"] for part in parts if part.get("changes_that_no_commit_has")]
    return [name for name in commits if name.endswith(UNCLEAN) or name == "unknown"] + told


@pytest.mark.parametrize("study", [path.parent.name for path in MANIFESTS])
def test_no_manifest_names_changes_that_no_commit_has(study):
    assert unclean(json.loads((FIGURES / study / "manifest.json").read_text(encoding="utf-8"))) == []


def test_every_published_study_has_one():
    assert {path.parent for path in MANIFESTS} == {path for path in FIGURES.iterdir() if path.is_dir()}


def test_changes_are_seen():
    """The negative control."""
    assert unclean({"commit": f"0123{UNCLEAN}", "figures_commit": "4567"}) == [f"0123{UNCLEAN}"]
    assert unclean([{"commit": "0123"}, {"commit": "4567", "changes_that_no_commit_has": True}]) == [True]
    assert unclean({"commit": "unknown"}) == ["unknown"]
