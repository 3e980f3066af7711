"""Posterior probabilities of structures that are equally probable a priori."""

import xarray as xr

__all__ = ["posterior", "posteriors"]

REFERENCES = ("bridge_sampling", "annealed_importance_sampling")
"""Scores whose posterior others are compared with: the first that a study has."""


def posteriors(best: xr.Dataset) -> xr.Dataset:
    """Posterior probability of the true structure, and how far the posterior is from that of AIS.

    Parameters
    ----------
    best : xarray.Dataset
        As ``best`` returns it.

    Returns
    -------
    xarray.Dataset
        ``posterior`` over (score, alias_correction, replicate, n), the scalar ``uniform``, the probability that a
        structure has before the data, and ``divergence`` over (score, alias_correction, replicate, n), the
        Kullback-Leibler divergence, in nats, of the posterior by each score from that by bridge sampling, or, in a
        study without it, by annealed importance sampling; its attribute ``reference`` is the score.
    """
    log_whole = log_posterior(best.log_evidence)
    true = xr.ufuncs.exp(log_whole.sel(structure=best.attrs["true_structure"], drop=True))
    name = next((score for score in REFERENCES if score in best.score), REFERENCES[-1])
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
