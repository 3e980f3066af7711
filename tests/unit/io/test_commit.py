"""Figures that may be committed name a commit that has all that they were made from.

Source of truth: a repository of git, made for each test.
"""

import subprocess

import pytest

from ockham.errors import ConfigError
from ockham.io.commit import check_publishable, commit, is_in_a_commit


def git(*arguments):
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    return subprocess.run(("git", *identity, *arguments), capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository with one commit: source, figures, and results that git ignores."""
    monkeypatch.chdir(tmp_path)
    for name in ("src/ockham/a.py", "figures/one/figure_1.pdf", "results/one/scores.nc", ".gitignore"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("results/\n" if name == ".gitignore" else "old")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "one")
    return tmp_path


def test_the_commit_is_that_of_the_source(clone):
    clean = git("rev-parse", "--short=12", "HEAD")
    assert commit() == clean
    (clone / "figures/one/figure_1.pdf").write_text("new")  # by the run itself
    (clone / "config.yaml").write_text("untracked")
    assert commit() == clean
    (clone / "src/ockham/a.py").write_text("new")
    assert commit() == f"{clean}-dirty"
    git("add", ".")
    assert commit() == f"{clean}-dirty"


def test_a_file_is_in_a_commit_or_not(clone, tmp_path_factory, monkeypatch):
    (clone / "config.yaml").write_text("untracked")
    assert is_in_a_commit("src/ockham/a.py")
    assert not is_in_a_commit("config.yaml")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert is_in_a_commit("config.yaml")  # there is none to ask


def test_elsewhere_it_is_unknown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert commit() == "unknown"
    (tmp_path / "src/ockham").mkdir(parents=True)
    assert commit() == "unknown"
    monkeypatch.setenv("PATH", "")
    assert commit() == "unknown"
    check_publishable("figures/one", unclean=False)


def test_figures_of_a_clean_tree_are_published(clone):
    check_publishable("figures/one", unclean=False, scored_at=commit())


@pytest.mark.parametrize("place", ["figures/one", "figures/two/figure_1.pdf", "pictures", "-out"])
def test_figures_of_changed_source_are_not_unless_that_is_allowed(clone, place):
    (clone / "src/ockham/a.py").write_text("new")
    with pytest.raises(ConfigError, match=rf"{place}: the source has changes that no commit has \(\w+-dirty\); commit"):
        check_publishable(place, unclean=False)
    check_publishable(place, unclean=True)


def test_nor_are_those_of_scores_that_are_from_changed_source(clone):
    with pytest.raises(ConfigError, match=r"the scores are from a source with changes .* \(abc-dirty\)"):
        check_publishable("figures/one", unclean=False, scored_at="abc-dirty")
    check_publishable("figures/one", unclean=True, scored_at="abc-dirty")


def test_what_git_ignores_or_does_not_see_is_not_published(clone, tmp_path_factory):
    (clone / "src/ockham/a.py").write_text("new")
    check_publishable("results/smoke/figures/one", unclean=False, scored_at="abc-dirty")
    check_publishable(tmp_path_factory.mktemp("figures"), unclean=False, scored_at="abc-dirty")
