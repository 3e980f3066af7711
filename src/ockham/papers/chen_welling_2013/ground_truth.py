"""How sure annealed importance sampling of restricted Boltzmann machines is."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chen_welling_2013.cells import STANDARD, about, known_cells, said

__all__ = ["ground_truth"]


def ground_truth(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What AIS says with fewer temperatures, in repeated runs and backwards, and what it accepts; nats.

    What is not to be trusted is said as a bound or as unknown.
    """
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
                    | {"entry": str(at.entry.item())}
                    | said(at, least="reverse" not in str(at.role.item()))
                    | {
                        "deviation of runs": round(float(at.run_deviation), 2),
                        "acceptance": round(float(at.acceptance), 3),
                    }
                )
    return pd.DataFrame(rows)
