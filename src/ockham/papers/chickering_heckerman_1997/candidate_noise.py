"""Noise of the Candidate method by the number of features and its point; section 4.4 of [ChickeringHeckerman1997]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import STANDARD, of_role

__all__ = ["FEATURES", "candidate_noise"]

FEATURES = (8, 16, 32, 64)


def candidate_noise(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far runs of the Candidate method are apart, at the mode of a completion and at the MAP.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per number of features and point, over data sets and models of two and more classes: median and largest
        range of the runs, and the percentage of values that are not to be trusted. ``above completion`` is the median,
        over the same, of the value minus that at the completion; nats.
    """
    rows = []
    for features in FEATURES:
        if f"noise_{features}" not in summaries:
            continue
        data = summaries[f"noise_{features}"].to_dataset()
        data = data.sel(structure=data.n_hidden_configurations > 1, alias_correction="log_aliases")
        at_completion = data.sel(score=STANDARD)
        for point, role in (("completion", ""), ("MAP", "map_point")):
            found = of_role(data, STANDARD, role)
            rows.append(
                {
                    "features": features,
                    "point": point,
                    "median range": round(float(found.run_range.median()), 2),
                    "largest range": round(float(found.run_range.max()), 2),
                    "doubted (%)": round(100 * float((found.doubt != 0).mean()), 1),
                    "above completion": round(float((found.log_evidence - at_completion.log_evidence).median()), 2),
                }
            )
    return pd.DataFrame(rows)
