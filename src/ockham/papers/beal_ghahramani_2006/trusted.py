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
    ranks, posteriors, trusted = _parts(summaries)
    known = trusted | (ranks.score != TRUTH)
    ranks = ranks.assign({name: ranks[name].where(known) for name in ("rank", "difference")})
    divergence = posteriors.divergence
    if divergence.attrs["reference"] == TRUTH:
        divergence = divergence.where(trusted)
    chosen = {"alias_correction": "log_aliases", "replicate": 0}
    return ranks.sel(chosen), divergence.sel(chosen)


def over_draws(summaries: xr.DataTree) -> xr.Dataset:
    """``over_replicates``, corrected for aliases, of all scores over the draws in which no bridge is doubted."""
    ranks, posteriors, trusted = _parts(summaries)
    ranks = ranks.assign(rank=ranks["rank"].where(trusted))
    posteriors = posteriors.assign(posterior=posteriors.posterior.where(trusted))
    return over_replicates(ranks, posteriors).sel(alias_correction="log_aliases")


def _parts(summaries: xr.DataTree) -> tuple[xr.Dataset, xr.Dataset, xr.DataArray]:
    """The summaries ``ranks`` and ``posteriors``, and where no bridge is doubted: everywhere, if there are none."""
    ranks, posteriors = (summaries[name].to_dataset() for name in ("ranks", "posteriors"))
    if TRUTH in ranks.score:
        return ranks, posteriors, ranks.fraction_doubted.sel(score=TRUTH, drop=True) == 0
    return ranks, posteriors, xr.DataArray(True)
