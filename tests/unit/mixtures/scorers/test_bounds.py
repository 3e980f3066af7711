"""Claim: variational Bayes and Cheeseman-Stutz are below the evidence, and variational Bayes from Cheeseman-Stutz is
above that; on 1000 random small tables of all kinds of items.

Source of truth: the sum over all set partitions. Scores that are raised by little must be noticed.
"""

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, small_table

from ockham.mixtures.scorers import em, exact, vb, vb_from_cs
from ockham.streams import Stream

N_TABLES, ROUNDING = 1000, 1e-9
QUICK = {"n_starts": 1, "max_iterations": 100, "tolerance": 1e-4}


def case(seed):
    """A mixture of some of the items, with a table of its own."""
    rng = np.random.default_rng(seed)
    names = rng.permutation(list(ITEMS))[: rng.integers(1, len(ITEMS) + 1)]
    model = mixture(int(rng.integers(1, 5)), float(rng.choice([0.1, 1.0, 4.0])), {name: ITEMS[name] for name in names})
    return model, small_table(model, seed, int(rng.integers(2, 7)))


def excesses(seeds):
    """Of both bounds over the evidence, and of Cheeseman-Stutz over the bound from it, nats."""
    found = []
    for seed in seeds:
        model, data = case(seed)
        stream = Stream(seed, "bounds")
        truth = exact.score(model, data, exact.Settings(), stream)["exact"].log_evidence
        below = em.score(model, data, em.Settings(**QUICK), stream)["cheeseman_stutz"].log_evidence
        bound = vb.score(model, data, vb.Settings(**QUICK), stream)["variational_bayes"].log_evidence
        from_cs = vb_from_cs.score(model, data, vb_from_cs.Settings(**QUICK), stream)
        above = from_cs["variational_bayes_from_cs"].log_evidence
        found.append((bound - truth, below - truth, above - truth, below - above))
    return np.array(found)


@pytest.mark.parametrize("part", range(4))
def test_no_bound_is_above_the_evidence(part):
    found = excesses(range(part, N_TABLES, 4))
    assert found.max() <= ROUNDING
    assert (found + 0.01).max() > ROUNDING
    assert (found[:, :3] < -0.01).any(axis=0).all()


def test_with_one_class_all_of_them_are_the_evidence():
    for seed in range(5):
        model, data = mixture(1), small_table(mixture(1), seed, 6)
        truth = exact.score(model, data, exact.Settings(), Stream(1))["exact"].log_evidence
        found = {**em.score(model, data, em.Settings(), Stream(1)), **vb.score(model, data, vb.Settings(), Stream(1))}
        for name in ("cheeseman_stutz", "variational_bayes"):
            assert found[name].log_evidence == pytest.approx(truth, rel=1e-12)
