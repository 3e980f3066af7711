"""The counts of section 4.2 are those of the summaries, beside the printed ones.

Source of truth: section 4.2 of [BealGhahramani2006]; breaches planted by hand.
"""

import pandas as pd
import pytest

from ockham.networks.summaries import summarise
from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.section_4_2 import below_cs, section_4_2, section_4_2_by_size
from ockham.papers.published import read_published


def test_published_numbers_agree_with_each_other():
    numbers = read_published(PAPER, "numbers/numbers.csv").set_index("quantity")
    value = numbers["value"]
    assert value["scores"] == value["prior_draws"] * value["structures"] * value["data_set_sizes"]
    assert round(100 * value["vb_below_cs"] / value["scores"], 2) == value["vb_below_cs_percent"]
    assert numbers["source"].notna().all()


def test_section_4_2_counts_over_the_prior_draws(scores):
    table = section_4_2(summarise({"by_hand": scores}, {}), PAPER).set_index("quantity")
    assert table.loc["prior draws"].tolist() == [4, 106]
    assert table.loc["scores of each kind"].tolist() == [24, 288320]
    assert table.loc["VB below CS"].tolist() == [1, 173]
    assert table.loc["VB below CS (%)", "Ockham"] == pytest.approx(100 / 24)
    assert table.loc["EM runs that reached the iteration cap"].tolist() == [0, 0]
    assert table.loc["VBEM runs that reached the iteration cap", "Ockham"] == 3
    assert table.loc["VBEM runs", "Ockham"] == 48
    assert table.loc["lower bounds above exact", "Ockham"] == 0
    assert pd.isna(table.loc["VBEM runs", "paper"])


def test_scores_below_cs_are_counted_in_every_condition(scores):
    """In the second the first run has the highest MAP: no bound is below its CS, and one is below that of the other."""
    first, raised = scores.copy(deep=True), scores.copy(deep=True)
    first.attrs["condition"], raised.attrs["condition"] = "strict_3", "strict_20"
    raised["em/map"][..., 0] += 1.0
    raised["em/cheeseman_stutz"][2, 0, 2] -= [1.0, 0.0]
    raised["em/cheeseman_stutz"][2, 0, 2, 1] += 2.0
    table = below_cs(summarise({"strict_3": first, "strict_20": raised}, {}), PAPER).set_index("condition")
    assert table.runs.tolist() == [2, 2]
    assert table.scores.tolist() == [24, 24]
    assert table.below.tolist() == [1, 1]
    assert table["below CS MAP"].tolist() == [1, 0]
    assert table.loc["strict_3", "below (%)"] == pytest.approx(100 / 24, abs=1e-3)
    assert set(table["paper (%)"]) == {0.06}


def test_section_4_2_by_size_has_the_summaries_numbers(scores):
    summaries = summarise({"by_hand": scores}, {})
    table = section_4_2_by_size(summaries, PAPER).set_index("n")
    stored = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    for n in (10, 100):
        assert table.loc[n, "median rank CS"] == stored.rank_median.sel(score="cheeseman_stutz", n=n)
        assert table.loc[n, "success rate VB"] == stored.success_rate.sel(score="variational_bayes", n=n).round(4)
    total = section_4_2(summaries, PAPER).set_index("quantity")["Ockham"]
    assert table["VB below CS"].sum() == total["VB below CS"] == 1
    assert table["VBEM runs at the cap"].sum() == total["VBEM runs that reached the iteration cap"] == 3
