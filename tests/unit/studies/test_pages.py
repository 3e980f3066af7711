"""The page of a study has its figures and tables as they stand beside it, and takes nothing of them for markup.

Source of truth: the files, and what Python's own parser makes of the page.
"""

import base64

import pytest
from reference.html_pages import Parsed

from ockham import families
from ockham.studies.pages import MOST_ROWS, write_page

RECORD = families.load("ockham.papers.generic:PAPER")
PICTURE = b"\x89PNG of bytes"
TABLE = """structure,score,log evidence,standard error,doubt
classes-1,vb,-12.345678901,,
<script>alert(1)</script>,vb,-3,0.25,the chains did not come to agree
"""


@pytest.fixture
def page(tmp_path):
    (tmp_path / "evidence.png").write_bytes(PICTURE)
    (tmp_path / "evidences.csv").write_text(TABLE)
    pictures, tables = {"evidence": tmp_path / "evidence.png"}, {"evidences": tmp_path / "evidences.csv"}
    write_page(tmp_path / "page.html", "survey", RECORD, pictures, tables)
    return Parsed((tmp_path / "page.html").read_text(encoding="utf-8"))


def test_figures_and_tables_are_there_under_their_captions(page):
    (source,) = [attributes["src"] for tag, attributes in page.elements if tag == "img"]
    assert base64.b64decode(source.removeprefix("data:image/png;base64,")) == PICTURE
    for name in ("evidence", "evidences"):
        caption = (RECORD.folder / f"captions/{name}.rst").read_text()
        assert " ".join(caption.split()) in page.text
    assert "Study survey" in page.text
    assert "-12.3457" in page.text
    assert "the chains did not come to agree" in page.text


def test_what_evidence_rests_on_is_said_where_there_is_something(page, tmp_path):
    assert "Evidence of this study" not in page.text
    write_page(tmp_path / "page.html", "survey", RECORD, {}, {}, "it rests on the priors of 'height'")
    parsed = Parsed((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "Evidence of this study: it rests on the priors of 'height'." in parsed.text


def test_numbers_sort_as_numbers_and_blanks_as_unknown(page):
    values = [attributes["data-value"] for tag, attributes in page.elements if "data-value" in attributes]
    assert values == ["-12.345678901", "", "-3.0", "0.25"]


def test_what_a_table_holds_is_text_and_nothing_is_asked_for(page):
    assert page.tags().count("script") == 1
    assert "<script>alert(1)</script>" in page.text
    (policy,) = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")


def test_long_tables_are_cut_and_say_so(tmp_path):
    n = MOST_ROWS + 5
    (tmp_path / "evidences.csv").write_text("n\n" + "".join(f"{k}\n" for k in range(n)))
    write_page(tmp_path / "page.html", "survey", RECORD, {}, {"evidences": tmp_path / "evidences.csv"})
    parsed = Parsed((tmp_path / "page.html").read_text())
    assert f"The first {MOST_ROWS:,} of {n:,} rows; evidences.csv has all." in parsed.text
    assert parsed.tags().count("tr") == MOST_ROWS + 1
