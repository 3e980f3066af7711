"""Bands are what the widest gaps leave, whatever the order of the structures; a score without all values has none.

Source of truth: scores made by hand of eight structures in three bands, of which one is in another than it should be.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.banding import banding
from ockham.papers.claims.stored import read_stored

SCORES = {
    "1-1-2-0": -101.0, "1-12-2-2": -102.0, "2-1-12-1": -100.0, "0-1-2-0": -103.0,
    "0-0-1-2": -150.0, "0-0-12-0": -149.0, "0-0-0-0": -300.0, "0-1-0-0": -301.5,
}  # fmt: skip


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_bands_and_what_their_structures_have_in_common(seed):
    labels = np.random.default_rng(seed).permutation(list(SCORES))
    values = np.array([SCORES[label] for label in labels])
    log_evidence = np.stack([values, np.where(values < -300, np.nan, values)])[:, None, None, None]
    best = xr.Dataset(
        {"log_evidence": (("score", "replicate", "alias_correction", "n", "structure"), np.repeat(log_evidence, 2, 3))},
        {
            "score": ["map", "bic"], "replicate": [0], "alias_correction": ["log_aliases"],
            "n": [1280, 10240], "structure": labels,
        },
    )  # fmt: skip
    table = banding(xr.DataTree.from_dict({"best": best}), PAPER)
    about = read_stored(PAPER).tables["banding"]
    assert set(table.columns) == {*about.rows, *about.columns}
    assert table.to_dict("records") == [
        {
            "n": 10240, "score": "MAP", "lower": 2, "middle": 2, "upper": 4,
            "upper with the first three (%)": 75.0, "all with the first three (%)": 37.5,
            "middle with the third (%)": 100.0, "all with the third (%)": 75.0,
        }
    ]  # fmt: skip
