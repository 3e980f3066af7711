"""Posterior probabilities of structures that are equally probable a priori."""

import numpy as np
import xarray as xr

__all__ = ["posterior", "posteriors"]


def posteriors(best: xr.Dataset) -> xr.Dataset:
    """Posterior probability of the true structure.

    Parameters
    ----------
    best : xarray.Dataset
        As ``best`` returns it.

    Returns
    -------
    xarray.Dataset
        ``posterior`` over (score, alias_correction, replicate, n), and the scalar ``uniform``, the probability that
        a structure has before the data.
    """
    true = posterior(best.log_evidence).sel(structure=best.attrs["true_structure"], drop=True)
    return xr.Dataset(
        {
            "posterior": true.assign_attrs(long_name="posterior probability of the true structure", units="1"),
            "uniform": ((), 1 / best.sizes["structure"], {"long_name": "uniform probability", "units": "1"}),
        },
        attrs=best.attrs,
    )


def posterior(log_evidence: xr.DataArray) -> xr.DataArray:
    """Posterior over ``structure`` under a uniform prior: the softmax of the log evidence in nats, of any size.

    NaN unless every structure has a score and one of them is finite.
    """
    odds = np.exp(log_evidence - log_evidence.max("structure", skipna=False))
    return odds / odds.sum("structure")
