"""Table 3 over draws of the data shows what each draw's summaries say, and the remedy what is on draws of the prior.

Source of truth: stores set by hand, one a condition; the printed numbers are ours in place of the paper's.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from ockham.networks.summaries import summarise
from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.table_3_draws import remedy_draws, table_3_draws, table_3_reading

DIMENSIONS, STRUCTURES, N = ("replicate", "n", "structure", "run"), ["a", "b", "c"], [640, 2560]
AIS, VB = "annealed_importance_sampling", "variational_bayes"


@pytest.fixture
def paper(tmp_path):
    (tmp_path / "numbers").mkdir()
    (tmp_path / "numbers/table_3.csv").write_text(
        "n,ais_1_below_vb_uncorrected,ais_1_below_vb,rejected,ais_5_below_vb_uncorrected,ais_5_below_vb\n"
        "560,0,0,0,0,0\n640,20,30,50,90,0\n2560,0,0,61,0,0\n"
    )
    return replace(PAPER, folder=tmp_path)


def ais(values, replicates, rate=0.5, role="further_draws", strength=2200.0):
    shape = len(replicates), len(N), 3, np.shape(values)[-1]
    about = {"units": "nats", "long_name": "AIS", "bound": "none", "local": 0, "over_runs": "mean"}
    rates = (DIMENSIONS, np.full(shape, rate))
    return xr.Dataset(
        {AIS: (DIMENSIONS, np.array(np.broadcast_to(values, shape)), about), "acceptance": rates}
        | {f"acceptance_quarter_{q}": rates for q in range(1, 5)},
        {"replicate": replicates, "n": N, "structure": STRUCTURES, "run": range(shape[-1])},
        {
            "scorer": "ais", "role": role, "from_truth": 0,
            "scorer_settings": json.dumps({"n_steps": 16, "strength": strength, "strength_per_datum": 0.0}),
        },
    )  # fmt: skip


def store(name, replicates, **groups):
    """Whose bound is -10, -11 and -13, two nats more with ln S for b, the true structure."""
    root = xr.Dataset(
        {"n_parameters": ("structure", [18, 50, 66]), "log_aliases": ("structure", [0.0, 2.0, 0.0])},
        {"structure": STRUCTURES},
        {"study": "by_hand", "condition": name, "true_structure": "b"},
    )
    about = {"units": "nats", "long_name": "VB", "bound": "lower", "local": 1}
    bound = np.broadcast_to([[-10.0], [-11.0], [-13.0]], (len(replicates), len(N), 3, 1))
    vb = xr.Dataset(
        {VB: (DIMENSIONS, np.array(bound), about)},
        {"replicate": replicates, "n": N, "structure": STRUCTURES, "run": [0]},
        {"scorer": "vb", "role": "further_draws", "scorer_settings": "", "from_truth": 0},
    )
    return xr.DataTree.from_dict({"/": root, "vb": vb, **groups})


@pytest.fixture
def summaries():
    """Of b one and two of five runs are below the bound, and four are below it with ln S; of others none."""
    runs = np.full((1, 2, 3, 5), -5.0)
    first, second = runs.copy(), runs.copy()
    first[0, 0, 1] = [-12.0, -10.0, -10.0, -10.0, -5.0]
    second[0, 0, 1] = [-12.0, -12.0, -10.0, -10.0, -5.0]
    remedied = np.full((2, 2, 3, 1), -12.0)
    remedied[:, :, 1] = [[[-10.0], [-4.0]], [[-12.5], [-4.0]]]
    return summarise(
        {
            "draw_01": store("draw_01", [0], ais_draws=ais(first, [0], 0.6)),
            "draw_02": store("draw_02", [0], ais_draws=ais(second, [0], 0.5004)),  # 49.96 % is as printed
            "remedy": store(
                "remedy", [1, 2], ais_draws=ais(np.full((2, 2, 3, 1), -20.0), [1, 2]),
                ais_scaled=ais(remedied, [1, 2], role="scaled_proposal", strength=200.0),
            ),
        },
        {},
    )  # fmt: skip


def test_conditions_without_the_candidate_method_are_summarised_each_by_itself(summaries):
    assert summaries.attrs["conditions"] == "draw_01 draw_02 remedy"
    assert set(summaries.children) == {"draw_01", "draw_02", "remedy"}
    alone = store("", [0], ais_draws=ais(np.full((1, 2, 3, 5), -5.0), [0]))
    one = summarise({"study": alone}, {})
    again = summarise({"x": store("x", [0], ais_draws=ais(np.full((1, 2, 3, 5), -5.0), [0]))}, {})["x"]
    assert set(again.children) == set(one.children)
    assert again.attrs["true_structure"] == "b"
    for name, group in one.children.items():
        xr.testing.assert_identical(again[name].to_dataset(), group.to_dataset())


def test_the_mean_and_the_range_are_those_of_the_draws(summaries, paper):
    table = table_3_draws(summaries, paper).set_index(["quantity", "n"])
    one = table.loc[("AIS(1) < VB* (%)", 640)]
    assert one[["draws", "mean", "lowest", "highest", "paper"]].tolist() == [2, 10.0, 6.7, 13.3, 20.0]
    assert one["paper in the range"] == "no"
    rejected = table.loc[("rejected (%)", 640)]
    assert rejected[["mean", "lowest", "highest", "paper in the range"]].tolist() == [45.0, 40.0, 50.0, "yes"]
    assert table.loc[("AIS(1) < VB (%)", 640), "mean"] == 26.7
    assert table.loc[("AIS(5) < VB* (%)", 640), "highest"] == 0.0
    assert set(table.index.get_level_values("n")) == set(N)


def test_the_remedy_is_set_beside_the_constant_strength_and_the_bound(summaries, paper):
    table = remedy_draws(summaries, paper).set_index(["n", "score"])
    scaled = table.loc[(640, "AIS with the remedy")]
    assert scaled["draws"] == 2
    assert scaled["below VB* (%)"] == pytest.approx(50.0)
    assert scaled["below VB (%)"] == pytest.approx(66.7)
    assert (scaled["true structure on top (%)"], scaled["median rank"]) == (50.0, 2.0)
    assert table.loc[(2560, "AIS with the remedy"), "true structure on top (%)"] == 100.0
    assert table.loc[(640, "AIS"), "below VB (%)"] == 100.0
    bound = table.loc[(640, "VB")]
    assert np.isnan(bound["below VB (%)"])
    assert bound["median rank"] == 1.0


def test_the_reading_counts_prior_draws_of_the_true_structure(paper):
    """Of four draws b is below its bound of -11 in one at n = 640, and with ln S, at -9, in three; a never counts."""
    runs = np.full((5, 2, 3, 1), -5.0)
    runs[0], runs[1:, :, 0] = -50.0, -50.0
    runs[1:, 0, 1, 0] = [-12.0, -10.0, -10.0, -5.0]
    one = store("", range(5), ais=ais(runs, range(5), role="reading"))
    table = table_3_reading(summarise({"by_hand": one}, {}), paper).set_index("n")
    assert table.columns.tolist() == [
        "draws", "AIS(1) < VB* (%)", "AIS(1) < VB* (%) (paper)", "AIS(1) < VB (%)", "AIS(1) < VB (%) (paper)",
    ]  # fmt: skip
    assert table.loc[640].tolist() == [4, 25.0, 20.0, 75.0, 30.0]
    assert table.loc[2560].tolist() == [4, 0.0, 0.0, 0.0, 0.0]
