"""How sure annealed importance sampling of restricted Boltzmann machines is."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chen_welling_2013.cells import STANDARD, about, known_cells

__all__ = ["ground_truth"]


def ground_truth(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What AIS says with fewer temperatures, in repeated runs and backwards, and what it accepts; nats."""
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset()
        entries = data.score.values[(data.estimate == STANDARD).values]
        for cell in known_cells(data) if STANDARD in entries else ():
            for score in entries:
                at = data.sel(cell).sel(score=score)
                if not bool(at.log_evidence.notnull()):
                    continue
                rows.append(
                    about(condition, at)
                    | {
                        "entry": str(at.entry.item()),
                        "log evidence": round(float(at.log_evidence), 2),
                        "standard error": round(float(at.standard_error), 2),
                        "deviation of runs": round(float(at.run_deviation), 2),
                        "acceptance": round(float(at.acceptance), 3),
                    }
                )
    return pd.DataFrame(rows)
