"""Lower bounds that are not in the expected order or not below the truth, and fits stopped before they converged."""

from functools import reduce
from operator import or_

import xarray as xr

from ockham.summaries.best import scores_in, values_of
from ockham.summaries.over_replicates import prior_draws

__all__ = ["ROUNDING", "violations"]

ROUNDING = 1e-9
"""Nats. A structure that leaves nothing hidden has equal scores up to rounding, and those do not count."""


def violations(scores: xr.DataTree, best: xr.Dataset) -> xr.Dataset:
    """Counts of scores that break an ordering and of runs that reached the iteration cap.

    Parameters
    ----------
    scores : xarray.DataTree
        The store of scores, as in ``summarise``.
    best : xarray.Dataset
        As ``best`` returns it. Scores enter without alias correction.

    Returns
    -------
    xarray.Dataset
        Over (n,), prior draws only: ``n_vb_below_cs``, the variational Bayes scores below Cheeseman-Stutz, of
        ``n_vb_cs_compared``, and ``n_vb_from_cs_below_cs``, of ``n_vb_from_cs_compared``, the same for variational EM
        from the solution of Cheeseman-Stutz; by corollary 6.2 any of these is an error; and ``n_vb_below_linked_cs``,
        the first with the Cheeseman-Stutz score of the run with the highest MAP in place of the highest of its own.
        Over (fit, n), prior draws only: ``n_hit_cap``, the runs that reached the iteration cap, of ``n_runs``. Over
        (score,), all replicates:
        ``n_above_exact``, the scores of each lower bound that exceed the exact value, of ``n_exact_compared``; any is
        an error.
    """
    uncorrected = best.log_evidence.sel(alias_correction="none", drop=True)
    counts = [*_vb_below_cs(uncorrected), _vb_below_linked_cs(scores, uncorrected), _hit_cap(scores)]
    return xr.merge([*counts, _above_exact(uncorrected)]).assign_attrs(best.attrs)


def _vb_below_cs(scores: xr.DataArray) -> list[xr.Dataset]:
    draws, over = prior_draws(scores), ("replicate", "structure")
    counts = []
    for name, variables in (
        ("variational_bayes", ("n_vb_below_cs", "n_vb_cs_compared")),
        ("variational_bayes_from_cs", ("n_vb_from_cs_below_cs", "n_vb_from_cs_compared")),
    ):
        difference = _score(draws, name) - _score(draws, "cheeseman_stutz")
        below = _count(difference < -ROUNDING, over, f"{name} scores below Cheeseman-Stutz")
        compared = _count(difference.notnull(), over, "scores that both of these have")
        counts.append(xr.Dataset(dict(zip(variables, (below, compared), strict=True))))
    return counts


def _vb_below_linked_cs(scores: xr.DataTree, combined: xr.DataArray) -> xr.Dataset:
    """Variational Bayes below the Cheeseman-Stutz score of the EM run with the highest MAP."""
    fits = [
        group.to_dataset() for group in scores.children.values() if {"map", "cheeseman_stutz"} <= {*group.data_vars}
    ]
    if not fits:
        return xr.Dataset()
    highest = prior_draws(fits[0]["map"]).fillna(float("-inf")).argmax("run")
    linked = prior_draws(fits[0]["cheeseman_stutz"]).isel(run=highest).drop_vars("run", errors="ignore")
    below = _score(prior_draws(combined), "variational_bayes") - linked < -ROUNDING
    about = "variational_bayes scores below Cheeseman-Stutz of the run with the highest MAP"
    return xr.Dataset({"n_vb_below_linked_cs": _count(below, ("replicate", "structure"), about)})


def _hit_cap(scores: xr.DataTree) -> xr.Dataset:
    over = ("replicate", "structure", "run")
    fits = {}
    for name, group in scores.children.items():
        if "hit_cap" in group:
            ran = reduce(or_, (prior_draws(score).notnull() for score in scores_in(group).values()))
            hit = prior_draws(group.to_dataset().hit_cap) == 1
            fits[name] = xr.Dataset(
                {
                    "n_hit_cap": _count(hit & ran, over, "runs that reached the iteration cap"),
                    "n_runs": _count(ran, over, "runs"),
                }
            )
    if not fits:
        return xr.Dataset()
    together = xr.concat(fits.values(), dim="fit", join="outer", fill_value=0, combine_attrs="override")
    return together.assign_coords(fit=list(fits))


def _above_exact(scores: xr.DataArray) -> xr.Dataset:
    excess = scores.isel(score=(scores.bound == "lower").values) - _score(scores, "exact")
    over = ("replicate", "n", "structure")
    return xr.Dataset(
        {
            "n_above_exact": _count(excess > ROUNDING, over, "lower bounds above the exact log evidence"),
            "n_exact_compared": _count(excess.notnull(), over, "lower bounds compared with the exact log evidence"),
        }
    )


def _score(scores: xr.DataArray, name: str) -> xr.DataArray:
    """One score, NaN throughout if the study has none of that name."""
    return values_of(scores).reindex(score=[name]).isel(score=0, drop=True)


def _count(flags: xr.DataArray, over: tuple[str, ...], text: str) -> xr.DataArray:
    return flags.sum(over).assign_attrs(long_name=f"number of {text}", units="1")
