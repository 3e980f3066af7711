"""A file of a paper's numbers that is not what tables need is refused, with the line and column, before any job.

Each case is a file of the project's own with one thing changed.
"""

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ockham.errors import DataError
from ockham.papers.published import FILES, read_published

FOLDER = Path(__file__).parents[2] / "config/published"
PAPER, NAME = "beal_ghahramani_2006", "table_3.csv"
SOUND = (FOLDER / PAPER / NAME).read_bytes()
EVERY = [(paper, name) for paper, files in FILES.items() for name in files]
CASES = {
    "nothing": (b"", "has no column 'n'; add it, or take the file from"),
    "a remark only": (b"# Table 3\n", "has no column 'n'; add"),
    "no text": (b"\xff\xfe\x00\x01" * 9, "not a readable CSV file"),
    "zeros": (bytes(99), "not a readable CSV file|has no column 'n'"),
    "another table": ((FOLDER / PAPER / "table_2.csv").read_bytes(), "has no column 'ais_1_below_vb_uncorrected'; add"),
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


@pytest.mark.parametrize("case", CASES)
def test_refused(case, tmp_path):
    content, message = CASES[case]
    assert content != SOUND
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(DataError, match=f"^{re.escape(str(tmp_path / NAME))}: .*{message}"):
        read_published(tmp_path, PAPER, NAME)


@pytest.mark.parametrize(("paper", "name"), EVERY)
def test_a_missing_file_and_a_folder_are_refused(paper, name, tmp_path):
    for make in (lambda path: None, Path.mkdir):
        make(tmp_path / name)
        with pytest.raises(DataError, match=f"{name}: not a readable CSV file"):
            read_published(tmp_path, paper, name)


@pytest.mark.parametrize(("paper", "name"), EVERY)
def test_the_projects_own_are_read_as_they_stand(paper, name):
    found = read_published(FOLDER / paper, paper, name)
    pd.testing.assert_frame_equal(found.astype(str), pd.read_csv(FOLDER / paper / name, comment="#").astype(str))


def test_every_file_of_the_project_is_known():
    assert {(path.parent.name, path.name) for path in FOLDER.glob("*/*")} == set(EVERY)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(name=st.sampled_from(EVERY), position=st.floats(0, 1, exclude_max=True), piece=st.binary(max_size=6))
def test_any_change_is_read_or_refused(name, position, piece, tmp_path):
    paper, file = name
    content = (FOLDER / paper / file).read_bytes()
    index = int(position * len(content))
    (tmp_path / file).write_bytes(content[:index] + piece + content[index + 3 :])
    try:
        read_published(tmp_path, paper, file)
    except DataError as error:
        message = str(error)
    else:
        return
    assert message.startswith(f"{tmp_path / file}: ")
