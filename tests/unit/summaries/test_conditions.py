"""Model selection over conditions, and the tables of Chickering & Heckerman (1997), on scores made by hand."""

import numpy as np
import pytest
import xarray as xr

from ockham.summaries import summarise_conditions
from ockham.summaries.conditions import selection
from ockham.summaries.mixture_tables import table_1, table_2, table_3

NAMES = [
    "candidate", "laplace", "laplace_block", "laplace_diagonal", "cheeseman_stutz", "cheeseman_stutz_ml", "bic",
    "bic_ml",
]  # fmt: skip
STRUCTURES = ["classes-1", "classes-2", "classes-3"]


def store(values, sizes=(400,), replicates=5):
    """A store of scores with these values over (score, structure), the same for every replicate and size."""
    shape = (replicates, len(sizes), 3, 1)
    variables = {
        name: (("replicate", "n", "structure", "run"), np.broadcast_to(np.array(values[name])[:, None], shape),
               {"units": "nats", "bound": "none", "local": 0, "long_name": name})
        for name in NAMES
    }  # fmt: skip
    variables["key"] = ("replicate", "n", "structure", "run"), np.ones(shape, dtype=np.int64)
    coordinates = {"replicate": range(1, replicates + 1), "n": list(sizes), "structure": STRUCTURES, "run": [0]}
    root = xr.Dataset(
        {
            "log_aliases": ("structure", np.zeros(3)),
            "n_parameters": ("structure", [1, 2, 3]),
            "separation": (("replicate", "n"), np.full(shape[:2], 0.5)),
        },
        {"structure": STRUCTURES, "replicate": coordinates["replicate"], "n": list(sizes)},
        {"true_structure": "classes-2"},
    )
    return xr.DataTree.from_dict({"/": root, "all": xr.Dataset(variables, coordinates)})


VALUES = {name: [-9.0, -5.0, -7.0] for name in NAMES} | {
    "candidate": [-8.0, -5.0, -4.5],
    "laplace": [-8.1, -5.0, np.nan],
    "cheeseman_stutz": [-8.0, -6.0, -4.0],
    "bic": [-7.0, -11.0, -12.0],
}


def test_one_class_has_the_closed_form_for_every_score():
    summaries = summarise_conditions({"a": store(VALUES)})
    found = summaries["a"].log_evidence.sel(structure="classes-1")
    assert (found == -8.0).all()
    assert summaries.attrs["conditions"] == "a"
    assert float(summaries["a"].separation[0, 0]) == 0.5


def test_selection_and_bayes_factors_leave_out_what_has_no_score():
    group = summarise_conditions({"a": store(VALUES)})["a"].isel(replicate=0, n=0)
    selected = {name: int(group.selected.sel(score=name)) for name in NAMES}
    assert (selected["candidate"], selected["laplace"], selected["cheeseman_stutz"], selected["bic"]) == (2, 1, 2, 0)
    factor = group.log_bayes_factor
    assert float(factor.sel(score="candidate")) == pytest.approx(0.5)
    assert float(factor.sel(score="cheeseman_stutz")) == pytest.approx(2.0)
    assert float(factor.sel(score="bic")) == pytest.approx(-1.0)
    assert np.isnan(factor.sel(score="laplace"))


def test_each_replicate_has_its_own_best_structures():
    values = xr.DataArray(
        [[[[-1.0, -2.0, -3.0]], [[-3.0, -1.5, -1.0]]]], dims=("score", "replicate", "n", "structure"),
        coords={"score": ["candidate"], "replicate": [1, 2], "n": [4], "structure": STRUCTURES},
    )  # fmt: skip
    found = selection(values)
    assert found.selected.values.ravel().tolist() == [0, 2]
    assert found.log_bayes_factor.values.ravel().tolist() == [1.0, 0.5]


COLUMNS = [f"{c},{c}_sd" for c in ("laplace", "block", "diagonal", "cs_map", "cs_ml", "bic_map", "bic_ml")]
PUBLISHED = {
    "table_1": [
        ",".join(["features,classes,n", *COLUMNS]),
        "32,4,400,0,,0.2,0.4,0,,0,,0,,0,,1.0,0",
        "64,6,400,0,,0,,0,,0,,0,,0,,0,",
    ],
    "table_2": [
        ",".join(["features,classes,n", *(f"c_{i},l_{i}" for i in range(1, 6))]),
        "32,4,400,0.5,18.5,1,2,3,4,5,6,7,8",
    ],
    "table_3": [
        "condition,features,n,candidate,laplace,block,diagonal,cs_map,bic_ml",
        "features_32,35,400,4,3-4,?,4,4,3",
    ],
}


@pytest.fixture
def folder(tmp_path):
    for name, lines in PUBLISHED.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["# a comment", *lines, ""]))
    return tmp_path


def test_the_tables_show_ours_beside_the_papers(folder):
    stores = {"features_32": store(VALUES), "classes_6": store(VALUES | {"bic": [-7.0, -6.5, -12.0]})}
    summaries = summarise_conditions(stores)
    first = table_1(summaries, folder)
    shown = ["Laplace", "Laplace (paper)", "Block (paper)", "CS MAP", "BIC MAP", "BIC ML (paper)"]
    assert first.loc[0, shown].tolist() == ["1.0 (0.0)", "0", "0.2 (0.4)", "0", "2.0 (0.0)", "1.0 (0.0)"]
    assert first.loc[1, "BIC MAP"] == "1.0 (0.0)"
    second = table_2(summaries, folder)
    assert second["from"].tolist() == ["Ockham", "paper"]
    assert second.loc[0, "C 1"] == 0.5
    assert second.loc[1, ["C 1", "L 1", "L 5"]].tolist() == [0.5, 18.5, 8]
    third = table_3(summaries, folder).iloc[0]
    assert third[["Candidate", "Candidate (paper)", "Laplace", "Laplace (paper)", "BIC MAP"]].tolist() == [
        "3", "4", "2 ?", "3-4", "1",
    ]  # fmt: skip
