"""The documentation site: ``sphinx-build -W -c docs . build/site``, whose first page is build/site/index.html.

Its source is the whole repository, so that links between pages, figures and code are those of the repository.
"""

import csv
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "docs/extensions"))

project = "Ockham"
author = "Ockham developers"
copyright = author
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx.ext.viewcode",
    "sphinxcontrib.bibtex",
    "captions",
    "citations",
]

root_doc = "docs/index"
include_patterns = ["docs/**.md", "config/README.md", "benchmarks/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
exclude_patterns = [".*", "build", "results", "src", "tests", "workflow", "figures"]
myst_heading_anchors = 4
myst_enable_extensions = ["substitution"]
PAPERS = [path.stem for path in (ROOT / "docs/papers").glob("*_*.md")]


def claims(folder: str) -> str:
    """The table of claims that studies have left in a folder of figures, if there is one."""
    table = ROOT / "figures" / folder / "claims.md"
    return table.read_text(encoding="utf-8") if table.exists() else "The claims have not been judged yet."


def open_claims() -> str:
    """A table of the claims of all papers that differ for a cause that is not known, and of what was tried."""
    rows = ["| claim | printed | ours | tried |", "|---|---|---|---|"]
    for paper in PAPERS:
        table = ROOT / "figures" / paper / "claims.csv"
        judged = csv.DictReader(table.read_text(encoding="utf-8").splitlines()) if table.exists() else ()
        for claim in judged:
            if claim["verdict"] == "differs, open":
                cells = claim["claim"], claim["printed"], claim["ours"], claim["because"] or "nothing yet"
                rows.append(
                    f"| [{paper}]({paper}.md#claims): " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
                )
    return "\n".join(rows)


myst_substitutions = {f"claims_{paper}": claims(paper) for paper in PAPERS} | {
    "claims": claims("."),
    "open_claims": open_claims(),
}

nb_execution_mode = "force"  # what a page shows is what its code gives
nb_execution_raise_on_error = True
nb_execution_timeout = 120  # seconds a cell
nb_merge_streams = True

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "none"  # docstrings say what a reader needs of types
numpydoc_show_class_members = False

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "by_key"

html_theme = "furo"
templates_path = ["_templates"]
html_title = "Ockham"
html_static_path = ["_static", "../src/ockham/table_results/pages/sorting.js"]
html_css_files = ["ockham.css"]
html_js_files = [("sorting.js", {"defer": "defer"})]
html_additional_pages = {"index": "first.html"}
html_copy_source = False
html_show_search_summary = False  # it is fetched, which a page in a file cannot do
