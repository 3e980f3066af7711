"""The place of the true structure among all structures."""

import xarray as xr

from ockham.summaries.doubts import fraction_doubted

__all__ = ["ranks"]


def ranks(best: xr.Dataset) -> xr.Dataset:
    """Rank of the true structure, and its distance to the top-ranked one.

    Parameters
    ----------
    best : xarray.Dataset
        As ``best`` returns it.

    Returns
    -------
    xarray.Dataset
        Over (score, alias_correction, replicate, n): ``rank``, 1 + the number of structures that score strictly
        higher, and ``difference``, the true structure's score minus the highest, at most 0, in nats. Both are NaN
        unless every structure has a score. ``fraction_doubted`` over (score, replicate, n), of the structures'
        scores.
    """
    scores = best.log_evidence
    true = scores.sel(structure=best.attrs["true_structure"], drop=True)
    complete = scores.notnull().all("structure")
    rank = (1 + (scores > true).sum("structure")).where(complete)
    difference = true - scores.max("structure", skipna=False)
    return xr.Dataset(
        {
            "rank": rank.assign_attrs(long_name="rank of the true structure", units="1"),
            "difference": difference.assign_attrs(
                long_name="score of the true structure minus that of the top-ranked structure", units="nats"
            ),
            "fraction_doubted": fraction_doubted(best),
        },
        attrs=best.attrs,
    )
