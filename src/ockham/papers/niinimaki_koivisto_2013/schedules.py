"""Three forms of the annealing schedule beside each other; section 3.5 of [NiinimakiKoivisto2013]."""

from math import nan

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.niinimaki_koivisto_2013.samplers import entries_of, name_of, reference

__all__ = ["schedules"]

ROLES = {"linear": "linear_schedule", "curved": "curved_schedule", "harmonic": "harmonic_schedule"}


def schedules(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How samplers end with each form of the schedule, under the order-modular prior.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        A row per condition, sampler and ``measure``, to three digits, with a column for each form. ``from reference``
        is the median log evidence of a run minus the exact value or, where that is not known, minus the median over the
        samplers of the paper; ``spread`` the standard deviation over runs, and ``off by`` the root mean square of their
        differences from the reference; nats. ``effective samples`` of all runs of AIS, the median ``largest error of an
        arc`` where exact values are known, and the median CPU time of a run. The schedule's ``curvature`` is blank for
        the linear one. A row that is known of no form is left out.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        zero, _ = reference(entries_of(summaries, condition).sel(prior="orders"))
        found: dict[str, dict[str, dict[str, float]]] = {}
        for form, role in ROLES.items():
            data = entries_of(summaries, condition, role).sel(prior="orders")
            for entry in data.scorer.values:
                runs = data.sel(scorer=entry)
                found.setdefault(name_of(runs), {})[form] = _measures(runs, zero)
        for sampler, by_form in found.items():
            frame = pd.DataFrame(by_form).reindex(columns=[*ROLES]).dropna(how="all")
            for measure, values in frame.iterrows():
                rows.append({"condition": condition, "sampler": sampler, "measure": measure, **values.to_dict()})
    return pd.DataFrame(rows, columns=["condition", "sampler", "measure", *ROLES])


def _measures(runs: xr.Dataset, zero: float) -> dict[str, float]:
    """What is said of one entry, whose log evidences are measured from ``zero``, nats."""
    end = runs.isel(fraction=-1)
    apart = end.log_evidence - zero
    measures = {
        "curvature": float(runs.curvature),
        "from reference": float(apart.median("run")),
        "spread": float(apart.std("run", ddof=1)),
        "off by": float((apart**2).mean("run") ** 0.5),
        "effective samples": float(runs.effective_sample_size) if runs.sampler == "ais" else nan,
        "largest error of an arc": float(end.arc_error.median("run")),
        "CPU time (s)": float(end.seconds.median("run")),
    }
    return {measure: float(f"{value:.3g}") for measure, value in measures.items()}
