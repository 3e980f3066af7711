"""The check of criteria for singular models shows distances from the truth, ranks, and how often choices agree.

Source of truth: summaries set by hand.
"""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.singular_check import singular_check

SCORES = {"bic": "none", "wbic": "none", "bridge_sampling": "estimated", "map": "none"}
STRUCTURES, SIZES, REPLICATES = ["a", "b", "c"], [40, 160], [0, 1, 2]
SHAPE = len(SCORES), 2, len(REPLICATES), len(SIZES), len(STRUCTURES)
DIMENSIONS = "score", "alias_correction", "replicate", "n", "structure"


@pytest.fixture
def given():
    """Bridge sampling at -10, -9 and -11 for a, b and c everywhere; BIC a nat below, WBIC three above in c alone."""
    values = np.broadcast_to([-10.0, -9.0, -11.0], SHAPE).copy()
    values[0, 1] -= 1.0
    values[0, 0] -= 50.0
    values[1, ..., 2] += 3.0
    coordinates = {
        "score": list(SCORES), "alias_correction": ["none", "log_aliases"], "replicate": REPLICATES, "n": SIZES,
        "structure": STRUCTURES, "reference": ("score", list(SCORES.values())),
    }  # fmt: skip
    best = xr.Dataset(
        {
            "log_evidence": (DIMENSIONS, values),
            "doubt": (DIMENSIONS[:1] + DIMENSIONS[2:], np.zeros(SHAPE[:1] + SHAPE[2:], dtype=np.uint8)),
            "standard_error": (DIMENSIONS[:1] + DIMENSIONS[2:], np.full(SHAPE[:1] + SHAPE[2:], 0.1)),
        },
        coordinates,
    )
    rank = np.ones(SHAPE[:-1])
    rank[1] = [[3.0, 2.0], [1.0, 5.0], [2.0, 9.0]]
    ranks = xr.Dataset({"rank": (DIMENSIONS[:-1], rank)}, {name: best[name] for name in DIMENSIONS[:-1]})
    return {"best": best, "ranks": ranks}


def table(given):
    tree = xr.DataTree.from_dict(given)
    return singular_check(tree, PAPER).set_index(["n", "score"])


def test_distances_ranks_and_choices_are_those_of_the_summaries(given):
    found = table(given)
    assert list(found.index) == [(n, name) for n in SIZES for name in ("BIC", "WBIC", "bridge sampling")]
    bic, wbic, itself = (found.loc[(160, name)] for name in ("BIC", "WBIC", "bridge sampling"))
    assert bic["median difference (nats)"] == -1.0
    assert bic["median error (nats)"] == 1.0
    assert bic["cells"] == 9
    assert (bic["same structure on top"], bic["data sets"]) == (3, 3)
    assert wbic["median error (nats)"] == 0.0
    assert (wbic["same structure on top"], wbic["data sets"]) == (0, 3)
    assert wbic["rank of the true structure"] == 2
    assert wbic["median rank on prior draws"] == 7.0
    assert itself["median error (nats)"] == 0.0
    assert (itself["same structure on top"], itself["doubted (%)"]) == (3, 0.0)


def test_where_the_truth_is_doubted_nothing_is_compared(given):
    """Of c at n = 160 it is not known, so WBIC, which has that on top, chooses among the others."""
    doubt = given["best"].doubt
    doubt.loc[{"score": "bridge_sampling", "structure": "c", "n": 160}] = 16
    doubt.loc[{"score": "wbic", "structure": "a", "replicate": 0}] = 8
    wbic = table(given).loc[(160, "WBIC")]
    assert wbic["cells"] == 6
    assert (wbic["same structure on top"], wbic["data sets"]) == (3, 3)
    assert wbic["doubted (%)"] == 16.7


def test_a_size_without_prior_draws_has_no_rank_on_them(given):
    given["best"].log_evidence.loc[{"n": 40, "replicate": [1, 2]}] = np.nan
    given["ranks"]["rank"].loc[{"n": 40, "replicate": [1, 2]}] = np.nan
    found = table(given).loc[(40, "WBIC")]
    assert pd.isna(found["median rank on prior draws"])
    assert (found["cells"], found["data sets"]) == (3, 1)
    assert found["rank of the true structure"] == 3
