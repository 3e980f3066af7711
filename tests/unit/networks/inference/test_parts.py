"""Claim: chains that were found together stay together, and are bridged as if they had been found so again.

Truth: the same estimate with the chains compared anew.
"""

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import gibbs, parts
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

NETWORK = naive_bayes([2], [2] * 3)["classes-2"]
DATA = UniqueRows.of(np.random.default_rng(1).integers(0, 2, (12, 3)), [2] * 3)


@pytest.fixture(scope="module")
def chains():
    rng = Stream(3).generator()
    return [gibbs.run(NETWORK, DATA, sample_log(NETWORK, rng), rng, 600, keep=True).draws for _ in range(3)]


def estimate(chains, together=()):
    return parts.estimate(NETWORK, DATA, relabellings(NETWORK), chains, Stream(4).generator(), together)


def test_what_was_found_together_is_not_looked_for_again(chains, monkeypatch):
    found = estimate(chains)
    assert found.together == (((0, 1, 2),), ((0, 1, 2),))
    monkeypatch.setattr(parts, "_connected", lambda _: pytest.fail("compared"))
    again = estimate(chains, found.together)
    assert (again.log_evidence, again.relative_error) == (found.log_evidence, found.relative_error)


def test_parts_that_were_apart_can_be_joined(chains, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(parts, "TOGETHER", 2.0)
        apart = estimate(chains)
    assert apart.together == (((0,), (1,), (2,)),) * 2
    assert estimate(chains, apart.together).together == (((0, 1, 2),),) * 2
