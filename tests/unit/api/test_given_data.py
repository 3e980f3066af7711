"""What users have their data in is taken by every function that needs them, or refused in words.

Sources of truth: the same rows as an array; exact values.
"""

import numpy as np
import pandas as pd
import pytest

import ockham

ROWS = np.array([[0, 1], [2, 1], [0, 0], [2, 1]])
FRAME = pd.DataFrame(ROWS, columns=["a", "b"])


def network(prior):
    return ockham.DiscreteNetwork.build({"a": 3, "b": 2}, {"b": ["a"]}, prior=prior)


def exact(model, data):
    return ockham.score(model, data, "exact")["exact"].log_evidence


def test_distinct_rows_and_whole_numbers_that_may_be_missing_are_taken():
    model = ockham.DiscreteNetwork.build({"s": 2, "a": 3, "b": 2}, {"a": ["s"], "b": ["s"]}, hidden=["s"])
    expected = exact(model, ROWS)
    assert exact(model, ockham.UniqueRows.of(ROWS, [3, 2])) == expected
    assert exact(model, FRAME.astype("Int64")) == expected
    gap = FRAME.astype("Int64")
    gap.loc[1, "b"] = pd.NA
    assert exact(model, gap) == exact(model, np.where([[0, 0], [0, 1], [0, 0], [0, 0]], -1, ROWS))
    with pytest.raises(ockham.DataError, match=r"the data have 1 columns .*; the network observes 2 variables"):
        exact(model, ockham.UniqueRows.of(ROWS[:, :1], [3]))
    with pytest.raises(ockham.DataError, match="states must be integers, got dtype object"):
        exact(model, FRAME.astype(object).replace({0: "no"}))


def test_what_a_selection_read_is_scored():
    table = ockham.read_table(pd.DataFrame({"a": [0, 1, 1, 0] * 5, "b": [1, 1, 0, 0] * 5, "c": [0, 1] * 10}))
    found = ockham.select(table, [1, 2], progress=False)
    assert exact(found.models[1], found.data) == exact(found.models[1], table)


@pytest.mark.parametrize("scorer", ["laplace", "laplace_sum", "nested_map"])
def test_rows_without_any_value_are_scored(scorer):
    model = ockham.naive_bayes([2], [2, 2])["classes-2"]
    """By an approximation to the prior, which is none of nothing."""
    assert all(np.isfinite(each.log_evidence) for each in ockham.score(model, [[-1, -1]], scorer, runs=1).values())


def test_states_that_hyperparameters_tell_apart_are_not_guessed():
    """Of a table that lacks one, where the others would change the evidence; not where they would not."""
    uneven = network({"a": [0.5, 1, 20]})
    with pytest.raises(ockham.ModelError, match="variable 'a' has 3 values with hyperparameters that differ, its col"):
        ockham.compare({"one": uneven, "other": uneven}, FRAME, progress=False)
    even = ockham.compare({"one": network(0.5), "other": network(1.0)}, FRAME, progress=False)
    assert even.evidences["one"].log_evidence == exact(network(0.5), ROWS)
    with_all = pd.DataFrame({"a": [0, 1, 2, 2], "b": [0, 1, 1, 0]})
    found = ockham.compare({"one": uneven, "other": uneven}, with_all, progress=False)
    assert found.evidences["one"].log_evidence == exact(uneven, with_all)


def test_arcs_warn_of_columns_that_may_be_something_else():
    table = pd.DataFrame({"a": [0, 1, 1, 0] * 5, "b": [1, 1, 0, 0] * 5, "c": [7] * 20})
    with pytest.warns(ockham.OckhamWarning, match="column 'c': left out: every cell that is not missing is '7'"):
        found = ockham.arcs(table, progress=False)
    assert found.names == ("a", "b")


def test_an_interval_has_a_probability():
    found = ockham.evidence(ockham.naive_bayes([2], [2, 2])["classes-2"], [[0, 1]], progress=False)
    assert found.interval(0.5) == (found.log_evidence, found.log_evidence)
    for wrong in (95, 1.5, -1, np.nan):
        with pytest.raises(ockham.ConfigError, match=r"probability: .* must be from 0 to 1"):
            found.interval(wrong)
