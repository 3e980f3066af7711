"""What asv times: a score by every way of estimation, through the public interface, which old commits have as well."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # like a job of the workflow

import resource
import subprocess
import sys
from typing import ClassVar

import numpy as np

import ockham

N = 480


def cpu_seconds():
    """Of this process and of those that it has waited for: what else the machine does hardly changes it."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


class _Scores:
    """Scorers with their settings, on a model and its rows."""

    timer = staticmethod(cpu_seconds)

    param_names = ("scorer",)

    def time_score(self, scorer):
        ockham.score(self.model, self.rows, scorer, progress=False, **self.settings[scorer])


class Networks(_Scores):
    """Two hidden variables with two values behind four observed ones with five, fully connected."""

    settings: ClassVar = {
        "em": {"runs": 10},
        "vb": {"runs": 10},
        "laplace": {"runs": 10},
        "ais": {"runs": 1, "n_steps": 2000},
        "candidate": {"runs": 1},
        "bridge": {"runs": 1, "max_draws": 500},
        "smc": {"runs": 1, "n_passes": 2, "n_chains": 4},
    }
    params = tuple(settings)

    def setup(self, scorer):
        self.model, self.rows = ockham.bipartite([2, 2], [5] * 4)["12-12-12-12"], noise([5] * 4)


class Mixtures(_Scores):
    """Three classes behind ten items with three values."""

    settings: ClassVar = {"em": {"runs": 10}, "vb": {"runs": 10}, "bridge": {"runs": 1, "max_draws": 500}}
    params = tuple(settings)

    def setup(self, scorer):
        self.model, self.rows = ockham.naive_bayes([3], [3] * 10)["classes-3"], noise([3] * 10)


class Machines(_Scores):
    """Ten visible and three hidden units."""

    settings: ClassVar = {"laplace": {"runs": 1}, "ais": {"runs": 1, "n_steps": 50, "n_chains": 10}}
    params = tuple(settings)

    def setup(self, scorer):
        self.model, self.rows = ockham.RestrictedBoltzmann(10, 3), noise([2] * 10)


class Orders(_Scores):
    """Graphs of twelve nodes with three values, with at most three parents each."""

    settings: ClassVar = {"exact": {"runs": 1}, "ais": {"runs": 1, "steps": 10**6}, "mc3": {"runs": 1, "steps": 10**6}}
    params = tuple(settings)

    def setup(self, scorer):
        self.model, self.rows = ockham.OrderSpace(12, 3), noise([3] * 12)


class Starts:
    """Until a process has imported what it needs."""

    timer = staticmethod(cpu_seconds)
    params = ("import ockham", "from ockham import score", "from ockham import select")
    param_names = ("statement",)

    def time_start(self, statement):
        subprocess.run([sys.executable, "-c", statement], check=True)


def noise(cardinalities):
    """Rows that say nothing about each other, the same at every call."""
    return np.random.default_rng(1).integers(cardinalities, size=(N, len(cardinalities)))
