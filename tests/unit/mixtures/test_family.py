"""Claim: ``ockham.evidence`` of a mixture is exact where that is cheap, and else within its error; summaries have all
that figures of any study take.

Sources of truth: the exact evidence; the closed form of one class; the groups that the functions of summaries return.
"""

import numpy as np
import pytest
import xarray as xr
from reference.mixed_items import mixture, sample_rows

import ockham
from ockham.errors import ModelError
from ockham.mixtures.family import FAMILY
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Poisson
from ockham.mixtures.summaries import summarise


def test_a_small_table_has_an_exact_evidence():
    model = mixture(3)
    rows = sample_rows(model, np.random.default_rng(1), 10)
    found = ockham.evidence(model, rows)
    assert str(found).startswith(f"{found.log_evidence:.2f} (exact")
    assert found.log_evidence == ockham.score(model, rows, "exact")["exact"].log_evidence


def test_the_evidence_of_numbers_and_counts_says_what_it_rests_on():
    items = {"colour": Categorical(2), "height": Gaussian(), "share": Binomial(3), "visits": Poisson()}
    rows = [[0, 1.5, 2, 3], [1, 0.5, 1, 0]]
    found = ockham.evidence(FiniteMixture(1, items), rows)
    assert str(found).endswith("(exact; it rests on the priors of 'height', 'visits')")
    score = ockham.score(FiniteMixture(1, items), rows, runs=1)["variational_bayes"]
    assert score.rests_on == "it rests on the priors of 'height', 'visits'"
    categories = {"colour": Categorical(2), "share": Binomial(3)}
    assert found.rests_on == found.evidence.rests_on == score.rests_on
    assert str(ockham.evidence(FiniteMixture(1, categories), [[0, 2], [1, 1]])).endswith("(exact)")


def test_what_takes_no_prior_rests_on_none():
    scores = ockham.score(FiniteMixture(1, {"height": Gaussian()}), [[1.5], [0.5], [2.0]], "em_ml", runs=1)
    assert {name: bool(one.rests_on) for name, one in scores.items()} == {
        "maximum_likelihood": False,
        "bic_ml": False,
        "cheeseman_stutz_ml": True,
    }


def test_a_larger_table_has_one_that_two_samplers_agree_about():
    model = mixture(2)
    rows = sample_rows(model, np.random.default_rng(2), 25)
    found = ockham.evidence(model, rows, seconds=60)
    assert found.trusted
    assert found.standard_error <= 0.1
    assert {run.scorer for run in found.runs} == {"vb", "bridge", "smc"}
    bound = next(run.evidence.log_evidence for run in found.runs if run.scorer == "vb")
    assert bound < found.log_evidence


def test_another_model_is_refused():
    with pytest.raises(ModelError, match="is no FiniteMixture"):
        FAMILY.read(ockham.RestrictedBoltzmann(2, 1), [[0, 1]])


def store(condition):
    """One score of two structures, five replicates."""
    shape = (5, 1, 2, 1)
    values = np.random.default_rng(1).normal(-50, 3, shape)
    dims = ("replicate", "n", "structure", "run")
    about = {"units": "nats", "long_name": "v", "bound": "lower", "local": 1, "over_runs": "max"}
    group = xr.Dataset({"variational_bayes": (dims, values, about)}, attrs={"scorer": "vb", "role": ""})
    labels = ["classes-1", "classes-2"]
    group = group.assign_coords(replicate=range(1, 6), n=[10], structure=labels, run=[0])
    root = xr.Dataset(
        {"n_parameters": ("structure", [3, 7]), "log_aliases": ("structure", [0.0, np.log(2)])},
        coords={"structure": labels},
        attrs={"study": "s", "condition": condition, "true_structure": "classes-2"},
    )
    return xr.DataTree.from_dict({"/": root, "/vb": group})


def test_a_study_has_the_groups_that_any_study_has():
    found = summarise({"s": store("")}, {})
    assert set(found.children) == {"best", "ranks", "posteriors", "over_replicates", "league"}
    assert found["best"].log_evidence.sizes["score"] == 1


def test_conditions_have_them_each():
    found = summarise({"few": store("few"), "many": store("many")}, {})
    assert set(found.children) == {"few", "many"}
    assert found.attrs["conditions"] == "few many"
    assert "posteriors" in found["many"].children
