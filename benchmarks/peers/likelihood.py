"""The likelihood and the uniform prior of a discrete network as users of samplers would write them, in NumPy or JAX.

A network is a dictionary of arrays:

``cells``    (n_rows, n_columns)    of the distinct rows: 1 for each hidden variable, then a column for every value of
                                    every observed one, 1 where the row has it
``counts``   (n_rows,)              how often a row occurs
``entries``  (n_hidden, n_columns)  which parameter every joint hidden configuration takes for a column
``sizes``    (n_tables,)            values of the probability tables, one after the other in the parameters

A table of r values has r - 1 sticks: the share that a value takes of what those before it have left. Under a uniform
prior on the table the share that remains after stick i is the power 1 / (r - 1 - i) of a uniform number, so a point of
the unit cube stands for the parameters, and so does its logit ``z``, with a logistic prior.
"""

import numpy as np

__all__ = ["cube_to_log", "log_likelihood", "log_prior", "log_to_real", "real_to_log", "sticks"]


def log_likelihood(log_parameters, given, xp=np):
    """ln p(D | theta), nats, of parameters (..., n_entries)."""
    joint = log_parameters[..., given["entries"]] @ given["cells"].T
    top = joint.max(axis=-2)
    return (xp.log(xp.exp(joint - top[..., None, :]).sum(axis=-2)) + top) @ given["counts"]


def sticks(sizes):
    """Of tables: how many sticks come after each in its table, counting it, and three maps from sticks to entries."""
    after = np.concatenate([np.arange(r - 1, 0, -1) for r in sizes])
    n_sticks, n_entries = len(after), int(np.sum(sizes))
    before, own = np.zeros((n_sticks, n_entries)), np.full(n_entries, n_sticks)
    stick = entry = 0
    for r in sizes:
        for i in range(r):
            before[stick : stick + i, entry + i] = 1.0
            if i < r - 1:
                own[entry + i] = stick + i
        stick, entry = stick + r - 1, entry + r
    return {"after": after, "before": before, "own": own}


def _parameters(log_left, maps, xp):
    """ln theta of the logs of what each stick leaves, (..., n_sticks)."""
    taken = xp.log(-xp.expm1(log_left))
    padded = xp.concatenate([taken, xp.zeros((*taken.shape[:-1], 1))], axis=-1)
    return padded[..., maps["own"]] + log_left @ maps["before"]


def cube_to_log(u, maps, xp=np):
    """ln theta of points in the unit cube, (..., n_sticks)."""
    return _parameters(xp.log1p(-u) / maps["after"], maps, xp)


def real_to_log(z, maps, xp=np):
    """ln theta of logits of points in the unit cube."""
    return _parameters(-xp.logaddexp(0.0, z) / maps["after"], maps, xp)


def log_prior(z, xp=np):
    """The logistic density of logits, nats."""
    return (z - 2 * xp.logaddexp(0.0, z)).sum(axis=-1)


def log_to_real(log_parameters, sizes):
    """Logits of the points that stand for ln theta, (..., n_entries); in NumPy."""
    found, entry = [], 0
    for r in sizes:
        table = np.exp(log_parameters[..., entry : entry + r])
        tails = np.flip(np.cumsum(np.flip(table, -1), -1), -1)
        log_left = (np.log(tails[..., 1:]) - np.log(tails[..., :-1])) * np.arange(r - 1, 0, -1)
        found.append(np.log(-np.expm1(log_left)) - log_left)
        entry += r
    return np.concatenate(found, axis=-1)
