"""Captions of figures and tables on the pages of papers, below them: those that the workflow's own pages show."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = r"[./]*/figures/(?P<study>\w+)/(?P<name>\w+)"
PICTURE = re.compile(rf"^!\[[^]]*\]\({PLACE}\.png\)$", re.MULTILINE)
TABLE = re.compile(rf"^```\{{include\}} {PLACE}\.md\n```$", re.MULTILINE)


def captioned(paper: str, text: str) -> str:
    """A page of a paper, each figure and table of its own study, or of one that its caption names, with the caption."""

    def with_caption(shown: re.Match[str]) -> str:
        file = ROOT / f"src/ockham/papers/{paper}/captions/{shown['name']}.rst"
        caption = file.read_text(encoding="utf-8").strip() if file.is_file() else ""
        if not caption or not (shown["study"] == paper or f"figures/{shown['study']}/" in caption):
            return shown[0]
        return f"{shown[0]}\n\n```{{eval-rst}}\n{caption}\n```"

    return TABLE.sub(with_caption, PICTURE.sub(with_caption, text))


def setup(app) -> dict[str, bool]:
    """Connect it to what Sphinx reads."""

    def add(app, docname: str, source: list[str]) -> None:
        folder, _, paper = docname.rpartition("/")
        if folder == "docs/papers":
            source[0] = captioned(paper, source[0])

    app.connect("source-read", add)
    return {"parallel_read_safe": True}
