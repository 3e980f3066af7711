"""Coins, as the workflow and ``ockham.score`` know them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ockham.contracts import Draw, Family, Variable
from ockham.streams import Stream
from ockham_coins.coins import Coins, Tosses
from ockham_coins.settings import CoinSettings

__all__ = ["FAMILY"]


class CoinFamily(Family[CoinSettings, Coins, Tosses]):
    """Tosses of coins, some of which share a bias."""

    name = "coins"
    settings = CoinSettings
    default_scorer = "exact"
    summaries = "ockham_coins.summaries:summarise"
    beside_scores = ("n_biases",)
    measurements: ClassVar[Mapping[str, str]] = {"heads": "ockham_coins.heads"}

    def draw(
        self, study: CoinSettings, sizes: Sequence[int], replicate: int, stream: Stream, published: Mapping | None
    ) -> Draw:
        """Biases from the prior, and tosses."""
        truth, stream = Coins(study.truth, study.prior), stream.child(replicate)
        (biases,) = truth.sample(stream.child("biases").generator(), 1)
        uniform = stream.child("tosses").generator().random((max(sizes), study.n_variables))
        return Draw(replicate, biases, (uniform < biases[truth.bias_of_coin]).astype(np.int16))

    def prepare(self, study: CoinSettings, draw: Draw, n: int) -> Tosses:
        """The first n rows."""
        return Tosses.of(draw.states[:n], study.n_variables)

    def read(self, model: Coins, data: Any) -> Tosses:
        """Zeros and ones, shape (n, n_coins)."""
        return Tosses.of(data, len(model.sharing))

    def of_scores(self, study: CoinSettings, sizes: Sequence[int], draws: Iterable[Draw]) -> Mapping[str, Variable]:
        """The number of biases of each structure."""
        return {"n_biases": Variable(("structure",), [m.n_biases for m in study.models.values()], "Biases")}


FAMILY = CoinFamily()
