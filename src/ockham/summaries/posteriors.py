"""Posterior probabilities of structures that are equally probable a priori."""

import xarray as xr

from ockham.summaries.best import references

__all__ = ["posterior", "posteriors"]

REFERENCES = ("estimated", "substitute")
"""References whose posterior others are compared with: the first that a study has. What is known is so of few cells."""


def posteriors(best: xr.Dataset) -> xr.Dataset:
    """Posterior probability of the true structure, and how far the posterior is from that by the reference.

    Parameters
    ----------
    best : xarray.Dataset
        As ``best`` returns it.

    Returns
    -------
    xarray.Dataset
        ``posterior`` over (score, alias_correction, replicate, n), the scalar ``uniform``, the probability that a
        structure has before the data, and ``divergence`` over (score, alias_correction, replicate, n), the
        Kullback-Leibler divergence, in nats, of the posterior by each score from that by the reference, NaN in a study
        without one; its attribute ``reference`` is the score, or empty.
    """
    log_whole = log_posterior(best.log_evidence)
    true = xr.ufuncs.exp(log_whole.sel(structure=best.attrs["true_structure"], drop=True))
    found = references(best)
    name = next((found[kind] for kind in REFERENCES if kind in found), "")
    reference = log_whole.reindex(score=[name]).isel(score=0, drop=True)
    known = reference.notnull().all("structure") & true.notnull()
    divergence = (xr.ufuncs.exp(reference) * (reference - log_whole)).sum("structure").where(known)
    return xr.Dataset(
        {
            "posterior": true.assign_attrs(long_name="posterior probability of the true structure", units="1"),
            "divergence": divergence.assign_attrs(
                long_name="KL divergence from the posterior by the reference", units="nats", reference=name
            ),
            "uniform": ((), 1 / best.sizes["structure"], {"long_name": "uniform probability", "units": "1"}),
        },
        attrs=best.attrs,
    )


def posterior(log_evidence: xr.DataArray) -> xr.DataArray:
    """Posterior over ``structure`` under a uniform prior: the softmax of the log evidence in nats, of any size.

    NaN unless every structure has a score and one of them is finite.
    """
    return xr.ufuncs.exp(log_posterior(log_evidence))


def log_posterior(log_evidence: xr.DataArray) -> xr.DataArray:
    """The log of ``posterior``, which is finite where the posterior underflows."""
    log_odds = log_evidence - log_evidence.max("structure", skipna=False)
    return log_odds - xr.ufuncs.log(xr.ufuncs.exp(log_odds).sum("structure", skipna=False))
