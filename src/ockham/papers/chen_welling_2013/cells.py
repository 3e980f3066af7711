"""The machines and data sets that tables of [ChenWelling2013] have rows for, and what they have of a score there."""

from math import nan

import numpy as np
import xarray as xr

from ockham.contracts import Doubt
from ockham.estimation.combining import at_least
from ockham.estimation.wording import CONFIDENCE, error_in_words, in_words

__all__ = ["STANDARD", "about", "has_entry", "known_cells", "of_entry", "said"]

STANDARD = "annealed_importance_sampling"
"""The score that the others are judged by."""


def has_entry(data: xr.Dataset, estimate: str, role: str = "") -> bool:
    """Whether an entry with this role has the estimate in any cell."""
    chosen = ((data.estimate == estimate) & (data.role == role)).values
    return bool(data.log_evidence.isel(score=chosen).notnull().any())


def of_entry(data: xr.Dataset, estimate: str, role: str = "") -> xr.Dataset:
    """One estimate of the first entry with this role, without the dimension ``score``.

    Raises
    ------
    ValueError
        Where no entry has it.
    """
    (found,) = np.nonzero(((data.estimate == estimate) & (data.role == role)).values)
    if not len(found):
        raise ValueError(f"no entry has {estimate} with the role {role!r}")
    return data.isel(score=int(found[0]))


def known_cells(data: xr.Dataset) -> list[dict]:
    """Where AIS has a value."""
    known = data.log_evidence.sel(score=STANDARD).stack(cell=("replicate", "n", "structure")).dropna("cell")
    return [dict(zip(("replicate", "n", "structure"), cell, strict=True)) for cell in known.cell.values]


def said(at: xr.Dataset, *, least: bool = True) -> dict[str, float | str | None]:
    """A log evidence and its standard error, nats; a bound, or that it is unknown, in place of one that is doubted."""
    value, doubt = float(at.log_evidence), Doubt(int(at.doubt))
    if not doubt:
        return {"log evidence": round(value, 2), "standard error": float(error_in_words(float(at.standard_error)))}
    known = float(at_least(value, CONFIDENCE)) if least and Doubt.RUN_FAILED not in doubt else nan
    return {"log evidence": in_words(value, nan, doubt, known, probability=CONFIDENCE), "standard error": None}


def about(condition: str, at: xr.Dataset) -> dict:
    return {"condition": condition, "replicate": int(at.replicate), "N": int(at.n), "K": int(at.n_hidden)}
