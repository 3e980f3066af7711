"""Captions of figures and tables on the pages of papers, below them: those that the workflow's own pages show."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = r"[./]*/figures/(?P<study>\w+)/(?P<name>\w+)"
PICTURE = re.compile(rf"^!\[[^]]*\]\({PLACE}\.png\)$", re.MULTILINE)
TABLE = re.compile(rf"^```\{{include\}} {PLACE}\.md\n```$", re.MULTILINE)


def captioned(paper: str, text: str) -> str:
    """A page of a paper, each figure and table of its own study, or of one that its caption names, with the caption.

    Those of a study that varies the paper's say where they are explained, and what makes them.
    """

    def with_caption(shown: re.Match[str], rule: str, ending: str) -> str:
        study, name = shown["study"], shown["name"]
        file = ROOT / f"src/ockham/papers/{paper}/captions/{name}.rst"
        if not file.is_file():
            return shown[0]
        caption = file.read_text(encoding="utf-8").strip()
        if study != paper and f"figures/{study}/" not in caption:
            command = f"snakemake --cores 2 --forcerun {rule} -- figures/{study}/{name}.{ending}"
            caption = f"What it shows is said of the same in ``{paper}``. To make it again:\n``{command}``."
        return f"{shown[0]}\n\n```{{eval-rst}}\n{caption}\n```"

    text = PICTURE.sub(lambda shown: with_caption(shown, "plot", "pdf"), text)
    return TABLE.sub(lambda shown: with_caption(shown, "tabulate", "csv"), text)


def setup(app) -> dict[str, bool]:
    """Connect it to what Sphinx reads."""

    def add(app, docname: str, source: list[str]) -> None:
        folder, _, paper = docname.rpartition("/")
        if folder == "docs/papers":
            source[0] = captioned(paper, source[0])

    app.connect("source-read", add)
    return {"parallel_read_safe": True}
