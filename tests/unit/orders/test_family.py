"""What the family of node orders draws, and says of its structures, streams and jobs.

Sources of truth: 48 pairs of an order and a graph, and 25 graphs, on three nodes; streams by their names.
"""

from math import log

import numpy as np
import pytest

from ockham.orders.data.random_networks import sample_table
from ockham.orders.data.structure_data import StructureData
from ockham.orders.family import FAMILY
from ockham.orders.inference.exact_structures import predicted_cost
from ockham.orders.space import OrderSpace
from ockham.streams import Stream
from ockham.studies.cells import draw_replicate
from ockham.studies.grids import study_class

STUDY = study_class(FAMILY)(
    study="tiny", root_seed=3, max_indegree=2, sizes=[4, 9], replicates={"prior_draws": 2},
    data={"source": "random_network", "variables": 3},
    scorers={
        "ais": {"settings": {"memory_limit": 0.5}}, "exact": {},
        "half": {"scorer": "exact", "settings": {"graphs": False}},
    },
)  # fmt: skip


@pytest.mark.parametrize(("replicate", "name"), [(1, ()), (2, (2,))])
def test_the_first_table_is_of_the_studys_own_stream(replicate, name):
    expected = sample_table(3, 9, Stream(3, "data", "tiny", *name))
    found = draw_replicate(STUDY, replicate)
    np.testing.assert_array_equal(found.states, expected.states)
    assert (found.names, found.cardinalities) == (("x1", "x2", "x3"), (2, 2, 2))


def test_a_data_set_has_its_first_variables_with_all_of_their_values(monkeypatch):
    states = np.array([[0, 1, 2], [0, 0, 1], [0, 1, 0]], dtype=np.int16)
    table = StructureData(("a", "b", "c"), (("u", "v"), ("0", "1"), ("x", "y", "z")), states)
    asked = []
    monkeypatch.setattr("ockham.orders.family.read_data_set", lambda *given: (asked.append(given), table)[1])
    study = study_class(FAMILY)(
        study="tiny", root_seed=3, max_indegree=1, sizes=[3], replicates={"prior_draws": 1},
        data={"source": "data_set", "name": "mushroom", "variables": 2}, scorers={"exact": {}},
    )  # fmt: skip
    found = draw_replicate(study, 1)
    assert (found.names, found.cardinalities) == (("a", "b"), (2, 2))
    assert found.states.tolist() == [[0, 1], [0, 0], [0, 1]]
    assert asked[0][:2] == ("mushroom", 3)
    data = FAMILY.prepare(study, found, 2)
    assert (data.names, data.cardinalities, data.states.tolist()) == (("a", "b"), (2, 2), [[0, 1], [0, 0]])
    assert FAMILY.of_scores(study, [len(found.states)], [found])["data"].values == "mushroom"


def test_a_caller_gives_states_or_a_table_with_names():
    space, states = OrderSpace(2, 1), np.array([[0, 2], [0, 0]])
    found = FAMILY.read(space, states)
    assert (found.names, found.cardinalities, found.states.tolist()) == (("x1", "x2"), (2, 3), states.tolist())
    named = StructureData(("a", "b"), (("u", "v", "w"), ("x", "y", "z")), states.astype(np.int16))
    assert FAMILY.read(space, named).names == ("a", "b")
    assert FAMILY.read(space, named).cardinalities == (3, 3)


def test_entries_have_streams_of_their_own_and_sizes_share_them():
    def name(entry="ais", replicate=1, n=4, run=0):
        return FAMILY.cell_stream(3, "tiny", entry, replicate, n, "indegree-2", run).name

    assert name() == name(n=9) == ("orders", "tiny", "ais", 0)
    assert name(entry="half", run=5) == ("orders", "tiny", "half", 5)
    assert name(replicate=2) == ("orders", "tiny", "ais", 0, 2)


def test_a_store_has_what_turns_means_over_orders_into_evidences():
    found = FAMILY.of_scores(STUDY, STUDY.sizes, [draw_replicate(STUDY, 1)])
    np.testing.assert_allclose(found["log_scale"].values, [[log(6 / 48), log(6 / 25)]], rtol=1e-12)
    assert found["prior"].values == ["orders", "graphs"]
    assert found["max_indegree"].values == [2]
    assert [found[name].values for name in ("node", "parent", "child")] == [["x1", "x2", "x3"]] * 3
    assert found["data"].values == "random_network"


def test_jobs_ask_for_the_memory_of_their_tables_or_sums():
    wide = STUDY.model_copy(update={"data": STUDY.data.model_copy(update={"variables": 20})})
    asked = {entry: FAMILY.resources(wide, entry).megabytes for entry in ("ais", "exact", "half")}
    orders, graphs = (int(predicted_cost(kind, 20, 19)[1] / 1e6) for kind in ("orders", "graphs"))
    assert asked == {"ais": 1500, "exact": 1000 + max(orders, graphs), "half": 1000 + orders}
    assert graphs != orders
