"""Performance averaged over parameters drawn from the prior of the true structure."""

from math import nan

import numpy as np
import xarray as xr

__all__ = ["over_replicates", "prior_draws", "wilson"]


def over_replicates(ranks: xr.Dataset, posteriors: xr.Dataset) -> xr.Dataset:
    """Ranks, success rates and posterior probabilities over the prior draws.

    Parameters
    ----------
    ranks, posteriors : xarray.Dataset
        As the functions of these names return them.

    Returns
    -------
    xarray.Dataset
        Over (score, alias_correction, n). ``n_replicates``, the draws in which every structure has a score; the
        others are over these, and NaN if there are none.
        ``rank_best``, ``rank_lower_quartile``, ``rank_median``, ``rank_upper_quartile`` of the true structure;
        ``success_rate``, the fraction of draws in which it has rank 1, and ``above_uniform``, the fraction in which
        its posterior probability exceeds the prior one, each with the ends of its 95 % Wilson interval, ``*_lower``
        and ``*_upper``; ``posterior_mean``, its mean posterior probability, and ``posterior_standard_error``;
        ``fraction_doubted``, of the scores that these rest on.
    """
    rank, posterior = prior_draws(ranks["rank"]), prior_draws(posteriors.posterior)
    variables = {
        "n_replicates": (rank.count("replicate"), "number of prior draws"),
        **_quartiles(rank),
        **_fraction("success_rate", (rank == 1).where(rank.notnull()), "fraction with the true structure top"),
        **_fraction(
            "above_uniform",
            (posterior > posteriors.uniform).where(posterior.notnull()),
            "fraction with posterior probability of the true structure above uniform",
        ),
        "posterior_mean": (posterior.mean("replicate"), "mean posterior probability of the true structure"),
        "fraction_doubted": (
            ranks.fraction_doubted.where(rank.notnull()).mean("replicate"),
            "fraction of the scores that are not to be trusted",
        ),
        "posterior_standard_error": (_standard_error(posterior), "standard error of the mean posterior probability"),
    }
    summaries = {name: value.assign_attrs(long_name=text, units="1") for name, (value, text) in variables.items()}
    return xr.Dataset(summaries, attrs=ranks.attrs)


def prior_draws(data: xr.DataArray) -> xr.DataArray:
    """The replicates whose parameters were drawn from the prior: all but 0, which has the published ones."""
    return data.isel(replicate=(data.replicate > 0).values)


def _quartiles(rank: xr.DataArray) -> dict[str, tuple[xr.DataArray, str]]:
    """The best rank and the three quartiles over replicates, interpolated linearly between ranks."""
    names = ("best", "lower_quartile", "median", "upper_quartile")
    values = xr.apply_ufunc(
        _quartiles_of, rank, vectorize=True, input_core_dims=[["replicate"]], output_core_dims=[()] * len(names)
    )
    texts = (f"{name.replace('_', ' ')} of the ranks of the true structure" for name in names)
    return {f"rank_{name}": pair for name, pair in zip(names, zip(values, texts, strict=True), strict=True)}


def _quartiles_of(ranks: np.ndarray) -> tuple[float, ...]:
    known = ranks[~np.isnan(ranks)]
    return tuple(np.quantile(known, (0, 0.25, 0.5, 0.75))) if known.size else (nan,) * 4


def _fraction(name: str, success: xr.DataArray, text: str) -> dict[str, tuple[xr.DataArray, str]]:
    """The fraction of replicates that succeed (1, not 0; NaN is left out) and its 95 % Wilson interval."""
    hits, trials = success.sum("replicate"), success.count("replicate")
    lower, upper = xr.apply_ufunc(wilson, hits, trials, vectorize=True, output_core_dims=[(), ()])
    return {
        name: (success.mean("replicate"), text),
        f"{name}_lower": (lower, f"{text}, lower end of its 95 % interval"),
        f"{name}_upper": (upper, f"{text}, upper end of its 95 % interval"),
    }


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Ends of the 95 % interval of a probability, from so many hits in independent trials; NaN without any."""
    if trials == 0:
        return nan, nan
    from scipy.stats import binomtest  # slow to import, and every start of the workflow imports this module

    interval = binomtest(int(hits), int(trials)).proportion_ci(method="wilson")
    return interval.low, interval.high


def _standard_error(values: xr.DataArray) -> xr.DataArray:
    """Of the mean over replicates; NaN for fewer than two."""
    count = values.count("replicate")
    squares = ((values - values.mean("replicate")) ** 2).sum("replicate")
    return xr.ufuncs.sqrt(squares / (count * (count - 1)).where(count > 1))
