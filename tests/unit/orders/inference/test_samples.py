"""Runs of the samplers of node orders that are merged, or cut into parts, estimate what the others do.

Sources of truth: enumeration of all orders and all graphs; for the parts, one run in one part.
"""

import numpy as np
import pytest
from reference.orders import over_graphs, random_scores

from ockham.estimation.combining import combine
from ockham.estimation.schedules import schedule
from ockham.orders.estimates import arc_errors, arc_posteriors, arcs_of
from ockham.orders.inference import annealing, tempering
from ockham.orders.inference.graph_sums import order_sums
from ockham.streams import Stream

SCORES = random_scores(5, 4, 2, 3.0)
N_STEPS = 6


def exact_arcs(prior):
    """A graph counts once for each of its linear extensions under the prior of orders."""
    graphs = over_graphs(SCORES)
    log_weights = [score + np.log(count) * (prior == "orders") for score, count in graphs.values()]
    return arc_posteriors(np.array(log_weights), arcs_of(np.array([*graphs], dtype=np.uint64)))


def largest_z(merge, prior, n_samples=1500):
    """Standard errors between arc posteriors and exact ones, of the arc that is farthest off."""
    stream = Stream(3, "merged", merge)
    found = annealing.sample(
        order_sums(SCORES), schedule(N_STEPS, None), stream, n_samples=n_samples, n_graphs=2, merge=merge
    )
    log_weights, arcs = found["log_weight"][:, None] + np.zeros((1, 2)), arcs_of(found["parents"])
    assert len(arcs) == n_samples
    if prior == "graphs":
        log_weights = log_weights - found["log_extensions"]
    posteriors = arc_posteriors(log_weights, arcs)
    exact = exact_arcs(prior)
    errors = arc_errors(log_weights, arcs, posteriors)
    return np.abs((posteriors - exact) / np.where(exact > 0, errors, np.inf)).max()


@pytest.mark.parametrize("prior", ["orders", "graphs"])
@pytest.mark.parametrize("merge", [1, 5])
def test_merged_orders_have_the_posterior(merge, prior):
    assert largest_z(merge, prior) < 4


def test_orders_that_are_merged_without_weights_do_not(monkeypatch):
    monkeypatch.setattr(annealing, "_draw_by_weight", lambda log_weights, rng: rng.integers(len(log_weights)))
    assert largest_z(5, "orders") > 6


def test_the_mean_weight_is_that_of_the_same_orders_apart():
    sums, stream = order_sums(SCORES), Stream(3, "apart")
    temperatures = schedule(N_STEPS, None)
    weights = [annealing.sample(sums, temperatures, stream, n_samples=60 // m, merge=m)["log_weight"] for m in (1, 20)]
    assert [len(one) for one in weights] == [60, 3]
    np.testing.assert_allclose(combine(weights[0], "mean")[0], combine(weights[1], "mean")[0], rtol=1e-12)


@pytest.mark.parametrize("count_every", [0, 1, 3])
def test_a_run_in_parts_is_that_in_one(monkeypatch, count_every):
    sums, temperatures = order_sums(SCORES), schedule(2, None)
    given = {"n_blocks": 100, "records_per_block": 10, "thin": 1, "count_every": count_every}
    whole = tempering.sample(sums, temperatures, Stream(4, "parts"), **given)
    monkeypatch.setattr(tempering, "MAX_RECORDS", 4)
    parts = tempering.sample(sums, temperatures, Stream(4, "parts"), **given)
    for name, values in whole.items():
        if "seconds" not in name:
            np.testing.assert_allclose(parts[name], values, rtol=1e-12, err_msg=name)
    assert np.isnan(whole["weighted_arcs"]).all() == (count_every == 0)
