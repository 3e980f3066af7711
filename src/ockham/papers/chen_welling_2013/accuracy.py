"""How close every score of restricted Boltzmann machines comes to annealed importance sampling."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chen_welling_2013.cells import STANDARD, about, has_entry, known_cells, of_entry, said

__all__ = ["accuracy"]

JUDGED = {
    "Laplace": ("laplace", ""),
    "Laplace, exact": ("laplace", "exact_fit"),
    "Laplace0": ("laplace_0", ""),
    "overlapping only": ("laplace_overlapping", ""),
    "equivalent only": ("laplace_equivalent", ""),
    "MAP": ("map", ""),
    "BIC-ML": ("bic_ml", ""),
    "Harmonic-1": ("harmonic_1", ""),
    "Harmonic-4": ("harmonic_4", ""),
    "Bridge-Geo": ("bridge_geometric", ""),
    "Bridge-Opt": ("bridge_optimal", ""),
    "Bridge-Geo*": ("bridge_geometric", "more_prior_draws"),
    "Bridge-Opt*": ("bridge_optimal", "more_prior_draws"),
}
"""How the table calls the scores that estimate an evidence, with the roles of their entries; DIC does not."""


def accuracy(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Log evidence by AIS with its standard error, and every score minus it; nats, a row for each machine and data set.

    What is not to be trusted is said as a bound or as unknown.

    The paper prints no numbers for these, only curves, so there is nothing to put beside them.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset()
        if STANDARD not in data.score:
            continue
        for cell in known_cells(data):
            at = data.sel(cell)
            standard = at.sel(score=STANDARD)
            known = said(standard)
            row = about(condition, at) | {"AIS": known["log evidence"], "standard error": known["standard error"]}
            for name, (estimate, role) in JUDGED.items():
                if has_entry(at, estimate, role):
                    chosen = of_entry(at, estimate, role)
                    row[name] = round(float(chosen.log_evidence - standard.log_evidence), 2)
                    if chosen.doubt or standard.doubt:
                        row[name] = "unknown"
            rows.append(row)
    return pd.DataFrame(rows)
