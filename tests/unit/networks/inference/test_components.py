"""Claim: the evidence of a network is the product of those of what no arc connects, each of its own columns.

Truth: the exact evidence of the whole network, a sum over completions.
"""

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import completions
from ockham.networks.inference.components import components
from ockham.networks.structure_space import bipartite

SPACE = bipartite([2, 2], [2, 3, 2, 2])


def split(network, data):
    return [completions.log_evidence(part, data.marginal(columns)) for part, columns in components(network)]


@pytest.mark.parametrize("label", ["0-0-0-0", "0-1-1-0", "0-1-2-0", "1-1-2-2", "1-2-0-1", "0-12-1-0", "12-1-0-12"])
def test_evidences_of_components_multiply(label):
    data = UniqueRows.of(np.random.default_rng(1).integers(0, 2, (9, 4)), [2, 3, 2, 2])
    network = SPACE[label].relevant
    assert sum(split(network, data)) == pytest.approx(completions.log_evidence(network, data), abs=1e-10)


@pytest.mark.parametrize("name", list(CASES))
def test_evidences_of_components_multiply_on_other_networks(name):
    network = CASES[name].relevant
    data = UniqueRows.of(random_data(network, 5, 5), observed_cardinalities(network))
    assert sum(split(network, data)) == pytest.approx(completions.log_evidence(network, data), abs=1e-10)


def test_components_have_the_variables_that_arcs_connect():
    found = [(part.names, columns) for part, columns in components(SPACE["1-2-0-1"])]
    assert found == [(("s1", "y1", "y4"), (0, 3)), (("s2", "y2"), (1,)), (("y3",), (2,))]


def test_a_connected_network_is_its_own_component():
    network = SPACE["12-1-12-2"]
    ((found, columns),) = components(network)
    assert found is network
    assert columns == (0, 1, 2, 3)


def test_a_component_with_the_columns_of_another_is_noticed():
    data = UniqueRows.of(np.random.default_rng(1).integers(0, 2, (9, 4)), [2, 3, 2, 2])
    (first, of_first), (second, of_second) = components(SPACE["1-2-1-2"])
    wrong = [(first, of_second), (second, of_first)]
    found = sum(completions.log_evidence(part, data.marginal(columns)) for part, columns in wrong)
    assert abs(found - completions.log_evidence(SPACE["1-2-1-2"], data)) > 1e-3
