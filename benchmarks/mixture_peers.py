"""Mixtures of mixed items beside their peers, each with the same model and data: BayesPy, StepMix and scikit-learn.

``python benchmarks/mixture_peers.py [tables]`` (``pip install bayespy stepmix scikit-learn``, ``apt-get install
autoclass``).

BayesPy climbs the same variational bound, from the same first memberships, and must come to the same number. StepMix,
which has no counts, and scikit-learn, which has numbers alone, climb the same likelihood of the items that they have,
from starts of their own, so that the best of sixteen is compared; ours keeps away from classes on one row, whose
likelihood has no bound, so theirs may be above. The bound of scikit-learn's Bayesian mixture has another prior and
lacks constants; it stands beside ours to be seen. So has AutoClass a prior of its own, and the size of a number's cell
in its Cheeseman-Stutz, which is taken off; its classes of rows are compared, and the number of classes that it takes.
CPU times.
"""

import os
import sys
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import numpy as np
from bayespy.inference import VB
from bayespy.nodes import Categorical as OfCategories
from bayespy.nodes import Dirichlet, Gamma, GaussianARD, GaussianGamma, Mixture
from bayespy.nodes import Poisson as OfCounts
from mixtures import cpu
from peers import autoclass_files
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture
from stepmix.stepmix import StepMix

from ockham.estimation.convergence import Search
from ockham.mixtures.data.drawing import draw_rows
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import em, variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.fit_scores import cheeseman_stutz
from ockham.mixtures.inference.starts import starts
from ockham.mixtures.items import Categorical, Gaussian, Poisson
from ockham.mixtures.scorers import em_ml, vb
from ockham.streams import Stream

N_CLASSES, N_ROWS, N_STARTS = 3, 500, 16
MOST_CLASSES, CELL = 6, 1e-4
CATEGORIES = {f"category {i}": Categorical(3) for i in range(4)}
NUMBERS = {f"number {i}": Gaussian() for i in range(3)}
COUNTS = {f"count {i}": Poisson(5.0, 2.0) for i in range(2)}
CLOSE = {"tolerance": 1e-9, "relative_tolerance": 0.0, "max_iterations": 10_000, "n_starts": N_STARTS}


def table(items, seed):
    """Rows that a draw of the prior makes."""
    model = FiniteMixture(N_CLASSES, items, 5.0)
    parameters = model.sample(model.nothing, np.random.default_rng(seed))
    return FiniteMixture(N_CLASSES, items), draw_rows(model, parameters, N_ROWS, 0.0, Stream(seed))


def timed(function):
    """What a function returns, and its CPU seconds and those of its processes."""
    begun = cpu()
    return function(), cpu() - begun


def beside_bayespy(n_tables):
    print(f"variational Bayes, {N_CLASSES} classes, {N_ROWS} rows of 4 categorical, 3 Gaussian and 2 count items")
    print("table          bound  BayesPy's, less ours   CPU ms  BayesPy's   ratio")
    for seed in range(n_tables):
        model, rows = table(CATEGORIES | NUMBERS | COUNTS, seed)
        data = MixedRows.of(rows, model.items)
        design = Design.of(model, data)
        (start,) = starts(model, design, Stream(seed), 1)
        begun = variational_em.begin(model, design, start)
        ours, seconds = timed(
            lambda: variational_em.run(model, design, begun, max_iterations=10_000, tolerance=1e-10)  # noqa: B023
        )
        members = np.repeat(design.members(start).T, data.counts, axis=0)
        theirs, longer = timed(lambda: bayespy_bound(model, np.repeat(data.rows, data.counts, axis=0), members))  # noqa: B023
        bound = ours.objective + design.log_base
        print(f"{seed:5d}  {bound:13.6f}  {theirs - bound:21.1e}  {1e3 * seconds:7.1f}  {1e3 * longer:9.0f}"
              f"  {longer / seconds:6.0f}")  # fmt: skip


def bayespy_bound(model, rows, members):
    """Where BayesPy ends that begins with given memberships, shape (n_rows, n_classes)."""
    k = model.n_classes
    weights = Dirichlet(model.weights_prior)
    classes = OfCategories(weights, plates=(len(rows),))
    of_items, cells = [], []
    for item, column in zip(model.items.values(), rows.T, strict=True):
        if isinstance(item, Gaussian):
            rate = item.shape * item.deviation**2
            of_items.append(GaussianGamma(item.centre, item.mean_weight, item.shape, rate, ndim=0, plates=(k,)))
            cells.append(Mixture(classes, GaussianARD, of_items[-1], 1.0))
            cells[-1].observe(column)
            continue
        if isinstance(item, Poisson):
            of_items.append(Gamma(item.shape, item.shape / item.mean, plates=(k,)))
        else:
            of_items.append(Dirichlet(item.prior, plates=(k,)))
        cells.append(Mixture(classes, OfCounts if isinstance(item, Poisson) else OfCategories, of_items[-1]))
        cells[-1].observe(column.astype(int))
    classes.initialize_from_parameters(members)
    inference = VB(classes, weights, *of_items, *cells)
    inference.update(weights, *of_items, verbose=False)
    inference.update(weights, *of_items, classes, repeat=10_000, tol=1e-13, verbose=False)
    return float(inference.loglikelihood_lowerbound())


def beside_maximum_likelihood(n_tables):
    print(f"\nmaximum likelihood, best of {N_STARTS} starts; log likelihoods and BIC less ours, smallest deviation of")
    print("theirs in a class, CPU seconds")
    print("             items  table  log likelihood   theirs      BIC  narrowest  seconds  theirs   ratio")
    peers = ("4 + 3 for StepMix", CATEGORIES | NUMBERS, stepmix), ("3, scikit-learn", NUMBERS, sklearn)
    for name, items, fit in peers:
        for seed in range(n_tables):
            model, rows = table(items, seed)
            settings = em_ml.Settings(**CLOSE)
            data = MixedRows.of(rows, model.items)
            ours, seconds = timed(lambda: em_ml.score(model, data, settings, Stream(seed)))  # noqa: B023
            likelihood = ours["maximum_likelihood"].log_evidence
            (theirs, bic, narrowest), longer = timed(lambda: fit(rows))  # noqa: B023
            difference = -bic / 2 - ours["bic_ml"].log_evidence
            print(f"{name:>18}  {seed:5d}  {likelihood:14.4f}  {theirs - likelihood:7.4f}  {difference:7.4f}"
                  f"  {narrowest:9.1e}  {seconds:7.3f}  {longer:6.2f}  {longer / seconds:6.0f}")  # fmt: skip


def stepmix(rows):
    """Log likelihood, BIC on its own scale, and the smallest deviation of a number in a class."""
    kinds = {"categories": ("categorical", 4), "numbers": ("gaussian_diag", 3)}
    parts = {name: {"model": kind, "n_columns": n} for name, (kind, n) in kinds.items()}
    fit = StepMix(N_CLASSES, measurement=parts, n_init=N_STARTS, max_iter=10_000, abs_tol=1e-11, rel_tol=0.0,
                  random_state=0, progress_bar=0, verbose=0)  # fmt: skip
    fit.fit(rows)
    variances = fit.get_parameters()["measurement"]["numbers"]["covariances"]
    return fit.score(rows) * len(rows), fit.bic(rows), np.sqrt(np.min(variances))


def sklearn(rows):
    """The same of a Gaussian mixture with a diagonal."""
    fit = GaussianMixture(N_CLASSES, covariance_type="diag", n_init=N_STARTS, max_iter=10_000, tol=1e-11,
                          reg_covar=0.0, init_params="random_from_data", random_state=0)  # fmt: skip
    fit.fit(rows)
    return fit.score(rows) * len(rows), fit.bic(rows), np.sqrt(fit.covariances_.min())


def beside_bounds(n_tables):
    print("\nbound of variational Bayes, best of sixteen starts, beside what BayesianGaussianMixture says")
    for seed in range(n_tables):
        model, rows = table(NUMBERS, seed)
        ours = vb.score(model, MixedRows.of(rows, model.items), vb.Settings(**CLOSE), Stream(seed))
        fit = BayesianGaussianMixture(
            n_components=N_CLASSES, covariance_type="diag", weight_concentration_prior_type="dirichlet_distribution",
            weight_concentration_prior=1.0, mean_precision_prior=1 / 3, mean_prior=np.zeros(3),
            degrees_of_freedom_prior=4.0, covariance_prior=np.full(3, 4.0), n_init=N_STARTS, max_iter=10_000,
            tol=1e-11, reg_covar=0.0, init_params="random_from_data", random_state=0,
        ).fit(rows)  # fmt: skip
        print(f"{seed:5d}  {ours['variational_bayes'].log_evidence:12.3f}  {fit.lower_bound_:12.3f}")


def beside_autoclass(n_tables):
    print(f"\nCheeseman-Stutz of {N_CLASSES} classes, each under its own prior, of {N_STARTS} starts, ours halved; the")
    print(f"adjusted Rand index of both partitions of the rows, best number of classes to {MOST_CLASSES}, CPU seconds")
    print("table         ours    AutoClass   Rand  chosen  theirs  seconds  theirs   ratio")
    for seed in range(n_tables):
        model, rows = table(CATEGORIES | NUMBERS, seed)
        heights, others, folder = {}, {}, Path(tempfile.mkdtemp())
        data, which = MixedRows.distinct(rows, np.ones(len(rows), dtype=np.int64))
        for k in range(1, MOST_CLASSES + 1):
            one = FiniteMixture(k, model.items)
            (fit, heights[k]), seconds = timed(lambda: best_fit(one, data, seed))  # noqa: B023
            written(folder, rows, k)
            _, longer = timed(lambda: autoclass_files.search(folder, k))  # noqa: B023
            others[k] = autoclass_files.go_on(folder, k, N_STARTS - 1) - rows[:, len(CATEGORIES) :].size * np.log(CELL)
            if k == N_CLASSES:
                spent = seconds, longer
                members = Design.of(one, data).members(fit.parameters).argmax(axis=0)[which]
                agreement = adjusted_rand_score(members, autoclass_files.report(folder))
        chosen, theirs = (max(found, key=found.get) for found in (heights, others))
        print(f"{seed:5d}  {heights[N_CLASSES]:11.3f}  {others[N_CLASSES]:11.3f}  {agreement:5.3f}  {chosen:6d}"
              f"  {theirs:6d}  {spent[0]:7.3f}  {spent[1]:6.2f}  {spent[1] / spent[0]:6.0f}")  # fmt: skip


def best_fit(model, data, seed):
    """The best of our fits, and its Cheeseman-Stutz score."""
    design = Design.of(model, data)
    fit = em.search(model, design, Stream(seed), Search(n_starts=N_STARTS), data.n)
    return fit, cheeseman_stutz(model, design, fit)


def written(folder, rows, n_classes):
    """The table as AutoClass reads it, numbers in cells of one size."""
    n = len(CATEGORIES)
    texts = ([*(f"{v:.0f}" for v in row[:n]), *(f"{v:.9f}" for v in row[n:])] for row in rows)
    attributes = [f'discrete nominal "y{i}" range {item.n_values}' for i, item in enumerate(CATEGORIES.values())]
    attributes += [f'real location "x{i}" error {CELL}' for i in range(len(NUMBERS))]
    numbers = " ".join(str(n + i) for i in range(len(NUMBERS)))
    models = [f"single_normal_cn {numbers}", "single_multinomial default"]
    autoclass_files.write(folder, texts, attributes, models, n_classes, N_STARTS)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    n_tables = int(sys.argv[1]) if sys.argv[1:] else 3
    beside_bayespy(n_tables)
    beside_maximum_likelihood(n_tables)
    beside_bounds(n_tables)
    beside_autoclass(n_tables)
