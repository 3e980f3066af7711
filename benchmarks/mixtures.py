"""EM for a mixture of many features, beside BLAS doing its matrix products and a NumPy twin; and 20 tries of CS.

``python mixtures.py items`` measures EM and variational EM of mixtures of any items, on categories alone, beside those
of networks and beside steps in NumPy; ``bounds`` how far lower bounds are from exact evidences on random small tables;
``evidence`` what ``ockham.evidence`` takes for 500 rows of nine mixed items, with one to six classes; ``select`` what
one call of ``ockham.select`` takes for such tables; ``second`` what two estimators say of three and of four classes of
one of them, under the prior of the table and under that of the items that it is drawn from.

In a naive-Bayes mixture an E step is two matrix products: of the indicators of the data (cases, feature values) with
the log parameters, and of their transpose with the posterior of the classes. One indicator of two is enough for binary
features. The twin does all of EM with them.
"""

import os
import resource
import sys
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import perf_counter, process_time

import numpy as np
import pandas as pd
from scipy.special import digamma

import ockham
from ockham.kernels import VECTOR
from ockham.mixtures.data.drawing import draw_rows
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import em as mixture_em
from ockham.mixtures.inference import variational_em as mixture_variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson
from ockham.mixtures.scorers import bridge, em_ml, exact, smc, vb
from ockham.mixtures.scorers import em as em_scorer
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import em, variational_em
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream


def shortest(function, calls, repeats=7, clock=perf_counter):
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        for _ in range(calls):
            function()
        best = min(best, (clock() - start) / calls)
    return best


def mixture(n_classes, n_features, n):
    network = naive_bayes([n_classes], [2] * n_features)[f"classes-{n_classes}"]
    rng = np.random.default_rng(1)
    states = draw(network, np.exp(sample_log(network, rng)), n, rng)[:, list(network.observed)]
    return network, states, UniqueRows.of(states, [2] * n_features)


def twin(network, states, log_start, n_iterations):
    """MAP EM by matrix products, all hyperparameters 1; returns the log likelihoods before every M step."""
    x = states.astype(np.float64)
    log_class = network.family(0, log_start)[0]
    log_1 = np.array([network.family(i, log_start)[:, 1] for i in network.observed])
    log_0 = np.array([network.family(i, log_start)[:, 0] for i in network.observed])
    history = []
    for _ in range(n_iterations):
        joint = x @ (log_1 - log_0) + (log_0.sum(axis=0) + log_class)
        largest = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - largest)
        total = posterior.sum(axis=1, keepdims=True)
        history.append(float((largest + np.log(total)).sum()))
        posterior /= total
        ones, sizes = x.T @ posterior, posterior.sum(axis=0)
        log_class = np.log((1 + sizes) / (1 + sizes).sum())
        log_1, log_0 = np.log(1 + ones), np.log(1 + sizes - ones)
        normaliser = np.log(2 + sizes)
        log_1, log_0 = log_1 - normaliser, log_0 - normaliser
    return history


def compare(n_classes, n_features, n, n_iterations=100):
    """Seconds of an iteration of ours, of its two matrix products, and of an iteration of the twin."""
    network, states, data = mixture(n_classes, n_features, n)
    start = sample_log(network, np.random.default_rng(3))

    def run(max_iterations):
        return em.run(network, data, start, network.prior, max_iterations=max_iterations, tolerance=0.0)

    assert np.isclose(twin(network, states, start, 6)[5], run(5).log_likelihood, rtol=1e-12)
    x = states.astype(np.float64)
    logs, posterior = np.random.default_rng(4).random((n_features, n_classes)), np.full((n, n_classes), 1 / n_classes)
    return (
        shortest(lambda: run(n_iterations), 1) / n_iterations,
        shortest(lambda: (x @ logs, x.T @ posterior), 50),
        shortest(lambda: twin(network, states, start, 20), 1) / 20,
    )


def in_numpy(model, design, sums, step, n_iterations):
    """Iterations by matrix products and the items' own formulas, from sums; ``step`` is how parameters follow."""
    for _ in range(n_iterations):
        log_joint = design.log_joint(step(sums))
        log_rows = np.logaddexp.reduce(log_joint, axis=0)
        members = np.exp(log_joint - log_rows) * design.counts
        sums = Sums(members.sum(axis=1), members @ design.statistics)
        model.log_marginal(sums)


def expected(model, sums):
    """Means of the natural parameters of categories under the prior updated by sums."""
    natural = np.empty(sums.items.shape)
    for item, at in model.slices:
        natural[:, at] = mean_logs(item.prior + sums.items[:, at])
    return Parameters(mean_logs(model.weights_prior + sums.cases), natural)


def mean_logs(shapes):
    """Means of log probabilities under Dirichlet distributions."""
    return digamma(shapes) - digamma(shapes.sum(axis=-1, keepdims=True))


def compare_families(n_classes, n_items, n_values, n, n_iterations=1000):
    """CPU seconds of an iteration of EM, then of variational EM: of mixtures, of networks, in NumPy."""
    rows = np.random.default_rng(1).integers(0, n_values, (n, n_items))
    network = naive_bayes([n_classes], [n_values] * n_items)[f"classes-{n_classes}"]
    data = UniqueRows.of(rows, [n_values] * n_items)
    model = FiniteMixture(n_classes, {f"x{i}": Categorical(n_values) for i in range(n_items)})
    design = Design.of(model, MixedRows.of(rows, model.items))
    (start,) = starts(model, design, Stream(1), 1)
    by_item = [start.natural[:, at].ravel() for _, at in model.slices]
    log_start, begun = np.concatenate([start.log_weights, *by_item]), mixture_variational_em.begin(model, design, start)
    limits = {"max_iterations": n_iterations, "tolerance": 0.0}
    runs = (
        (lambda: mixture_em.run(model, design, start, **limits), n_iterations),
        (lambda: em.run(network, data, log_start, network.prior, **limits), n_iterations),
        (lambda: in_numpy(model, design, begun, model.mode, 20), 20),
        (lambda: mixture_variational_em.run(model, design, begun, **limits), n_iterations),
        (lambda: variational_em.run(network, data, log_start, **limits), n_iterations),
        (lambda: in_numpy(model, design, begun, lambda sums: expected(model, sums), 20), 20),
    )
    return [shortest(run, 1, 5, process_time) / steps for run, steps in runs]


def items():
    print(f"vectors: {VECTOR}; CPU microseconds per iteration, categories alone")
    print("classes  items  values  cases      EM  networks  ratio   NumPy      VB  networks  ratio   NumPy")
    for size in ((2, 4, 2, 500), (2, 4, 3, 500), (4, 8, 3, 500), (6, 8, 3, 500), (8, 32, 2, 400), (4, 10, 5, 20_000)):
        of_em, of_network, of_numpy, of_vb, vb_of_network, vb_of_numpy = (1e6 * t for t in compare_families(*size))
        shown = (
            of_em,
            of_network,
            of_em / of_network,
            of_numpy,
            of_vb,
            vb_of_network,
            of_vb / vb_of_network,
            vb_of_numpy,
        )
        one = "  {:6.1f}  {:8.1f}  {:5.2f}  {:6.0f}"
        print(("{:7d}  {:5d}  {:6d}  {:5d}" + one + one).format(*size, *shown))


def main():
    print(f"vectors: {VECTOR}; microseconds per iteration, binary features")
    print("classes  features  cases      EM  products  EM/products    twin  twin/EM")
    for n_classes, n_features, n in ((4, 64, 400), (8, 64, 400), (8, 128, 400), (16, 128, 400)):
        ours, products, other = compare(n_classes, n_features, n)
        times = ours * 1e6, products * 1e6, ours / products, other * 1e6, other / ours
        row = "{:7d}  {:8d}  {:5d}  {:6.1f}  {:8.1f}  {:11.2f}  {:6.1f}  {:7.2f}"
        print(row.format(n_classes, n_features, n, *times))
    network, states, _ = mixture(2, 4, 480)
    seconds = shortest(lambda: ockham.score(network, states, "em", runs=20), 1)
    print(f"20 tries of Cheeseman-Stutz, 2 classes, 4 binary items, n = 480: {seconds:.4f} s (AutoClass: 0.028 s)")


def random_case(rng):
    """A mixture of some items of all kinds, and a small table drawn from a mixture of them."""
    kinds = Categorical(3, 0.7), Ordered(4, 1.5), Gaussian(10.0, 2.0, 0.5, 1.5), Poisson(3.0, 2.0), Binomial(5, 0.6)
    chosen = rng.permutation(len(kinds))[: rng.integers(1, len(kinds) + 1)]
    items = {f"x{i}": kinds[i] for i in chosen}
    model = FiniteMixture(int(rng.integers(1, 5)), items, float(rng.choice([0.1, 1.0, 4.0])))
    truth = FiniteMixture(3, items)
    parameters, n = truth.sample(truth.nothing, rng), int(rng.integers(2, 7))
    rows = draw_rows(truth, parameters, n, 0.15, Stream(int(rng.integers(2**31))))
    return model, MixedRows.of(rows, items, empty=True)


def bounds(n_tables=1000):
    """Both bounds minus the exact evidence, on random tables of two to six rows, nats."""
    found = {"variational_bayes": [], "cheeseman_stutz": [], "cheeseman_stutz_ml": []}
    for seed in range(int(n_tables)):
        model, data = random_case(np.random.default_rng(seed))
        truth = exact.score(model, data, exact.Settings(), Stream(seed))["exact"].log_evidence
        for scorer in (vb, em_scorer, em_ml):
            for name, one in scorer.score(model, data, scorer.Settings(n_starts=2), Stream(seed)).items():
                if name in found:
                    found[name].append(one.log_evidence - truth)
    print(f"{n_tables} tables of two to six rows; bound minus exact evidence, nats")
    print(f"{'':>20}  {'median':>8}  {'lowest':>8}  {'highest':>9}")
    for name, gaps in found.items():
        print(f"{name:>20}  {np.median(gaps):8.3f}  {min(gaps):8.3f}  {max(gaps):9.1e}")


def nine_items(seed, n):
    """Four categorical, three Gaussian and two count items, and rows of three classes of them."""
    items = {f"category {i}": Categorical(3) for i in range(4)} | {f"number {i}": Gaussian() for i in range(3)}
    items |= {f"count {i}": Poisson(5.0, 2.0) for i in range(2)}
    truth = FiniteMixture(3, items, 5.0)
    parameters = truth.sample(truth.nothing, np.random.default_rng(seed))
    return items, draw_rows(truth, parameters, n, 0.0, Stream(seed))


def as_table(items, rows):
    """A frame, and the type of each of its columns."""
    return pd.DataFrame(rows, columns=list(items)), {name: item.kind for name, item in items.items()}


def evidence(n=500, seconds=60):
    """The evidence of one to six classes on rows from three, and the CPU seconds of each."""
    items, rows = nine_items(1, int(n))
    print(f"{n} rows of 4 categorical, 3 Gaussian and 2 count items from 3 classes")
    print("classes    log evidence  CPU seconds  seconds")
    for n_classes in range(1, 7):
        model, begun, wall = FiniteMixture(n_classes, items), cpu(), perf_counter()
        found = ockham.evidence(model, rows, seconds=float(seconds))
        print(f"{n_classes:7d}  {found!s:>14}  {cpu() - begun:11.1f}  {perf_counter() - wall:7.1f}", flush=True)


def select(n_tables=10, seconds=60, n=500):
    """One call for one to six classes of each table: how many evidences are known, their errors, and the time."""
    print(f"{n} rows of 4 categorical, 3 Gaussian and 2 count items from 3 classes; one to six classes, {seconds} s")
    print("table  highest  known  within .1  checked  largest error  CPU seconds  seconds")
    for seed in range(1, int(n_tables) + 1):
        items, rows = nine_items(seed, int(n))
        table, kinds = as_table(items, rows)
        begun, wall = cpu(), perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ockham.OckhamWarning)  # the table says what is unknown
            found = ockham.select(table, range(1, 7), items=kinds, seconds=float(seconds), priors=[1.0], progress=False)
        spent, wall = cpu() - begun, perf_counter() - wall
        known = [one for one in found.evidences.values() if one.trusted]
        errors = [one.standard_error for one in known]
        checked = sum(bool(one.checked_by) or one.standard_error == 0 for one in known)
        row = "{:5d}  {!s:>7}  {:5d}  {:9d}  {:7d}  {:13.3f}  {:11.1f}  {:7.1f}"
        within = sum(error <= 0.1 for error in errors)
        print(row.format(seed, found.posterior, len(known), within, checked, max(errors), spent, wall), flush=True)


def second(seed=7, runs=4):
    """Bridges from several streams, and SMC, of three and four classes of one table."""
    items, rows = nine_items(int(seed), 500)
    read = ockham.read_mixed_table(*as_table(items, rows))
    models = {"the table's": read.model, "the items'": lambda k: FiniteMixture(k, items)}
    print(f"table {seed}; log evidence and its standard error, {runs} bridges and SMC")
    print(f"{'prior':>12}  classes     bridge          highest      lowest        SMC")
    for prior, model in models.items():
        for n_classes in (3, 4):
            each = [of_one(bridge, model(n_classes), rows, run) for run in range(int(runs))]
            other = of_one(smc, model(n_classes), rows, 0)
            values = [one.log_evidence for one in each]
            error = np.hypot.reduce([one.standard_error for one in each]) / len(each)
            row = "{:>12}  {:7d}  {:9.3f} {:6.3f}  {:9.3f}  {:10.3f}  {:9.3f} {:6.3f}"
            print(
                row.format(prior, n_classes, np.mean(values), error, max(values), min(values), other.log_evidence,
                           other.standard_error), flush=True,
            )  # fmt: skip


def of_one(scorer, model, rows, run):
    (found,) = scorer.score(model, MixedRows.of(rows, model.items), scorer.Settings(), Stream(run, "second")).values()
    return found


def cpu():
    """CPU seconds of this process and of those that it waited for."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


COMMANDS = {"items": items, "bounds": bounds, "evidence": evidence, "select": select, "second": second}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:]) if sys.argv[1:] else main()
