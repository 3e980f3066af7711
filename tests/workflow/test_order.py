"""The order of the jobs and the number of cores change no bit of any store.

The source of truth is one run on two cores in Snakemake's own order, with every variable of every store compared. That
the orders do differ is read from what the runs say.
"""

import re

import pytest

from ockham import families

SHUFFLED = """

from snakemake.scheduling.greedy import Scheduler as Greedy
import hashlib


def reward(self, job, input_sizes):
    key = " ".join(job.output)
    return {reward}


Greedy.job_reward = reward
"""
ORDERS = {
    "reversed": "[ord(letter) for letter in key]",
    "random": "hashlib.sha256(key.encode()).hexdigest()",
}


def order_of(output):
    """The score jobs of a run, in the order in which they began."""
    return re.findall(r"^(?:local)?rule score:.*?^    output: (\S+\.nc)", output, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def runs(undisturbed, new_folder):
    """For every order, on one core: the folder, and the order that its jobs had."""
    found = {}
    for name, reward in ORDERS.items():
        folder = new_folder(undisturbed.config)
        with (folder.path / "Snakefile").open("a") as file:
            file.write(SHUFFLED.replace("{reward}", reward))
        found[name] = folder, order_of(folder.snakemake("--cores", "1"))
    return found


def test_the_orders_differ(runs):
    """In the reversed order a replicate is scored as soon as it is drawn, the last one first."""
    block = "results/tiny/scores/{}/replicate-00{}.nc".format
    expected = [block(scorer, replicate) for replicate in (3, 2, 1) for scorer in ("em", "ais")]
    assert runs["reversed"][1] == expected
    assert sorted(runs["random"][1]) == sorted(expected)
    assert runs["random"][1] not in (expected, expected[::-1], sorted(expected))


@pytest.mark.parametrize("name", ORDERS)
def test_every_order_stores_the_same_bits(name, runs, undisturbed):
    assert runs[name][0].differences(undisturbed.stores()) == []


@pytest.mark.parametrize("scorer", ["em", "ais"])
def test_one_cell_alone_has_the_same_bits(scorer, undisturbed):
    """Both runs of a cell, computed by themselves, beside what is stored: scores, errors and diagnostics."""
    command = f"ockham cell config/tiny.yaml --scorer {scorer} --replicate 3 --n 10 --structure 1-1"
    done = undisturbed.call(*command.split())
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) >= 2 * len(families.scorer("discrete_network", scorer).ESTIMATES)
    assert all(line.endswith("  same") for line in lines)
