"""How close the scores of restricted Boltzmann machines come to annealed importance sampling, and how sure that is."""

from pathlib import Path

import pandas as pd
import xarray as xr

from ockham.machines.summaries import STANDARD

__all__ = ["accuracy", "ground_truth"]

JUDGED = {
    "Laplace": "laplace",
    "Laplace, exact": "laplace_laplace_exact",
    "Laplace0": "laplace_0",
    "overlapping only": "laplace_overlapping",
    "equivalent only": "laplace_equivalent",
    "MAP": "map",
    "BIC-ML": "bic_ml",
    "Harmonic-1": "harmonic_1",
    "Harmonic-4": "harmonic_4",
    "Bridge-Geo": "bridge_geometric",
    "Bridge-Opt": "bridge_optimal",
}
"""How the table calls the scores that estimate an evidence; DIC and cross validation do not."""


def accuracy(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Log evidence by AIS with its standard error, and every score minus it; nats, a row for each machine and data set.

    The paper prints no numbers for these, only curves, so ``published_dir`` has nothing to put beside them.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset()
        if STANDARD not in data.score:
            continue
        for cell in _cells(data):
            at = data.sel(cell)
            standard = at.sel(score=STANDARD)
            row = _about(condition, at) | {
                "AIS": round(float(standard.log_evidence), 2),
                "standard error": round(float(standard.standard_error), 2),
            }
            for name, score in JUDGED.items():
                if score in at.score:
                    row[name] = round(float(at.log_evidence.sel(score=score) - standard.log_evidence), 2)
            rows.append(row)
    return pd.DataFrame(rows)


def ground_truth(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """What AIS says with fewer temperatures, in repeated runs and backwards, and what it accepts; nats."""
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset()
        entries = [score for score in data.score.values if score.startswith(STANDARD)]
        for cell in _cells(data) if STANDARD in entries else ():
            for score in entries:
                at = data.sel(cell).sel(score=score)
                if not bool(at.log_evidence.notnull()):
                    continue
                rows.append(
                    _about(condition, at)
                    | {
                        "entry": score.removeprefix(STANDARD).strip("_") or "ais",
                        "log evidence": round(float(at.log_evidence), 2),
                        "standard error": round(float(at.standard_error), 2),
                        "deviation of runs": round(float(at.run_deviation), 2),
                        "acceptance": round(float(at.acceptance), 3),
                    }
                )
    return pd.DataFrame(rows)


def _cells(data: xr.Dataset) -> list[dict]:
    """Where AIS has a value."""
    known = data.log_evidence.sel(score=STANDARD).stack(cell=("replicate", "n", "structure")).dropna("cell")
    return [dict(zip(("replicate", "n", "structure"), cell, strict=True)) for cell in known.cell.values]


def _about(condition: str, at: xr.Dataset) -> dict:
    return {"condition": condition, "replicate": int(at.replicate), "N": int(at.n), "K": int(at.n_hidden)}
