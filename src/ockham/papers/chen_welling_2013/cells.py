"""The machines and data sets that tables of [ChenWelling2013] have rows for."""

import xarray as xr

__all__ = ["STANDARD", "about", "known_cells"]

STANDARD = "annealed_importance_sampling"
"""The score that the others are judged by."""


def known_cells(data: xr.Dataset) -> list[dict]:
    """Where AIS has a value."""
    known = data.log_evidence.sel(score=STANDARD).stack(cell=("replicate", "n", "structure")).dropna("cell")
    return [dict(zip(("replicate", "n", "structure"), cell, strict=True)) for cell in known.cell.values]


def about(condition: str, at: xr.Dataset) -> dict:
    return {"condition": condition, "replicate": int(at.replicate), "N": int(at.n), "K": int(at.n_hidden)}
