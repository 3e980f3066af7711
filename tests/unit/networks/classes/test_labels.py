"""Claim: chains that differ, draws that are few and labels that are uncertain are told, class by class.

Truth: made-up draws of which each is known, and a table whose symmetry leaves no label certain.
"""

import numpy as np
import pytest

from ockham import OckhamWarning, fit_classes
from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation import chain_agreement
from ockham.networks.classes.labels import label_certainty
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.classes.sampling import labelled
from ockham.networks.dirichlet import sample_log
from ockham.networks.structure_space import naive_bayes

MODEL = LatentClassModel.of(naive_bayes([3], [2] * 4)["classes-3"])
CENTRES = np.array([[90, 70, 50, *[90, 10] * 4, *[10, 90] * 4, *[90, 10] * 2, *[10, 90] * 2]])
N_CHAINS, N_DRAWS = 4, 500


def verdict(model, draws):
    return chain_agreement.verdict(model.of_classes(draws), label_certainty(model, draws.reshape(-1, draws.shape[-1])))


def draws_about(shapes, seed=1):
    """Independent Dirichlet draws about class sizes and profiles, one row of shapes for all chains or for each."""
    rng, network = np.random.default_rng(seed), MODEL.network
    by_entry = np.empty((N_CHAINS, network.n_entries))
    by_entry[:, MODEL.class_entries[:, 0]] = np.atleast_2d(shapes)[:, :3]
    by_entry[:, MODEL.class_entries[:, 1:]] = np.atleast_2d(shapes)[:, 3:].reshape(-1, 3, 8)
    return np.array([[sample_log(network, rng, shape) for _ in range(N_DRAWS)] for shape in by_entry])


def test_chains_that_agree_are_known():
    found = verdict(MODEL, draws_about(CENTRES))
    assert found.known.all()
    assert found.doubt == NO_DOUBT
    assert found.reasons == ()
    assert (found.label_certainty > 0.999).all()
    assert (found.effective_sample_size > 1000).all()


def test_a_class_that_one_chain_has_elsewhere_is_not_known():
    shapes = np.repeat(CENTRES, N_CHAINS, axis=0)
    shapes[2, 3 + 2 * 8 :] = np.roll(shapes[2, 3 + 2 * 8 :], 1)
    found = verdict(MODEL, draws_about(shapes))
    assert found.known.tolist() == [True, True, False]
    assert found.doubt & Doubt.NOT_MIXED
    assert found.reasons[0].startswith("class 3: the chains differ, as if they kept to different modes (split R-hat")


def test_draws_that_hardly_move_are_few():
    """Each fifty times over, in an order in which the chains agree."""
    slow = np.repeat(draws_about(CENTRES)[:, :5], 100, axis=1)
    alike = np.concatenate([slow, slow[:, ::-1]], axis=1)[[0, 0, 0, 0]]
    found = verdict(MODEL, alike)
    assert not found.known.any()
    assert found.doubt & Doubt.FEW_EFFECTIVE_SAMPLES


@pytest.mark.parametrize("others", [[40, 60], [10, 90]])
def test_two_classes_of_one_profile_are_not_told_apart(others):
    shapes = CENTRES.copy()
    shapes[0, 1:3], shapes[0, 3 + 8 :] = 60, others * 8
    found = verdict(MODEL, labelled(MODEL, draws_about(shapes)))
    assert sorted(found.known.tolist()) == [False, False, True]
    assert found.doubt == NO_DOUBT
    assert "labels switch too often to tell them apart" in found.reasons[0]


def test_a_prior_that_tells_classes_apart_does_so():
    network = MODEL.network
    prior = network.prior.copy()
    prior[:3] = 1.0, 2.0, 3.0
    model = LatentClassModel.of(type(network)(*[getattr(network, name) for name in (
        "names", "cardinalities", "parents", "hidden"
    )], prior))  # fmt: skip
    shapes = CENTRES.copy()
    shapes[0, 1:3], shapes[0, 3 + 8 :] = 60, 50
    assert verdict(model, draws_about(shapes)).known.all()


@pytest.mark.parametrize("seed", range(3))
def test_classes_of_partitions_that_cross_are_not_told_apart(seed):
    """Rows go by the first two items or by the last two, and which class of one is which of the other nothing says."""
    rows = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1]]).repeat(3, axis=0)
    with pytest.warns(OckhamWarning, match="labels switch too often to tell them apart"):
        found = fit_classes(naive_bayes([2], [2] * 4)["classes-2"], rows, seed=seed, progress=False)
    assert not found.known.any()
    assert found.doubt == NO_DOUBT
    assert label_certainty(found.model, found.points).min() > 0.95  # of each draw by itself
