"""Every figure and table that a paper's record names is there, with a caption, and needs what it shows.

Source of truth: the registry of papers, the files of their captions and numbers, and the panels of their figures.
"""

import re
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest
from reference.tiny_study import MACHINES, NETWORKS, ORDERS, write

from ockham import families
from ockham.contracts import Needs, Paper, Shown
from ockham.papers.published import read_published
from ockham.studies.loading import load
from ockham.studies.shown import record_of, shown_by
from ockham.studies.study_files import conditions_of

CONFIG = Path(__file__).parents[3] / "config"
RULES = {
    rule
    for file in (CONFIG.parent / "workflow/rules").iterdir()
    for rule in re.findall(r"^rule (\w+):", file.read_text(encoding="utf-8"), re.MULTILINE)
}

PAPERS = {name: families.paper(name) for name in families.paper_names()}
OF_NO_PAPER = {
    place: families.load(place) for name in families.family_names() if (place := families.family(name).record)
}
RECORDS = PAPERS | OF_NO_PAPER
FIGURES = [(paper, name) for paper, about in RECORDS.items() for name in about.figures]
TABLES = [(paper, name) for paper, about in RECORDS.items() for name in about.tables]


def with_panels():
    """Figures whose module lists its panels: paper, name, and the conditions of the panels."""
    found = []
    for paper, name in FIGURES:
        module = import_module(families.module_name(RECORDS[paper].figures[name].function))
        if hasattr(module, "PANELS"):
            found.append((paper, name, {panel.condition for panel in module.PANELS}))
    return found


@pytest.mark.parametrize(("paper", "name"), FIGURES)
def test_a_figure_takes_the_summaries(paper, name):
    function = families.load(RECORDS[paper].figures[name].function)
    assert list(signature(function).parameters) == ["summaries"]


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_a_table_takes_the_summaries_or_the_costs_and_the_paper(paper, name):
    about = RECORDS[paper].tables[name]
    first, second = signature(families.load(about.function)).parameters
    assert (first == "summaries") != about.costs
    assert second == "paper"


@pytest.mark.parametrize(("paper", "name"), FIGURES + TABLES)
def test_it_has_a_caption(paper, name):
    text = (RECORDS[paper].folder / f"captions/{name}.rst").read_text(encoding="utf-8")
    assert text.strip()


@pytest.mark.parametrize(("paper", "name"), FIGURES + TABLES)
def test_the_command_of_its_caption_runs_a_rule_and_makes_its_file(paper, name):
    text = " ".join((RECORDS[paper].folder / f"captions/{name}.rst").read_text(encoding="utf-8").split())
    commands = re.findall(r"--forcerun (\S+) -- (\S+?)``", text)
    assert len(commands) == text.count("--forcerun")
    for rule, file in commands:
        assert rule in RULES
        assert Path(file).stem == name


@pytest.mark.parametrize("paper", RECORDS)
def test_no_caption_is_of_nothing(paper):
    about = RECORDS[paper]
    found = {path.stem for path in (about.folder / "captions").iterdir()}
    assert found == {*about.figures, *about.tables}


@pytest.mark.parametrize("paper", RECORDS)
def test_every_file_of_numbers_is_named_and_can_be_read(paper):
    about = RECORDS[paper]
    assert {path.relative_to(about.folder).as_posix() for path in about.folder.glob("numbers/*")} == set(about.numbers)
    for name in about.numbers:
        assert len(read_published(about, name))


@pytest.mark.parametrize(("paper", "name"), FIGURES + TABLES)
def test_it_needs_only_what_there_is(paper, name):
    """Scorers of some family, roles of the paper, and measurements of some family."""
    about = RECORDS[paper]
    needs = (about.figures | about.tables)[name].needs
    known = [families.family(family) for family in families.family_names()]
    assert set(needs.roles) <= set(about.roles)
    assert set(needs.scorers) <= {scorer for family in known for scorer in families.scorer_names(family.name)}
    assert set(needs.measurements) <= {measured for family in known for measured in family.measurements}


@pytest.mark.parametrize(("paper", "name", "conditions"), with_panels())
def test_a_figure_needs_the_conditions_of_its_panels(paper, name, conditions):
    assert set(RECORDS[paper].figures[name].needs.conditions) == conditions


def test_the_mixtures_list_their_panels():
    """So that the test above is not of nothing: all but Figure 10, which shows what was measured, and our own."""
    figures = PAPERS["chickering_heckerman_1997"].figures
    assert {(p, name) for p, name, _ in with_panels()} >= {
        ("chickering_heckerman_1997", name) for name in figures if name not in ("figure_10", "figure_9_draws")
    }


def test_a_study_shows_what_it_has_enough_for(tmp_path):
    study = load(write(tmp_path, NETWORKS))
    paper = PAPERS["beal_ghahramani_2006"]
    figures, tables = shown_by(paper, [study])
    assert "figure_3" in figures
    assert "figure_6" not in figures
    assert "table_2" in tables
    assert "table_3" not in tables
    assert shown_by(None, [study]) == ([], [])
    alone = load(write(tmp_path, NETWORKS | {"only": ["1-1"]}))
    assert not {"figure_2", "figure_3"}.intersection(shown_by(paper, [alone])[0])  # compares structures


def test_a_network_study_of_no_paper_shows_what_any_has(tmp_path):
    """Not one with conditions, of which there are no such summaries, nor one without scores of every structure."""
    study = load(write(tmp_path, NETWORKS))
    assert shown_by(record_of([study]), [study]) == (["evidence", "probability"], ["evidences", "cost"])
    of_paper = load(CONFIG / "smoke/beal_ghahramani_2006.yaml")
    assert record_of([of_paper]) is PAPERS["beal_ghahramani_2006"]
    assert record_of([load(write(tmp_path, MACHINES))]) is None
    assert record_of(with_conditions(tmp_path, one={}, two={})) is None
    one = {"em": {"structures": ["1-1"]}}
    assert record_of([load(write(tmp_path, NETWORKS | {"scorers": one}))]) is None


def test_the_record_of_studies_without_a_paper_is_their_familys(tmp_path, monkeypatch):
    """Of whatever family: machines have none of their own."""
    studies = [load(write(tmp_path, MACHINES))]
    assert record_of(studies) is None
    monkeypatch.setattr(type(studies[0].family), "record", "ockham.papers.generic:PAPER")
    assert record_of(studies) is families.load("ockham.papers.generic:PAPER")


@pytest.mark.parametrize("content", [NETWORKS, MACHINES, ORDERS], ids=["networks", "machines", "orders"])
@pytest.mark.parametrize(
    "needs", [Needs(scorers=("em_ml",)), Needs(roles=("x",)), Needs(conditions=("x",)), Needs(measurements=("x",))]
)
def test_one_thing_that_is_missing_is_enough(content, needs, tmp_path):
    study = load(write(tmp_path, content))
    paper = type(PAPERS["beal_ghahramani_2006"])("p", tmp_path, figures={"f": Shown("m:f", needs)})
    assert shown_by(paper, [study])[0] == []


def with_conditions(folder, **conditions):
    """One study for each condition, of networks, with what it has of its own."""
    path = write(folder, NETWORKS | {"conditions": conditions})
    return [load(source) for source in conditions_of(path)]


def shown(needs, studies):
    return shown_by(Paper("p", Path(), figures={"f": Shown("m:f", needs)}), studies)[0] == ["f"]


def test_what_a_figure_needs_must_be_in_the_conditions_that_it_names(tmp_path):
    """An entry of another condition helps a figure as little as one of the first condition helps the second."""
    studies = with_conditions(tmp_path, one={}, two={"scorers": {"em": {}, "ais": {}}})
    assert shown(Needs(scorers=("ais",)), studies)
    assert not shown(Needs(scorers=("ais",), whole=True), studies)
    assert shown(Needs(scorers=("ais",), conditions=("two",)), studies)
    assert not shown(Needs(scorers=("ais",), conditions=("one",)), studies)
    assert not shown(Needs(scorers=("ais",), conditions=("one", "two")), studies)
    assert shown(Needs(scorers=("em",), conditions=("one", "two")), studies)
    assert shown(Needs(scorers=("vb", "ais")), studies)
    assert not shown(Needs(scorers=("vb", "ais"), conditions=("two",)), studies)


def test_a_measurement_must_be_in_one_of_the_conditions_that_a_figure_names(tmp_path):
    studies = with_conditions(tmp_path, one={}, two={"measurements": {"schedules": {"curvatures": [0.2]}}})
    assert shown(Needs(measurements=("schedules",)), studies)
    assert shown(Needs(measurements=("schedules",), conditions=("one", "two")), studies)
    assert not shown(Needs(measurements=("schedules",), conditions=("one",)), studies)


def test_without_prior_draws_nothing_that_shows_them_is_made(tmp_path):
    paper = PAPERS["beal_ghahramani_2006"]
    with_draws = load(CONFIG / "beal_ghahramani_2006.yaml")
    without = load(CONFIG / "beal_ghahramani_2006_truth.yaml")
    assert without.replicates.indices() == [0]
    figures, tables = shown_by(paper, [without])
    assert {"figure_2", "figure_3", "table_2", "computation_time"} <= {*figures, *tables}
    assert not {"figure_4", "figure_5", "section_4_2", "section_4_2_by_size"} & {*figures, *tables}
    figures, tables = shown_by(paper, [with_draws])
    assert {"figure_4", "figure_5"} <= set(figures)
    assert {"section_4_2", "section_4_2_by_size"} <= set(tables)
    one = with_conditions(tmp_path, one={}, two={"replicates": {"prior_draws": 1}})
    assert shown(Needs(prior_draws=True, conditions=("two",)), one)
