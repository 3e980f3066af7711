"""Tables set ours beside the printed numbers, blank where one side has none.

Source of truth: Table 2 and section 4.2 of [BealGhahramani2006]; ranks and breaches planted by hand.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from ockham.networks.summaries import summarise
from ockham.papers.tables import NEEDS, TABLE_2_COLUMNS, TABLES, section_4_2, section_4_2_by_size, table_2, write_table

PUBLISHED = Path(__file__).parents[3] / "config" / "published" / "beal_ghahramani_2006"


@pytest.fixture
def printed():
    return pd.read_csv(PUBLISHED / "table_2.csv", comment="#", index_col="n")


@pytest.fixture
def numbers():
    return pd.read_csv(PUBLISHED / "numbers.csv", comment="#", index_col="quantity")


def test_published_table_2(printed):
    assert len(printed) == 20
    assert printed.columns.tolist() == list(TABLE_2_COLUMNS)
    assert printed.index.is_monotonic_increasing
    assert printed.loc[10].tolist() == [21, 127, 55, 129, 122, 127, 50, 129, 115, 20]
    assert printed.loc[1280].tolist() == [7, 90, 59, 8, 3, 90, 59, 6, 3, 1]
    assert printed.loc[10240].tolist() == [3, 2, 1, 1, 1, 2, 1, 1, 1, 1]
    assert printed.min().min() >= 1
    assert printed.max().max() <= 136


def test_the_alias_correction_nowhere_degrades_a_published_rank(printed):
    for score in ("bic", "bicp", "cheeseman_stutz", "variational_bayes"):
        assert (printed[score] <= printed[f"{score}_uncorrected"]).all()


def test_published_numbers_agree_with_each_other(numbers):
    value = numbers["value"]
    assert value["scores"] == value["prior_draws"] * value["structures"] * value["data_set_sizes"]
    assert round(100 * value["vb_below_cs"] / value["scores"], 2) == value["vb_below_cs_percent"]
    assert numbers["source"].notna().all()


def test_table_2_sets_ours_beside_the_papers(scores):
    scores["em"]["bic"][0, 0, 1] = np.nan
    scores["vb"]["variational_bayes"][0, 1, 1] = -70
    table = table_2(summarise(scores), PUBLISHED).set_index("n")
    assert table.index.tolist() == [10, 100]
    assert table.loc[10, ["MAP", "MAP (paper)"]].tolist() == [2, 21]
    assert table.loc[10, ["CS*", "CS* (paper)", "CS", "CS (paper)"]].tolist() == [2, 129, 1, 129]
    assert table.loc[10, ["VB", "VB (paper)"]].tolist() == [1, 115]
    assert table.loc[100, ["CS", "VB"]].tolist() == [1, 3]
    assert table["AIS"].isna().all()
    assert table.loc[10, "AIS (paper)"] == 20
    assert pd.isna(table.loc[10, "BIC"])
    assert pd.isna(table.loc[100, "VB (paper)"])
    assert table.loc[100, "BIC*"] == 2


def test_section_4_2_counts_over_the_prior_draws(scores):
    table = section_4_2(summarise(scores), PUBLISHED).set_index("quantity")
    assert table.loc["prior draws"].tolist() == [4, 106]
    assert table.loc["scores of each kind"].tolist() == [24, 288320]
    assert table.loc["VB below CS"].tolist() == [1, 173]
    assert table.loc["VB below CS (%)", "Ockham"] == pytest.approx(100 / 24)
    assert table.loc["EM runs that reached the iteration cap"].tolist() == [0, 0]
    assert table.loc["VBEM runs that reached the iteration cap", "Ockham"] == 3
    assert table.loc["VBEM runs", "Ockham"] == 48
    assert table.loc["lower bounds above exact", "Ockham"] == 0
    assert pd.isna(table.loc["VBEM runs", "paper"])


def test_section_4_2_by_size_has_the_summaries_numbers(scores):
    summaries = summarise(scores)
    table = section_4_2_by_size(summaries, PUBLISHED).set_index("n")
    stored = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    for n in (10, 100):
        assert table.loc[n, "median rank CS"] == stored.rank_median.sel(score="cheeseman_stutz", n=n)
        assert table.loc[n, "success rate VB"] == stored.success_rate.sel(score="variational_bayes", n=n).round(4)
    total = section_4_2(summaries, PUBLISHED).set_index("quantity")["Ockham"]
    assert table["VB below CS"].sum() == total["VB below CS"] == 1
    assert table["VBEM runs at the cap"].sum() == total["VBEM runs that reached the iteration cap"] == 3


@pytest.mark.parametrize(
    "name", [name for name in TABLES["beal_ghahramani_2006"] if name not in NEEDS["beal_ghahramani_2006"]]
)
def test_tables_are_written_from_stored_summaries(scores, tmp_path, name):
    summarise(scores).to_netcdf(tmp_path / "summaries.nc")
    with xr.open_datatree(tmp_path / "summaries.nc") as summaries:
        assert summaries.attrs == {"study": "by_hand", "true_structure": "b"}
        table = TABLES["beal_ghahramani_2006"][name](summaries, PUBLISHED)
    write_table(table, tmp_path / "table.csv", tmp_path / "table.md")
    assert pd.read_csv(tmp_path / "table.csv").columns.tolist() == table.columns.tolist()
    lines = (tmp_path / "table.md").read_text().splitlines()
    assert len(lines) == len(table) + 2
    assert "nan" not in "".join(lines).lower()
    assert "<NA>" not in "".join(lines)


def test_markdown_keeps_whole_numbers_whole(tmp_path):
    frame = pd.DataFrame({"quantity": ["scores"], "paper": pd.array([288320.0], dtype="Float64")})
    write_table(frame, tmp_path / "t.csv", tmp_path / "t.md")
    assert "288320" in (tmp_path / "t.md").read_text()
