"""Pages of papers in the site have the caption of every figure and table of their own study below it.

Source of truth: the captions of the paper's folder.
"""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
captioned = runpy.run_path(str(ROOT / "docs/extensions/captions.py"))["captioned"]
PAPER = "beal_ghahramani_2006"


def test_every_figure_of_the_study_has_its_caption():
    text = captioned(PAPER, (ROOT / f"docs/papers/{PAPER}.md").read_text(encoding="utf-8"))
    for figure in (ROOT / f"figures/{PAPER}").glob("*.png"):
        caption = (ROOT / f"src/ockham/papers/{PAPER}/captions/{figure.stem}.rst").read_text(encoding="utf-8")
        assert f"/{figure.name})\n\n```{{eval-rst}}\n{caption.strip()}\n```\n" in text


def test_every_table_of_the_study_has_its_caption():
    page = (ROOT / f"docs/papers/{PAPER}.md").read_text(encoding="utf-8")
    text = captioned(PAPER, page)
    tables = re.findall(rf"^```{{include}} [./]+/figures/{PAPER}/(\w+)\.md$", page, re.MULTILINE)
    assert len(tables) > 5
    for table in tables:
        caption = (ROOT / f"src/ockham/papers/{PAPER}/captions/{table}.rst").read_text(encoding="utf-8")
        assert f"/{table}.md\n```\n\n```{{eval-rst}}\n{caption.strip()}\n```\n" in text


def test_a_table_of_the_study_that_its_caption_names_has_it_and_of_another_what_makes_it():
    named, other = (f"```{{include}} ../../figures/{PAPER}_{of}/sandwich.md\n```\n" for of in ("sandwich", "truth"))
    assert "how often either is doubted" in captioned(PAPER, named)
    command = f"``snakemake --cores 2 --forcerun tabulate -- figures/{PAPER}_truth/sandwich.csv``"
    assert "how often either is doubted" not in captioned(PAPER, other)
    assert command in captioned(PAPER, other)


def test_commands_of_captions_name_what_studies_have():
    captions = [path.read_text(encoding="utf-8") for path in (ROOT / "src/ockham/papers").glob("*/captions/*.rst")]
    named = {target for text in captions for target in re.findall(r"figures/\w+/\w+\.\w+", text)}
    assert len(named) > 50
    assert [target for target in sorted(named) if not (ROOT / target).exists()] == []


def test_a_figure_of_another_study_has_what_makes_it():
    """And no caption of its own, for its panels may show less."""
    text = f"![Figure 4](../../figures/{PAPER}_restarts/figure_4.png)\n"
    assert "first 20 draws" not in captioned(PAPER, text)
    assert f"--forcerun plot -- figures/{PAPER}_restarts/figure_4.pdf``" in captioned(PAPER, text)


def test_what_no_caption_is_of_is_left_alone():
    text = f"![Figure 4](../../figures/{PAPER}_restarts/no_such.png)\n"
    assert captioned(PAPER, text) == text


def test_commands_of_variants_name_what_there_is():
    for page in (ROOT / "docs/papers").glob("*.md"):
        text = captioned(page.stem, page.read_text(encoding="utf-8"))
        made = re.findall(r"is said of the same in ``\w+``. To make it again:\n``.*(figures/\S+)``", text)
        assert [target for target in made if not (ROOT / target).exists()] == []
