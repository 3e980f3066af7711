"""Table 2 over draws of the data: a printed column that is one more draw is as far as the others, and another is not.

Source of truth: ranks set by hand in summaries; printed ranks of ours in place of the paper's.
"""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.table_2 import TABLE_2_COLUMNS
from ockham.papers.beal_ghahramani_2006.table_2_draws import (
    alias_readings,
    figure_6_draws,
    section_4_1_draws,
    starts_at_the_truth,
    table_2_draws,
    table_2_draws_by_size,
)

SIZES, N_DRAWS = [10, 160, 640, 1280, 2560, 5120, 10240], 19
SCORES = ["map", "bic", "bicp", "cheeseman_stutz", "variational_bayes"]
CORRECTIONS = ["none", "log_aliases"]


@pytest.fixture
def ranks():
    """Shape (draws, n, score, correction): the correction leaves all but VB, raised by one at the last size in most."""
    rng = np.random.default_rng(5)
    drawn = rng.integers(20, 60, (N_DRAWS, len(SIZES), len(SCORES), 1)).repeat(2, axis=-1)
    drawn[:, -1, -1, 1] += 1
    drawn[0, :, -1] = 10
    return drawn


@pytest.fixture
def summaries(ranks):
    """Scores rise with the parameters in the first draw, and fall in the others, less at the third's first size."""
    groups = {"/": xr.Dataset(attrs={"conditions": " ".join(f"draw_{i}" for i in range(N_DRAWS))})}
    coordinates = {"replicate": [0], "n": SIZES, "score": SCORES, "alias_correction": CORRECTIONS}
    for i, of in enumerate(ranks):
        scores = np.broadcast_to(np.arange(3.0) * (1 if i == 0 else -1), (1, len(SIZES), len(SCORES), 2, 3))
        if i == 2:
            scores = scores.copy()
            scores[:, 0] = [2.0, 0.0, 1.0]
        groups[f"draw_{i}/ranks"] = xr.Dataset({"rank": (tuple(coordinates), of[None])}, coordinates)
        groups[f"draw_{i}/best"] = xr.Dataset(
            {"log_evidence": ((*coordinates, "structure"), scores), "n_parameters": ("structure", [5, 7, 9])},
            coordinates | {"structure": ["a", "b", "c"]},
        )
    return xr.DataTree.from_dict(groups)


def paper(folder, printed):
    """A paper whose Table 2 has these ranks, shape (n, score, correction)."""
    (folder / "numbers").mkdir()
    lines = [",".join(["n", *TABLE_2_COLUMNS])]
    for n, of in zip(SIZES, printed, strict=True):
        cells = [
            "" if score not in SCORES else str(of[SCORES.index(score), CORRECTIONS.index(correction)])
            for _, score, correction in TABLE_2_COLUMNS.values()
        ]
        lines.append(",".join([str(n), *cells]))
    (folder / "numbers/table_2.csv").write_text("\n".join(lines) + "\n")
    return replace(PAPER, folder=folder)


def test_a_printed_column_that_is_one_more_draw_is_as_far_as_others(summaries, tmp_path):
    more = np.random.default_rng(6).integers(20, 60, (len(SIZES), len(SCORES), 1)).repeat(2, axis=-1)
    table = table_2_draws(summaries, paper(tmp_path, more)).set_index("score")
    assert list(table.index) == ["MAP", "BIC*", "BICp*", "CS*", "VB*", "BIC", "BICp", "CS", "VB"]
    assert set(table.draws) == {N_DRAWS}
    assert (table["as far (%)"] > 5).all()


def test_a_column_of_other_ranks_is_farther_than_every_draw(summaries, ranks, tmp_path):
    table = table_2_draws(summaries, paper(tmp_path, ranks[1] + 40)).set_index("score")
    assert set(table["as far (%)"]) == {100 / (N_DRAWS + 1)}
    assert (table["distance (paper)"] > table["highest distance"]).all()


def test_ranks_by_size_are_those_of_the_draws(summaries, ranks, tmp_path):
    table = table_2_draws_by_size(summaries, paper(tmp_path, ranks[2])).set_index("n")
    of = ranks[:, 2, SCORES.index("bicp"), 1]
    found = table.loc[640, ["BICp median", "BICp lowest", "BICp highest", "BICp (paper)"]]
    assert found.tolist() == [np.median(of), of.min(), of.max(), of[2]]


def test_what_one_data_set_shows_is_counted_over_the_draws(summaries, ranks, tmp_path):
    table = section_4_1_draws(summaries, paper(tmp_path, ranks[0])).set_index("quantity")
    degrades = table.loc["sizes at which the correction degrades VB"]
    assert degrades[["draws", "median", "lowest", "highest", "paper", "agree (%)"]].tolist() == [19, 1, 0, 1, 0, 5.263]
    assert degrades["agrees"] == "at most 0"
    assert table.loc["sizes at which the correction degrades CS", "highest"] == 0
    added = table.loc["sum of what the correction adds to the rank by VB"]
    assert added[["median", "paper", "agrees", "agree (%)"]].tolist() == [1, 0, "at most 0", 5.263]
    assert table.loc["sizes at which the correction degrades any score", "highest"] == 1
    ahead = table.loc["sizes at which no score ranks the true structure above VB"]
    assert (ahead["paper"], ahead["highest"], ahead["agree (%)"]) == (7, 7, pytest.approx(100 / 19, abs=1e-3))
    trend = table.loc["trend of CS at n = 10240"]
    assert (trend["lowest"], trend["highest"], trend["agree (%)"]) == (-1, 1, pytest.approx(1800 / 19, abs=1e-3))
    assert table.loc["strongest trend of VB, either way", "agree (%)"] == 0
    stronger = table.loc["sizes at which the trend of CS is stronger than before"]
    assert stronger[["median", "highest", "agree (%)"]].tolist() == [0, 1, pytest.approx(1800 / 19, abs=1e-3)]


def test_the_exchange_of_any_hidden_variables_favours_the_true_structure(tmp_path, ranks):
    """By the first reading structure c, with one alias more than the true b, passes it; by the other b has as many."""
    corrections = xr.DataArray([0.0, 1.0], {"alias_correction": CORRECTIONS}, "alias_correction")
    coordinates = {"replicate": [0], "n": SIZES, "score": SCORES, "structure": ["a", "b", "c"]}
    values = np.broadcast_to([-9.0, -10.0, -10.1], tuple(map(len, coordinates.values())))
    raw = xr.DataArray(values, coordinates, list(coordinates))
    aliases = xr.DataArray(np.log([2.0, 4.0, 8.0]), {"structure": ["a", "b", "c"]}, "structure")
    best = xr.Dataset({"log_evidence": raw + corrections * aliases}, attrs={"true_structure": "b"})
    groups = {"/": xr.Dataset(attrs={"conditions": "draw_1 draw_2"}), "draw_1/best": best, "draw_2/best": best}
    found = alias_readings(xr.DataTree.from_dict(groups), paper(tmp_path, ranks[1])).set_index(
        ["exchanged with", "score"]
    )
    ours, other = found.loc[("the same children", "VB")], found.loc[("any children", "VB")]
    assert (ours["draws"], ours["degrades (%)"], ours["median sum"]) == (2, 100.0, len(SIZES))
    assert (other["degrades (%)"], other["lowest sum"], other["highest sum"]) == (0.0, -len(SIZES), -len(SIZES))
    assert ours["sum (paper)"] == 1


def test_how_many_steps_pass_the_other_scores():
    """The median of three runs at 10, 100 and 1000 steps is 0, 2 and 4; BIC is 1 above the first, VB 3, or nowhere."""
    weights = np.add.outer([0.0, 2.0, 4.0], [-5.0, 0.0, 7.0])
    schedule = xr.Dataset(
        {"log_weight": (("start", "n_steps", "run"), weights[None]), "n": 480},
        {"start": ["prior"], "n_steps": [10, 100, 1000]},
    )
    groups = {"/": xr.Dataset(attrs={"conditions": "draw_1 draw_2"})}
    for name, vb in (("draw_1", 3.0), ("draw_2", 5.0)):
        coordinates = {
            "replicate": [0], "n": [480], "structure": ["a"],
            "score": ["bic", "variational_bayes"], "alias_correction": ["log_aliases"],
        }  # fmt: skip
        scores = np.reshape([1.0, vb], (1, 1, 1, 2, 1))
        groups[f"{name}"] = xr.Dataset(attrs={"true_structure": "a"})
        groups[f"{name}/best"] = xr.Dataset({"log_evidence": (tuple(coordinates), scores)}, coordinates)
        groups[f"{name}/schedule_length"] = schedule
    table = figure_6_draws(xr.DataTree.from_dict(groups), PAPER).set_index("score")
    assert table.loc["BIC"].tolist() == [2, 31.6, 31.6, 31.6, 1000, 100]
    assert table.loc["VB", ["lowest", "highest", "paper", "as few (%)"]].tolist() == [316.2, np.inf, 5000, 50]


def test_how_far_runs_from_the_truth_end_above_where_both_kinds_of_start_meet():
    """With the longest schedule the starts' means are -1 and 3, so the evidence is 1, and 2 more in the second draw."""
    nan = np.nan
    prior = [[nan] * 3, [-9.0, -9.0, -9.0], [-2.0, -1.0, 0.0]]
    truth = [[5.0, 3.0, nan], [0.0, 2.0, nan], [2.0, 4.0, nan]]
    groups = {"/": xr.Dataset(attrs={"conditions": "draw_1 draw_2"})}
    for name, more in (("draw_1", 0.0), ("draw_2", 2.0)):
        groups[f"{name}/schedule_length"] = xr.Dataset(
            {"log_weight": (("start", "n_steps", "run"), np.array([prior, truth]) + more)},
            {"start": ["prior", "truth"], "n_steps": [10, 100, 1000]},
        )
    table = starts_at_the_truth(xr.DataTree.from_dict(groups), PAPER)
    assert table.to_numpy().tolist() == [[10, 2, 4, 3, 2, 4, 100], [100, 2, 4, 0, -1, 1, 50]]
