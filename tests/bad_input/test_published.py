"""A file of a paper's numbers that is not what tables need is refused, with the line and column, before any job.

Each case is a file of the project's own with one thing changed.
"""

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ockham
from ockham import families
from ockham.errors import DataError
from ockham.papers.published import read_published

PAPER, NAME = families.paper("beal_ghahramani_2006"), "numbers/table_3.csv"
SOUND = (PAPER.folder / NAME).read_bytes()
TABLE_2 = (PAPER.folder / "numbers/table_2.csv").read_bytes()
EVERY = [(paper, name) for paper in families.paper_names() for name in families.paper(paper).numbers]
CASES = {
    "nothing": (b"", "has no column 'n'; add it, or take the file from"),
    "a remark only": (b"# Table 3\n", "has no column 'n'; add"),
    "no text": (b"\xff\xfe\x00\x01" * 9, "not a readable CSV file"),
    "zeros": (bytes(99), "not a readable CSV file|has no column 'n'"),
    "another table": (TABLE_2, "has no column 'ais_1_below_vb_uncorrected'; add"),
    "a column of another name": (SOUND.replace(b"rejected", b"reject"), "has no column 'rejected'; add it, or take"),
    "a name twice": (SOUND.replace(b"rejected", b"n"), "the name 'n' is given twice; rename one"),
    "no key": (SOUND.replace(b"\nn,", b"\nsize,"), "has no column 'n'; add it"),
    "a word": (SOUND.replace(b"40.3", b"many"), "line 3: column 'rejected' has 'many'; give a number"),
    "no finite number": (SOUND.replace(b"40.3", b"inf"), "line 3: column 'rejected' has 'inf'; give a number"),
    "not a number": (SOUND.replace(b"40.3", b"nan"), "line 3: column 'rejected' has 'nan'; give a number"),
    "a comma for a point": (SOUND.replace(b"40.3", b"40,3"), "line 3: has 7 cells for 6 names; add or remove cells"),
    "a number in quotes and a word": (SOUND.replace(b"40.3", b'"40.3 %"'), "'rejected' has '40.3 %'; give a number"),
    "no size": (SOUND.replace(b"\n560,", b"\n,"), "line 3: column 'n' has ''; give a number"),
    "a size twice": (SOUND.replace(b"\n640,", b"\n560,"), "line 4: has the n of a line above; remove one"),
    "a short row": (SOUND.replace(b",40.3,0,1.9", b""), "line 3: has 3 cells for 6 names; add or"),
    "an open quote": (SOUND.replace(b"40.3", b'"40.3'), "not a readable CSV file .*unexpected end of data"),
}  # fmt: skip


def elsewhere(paper, folder):
    """A paper whose files are in another folder, where there is none yet."""
    (folder / "numbers").mkdir()
    return replace(families.paper(paper), folder=folder)


@pytest.mark.parametrize("case", CASES)
def test_refused(case, tmp_path):
    content, message = CASES[case]
    assert content != SOUND
    paper = elsewhere(PAPER.name, tmp_path)
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(DataError, match=f"^{re.escape(str(tmp_path / NAME))}: .*{message}"):
        read_published(paper, NAME)


@pytest.mark.parametrize(("paper", "name"), EVERY)
def test_a_missing_file_and_a_folder_are_refused(paper, name, tmp_path):
    there = elsewhere(paper, tmp_path)
    for make in (lambda path: None, Path.mkdir):
        make(tmp_path / name)
        with pytest.raises(DataError, match=f"{name}: not a readable CSV file"):
            read_published(there, name)


@pytest.mark.parametrize(("paper", "name"), EVERY)
def test_the_projects_own_are_read_as_they_stand(paper, name):
    about = families.paper(paper)
    found, plain = read_published(about, name), pd.read_csv(about.folder / name, comment="#")
    pd.testing.assert_frame_equal(found.astype(str), plain.astype(str))


def test_every_file_of_the_project_is_known():
    papers = Path(ockham.__file__).parent / "papers"
    assert {(path.parts[-3], f"numbers/{path.name}") for path in papers.glob("*/numbers/*")} == set(EVERY)


@settings(max_examples=150)
@given(name=st.sampled_from(EVERY), position=st.floats(0, 1, exclude_max=True), piece=st.binary(max_size=6))
def test_any_change_is_read_or_refused(name, position, piece, tmp_path):
    paper, file = name
    content = (families.paper(paper).folder / file).read_bytes()
    index = int(position * len(content))
    (tmp_path / "numbers").mkdir(exist_ok=True)
    (tmp_path / file).write_bytes(content[:index] + piece + content[index + 3 :])
    try:
        read_published(replace(families.paper(paper), folder=tmp_path), file)
    except DataError as error:
        message = str(error)
    else:
        return
    assert message.startswith(f"{tmp_path / file}: ")
