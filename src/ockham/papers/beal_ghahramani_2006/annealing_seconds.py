"""What annealing of parameters and of completions cost, which [BealGhahramani2006] compare in section 7."""

import pandas as pd

from ockham.contracts import Paper

__all__ = ["annealing_seconds"]

ENTRIES = {
    "ais_completions": "AIS over completions",
    "ais": "AIS",
    "ais_as_long": "AIS, as long as over completions",
}
"""Of the scorers, and how the table calls them."""


def annealing_seconds(jobs: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """CPU milliseconds of one run on one structure, on the machine that ran the jobs, by data set size.

    Parameters
    ----------
    jobs : pandas.DataFrame
        A row for each job, as ``studies.costs.jobs`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        Column ``n``, and one of each entry that has jobs, ms; blank where a job did not compute all of its cells.
    """
    own = jobs[jobs["entry"].isin(ENTRIES)]
    whole = own["cpu_time"].where(own["computed"] == own["cells"])
    times = (1000 * whole / own["cells"]).groupby([own["n"], own["entry"]]).mean()
    frame = times.unstack("entry").map(lambda each: float(f"{each:.2g}"))
    known = [name for name in ENTRIES if name in frame]
    return frame[known].rename(columns=lambda name: f"{ENTRIES[name]} (ms)").rename_axis(columns=None).reset_index()
