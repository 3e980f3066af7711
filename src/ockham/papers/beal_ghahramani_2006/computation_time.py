"""CPU time of the scores, ours beside what the authors of [BealGhahramani2006] needed."""

import pandas as pd

from ockham.contracts import Paper
from ockham.papers.published import read_published

__all__ = ["computation_time"]


def computation_time(jobs: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """CPU time of the scores on the machine that ran the jobs, beside what the paper's authors needed.

    Parameters
    ----------
    jobs : pandas.DataFrame
        A row for each job, as ``studies.costs.jobs`` returns it. A job that found some of its cells computed is taken
        to need as long for each of those as for each of the others.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        Columns ``quantity``, ``unit``, ``Ockham``, ``paper`` and ``paper / Ockham``. A quantity is left out where the
        study has no such scores, or no jobs of them alone; ``Ockham`` is blank where a job computed none of its cells,
        or does not say how many.
    """
    numbers = read_published(paper, "numbers/numbers.csv").set_index("quantity")["value"]
    main, rows = jobs[jobs["role"] == ""].copy(), []
    main["cpu_time"] *= main["cells"] / main["computed"].where(main["computed"] > 0)  # as if it had computed them all
    of = dict(iter(main.groupby("entry")))
    for entry, name in (("em", "EM"), ("vb", "VB")):
        if entry in of:
            seconds, about = of[entry]["cpu_time"].sum(skipna=False), of[entry].iloc[0]
            what = f"{name}: every size and structure of one instance, {about['runs']} runs", "hours"
            rows.append((*what, seconds / about["replicates"] / 3600, numbers.get(f"{entry}_hours_per_prior_draw")))
            what = f"{name}: one score, {about['runs']} runs", "seconds"
            rows.append((*what, _seconds_per_score(of[entry]), numbers.get(f"{entry}_seconds_per_score")))
    if "ais" in of:
        times = of["ais"].iloc[0]["replicates"] * of["ais"].iloc[0]["runs"]
        at_480 = of["ais"][of["ais"]["n"] == 480]
        if len(at_480):
            what = "AIS: every structure at n = 480, one run", "seconds"
            seconds = at_480["cpu_time"].sum(skipna=False) / times
            rows.append((*what, seconds, numbers.get("ais_seconds_all_structures_n_480")))
            if "vb" in of:
                what = "AIS with half of its steps at n = 480 over a VB score", "times"
                ratio = seconds / 2 / at_480.iloc[0]["structures"] / _seconds_per_score(of["vb"])
                rows.append((*what, ratio, numbers.get("ais_over_vb")))
        what = "AIS: every size and structure, one run", "hours"
        rows.append((*what, of["ais"]["cpu_time"].sum(skipna=False) / times / 3600, numbers.get("ais_hours_one_run")))
    if "candidate" in of:
        times = of["candidate"].iloc[0]["replicates"] * of["candidate"].iloc[0]["runs"]
        hours = of["candidate"]["cpu_time"].sum(skipna=False) / times / 3600
        rows.append(("Candidate: every size and structure, one run", "hours", hours, None))
    frame = pd.DataFrame(rows, columns=["quantity", "unit", "Ockham", "paper"]).astype({"paper": "Float64"})
    ratio = frame["paper"] / frame["Ockham"]
    frame["paper / Ockham"] = pd.array([None if pd.isna(x) else float(f"{x:.2g}") for x in ratio], dtype="Float64")
    return frame


def _seconds_per_score(jobs: pd.DataFrame) -> float:
    """CPU time of one score with all its runs, the mean over replicates, sizes and structures."""
    about = jobs.iloc[0]
    return jobs["cpu_time"].sum(skipna=False) / (about["replicates"] * about["sizes"] * about["structures"])
