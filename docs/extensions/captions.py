"""Captions of figures on the pages of papers, below the pictures: those that the workflow's own pages show."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURE = re.compile(r"^!\[[^]]*\]\([./]*/figures/(?P<study>\w+)/(?P<figure>\w+)\.png\)$", re.MULTILINE)


def captioned(paper: str, text: str) -> str:
    """A page of a paper, each picture of its own study with the caption below."""

    def with_caption(picture: re.Match[str]) -> str:
        file = ROOT / f"src/ockham/papers/{paper}/captions/{picture['figure']}.rst"
        if picture["study"] != paper or not file.is_file():
            return picture[0]
        return f"{picture[0]}\n\n```{{eval-rst}}\n{file.read_text(encoding='utf-8').strip()}\n```"

    return PICTURE.sub(with_caption, text)


def setup(app) -> dict[str, bool]:
    """Connect it to what Sphinx reads."""

    def add(app, docname: str, source: list[str]) -> None:
        folder, _, paper = docname.rpartition("/")
        if folder == "docs/papers":
            source[0] = captioned(paper, source[0])

    app.connect("source-read", add)
    return {"parallel_read_safe": True}
