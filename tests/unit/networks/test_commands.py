"""Commands for tables say what they read, found and wrote, and refuse bad input in one line.

Sources of truth: ``ockham.select``, ``ockham.compare`` and ``ockham.search`` in Python, and the list of what is wrong.
"""

import re
import threading
from pathlib import Path

import netCDF4
import pytest
from click.testing import CliRunner
from reference.ctrl_c import pressed_once

import ockham
from ockham.cli import main
from ockham.errors import StoreError
from ockham.io import outputs
from ockham.networks.classes import selecting
from ockham.networks.comparisons.showing import headline
from ockham.table_results import commands

ROWS = "id,x,y,z\n" + "".join(f"r{k},{'ab'[k % 2]},{'abc'[k % 3]},{'ab?'[k // 3]}\n" for k in range(9))
FAST = ["--classes", "1:3", "--prior", "1", "--prior", "bdeu:1"]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text(ROWS)
    return path


def run(*arguments):
    return CliRunner().invoke(main, ["select", *map(str, arguments)])


def test_everything_is_said_and_written(table, tmp_path):
    result = run(table, "--drop", "id", *FAST)
    assert result.exit_code == 0, result.output
    found = ockham.select(table, [1, 2, 3], drop="id", priors=[1, "bdeu:1"], progress=False)
    said = result.output
    assert said.startswith(
        "x: 2 states: a (5), b (4)\ny: 3 states: a (3), b (3), c (3)\nz: 2 states: a (3), b (3); 3 missing"
    )
    for part in (found.methods, *found.references, "p(K | data) under each prior:", "BDeu, equivalent sample size 1"):
        assert part in said
    for k, evidence in found.evidences.items():
        assert re.search(rf"^ +{k} +{evidence.log_evidence:.2f} +exact", said, flags=re.MULTILINE)
    assert max(len(line) for line in said.splitlines() if line.startswith("  ")) < 130
    stem = tmp_path / "survey_classes"
    assert f"written: {stem}.nc, {stem}.html, {stem}.png" in said
    with netCDF4.Dataset(f"{stem}.nc") as file:
        assert file["log_evidence"][0].tolist() == [evidence.log_evidence for evidence in found.evidences.values()]
    assert stem.with_suffix(".html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert stem.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_files_go_where_they_are_asked_to(table, tmp_path):
    result = run(table, "--drop", "id", *FAST, "--output", tmp_path / "out/a", "--html", tmp_path / "page.html")
    assert result.exit_code == 0, result.output
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")) == [
        "out/a.nc", "out/a.png", "page.html", "survey.csv",
    ]  # fmt: skip


@pytest.mark.parametrize("given", ["", ".", "out/."])
def test_a_folder_takes_the_name_by_default(given, table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    assert run(table, "--drop", "id", *FAST, "--output", given).exit_code == 0
    folder = tmp_path / given
    assert {path.name for path in folder.glob("*_classes.*")} == {
        f"survey_classes.{of}" for of in ("nc", "html", "png")
    }
    assert not list(tmp_path.glob("**/.*"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--output", "survey.csv/x"], "x.nc: cannot be written .*survey.csv is no folder.; choose another place"),
        (["--html", "page"], "page: is a folder; give the name of a file"),
        (["--output", "closed/deep/x"], "x.nc: cannot be written .nothing may be written to .*closed.; choose"),
    ],
)
def test_what_cannot_be_written_is_refused_before_any_work(options, message, table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("page", "closed"):
        (tmp_path / name).mkdir()
    closed = str(tmp_path / "closed")
    monkeypatch.setattr(outputs.os, "access", lambda folder, mode: str(folder) != closed)  # root may write anywhere
    result = run(table, "--drop", "id", *FAST, *options)
    assert result.exit_code == 2
    assert re.search(message, result.stderr)
    assert result.stdout == ""
    assert {path.name for path in tmp_path.rglob("*")} == {"survey.csv", "page", "closed"}


def test_what_was_found_is_said_though_a_file_cannot_be_written(table, tmp_path, monkeypatch):
    def full(path, content):
        raise StoreError(f"{path}: cannot be written (disk full)")

    monkeypatch.setattr(commands, "_write", full)
    result = run(table, "--drop", "id", *FAST)
    assert result.exit_code == 2
    assert "p(K | data) under each prior:" in result.stdout
    assert f"written: {tmp_path / 'survey_classes.nc'}\n" in result.stdout
    assert result.stderr == f"ockham: {tmp_path / 'survey_classes.html'}: cannot be written (disk full)\n"


def test_options_are_those_of_the_table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,u,2\n2,-,1\n1,v,3\n")
    said = run(path, "--no-header", "--missing", "-", "--weights", "x3", *FAST).output
    assert said.startswith("x1: 2 states: 1 (2), 2 (1)\nx2: 2 states: u (1), v (1); 1 missing\n")
    assert "6 rows, 2 items" in said


def test_warnings_are_said_once(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\nYes,u\nyes,v\nno,u\nno,v\n")
    said = run(path, *FAST).output
    assert said.count("'Yes' and 'yes' are different states") == 1


def test_ctrl_c_writes_what_is_known(table, monkeypatch):
    stop, fit, press = threading.Event(), selecting.fit, pressed_once()

    def slow(network, data, root):
        if network.hidden:
            press()
            stop.wait()
        return fit(network, data, root)

    monkeypatch.setattr(selecting, "fit", slow)
    result = run(table, "--drop", "id", *FAST)
    stop.set()
    assert result.exit_code == 0, result.output
    assert "- It was stopped before it had ended." in result.output
    assert "written: " in result.output


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (ROWS, ["--drop", "name"], "survey.csv: has no column 'name'; it has 'id', 'x', 'y', 'z'"),
        ("a;b\n1;2\n", [], "survey.csv: line 1: has one cell, with semicolons in it; save the table with commas"),
        ("", [], "survey.csv: has 0 rows"),
        ("a,b\n1,2\n1,2\n", [], "survey.csv: has no column with two states or more"),
        (ROWS, ["--weights", "x"], "survey.csv: column 'x': line 2 has 'a'; a weight says how often"),
        (ROWS, ["--prior", "flat"], "prior: 'flat' is neither a number nor bdeu: and a number"),
        (ROWS, ["--classes", "0:2"], "classes: 0 must be an integer of at least 1"),
        (ROWS, ["--classes", "1:200"], "classes: must be 1 to 100 numbers"),
    ],
)
def test_bad_input_is_refused_in_one_line(content, options, message, tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text(content)
    result = run(path, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == [path]


def test_numbers_of_classes_that_run_backwards_are_told_how(table):
    assert "'3:1' runs backwards; write 1:3" in run(table, "--classes", "5,3:1").stderr


@pytest.mark.parametrize("classes", ["many", "1-3", "1:", ":3", "1:2:3", "", "9" * 9])
def test_what_are_no_numbers_of_classes_is_a_wrong_option(classes, table):
    result = run(table, "--classes", classes)
    assert result.exit_code == 2
    assert "is not as 1:8, or as 2,3,5" in result.stderr


@pytest.fixture
def models(tmp_path):
    (tmp_path / "free.yaml").write_text("cardinalities: {x: 2, y: 3, z: 2}\n")
    (tmp_path / "class.yml").write_text(
        "cardinalities: {x: 2, y: 3, z: 2, h: 2}\nparents: {x: [h], y: [h], z: [h]}\nhidden: [h]\nprior: 0.5\n"
    )
    return tmp_path / "free.yaml", tmp_path / "class.yml"


def compare(*arguments):
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_models_are_compared_and_written(table, models, tmp_path):
    result = compare(*models, table, "--drop", "id", "--prior", "bdeu:2")
    assert result.exit_code == 0, result.output
    found = ockham.compare(models, table, drop="id", prior="bdeu:2", progress=False)
    for part in ("x: 2 states: a (5), b (4)", found.methods, *found.references, f"highest evidence: {found.best}."):
        assert part in result.output
    for name, row in found.table.iterrows():
        assert re.search(rf"^ +{name} +{row['log_evidence']:.2f} +exact", result.output, flags=re.MULTILINE)
    stem = tmp_path / "survey_models"
    assert f"written: {stem}.nc, {stem}.html" in result.output
    assert f"<p>{headline(found)}.</p>" in (tmp_path / "survey_models.html").read_text(encoding="utf-8")
    with netCDF4.Dataset(tmp_path / "survey_models.nc") as file:
        assert file["log_bayes_factor"][:].tolist() == found.table["log_bayes_factor"].tolist()


def test_results_of_models_go_where_they_are_asked_to(table, models, tmp_path):
    there = ("--output", tmp_path / "out/a", "--html", tmp_path / "page.html")
    assert compare(*models, table, "--drop", "id", *there).exit_code == 0
    assert (tmp_path / "out/a.nc").exists()
    assert (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ((), "ockham: model 'class': does not use column 'id', "),
        (("--drop", "id", "--drop", "z"), "observed variable 'z' has no column"),
        (("--drop", "id", "--prior", "x"), "prior: 'x' is neither"),
    ],
)
def test_a_comparison_that_cannot_be_ends_in_one_line(more, words, table, models, monkeypatch):
    monkeypatch.chdir(table.parent)
    result = compare(*models, table.name, *more)
    assert result.exit_code == 2
    assert re.search(words, result.stderr)
    assert result.stderr.count("\n") == 1


def search(*arguments):
    return CliRunner().invoke(main, ["search", *map(str, arguments)])


def test_graphs_are_searched_and_written(table, tmp_path):
    options = {"max_hidden": 1, "max_values": 2, "max_indegree": 2, "climbs": 2, "judged": 2, "prior": "bdeu:4"}
    given = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    result = search(table, "--drop", "id", *given)
    assert result.exit_code == 0, result.output
    found = ockham.search(table, drop="id", progress=False, **options)
    for part in ("x: 2 states: a (5), b (4)", found.methods, *found.references, f"{next(iter(found.models))}:\n"):
        assert part in result.output
    for name, row in found.table.iterrows():
        assert re.search(rf"^ *{name} +{row['score']:.2f} +{row['log_evidence']:.2f} +exact", result.output,
                         flags=re.MULTILINE)  # fmt: skip
    stem = tmp_path / "survey_search"
    assert f"written: {stem}.nc, {stem}.html, {stem}.png, {stem}.yaml" in result.output
    with netCDF4.Dataset(f"{stem}.nc") as file:
        assert file["score"][:].tolist() == found.table["score"].tolist()
    assert stem.with_suffix(".yaml").read_text(encoding="utf-8") == found.to_yaml()
    assert stem.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_a_search_begins_at_a_file_and_ends_where_it_is_asked_to(table, models, tmp_path):
    result = search(table, "--drop", "id", "--start", models[1], "--climbs", 1, "--output", tmp_path / "out/a")
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.html", "a.nc", "a.png", "a.yaml"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--prior", "x"), "prior: 'x' is neither"),
        (("--start", "class.yml", "--max-hidden", 0), "'class': has 1 hidden variables, and 0 are allowed"),
        (("--drop", "z", "--start", "free.yaml"), "observed variable 'z' has no column"),
    ],
)
def test_a_search_that_cannot_be_ends_in_one_line(more, words, table, models, monkeypatch):
    monkeypatch.chdir(table.parent)
    result = search(table.name, "--drop", "id", *more)
    assert result.exit_code == 2
    assert re.search(words, result.stderr)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "output", "name"),
    [
        ("select survey.csv", "--html survey.csv", "survey.csv"),
        ("select survey.csv", "--html link.csv", "link.csv"),
        ("compare class.yml free.yaml survey.csv", "--html class.yml", "class.yml"),
        ("search survey.csv --start free.yaml", "--output free", "free.yaml"),
        ("search survey.csv --start free.yaml", "--output empty/../free", "empty/../free.yaml"),
        ("search survey.csv --start class.yml", "--html class.yml", "class.yml"),
    ],
)
def test_no_result_is_written_over_what_is_read(command, output, name, table, models, monkeypatch):
    monkeypatch.chdir(table.parent)
    Path("link.csv").symlink_to(table)
    Path("empty").mkdir()
    before = {path: path.read_bytes() for path in Path().glob("*.*")}
    result = CliRunner().invoke(main, [*command.split(), "--drop", "id", *output.split()])
    assert result.exit_code == 2
    assert result.stderr == f"ockham: {name}: is read, and results would be written over it; give them another name\n"
    assert result.stdout == ""
    assert {path: path.read_bytes() for path in Path().glob("*.*")} == before
