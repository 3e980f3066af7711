"""How often intervals of ``ais_from_vb`` hold.

    python benchmarks/class_annealing.py exact 200      beside exact sums: so many tables, of 5 to 12 rows; after
                                                        the number ``mean`` has the mean weight, not the ratio, and
                                                        ``first`` the fewer chains that ``ockham.evidence`` begins with
    python benchmarks/class_annealing.py bridge 100     beside ``bridge`` and its own error, of 40 to 400 rows
    python benchmarks/class_annealing.py evidence 100   of ``ockham.evidence`` without the exact sum, beside that, where
                                                        it asks ``ais_from_vb`` first: 6 to 11 classes of 5 to 10 rows
    python benchmarks/class_annealing.py drawn 40       beside chains back from the completion that the rows were drawn
                                                        with: 6 to 20 classes of 100 to 400 rows

Tables are drawn from mixtures of classes whose parameters, number, items, states and hyperparameter (.5 or 1) are
others for each, and are scored with as many classes, or one more or less. A quarter of them lack a third of their
cells. Those that are held to the completion that they were drawn with have all cells, and the classes that they were
drawn from: there it is a draw of the posterior [GrosseEtAl2015], however badly chains mix. So the bridge of chains back
from it with others that go there knows nothing of the ends that the estimate goes back from, which may have missed what
has most of the posterior. All of its chains back begin in one draw, so its errors are rather too small.

Settings are the defaults. An interval is Student's t of the error, and where there are two estimates, of the error of
their difference; where one of them is doubted there is none. The control has a third of the errors.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import process_time
from types import SimpleNamespace

import numpy as np
from scipy.optimize import linear_sum_assignment

from ockham import families
from ockham.estimation.bridge_sampling import bridge
from ockham.estimation.certifying import certify
from ockham.estimation.combining import freedom_of_sum
from ockham.estimation.doubting import doubt_of_error
from ockham.estimation.intervals import interval
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import modes
from ockham.networks.inference.named_completions import NamedCompletions, reference_of
from ockham.networks.scorers import ais_from_vb
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

LEVELS = (0.5, 0.8, 0.95)
ERROR, SECONDS = 0.1, 600.0
"""Of ``ockham.evidence``; more seconds than it takes, so that no clock has a part."""
SIZES = {
    "exact": ((5, 13), (2, 4), (2, 5)),
    "bridge": ((40, 401), (2, 7), (4, 13)),
    "evidence": ((5, 11), (7, 11), (2, 5)),
    "drawn": ((100, 401), (6, 21), (8, 17)),
}
"""Rows, classes and items of the tables, from and below; rows of the larger ones evenly in the logarithm."""
N_CHAINS, N_STEPS, N_SWAPS = 16, 1024, 2000
"""Chains back from a completion, and as many to the posterior, their steps, and exchanges of two of its names that are
tried before."""


def problem(seed, rows, classes, items, drawn):
    """A network of classes, the rows that one like it draws, or it itself, and their classes."""
    rng = np.random.default_rng(seed)
    k, n_states = int(rng.integers(*classes)), int(rng.integers(2, 4))
    cardinalities, prior = [n_states] * int(rng.integers(*items)), float(rng.choice([0.5, 1.0]))
    truth = naive_bayes([k], cardinalities, prior)[f"classes-{k}"]
    n = int(np.exp(rng.uniform(*np.log(rows))))
    drawn_states = draw(truth, np.exp(sample_log(truth, rng)), n, rng)
    states = drawn_states[:, list(truth.observed)]
    if drawn:
        return truth, UniqueRows.of(states, cardinalities), drawn_states[:, truth.hidden[0]], states
    if rng.random() < 0.25:
        states = np.where(rng.random(states.shape) < 1 / 3, MISSING, states)
    k = max(2, k + int(rng.integers(-1, 2)))
    model = naive_bayes([k], cardinalities, prior)[f"classes-{k}"]
    return model, UniqueRows.of(states, cardinalities, missing=True), None, None


def back_from(classes, states, network, data, seed):
    """What chains say that go to the posterior, and others back from the completion by some classes.

    Under names that it is likely to have.
    """
    completions, stream = NamedCompletions(network, data), Stream(seed, "back")
    settings = ais_from_vb.Settings()
    search = modes.find(network, data, stream, settings.n_starts, settings.n_modes)
    reference, _ = reference_of(network, completions, search.posteriors[: settings.n_modes], settings.n_steps, stream)
    k = network.n_hidden_configurations
    log_q, place = reference.log_q.reshape(-1, k), {tuple(row): i for i, row in enumerate(data.rows.tolist())}
    of_cases = [[] for _ in data.rows]
    for row, own in zip(states.tolist(), classes, strict=True):
        of_cases[place[tuple(row)]].append(own)
    says = np.zeros((k, k))
    for i, own in enumerate(of_cases):
        np.add.at(says, own, log_q[i])
    rng, (_, name) = stream.generator(), linear_sum_assignment(-says)

    def named(name):
        ways = np.concatenate([k * i + name[own] for i, own in enumerate(of_cases)]).astype(np.int32)
        return completions.log_share(reference, ways), ways

    share, ways = named(name)
    for _ in range(N_SWAPS if reference.log_names else 0):  # a walk among names, whose distribution the shares are
        other = name.copy()
        a, b = rng.choice(k, 2, replace=False)
        other[[a, b]] = other[[b, a]]
        share_of_other, ways_of_other = named(other)
        if np.log(rng.random()) < share_of_other - share:
            name, share, ways = other, share_of_other, ways_of_other
    there = np.array([completions.forward(reference, N_STEPS, rng).log_weight for _ in range(N_CHAINS)])
    back = np.array([completions.back(reference, ways, N_STEPS, rng).log_weight for _ in range(N_CHAINS)])
    both = bridge([back], there)
    return SimpleNamespace(
        log_evidence=both.log_normaliser,
        standard_error=both.relative_error,
        trusted=not doubt_of_error(both.relative_error),
        degrees_of_freedom=N_CHAINS - 1,
    )


def estimate(name, network, data, seed):
    if name == "evidence":
        plan = families.plan_of(families.family_of(network), network)._replace(exact="")
        sources = families.sources(network, data, Stream(seed, name), plan)
        (found,), _ = certify([sources], ERROR, SECONDS)
        return found.evidence
    scorer = families.scorer("discrete_network", name)
    asked = sys.argv[3:] if name == "ais_from_vb" else []
    settings = scorer.Settings(**(scorer.SAMPLER.settings if "first" in asked else {}))
    found = scorer.score(network, data, settings, Stream(seed, name))
    return found["ais_from_vb"] if "mean" in asked else next(iter(found.values()))


def main():
    beside, n_tables = sys.argv[1], int(sys.argv[2])
    held, scores, doubted, others, seconds, by_third = dict.fromkeys(LEVELS, 0), [], 0, 0, 0.0, 0
    for seed in range(n_tables):
        network, data, classes, states = problem(seed, *SIZES[beside], drawn=beside == "drawn")
        begun = process_time()
        found = estimate("evidence" if beside == "evidence" else "ais_from_vb", network, data, seed)
        seconds += process_time() - begun
        if beside == "drawn":
            truth = back_from(classes, states, network, data, seed)
        else:
            truth = estimate("exact" if beside == "evidence" else beside, network, data, seed)
        if not (found.trusted and truth.trusted):
            doubted += not found.trusted
            others += found.trusted
            continue
        errors = np.array([found.standard_error, truth.standard_error if beside in ("bridge", "drawn") else 0.0])
        freedom = freedom_of_sum(errors**2, np.array([found.degrees_of_freedom, truth.degrees_of_freedom]))
        difference, error = found.log_evidence - truth.log_evidence, float(np.sqrt((errors**2).sum()))
        scores.append(difference / error)
        for level in LEVELS:
            low, high = interval(difference, error, freedom, level)
            held[level] += low <= 0 <= high
        low, high = interval(difference, error / 3, freedom, LEVELS[-1])
        by_third += low <= 0 <= high
        if abs(scores[-1]) > 3:
            print(f"table {seed}: {difference:.3f} nats, {scores[-1]:.1f} errors, {len(data.rows)} distinct rows, "
                  f"{network.n_hidden_configurations} classes")  # fmt: skip
    n = len(scores)
    about = f"{doubted} doubted, and of {others} what they are held to"
    print(f"{n_tables} tables, {about}, {seconds / n_tables:.2f} s of CPU each")
    for level in LEVELS:
        print(f"{level:.0%} intervals: {held[level] / n:6.1%} hold (+- {np.sqrt(level * (1 - level) / n):.1%})")
    print(f"{LEVELS[-1]:.0%} intervals of a third of the errors: {by_third / n:.1%} hold")
    print(f"error over standard error: mean {np.mean(scores):.2f}, deviation {np.std(scores):.2f}")


if __name__ == "__main__":
    main()
