"""Maximum likelihood, variational Bayes and Cheeseman-Stutz by the peers. Every answer is in nats."""

import tempfile
from pathlib import Path

import autoclass_files
import numpy as np
from likelihood import log_likelihood

__all__ = ["autoclass", "bayespy", "pgmpy", "pyagrum", "stepmix"]


def _nodes(given):
    """Hidden and observed variables of a problem with their numbers of values, and the hidden parents of the latter."""
    observed = {f"y{j + 1}": int(r) for j, r in enumerate(given["cardinalities"])}
    if n_classes := int(given["n_classes"]):
        return {"s1": n_classes}, observed, {name: ["s1"] for name in observed}
    parents = [["s1"], ["s1", "s2"], ["s1", "s2"], ["s2"]]
    return {"s1": 2, "s2": 2}, observed, dict(zip(observed, parents, strict=True))


def _height(given, tables, smoothing=0.0):
    """The log likelihood at tables in the order of the parameters, and the prior's term of the softmax basis."""
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(np.concatenate([np.ravel(table) for table in tables])), -700.0)
    return float(log_likelihood(logs, given) + smoothing * logs.sum())


def stepmix(given, **settings):
    from stepmix.stepmix import StepMix

    rows, k = given["states"], int(given["n_classes"])

    def work():
        fit = StepMix(k, measurement="categorical", random_state=0, verbose=0, progress_bar=0, **settings)
        return fit.fit(rows).get_parameters()

    def read(found):
        tables = found["measurement"]["pis"].reshape(k, rows.shape[1], -1).transpose(1, 0, 2)
        return _height(given, [found["weights"], tables])

    return work, read


def pgmpy(given, **settings):
    import pandas as pd
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.parameter_estimator import DiscreteEM

    hidden, observed, parents = _nodes(given)
    rows = pd.DataFrame(given["states"], columns=list(observed))
    states = {name: list(range(r)) for name, r in observed.items()}

    def work():
        arcs = [(parent, name) for name in observed for parent in parents[name]]
        network = DiscreteBayesianNetwork(arcs, latents=set(hidden))
        fit = DiscreteEM(dict(states), dict(hidden), seed=0, show_progress=False, **settings)
        return fit.fit(network, rows).parameters_

    def read(found):
        by_name = {table.variable: table for table in found}
        for name in observed:
            by_name[name].reorder_parents(parents[name])
        return _height(given, [by_name[name].get_values().T for name in (*hidden, *observed)])

    return work, read


def pyagrum(given, epsilon=None, n_starts=1, smoothing=0.0):
    import pandas as pd
    import pyagrum as gum

    hidden, observed, parents = _nodes(given)
    rows = pd.DataFrame(given["states"].astype(str), columns=list(observed))
    for name in hidden:
        rows[name] = "?"
    network = gum.BayesNet()
    for name, r in (hidden | observed).items():
        network.add(gum.LabelizedVariable(name, name, [str(k) for k in range(r)]))
    for name in observed:
        for parent in parents[name]:
            network.addArc(parent, name)

    def work():
        found = []
        for seed in range(n_starts):
            gum.initRandom(seed + 1)
            network.generateCPTs()
            learner = gum.BNLearner(rows, network, ["?"])
            learner.useEM(epsilon)
            learner.useSmoothingPrior(smoothing) if smoothing else learner.useNoPrior()
            found.append(learner.learnParameters(network))
        return found

    def read(found):
        tables = [
            [_table(one.cpt(name), name, parents.get(name, [])) for name in (*hidden, *observed)] for one in found
        ]
        return max(_height(given, one, smoothing) for one in tables)

    return work, read


def _table(cpt, name, parents):
    """Of pyAgrum, with the first parent varying slowest."""
    order = [cpt.names.index(v) for v in reversed((*parents, name))]
    return np.transpose(cpt.toarray(), [cpt.toarray().ndim - 1 - i for i in reversed(order)])


def bayespy(given, tolerance, n_iterations=10_000):
    """The highest variational bound of a mixture from given starts."""
    from bayespy.inference import VB
    from bayespy.nodes import Categorical, Dirichlet, Mixture

    k, columns = int(given["n_classes"]), given["states"].T
    joint = given["starts"][:, given["entries"]] @ given["cells"].T
    members = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])[:, :, given["places"]].transpose(0, 2, 1)

    def one(start):
        weights = Dirichlet(np.ones(k))
        classes = Categorical(weights, plates=(columns.shape[1],))
        tables = [Dirichlet(np.ones(int(r)), plates=(k,)) for r in given["cardinalities"]]
        cells = [Mixture(classes, Categorical, table) for table in tables]
        for cell, column in zip(cells, columns, strict=True):
            cell.observe(column)
        classes.initialize_from_parameters(start)
        inference = VB(classes, weights, *tables, *cells)
        inference.update(weights, *tables, verbose=False)
        inference.update(weights, *tables, classes, repeat=n_iterations, tol=tolerance, verbose=False)
        return float(inference.loglikelihood_lowerbound())

    return lambda: [one(start) for start in members], max


def autoclass(given, n_tries, n_more=0):
    """Tries that AutoClass starts alike within a second, and then more, each in a second of its own."""
    k, folder = int(given["n_classes"]), Path(tempfile.mkdtemp())
    attributes = [f'discrete nominal "y{j}" range {r}' for j, r in enumerate(given["cardinalities"])]
    rows = [[str(cell) for cell in row] for row in given["states"]]

    def work():
        autoclass_files.write(folder, rows, attributes, ["single_multinomial default"], k, n_tries)
        found = autoclass_files.search(folder, k)
        return autoclass_files.go_on(folder, k, n_more) if n_more else found

    return work, float
