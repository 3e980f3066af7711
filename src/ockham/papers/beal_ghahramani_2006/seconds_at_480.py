"""CPU time at n = 480, ours beside the seconds that the text of [BealGhahramani2006] gives."""

from math import prod

import pandas as pd

from ockham.contracts import Paper
from ockham.papers.published import read_published

__all__ = ["seconds_at_480"]

QUANTITIES = {
    "EM: every structure, 3 runs": ("em", ("replicates",), "em_seconds_all_structures_n_480"),
    "VB: every structure, 3 runs": ("vb", ("replicates",), "vb_seconds_all_structures_n_480"),
    "VB: the true structure, 3 runs": ("vb_true", ("replicates",), "vb_seconds_true_structure_n_480"),
    "AIS with 8192 steps: the true structure, one run": (
        "ais_half", ("replicates", "runs"), "ais_half_steps_seconds_true_structure_n_480",
    ),
}  # fmt: skip
"""The entry of the scorers, what of it is not in the quantity, and the published number."""


def seconds_at_480(jobs: pd.DataFrame, paper: Paper) -> pd.DataFrame:
    """CPU time of scores at n = 480 on the machine that ran the jobs, beside what the paper's authors needed.

    Parameters
    ----------
    jobs : pandas.DataFrame
        A row for each job, as ``studies.costs.jobs`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        Columns ``quantity``, ``Ockham`` and ``paper``, seconds. ``Ockham`` is blank where a job did not compute all of
        its cells.
    """
    numbers = read_published(paper, "numbers/numbers.csv").set_index("quantity")["value"]
    at_480 = jobs[jobs["n"] == 480]
    whole = at_480["cpu_time"].where(at_480["computed"] == at_480["cells"])
    rows = []
    for quantity, (entry, over, published) in QUANTITIES.items():
        of_entry = at_480[at_480["entry"] == entry]
        times = prod(int(of_entry.iloc[0][name]) for name in over)
        seconds = whole[of_entry.index].sum(skipna=False) / times
        rows.append((quantity, float(f"{seconds:.3g}"), numbers.get(published)))
    return pd.DataFrame(rows, columns=["quantity", "Ockham", "paper"]).astype({"paper": "Float64"})
