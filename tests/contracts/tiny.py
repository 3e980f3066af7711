"""One tiny model and data set for every family, and settings that make slow scorers quick."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items.binomial import Binomial
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.items.ordered import Ordered
from ockham.mixtures.items.poisson import Poisson
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.structure_space import bipartite_network
from ockham.orders.space import OrderSpace

__all__ = ["TINY", "Tiny"]

RNG = np.random.default_rng(1)
LARGE = {f"h{i}": 2 for i in range(16)}
FIT = {"n_steps": 300, "n_samples": 1000}
WITHOUT_DISTANT_ROWS = {"n_starts": 2}
"""Of mixtures: which pair of nine rows is the farthest is no draw."""


@dataclass(frozen=True)
class Tiny:
    """What the contract tests need of a family.

    Attributes
    ----------
    model : Model
    rows : ndarray, shape (n, n_observed)
    sizes : tuple of int
        Numbers of rows that every scorer takes.
    study : mapping of str to Any
        The family's keys of a study's file.
    quick : mapping of str to dict
        Settings of scorers; their defaults for those that are not in it.
    refused : mapping of str to dict
        Settings that scorers with a ``check`` refuse for any row.
    large : tuple
        A model with a row of data that the other scorers with a ``check`` refuse whatever their settings.
    """

    model: Any
    rows: np.ndarray
    sizes: tuple[int, ...]
    study: Mapping[str, Any]
    quick: Mapping[str, dict] = field(default_factory=dict)
    refused: Mapping[str, dict] = field(default_factory=dict)
    large: tuple[Any, Any] = (None, None)


TINY = {
    "discrete_network": Tiny(
        bipartite_network([[1], [1, 2], [2]], [2, 2], [2, 3, 2]),
        RNG.integers(0, [2, 3, 2], (9, 3)),
        (1, 2, 9),
        {
            "structures": {"space": "bipartite", "hidden_cardinalities": [2], "observed_cardinalities": [2, 3]},
            "true_structure": "1-1",
        },
        large=(
            DiscreteNetwork.build(LARGE | {"a": 1000, "b": 1000, "c": 3}, {"b": ["a"], "c": list(LARGE)}, list(LARGE)),
            [[0, 1, 2]],
        ),
        refused={"exact": {"max_completions": 1}},
    ),
    "restricted_boltzmann": Tiny(
        RestrictedBoltzmann(3, 2),
        (RNG.random((30, 3)) < [0.2, 0.5, 0.6]).astype(int),
        (30,),
        {"data": {"source": "simulated", "n_visible": 3, "n_hidden": 2}, "n_hidden": [1, 2]},
        {
            "ais": {"n_steps": 20, "n_chains": 3, "n_tuning": 4},
            "laplace": FIT,
            "bic": FIT,
            "cross_validation": FIT,
            "langevin": FIT | {"n_step_sizes": 1, "n_burn_in": 50, "n_draws": 20, "interval": 2, "n_prior_draws": 100},
        },
        {name: {"n_samples": 10**8, "n_particles": 10**7} for name in ("bic", "laplace", "cross_validation")}
        | {"langevin": {"n_draws": 10**7, "n_chains": 1000}},
        (RestrictedBoltzmann(60, 60), [[1] * 60]),
    ),
    "node_order": Tiny(
        OrderSpace(4, 2),
        RNG.integers(0, [2, 3, 2, 2], (15, 4)),
        (1, 15),
        {"data": {"source": "random_network", "variables": 5}, "max_indegree": 2},
        {
            "ais": {"length": 1, "graphs": 2, "steps": 400},
            "mc3": {"ratios": 2, "thin": 1, "steps": 600},
        },
        {"ais": {"steps": 1}, "mc3": {"steps": 1}, "exact": {"max_seconds": 1e-12}},
    ),
    "finite_mixture": Tiny(
        FiniteMixture(
            2, {"a": Categorical(3), "o": Ordered(3), "x": Gaussian(1.0, 2.0), "c": Poisson(2.0), "b": Binomial(4)}
        ),
        np.column_stack(
            [RNG.integers(0, [3, 3], (9, 2)), RNG.normal(1.0, 4.0, 9), RNG.poisson(2.0, 9), RNG.integers(0, 5, 9)]
        ),
        (1, 2, 9),
        {
            "items": {
                "a": {"type": "categorical", "n_values": 3},
                "x": {"type": "gaussian", "copies": 2},
                "o": {"type": "ordered", "n_values": 4},
                "c": {"type": "poisson", "mean": 3.0},
                "b": {"type": "binomial", "total": 5},
            },
            "classes": [1, 2],
            "true_classes": 2,
            "missing": 0.1,
        },
        {
            "ais": {"n_steps": 20, "n_chains": 4},
            "bridge": {"n_starts": 4, "n_chains": 2, "n_burn_in": 20, "n_draws": 100, "max_draws": 100},
            "candidate": {"n_burn_in": 20, "n_sweeps": 100},
            "smc": {"n_passes": 2, "n_chains": 8, "n_states": 4},
            **dict.fromkeys(("em", "em_ml", "laplace", "vb", "vb_from_cs"), WITHOUT_DISTANT_ROWS),
        },
        large=(FiniteMixture(100, {"x": Categorical(100)}), np.array([[0.0], [1.0]])),
    ),
}
