"""Slow twin of the discrete network: the definitions of Beal & Ghahramani (2006) read literally.

Nothing here shares code with what it checks. A parameter is looked up by (variable, parent values, value) in a
dictionary, a data set is a list of rows (no unique rows, no weights), a row is summed over its completions one by one,
and every product is a sum of logs, so that nothing underflows. A missing cell, -1, is one more hidden variable of its
row; it is None, and has no factor, where nothing depends on it but cells that are None as well. Only ``names``,
``cardinalities``, ``parents``, ``hidden`` and ``prior`` of the network are read.
"""

from itertools import product
from math import exp, fsum, inf, log

import numpy as np
from scipy.special import digamma, gammaln

__all__ = [
    "cells", "complete_log_evidence", "completions", "dirichlet_kl", "em", "expected_counts", "joint_probability",
    "log_joint", "log_likelihood", "m_step", "map_objective", "normalise", "relabelled", "row_posterior",
    "rows_of_cells", "variational_em",
]  # fmt: skip


def cells(network):
    """(variable, parent values, value) of every entry of a flat vector: first parent slowest, value fastest."""
    return [
        (i, configuration, value)
        for i, family in enumerate(network.parents)
        for configuration in product(*(range(network.cardinalities[p]) for p in family))
        for value in range(network.cardinalities[i])
    ]


def rows_of_cells(network):
    """The flat positions of each Dirichlet: a list of lists, one for every (variable, parent values)."""
    rows = {}
    for position, (i, configuration, _) in enumerate(cells(network)):
        rows.setdefault((i, configuration), []).append(position)
    return list(rows.values())


def normalise(network, flat):
    """Positive numbers made to sum to one in each row."""
    flat = np.array(flat, dtype=float)
    for row in rows_of_cells(network):
        flat[row] /= flat[row].sum()
    return flat


def relabelled(network, flat, variables=None, values=None):
    """The flat vector that means the same after renaming variables (i to variables[i]) and their values."""
    variables, values = variables or {}, values or {}
    position = {cell: e for e, cell in enumerate(cells(network))}
    result = np.full(len(position), np.nan)
    for (i, configuration, value), number in zip(cells(network), flat, strict=True):
        there = {
            variables.get(p, p): values[p][x] if p in values else x
            for p, x in zip((*network.parents[i], i), (*configuration, value), strict=True)
        }
        j = variables.get(i, i)
        result[position[j, tuple(there[p] for p in network.parents[j]), there[j]]] = number
    return result


def _state_cells(network, state):
    return [
        (i, tuple(state[p] for p in family), state[i])
        for i, family in enumerate(network.parents)
        if state[i] is not None
    ]


def completions(network, row):
    """Every joint state that agrees with a row of observed values."""
    observed = [i for i in range(len(network.names)) if i not in network.hidden]
    state = dict(zip(observed, (int(x) for x in row), strict=True))

    def is_left_out(i):
        children = [c for c, family in enumerate(network.parents) if i in family]
        return state.get(i) == -1 and all(is_left_out(c) for c in children)

    left_out = {i: None for i in observed if is_left_out(i)}
    open_ = [i for i in range(len(network.names)) if state.get(i, -1) == -1 and i not in left_out]
    for values in product(*(range(network.cardinalities[i]) for i in open_)):
        whole = state | left_out | dict(zip(open_, values, strict=True))
        yield tuple(whole[i] for i in range(len(network.names)))


def log_joint(network, parameters, state):
    """Log p(z | theta) of one joint state; eq. (1)."""
    theta = dict(zip(cells(network), parameters, strict=True))
    return sum(log(theta[cell]) if theta[cell] > 0 else -inf for cell in _state_cells(network, state))


def joint_probability(network, parameters, state):
    """p(z | theta) of one joint state, as a plain product."""
    theta = dict(zip(cells(network), parameters, strict=True))
    result = 1.0
    for cell in _state_cells(network, state):
        result *= theta[cell]
    return result


def row_posterior(network, log_theta, row):
    """Log p(y | theta) of one row and [(state, p(state | y))]; ``log_theta`` maps cells to logs; eq. (14).

    A row without any value says nothing, and counts nowhere.
    """
    if all(x == -1 for x in row):
        return 0.0, []
    states = list(completions(network, row))
    logs = [fsum(log_theta[cell] for cell in _state_cells(network, state)) for state in states]
    largest = max(logs)
    if largest == -inf:
        return -inf, []
    total = fsum(exp(x - largest) for x in logs)
    return largest + log(total), [(s, exp(x - largest) / total) for s, x in zip(states, logs, strict=True)]


def _logs(network, parameters):
    return {c: log(x) if x > 0 else -inf for c, x in zip(cells(network), parameters, strict=True)}


def log_likelihood(network, parameters, data):
    """Log p(y | theta), row by row; eq. (10)."""
    log_theta = _logs(network, parameters)
    return sum(row_posterior(network, log_theta, row)[0] for row in data)


def expected_counts(network, parameters, data):
    """N_ijk as a flat vector; eq. (19). A row without any probability counts nowhere."""
    return _counts(network, _logs(network, parameters), data)


def _counts(network, log_theta, data):
    counts = dict.fromkeys(cells(network), 0.0)
    for row in data:
        for state, weight in row_posterior(network, log_theta, row)[1]:
            for cell in _state_cells(network, state):
                counts[cell] += weight
    return np.array(list(counts.values()))


def map_objective(network, parameters, data, prior):
    """Log posterior in the softmax basis up to a constant: ln p(y | theta) + sum(lambda ln theta)."""
    penalty = fsum(a * log(x) for a, x in zip(prior, parameters, strict=True) if a > 0)
    return log_likelihood(network, parameters, data) + penalty


def m_step(network, parameters, counts, prior):
    """Each theta is (lambda + N) / row sum: MAP in the softmax basis, or eq. (18) where lambda is 0."""
    result = np.array(parameters, dtype=float)
    for row in rows_of_cells(network):
        weight = [prior[e] + counts[e] for e in row]
        if sum(weight) > 0:  # a row without weight keeps its value
            result[row] = np.array(weight) / sum(weight)
    return result


def em(network, parameters, data, prior, n_steps):
    """Parameters, counts at them, and the objective before the first step and after each."""
    history = [map_objective(network, parameters, data, prior)]
    for _ in range(n_steps):
        counts = expected_counts(network, parameters, data)
        parameters = m_step(network, parameters, counts, prior)
        history.append(map_objective(network, parameters, data, prior))
    return parameters, expected_counts(network, parameters, data), np.array(history)


def dirichlet_kl(a, b):
    """KL(Dir(a) || Dir(b)) in nats."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    log_ratio = gammaln(a.sum()) - gammaln(a).sum() - gammaln(b.sum()) + gammaln(b).sum()
    return log_ratio + ((a - b) * (digamma(a) - digamma(a.sum()))).sum()


def variational_em(network, parameters, data, n_steps):
    """Dirichlet parameters of q(theta), counts of the VBE step after it, and the bound after every step.

    The bound is eq. (52) with q(s) written out: E[ln p(z | theta)] + entropy of q(s) - KL(q(theta) || p(theta)).
    """
    counts, posterior, history = expected_counts(network, parameters, data), None, []
    all_cells = cells(network)
    for _ in range(n_steps):
        posterior = network.prior + counts
        log_theta, divergence = {}, 0.0
        for row in rows_of_cells(network):
            divergence += dirichlet_kl(posterior[row], network.prior[row])
            for e in row:
                log_theta[all_cells[e]] = digamma(posterior[e]) - digamma(posterior[row].sum())
        bound = -divergence
        for row in data:
            for state, q in row_posterior(network, log_theta, row)[1]:
                if q > 0:
                    bound += q * (fsum(log_theta[c] for c in _state_cells(network, state)) - log(q))
        history.append(bound)
        counts = _counts(network, log_theta, data)
    return posterior, counts, np.array(history)


def complete_log_evidence(network, states):
    """Log p(z | m) of complete data, eq. (5), as the product of one-step-ahead predictive probabilities."""
    weight = dict(zip(cells(network), (float(x) for x in network.prior), strict=True))
    total = 0.0
    for state in states:
        for i, configuration, value in _state_cells(network, state):
            row = [weight[i, configuration, x] for x in range(network.cardinalities[i])]
            total += log(row[value] / sum(row))
            weight[i, configuration, value] += 1
    return total
