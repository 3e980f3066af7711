"""What figures draw is in tables too: scores minus the Candidate's, what they select, and costs.

Source of truth: values by hand.
"""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from ockham.papers.chickering_heckerman_1997 import PAPER
from ockham.papers.chickering_heckerman_1997.figure_numbers import (
    costs_by_size,
    scores_by_classes,
    selected_by_condition,
    sensitivity_to_priors,
)
from ockham.papers.claims.stored import read_stored

SCORES = {"candidate": [-30.0, -20.0, -22.0], "laplace": [-30.0, -21.5, np.nan], "bic_ml": [-30.0, -40.0, -50.0]}


@pytest.fixture
def summaries():
    """Candidate selects two classes of three, BIC one; its score of three classes is doubted."""
    values = np.array([*SCORES.values()])
    both = np.stack([values, values - 5])[:, :, None, None].transpose(1, 0, 2, 3, 4)
    data = xr.Dataset(
        {
            "log_evidence": (("score", "alias_correction", "replicate", "n", "structure"), both),
            "doubt": (("score", "replicate", "n", "structure"), np.zeros((3, 1, 1, 3), np.uint8)),
            "selected": (("score", "alias_correction", "replicate", "n"), np.array([1, 1, 0]).reshape(3, 1, 1, 1)
                         * np.ones((1, 2, 1, 1))),
            "separation": (("replicate", "n"), [[0.98761]]),
            "n_hidden_configurations": ("structure", [1, 2, 3]),
        },
        {
            "score": [*SCORES], "alias_correction": ["log_aliases", "none"], "replicate": [1], "n": [400],
            "structure": ["classes-1", "classes-2", "classes-3"],
        },
    )  # fmt: skip
    data.doubt[0, 0, 0, 2] = 1
    costs = xr.Dataset(
        {"seconds": (("quantity", "structure"), [[1.0, 2.0], [0.1, 0.2]]), "n_parameters": ("structure", [11, 7])},
        {"quantity": ["em_map", "laplace"], "structure": ["classes-3", "classes-2"]},
    )
    groups = {"inside": data, "cost_curves": costs}
    return xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": "inside"}), **groups})


def declared(name):
    about = read_stored(PAPER).tables[name]
    return {*about.rows, *about.columns}


def test_scores_are_minus_the_candidates(summaries):
    table = scores_by_classes(summaries, PAPER)
    assert set(table.columns) <= declared("scores_by_classes")
    assert table[["condition", "n", "classes", "beyond"]].values.tolist() == [
        ["inside", 400, 1, -1], ["inside", 400, 2, 0], ["inside", 400, 3, 1]
    ]  # fmt: skip
    assert table["Candidate"].tolist() == ["-30.00", "-20.00", "-22.00 ?"]
    assert table["height"].tolist() == [10, 10, 10]
    assert table["Laplace"].tolist()[:2] == [0, -1.5]
    assert np.isnan(table["Laplace"][2])
    assert table["BIC ML"].tolist() == [0, -20, -28]


def test_what_is_selected(summaries):
    summaries["inside"].doubt.loc[{"score": "laplace", "structure": "classes-2"}] = 1
    table = selected_by_condition(summaries, PAPER)
    assert set(table.columns) <= declared("selected_by_condition")
    row = table.iloc[0]
    assert row[["separation", "Candidate", "Laplace", "BIC ML", "Block"]].tolist() == [0.9876, "2", "2*", "1", ""]
    assert row["no Laplace"] == 1
    assert pd.isna(row["no Block"])


def test_sensitivity_is_the_range_over_priors(summaries):
    """One nat more under one of them by Candidate, two less under another by BIC; what lacks a value is unknown."""
    groups = {name: summaries["inside"].to_dataset().copy(deep=True) for name in ("classes_8", "prior_1", "prior_01")}
    groups["prior_1"].log_evidence.loc[{"score": "candidate"}] += 1
    groups["prior_01"].log_evidence.loc[{"score": "bic_ml"}] -= 2
    groups["prior_01"].log_evidence.loc[{"score": "laplace", "structure": "classes-2"}] = 7
    groups["prior_1"].log_evidence.loc[{"score": "bic_ml", "structure": "classes-3"}] = np.nan
    table = sensitivity_to_priors(xr.DataTree.from_dict(groups), PAPER)
    assert set(table.columns) <= declared("sensitivity_to_priors")
    assert table["classes"].tolist() == [2, 3]
    assert table["Candidate"].tolist() == [1, 1]
    assert table["BIC ML"][0] == 2
    assert np.isnan(table["BIC ML"][1])
    assert table["Laplace"][0] == 28.5
    assert np.isnan(table["Laplace"][1])


def test_costs_are_by_the_number_of_parameters(summaries):
    table = costs_by_size(summaries, PAPER)
    assert set(table.columns) <= declared("costs_by_size")
    assert table.values.tolist() == [[7, 2.0, 0.2], [11, 1.0, 0.1]]
