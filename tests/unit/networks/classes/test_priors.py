"""Models of a table are naive-Bayes networks with the prior that was named.

Source of truth: networks built by hand, and ``ockham.naive_bayes``.
"""

import numpy as np
import pytest

from ockham.errors import ConfigError, ModelError
from ockham.io.frames import read_table
from ockham.networks.classes.priors import Prior, class_model, distinct_rows
from ockham.networks.structure_space import naive_bayes

TABLE = read_table(np.array([[0, 0], [1, 2], [1, 1]]))


@pytest.mark.parametrize(
    ("given", "prior", "name"),
    [
        (1, Prior(1.0), "Dirichlet 1"),
        (0.5, Prior(0.5), "Dirichlet 0.5"),
        ("2", Prior(2.0), "Dirichlet 2"),
        ("bdeu:1", Prior(1.0, True), "BDeu, equivalent sample size 1"),
    ],
)
def test_a_prior_is_named_by_what_was_given(given, prior, name):
    assert Prior.of(given) == prior
    assert prior.name == name


@pytest.mark.parametrize("given", [0, -1, "uniform", "bdeu:", "bdeu:0", None, True, [1], "nan", 1e300])
def test_anything_else_is_refused(given):
    with pytest.raises(ConfigError, match="prior"):
        Prior.of(given)


@pytest.mark.parametrize("n_classes", [1, 2, 3])
@pytest.mark.parametrize("is_divided", [False, True])
def test_the_model_is_the_mixture_under_the_prior(n_classes, is_divided):
    found = class_model(TABLE, n_classes, Prior(0.7, is_divided))
    expected = naive_bayes([n_classes], [2, 3], 0.7, divided=is_divided)[f"classes-{n_classes}"]
    assert found.digest == expected.digest
    assert found.names == (*(["class"] if n_classes > 1 else []), "x1", "x2")
    if is_divided:
        for i in range(found.n_variables):
            assert found.family(i, found.prior).sum() == pytest.approx(0.7)


def test_an_item_may_be_called_class():
    table = read_table(np.array([["class", "class_"], ["0", "0"], ["1", "1"]]).tolist()[1:])
    named = type(table)(("class", "class_"), table.categories, table.states)
    assert class_model(named, 2, Prior(1.0)).names == ("class__", "class", "class_")


def test_rows_are_counted_by_weight():
    table = read_table(np.array([[0, 0], [1, 2], [1, 1], [0, 0]]), weights=[1, 1, 2, 3])
    found = distinct_rows(table)
    assert found.rows.tolist() == [[0, 0], [1, 1], [1, 2]]
    assert found.counts.tolist() == [4, 2, 1]


def test_a_model_too_large_is_refused():
    with pytest.raises(ModelError, match="parameters"):
        class_model(read_table(np.arange(10).repeat(2000).reshape(10, -1)), 1000, Prior(1.0))
