"""``ockham init`` writes a study that is loaded as it is, of the table as its options say.

Source of truth: ``ockham.read_table`` with the same options, and names written by hand.
"""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ockham import read_mixed_table, read_table
from ockham.api.initial_study import study_name
from ockham.cli import main
from ockham.studies.loading import load

ROWS = ["id,how: often?,n", *(f"r{k},{'ab-'[k % 3]},{k % 4}" for k in range(12))]


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my survey, 2.csv"
    path.write_text("\n".join(ROWS))
    return path


def init(*arguments):
    result = CliRunner().invoke(main, ["init", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    ("options", "given"),
    [
        (["--drop", "id"], {"drop": ["id"]}),
        (["--drop", "id", "--missing", "-", "--missing", ""], {"drop": ["id"], "missing": ["-", ""]}),
        (["--drop", "id", "--weights", "n"], {"drop": ["id"], "weights": "n"}),
        (["--no-header", "--drop", "x1"], {"drop": ["x1"], "header": False}),
    ],
)
def test_it_is_loaded_as_it_is(options, given, table):
    said = init(table, *options)
    assert said.endswith("To go on:\n  ockham check config/my_survey_2.yaml\n  snakemake --cores 2 my_survey_2\n")
    study, read = load("config/my_survey_2.yaml"), read_table(table, **given)
    assert list(study.models) == [f"classes-{k}" for k in range(1, 7)]
    assert list(study.scorers) == ["em", "vb", "bridge"]
    assert study.sizes == [read.n]
    assert study.data.columns == read.names
    assert (study.data.tables[0].states == read.states).all()


def test_it_says_what_every_column_was_read_as(table):
    init(table, "--drop", "id")
    text = Path("config/my_survey_2.yaml").read_text(encoding="utf-8")
    for note in read_table(table, drop=["id"]).notes:
        assert note.text in text


def test_a_study_of_another_folder_is_run_from_there(table):
    said = init(table, "--drop", "id", "--output", "my studies/two.yaml")
    assert said.endswith("snakemake --cores 2 two --config config='my studies'\n")
    assert load("my studies/two.yaml").data.paths[0].resolve() == table


@pytest.mark.parametrize(
    ("stem", "name"),
    [("survey", "survey"), ("a b-c", "a_b_c"), ("Größe", "Gr_e"), ("...", "table"), ("x" * 200, "x" * 100)],
)
def test_names_of_studies(stem, name):
    assert study_name(stem) == name


def test_a_table_of_mixed_items_gets_a_study_of_mixtures(tmp_path):
    rows = [f"{'ab'[k % 2]},{1.5 + 0.1 * k},{k % 3},{k // 2}" for k in range(12)]
    Path("mixed.csv").write_text("\n".join(["colour,tall,grade,visits", *rows]))
    said = init("mixed.csv", "--items", "grade=ordered,visits=count")
    assert said.startswith("config/mixed.yaml is written: 12 rows of 4 columns.")
    study = load("config/mixed.yaml")
    read = read_mixed_table("mixed.csv", {"grade": "ordered", "visits": "count"})
    assert study.family.name == "finite_mixture"
    assert study.columns == read.items
    assert [item.kind for item in study.columns.values()] == ["categorical", "gaussian", "ordered", "poisson"]
    assert list(study.models) == [f"classes-{k}" for k in range(1, 7)]
    assert list(study.scorers) == ["em", "vb", "bridge"]
    text = Path("config/mixed.yaml").read_text(encoding="utf-8")
    assert '    "grade": ordered\n' in text
    for note in read.notes:
        assert note.text.partition(", ")[2] in text
