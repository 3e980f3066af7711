"""Figures that may be committed are made from a commit alone, unless that is allowed, and their manifest says so.

Source of truth: the repository of git that the workflow runs in.
"""

import json
import subprocess
from pathlib import Path

from reference.tiny_study import NETWORKS

import ockham

ONE = NETWORKS | {"replicates": {"prior_draws": 1}, "scorers": {"em": {}}}
MANIFEST, LOG = "figures/tiny/manifest.json", "results/logs/tiny/manifest.log"


def test_unclean_source_publishes_nothing_unless_that_is_allowed(new_folder):
    folder = new_folder(ONE)

    def git(*arguments):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        return subprocess.run(
            ("git", *identity, *arguments), cwd=folder.path, capture_output=True, text=True, check=True
        ).stdout.strip()

    def manifest():
        return json.loads((folder.path / MANIFEST).read_text())

    (folder.path / "src").mkdir()
    (folder.path / "src/ockham").symlink_to(Path(ockham.__file__).parent)
    (folder.path / ".gitignore").write_text("results/\n.snakemake/\ncache/\n")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "clean")
    clean = git("rev-parse", "--short=12", "HEAD")

    folder.write(ONE | {"root_seed": 4})
    said = folder.snakemake(status=1)
    assert f"figures/tiny: the source has changes that no commit has ({clean}-dirty); commit them" in said
    assert not (folder.path / "results").exists()  # no job was started

    folder.snakemake("--config", "unclean=True")
    assert (manifest()["commit"], manifest()["changes_that_no_commit_has"]) == (f"{clean}-dirty", True)

    git("commit", "--quiet", "--all", "--message", "changed")
    (folder.path / MANIFEST).unlink()
    said = folder.snakemake(MANIFEST, status=1)  # the scores are still those of the changes
    reason = f"the scores are from a source with changes that no commit has ({clean}-dirty)"
    assert reason in said
    assert reason in (folder.path / LOG).read_text()
    folder.snakemake("--forcerun", "collect", "--", MANIFEST)
    committed = git("rev-parse", "--short=12", "HEAD")
    assert (manifest()["commit"], manifest()["figures_commit"]) == (committed, committed)
    assert manifest()["changes_that_no_commit_has"] is False

    git("commit", "--quiet", "--allow-empty", "--message", "later")
    folder.snakemake("--forcerun", "tabulate", "--", MANIFEST)  # from the scores of before
    assert manifest()["commit"] == committed
    assert manifest()["figures_commit"] == git("rev-parse", "--short=12", "HEAD") != committed
