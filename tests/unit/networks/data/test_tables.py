"""Tables of a user's own are the data of a study: nested subsamples, with the states of all files together.

Source of truth: tables written by hand, whose rows are counted; ``ockham.read_table``.
"""

from collections import Counter

import numpy as np
import pytest
from bad_input.support import write

from ockham import read_table
from ockham.studies.cells import draw_replicate
from ockham.studies.keys import draw_specification, scores_specification
from ockham.studies.loading import load

ROWS = ["no,1,x", "yes,2,x", "no,,y", "yes,1,", "no,10,y", "yes,2,y", ",2,x", "no,10,x"]
CONTENT = {
    "study": "survey",
    "root_seed": 1,
    "data": {"source": "table", "file": "survey.csv"},
    "structures": {"space": "naive_bayes", "classes": [1, 2]},
    "replicates": {"prior_draws": 1},
    "sizes": [3, 8],
    "scorers": {"em": {}},
}
LISTED = {
    "space": "listed",
    "structures": {
        "one": {"cardinalities": {"c": 2, "h": 2, "a": 3}, "parents": {"c": ["h"], "a": ["h"]}, "hidden": ["h"]},
        "two": {"cardinalities": {"c": 2, "a": 3}},
    },
}


@pytest.fixture
def study(tmp_path):
    """A function that loads the study with some keys changed, of a table with these rows or of several."""

    def of(rows=ROWS, *more, names="a,b,c", **changes):
        for name, cells in zip(("survey.csv", "other.csv"), (rows, *more), strict=False):
            (tmp_path / name).write_text("\n".join([names, *cells]) + "\n")
        return load(write(tmp_path / "survey.yaml", CONTENT | changes))

    return of


def test_the_largest_data_set_is_the_table_in_another_order(study, tmp_path):
    loaded = study()
    states, read = draw_replicate(loaded, 1).states, read_table(tmp_path / "survey.csv")
    assert Counter(map(tuple, states.tolist())) == Counter(map(tuple, read.states.tolist()))
    assert states.tolist() != read.states.tolist()
    assert loaded.cardinalities == read.cardinalities == (2, 3, 2)
    assert draw_replicate(loaded, 1).names == ("a", "b", "c")
    assert list(loaded.models) == ["classes-1", "classes-2"]


def test_sizes_are_nested_and_the_seed_draws_their_order(study):
    longer, shorter = draw_replicate(study(), 1), draw_replicate(study(sizes=[3]), 1)
    assert (longer.states[:3] == shorter.states).all()
    assert draw_replicate(study(root_seed=2), 1).states.tolist() != longer.states.tolist()


def test_every_row_is_as_likely_to_be_the_first(study):
    """Of 800 seeds; a fixed order would give 0 or 800."""
    loaded = study([f"{k % 2},{k // 2 % 2},{k // 4}" for k in range(8)], sizes=[1])
    rng = np.random.default_rng(1)
    first = Counter(map(tuple, (loaded.data.rows(1, ("a", "b", "c"), 1, rng)[0] for _ in range(800))))
    deviation = np.sqrt(800 * 1 / 8 * 7 / 8)
    assert len(first) == 8
    assert all(abs(n - 100) < 4 * deviation for n in first.values())


def test_missing_cells_may_be_anywhere(study):
    loaded = study()
    draw = draw_replicate(loaded, 1)
    assert ((draw.states == -1).sum(axis=0) == 1).all()
    prepared = loaded.family.prepare(loaded, draw, 8)
    assert (prepared.rows == -1).sum() == 3


def test_a_weight_says_how_often_a_row_occurs(study):
    rows = ["p,u,3", "q,u,0", "q,v,2", "p,v,1"]
    data = {"source": "table", "file": "survey.csv", "weights": "w"}
    loaded = study(rows, names="a,b,w", data=data, sizes=[6])
    found = Counter(map(tuple, draw_replicate(loaded, 1).states.tolist()))
    assert found == {(0, 0): 3, (1, 1): 2, (0, 1): 1}
    with pytest.raises(ValueError, match=r"sizes: 7 is more than the 6 rows"):
        study(rows, names="a,b,w", data=data, sizes=[7])


def test_columns_and_what_says_missing_are_chosen_as_in_read_table(study, tmp_path):
    data = {"source": "table", "file": "survey.csv", "drop": ["b"], "missing": ["", "x"], "header": True}
    rows = [*ROWS, "no,1,z"]
    states = draw_replicate(study(rows, data=data, sizes=[9]), 1).states
    read = read_table(tmp_path / "survey.csv", drop=["b"], missing=["", "x"])
    assert Counter(map(tuple, states.tolist())) == Counter(map(tuple, read.states.tolist()))
    data = {"source": "table", "file": "survey.csv", "header": False}
    assert draw_replicate(study(data=data, sizes=[9]), 1).names == ("x1", "x2", "x3")


def test_each_file_is_a_replicate_with_the_states_of_all_of_them(study):
    """In the second file the columns are in another order, and one has a state that the first lacks."""
    data = {"source": "table", "files": ["survey.csv", "other.csv"]}
    loaded = study(["p,u", "q,v"], [], names="a,b", data={"source": "table", "file": "survey.csv"}, sizes=[2])
    folder = loaded.data.paths[0].parent
    (folder / "other.csv").write_text("b,a\nu,q\nt,q\nt,q\n")
    loaded = load(
        write(folder / "survey.yaml", CONTENT | {"data": data, "replicates": {"prior_draws": 2}, "sizes": [2]})
    )
    first, second = (draw_replicate(loaded, replicate).states for replicate in (1, 2))
    assert loaded.cardinalities == (2, 3)
    assert sorted(map(tuple, first.tolist())) == [(0, 1), (1, 2)]
    assert set(map(tuple, second.tolist())) <= {(1, 0), (1, 1)}


def test_listed_structures_take_their_columns_by_name(study, tmp_path):
    """The columns c and a, in that order, of a table in which a has fewer values than the structures allow."""
    loaded = study(structures=LISTED)
    read = read_table(tmp_path / "survey.csv").states[:, [2, 0]]
    draw = draw_replicate(loaded, 1)
    assert draw.names == ("c", "a")
    assert Counter(map(tuple, draw.states.tolist())) == Counter(map(tuple, read.tolist()))


def test_data_rest_on_the_content_of_the_file(study):
    before = study()
    same, edited = study(), study([*ROWS[:-1], "yes,10,x"])
    for digest in (lambda of: draw_specification(of, 1), scores_specification):
        assert digest(before) == digest(same)
        assert digest(before) != digest(edited)
