"""Claim: bridge sampling, sequential Monte Carlo and the Candidate method are the evidence within their errors.

Source of truth: the sum over all set partitions. Names of the classes that are not averaged over, and sweeps on other
rows, must be noticed. What bridge sampling doubts is tested on bridges whose numbers are set by hand.
"""

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, small_table

from ockham.contracts import Doubt
from ockham.errors import ModelError
from ockham.estimation import waste_free
from ockham.estimation.bridge_sampling import Bridge
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Sums
from ockham.mixtures.inference import bridging, completed, em, particles
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.gibbs import Sweep
from ockham.mixtures.items.binomial import Binomial
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.items.ordered import Ordered
from ockham.mixtures.items.poisson import Poisson
from ockham.mixtures.scorers import bridge, candidate, exact, smc
from ockham.streams import Stream

QUICK = {
    bridge: {"n_starts": 8, "n_burn_in": 100, "n_draws": 300, "max_draws": 600},
    smc: {"n_passes": 12, "n_chains": 32, "n_states": 8},
    candidate: {"n_sweeps": 2000},
}
SPARSE_ITEMS = [  # the last of each has a hyperparameter just below .1
    ({"category": Categorical(3, 0.1)}, {"category": Categorical(3, 0.09)}),
    ({"ordering": Ordered(4, 0.4)}, {"ordering": Ordered(4, 0.39)}),
    ({"count": Poisson(3.0, 0.1)}, {"count": Poisson(3.0, 0.09)}),
    ({"share": Binomial(5, 0.1)}, {"share": Binomial(5, 0.09)}),
]
every_sampler = pytest.mark.parametrize("sampler", QUICK, ids=lambda module: module.__name__.rpartition(".")[2])


def deviations(sampler, n_tables=8, n=8):
    """From the evidence, in standard errors, of the estimates that are trusted."""
    found = []
    for seed in range(n_tables):
        model, data = mixture(2 + seed % 2), small_table(mixture(2), seed, n)
        truth = exact.score(model, data, exact.Settings(), Stream(seed))["exact"].log_evidence
        (one,) = sampler.score(model, data, sampler.Settings(**QUICK[sampler]), Stream(seed)).values()
        if one.trusted:
            found.append((one.log_evidence - truth) / one.standard_error)
    assert len(found) > n_tables / 2
    return np.array(found)


@every_sampler
def test_the_evidence_is_within_the_error(sampler):
    found = deviations(sampler)
    assert np.abs(found).max() < 5
    assert abs(found.mean()) < 4 / np.sqrt(len(found))


@pytest.mark.parametrize("sampler", [bridge, candidate], ids=["bridge", "candidate"])
def test_names_that_are_added_and_not_averaged_over_are_noticed(sampler, monkeypatch):
    monkeypatch.setattr(completed, "lgamma", lambda _: 0.0)
    with pytest.raises(AssertionError):
        assert np.abs(deviations(sampler)).max() < 5


def test_sweeps_on_other_rows_are_noticed(monkeypatch):
    right = Design.complete
    monkeypatch.setattr(Design, "complete", lambda self, *given: right(self.part(np.zeros(4, dtype=int)), *given))
    with pytest.raises(AssertionError):
        assert np.abs(deviations(smc)).max() < 5


def test_with_one_class_the_bridge_is_exact():
    model, data = mixture(1), small_table(mixture(1), 1, 30)
    truth = exact.score(model, data, exact.Settings(), Stream(1))["exact"].log_evidence
    found = bridge.score(model, data, bridge.Settings(**QUICK[bridge]), Stream(1))["bridge_sampling"]
    assert found.trusted
    assert found.log_evidence == pytest.approx(truth, abs=1e-8)
    assert found.standard_error < 1e-8


def test_modes_that_chains_do_not_leave_are_no_trusted_numbers_or_are_right():
    """Two far clusters under sparse weights of classes."""
    model = FiniteMixture(3, {"x": Gaussian(0.0, 1.0)}, 0.01)
    data = MixedRows.of([[-40.0], [-41.0], [40.0], [41.0], [39.0]], model.items)
    found = bridge.score(model, data, bridge.Settings(**QUICK[bridge]), Stream(1))["bridge_sampling"]
    assert found.doubt & Doubt.NOT_MIXED
    one = candidate.score(model, data, candidate.Settings(**QUICK[candidate]), Stream(1))["candidate"]
    assert one.doubt & Doubt.NOT_MIXED


def test_a_chain_at_one_completion_is_doubted():
    model = FiniteMixture(2, {"x": Gaussian(0.0, 1.0)}, 1.0)
    data = MixedRows.of([[-900.0], [-900.5], [900.0], [901.0]], model.items)
    found = candidate.score(model, data, candidate.Settings(n_sweeps=100), Stream(1))["candidate"]
    assert found.doubt & Doubt.NOT_MIXED


ONE_IN_FIFTY = np.where(np.arange(1000) % 50 == 0, 0.0, -50.0)
HALVES = np.repeat([0.0, -5.0], 500)


def of_densities(monkeypatch, chains, at_the_point=-np.inf):
    """What the Candidate method says of chains whose densities are given, and that at the completion of its point."""
    given = iter([np.array([[at_the_point]]), chains.ravel()[None]])
    monkeypatch.setattr(candidate, "log_densities", lambda *_: next(given))
    model, data = mixture(2), small_table(mixture(2), 1, 6)
    n_chains, n_sweeps = chains.shape
    chosen = candidate.Settings(n_starts=1, n_chains=n_chains, n_burn_in=5, n_sweeps=n_sweeps)
    return candidate.score(model, data, chosen, Stream(1))["candidate"]


@pytest.mark.parametrize("n_chains", [1, 4])
@pytest.mark.parametrize("log_density", [ONE_IN_FIFTY, HALVES], ids=["few sweeps", "few batches"])
def test_a_mean_density_of_few_sweeps_or_of_few_batches_is_doubted(monkeypatch, log_density, n_chains):
    """Each where the other looks well: twenty sweeps, one in each batch; ten of the twenty batches."""
    found = of_densities(monkeypatch, np.tile(log_density, (n_chains, 1)))
    assert found.doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert found.degrees_of_freedom == {1: 19, 4: 3}[n_chains]


@pytest.mark.parametrize("n_chains", [1, 4])
@pytest.mark.parametrize(("first", "doubted"), [(8.0, True), (2.0, False)], ids=["left", "near"])
def test_chains_that_left_the_mode_of_the_point_for_good_are_doubted(monkeypatch, first, doubted, n_chains):
    """Of 1000 sweeps, 3 like the completion of the point add a 20th from ln(1000 / 60) = 2.8 on."""
    others = np.random.default_rng(3).normal(0, 0.1, (n_chains, 1000))
    found = of_densities(monkeypatch, others, first)
    assert bool(found.doubt & Doubt.NOT_MIXED) is doubted
    assert found.trusted is not doubted


def test_a_chain_that_comes_back_to_the_mode_of_the_point_is_not(monkeypatch):
    returned = np.random.default_rng(3).normal(0, 0.1, (1, 1000))
    returned[0, 500:503] = 8.0  # as rare as what is taken to be unseen
    assert not of_densities(monkeypatch, returned, 8.0).doubt & Doubt.NOT_MIXED


@pytest.mark.parametrize(("rounding", "doubt"), [(1e-12, Doubt.NOT_MIXED), (1e-3, Doubt(0))])
def test_chains_at_one_completion_under_other_names_are_doubted(monkeypatch, rounding, doubt):
    assert of_densities(monkeypatch, np.random.default_rng(3).normal(0, rounding, (4, 1000))).doubt == doubt


def test_densities_are_those_of_the_sweeps_of_each_chain_after_burn_in(monkeypatch):
    """Sums that are told apart, of two chains and six sweeps, of which the first four are burn-in."""
    model, data = mixture(2), small_table(mixture(2), 1, 6)
    swept = [
        Sweep(None, Sums(*(np.stack([part + 10 * chain + k for chain in (1, 2)]) for part in model.nothing)))
        for k in range(24)
    ]
    given = []
    monkeypatch.setattr(candidate.gibbs, "sweeps", lambda *_: iter(swept))
    monkeypatch.setattr(
        candidate,
        "log_densities",
        lambda *about: given.append(about[2].cases[:, 0]) or np.zeros((1, len(about[2].cases))),
    )
    candidate.score(model, data, candidate.Settings(n_starts=1, n_chains=2, n_burn_in=4, n_sweeps=20), Stream(1))
    np.testing.assert_array_equal(given[1], [*range(14, 34), *range(24, 44)])


@pytest.mark.parametrize(("visits", "doubt"), [(120, Doubt(0)), (60, Doubt.FEW_EFFECTIVE_SAMPLES)])
def test_a_mean_density_of_few_sweeps_of_all_chains_is_doubted(monkeypatch, visits, doubt):
    """Of 4000 sweeps a tenth must count; chains and batches are all alike."""
    chain = np.where(np.arange(1000) % (1000 // visits) == 0, 0.0, -50.0)
    assert of_densities(monkeypatch, np.tile(chain, (4, 1))).doubt == doubt


@pytest.mark.parametrize(("apart", "doubt"), [(0.0, Doubt(0)), (3.0, Doubt.RUNS_DIFFER)])
def test_chains_that_differ_are_doubted_and_their_spread_is_the_error(monkeypatch, apart, doubt):
    chains = np.random.default_rng(3).normal(0, 0.1, (4, 1000))
    chains[0] += apart
    found = of_densities(monkeypatch, chains)
    assert found.doubt == doubt
    assert found.degrees_of_freedom == 3
    assert (found.standard_error > 0.5) == bool(apart)


def test_chains_start_at_the_point_and_at_draws_of_the_prior(monkeypatch):
    given = []
    right = candidate.gibbs.sweeps
    monkeypatch.setattr(
        candidate.gibbs, "sweeps", lambda *about: given.append(about[2]) or right(*about[:-2], 20, *about[-1:])
    )
    model, data = mixture(2), small_table(mixture(2), 1, 6)
    candidate.score(model, data, candidate.Settings(n_chains=3, n_burn_in=0, n_sweeps=20), Stream(1))
    best = em.search(model, Design.of(model, data), Stream(1), candidate.Settings(), data.n).parameters
    (starts,) = given
    assert starts.natural.shape[0] == 3
    assert (starts.natural[0] == best.natural).all()
    assert len(np.unique(starts.log_weights, axis=0)) == 3


@pytest.mark.parametrize("sampler", [bridge, candidate], ids=["bridge", "candidate"])
def test_too_many_classes_are_refused(sampler):
    data = small_table(mixture(2), 1, 5)
    with pytest.raises(ModelError, match="11 classes have too many names to average over; 10 are allowed: take smc"):
        sampler.score(mixture(11), data, sampler.Settings(), Stream(1))
    with pytest.raises(ModelError, match="11 classes"):
        sampler.check(mixture(11), 5, sampler.Settings())


@pytest.mark.parametrize(
    ("sampler", "settings"),
    [
        (smc, {"n_chains": 10**5, "n_states": 10**5}),
        (bridge, {"n_chains": 256, "max_draws": 10**6}),
        (candidate, {"n_chains": 1024, "n_sweeps": 10**5}),
    ],
)
def test_draws_that_memory_has_no_room_for_are_refused(sampler, settings):
    with pytest.raises(ModelError, match="GB, 8 are allowed"):
        sampler.score(mixture(2), small_table(mixture(2), 1, 5), sampler.Settings(**settings), Stream(1))


@pytest.mark.parametrize(("good", "bad"), SPARSE_ITEMS, ids=lambda item: next(iter(item)))
def test_the_candidate_method_is_doubted_under_sparse_priors_of_items(good, bad):
    def doubt(n_classes, item):
        model, data = mixture(n_classes, items=ITEMS | item), small_table(mixture(2), 1, 6)
        found = candidate.score(model, data, candidate.Settings(n_sweeps=100), Stream(1))["candidate"]
        return found.doubt & Doubt.NOT_MIXED

    assert not doubt(2, good)
    assert doubt(2, bad)
    assert not doubt(1, bad)


def test_passes_that_differ_much_are_doubted(monkeypatch):
    values, run = np.array([-10.0, -14.0, -12.0, -18.0]), waste_free.run_passes
    monkeypatch.setattr(waste_free, "run_passes", lambda *a, **b: run(*a, **b)._replace(log_evidences=values))
    found = smc.score(mixture(2), small_table(mixture(2), 1, 6), smc.Settings(), Stream(1))["sequential_monte_carlo"]
    assert found.doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert found.degrees_of_freedom == 3


def test_passes_whose_weights_left_few_particles_are_doubted(monkeypatch):
    def found(n_left):
        monkeypatch.setattr(waste_free, "run_passes", lambda *a, **b: run(*a, **b)._replace(n_effective=n_left))
        return smc.score(mixture(2), small_table(mixture(2), 1, 6), smc.Settings(), Stream(1))["sequential_monte_carlo"]

    run = waste_free.run_passes
    assert (found(19.0).doubt, found(21.0).doubt) == (Doubt.FEW_EFFECTIVE_SAMPLES, Doubt(0))
    assert found(21.0).diagnostics["fewest_effective"] == 21.0


@pytest.mark.parametrize(("n_items", "n_differ", "sizes"), [(20, 3, [30, 30]), (30, 4, [20, 20])])
def test_kinds_of_rows_that_passes_cannot_take_apart_are_doubted(n_items, n_differ, sizes, monkeypatch):
    """No single row says that there are two. By the control all passes agree on too little, and would be believed."""
    first = np.random.default_rng(n_items + n_differ).integers(0, 2, n_items)
    second = np.where(np.arange(n_items) < n_differ, 1 - first, first)
    model = FiniteMixture(2, {f"item {k}": Categorical(2) for k in range(n_items)})
    data = MixedRows.of(np.array([first, second]).repeat(sizes, axis=0).astype(float), model.items)
    truth = bridge.score(model, data, bridge.Settings(), Stream(1))["bridge_sampling"]
    found = smc.score(model, data, smc.Settings(), Stream(1))["sequential_monte_carlo"]
    assert truth.trusted
    assert found.log_evidence + 5 * found.diagnostics["spread"] < truth.log_evidence - 5
    assert found.doubt == Doubt.NOT_MIXED | Doubt.BELOW_BOUND
    assert found.standard_error > 0.9
    monkeypatch.setattr(waste_free, "doubt_of_bound", lambda *_: Doubt(0))
    assert smc.score(model, data, smc.Settings(), Stream(1))["sequential_monte_carlo"].doubt == Doubt.NOT_MIXED
    monkeypatch.setattr(particles, "share_unseen", lambda *_: 0.0)
    found = smc.score(model, data, smc.Settings(), Stream(1))["sequential_monte_carlo"]
    assert found.trusted
    assert found.standard_error < 0.01


def bridge_of(monkeypatch, n_classes=2, concentration=1.3, item=None, above=0.0, max_draws=100, **changes):
    """What is said of a bridge whose numbers are set by hand; ``above`` is what it is above the truth, nats."""
    model, data = mixture(n_classes, concentration, ITEMS | (item or {})), small_table(mixture(2), 1, 6)
    truth = exact.score(model, data, exact.Settings(), Stream(1))["exact"].log_evidence
    value = truth + above - Design.of(model, data).log_base
    given = bridging.Estimate(value, 0.03, value, 0.04, 0.4, 2.0, 2000, 1, np.ones(1), ([[0, 1]],) * 2, ())
    if "by_weights" in changes:
        changes["by_weights"] += value

    def estimate(*arguments):
        return given._replace(**{"places": ([0] * len(arguments[-1].log_weights),) * 2} | changes)

    monkeypatch.setattr(bridging, "estimate", estimate)
    chosen = bridge.Settings(n_starts=8, n_chains=2, n_burn_in=0, n_draws=100, max_draws=max_draws)
    return bridge.score(model, data, chosen, Stream(1))["bridge_sampling"]


@pytest.mark.parametrize(
    ("good", "bad", "doubt"),
    [
        ({"by_weights": 0.195}, {"by_weights": 0.205}, Doubt.NOT_MIXED),  # four errors of both together are .2
        ({"by_weights": -0.195}, {"by_weights": -0.205}, Doubt.NOT_MIXED),
        ({}, {"by_weights": np.nan}, Doubt.NOT_MIXED),
        ({"n_used": 400}, {"n_used": 399}, Doubt.NOT_MIXED),  # draws are worth half as many
        ({"concentration": 0.1}, {"concentration": 0.09}, Doubt.NOT_MIXED),
        ({"n_classes": 1, "concentration": 0.09}, {"concentration": 0.09}, Doubt.NOT_MIXED),
        *(({"item": good}, {"item": bad}, Doubt.NOT_MIXED) for good, bad in SPARSE_ITEMS),
        ({"relative_error": 0.499}, {"relative_error": 0.501}, Doubt.FEW_EFFECTIVE_SAMPLES),
        ({"overlap": 0.0401}, {"overlap": 0.0399}, Doubt.FEW_EFFECTIVE_SAMPLES),  # of a thousand independent draws
        ({"above": 1.0}, {"above": -5.0}, Doubt.BELOW_BOUND),
    ],
)
def test_each_rule_doubts_by_itself(monkeypatch, good, bad, doubt):
    assert bridge_of(monkeypatch, **good).doubt == Doubt(0)
    assert bridge_of(monkeypatch, **bad).doubt == doubt


@pytest.mark.parametrize(
    ("enough", "changes"),
    [
        (True, {}),
        (False, {"relative_error": 0.051}),
        (False, {"n_used": 399}),
        (False, {"by_weights": 0.21}),
        (True, {"relative_error": 0.051, "concentration": 0.09}),  # where more draws help nothing
    ],
)
def test_chains_go_on_until_the_error_is_small_and_nothing_is_doubted(monkeypatch, enough, changes):
    short = bridge_of(monkeypatch, **changes).n_evaluations
    assert (bridge_of(monkeypatch, max_draws=400, **changes).n_evaluations == short) == enough


def estimate_of(monkeypatch, n_draws, n_chains=4):
    """The bridge of draws of the prior, whose ratios are normal variates."""
    model = mixture(2)
    design = Design.of(model, small_table(model, 1, 6))
    sums = Sums(*(np.broadcast_to(part, (n_chains, n_draws, *part.shape)) for part in model.nothing))
    rng, ratios = np.random.default_rng(1), np.random.default_rng(2)
    monkeypatch.setattr(bridging, "log_densities", lambda _, points, sums: np.zeros((len(points[0]), len(sums[0]))))
    monkeypatch.setattr(bridging, "_log_joint", lambda *given: ratios.normal(size=len(given[-1].log_weights)))
    return bridging.estimate(model, design, model.sample(sums, rng), sums, rng)


def test_as_many_draws_are_used_as_there_are_up_to_8000_of_a_half(monkeypatch):
    assert estimate_of(monkeypatch, 1000).n_used == 4000
    assert estimate_of(monkeypatch, 4000).n_used == 16_000
    assert estimate_of(monkeypatch, 4400).n_used == 8800  # every other one


def test_what_no_chain_came_to_is_part_of_the_error(monkeypatch):
    """Of 4000 draws in chains that never left a completion, worth 2000, thrice a 2000th may be missed: two errors."""
    monkeypatch.setattr(bridging, "bridge", lambda *_: Bridge(0.0, 0.0, 0.5, 2.0))
    assert estimate_of(monkeypatch, 1000).relative_error == pytest.approx(1.5 / 2000)


def test_the_mean_weight_has_the_error_of_its_draws(monkeypatch):
    given = []
    monkeypatch.setattr(bridging, "bridge", lambda _, ratios: given.append(ratios) or Bridge(0.0, 0.1, 0.5, 1.0))
    found, weights = estimate_of(monkeypatch, 1000), np.exp(np.concatenate(given))
    assert found.by_weights == pytest.approx(np.log(weights.mean()))
    assert found.weights_error == pytest.approx(weights.std() / weights.mean() / np.sqrt(len(weights)), rel=0.02)


def test_overlap_and_memory_are_those_of_the_worse_half(monkeypatch):
    bridges = [Bridge(0.0, 0.1, 0.5, 1.0), Bridge(0.0, 0.3, 0.2, 7.0)]
    for halves in (bridges, bridges[::-1]):
        each = iter(halves)
        monkeypatch.setattr(bridging, "bridge", lambda *_, each=each: next(each))
        found = estimate_of(monkeypatch, 100)
        assert (found.overlap, found.autocorrelation_time) == (0.2, 7.0)
