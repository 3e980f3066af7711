"""Documentation points at what exists, lists what is registered, and no file is too long to read.

Sources of truth: the entries of docs/references.bib, the registries of families, scorers and papers, the settings
classes, the files of the repository, and the 500 lines of CONTRIBUTING.md.
"""

import csv
import inspect
import re
import tomllib
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import BaseModel

from ockham import families
from ockham.studies.grids import Grid, Study
from ockham.studies.loading import load
from ockham.studies.shown import shown_by
from ockham.studies.study_files import conditions_of

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
    assert {"src/ockham/networks/scorers/em.py", "src/ockham/kernels/em.pyx"} <= set(names(SOURCES))


def test_what_scorers_get_is_what_the_page_says():
    """A row for each family; its classes are those that a scorer of it takes, and have these attributes."""
    page = (ROOT / "docs/adding_a_scorer.md").read_text(encoding="utf-8")
    rows = re.findall(r"^  \| `(\w+)` \| `(\w+)`: (.+?) \| `(\w+)`: (.+?) \|$", page, flags=re.MULTILINE)
    of_ockham = [
        name for name in families.family_names() if type(families.family(name)).__module__.startswith("ockham.")
    ]
    assert sorted(row[0] for row in rows) == sorted(of_ockham)
    for family, *classes in rows:
        score = families.scorer(family, families.family(family).default_scorer).score
        taken = list(inspect.signature(score, eval_str=True).parameters.values())[:2]
        for parameter, name, attributes in zip(taken, classes[::2], classes[1::2], strict=True):
            assert parameter.annotation.__name__ == name
            named = set(re.findall(r"`(\w+)`", attributes))
            assert named <= {field.name for field in fields(parameter.annotation)} | {"observed"}


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


INCLUDED = re.compile(r"^```\{include\} (\S+)$", re.MULTILINE)
README_LINES = 45


@pytest.mark.parametrize("path", sorted((ROOT / "docs/papers").glob("*_*.md")), ids=lambda path: path.stem)
def test_pages_of_papers_show_tables_as_stored(path):
    """By including them, so that none can differ; Markdown that is no table is not meant."""
    included = [(path.parent / name).resolve() for name in INCLUDED.findall(path.read_text(encoding="utf-8"))]
    assert included
    for file in included:
        assert file.read_text(encoding="utf-8").splitlines()[1].startswith(("|:", "|-")), file
        assert ROOT / "figures" in file.parents


def test_the_counts_of_section_4_2_are_shown_beside_each_other():
    included = INCLUDED.findall(page("docs/papers/beal_ghahramani_2006.md"))
    for study in ("beal_ghahramani_2006", "beal_ghahramani_2006_strict"):
        assert f"../../figures/{study}/section_4_2.md" in included


def test_readme_fits_a_screen():
    assert len(page("README.md").splitlines()) <= README_LINES


def test_readme_has_the_counts_of_claims():
    assert page("figures/claims.md").strip() in page("README.md")


def test_pages_are_in_the_site():
    """Each is in the one tree of contents, or README, which is the site's way in from a forge."""
    shown = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    trees = {name: re.findall(r"^```\{toctree\}(.*?)^```", page(name), re.MULTILINE | re.DOTALL) for name in shown}
    listed = {
        ((ROOT / name).parent / f"{line}.md").resolve().relative_to(ROOT).as_posix()
        for name, blocks in trees.items()
        for block in blocks
        for line in block.splitlines()
        if line and not line.startswith(":")
    }
    assert shown - {"docs/index.md"} == {name for name in listed if name.startswith("docs/")}
    assert {"config/README.md", "benchmarks/README.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= listed


def test_the_strength_of_the_proposal_is_the_calibrated_one():
    """The rule on Table 3 marks one strength as the best, and every entry with the constant strength has it."""
    with (ROOT / "figures/beal_ghahramani_2006/strength_calibration.csv").open(encoding="utf-8") as file:
        (best,) = [float(row["strength"]) for row in csv.DictReader(file) if row["rule"] == "best"]
    for folder in ("config", "config/smoke"):
        study = load(ROOT / folder / "beal_ghahramani_2006.yaml")
        for name in ("ais", "ais_replicates", "ais_length_256", "ais_truth_256"):
            assert study.scorer_settings[name].strength == best


CODE = re.compile(r"`([^`]+)`")
FAMILIES = {name: families.family(name) for name in families.family_names()}
SECTIONS = {
    "discrete_network": "## A study of networks",
    "restricted_boltzmann": "## A study of Boltzmann machines",
    "node_order": "## A study of node orders",
    "finite_mixture": "## A study of mixtures",
}
"""Of config/README.md."""
TABLES = {
    "discrete_network": "| scorer | estimates | guaranteed to be |",
    "restricted_boltzmann": "| scorer of machines |",
    "node_order": "| scorer of node orders |",
    "finite_mixture": "| scorer of mixtures |",
}
"""Of docs/scorers.md."""


def page(name):
    return (ROOT / name).read_text(encoding="utf-8")


def section(text, title):
    """What stands under a heading, up to the next of its level or above."""
    level = title.split()[0]
    _, found, rest = text.partition(f"{title}\n")
    assert found, title
    return re.split(rf"^#{{1,{len(level)}}} ", rest, flags=re.MULTILINE)[0]


def table(text, head):
    """The rows of the first table whose head begins so, as lists of cells."""
    assert head in text, head
    lines = text[text.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def column(rows, index=0):
    """The names in a column of a table, in code."""
    return [name for row in rows for name in CODE.findall(row[index])]


def keys_of(settings, prefix=""):
    """The keys of settings, with those of their sections after a dot."""
    found = set()
    for name, field in settings.model_fields.items():
        found |= {f"{prefix}{name}"}
        for part in re.findall(r"ockham\.[\w.]+", str(field.annotation)):
            kind = families.load(":".join(part.rsplit(".", 1)))
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                found |= keys_of(kind, f"{prefix}{name}.")
    return found


def test_the_families_of_the_configuration_are_those_registered():
    assert column(table(page("config/README.md"), "| `model` | models |")) == list(FAMILIES)
    assert set(SECTIONS) == set(TABLES) == set(FAMILIES)


def test_the_papers_and_roles_of_the_configuration_are_those_registered():
    rows = table(page("config/README.md"), "| `paper` | roles")
    assert {CODE.findall(name)[0]: CODE.findall(roles) for name, roles in rows} == {
        name: list(families.paper(name).roles) for name in families.paper_names()
    }


def test_the_keys_of_every_study_are_listed():
    listed = column(
        table(
            page("config/README.md"),
            "| key | type and bounds | default | meaning | paper |\n|---|---|---|---|---|\n| `study`",
        )
    )
    assert sorted(listed) == sorted({*Study.model_fields, "model", "conditions"} - {"condition"})


def test_the_keys_of_an_entry_of_the_scorers_are_listed():
    assert sorted(column(table(section(page("config/README.md"), "### scorers"), "| key |"))) == sorted(
        Grid.model_fields
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_the_keys_of_a_family_are_listed(name):
    """Every key of its settings, and of their sections, is in the section of the family; its table has no other."""
    text = section(page("config/README.md"), SECTIONS[name])
    keys = keys_of(FAMILIES[name].settings)
    named = {part for code in CODE.findall(text) for part in re.findall(r"\w+", code)}
    assert {key.rpartition(".")[2] for key in keys} <= named
    assert set(column(table(text, "| key |"))) <= keys


@pytest.mark.parametrize("name", FAMILIES)
def test_the_scorers_of_a_family_and_their_settings_are_listed(name):
    rows = table(section(page("config/README.md"), SECTIONS[name]), "| scorer | setting |")
    modules = {scorer: families.scorer(name, scorer) for scorer in families.scorer_names(name)}
    assert set(column(rows)) == set(modules)
    assert set(column(rows, 1)) == {key for module in modules.values() for key in module.Settings.model_fields}
    text = section(page("config/README.md"), SECTIONS[name])
    assert {estimate for module in modules.values() for estimate in module.ESTIMATES} <= set(CODE.findall(text))


def test_the_measurements_and_their_settings_are_listed():
    listed = {
        (CODE.findall(name)[0], CODE.findall(model)[0]): set(CODE.findall(settings))
        for name, model, _, settings in table(page("config/README.md"), "| name | `model` |")
    }
    assert listed == {
        (measured, name): set(import_module(place).Settings.model_fields)
        for name, family in FAMILIES.items()
        for measured, place in family.measurements.items()
    }


@pytest.mark.parametrize("name", FAMILIES)
def test_the_page_of_scorers_lists_them(name):
    assert sorted(column(table(page("docs/scorers.md"), TABLES[name]))) == sorted(families.scorer_names(name))


@pytest.mark.parametrize("name", families.paper_names())
def test_the_page_of_a_paper_shows_every_figure_and_table(name):
    """Those of the study that the paper's name is the name of; others are beside them, or not published yet."""
    text, studies = (
        page(f"docs/papers/{name}.md"),
        [load(source) for source in conditions_of(ROOT / f"config/{name}.yaml")],
    )
    figures, tables = shown_by(families.paper(name), studies)
    folder = f"../../figures/{name}"
    made = [figure for figure in figures if (ROOT / "figures" / name / f"{figure}.pdf").is_file()]
    shown = [f"({folder}/{figure}.{suffix})" for figure in made for suffix in ("pdf", "png")]
    published = [label for label in tables if (ROOT / "figures" / name / f"{label}.md").is_file()]
    shown += [f"```{{include}} {folder}/{label}.md\n" for label in published]
    assert made
    assert published
    assert [each for each in shown if each not in text] == []


def test_the_tree_of_the_design_is_that_of_the_package():
    lines = re.search(r"^src/ockham/\n(.*?)^```", page("docs/design.md"), flags=re.MULTILINE | re.DOTALL)[
        1
    ].splitlines()
    listed = [line.split()[0] for line in lines]
    package = ROOT / "src/ockham"
    folders = {f"{path.name}/" for path in package.iterdir() if any(path.glob("*.py*")) and path.name[0] != "_"}
    assert sorted(listed) == sorted(folders | {path.name for path in package.glob("[a-z]*.py")})


def test_the_layers_of_the_design_are_those_that_are_checked():
    contracts = tomllib.loads(page("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    checked = [sorted(re.findall(r"ockham\.(\w+)", layer)) for layer in layers]
    assert [sorted(CODE.findall(row[0])) for row in table(page("docs/design.md"), "| layer, from the top |")] == checked


def test_a_list_that_lacks_a_name_is_noticed():
    text = page("config/README.md")
    shorter = text.replace("| `node_order` | structures", "| structures", 1)
    assert shorter != text
    assert column(table(shorter, "| `model` | models |")) != list(FAMILIES)
