"""Kinds of items, one a file: each with its conjugate prior, in the same form for all."""

from ockham.mixtures.items.binomial import Binomial
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.items.ordered import Ordered
from ockham.mixtures.items.poisson import Poisson

__all__ = ["Binomial", "Categorical", "Gaussian", "Ordered", "Poisson"]
