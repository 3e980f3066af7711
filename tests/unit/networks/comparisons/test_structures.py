"""Models that cannot be compared are refused in one sentence, before any work, with names and the remedy.

Source of truth: the list of what is wrong.
"""

import numpy as np
import pytest
from reference.foreign_models import STATES_OF, bif, graph

import ockham
from ockham.networks.comparisons import comparing

GOOD = graph({"y": ["x"]}, z={})
NETWORK = ockham.DiscreteNetwork.build({"x": 2, "y": 2, "z": 3}, {})


class Hostile:
    def __getattr__(self, name):
        raise (RuntimeError if name == "predecessors" else AttributeError)(name)


def cyclic():
    return graph({"x": ["y"], "y": ["z"], "z": ["x"]})


@pytest.mark.parametrize(
    ("model", "error", "words"),
    [
        (graph({"x": ["h"]}, y={}, z={}), ockham.ModelError, "model 'bad': hidden variable 'h' has no cardinality"),
        (graph({"x": ["y"]}), ockham.ModelError, r"'bad': does not use column 'z', .* \(drop='z', --drop\)"),
        (graph({"a": ["b"]}), ockham.ModelError, "'bad': has no variable of the table, .* 'x', 'y', 'z'"),
        (cyclic(), ockham.ModelError, "'bad': the parents form a cycle among"),
        (graph({}, x={"hidden": True, "cardinality": 2}, y={}, z={}), ockham.ModelError,
         "hidden variable 'x' is a column of the table; drop"),
        (graph({}, x={}, y={}, z={}, w={"hidden": False}), ockham.ModelError, "observed variable 'w' has no column"),
        (graph({}, x={}, y={}, z={"cardinality": 2}), ockham.ModelError, r"'z' has 2 values, its column 3 states"),
        (graph({}, x={}, y={}, z={"cardinality": "many"}), ockham.ModelError, "cardinality of 'z': 'many' must be"),
        (graph({}, x={"hidden": "no"}, y={}, z={}), ockham.ModelError, "hidden of 'x': 'no' must be True or False"),
        (graph({1: ["x"]}, y={}, z={}), ockham.ModelError, "'bad': name of a variable: 1 must be a text"),
        (GOOD.to_undirected(), ockham.ModelError, "'bad': 'Graph' is no model"),
        (5, ockham.ModelError, "'bad': 'int' is no model; give a DiscreteNetwork, the path"),
        (Hostile(), ockham.ModelError, "'bad': 'Hostile' cannot be read .* give"),
        (ockham.DiscreteNetwork.build({"x": 2, "y": 2}, {}), ockham.ModelError, "does not use column 'z'"),
        ("nowhere.bif", ockham.DataError, "nowhere.bif: cannot be read"),
        ("nowhere.yaml", ockham.ConfigError, "nowhere.yaml: cannot be read"),
        ("model.xml", ockham.ModelError, "model.xml: is neither a .bif nor a .yaml file"),
    ],
)  # fmt: skip
def test_bad_models(model, error, words, tiny, monkeypatch):
    monkeypatch.setattr(comparing, "compared", None)
    with pytest.raises(error, match=words) as caught:
        ockham.compare({"good": GOOD, "bad": model}, tiny)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cardinalities: {x: 1}", "cardinalities.x: Input should be greater than or equal to 2"),
        ("parents: {x: [y]}", "cardinalities: Field required"),
        ("cardinalities: {x: 2, y: 2, z: 3}\nspace: listed", "space: unknown key"),
        ("cardinalities: {x: 2, y: 2, z: 3}\nparents: {x: [w]}", "unknown variable 'w'"),
        ("cardinalities: {x: 2, y: 2, z: 3}\nparents: {x: [y], y: [x]}", "cycle among x, y"),
        ("cardinalities: {x: 2, y: 2, z: 3}\n1: 2", "file.yaml: "),
        ("cardinalities: {x: 2, y: 2, z: 3, w: 2}", "observed variable 'w' has no column in the table; name it"),
    ],
)  # fmt: skip
def test_bad_yaml(text, words, tiny, tmp_path):
    path = tmp_path / "file.yaml"
    path.write_text(text)
    with pytest.raises(ockham.OckhamError, match=words):
        ockham.compare([path, GOOD], tiny)


def test_a_state_that_the_file_lacks_is_refused_and_one_that_the_table_lacks_counts(tiny, tmp_path):
    path = tmp_path / "file.bif"
    path.write_text(bif({**STATES_OF, "z": ["a", "b", "d"]}, {}))
    with pytest.raises(ockham.ModelError, match="'z' lacks the state 'c' of the table, its states are 'a', 'b', 'd'"):
        ockham.compare([path, GOOD], tiny)
    path.write_text(bif({**STATES_OF, "z": ["d", "c", "b", "a"]}, {}))
    found = ockham.compare([path, GOOD], tiny, progress=False)
    assert dict(zip(found.models["file"].names, found.models["file"].cardinalities, strict=True))["z"] == 4


def test_a_column_that_reading_left_out_is_not_taken_for_a_hidden_variable(tiny, tmp_path):
    constant = tiny.assign(w="a")
    models = {"one": graph({"x": ["w"]}, y={}, z={}, w={"cardinality": 2}), "two": GOOD}
    with pytest.raises(ockham.ModelError, match="column 'w' was left out of the table, having fewer than two states"):
        ockham.compare(models, constant)
    found = ockham.compare(models, constant, drop="w", progress=False)
    assert found.models["one"].hidden == (0,)


def test_a_prior_of_the_file_counts_more_than_the_common_one(tiny, tmp_path):
    for name, more in (("own", "prior: 0.5"), ("common", "")):
        (tmp_path / f"{name}.yaml").write_text(f"cardinalities: {{x: 2, y: 2, z: 3}}\n{more}")
    found = ockham.compare([tmp_path / "own.yaml", tmp_path / "common.yaml"], tiny, prior="bdeu:6", progress=False)
    assert set(found.models["own"].prior) == {0.5}
    np.testing.assert_allclose(found.models["common"].prior, [3] * 4 + [2] * 3)


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ([GOOD], "models: must be 2 to 100"),
        (GOOD, "x: is neither"),
        ("a.bif", "models: 'a.bif' must be a list"),
        (["a/m.bif", "b/m.yaml"], "models: two are called 'm'; rename one, or give a mapping"),
        ({1: GOOD, "two": GOOD}, "name of a model: 1 must be a text"),
    ],
)
def test_bad_lists_of_models(models, words, tiny):
    with pytest.raises(ockham.OckhamError, match=words):
        ockham.compare(models, tiny)


@pytest.mark.parametrize(
    ("change", "words"),
    [({"error": 0}, "error: "), ({"seconds": "x"}, "seconds: "), ({"prior": "x"}, "prior: "), ({"seed": -1}, "seed: "),
     ({"progress": 2}, "progress: "), ({"drop": "w"}, "has no column 'w'")],
)  # fmt: skip
def test_bad_arguments(change, words, tiny):
    with pytest.raises(ockham.OckhamError, match=words):
        ockham.compare([GOOD, NETWORK], tiny, **change)
