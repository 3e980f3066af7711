"""Estimates of the evidence of random networks beside what it is, exactly or by long runs of other estimators."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import xarray as xr

from ockham.errors import StoreError
from ockham.summaries.best import over_runs, scores_in

__all__ = ["CERTIFIED", "calibration", "truth_of"]

CERTIFIED, LONG_RUN = "certified", "long_run"
"""The measurement of ``ockham.evidence``, which is one more estimate, and the role of runs that stand for the truth."""
LARGEST_ERROR, LARGEST_GAP = 0.05, 0.1
"""Nats: standard errors of long runs that count, and the most by which any two of them may differ."""
PARTS = {
    "log_evidence": ("log evidence", "nats"),
    "standard_error": ("standard error of the log evidence", "nats"),
    "degrees_of_freedom": ("degrees of freedom of the standard error; NaN for infinitely many", "1"),
    "doubt": ("why the log evidence is not to be trusted", "1"),
    "computed": ("whether it was computed", "1"),
    "truth": ("log evidence, exact or by long runs; NaN where it is not known", "nats"),
    "truth_error": ("standard error of the truth; 0 of an exact one", "nats"),
}


def calibration(scores: xr.DataTree, measured: xr.Dataset | None) -> xr.Dataset:
    """What every entry of the scorers says of every network, over runs, and what the evidence is.

    Parameters
    ----------
    scores : xarray.DataTree
        The store of scores of random networks, as in ``summarise``.
    measured : xarray.Dataset or None
        What ``ockham.evidence`` says of some of them.

    Returns
    -------
    xarray.Dataset
        Over (estimate, replicate): ``log_evidence``, ``standard_error``, ``truth`` and ``truth_error`` (nats),
        ``degrees_of_freedom``, ``doubt`` and ``computed``; an estimate is the name of an entry that is neither exact
        nor a long run, with that of the score where it has several, or ``evidence``, or ``evidence_unchecked``, what is
        known of it without another estimator that agrees. Over (replicate,): ``n_rows`` and ``hyperparameter``, and
        ``seconds`` of CPU time that ``evidence`` took, where it was asked.

    Notes
    -----
    The truth is the exact evidence. Where there is none, it is the mean of the long runs, weighted by their precisions,
    of two or more that are not doubted, have standard errors of at most .05 nats and differ by at most .1 nats; those
    of the estimate's own scorer are then left out of the mean, for it would be judged by itself.
    """
    root = scores.to_dataset()
    values, scorers, long_runs, exact = {}, {}, {}, None
    for entry, group in scores.children.items():
        names = scores_in(group)
        if group.attrs["role"] == LONG_RUN and len(names) > 1:
            raise StoreError(f"{entry}: scores.nc: a long run has one score, not {', '.join(names)}; give it no role")
        for name in names:
            of_score = _of(group.to_dataset(), name)
            if group[name].attrs.get("reference") == "known":
                exact = of_score.log_evidence
            elif group.attrs["role"] == LONG_RUN:
                long_runs[group.attrs["scorer"]] = of_score
            else:
                estimate = entry if len(names) == 1 else f"{entry}_{name}"
                values[estimate], scorers[estimate] = of_score, group.attrs["scorer"]
    if measured is not None:
        values["evidence"] = measured.assign(computed=xr.ones_like(measured.doubt))
        alone = (measured.doubt == 0) & (measured.checked == 0) & measured.log_evidence.notnull()
        values["evidence_unchecked"] = measured.assign(computed=alone)
        scorers |= {"evidence": "", "evidence_unchecked": ""}
    replicates = root.replicate.values
    parts = []
    for entry, of_entry in values.items():
        found = of_entry[list(PARTS)[:5]].reindex(replicate=replicates)
        found["computed"] = found.computed.fillna(0).astype(np.int8)
        found["doubt"] = found.doubt.fillna(0).astype(np.uint8)
        if exact is not None:
            found["truth"] = exact.reindex(replicate=replicates)
            found["truth_error"] = xr.zeros_like(found.truth)
        else:
            found["truth"], found["truth_error"] = truth_of(long_runs, scorers[entry], replicates)
        parts.append(found.drop_attrs())
    together = xr.concat(parts, dim="estimate").assign_coords(estimate=list(values))
    for name, (long_name, units) in PARTS.items():
        together[name].attrs = {"long_name": long_name, "units": units}
    if measured is not None:
        together["seconds"] = measured.seconds.reindex(replicate=replicates)
    return together.merge(root[["n_rows", "hyperparameter"]])


def _of(group: xr.Dataset, name: str) -> xr.Dataset:
    """One value from the runs of a score, over (replicate,)."""
    found = over_runs(group, name).isel(structure=0, n=0, drop=True)
    freedom = found.degrees_of_freedom
    computed = (group["key"] != 0).any(["structure", "n", "run"])
    return found.assign(degrees_of_freedom=freedom.where(np.isfinite(freedom)), computed=computed)


def truth_of(
    long_runs: Mapping[str, xr.Dataset], scorer: str, replicates: np.ndarray
) -> tuple[xr.DataArray, xr.DataArray]:
    """The log evidence and its standard error over (replicate,), for judging estimates of a scorer; NaN where unknown.

    Parameters
    ----------
    long_runs : mapping of str to Dataset
        Scorer to the estimates of its long run, over (replicate,).
    scorer : str
        Whose estimates will be judged; empty for that of several.
    replicates : ndarray of int
    """
    precision, values = {}, {}
    for name, run in long_runs.items():
        of_run = run.reindex(replicate=replicates)
        small = (of_run.doubt == 0) & (of_run.standard_error <= LARGEST_ERROR)
        values[name] = of_run.log_evidence.where(small)
        precision[name] = of_run.standard_error.clip(min=1e-6) ** -2.0
    nothing = xr.DataArray(np.full(len(replicates), np.nan), {"replicate": replicates}, "replicate")
    agree = sum((value.notnull() for value in values.values()), start=xr.zeros_like(nothing, dtype=int)) >= 2
    for one, other in combinations(values.values(), 2):
        agree &= ~(np.abs(one - other) > LARGEST_GAP)
    total, weight = xr.zeros_like(nothing), xr.zeros_like(nothing)
    for name, value in values.items():
        if name != scorer:
            weight = weight + precision[name].where(value.notnull(), 0.0)
            total = total + (precision[name] * value).fillna(0.0)
    known = agree & (weight > 0)
    return (total / weight.where(known)), weight.where(known) ** -0.5
