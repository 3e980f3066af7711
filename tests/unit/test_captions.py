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


def test_a_table_of_the_study_that_its_caption_names_has_it_and_of_another_none():
    named, other = (f"```{{include}} ../../figures/{PAPER}_{of}/sandwich.md\n```\n" for of in ("sandwich", "truth"))
    assert "how often either is doubted" in captioned(PAPER, named)
    assert captioned(PAPER, other) == other


def test_commands_of_captions_name_what_studies_have():
    captions = [path.read_text(encoding="utf-8") for path in (ROOT / "src/ockham/papers").glob("*/captions/*.rst")]
    named = {target for text in captions for target in re.findall(r"figures/\w+/\w+\.\w+", text)}
    assert len(named) > 50
    assert [target for target in sorted(named) if not (ROOT / target).exists()] == []


def test_a_figure_of_another_study_has_none():
    """Its panels may show something else: Figure 3 of the truth has bridge sampling in the place of AIS."""
    text = f"![Figure 3](../../figures/{PAPER}_truth/figure_3.png)\n"
    assert captioned(PAPER, text) == text
