"""What [BealGhahramani2006] counts in section 4.2, in all and by the size of the data set."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.beal_ghahramani_2006.trusted import TRUTH, over_draws
from ockham.papers.published import read_published

__all__ = ["below_cs", "section_4_2", "section_4_2_by_size"]

PERFORMANCE = {
    "BIC": "bic",
    "BICp": "bicp",
    "CS": "cheeseman_stutz",
    "VB": "variational_bayes",
    "AIS": "annealed_importance_sampling",
}
"""How tables call the scores whose performance over prior draws is shown."""

FITS = {"em": "EM", "vb": "VBEM", "vb_from_cs": "VBEM from CS"}
"""How tables call the fits that can reach an iteration cap."""


def section_4_2(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Counts over the prior draws: the size of the experiment, violations and unconverged runs.

    The last rows, on lower bounds above the exact value, count every replicate that has an exact value.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        Columns ``quantity``, ``Ockham`` and ``paper``; missing where the paper gives no number.
    """
    published = read_published(paper, "numbers/numbers.csv").set_index("quantity")["value"]
    violations = summaries["violations"].to_dataset()
    replicates = summaries["best"]["replicate"]
    below, compared = int(violations.n_vb_below_cs.sum()), int(violations.n_vb_cs_compared.sum())
    rows = [
        ("prior draws", int((replicates > 0).sum()), "prior_draws"),
        ("structures", summaries["best"].sizes["structure"], "structures"),
        ("data set sizes", summaries["best"].sizes["n"], "data_set_sizes"),
        ("scores of each kind", compared, "scores"),
        ("VB below CS", below, "vb_below_cs"),
        ("VB below CS (%)", 100 * below / compared if compared else None, "vb_below_cs_percent"),
        *_linked_rows(violations, compared),
        ("VB from CS, scores compared", int(violations.n_vb_from_cs_compared.sum()), None),
        ("VB from CS below CS", int(violations.n_vb_from_cs_below_cs.sum()), None),
        *_cap_rows(violations),
        ("lower bounds compared with exact", int(violations.n_exact_compared.sum()), None),
        ("lower bounds above exact", int(violations.n_above_exact.sum()), None),
    ]
    return pd.DataFrame(
        [(quantity, ours, None if name is None else published.get(name)) for quantity, ours, name in rows],
        columns=["quantity", "Ockham", "paper"],
    ).astype({"Ockham": "Float64", "paper": "Float64"})


def section_4_2_by_size(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What Figures 4 (a) and 5 (a) draw, and where the counts of ``section_4_2`` come from, by data set size.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: median rank and success rate of the true structure by each score corrected for
        aliases, with bridge sampling all over so many draws, in which no bridge is doubted, the percentage of the AIS
        scores that are not to be trusted, the variational Bayes scores below Cheeseman-Stutz, and the runs that reached
        the iteration cap.
    """
    data = over_draws(summaries)
    violations = summaries["violations"].to_dataset()
    frame = pd.DataFrame(index=data.indexes["n"])
    scores = PERFORMANCE | ({"bridge": TRUTH} if TRUTH in data.score else {})
    for heading, variable in (("median rank", data.rank_median), ("success rate", data.success_rate)):
        for label, score in scores.items():
            frame[f"{heading} {label}"] = variable.reindex(score=[score]).isel(score=0).values.round(4)
    if TRUTH in scores.values():
        frame["draws"] = data.n_replicates.sel(score=TRUTH).values
    doubted = data.fraction_doubted.reindex(score=[PERFORMANCE["AIS"]]).isel(score=0)
    frame["AIS doubted (%)"] = (100 * doubted).values.round(1)
    frame["VB below CS"] = violations.n_vb_below_cs.values
    for fit in _fits(violations):
        frame[f"{FITS.get(fit, fit)} runs at the cap"] = violations.n_hit_cap.sel(fit=fit).values
    return frame.reset_index()


def below_cs(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The counts of VB below CS, of each condition: by how variational EM stops, and how many runs the best is of.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of conditions, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition: runs of each fit, scores of each kind, how many of VB are below CS, and below the CS of
        the run with the highest MAP, these two in percent too, and the printed percentage.
    """
    printed = read_published(paper, "numbers/numbers.csv").set_index("quantity")["value"]
    rows = []
    for name in summaries.attrs["conditions"].split():
        violations = summaries[f"{name}/violations"].to_dataset()
        compared = int(violations.n_vb_cs_compared.sum())
        below, linked = (int(violations[f"n_vb_below_{of}"].sum()) for of in ("cs", "linked_cs"))
        rows.append({
            "condition": name, "runs": int(violations.n_runs.sel(fit="vb").sum()) // compared, "scores": compared,
            "below": below, "below (%)": 100 * below / compared, "below CS MAP": linked,
            "below CS MAP (%)": 100 * linked / compared, "paper (%)": printed["vb_below_cs_percent"],
        })  # fmt: skip
    return pd.DataFrame(rows).round(3)


def _linked_rows(violations: xr.Dataset, compared: int) -> list[tuple[str, float, None]]:
    """The other reading of `highest score`: that of CS is of the run with the highest MAP."""
    if "n_vb_below_linked_cs" not in violations or not compared:
        return []
    below = int(violations.n_vb_below_linked_cs.sum())
    what = "VB below CS of the run with the highest MAP"
    return [(what, below, None), (f"{what} (%)", 100 * below / compared, None)]


def _fits(violations: xr.Dataset) -> list[str]:
    """The fits of prior draws."""
    return [fit for fit in violations.get("fit", xr.DataArray([])).values if violations.n_runs.sel(fit=fit).sum() > 0]


def _cap_rows(violations: xr.Dataset) -> list[tuple[str, int, str | None]]:
    totals = violations.n_hit_cap.sum("n"), violations.n_runs.sum("n")
    rows: list[tuple[str, int, str | None]] = []
    for fit in _fits(violations):
        hits, runs = (int(total.sel(fit=fit)) for total in totals)
        rows.append((f"{FITS.get(fit, fit)} runs", runs, None))
        rows.append((f"{FITS.get(fit, fit)} runs that reached the iteration cap", hits, f"{fit}_hit_cap"))
    return rows
