"""``ockham.score`` gives what the scorers give, for networks and for machines.

Sources of truth: the scorers called run by run; the lines that the first steps show; exact values.
"""

import re
from pathlib import Path

import numpy as np
import pytest

import ockham
from ockham import families
from ockham.machines.data.binary_rows import BinaryRows
from ockham.streams import Stream

START = Path(__file__).parents[3] / "docs/start.md"
NETWORK = ockham.naive_bayes([2], [2, 2])["classes-2"]
MACHINE = ockham.RestrictedBoltzmann(2, 1)
ROWS = [[0, 1], [1, 1], [0, 1], [0, 0]]
FEW = {"n_steps": 100, "n_samples": 500}


def test_the_lines_of_the_first_steps_give_a_lower_bound_and_the_evidence(capsys):
    score, evidence, *of_tables = re.findall(r"```python\n(.*?)```", START.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec(score + evidence, names)
    for lines in of_tables:  # these need a table, and time
        compile(lines, "start.md", "exec")
        assert set(re.findall(r"ockham\.(\w+)\(", lines)) <= set(ockham.__all__)
    exact = ockham.score(names["network"], names["data"], "exact", runs=1)["exact"].log_evidence
    bound, evidence = capsys.readouterr().out.splitlines()
    assert exact - 2 < float(bound) < exact
    assert evidence == f"{exact:.2f} (exact)"


def test_a_machine_is_scored_run_by_run():
    found = ockham.score(MACHINE, ROWS, runs=3, seed=7, **FEW)
    scorer = families.scorer("restricted_boltzmann", "laplace")
    runs = [scorer.score(MACHINE, BinaryRows.of(ROWS), scorer.Settings(**FEW), Stream(7, "run", r)) for r in range(3)]
    for name in scorer.ESTIMATES:
        assert found[name].log_evidence == np.median([run[name].log_evidence for run in runs])
        assert found[name].n_evaluations == sum(run[name].n_evaluations for run in runs)


@pytest.mark.parametrize(
    ("model", "arguments", "message"),
    [
        (NETWORK, {"scorer": "langevin"}, "scorer: 'langevin' is unknown; known are ais, "),
        (MACHINE, {"scorer": "vb"}, "scorer: 'vb' is unknown; known are "),
        (MACHINE, {"n_leapfrog": 3}, "settings of laplace: "),
        (NETWORK, {"runs": 0}, "runs: 0 must be an integer of at least 1"),
        (MACHINE, {"seed": -1}, "seed: -1 must be an integer of at least 0"),
    ],
)
def test_what_it_cannot_do_is_refused(model, arguments, message):
    with pytest.raises(ockham.ConfigError, match=f"^{message}"):
        ockham.score(model, ROWS, **arguments)


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(ockham.DataError, match="column 1"):
        ockham.score(MACHINE, [[0, 2]], **FEW)
