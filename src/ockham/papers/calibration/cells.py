"""Every estimate of a random network whose evidence is known, or was estimated by long runs that agree."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.estimation.combining import freedom_of_sum

__all__ = ["ALMOST_CERTAIN", "EXACT", "LONG", "cells", "labels", "of_kinds"]

LABELS = {
    "bridge": "bridge", "smc": "SMC", "tempered_smc": "tempered SMC", "evidence": "evidence",
    "evidence_unchecked": "evidence, unchecked", "candidate": "Candidate", "ais": "AIS",
    "ais_completions": "AIS, completions", "ais_from_vb_bennett_acceptance_ratio": "AIS from VB, ratio",
    "ais_from_vb_ais_from_vb": "AIS from VB, mean", "wbic": "WBIC",
}  # fmt: skip
"""What tables and figures call an estimate; the goal is that of the first ones."""
ALL = "one kind"
"""What the networks of a study without conditions are."""
EXACT, LONG = "exact", "long runs"
"""What the truth is."""
ALMOST_CERTAIN = 0.999
"""Probability of an interval that an estimate is wrong beyond."""
ROUNDING = 1e-9
"""Nats, that are added to every error: where nothing is uncertain the last digits differ."""


def labels(found: pd.DataFrame) -> dict[str, str]:
    """What the estimates of some cells are called, by their names: first those of ``LABELS``."""
    names = list(dict.fromkeys(found.estimate))
    others = {name: name.replace("_", " ") for name in names if name not in LABELS}
    return {name: label for name, label in LABELS.items() if name in names} | others


def of_kinds(summaries: xr.DataTree) -> list[tuple[str, xr.Dataset]]:
    """The kinds of networks, and what the estimators say of each."""
    kinds = summaries.attrs["conditions"].split()
    groups = [(kind.replace("_", " "), summaries[kind]) for kind in kinds] if kinds else [(ALL, summaries)]
    return [(kind, group["calibration"].to_dataset()) for kind, group in groups]


def cells(summaries: xr.DataTree) -> pd.DataFrame:
    """A row for every estimate that was computed.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.

    Returns
    -------
    pandas.DataFrame
        ``kind`` of the network, ``estimate`` and ``replicate``; ``reference``, what the truth is; ``judged``, whether
        it is known; ``trusted``, whether the estimate has a value and does not say that it is not to be trusted;
        ``given``, whether it then makes an interval, because it has an error; ``error``, by how much it is above the
        truth, and ``stated``, the standard error of that, nats, which has the truth's in it, with ``freedom``, its
        degrees of freedom.
    """
    parts = []
    for kind, found in of_kinds(summaries):
        beside = [name for name in found if "estimate" not in found[name].dims]
        frame = found.drop_vars(beside).to_dataframe().reset_index()
        frame = frame[frame.computed == 1]
        is_exact = (found.truth_error.fillna(0.0) == 0).all()
        variances = np.stack([(frame.standard_error + ROUNDING) ** 2, frame.truth_error.fillna(0.0) ** 2], axis=-1)
        freedoms = np.stack([frame.degrees_of_freedom.fillna(np.inf), np.full(len(frame), np.inf)], axis=-1)
        trusted = (frame.doubt == 0) & np.isfinite(frame.log_evidence)
        parts.append(
            pd.DataFrame({
                "kind": kind,
                "estimate": frame.estimate,
                "replicate": frame.replicate,
                "reference": EXACT if is_exact and found.truth.notnull().any() else LONG,
                "judged": np.isfinite(frame.truth),
                "trusted": trusted,
                "given": trusted & np.isfinite(frame.standard_error),
                "error": frame.log_evidence - frame.truth,
                "stated": np.sqrt(variances.sum(axis=-1)),
                "freedom": freedom_of_sum(variances, freedoms),
            })
        )  # fmt: skip
    return pd.concat(parts, ignore_index=True)
