"""The order of the jobs and the number of cores change no bit of any store.

The source of truth is one run on two cores in Snakemake's own order, with every variable of every store compared. That
the orders do differ is read from what the run says.
"""

import re

import pytest

from ockham import families

REVERSED = """

from snakemake.scheduling.greedy import Scheduler as Greedy


def reward(self, job, input_sizes):
    return [ord(letter) for letter in " ".join(job.output)]


Greedy.job_reward = reward
"""


def order_of(output):
    """The score jobs of a run, in the order in which they began."""
    return re.findall(r"^(?:local)?rule score:.*?^    output: (\S+\.nc)", output, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def reversed_run(undisturbed, new_folder):
    """On one core, the last job first: the folder, and the order that its jobs had."""
    folder = new_folder(undisturbed.config)
    with (folder.path / "Snakefile").open("a") as file:
        file.write(REVERSED)
    return folder, order_of(folder.snakemake("--cores", "1"))


def test_the_order_differs(reversed_run):
    """A replicate is scored as soon as it is drawn, the last one first."""
    block = "results/tiny/scores/{}/replicate-00{}.nc".format
    assert reversed_run[1] == [block(scorer, replicate) for replicate in (3, 2, 1) for scorer in ("em", "ais")]


def test_the_reversed_order_stores_the_same_bits(reversed_run, undisturbed):
    assert reversed_run[0].differences(undisturbed.stores()) == []


@pytest.mark.parametrize("scorer", ["em", "ais"])
def test_one_cell_alone_has_the_same_bits(scorer, undisturbed):
    """Both runs of a cell, computed by themselves, beside what is stored: scores, errors and diagnostics."""
    command = f"ockham cell config/tiny.yaml --scorer {scorer} --replicate 3 --n 10 --structure 1-1"
    done = undisturbed.call(*command.split())
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) >= 2 * len(families.scorer("discrete_network", scorer).ESTIMATES)
    assert all(line.endswith("  same") for line in lines)
