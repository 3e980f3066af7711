"""Ockham as it is installed, without its sources and extras: ``python tests/installed.py`` tries every family."""

import warnings

import ockham

if __name__ == "__main__":
    warnings.simplefilter("ignore", ockham.OckhamWarning)  # of what four rows leave unknown
    network = ockham.DiscreteNetwork.build({"s": 2, "a": 3, "b": 3}, {"a": ["s"], "b": ["s"]}, hidden=["s"])
    rows = [[0, 1], [2, 2], [0, 1], [1, 0]]
    cases = [(network, rows, scorer) for scorer in ockham.scorers(network)]
    cases += [(ockham.OrderSpace(2, 1), rows, "exact"), (ockham.RestrictedBoltzmann(2, 1), [[0, 1], [1, 1]], "bic")]
    for model, data, scorer in cases:
        found = ockham.score(model, data, scorer)
        print(type(model).__name__, scorer, *(f"{name}={score.log_evidence:.2f}" for name, score in found.items()))
    certified = ockham.evidence(network, rows)
    assert certified.trusted, certified
    assert abs(certified.evidence.log_evidence - ockham.score(network, rows, "exact")["exact"].log_evidence) < 1e-9
