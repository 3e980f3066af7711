"""Ockham as it is installed, without its sources and extras: ``python tests/installed.py`` tries every family.

Of machines the scorers that climb with SciPy are tried if it is there; otherwise the sentence that names its extra.
"""

import warnings
from importlib.util import find_spec

import ockham
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.items.poisson import Poisson

if __name__ == "__main__":
    warnings.simplefilter("ignore", ockham.OckhamWarning)  # of what a few rows leave unknown
    network = ockham.DiscreteNetwork.build({"s": 2, "a": 3, "b": 3}, {"a": ["s"], "b": ["s"]}, hidden=["s"])
    rows = [[0, 1], [2, 2], [0, 1], [1, 0]]
    mixture = ockham.FiniteMixture(2, {"kind": Categorical(2), "size": Gaussian(1.0, 1.0), "count": Poisson(2.0)})
    mixed = [[0, 1.2, 3], [1, 0.1, 0], [1, 0.3, 1], [0, 1.9, 4], [1, -0.4, 1]]
    space, machine, bits = ockham.OrderSpace(2, 1), ockham.RestrictedBoltzmann(2, 1), [[0, 1], [1, 1]]
    short = {"ais": {"steps": 10_000}, "mc3": {"steps": 20_000}}
    cases = [(network, rows, scorer, {}) for scorer in ockham.scorers(network)]
    cases += [(mixture, mixed, scorer, {}) for scorer in ockham.scorers(mixture)]
    cases += [(space, rows, scorer, short.get(scorer, {})) for scorer in ockham.scorers(space)]
    cases += [(machine, bits, scorer, {}) for scorer in (["ais", "bic"] if find_spec("scipy") else ["ais"])]
    for model, data, scorer, settings in cases:
        found = ockham.score(model, data, scorer, **settings)
        print(type(model).__name__, scorer, *(f"{name}={score.log_evidence:.2f}" for name, score in found.items()))
    if not find_spec("scipy"):
        try:
            ockham.score(machine, bits, "bic")
        except ockham.ConfigError as error:
            print(error)
    for model, data in ((network, rows), (mixture, mixed)):
        certified = ockham.evidence(model, data)
        assert certified.trusted, certified
        assert abs(certified.evidence.log_evidence - ockham.score(model, data, "exact")["exact"].log_evidence) < 1e-9
