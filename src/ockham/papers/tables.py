"""Published tables, ours beside the paper's."""

from pathlib import Path

import pandas as pd
import xarray as xr

from ockham.io.whole_files import replacing_file
from ockham.papers.beal_ghahramani_2006.annealing_tables import (
    candidate_check,
    laplace_check,
    strength_calibration,
    table_3,
)
from ockham.papers.chen_welling_2013 import tables as machine_tables
from ockham.papers.chickering_heckerman_1997 import tables as mixture_tables
from ockham.papers.niinimaki_koivisto_2013 import tables as order_tables
from ockham.papers.published import read_published

__all__ = ["NEEDS", "TABLES", "section_4_2", "section_4_2_by_size", "table_2", "write_table"]

TABLE_2_COLUMNS = {
    "map": ("MAP", "map", "none"),
    "bic_uncorrected": ("BIC*", "bic", "none"),
    "bicp_uncorrected": ("BICp*", "bicp", "none"),
    "cheeseman_stutz_uncorrected": ("CS*", "cheeseman_stutz", "none"),
    "variational_bayes_uncorrected": ("VB*", "variational_bayes", "none"),
    "bic": ("BIC", "bic", "log_aliases"),
    "bicp": ("BICp", "bicp", "log_aliases"),
    "cheeseman_stutz": ("CS", "cheeseman_stutz", "log_aliases"),
    "variational_bayes": ("VB", "variational_bayes", "log_aliases"),
    "ais": ("AIS", "annealed_importance_sampling", "none"),
}
"""The published column, its heading, and our score and alias correction; * marks scores without the correction."""


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


def table_2(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Rank of the true structure at the published parameters, by data set size and score.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    published_dir : path
        The folder that has ``table_2.csv``.

    Returns
    -------
    pandas.DataFrame
        One row per data set size of ours; columns ``n`` and, for every score of the paper, ours and ``... (paper)``.
        Missing where a score or size is absent on that side.
    """
    published = read_published(published_dir, "beal_ghahramani_2006", "table_2.csv").set_index("n")
    rank = summaries["ranks"]["rank"].sel(replicate=0)
    frame = pd.DataFrame(index=rank.indexes["n"])
    for name, (heading, score, alias_correction) in TABLE_2_COLUMNS.items():
        ours = rank.sel(alias_correction=alias_correction).reindex(score=[score]).isel(score=0)
        frame[heading] = pd.array(ours.values, dtype="Int64")
        frame[f"{heading} (paper)"] = published[name].reindex(frame.index).astype("Int64")
    return frame.reset_index()


def section_4_2(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Counts over the prior draws: the size of the experiment, violations and unconverged runs.

    The last rows, on lower bounds above the exact value, count every replicate that has an exact value.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    published_dir : path
        The folder that has ``numbers.csv``.

    Returns
    -------
    pandas.DataFrame
        Columns ``quantity``, ``Ockham`` and ``paper``; missing where the paper gives no number.
    """
    published = read_published(published_dir, "beal_ghahramani_2006", "numbers.csv").set_index("quantity")["value"]
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


def section_4_2_by_size(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """What Figures 4 (a) and 5 (a) draw, and where the counts of ``section_4_2`` come from, by data set size.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    published_dir : path
        Not used: the paper has these numbers in figures only.

    Returns
    -------
    pandas.DataFrame
        One row per data set size: median rank and success rate of the true structure by each score corrected for
        aliases, the variational Bayes scores below Cheeseman-Stutz, and the runs that reached the iteration cap.
    """
    data = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    violations = summaries["violations"].to_dataset()
    frame = pd.DataFrame(index=data.indexes["n"])
    for heading, variable in (("median rank", data.rank_median), ("success rate", data.success_rate)):
        for label, score in PERFORMANCE.items():
            frame[f"{heading} {label}"] = variable.reindex(score=[score]).isel(score=0).values.round(4)
    frame["VB below CS"] = violations.n_vb_below_cs.values
    for fit in _fits(violations):
        frame[f"{FITS.get(fit, fit)} runs at the cap"] = violations.n_hit_cap.sel(fit=fit).values
    return frame.reset_index()


def _fits(violations: xr.Dataset) -> list[str]:
    """The fits of prior draws."""
    return [fit for fit in violations.get("fit", xr.DataArray([])).values if violations.n_runs.sel(fit=fit).sum() > 0]


def _cap_rows(violations: xr.Dataset) -> list[tuple[str, int, str]]:
    totals = violations.n_hit_cap.sum("n"), violations.n_runs.sum("n")
    rows = []
    for fit in _fits(violations):
        hits, runs = (int(total.sel(fit=fit)) for total in totals)
        rows.append((f"{FITS.get(fit, fit)} runs", runs, None))
        rows.append((f"{FITS.get(fit, fit)} runs that reached the iteration cap", hits, f"{fit}_hit_cap"))
    return rows


def write_table(frame: pd.DataFrame, csv_path: Path, md_path: Path) -> None:
    """The table as CSV and as Markdown, missing values blank."""
    with replacing_file(csv_path) as temporary:
        frame.to_csv(temporary, index=False)
    text = frame.map(lambda value: "" if pd.isna(value) else f"{value:.6g}" if isinstance(value, float) else str(value))
    align = ["right" if pd.api.types.is_numeric_dtype(kind) else "left" for kind in frame.dtypes]
    with replacing_file(md_path) as temporary:
        temporary.write_text(text.to_markdown(index=False, disable_numparse=True, colalign=align) + "\n")


TABLES = {
    "beal_ghahramani_2006": {
        "table_2": table_2,
        "table_3": table_3,
        "strength_calibration": strength_calibration,
        "candidate_check": candidate_check,
        "laplace_check": laplace_check,
        "section_4_2": section_4_2,
        "section_4_2_by_size": section_4_2_by_size,
    },
    "chickering_heckerman_1997": {
        "table_1": mixture_tables.table_1,
        "table_2": mixture_tables.table_2,
        "alias_corrections": mixture_tables.alias_corrections,
        "table_3": mixture_tables.table_3,
    },
    "chen_welling_2013": {
        "accuracy": machine_tables.accuracy,
        "ground_truth": machine_tables.ground_truth,
    },
    "niinimaki_koivisto_2013": {"evidence": order_tables.evidence},
}
"""Paper to its tables by name."""

NEEDS = {
    "beal_ghahramani_2006": {
        "table_3": ("vb", "ais"),
        "strength_calibration": ("ais_strength_",),
        "candidate_check": ("candidate",),
        "laplace_check": ("laplace",),
    },
    "chickering_heckerman_1997": {
        "table_1": ("features_", "classes_6", "classes_8"),
        "table_2": ("features_", "classes_6", "classes_8"),
        "alias_corrections": ("features_", "classes_6", "classes_8"),
        "table_3": ("small_soybean", "audiology", "lung_cancer"),
    },
    "chen_welling_2013": {"accuracy": ("ais",), "ground_truth": ("ais",)},
}
"""Paper and table to the entries of the scorers, or the conditions, that it shows.

A name that ends in _ stands for any that begins with it.
"""
