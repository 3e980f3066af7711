"""Claim: with categories alone, a mixture has the numbers of the discrete network of the same classes, to rounding.

Source of truth: the scorers of discrete networks and their fits from the same start, cells missing and rows weighted.
"""

import numpy as np
import pytest

from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import completions, em, variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.scorers import em as em_scorer
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import completions as network_completions
from ockham.networks.inference import em as network_em
from ockham.networks.inference import fit_scores
from ockham.networks.inference import variational_em as network_variational_em
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

VALUES, PRIOR = (2, 3, 4), 0.8
N_STEPS = 25


def case(n_classes, n, seed=0):
    """The network, the mixture, and the data as either takes them."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, VALUES, (n, len(VALUES)))
    rows[rng.random(rows.shape) < 0.15] = -1
    network = naive_bayes([n_classes], VALUES, PRIOR)[f"classes-{n_classes}"]
    model = FiniteMixture(n_classes, {f"x{i}": Categorical(r, PRIOR) for i, r in enumerate(VALUES)}, PRIOR)
    cells = np.where(rows == -1, np.nan, rows.astype(float))
    return network, model, UniqueRows.of(rows, VALUES, missing=True), MixedRows.of(cells, model.items, empty=True)


def laid_out(network, parameters):
    """Parameters of a mixture as the network has them: its class first, then each item, class by class."""
    ends = np.cumsum(VALUES)
    items = [parameters.natural[:, end - r : end].ravel() for r, end in zip(VALUES, ends, strict=True)]
    found = np.concatenate([parameters.log_weights, *items])
    assert len(found) == network.n_entries
    return found


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n", [1, 6])
def test_the_exact_evidence(n_classes, n):
    network, model, rows, data = case(n_classes, n)
    found = completions.log_evidence(model, Design.of(model, data))
    assert found == pytest.approx(network_completions.log_evidence(network, rows), rel=1e-12)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_em_from_the_same_start(n_classes, seed):
    network, model, rows, data = case(n_classes, 60, seed)
    design = Design.of(model, data)
    (start,) = starts(model, design, Stream(seed), 1)
    there = network_em.run(
        network, rows, laid_out(network, start), network.prior, max_iterations=N_STEPS, tolerance=1e-300
    )
    here = em.run(model, design, start, max_iterations=N_STEPS, tolerance=1e-300)
    assert here.log_likelihood == pytest.approx(there.log_likelihood, rel=1e-11)
    np.testing.assert_allclose(np.exp(laid_out(network, here.parameters)), there.parameters, rtol=1e-8)
    scores = fit_scores.map_scores(network, there, rows.n)
    completed = float(model.log_marginal(here.sums) - model.log_joint(here.parameters, here.sums))
    assert here.log_likelihood + completed == pytest.approx(scores["cheeseman_stutz"], rel=1e-11)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_variational_em_from_the_same_start(n_classes, seed):
    network, model, rows, data = case(n_classes, 60, seed)
    design = Design.of(model, data)
    (start,) = starts(model, design, Stream(seed), 1)
    there = network_variational_em.run(
        network, rows, laid_out(network, start), max_iterations=N_STEPS, tolerance=1e-300
    )
    begun = variational_em.begin(model, design, start)
    here = variational_em.run(model, design, begun, max_iterations=there.n_iterations - 1, tolerance=0.0)
    assert here.objective == pytest.approx(there.bound, rel=1e-11)


def test_the_penalty_of_bic():
    network, model, _, data = case(3, 60)
    assert model.n_parameters == network.n_parameters
    assert model.n_aliases == network.n_aliases
    found = em_scorer.score(model, data, em_scorer.Settings(n_starts=1), Stream(1))
    penalty = found["map"].log_evidence - found["bic"].log_evidence
    assert penalty == pytest.approx(network.n_parameters / 2 * np.log(60), rel=1e-12)


def test_another_prior_is_noticed():
    network, model, rows, data = case(2, 6)
    other = FiniteMixture(2, model.items, 1.5 * PRIOR)
    found = completions.log_evidence(other, Design.of(other, data))
    assert abs(found - network_completions.log_evidence(network, rows)) > 1e-3
