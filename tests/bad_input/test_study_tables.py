"""A study of a table that cannot be run is refused by ``ockham check``, with file, field and remedy, before any work.

Each case is a sound study of two tables with one thing changed. The source of truth is the list of what is wrong.
"""

import re

import pytest
from bad_input.support import REMOVED, changed, refused, write
from click.testing import CliRunner

from ockham.cli import main

STUDY = {
    "study": "survey",
    "root_seed": 1,
    "data": {"source": "table", "files": ["a.csv", "b.csv"]},
    "structures": {"space": "naive_bayes", "classes": [1, 2]},
    "replicates": {"prior_draws": 2},
    "sizes": [2, 4],
    "scorers": {"em": {}},
}
TABLE = "x,y\n0,a\n1,b\n0,b\n1,a\n"
LISTED = {"space": "listed", "structures": {"one": {"cardinalities": {"x": 2, "y": 2}}}}
CASES = [
    ("data.files", ["a.csv", "c.csv"], r"data\.table: .*c\.csv: cannot be read \(No such file.*give the path of a CSV"),
    ("data.files", ["a.csv", "."], r"data\.table: .*: cannot be read \(Is a directory\); give the path of a CSV file"),
    ("data.files", ["a.csv", "a.csv"], r"data\.table: files: a file is given twice"),
    ("data.files", [], r"data\.table\.files: .*at least 1 item"),
    ("data.files", REMOVED, r"data\.table: give either file, of one table, or files"),
    ("data.file", "a.csv", r"data\.table: give either file, of one table, or files"),
    ("data.files", ["a.csv", "other.csv"], r"other\.csv: has other columns than .*a\.csv: 'y', 'z' .*give tables with"),
    ("data.files", ["a.csv", "short.csv"], r"sizes: 4 is more than the 2 rows of .*short\.csv; give sizes up to 2"),
    ("data.files", ["a.csv", "ragged.csv"], r"ragged\.csv: line 3: has 1 cells.*give every row one cell"),
    ("data.files", ["a.csv", "names.csv"], r"names\.csv: line 1, column 2: the name 'x' is given twice; rename one"),
    ("data.files", ["a.csv", "empty.csv"], r"empty\.csv: has 1 rows; need a row of names and at least one row"),
    ("data.drop", ["w"], r"a\.csv.*: has no column 'w'; it has 'x', 'y'"),
    ("data.weights", "y", r"a\.csv: column 'y': line 2 has 'a'; a weight says how often"),
    ("data.colour", 1, r"data\.table\.colour: unknown key"),
    ("scorers.em.from_truth", True, r"scorers\.em\.from_truth: the study's data have no true structure; leave it out"),
    ("sizes", [5], r"sizes: 5 is more than the 4 rows of .*a\.csv; give sizes up to 4"),
    ("replicates.prior_draws", 1, r"prior_draws: is 1, and data names 2 tables, each a replicate; set it to 2"),
    ("true_structure", "classes-2", "true_structure: .*not allowed with real data, a table or random"),
    ("structures.feature_cardinalities", [2, 2], "feature_cardinalities: a table has them; leave them out"),
    ("structures", {"space": "bipartite", "hidden_cardinalities": [2], "observed_cardinalities": [2]},
     "data: a table needs structures of the space naive_bayes or listed"),
    ("structures", changed(LISTED, ("structures", {"a/b": LISTED["structures"]["one"]})),
     r"structures\.a/b.*: 'a/b' cannot be a label; labels consist of at most 100 letters"),
    ("structures", changed(LISTED, ("structures.one.cardinalities", {"x": 2, "z": 2})),
     r"structures: 'z' is no column of .*a\.csv, which has 'x', 'y'; name a column, or list the variable under hidden"),
    ("structures", changed(LISTED, ("structures.one.hidden", ["x", "y"])),
     "every structure needs an observed variable"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    for name, text in {
        "a.csv": TABLE, "b.csv": TABLE, "other.csv": "x,z\n0,a\n1,b\n", "short.csv": "x,y\n0,a\n1,b\n",
        "ragged.csv": "x,y\n0,a\n1\n", "names.csv": "x,x\n0,a\n1,b\n", "empty.csv": "x,y\n",
        "wide.csv": "x,y\n0,a\n1,b\n0,c\n1,a\n", "identifiers.csv": "id\n" + "\n".join(map(str, range(12))),
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    return tmp_path


def check(folder, *changes):
    return ["check", write(folder / "survey.yaml", changed(STUDY, *changes))]


def test_the_sound_ones_are_accepted(folder):
    for changes in ((), [("structures", LISTED)], [("structures.prior_divided", True)]):
        result = CliRunner().invoke(main, list(map(str, check(folder, *changes))))
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize(("path", "value", "message"), CASES, ids=[f"{p} = {str(v)[:30]}" for p, v, _ in CASES])
def test_refused(path, value, message, folder):
    said = refused(check(folder, (path, value)), message, folder)
    assert len(said.splitlines()) == 1
    assert re.match(r"ockham: \S*survey\.yaml: ", said)


def test_a_structure_whose_variable_has_too_few_values_is_refused(folder):
    """The column has a third state in the second table only."""
    arguments = check(folder, ("data.files", ["a.csv", "wide.csv"]), ("structures", LISTED))
    refused(arguments, r"'y' has 2 values, and its column in .*a\.csv has 3; set its cardinality to 3", folder)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv"], "nowhere.csv: cannot be read"),
        (["identifiers.csv"], r"identifiers\.csv: column 'id': .*as an identifier has; leave the column out"),
        (["a.csv", "--drop", "w"], "has no column 'w'"),
        (["a.csv", "--output", "my study.yaml"], "--output: my study.yaml must be a name of letters, digits and _"),
        (["a.csv", "--output", "study.yml"], "--output: study.yml must be"),
        (["a.csv", "--output", "b.csv"], "--output: b.csv must be"),
        (["a.csv", "--output", "there.yaml"], "--output: there.yaml is there already"),
        (["score.csv"], r"config/score\.yaml would be a study 'score', .* such as --output config/score_study\.yaml"),
        (["a.csv", "--output", "logs.yaml"], r"logs\.yaml would be .*a folder of the workflow; choose another"),
    ],
)
def test_no_study_is_begun_with_what_cannot_be_read_or_written(arguments, message, folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "there.yaml").touch()
    (folder / "score.csv").write_text(TABLE)
    refused(["init", *arguments], message, folder)
