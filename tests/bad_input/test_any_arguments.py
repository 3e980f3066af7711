"""Whatever a public function or class is given, it ends in a value or in an error of Ockham.

Arguments are generated: sound ones with one to three of them changed to anything. The source of truth is the claim
itself, and the list of cases below it, which came from outside.
"""

import warnings
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ockham
from ockham import families
from ockham.mixtures import items
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.data.priors import MixedPrior
from ockham.networks.comparisons.structures import structure_in
from ockham.orders import arcs
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.family import FAMILY

NETWORK = ockham.naive_bayes([2], [2, 3])["classes-2"]
MACHINE = ockham.RestrictedBoltzmann(2, 1)
SPACE = ockham.OrderSpace(2, 1)
ITEMS = {"a": items.Poisson(1.0), "b": items.Categorical(3)}
MIXTURE = ockham.FiniteMixture(2, ITEMS)
ROWS = [[0, 1], [1, 0], [1, 2]]
BITS = [[0, 1], [1, 0], [1, 1]]
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ockham.OckhamWarning)  # of what three rows leave unknown
    FITTED = ockham.fit_classes(NETWORK, ROWS, n_draws=100)
    FITTED_MIXED = ockham.fit_classes(MIXTURE, ROWS, n_draws=100)
FREE = ockham.DiscreteNetwork.build({"x1": 2, "x2": 3}, {})
BUILD = {"cardinalities": {"h": 2, "a": 2, "b": 3}, "parents": {"a": ["h"], "b": ["h"]}, "hidden": ["h"], "prior": 1.0}
FIT = {"n_steps": 3, "n_samples": 20, "n_particles": 5, "n_starts": 1, "max_iterations": 3}
QUICK = {
    "discrete_network.ais": {"n_steps": 3},
    "discrete_network.candidate": {"n_selection": 2, "n_sweeps": 20},
    "discrete_network.bridge": {"n_starts": 1, "n_chains": 2, "n_burn_in": 1, "n_draws": 100, "max_draws": 100},
    "discrete_network.smc": {"n_passes": 2, "n_chains": 2, "n_states": 3},
    "discrete_network.tempered_smc": {
        "n_starts": 1, "n_chains": 2, "n_burn_in": 1, "n_draws": 100, "n_passes": 2, "n_walks": 2, "n_states": 2,
    },
    "restricted_boltzmann.ais": {"n_steps": 2, "n_chains": 2, "n_tuning": 2},
    "restricted_boltzmann.bic": FIT, "restricted_boltzmann.laplace": FIT,
    "restricted_boltzmann.cross_validation": FIT | {"n_folds": 2},
    "restricted_boltzmann.langevin": FIT | {"n_step_sizes": 1, "n_burn_in": 2, "n_draws": 3, "n_prior_draws": 3},
    "node_order.ais": {"steps": 100}, "node_order.mc3": {"steps": 600, "ratios": 1, "thin": 1},
    "finite_mixture.ais": {"n_steps": 3, "n_chains": 2},
    "finite_mixture.bridge": {"n_starts": 1, "n_chains": 2, "n_burn_in": 1, "n_draws": 100, "max_draws": 100},
    "finite_mixture.candidate": {"n_burn_in": 1, "n_sweeps": 20},
    "finite_mixture.smc": {"n_passes": 2, "n_chains": 2, "n_states": 3},
}  # fmt: skip
MODELS = {
    "discrete_network": (NETWORK, ROWS), "restricted_boltzmann": (MACHINE, BITS), "node_order": (SPACE, ROWS),
    "finite_mixture": (MIXTURE, ROWS),
}  # fmt: skip


class Hostile:
    """An object whose every use fails."""

    def __array__(self, *_, **__):
        raise RuntimeError("no array")

    def __repr__(self):
        raise RuntimeError("no text")


NUMBERS = st.one_of(
    st.booleans(), st.integers(-3, 70), st.floats(), st.complex_numbers(),
    st.sampled_from([2**31, 2**63, 2**64, 10**30, -(10**30), 1e308, 5e-324, np.int8(2), np.uint64(2**64 - 1),
                     np.float32(0.5), np.float64(2), np.bool_(True), np.complex128(1j), np.datetime64("2026-01-01"),
                     Fraction(1, 3), np.ma.masked]),
)  # fmt: skip
ARRAYS = st.sampled_from([
    np.zeros((2, 2)), np.zeros((0, 2)), np.zeros((2, 0)), np.zeros(()), np.zeros((2, 2, 2)), np.ones(7), np.eye(3),
    np.full((3, 2), np.nan), np.full((3, 2), np.inf), np.ones((3, 2), dtype=complex), np.ones((3, 2), dtype=bool),
    np.ones((3, 2), dtype=object), np.full((3, 2), "1"), np.full((3, 2), 2**64 - 1, dtype=np.uint64),
    np.zeros((3, 2), dtype="M8[s]"), np.zeros((3, 2), dtype=[("a", "i4")]), np.ma.masked_equal(BITS, 0),
    np.ma.array([1.0] * 8, mask=[True] + [False] * 7), np.zeros((1, 100)), np.array(BITS, dtype=np.int8),
    np.array(BITS)[::-1].T, memoryview(b"ab"),
])  # fmt: skip
OTHERS = st.sampled_from([
    None, "", "em", "vb", "h", "a", "prior", b"em", NETWORK, MACHINE, SPACE, ockham.DiscreteNetwork, object(),
    SimpleNamespace(family_name="discrete_network"), SimpleNamespace(family_name=["em"]), np.random.default_rng(1),
    range(3), {"a"}, frozenset(), ["em"], [["em"]], {"a": "b"}, {"a": ["b"]}, {"a": None}, {1: 2}, {},
    [[0, 1], [1]], [np.ma.masked_equal([0, 1], 0), [1, 0]], [[np.ma.masked, 1]], [[10**30, 0]], [[None, 1]], slice(2),
    {"cardinalities": {"a": 2}, "parents": {}}, {"a": {"cardinalities": {"a": 2}, "parents": {}}}, Ellipsis, len,
])  # fmt: skip
MADE = st.sampled_from([Hostile, lambda: 10**5000, lambda: iter([2, 3])]).map(lambda make: make())
LEAVES = st.one_of(NUMBERS, ARRAYS, OTHERS, MADE, st.text(max_size=3))
KEYS = st.sampled_from(["a", "b", "h", "", 1])
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=4,
)
SOUND = {
    ockham.DiscreteNetwork.build: BUILD,
    ockham.DiscreteNetwork: {
        "names": ("h", "a"), "cardinalities": (2, 2), "parents": ((), (0,)), "hidden": (0,), "prior": np.ones(6),
    },
    ockham.RestrictedBoltzmann: {"n_visible": 2, "n_hidden": 2, "deviation": 1.0},
    ockham.OrderSpace: {
        "n_nodes": 3, "max_indegree": 2, "equivalent_sample_size": 1.0, "forbidden": [(0, 1)], "required": [(1, 2)],
    },
    ockham.FiniteMixture: {"n_classes": 2, "items": ITEMS, "concentration": 1.0},
    items.Categorical: {"n_values": 3, "concentration": 1.0},
    items.Ordered: {"n_values": 3, "concentration": 1.0},
    items.Gaussian: {"centre": 0.0, "deviation": 1.0, "mean_weight": 1.0, "shape": 1.0},
    items.Poisson: {"mean": 1.0, "shape": 1.0},
    items.Binomial: {"total": 3, "concentration": 1.0},
    MixedRows.of: {"data": ROWS, "items": ITEMS, "source": "s", "weights": [1, 0, 2], "empty": False},
    ockham.UniqueRows: {"rows": np.array(BITS), "counts": np.array([1, 2, 1])},
    ockham.UniqueRows.of: {
        "data": ROWS, "cardinalities": [2, 3], "source": "s", "missing": False, "weights": [1, 0, 2],
    },
    ockham.bipartite: {"hidden_cardinalities": [2], "observed_cardinalities": [2, 2], "prior": 1.0},
    ockham.naive_bayes: {"class_counts": [1, 2], "feature_cardinalities": [2, 2], "prior": 1.0, "divided": True},
    ockham.listed: {"structures": {"one": BUILD}},
    ockham.draw: {"network": NETWORK, "parameters": np.full(12, 0.4), "n": 3, "rng": np.random.default_rng(1)},
    ockham.scorers: {"model": NETWORK},
    ockham.read_table: {"source": ROWS, "missing": ["?"], "drop": (), "weights": [1, 0, 2], "header": True},
    ockham.read_mixed_table: {
        "source": ROWS, "types": {"x1": "poisson"}, "missing": ["?"], "drop": (), "weights": "x2", "header": True,
        "prior": MixedPrior(),
    },
    ockham.select: {
        "table": ROWS, "classes": [1, 2], "items": {"x1": "nominal"}, "weights": [1, 1, 2], "missing": ["?"],
        "drop": (), "header": True,
        "error": 0.1, "seconds": 1.0, "priors": [1.0], "seed": 0, "progress": False,
    },
    ockham.compare: {
        "models": {"one": ockham.DiscreteNetwork.build({"x1": 2, "x2": 3}, {"x2": ["x1"]}), "two": FREE},
        "table": ROWS, "weights": [1, 1, 2], "missing": ["?"], "drop": (), "header": True, "error": 0.1, "seconds": 1.0,
        "prior": 1.0, "seed": 0, "progress": False,
    },
    ockham.search: {
        "table": ROWS, "weights": [1, 1, 2], "missing": ["?"], "drop": (), "header": True, "starts": [FREE],
        "max_hidden": 1, "max_values": 2, "max_indegree": 1, "score": "cheeseman_stutz", "climbs": 1, "judged": 1,
        "error": 0.1, "seconds": 1.0, "prior": 1.0, "seed": 0, "progress": False,
    },
    ockham.evidence_by_size: {"network": NETWORK, "data": BITS, "sizes": [1, 2], "seed": 0, "progress": False},
    ockham.fit_classes: {
        "model": NETWORK, "data": ROWS, "labels": {"y1": ["no", "yes"]}, "n_draws": 100, "n_chains": 2, "seed": 0,
        "progress": False,
    },
    FITTED.predict: {"rows": ROWS},
    FITTED.log_predictive: {"rows": ROWS},
    FITTED.check: {"n_replicates": 20, "seed": 0},
    FITTED_MIXED.predict: {"rows": ROWS},
    FITTED_MIXED.log_predictive: {"rows": ROWS},
    FITTED_MIXED.check: {"n_replicates": 20, "seed": 0},
    ockham.average_classes: {"fits": [FITTED, FITTED], "weights": [0.5, 0.5]},
    ockham.arcs: {
        "table": ROWS, "max_indegree": 1, "equivalent_sample_size": 1.0, "prior": "graphs", "forbidden": [("x1", "x2")],
        "required": [], "seed": 1, "max_seconds": 1.0, "max_gigabytes": 0.01, "n_effective": 30, "n_steps": 3,
        "n_graphs": 1, "n_draws": 30, "exact": True, "progress": False,
    },
    arcs.estimate: {
        "data": FAMILY.read(SPACE, ROWS), "space": SPACE, "seed": 1, "max_seconds": 1.0, "max_bytes": 1e7,
        "n_effective": 30, "n_steps": 3, "n_graphs": 1, "exact": True,
    },
}  # fmt: skip
SCORERS = [(family, name) for family in MODELS for name in families.scorer_names(family)]
often = settings(max_examples=150, suppress_health_check=list(HealthCheck))


def ends_well(function, arguments):
    """Call, and let nothing through but the errors of Ockham, each with a message of one or few lines."""
    told = "nothing"
    try:
        return function(**arguments)
    except ockham.OckhamError as error:
        told = str(error)
    assert 0 < len(told) < 3000
    return None


def with_changes(draw, arguments, values):
    names = draw(st.lists(st.sampled_from(sorted(arguments)), min_size=1, max_size=3, unique=True))
    return arguments | {name: draw(values) for name in names}


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
@pytest.mark.parametrize("function", SOUND, ids=lambda function: function.__qualname__)
@often
@given(data=st.data())
def test_any_arguments_are_taken_or_refused(function, data):
    assert ends_well(function, SOUND[function]) is not None
    ends_well(function, with_changes(data.draw, SOUND[function], ANYTHING))


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
@pytest.mark.parametrize(("family", "scorer"), SCORERS, ids=map(".".join, SCORERS))
@settings(often, max_examples=60)
@given(data=st.data())
def test_any_score_is_computed_or_refused(family, scorer, data):
    model, rows = MODELS[family]
    quick = QUICK.get(f"{family}.{scorer}", {})
    sound = {"model": model, "data": rows, "scorer": scorer, "runs": 1, "seed": 0}
    few = st.sampled_from([1, 2]) | OTHERS | ARRAYS | st.floats() | st.booleans() | st.integers(max_value=0)
    changed = with_changes(data.draw, sound, ANYTHING) if data.draw(st.booleans()) else sound
    if changed["runs"] is not sound["runs"]:
        changed["runs"] = data.draw(few)
    names = sorted(families.scorer(family, scorer).Settings.model_fields)
    given = {name: data.draw(few) for name in data.draw(st.lists(st.sampled_from(names), max_size=2))}
    ends_well(ockham.score, changed | quick | given)


@settings(often, max_examples=300)
@given(data=ANYTHING)
@pytest.mark.parametrize("family", MODELS)
def test_any_data_are_read_or_refused(family, data):
    model, _ = MODELS[family]
    assert families.family(family).read(model, MODELS[family][1]).n == 3
    ends_well(families.family(family).read, {"model": model, "data": data})


def build(**changes):
    return lambda: ockham.DiscreteNetwork.build(**BUILD | changes)


def score(model=NETWORK, data=ROWS, scorer=None, **more):
    return lambda: ockham.score(model, data, scorer, **more)


MASKED = np.ma.masked_equal(BITS, 0)
CASES = {
    "no variables": (lambda: ockham.DiscreteNetwork.build({}, {}), "a network needs a variable"),
    "no parents": (build(parents=None), "parents: None must map names"),
    "a text as a list of parents": (build(parents={"a": "h"}), "parents of 'a': 'h' must be a list"),
    "a text as a list of hidden variables": (build(hidden="h"), "hidden: 'h' must be a list"),
    "a set of parents": (build(parents={"a": {"h"}}), "parents of 'a': {'h'} must be a list"),
    "a number as a name": (build(cardinalities={1: 2}), "name of a variable: 1 must be a text"),
    "a truth value as a prior": (build(prior=True), "the prior: True must be real numbers"),
    "a text as a prior": (build(prior="1.0"), "the prior: '1.0' must be real numbers"),
    "a complex prior": (build(prior=1j), "the prior: 1j must be real numbers"),
    "a complex prior of one variable": (build(prior={"a": np.ones(2) + 0j}), "the prior: .* must be real numbers"),
    "a masked prior": (build(prior={"a": np.ma.masked_equal([1.0, 2.0], 2)}), "the prior: .* has masked entries"),
    "a masked row of a prior": (build(prior={"a": [np.ma.masked_equal([1.0, 2.0], 2)]}), "the prior: .* has masked"),
    "an array as a truth value": (
        lambda: ockham.UniqueRows.of(ROWS, [2, 3], missing=np.ones(2)), "missing: .* must be True or False",
    ),
    "a number as a truth value": (lambda: ockham.naive_bayes([2], [2], divided=1), "divided: 1 must be True or False"),
    "arrays as cardinalities": (lambda: ockham.bipartite([np.ones(2), np.ones(2)], [2]), "hidden cardinalities: array"),
    "two variables of one name": (
        lambda: ockham.DiscreteNetwork(("a", "a"), (2, 2), ((), ()), (), np.ones(4)), "two variables have one name",
    ),
    "a truth value as runs": (score(runs=True), "runs: True must be an integer of at least 1"),
    "a float as a seed": (score(seed=1.0), "seed: 1.0 must be an integer"),
    "no model": (score(model=None), "model: NoneType is of no family"),
    "a class as a model": (score(model=ockham.DiscreteNetwork), "is of no family"),
    "what looks like a model": (score(model=SimpleNamespace(family_name="discrete_network")), "is no DiscreteNetwork"),
    "a list of scorers": (score(scorer=["em"]), "scorer: \\['em'\\] must be a text"),
    "no name of a scorer": (score(scorer=""), "scorer: '' must be a text"),
    "a state below -1": (score(data=[[0, 1], [-2, 1]]), "row 1, column 0 holds state -2; .*, and -1 where missing"),
    "a fraction where cells may be missing": (score(data=[[0.5, np.nan]]), "holds 0.5; states must be integers$"),
    "a list of masked rows for a network": (score(data=list(MASKED)), "the data: has masked cells"),
    "masked rows for a machine": (score(MACHINE, MASKED), "the data: has masked cells"),
    "a masked cell for a machine": (score(MACHINE, [[np.ma.masked, 1]]), "the data: has masked cells"),
    "masked rows for a space of graphs": (score(SPACE, MASKED), "the data: has masked cells"),
    "a table too wide for a space of graphs": (score(SPACE, np.zeros((1, 10**6), int)), "1000000 variables, 64 are"),
    "a truth value as units": (lambda: ockham.RestrictedBoltzmann(True, 2), "n_visible: True must be an integer"),
    "too many units": (lambda: ockham.RestrictedBoltzmann(10**30, 2), "n_visible: 10+ must be an integer of at most"),
    "a deviation whose square is 0": (lambda: ockham.RestrictedBoltzmann(2, 2, 1e-200), "deviation: 1e-200 must be"),
    "a number as nodes": (lambda: ockham.OrderSpace(2.0, 1), "n_nodes: 2.0 must be an integer"),
    "counts that are no array": (lambda: ockham.UniqueRows(np.array(BITS), [1, 2, 1]), "counts: must be an array"),
    "parameters of another network": (
        lambda: ockham.draw(NETWORK, np.ones(3), 5, np.random.default_rng(1)), "must be an array of 12 numbers",
    ),
    "a seed in place of a generator": (lambda: ockham.draw(NETWORK, np.ones(12), 5, 1), "rng: 1 is no generator"),
}  # fmt: skip


@pytest.mark.parametrize("path", ["a\0b", "a\ud800", "a" * 5000], ids=["zero byte", "half a character", "too long"])
@pytest.mark.parametrize(
    "call", [ockham.read_table, ockham.select, ockham.arcs, lambda path: structure_in(Path(path + ".bif"))]
)
def test_what_can_be_no_path_is_refused(call, path):
    with pytest.raises(ockham.OckhamError, match=r"cannot be read .*; give the path of a"):
        call(path)


@pytest.mark.parametrize("case", CASES)
def test_what_came_from_outside_is_refused(case):
    call, message = CASES[case]
    with pytest.raises(ockham.OckhamError, match=message):
        call()


def test_a_network_leaves_the_callers_prior_as_it_is():
    prior = np.ones(2)
    built = ockham.DiscreteNetwork.build({"a": 2}, {}, [], {"a": prior})
    for network in (ockham.DiscreteNetwork(("a",), (2,), ((),), (), prior), built):
        prior[0] = 3.0
        assert network.prior.tolist() == [1.0, 1.0]
        prior[0] = 1.0
        with pytest.raises(ValueError, match="read-only"):
            network.prior[0] = 2.0


def test_masked_cells_that_may_be_missing_are():
    rows = ockham.UniqueRows.of(np.ma.masked_equal([[0, 1], [1, 1]], 0), [2, 2], missing=True)
    assert rows.rows.tolist() == [[-1, 1], [1, 1]]
    with pytest.raises(ockham.DataError, match="the model allows"):
        ockham.UniqueRows.of(np.ma.array([[2**64 - 1]], dtype=np.uint64), [2], missing=True)


def test_an_estimate_of_arcs_needs_a_table_and_a_space():
    sound = SOUND[arcs.estimate]
    assert isinstance(sound["data"], CompleteTable)
    for name, value in (
        ("data", ROWS),
        ("space", NETWORK),
        ("max_bytes", 1),
        ("n_steps", 0),
        ("exact", 1),
        ("seed", True),
    ):
        with pytest.raises(ockham.OckhamError, match=name):
            arcs.estimate(**sound | {name: value})
