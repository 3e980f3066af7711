"""Annealed importance sampling over completions from a variational posterior on, for mixtures of many classes."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence, Sampler
from ockham.estimation import completion_annealing
from ockham.estimation.combining import Combined, combine, doubts_of
from ockham.estimation.doubting import SPARSE, doubt_of_bound
from ockham.estimation.pilot_chains import Pilot, steps
from ockham.estimation.resampling import systematic
from ockham.estimation.tuned_steps import N_PILOT
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import expectation, modes, named_completions
from ockham.networks.inference.named_completions import NamedCompletions, Walk, reference_of
from ockham.streams import Stream

__all__ = ["ESTIMATES", "SAMPLER", "Settings", "check", "doubted", "goes_first", "score"]

ESTIMATES = {"ais_from_vb": Estimator("AIS from variational posteriors", over_runs="mean")}
SAMPLER = Sampler("ais_from_vb", {"n_steps": 256, "max_rows": 2000}, doubled="n_steps", two_sided=True)
"""With which ``ockham.evidence`` asks it."""
APART = 3.09
"""Standard errors of both directions together by which they may differ."""
LEAST_STEPS = 64
"""Where they are tuned."""
MANY_CLASSES = 6
"""From which on it is the first that ``ockham.evidence`` asks: bridge sampling serves up to five, and neither it nor
tempered SMC knows the evidence with ten (benchmarks/evidence.py)."""


class Settings(contracts.Settings):
    """Where the chains start, and how many steps they take."""

    n_starts: int = Field(default=64, ge=1, le=4096, description="starts of variational EM that look for modes")
    n_modes: int = Field(
        default=8, ge=1, le=256, description="modes of the highest bounds, whose variational posteriors are tried"
    )
    n_chains: int = Field(default=32, ge=2, le=10**5, description="chains from the best of them")
    n_steps: int | None = Field(
        default=None,
        ge=1,
        le=10**7,
        description="steps of a chain each way, a sweep in each; tuned to effective sample size, up to max_steps, "
        "without it",
    )
    max_steps: int = Field(default=2**12, ge=LEAST_STEPS, le=10**7, description="steps at the most, where tuned")
    max_rows: int = Field(
        default=10**5, ge=1, le=10**6, description="rows at the most, of which a sweep takes one after another"
    )


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for too many rows or relabellings, and for what would take more memory than allowed."""
    _check_n(n, settings)
    expectation.check_rows(network.relevant, n)
    named_completions.check_rows(network.relevant, n)
    check_starts(network.relevant, settings.n_starts)


def _check_n(n: int, settings: Settings) -> None:
    completion_annealing.check_rows(n, completion_annealing.Settings(max_rows=settings.max_rows))


def doubted(network: DiscreteNetwork) -> Doubt:
    """What speaks against every estimate: under sparse priors hardly any start leads to the modes in corners."""
    return Doubt.NOT_MIXED if network.relevant.prior.min() < SPARSE else NO_DOUBT


def goes_first(network: DiscreteNetwork) -> bool:
    """Whether ``ockham.evidence`` asks it before the others."""
    hidden = network.relevant_hidden
    return len(hidden) == 1 and network.cardinalities[hidden[0]] >= MANY_CLASSES


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean weight of chains over completions from a variational posterior, or one like it, to the posterior.

    It is for mixtures of six to twenty classes, and takes any network. A sweep takes one row after another, the
    parameters integrated out. Where chains start is found by others: at the variational posterior of a mode, at what
    these see at the posterior, or at all completions alike. So every chain is an unbiased estimate of the evidence,
    however it moves. From ends that are drawn by their weights as many chains go on for as many steps at the posterior,
    and then back: the inverses of these weights are unbiased where the chains mix. What forward chains miss makes them
    too low, and backward ones too high. The error has the spread of the chains and half of the difference of both
    directions.

    The estimate is doubted where the weights of either direction vary too much, where the directions differ by more
    than their errors, where it is below the variational bound, and where hyperparameters are below .1, for then there
    are modes in corners that hardly any start leads to.

    The diagnostics are the log evidence of the chains back and its standard error in nats, the number of steps, the
    share of what was drawn that kept its name, and the best variational bound in nats.

    Raises
    ------
    ModelError
        For more rows than allowed, what would take more memory than allowed, and too many relabellings.

    Notes
    -----
    Annealing in the space of completions is proposed in section 7 of [BealGhahramani2006], which does not say from
    where; back from the posterior is the reverse annealing of [GrosseEtAl2015]. ``named_completions`` has the
    distributions in between, and how names of hidden values are counted.
    """
    network = network.relevant
    _check_n(data.n, settings)
    data.check_fits(network)
    expectation.check_layout(network, data)
    completions = NamedCompletions(network, data)
    if completions.nothing_open:
        return {"ais_from_vb": _exact(completions.log_known)}
    search = modes.find(network, data, stream, settings.n_starts, settings.n_modes)
    reference, n_tried = reference_of(network, completions, search.posteriors[: settings.n_modes], stream)

    def walks(n_chains: int, n_steps: int, rng: np.random.Generator) -> list[Walk]:
        return [completions.forward(reference, n_steps, rng) for _ in range(n_chains)]

    def of_pilot(n_steps: int, stream: Stream) -> np.ndarray:
        return np.array([walk.log_weight for walk in walks(N_PILOT, n_steps, stream.generator())])

    name = "steps from variational posteriors", network.digest, data.digest
    n_steps, n_pilot, doubt = steps(
        settings.n_steps, Pilot(of_pilot, settings, LEAST_STEPS, settings.max_steps, stream.root, name)
    )
    rng = stream.child("annealing from variational posteriors").generator()
    there = walks(settings.n_chains, n_steps, rng)
    log_weights = np.array([walk.log_weight for walk in there])
    ends = systematic(np.exp(log_weights - log_weights.max()), settings.n_chains, rng)
    again = [completions.back(reference, there[i].ways, n_steps, rng) for i in ends]
    forward = combine(log_weights, "mean")
    back = combine(np.array([-walk.log_weight for walk in again]), "mean")
    value, value_back = float(forward.value), -float(back.value)
    error = float(np.hypot(forward.standard_error, (value - value_back) / 2))
    apart = abs(value - value_back) > APART * np.hypot(forward.standard_error, back.standard_error)
    bound = search.found[0].bound
    return {
        "ais_from_vb": Evidence(
            value,
            error,
            n_evaluations=search.n_passes + n_tried + n_pilot + 3 * settings.n_chains * n_steps,
            diagnostics={
                "back": value_back,
                "back_standard_error": float(back.standard_error),
                "n_steps": n_steps,
                "share_accepted": float(np.mean([walk.share_accepted for walk in (*there, *again)])),
                "variational_bound": bound,
            },
            effective_sample_size=float(forward.effective_sample_size),
            doubt=doubt | doubted(network) | _doubt(forward, back, bool(apart)) | doubt_of_bound(value, error, bound),
            degrees_of_freedom=float(forward.degrees_of_freedom),
        )
    }


def _exact(log_evidence: float) -> Evidence:
    """Of data that leave nothing open."""
    about = {"back": log_evidence, "back_standard_error": 0.0, "n_steps": 0, "share_accepted": 1.0}
    return Evidence(log_evidence, 0.0, diagnostics={**about, "variational_bound": log_evidence})


def _doubt(forward: Combined, back: Combined, apart: bool) -> Doubt:
    doubt = doubts_of(forward.doubt) | (Doubt.NOT_MIXED if back.doubt else NO_DOUBT)
    return doubt | (Doubt.RUNS_DIFFER if apart else NO_DOUBT)
