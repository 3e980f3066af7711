"""What the text of [ChenWelling2013] remarks on beside its figures, as numbers."""

from collections.abc import Iterator

import pandas as pd
import xarray as xr

from ockham.contracts import Doubt, Paper
from ockham.papers.chen_welling_2013.cells import STANDARD, about, of_entry

__all__ = ["annealed_partition", "draws_worth", "given_steps", "single_fits"]

DRAWN = {
    "Harmonic-1": "harmonic_1",
    "Harmonic-4": "harmonic_4",
    "Bridge-Geo": "bridge_geometric",
    "Bridge-Opt": "bridge_optimal",
    "DIC": "dic",
}
"""How tables call the scores from draws."""
WORTH = ("Harmonic-1", "Bridge-Geo", "Bridge-Opt")
"""Those that say how many draws they are worth."""


def given_steps(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Scores from Langevin chains of given steps, and exact Laplace, minus AIS on the same rows; nats.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition with AIS, N, K and entry of the chains: their ``scale reduction``, every score minus AIS,
        and ``Laplace, exact``. A ``?`` stands after a number if either value is not to be trusted.
    """
    rows = []
    for condition, data in _conditions(summaries, "given_step"):
        if STANDARD not in data.score:
            continue
        for entry, at in _cells(data, "given_step"):
            standard = at.sel(score=STANDARD)
            of = at.isel(score=(at.entry == entry).values)
            row = about(condition, at) | {"entry": entry}
            row["scale reduction"] = round(float(of_entry(of, "harmonic_1", "given_step").scale_reduction), 2)
            for name, estimate in DRAWN.items():
                row[name] = _apart(of_entry(of, estimate, "given_step"), standard)
            rows.append(row | {"Laplace, exact": _apart(of_entry(at, "laplace", "exact_fit"), standard)})
    return pd.DataFrame(rows)


def draws_worth(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How many equal draws the means behind scores from Langevin chains are worth.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, N, K and entry. A bridge is worth what the poorer of its two means is, over the prior's
        draws and over those of the posterior; a harmonic mean has the latter alone, and is never worth more than the
        geometric bridge's mean over them.
    """
    rows = []
    for condition, data in _conditions(summaries, "given_step"):
        for entry, at in _cells(data, "given_step"):
            of = at.isel(score=(at.entry == entry).values)
            worth = {name: of_entry(of, DRAWN[name], "given_step").effective_sample_size for name in WORTH}
            sizes = {name: round(float(size), 2) for name, size in worth.items()}
            rows.append(about(condition, at) | {"entry": entry} | sizes)
    return pd.DataFrame(rows)


def single_fits(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How many single fits by samples were stopped before they converged, or ended where there is no maximum.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, N and K: the number of ``fits``, and the percentages ``stopped (%)``, by their effective
        sample size or the limit of iterations, ``by weights (%)``, by the first, and ``no maximum (%)``.
    """
    rows = []
    for condition, data in _conditions(summaries, "single_fit"):
        of = data.isel(score=((data.role == "single_fit") & (data.estimate == "map")).values)
        for n in of.n.values:
            for structure in of.structure.values:
                at = of.sel(n=n, structure=structure)
                known = at.log_evidence.notnull().values
                doubt, degenerate = at.doubt.values[known], at.degenerate.values[known]
                if len(doubt):
                    rows.append({
                        "condition": condition, "N": int(n), "K": int(at.n_hidden), "fits": len(doubt),
                        "stopped (%)": 100 * float(((doubt & int(Doubt.NOT_CONVERGED)) > 0).mean()),
                        "by weights (%)": 100 * float(degenerate.mean()),
                        "no maximum (%)": 100 * float(((doubt & int(Doubt.NOT_A_MODE)) > 0).mean()),
                    })  # fmt: skip
    return pd.DataFrame(rows).round(1)


def annealed_partition(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far ln Z by AIS is from the exact sum at the same fit.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, N, K and entry: ``ln Z``, nats, minus the exact one, and what that makes of the
        ``log evidence``, which takes ln Z away N times.
    """
    rows = []
    for condition, data in _conditions(summaries, "annealed_partition"):
        for entry, at in _cells(data, "annealed_partition"):
            annealed = of_entry(at.isel(score=(at.entry == entry).values), "map", "annealed_partition")
            off = float(annealed.log_evidence - of_entry(at, "map", "exact_fit").log_evidence)
            ln_z = -off / int(at.n)
            rows.append(about(condition, at) | {"entry": entry, "ln Z": round(ln_z, 5), "log evidence": round(off, 3)})
    return pd.DataFrame(rows)


def _conditions(summaries: xr.DataTree, role: str) -> Iterator[tuple[str, xr.Dataset]]:
    """Conditions with an entry of this role."""
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset()
        if (data.role == role).any():
            yield condition, data


def _cells(data: xr.Dataset, role: str) -> Iterator[tuple[str, xr.Dataset]]:
    """Each entry of this role with each cell of the first instance that it has."""
    data = data.isel(replicate=0)
    for n in data.n.values:
        for structure in data.structure.values:
            at = data.sel(n=n, structure=structure)
            known = ((at.role == role) & at.log_evidence.notnull()).values
            for entry in dict.fromkeys(at.entry.values[known].tolist()):
                yield entry, at


def _apart(of: xr.Dataset, standard: xr.Dataset) -> str:
    """A score minus AIS, nats, with a mark if either is doubted."""
    mark = " ?" if of.doubt or standard.doubt else ""
    return f"{float(of.log_evidence - standard.log_evidence):.2f}{mark}"
