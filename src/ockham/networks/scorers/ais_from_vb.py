"""Annealing over completions from a variational posterior and back, for mixtures of many classes."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence, Sampler
from ockham.estimation import completion_annealing
from ockham.estimation.bridge_sampling import mean_of_halves
from ockham.estimation.combining import Combined, combine, doubts_of
from ockham.estimation.doubting import doubt_of_bound, doubt_of_error
from ockham.estimation.posterior_parts import LARGEST_MISSING
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import expectation, modes, named_completions
from ockham.networks.inference.missing_modes import share_unvisited
from ockham.networks.inference.named_completions import NamedCompletions, reference_of
from ockham.networks.inference.sparse_priors import doubt_of_prior
from ockham.streams import Stream

__all__ = ["ESTIMATES", "SAMPLER", "Settings", "check", "doubted", "goes_first", "score"]

ESTIMATES = {
    "bennett_acceptance_ratio": Estimator("Bennett acceptance ratio of annealing both ways", over_runs="median"),
    "ais_from_vb": Estimator("AIS from variational posteriors", over_runs="mean"),
}
SAMPLER = Sampler("ais_from_vb", {"n_chains": 32, "max_rows": 2000}, doubled="n_chains", two_sided=True)
"""With which ``ockham.evidence`` asks it."""
N_REFERENCES = 2
"""Distributions that chains start from, found apart: what one of them does not lead to, the other may."""
FARTHER = 2.0
"""Times the distance of ends of chains from the nearest mode, as far as which another is near them: of many classes
ends are as far from modes as these are from one another."""
LARGEST_NOISE = 0.5
"""Nats, at the most, that the error of a direction explains of what both differ by: a larger one says little."""
MANY_CLASSES = 6
"""From which on it is the first that ``ockham.evidence`` asks: bridge sampling serves up to five, and neither it nor
tempered SMC knows the evidence with ten (benchmarks/evidence.py)."""


class Settings(contracts.Settings):
    """Where the chains start, and how many steps they take."""

    n_starts: int = Field(default=64, ge=1, le=4096, description="starts of variational EM that look for modes")
    n_modes: int = Field(
        default=8, ge=1, le=256, description="modes of the highest bounds, whose variational posteriors are tried"
    )
    n_chains: int = Field(
        default=64, ge=16, le=10**5, description="chains each way, half of them from each of two distributions"
    )
    n_steps: int = Field(default=256, ge=1, le=10**7, description="steps of a chain each way, a sweep in each")
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
    return doubt_of_prior(network)


def goes_first(network: DiscreteNetwork) -> bool:
    """Whether ``ockham.evidence`` asks it before the others."""
    hidden = network.relevant_hidden
    return len(hidden) == 1 and network.cardinalities[hidden[0]] >= MANY_CLASSES


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """Annealing over completions, from a variational posterior, or one near it, to the posterior, and back.

    It is for mixtures of six to twenty classes, and takes any network. A sweep takes one row after another, the
    parameters integrated out. Where chains start is found by others: at the variational posterior of a mode, at what
    these see at the posterior, wider or not, or at all completions alike; half of the chains start where these are
    found once more. From ends that are drawn by their weights as many chains go on for as many steps at the posterior,
    and then back. ``bennett_acceptance_ratio`` is the optimal bridge between the weights of both directions, the mean
    of those of both halves. It needs paths that both directions may take, and knows the evidence where a mean weight,
    of which the best paths have nearly all, does not. Its error has half of what the halves differ by.

    ``ais_from_vb`` is the mean weight of the chains there, each of which is an unbiased estimate of the evidence,
    however it moves; the inverses of the weights back are unbiased where the chains mix. What forward chains miss makes
    them too low, and backward ones too high. So half of what the directions differ by is in the errors: in that of the
    mean weight all of it, in that of the bridge what is more than the errors of the directions, of up to half a nat
    each. Both directions may be of one mode of several, and agree: what modes have that no chain from a distribution
    came to is missing, and what others may have where chains do not leave a mode; it is part of both errors.

    Estimates are doubted where their errors are above half a nat, where they are below the variational bound, where
    much is missing, and where hyperparameters are below .1, for then there are modes in corners that hardly any start
    leads to; the mean also where the weights of either direction vary too much.

    The diagnostics of the mean weight are the log evidence of the chains back and its standard error in nats, the share
    of what was drawn that kept its name, the best variational bound in nats, and the share that is missing. Those of
    the ratio are what the halves differ by in nats, how far paths both ways overlap in the worse half, .5 at the most,
    and the larger autocorrelation time of the chains back in the order of where they begin.

    Raises
    ------
    ModelError
        For more rows than allowed, what would take more memory than allowed, and too many relabellings.

    Notes
    -----
    Annealing in the space of completions is proposed in section 7 of [BealGhahramani2006], which does not say from
    where; back from the posterior is the reverse annealing of [GrosseEtAl2015]. The acceptance ratio is that of
    [Bennett1976], of paths instead of states ([Crooks2000]). ``named_completions`` has the distributions in between,
    and how names of hidden values are counted.
    """
    network = network.relevant
    _check_n(data.n, settings)
    data.check_fits(network)
    expectation.check_layout(network, data)
    completions = NamedCompletions(network, data)
    if completions.nothing_open:
        return _exact(completions.log_known)
    search = modes.find(network, data, stream, settings.n_starts, settings.n_modes)
    n_steps, n_chains = settings.n_steps, settings.n_chains // N_REFERENCES
    found, n_sweeps = [], search.n_passes + 3 * N_REFERENCES * n_chains * n_steps
    for k in range(N_REFERENCES):
        own = stream.child("from", k)
        reference, n_tried = reference_of(network, completions, search.posteriors[: len(search.found)], n_steps, own)
        rng = own.child("annealing from variational posteriors").generator()
        found.append(completions.both_ways(reference, n_chains, n_steps, rng))
        n_sweeps += n_tried
    bridges = [each.bridge for each in found]
    ratios, errors = np.array([(each.log_normaliser, each.relative_error) for each in bridges]).T
    ratio, ratio_error = mean_of_halves(ratios, errors)
    forward = combine(np.concatenate([each.log_weights for each in found]), "mean")
    back = combine(-np.concatenate([each.log_weights_back for each in found]), "mean")
    value, gap, bound = float(forward.value), float(forward.value + back.value), search.found[0].bound
    ends = [[modes.log_means(network, network.prior + completions.counts(end)) for end in each.ends] for each in found]
    missing = float(np.mean([share_unvisited(network, search, [np.array(of_one)], FARTHER) for of_one in ends]))
    error = float(np.linalg.norm([float(forward.standard_error), gap / 2, missing]))
    noise = np.minimum([forward.standard_error, back.standard_error], LARGEST_NOISE)
    ratio_error = float(np.sqrt(ratio_error**2 + max(0.0, gap**2 - float((noise**2).sum())) / 4 + missing**2))
    doubt = doubt_of_prior(network, data) | (Doubt.NOT_MIXED if missing > LARGEST_MISSING else NO_DOUBT)
    return {
        "bennett_acceptance_ratio": Evidence(
            ratio,
            ratio_error,
            n_sweeps,
            diagnostics={
                "difference": float(np.ptp(ratios)),
                "overlap": min(each.overlap for each in bridges),
                "autocorrelation_time": max(each.autocorrelation_time for each in bridges),
            },
            doubt=doubt | doubt_of_error(ratio_error) | doubt_of_bound(ratio, ratio_error, bound),
            degrees_of_freedom=float(N_REFERENCES * (n_chains - 1)),
        ),
        "ais_from_vb": Evidence(
            value,
            error,
            n_sweeps,
            diagnostics={
                "back": -float(back.value),
                "back_standard_error": float(back.standard_error),
                "share_accepted": float(np.mean([each.share_accepted for each in found])),
                "variational_bound": bound,
                "share_missing": missing,
            },
            effective_sample_size=float(forward.effective_sample_size),
            doubt=doubt | _doubt(forward, back) | doubt_of_error(error) | doubt_of_bound(value, error, bound),
            degrees_of_freedom=float(forward.degrees_of_freedom),
        ),
    }


def _exact(log_evidence: float) -> dict[str, Evidence]:
    """Of data that leave nothing open."""
    about = {
        "back": log_evidence, "back_standard_error": 0.0, "share_accepted": 1.0, "variational_bound": log_evidence,
        "share_missing": 0.0,
    }  # fmt: skip
    return {
        "bennett_acceptance_ratio": Evidence(
            log_evidence, 0.0, diagnostics={"difference": 0.0, "overlap": 0.5, "autocorrelation_time": 1.0}
        ),
        "ais_from_vb": Evidence(log_evidence, 0.0, diagnostics=about),
    }


def _doubt(forward: Combined, back: Combined) -> Doubt:
    return doubts_of(forward.doubt) | (Doubt.NOT_MIXED if back.doubt else NO_DOUBT)
