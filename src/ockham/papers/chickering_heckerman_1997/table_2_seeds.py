"""Log Bayes factors over many data sets; Table 2 of [ChickeringHeckerman1997] with longer chains."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import SCORES, SEEDS, STANDARD, condition_of, group_of
from ockham.papers.published import read_published

__all__ = ["KEPT", "LEFT_OUT", "averaging_errors", "table_2_seeds"]

KEPT, LEFT_OUT = 3.611, 14.403
"""ln 37 and ln(1.8 million): below the first a second model counts in an average, above the second it does not."""


def table_2_seeds(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Log Bayes factors of the two best models by the Candidate method (C) and by Laplace's (L) over data sets, nats.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition and n of Table 2 that has more data sets. Medians and quartiles over data sets; on how
        many data sets one of the two models has no Laplace; the percentage of the others on which L is above C, and on
        which C is below ln 37 and L above ln(1.8 million); that of the five printed data sets; the median of the range
        of C over runs; and the percentage on which C rests on a score that is not to be trusted.
    """
    rows = []
    for _, row_of in read_published(paper, "numbers/table_2.csv").iterrows():
        if row_of["condition"] + SEEDS not in summaries:
            continue
        group = group_of(summaries, row_of, SEEDS)
        factor = group.log_bayes_factor.sel(alias_correction="log_aliases")
        ours = pd.DataFrame({"C": factor.sel(score=STANDARD), "L": factor.sel(score="laplace")})
        theirs = pd.DataFrame({letter: [row_of[f"{letter.lower()}_{i}"] for i in range(1, 6)] for letter in "CL"})
        known = ours.dropna()
        row = condition_of(row_of) | {"data sets": len(ours)}
        for letter in "CL":
            middle = ours[letter].quantile([0.5, 0.25, 0.75]).round(1)
            row |= dict(zip((letter, f"{letter} lower", f"{letter} upper"), middle, strict=True))
        row["no L"] = len(ours) - len(known)
        row["L above C (%)"] = _percent(known["L"] > known["C"])
        row["lost (%)"] = _percent(_lost(known))
        row["lost (%, paper)"] = _percent(_lost(theirs))
        row["range of C"] = round(float(group.bayes_factor_range.median()), 1)
        row["C doubted (%)"] = _percent(group.factor_doubted.sel(score=STANDARD).to_series())
        rows.append(row)
    return pd.DataFrame(rows)


def averaging_errors(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far the log Bayes factor of every score is from the Candidate method's, nats, medians over data sets.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition and n of Table 2 that has more data sets, of the two best models by the Candidate method.
    """
    rows = []
    for _, row_of in read_published(paper, "numbers/table_2.csv").iterrows():
        if row_of["condition"] + SEEDS not in summaries:
            continue
        factor = group_of(summaries, row_of, SEEDS).log_bayes_factor.sel(alias_correction="log_aliases")
        off = abs(factor - factor.sel(score=STANDARD)).median("replicate")
        errors = {head: round(float(off.sel(score=score)), 1) for head, score in SCORES.values()}
        rows.append({**condition_of(row_of), **errors})
    return pd.DataFrame(rows)


def _lost(factors: pd.DataFrame) -> pd.Series:
    """Where the second model counts by Candidate, and by Laplace it does not."""
    return (factors["C"] < KEPT) & (factors["L"] > LEFT_OUT)


def _percent(of: pd.Series) -> int:
    return round(100 * float(of.mean()))
