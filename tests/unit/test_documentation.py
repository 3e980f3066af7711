"""Documentation points at what exists, and no file is too long to read.

Sources of truth: the entries of docs/references.bib, the files of the repository, and the 500 lines of CONTRIBUTING.md.
"""

import csv
import re
from pathlib import Path

import pytest

from ockham.networks.scorers import SCORERS
from ockham.studies import load

ROOT = Path(__file__).parents[2]
CITED = re.compile(r"\[([A-Z][A-Za-z]+\d{4})\]")
LINK = re.compile(r"\]\(([^()\s]+)\)")
ABSOLUTE = re.compile(r"[a-z][a-z+.-]*:|#")
MAX_LINES = 500
FOLDERS = (".ci", "benchmarks", "config", "docs", "src", "tests", "workflow")
SUFFIXES = (".bib", ".build", ".cff", ".md", ".pxd", ".py", ".pyx", ".rst", ".smk", ".toml", ".yaml", ".yml")


def files(*suffixes, folders=FOLDERS):
    """Source and documentation files: those of the folders, and those at the root."""
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")] + list(ROOT.glob("*"))
    return sorted(path for path in found if path.is_file() and (path.suffix in suffixes or path.name == "Snakefile"))


def names(paths):
    return [path.relative_to(ROOT).as_posix() for path in paths]


def broken_links(path):
    """Targets of relative links that do not exist, in a Markdown file; images are links too."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = [target for target in LINK.findall(text) if not ABSOLUTE.match(target)]
    return [target for target in targets if not (path.parent / target.partition("#")[0]).exists()]


PAGES = files(".md")
SOURCES = files(".py", ".pyx", ".pxd", folders=("src",))


def test_there_is_something_to_check():
    assert {"README.md", "docs/design.md", "config/README.md"} <= set(names(PAGES))
    assert {"src/ockham/scorers/em.py", "src/ockham/kernels/em.pyx"} <= set(names(SOURCES))


def test_every_cited_key_is_in_the_bibliography():
    bibliography = (ROOT / "docs/references.bib").read_text(encoding="utf-8")
    known = re.findall(r"^@\w+\{(\w+),", bibliography, flags=re.MULTILINE)
    assert len(known) == len(set(known))
    cited = {key: name for path, name in zip(SOURCES + PAGES, names(SOURCES + PAGES), strict=True)
             for key in CITED.findall(path.read_text(encoding="utf-8"))}  # fmt: skip
    assert "BealGhahramani2006" in cited
    assert {key: name for key, name in cited.items() if key not in known} == {}


@pytest.mark.parametrize("path", PAGES, ids=names(PAGES))
def test_relative_links_point_to_files(path):
    assert broken_links(path) == []


def test_a_broken_link_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("[a](page.md#here) ![b](gone.png) [c](https://example.org/x) [d](#here)\n```\n[e](code.md)\n```\n")
    assert broken_links(page) == ["gone.png"]


def test_no_file_is_too_long():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files(*SUFFIXES)}
    assert {path: n for path, n in lengths.items() if n > MAX_LINES} == {}


@pytest.mark.parametrize("name", ["beal_ghahramani_2006/section_4_2.md", "beal_ghahramani_2006_strict/section_4_2.md"])
def test_readme_shows_the_committed_tables(name):
    """README repeats two tables of figures/; each must be the stored one, to the letter."""
    stored = (ROOT / "figures" / name).read_text(encoding="utf-8")
    assert stored.count("\n") > 5
    assert stored in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_strength_of_the_proposal_is_the_calibrated_one():
    """The rule on Table 3 marks one strength as the best, and every entry with the constant strength has it."""
    with (ROOT / "figures/beal_ghahramani_2006/strength_calibration.csv").open(encoding="utf-8") as file:
        (best,) = [float(row["strength"]) for row in csv.DictReader(file) if row["rule"] == "best"]
    for folder in ("config", "config/smoke"):
        study = load(ROOT / folder / "beal_ghahramani_2006.yaml")
        for name in ("ais", "ais_replicates", "ais_length_256", "ais_truth_256"):
            assert study.scorer_settings[name].strength == best
    assert SCORERS["ais"].Settings().strength == best
