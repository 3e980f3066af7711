"""What rests on bridges that are all to be trusted: ranks, divergences, and their averages over draws of the prior."""

import xarray as xr

from ockham.summaries.over_replicates import over_replicates

__all__ = ["TRUTH", "at_the_published_parameters", "over_draws"]

TRUTH = "bridge_sampling"


def at_the_published_parameters(summaries: xr.DataTree) -> tuple[xr.Dataset, xr.DataArray]:
    """Ranks and divergences, corrected for aliases; NaN where they rest on doubted bridges.

    Those are ranks and differences of the bridges, and every divergence from them, of the data sets in which any is
    doubted.
    """
    ranks, posteriors = _trusted(summaries)
    chosen = {"alias_correction": "log_aliases", "replicate": 0}
    return ranks.sel(chosen), posteriors.divergence.sel(chosen)


def over_draws(summaries: xr.DataTree) -> xr.Dataset:
    """``over_replicates``, corrected for aliases, of bridges over the draws in which none is doubted."""
    return over_replicates(*_trusted(summaries)).sel(alias_correction="log_aliases")


def _trusted(summaries: xr.DataTree) -> tuple[xr.Dataset, xr.Dataset]:
    """The summaries ``ranks`` and ``posteriors``, unknown where they rest on doubted bridges."""
    ranks, posteriors = (summaries[name].to_dataset() for name in ("ranks", "posteriors"))
    if TRUTH not in ranks.score:
        return ranks, posteriors
    trusted = ranks.fraction_doubted.sel(score=TRUTH, drop=True) == 0
    known = trusted | (ranks.score != TRUTH)
    ranks = ranks.assign({name: ranks[name].where(known) for name in ("rank", "difference")})
    posteriors = posteriors.assign(posterior=posteriors.posterior.where(known))
    if posteriors.divergence.attrs["reference"] == TRUTH:
        posteriors = posteriors.assign(divergence=posteriors.divergence.where(trusted))
    return ranks, posteriors
