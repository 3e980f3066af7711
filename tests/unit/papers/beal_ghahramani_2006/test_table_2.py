"""Table 2 sets ours beside the printed ranks, blank where one side has none.

Source of truth: Table 2 of [BealGhahramani2006]; ranks planted by hand.
"""

import numpy as np
import pandas as pd
import pytest

from ockham.networks.summaries import summarise
from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.table_2 import TABLE_2_COLUMNS, table_2
from ockham.papers.published import read_published


@pytest.fixture
def printed():
    return read_published(PAPER, "numbers/table_2.csv").set_index("n")


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


def test_table_2_sets_ours_beside_the_papers(scores):
    scores["em"]["bic"][0, 0, 1] = np.nan
    scores["vb"]["variational_bayes"][0, 1, 1] = -70
    table = table_2(summarise({"by_hand": scores}, {}), PAPER).set_index("n")
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
