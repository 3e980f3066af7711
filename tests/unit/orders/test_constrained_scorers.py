"""Every scorer of node orders keeps to the forbidden and required arcs of its space. Truth: all graphs, enumerated."""

import numpy as np
import pytest
from reference.graphs import Enumerated

import ockham
from ockham.orders.family import FAMILY

ARCS = {"forbidden": [(0, 3), (3, 1)], "required": [(2, 1), (1, 0)]}
SPACE = ockham.OrderSpace(4, 2, 1.0, **ARCS)
STATES = np.random.default_rng(1).integers(0, 2, (20, 4))
LONG = {"ais": {"steps": 60_000}, "mc3": {"steps": 150_000, "ratios": 3, "thin": 2}, "exact": {}}


@pytest.fixture(scope="module")
def truth():
    scores = FAMILY.read(SPACE, STATES).family_scores(SPACE)
    return {prior: Enumerated(scores, prior) for prior in ("orders", "graphs")}


@pytest.mark.parametrize("scorer", LONG)
@pytest.mark.parametrize("method", ["table", "lists"])
@pytest.mark.parametrize("prior", ["orders", "graphs"])
def test_the_evidence_is_that_of_the_space(scorer, method, prior, truth):
    settings = LONG[scorer] | ({} if scorer == "exact" else {"method": method})
    runs = 1 if scorer == "exact" else 4
    found = ockham.score(SPACE, STATES, scorer, runs=runs, seed=1, **settings)[f"{scorer}_{prior}"]
    if scorer == "exact":
        assert found.log_evidence == pytest.approx(truth[prior].log_evidence, rel=1e-12)
    else:
        assert found.standard_error < 0.1
        assert abs(found.log_evidence - truth[prior].log_evidence) < 4 * found.standard_error
    free = ockham.score(ockham.OrderSpace(4, 2), STATES, "exact")[f"exact_{prior}"]
    assert abs(free.log_evidence - truth[prior].log_evidence) > 0.5


def test_no_sampled_graph_breaks_a_rule():
    parents = ockham.score(SPACE, STATES, "ais", steps=20_000)["ais_graphs"].arrays["parents"]
    assert len(parents) > 50
    for u, v in ARCS["forbidden"]:
        assert (parents[..., v] >> np.uint64(u) & np.uint64(1) == 0).all()
    for u, v in ARCS["required"]:
        assert (parents[..., v] >> np.uint64(u) & np.uint64(1) == 1).all()
