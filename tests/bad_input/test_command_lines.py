"""A command line that asks for what there is not is refused, with the option or argument and what is allowed.

Source of truth: the list of what is wrong with each. Nothing is drawn, scored or written before.
"""

import subprocess
import sys

import pytest
from bad_input.support import STUDY, refused, snapshot, study_with, write
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ockham.cli import main

CELL = "cell {config} --results {folder}/results"
CASES = {
    "no command": ("", "Usage: "),
    "unknown command": ("estimate {config}", "No such command 'estimate'"),
    "unknown option": ("check {config} --strict", "No such option.*--strict"),
    "check of nothing": ("check", "Missing argument 'CONFIG'"),
    "check of two": ("check {config} {config}", "unexpected extra argument"),
    "draw without a replicate": ("draw {config} --output {out}", "Missing option '--replicate'"),
    "draw without an output": ("draw {config} --replicate 1", "Missing option '--output'"),
    "draw of no number": (
        "draw {config} --replicate one --output {out}", "'--replicate': 'one' is not a valid integer",
    ),
    "draw of a fraction": (
        "draw {config} --replicate 1.0 --output {out}", "'--replicate': '1.0' is not a valid integer",
    ),
    "draw of the published": ("draw {config} --replicate 0 --output {out}", "replicate: 0 is not one of 1, 2"),
    "draw of a negative one": (
        "draw {config} --replicate -1 --output {out}", "replicate: -1 is not one of 1, 2",
    ),
    "draw of the next": ("draw {config} --replicate 3 --output {out}", "replicate: 3 is not one of 1, 2"),
    "draw of 10^30": ("draw {config} --replicate 1" + "0" * 30 + " --output {out}", "is not one of 1, 2"),
    "draw into a folder": ("draw {config} --replicate 1 --output {folder}", "'--output': File .* is a directory"),
    "draw below a file": (
        "draw {config} --replicate 1 --output {config}/draw.nc", "cannot be written .*choose another place",
    ),
    "draw under a long name": (
        "draw {config} --replicate 1 --output {folder}/" + "a" * 300 + ".nc", "cannot be written .*name too",
    ),
    "draw onto a configuration": (
        "draw {config} --replicate 1 --output {config}", "tiny.yaml: is read, and results would be written over it",
    ),
    "draw without a study": ("draw {out} --replicate 1 --output {out}", "out.nc: cannot be read .*No such file"),
    "draw of a condition": ("draw {config}:few --replicate 1 --output {out}", "conditions: give the file with one of"),
    "draw of some condition": (
        "draw {several} --replicate 1 --output {out}", "conditions: .*several.yaml:few, .*:more",
    ),
    "score of nothing": ("score", "Missing argument 'CONFIG'"),
    "score of no data": ("score {config} em replicate-001 --output {out}", "Missing argument 'DATA...'"),
    "score of no block": ("score {config} em --output {out}", "Missing argument 'BLOCK'"),
    "score by another": (
        "score {config} gibbs all {data} --output {out}", "scorers: 'gibbs' is not one of em, exact",
    ),
    "score of another block": (
        "score {config} em all {data} --output {out}",
        "block of em: 'all' is not one of replicate-001, replicate-002",
    ),
    "score with other data": (
        "score {config} em replicate-002 {data} --output {out}", "data file of replicate: 2 is not one of 1",
    ),
    "score with a configuration as data": (
        "score {config} em replicate-001 {config} --output {out}", "tiny.yaml: not a readable netCDF file",
    ),
    "score with a folder as data": (
        "score {config} em replicate-001 {folder} --output {out}", "'.*DATA.*': File .* is a directory",
    ),
    "score onto a configuration": (
        "score {config} em replicate-001 {data} --output {config}", "tiny.yaml: is read, and results would be written",
    ),
    "score onto data": ("score {config} em replicate-001 {data} --output {data} --replace-damaged", "data.nc: is read"),
    "score into a folder": (
        "score {config} em replicate-001 {data} --output {folder}", "'--output': File .* is a directory",
    ),
    "cell of nothing": ("cell", "Missing argument 'CONFIG'"),
    "cell of no scorer": (CELL + " --n 5 --structure 1-1", "Missing option '--scorer'"),
    "cell of no size": (CELL + " --scorer em --structure 1-1", "Missing option '--n'"),
    "cell of no structure": (CELL + " --scorer em --n 5", "Missing option '--structure'"),
    "cell of another scorer": (
        CELL + " --scorer vb --n 5 --structure 1-1", "scorers: 'vb' is not one of em, exact",
    ),
    "cell of the published": (CELL + " --scorer em --n 5 --structure 1-1", "replicate: 0 is not one of 1, 2"),
    "cell of a replicate that the entry has not": (
        CELL + " --scorer exact --replicate 2 --n 5 --structure 1-1", "replicate: 2 is not one of 1",
    ),
    "cell of another size": (
        CELL + " --scorer em --replicate 1 --n 7 --structure 1-1", "n: 7 is not one of 5, 10",
    ),
    "cell of a size that the entry has not": (
        CELL + " --scorer exact --replicate 1 --n 10 --structure 1-1", "n: 10 is not one of 5",
    ),
    "cell of another structure": (
        CELL + " --scorer em --replicate 1 --n 5 --structure 0-0", "structure: '0-0' is not one of 1-1, 0-1",
    ),
    "cell of no number": (CELL + " --scorer em --n five --structure 1-1", "'--n': 'five' is not a valid integer"),
    "verify nothing": ("verify", "Missing argument 'RESULTS'"),
    "verify what is not there": ("verify {out}", "out.nc: is not a folder; give the folder of results"),
    "verify a file": ("verify {config}", "tiny.yaml: is no netCDF file; give one that ockham wrote"),
    "verify an empty folder": (
        "verify {folder}/empty --config {folder}", "empty: has no folder of a study in .*; name the study's file",
    ),
    "verify without configurations": ("verify {folder}", "has no folder of a study in config; name the study's file"),
    "verify with no such configuration": ("verify {folder} --config {out}", "out.nc: cannot be read .*No such file"),
    "verify fewer than no cells": ("verify {folder} --cells -1", "'--cells': -1 is not in the range x>=0"),
    "verify some cells": ("verify {folder} --cells some", "'--cells': 'some' is not a valid integer"),
    "verify with a negative seed": ("verify {folder} --seed -1", "'--seed': -1 is not in the range x>=0"),
    "select of nothing": ("select", "Missing argument 'DATA'"),
    "select of what is not there": ("select {out}", "out.nc: cannot be read .*No such file"),
    "select of a folder": ("select {folder}", "cannot be read .*directory"),
    "select of a study": ("select {config}", "tiny.yaml: "),
    "select of no numbers": ("select {config} --classes many", "'--classes': 'many' is not as 1:8, or as 2,3,5"),
    "select in no time": ("select {config} --seconds 0", "'--seconds': 0.0 is not in the range"),
    "select with a negative seed": ("select {config} --seed -1", "'--seed': -1 is not in the range"),
    "show nothing": ("show", "Missing argument 'STORE'"),
    "show a text": ("show {config}", "tiny.yaml: is no netCDF file; give one that ockham wrote"),
    "show a folder": ("show {folder}", "File .* is a directory"),
    "show what is not there": ("show {out}", "out.nc: cannot be read .*No such file.*give the path of a file"),
    "schema of a file": ("schema {config}", "unexpected extra argument"),
}  # fmt: skip


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    (folder / "empty").mkdir()
    config = write(folder / "tiny.yaml", STUDY)
    several = write(folder / "several.yaml", study_with(("conditions", {"few": {}, "more": {}})))
    data = folder / "data.nc"
    assert CliRunner().invoke(main, ["draw", str(config), "--replicate", "1", "--output", str(data)]).exit_code == 0
    return {"folder": folder, "config": config, "several": several, "data": data, "out": folder / "out.nc"}


@pytest.mark.parametrize("case", CASES)
def test_refused(case, places):
    line, message = CASES[case]
    refused(line.format(**places).split(), message, places["folder"])


@pytest.mark.parametrize("case", ["unknown option", "draw of the next", "draw below a file", "score onto data"])
def test_the_real_process_ends_as_the_tested_one(case, places):
    line, message = CASES[case]
    expected = refused(line.format(**places).split(), message, places["folder"])
    command = [
        sys.executable,
        "-c",
        "from ockham.cli import main; main(prog_name='ockham')",
        *line.format(**places).split(),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.replace("ockham ", "main ") == expected.replace("ockham ", "main ")


WORDS = st.one_of(
    st.sampled_from([
        "check", "draw", "score", "cell", "verify", "show", "schema", "em", "exact", "replicate-001", "1", "5", "-1",
        "--n", "--replicate", "--scorer", "--structure", "1-1", "--results", "--cells", "--seed", "--config",
        "--help", "{config}", "{config}:few", "{several}:few", "{data}", "{out}", "{folder}", "--", "-", "",
    ]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0{}/"), max_size=6),
)  # fmt: skip


@settings(max_examples=150)
@given(words=st.lists(WORDS, max_size=9))
def test_any_words_end_in_an_answer_or_a_refusal(words, places, monkeypatch):
    """None of these words says where to write."""
    monkeypatch.chdir(places["folder"] / "empty")
    before = snapshot(places["folder"])
    result = CliRunner().invoke(main, [word.format(**places) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code in (0, 1, 2)
    assert result.stderr or result.exit_code != 2
    assert snapshot(places["folder"]) == before
