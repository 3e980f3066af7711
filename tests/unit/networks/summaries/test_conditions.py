"""Model selection over conditions, and the tables of Chickering & Heckerman (1997), on scores made by hand."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from ockham.errors import StoreError
from ockham.networks.summaries import summarise
from ockham.networks.summaries.conditions import selection, summarise_conditions
from ockham.papers.chickering_heckerman_1997 import PAPER
from ockham.papers.chickering_heckerman_1997.alias_corrections import alias_corrections
from ockham.papers.chickering_heckerman_1997.table_1 import table_1
from ockham.papers.chickering_heckerman_1997.table_2 import table_2
from ockham.papers.chickering_heckerman_1997.table_3 import table_3

NAMES = [
    "candidate", "laplace", "laplace_block", "laplace_diagonal", "cheeseman_stutz", "cheeseman_stutz_ml", "bic",
    "bic_ml",
]  # fmt: skip
STRUCTURES = ["classes-1", "classes-2", "classes-3"]


def store(values, sizes=(400,), replicates=5, local=(), log_aliases=(0.0, 0.0, 0.0)):
    """A store of scores with these values over (score, structure), the same for every replicate and size."""
    shape = (replicates, len(sizes), 3, 1)
    variables = {
        name: (("replicate", "n", "structure", "run"), np.broadcast_to(np.array(values[name])[:, None], shape),
               {"units": "nats", "bound": "none", "local": int(name in local), "long_name": name})
        for name in values
    }  # fmt: skip
    dimensions = "replicate", "n", "structure", "run"
    variables["candidate_standard_error"] = dimensions, np.broadcast_to([[0.5], [0.03], [0.04]], shape)
    variables["log_alike"] = ("replicate", "n", "structure", "run"), np.broadcast_to([[0.0], [0.5], [0.0]], shape)
    variables["key"] = ("replicate", "n", "structure", "run"), np.ones(shape, dtype=np.int64)
    coordinates = {"replicate": range(1, replicates + 1), "n": list(sizes), "structure": STRUCTURES, "run": [0]}
    root = xr.Dataset(
        {
            "log_aliases": ("structure", list(log_aliases)),
            "n_parameters": ("structure", [1, 2, 3]),
            "n_hidden_configurations": ("structure", [1, 2, 3]),
            "separation": (("replicate", "n"), np.full(shape[:2], 0.5)),
        },
        {"structure": STRUCTURES, "replicate": coordinates["replicate"], "n": list(sizes)},
        {"true_structure": "classes-2", "condition": "one"},
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
    assert summaries["/"].attrs["conditions"] == "a"
    assert float(summaries["a"].separation[0, 0]) == 0.5


def test_without_cheeseman_stutz_one_class_keeps_its_own_scores():
    without = store(VALUES)
    without["all"] = without["all"].to_dataset().drop_vars("cheeseman_stutz")
    found = summarise_conditions({"a": without})["a"].sel(alias_correction="none")
    assert (found.log_evidence.sel(structure="classes-1", score="candidate") == VALUES["candidate"][0]).all()
    assert (found.log_evidence.sel(structure="classes-1", score="bic") == VALUES["bic"][0]).all()
    assert (found.selected.sel(score="candidate") == 2).all()


def test_selection_and_bayes_factors_leave_out_what_has_no_score():
    group = summarise_conditions({"a": store(VALUES)})["a"].isel(replicate=0, n=0)
    group = group.sel(alias_correction="log_aliases")
    selected = {name: int(group.selected.sel(score=name)) for name in NAMES}
    assert (selected["candidate"], selected["laplace"], selected["cheeseman_stutz"], selected["bic"]) == (2, 1, 2, 0)
    factor = group.log_bayes_factor
    assert float(factor.sel(score="candidate")) == pytest.approx(0.5)
    assert float(factor.sel(score="cheeseman_stutz")) == pytest.approx(2.0)
    assert float(factor.sel(score="bic")) == pytest.approx(-1.0)
    assert np.isnan(factor.sel(score="laplace"))


def test_the_error_of_a_bayes_factor_is_that_of_both_scores():
    """A model of one class has none."""
    group = summarise_conditions({"a": store(VALUES)})["a"].isel(replicate=0, n=0)
    assert float(group.bayes_factor_error.sel(score="candidate")) == pytest.approx(0.05)
    lower = VALUES | {"candidate": [-4.6, -5.0, -4.5], "cheeseman_stutz": [-4.6, -6.0, -4.0]}
    group = summarise_conditions({"a": store(lower)})["a"].isel(replicate=0, n=0)
    assert float(group.bayes_factor_error.sel(score="candidate")) == pytest.approx(0.04)
    assert float(group.bayes_factor_range) == 0.0


def test_aliases_that_do_not_differ_are_left_out_of_the_third_correction():
    """ln S of (0, 1.5, 2), of which 0.5 are relabellings that change nothing; scores that are not local keep theirs."""
    tree = {"a": store(VALUES, local=["cheeseman_stutz"], log_aliases=(0.0, 1.5, 2.0))}
    values = summarise_conditions(tree)["a"].log_evidence.isel(replicate=0, n=0)
    local = values.sel(score="cheeseman_stutz")
    assert local.sel(alias_correction="log_aliases").values.tolist() == [-8.0, -4.5, -2.0]
    assert local.sel(alias_correction="distinct_aliases").values.tolist() == [-8.0, -5.0, -2.0]
    assert (values.sel(score="bic") == values.sel(score="bic", alias_correction="none")).all()


def test_the_noise_of_the_standard_is_the_range_of_its_runs():
    one, other = (store(VALUES | {"candidate": c}) for c in (VALUES["candidate"], [-7.0, -4.0, -3.25]))
    both = [tree["all"].to_dataset().assign_coords(run=[run]) for run, tree in enumerate((one, other))]
    one["all"] = xr.DataTree(xr.concat(both, "run", combine_attrs="override"))
    group = summarise_conditions({"a": one})["a"].isel(replicate=0, n=0)
    assert group.lowest_run.values.tolist() == [-8.0, -5.0, -4.5]
    assert group.highest_run.values.tolist() == [-7.0, -4.0, -3.25]
    assert float(group.bayes_factor_range) == 0.25


def test_a_condition_without_the_standard_is_refused():
    with pytest.raises(StoreError, match=r"lonely.*candidate"):
        summarise_conditions({"lonely": xr.DataTree.from_dict({"/": xr.Dataset(), "em": xr.Dataset({"bic": 1.0})})})


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
        ",".join(["condition,features,classes,n", *COLUMNS]),
        "features_32,32,4,400,0,,0.2,0.4,0,,0,,0,,0,,1.0,0",
        "classes_6,64,6,400,0,,0,,0,,0,,0,,0,,0,",
    ],
    "table_2": [
        ",".join(["condition,features,classes,n", *(f"c_{i},l_{i}" for i in range(1, 6))]),
        "features_32,32,4,400,0.5,18.5,1,2,3,4,5,6,7,8",
    ],
    "table_3": [
        "condition,features,n,candidate,laplace,block,diagonal,cs_map,bic_ml",
        "features_32,35,400,4,3-4,?,4,4,3",
    ],
}


@pytest.fixture
def paper(tmp_path):
    """The paper with numbers of ours in place of those that it prints."""
    (tmp_path / "numbers").mkdir()
    for name, lines in PUBLISHED.items():
        (tmp_path / f"numbers/{name}.csv").write_text("\n".join(["# a comment", *lines, ""]))
    return replace(PAPER, folder=tmp_path)


def test_tables_have_a_column_of_bridges_where_they_were_run(paper):
    """By which two classes are selected, where the Candidate method selects three."""
    stores = {name: store(VALUES | {"bridge_sampling": [-8.0, -4.0, -5.0]}) for name in ("features_32", "classes_6")}
    summaries = summarise(stores, {})
    assert table_1(summaries, paper)["Bridge"].tolist() == ["1.0 (0.0)"] * 2
    assert table_3(summaries, paper).loc[0, ["Bridge", "Candidate"]].tolist() == ["2", "3"]
    without = summarise({"features_32": store(VALUES), "classes_6": store(VALUES)}, {})
    assert "Bridge" not in {*table_1(without, paper), *table_3(without, paper)}


def test_bayes_factors_by_bridges_have_their_own_errors(paper):
    """Of the two models that Candidate has on top, of errors .03 and .04; doubted, they have none."""
    both = store(VALUES | {"bridge_sampling": [-8.0, -4.0, -5.0]})
    values = both["all"].to_dataset()
    error = values.candidate_standard_error * [[0.0], [10.0], [10.0]]
    doubt = xr.zeros_like(error, dtype=np.uint8)
    doubt.loc[{"replicate": 2, "structure": "classes-3"}] = 1
    both["all"] = values.assign(bridge_sampling_standard_error=error, bridge_sampling_doubt=doubt)
    table = table_2(summarise({"features_32": both}, {}), paper)
    assert table.loc[0, ["C 1", "B 1", "B 2"]].tolist() == ["0.5 ± 0.1", "-1.0 ± 0.5", "-1.0 ?"]
    assert table.loc[1, ["C 1", "L 1"]].tolist() == [0.5, 18.5]
    assert np.isnan(table.loc[1, "B 1"])
    assert "B 1" not in table_2(summarise({"features_32": store(VALUES)}, {}), paper)


def test_the_tables_show_ours_beside_the_papers(paper):
    stores = {"features_32": store(VALUES), "classes_6": store(VALUES | {"bic": [-7.0, -6.5, -12.0]})}
    summaries = summarise(stores, {})
    first = table_1(summaries, paper)
    shown = ["Laplace", "Laplace (paper)", "Block (paper)", "CS MAP", "BIC MAP", "BIC ML (paper)"]
    assert first.loc[0, shown].tolist() == ["1.0 (0.0)", "0", "0.2 (0.4)", "0", "2.0 (0.0)", "1.0 (0.0)"]
    assert first.loc[1, "BIC MAP"] == "1.0 (0.0)"
    second = table_2(summaries, paper)
    assert second["from"].tolist() == ["Ockham", "paper"]
    assert second.loc[0, "C 1"] == "0.5 ± 0.1"
    assert second.loc[1, ["C 1", "L 1", "L 5"]].tolist() == [0.5, 18.5, 8]
    without = store(VALUES)
    without["all"] = without["all"].to_dataset().drop_vars("candidate_standard_error")
    assert table_2(summarise({"features_32": without}, {}), paper).loc[0, "C 1"] == "0.5 ?"
    third = table_3(summaries, paper).iloc[0]
    assert third[["Candidate", "Candidate (paper)", "Laplace", "Laplace (paper)", "BIC MAP"]].tolist() == [
        "3", "4", "2 ?", "3-4", "1",
    ]  # fmt: skip
    aliases = alias_corrections(summaries, paper)
    assert aliases["degenerate fits (%)"].tolist() == [33.3, 33.3]
    assert aliases.loc[0, ["BIC MAP, none", "BIC MAP, ln S", "BIC MAP, distinct"]].tolist() == ["2.0 (0.0)"] * 3
