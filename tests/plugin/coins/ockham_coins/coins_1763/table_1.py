"""The log Bayes factor of the true structure, beside the paper's."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.published import read_published

__all__ = ["table_1"]


def table_1(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """A row for each size: ln p(D) of the true structure above the best other, mean over replicates, nats."""
    best = summaries["best"].to_dataset()
    truth = best.attrs["true_structure"]
    found = best.log_evidence.sel(role="exact")
    factor = found.sel(structure=truth) - found.drop_sel(structure=truth).max("structure")
    ours = pd.DataFrame({"n": best.n, "bayes_factor": factor.mean("replicate").round(2)})
    return ours.merge(read_published(paper, "numbers/table_1.csv"), "left", "n", suffixes=("", " (paper)"))
