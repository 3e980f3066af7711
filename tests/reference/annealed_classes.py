"""Classes of cases annealed one case after another, in NumPy, by evidences of completed rows."""

from itertools import pairwise

import numpy as np

from ockham.mixtures.finite_mixture import Sums

__all__ = ["anneal"]


def anneal(model, statistics, temperatures, rng):
    """The last classes and the log weight but for base measures, less ln of the number of completions, nats."""
    names = np.arange(model.n_classes)

    def log_joint(assignments):
        """Of several at a time, shape (n, n_cases)."""
        members = (assignments[:, None, :] == names[:, None]).astype(float)
        return model.log_marginal(Sums(members.sum(axis=-1), members @ statistics))

    classes, log_weight = np.zeros(len(statistics), dtype=int), 0.0
    for before, after in pairwise(temperatures):
        for i in range(len(statistics)):
            others = np.repeat(classes[None], model.n_classes, axis=0)
            others[:, i] = names
            logs = before * log_joint(others)
            shares = np.exp(logs - logs.max())
            classes[i] = np.flatnonzero(rng.random() * shares.sum() < np.cumsum(shares))[0]
        log_weight += (after - before) * float(log_joint(classes[None])[0])
    return classes, log_weight
