"""The gallery's tables are the public ones where there are copies, and twins of the same shape where not.

Source of truth: what is known of the public tables: 435 rows of 16 votes with 392 missing; 101 rows of 16 traits.
"""

import importlib.util
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "docs/gallery/public_tables.py"


@pytest.fixture(scope="module")
def tables():
    spec = importlib.util.spec_from_file_location("public_tables", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("folder", [None, "empty"])
def test_twins_have_the_shape_of_the_tables(folder, tables, tmp_path, monkeypatch):
    monkeypatch.delenv("OCKHAM_DATA", raising=False)
    if folder:
        monkeypatch.setenv("OCKHAM_DATA", str(tmp_path))
    votes, party, is_twin = tables.house_votes()
    assert (votes.shape, len(party), is_twin) == ((435, 16), 435, True)
    assert 300 < votes.isna().sum().sum() < 500
    assert set(votes.stack().dropna()) == {"n", "y"}
    traits, kind, is_twin = tables.zoo()
    assert (traits.shape, len(kind), is_twin) == ((101, 16), 101, True)
    assert set(traits["legs"]) <= set(tables.LEGS)
    assert set(kind) <= set("1234567")
    assert "twin" in tables.said_of("zoo.data", is_twin)


def test_copies_of_the_tables_are_read(tables, tmp_path, monkeypatch):
    monkeypatch.setenv("OCKHAM_DATA", str(tmp_path))
    (tmp_path / "house-votes-84.data").write_text("republican" + ",n,?" * 8 + "\ndemocrat" + ",y,n" * 8 + "\n")
    (tmp_path / "zoo.data").write_text("frog" + ",0" * 12 + ",4,0,1,0,5\n")
    votes, party, is_twin = tables.house_votes()
    assert (votes.iloc[1].tolist(), party.tolist(), is_twin) == (["y", "n"] * 8, ["republican", "democrat"], False)
    assert votes.isna().sum().sum() == 8
    traits, kind, is_twin = tables.zoo()
    assert (traits["legs"].tolist(), kind.tolist(), is_twin) == (["4"], ["5"], False)
    assert "twin" not in tables.said_of("zoo.data", is_twin)
