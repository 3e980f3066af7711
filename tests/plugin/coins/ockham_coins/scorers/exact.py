"""The evidence of coins in closed form."""

from math import lgamma

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.streams import Stream
from ockham_coins.coins import Coins, Tosses

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {"exact": Estimator("Exact evidence")}


class Settings(contracts.Settings):
    """None."""


def score(coins: Coins, data: Tosses, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """ln of the product over biases of B(prior + heads, prior + tails) / B(prior, prior)."""
    pairs = zip(*coins.counts(data), strict=True)
    joint = sum(_log_beta(coins.prior + heads, coins.prior + tails) for heads, tails in pairs)
    return {"exact": Evidence(joint - coins.n_biases * _log_beta(coins.prior, coins.prior), n_evaluations=1)}


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
