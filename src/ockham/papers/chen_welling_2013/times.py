"""What the scores of [ChenWelling2013] cost on the machine that ran the jobs."""

import pandas as pd

from ockham.contracts import Paper

__all__ = ["times"]


def times(jobs: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """CPU time and memory of the entries of a study's scorers.

    Parameters
    ----------
    jobs : pandas.DataFrame
        A row for each job, as ``studies.costs.jobs`` returns it. A job that found some of its cells computed is taken
        to need as long for each of those as for each of the others.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per entry: how many ``scores`` it has, the mean of their CPU ``seconds`` and ``hours``, and the largest
        resident memory of a job, ``MB``. Times are blank where a job computed none of its cells, or does not say how
        many.
    """
    rows = []
    for entry, of in jobs.groupby("entry", sort=False):
        scores, computed = int(of["cells"].sum()), of["computed"].where(of["computed"] > 0)
        seconds = (of["cpu_time"] * of["cells"] / computed).sum(skipna=False) / scores
        memory = pd.to_numeric(of["max_rss"], errors="coerce").max()
        rows.append({
            "entry": entry, "scores": scores, "seconds": round(seconds, 2), "hours": round(seconds / 3600, 5),
            "MB": round(float(memory), 1),
        })  # fmt: skip
    return pd.DataFrame(rows)
