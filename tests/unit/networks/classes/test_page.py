"""The page stands by itself, and whatever a table holds is text in it, never markup.

Source of truth: what Python's own parser makes of the page, and a table whose names and labels are hostile.
"""

import base64

import pandas as pd
import pytest
from reference.html_pages import Parsed

from ockham.api.selecting import select
from ockham.table_results.selection import Selection

HOSTILE = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}",
    "</td></table><b>",
    "$x$ & co",
]


@pytest.fixture(scope="module")
def hostile():
    table = pd.DataFrame({name: [f"{name}{k % 2}" for k in range(4)] for name in HOSTILE[:3]})
    table[HOSTILE[3]], table[HOSTILE[4]] = [HOSTILE[0], HOSTILE[1]] * 2, list("abba")
    return select(table, [1, 2], priors=[1, 2], progress=False)


@pytest.mark.parametrize("make", [Selection.to_html, Selection._repr_html_])
def test_names_and_labels_are_text(make, hostile, selection):
    parsed, plain = Parsed(make(hostile)), Parsed(make(selection))
    assert parsed.tags().count("script") == plain.tags().count("script")
    assert parsed.tags().count("img") == plain.tags().count("img")
    assert "b" not in parsed.tags()
    assert not any(name.startswith("on") for _, attributes in parsed.elements for name in attributes)
    if make is Selection.to_html:
        for text in HOSTILE:
            assert text in parsed.text
    assert "49" not in parsed.text.partition("column read as")[2].partition("ockham_version")[0]


def test_a_name_that_is_not_escaped_would_be_seen():
    assert "script" in Parsed(f"<p>{HOSTILE[0]}</p>").tags()


def test_the_page_has_everything_and_asks_for_nothing(selection):
    made = selection.to_html()
    parsed = Parsed(made)
    for text in (
        selection.methods,
        *selection.references,
        *selection.remarks,
        "Dirichlet 0.5",
        "2 states: a (4), b (5)",
    ):
        assert " ".join(text.split()) in parsed.text
    sources = [attributes[name] for _, attributes in parsed.elements for name in ("src", "href") if name in attributes]
    (picture,) = sources
    kind, _, content = picture.partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert b"<svg" in base64.b64decode(content)
    (policy,) = [a["content"] for tag, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    assert "@import" not in made
    assert "url(" not in made


def test_columns_of_numbers_have_them_to_sort_by(selection):
    values = [float(a["data-value"]) for tag, a in Parsed(selection._repr_html_()).elements if a.get("data-value")]
    assert values[0] == 1
    assert selection.evidences[1].log_evidence in values


def test_unknown_values_are_on_the_page_as_unknown(doubtful):
    parsed = Parsed(doubtful.to_html())
    assert "at least -31.00" in parsed.text
    assert "nan" not in parsed.text
