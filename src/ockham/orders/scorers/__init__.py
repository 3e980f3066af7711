"""Estimators of the evidence over structures of fully observed data, one a file."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the type checker compares each with the contract
    from ockham.contracts import CheckedScorer, Scorer
    from ockham.orders.data.complete_table import CompleteTable
    from ockham.orders.scorers import ais, blocks, exact, mc3
    from ockham.orders.space import OrderSpace

    _ais: CheckedScorer[OrderSpace, CompleteTable, ais.Settings] = ais
    _blocks: Scorer[OrderSpace, CompleteTable, blocks.Settings] = blocks
    _exact: CheckedScorer[OrderSpace, CompleteTable, exact.Settings] = exact
    _mc3: CheckedScorer[OrderSpace, CompleteTable, mc3.Settings] = mc3
