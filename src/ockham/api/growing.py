"""The evidence of the first rows of a table, for many numbers of them, from the same passes over all rows."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ockham.api.scoring import Scores, bounds_beside, judged, settings_of, warn
from ockham.contracts import Evidence
from ockham.errors import ConfigError, DataError, ModelError
from ockham.estimation import waste_free
from ockham.estimation.interrupting import interruptible
from ockham.estimation.memory import check_memory
from ockham.io.arguments import flag, in_order, shown, table, whole
from ockham.io.blas import one_blas_thread
from ockham.io.frames import CategoricalTable
from ockham.io.lists import members
from ockham.io.progress import progress_bar
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import check_layout
from ockham.networks.inference.particles import begun_at_prior
from ockham.networks.inference.waste_free import estimate
from ockham.networks.scorers import smc
from ockham.streams import Stream
from ockham.table_results.limits import seed_of

__all__ = ["evidence_by_size"]

MOST_SIZES = 1000


def evidence_by_size(
    network: DiscreteNetwork,
    data: Any,
    sizes: Sequence[int],
    *,
    seed: int = 0,
    progress: bool = True,
    **settings: Any,
) -> Scores[int]:
    """The log evidence of the first n rows of a table, for every n that is asked for, from the same passes.

    Sequential Monte Carlo as of the scorer ``smc``, but for the order of the rows: passes take those up to one size in
    orders of their own, and then those up to the next. So the passes over all sizes cost what those over the largest
    do; every size has a search for modes of its own beside them.

    Parameters
    ----------
    network : DiscreteNetwork
    data : array_like of int, shape (n, n_observed), or data frame
        As ``score`` takes it; the order of its rows counts. Cells may be missing at random.
    sizes : sequence of int
        Numbers of rows.
    seed : int
        Root of the random streams; the same seed gives the same bits.
    progress : bool
        Whether to show on a terminal or in a notebook how far it is.
    **settings
        Of the scorer ``smc``: ``n_passes``, ``n_chains``, ``n_states`` and ``least_share``.

    Returns
    -------
    Scores
        A dictionary of ``Evidence`` by number of rows, in nats, each with the error of the mean of the passes by their
        spread. Errors of different sizes are not independent.

    Warns
    -----
    OckhamWarning
        For every size whose estimate is doubted.

    Raises
    ------
    DataError
        Where the rows do not fit the network, or have no order.
    ConfigError
        For sizes that are not there, or another argument that cannot be.
    ModelError
        For a network whose passes would take more memory than allowed, or what is no network.

    Notes
    -----
    A first pass chooses the batches of rows by its weights, and is left out. The exponential of every other estimate is
    unbiased ([Chopin2002], [DauChopin2022]).
    """
    if not isinstance(network, DiscreteNetwork):
        raise ModelError(f"network: {shown(network)} is no DiscreteNetwork")
    chosen, root = settings_of(smc, "smc", settings), seed_of(seed)
    rows = _rows_in_order(network, data)
    given = [whole(n, "sizes", 1, len(rows), ConfigError) for n in members(sizes, "sizes", MOST_SIZES, ConfigError)]
    if not 0 < len(given) <= MOST_SIZES:
        raise ConfigError(f"sizes: must be 1 to {MOST_SIZES} numbers of rows")
    nested = [_read(network, rows[:n]) for n in sorted(set(given))]
    smc.check(network, nested[-1].n, chosen)
    check_layout(network.relevant, nested[-1])
    check_memory(
        len(nested) * chosen.n_passes * waste_free.N_SEEN * network.n_entries,
        f"{len(nested):,} sizes of {chosen.n_passes:,} passes",
        "ask for fewer sizes, or take fewer n_passes",
    )
    passes: list[waste_free.Pass] = []
    estimates: list[Evidence] = []
    bounds: list[list[float]] = []

    def run_all() -> None:
        stream = Stream(root, "growing rows")
        rng = stream.generator()
        one = _pass_over(network, nested, chosen, rng)
        passes.append(one(least_share=chosen.least_share))
        for _ in range(chosen.n_passes):
            passes.append(one(ends=passes[0].ends))
        estimates.extend(_estimates(network, nested, passes, chosen, stream))
        bounds.extend(bounds_beside(network, each, root) for each in nested)

    n_passes = 1 + chosen.n_passes
    with one_blas_thread(), progress_bar(n_passes, shown=flag(progress, "progress", ConfigError)) as tell:
        interruptible(run_all, lambda: tell(len(passes), f"{len(passes)} of {n_passes} passes"))
    (name, about), *_ = smc.ESTIMATES.items()
    found = {
        each.n: judged(said, about, network, max(proven, default=-np.inf))
        for each, said, proven in zip(nested, estimates, bounds, strict=True)
    }
    for n, evidence in found.items():
        warn(f"{name}, {n:,} rows", about, evidence, stacklevel=3)
    return Scores(found, dict.fromkeys(found, about))


def _rows_in_order(network: DiscreteNetwork, data: Any) -> Any:
    if isinstance(data, CategoricalTable | UniqueRows):
        raise DataError("the data: give an array or a data frame; what was read already has its rows in another order")
    array = in_order(data, [network.names[i] for i in network.observed], "the data")
    return array if isinstance(array, np.ndarray) and array.ndim == 2 else table(array, "the data", "variable")


def _read(network: DiscreteNetwork, rows: Any) -> UniqueRows:
    return UniqueRows.of(rows, [network.cardinalities[i] for i in network.observed], missing=True)


def _pass_over(
    network: DiscreteNetwork, nested: Sequence[UniqueRows], settings: smc.Settings, rng: np.random.Generator
) -> Callable[..., waste_free.Pass]:
    """What makes a pass over nested data sets, the rows between two of them in an order of its own each time."""
    distinct, sizes = nested[-1].rows, [each.n for each in nested]
    place = {row.tobytes(): k for k, row in enumerate(distinct)}
    counts = np.zeros((1 + len(nested), len(distinct)), dtype=np.int64)
    for k, each in enumerate(nested, 1):
        counts[k, [place[row.tobytes()] for row in each.rows]] = each.counts
    added = [np.repeat(np.arange(len(distinct)), more) for more in np.diff(counts, axis=0)]
    over = partial(
        waste_free.run, begun_at_prior(network.relevant, distinct), sizes=sizes, rng=rng, n_chains=settings.n_chains,
        n_states=settings.n_states,
    )  # fmt: skip
    return lambda **more: over(rows=np.concatenate([rng.permutation(each) for each in added]), **more)


def _estimates(
    network: DiscreteNetwork,
    nested: Sequence[UniqueRows],
    passes: Sequence[waste_free.Pass],
    settings: smc.Settings,
    stream: Stream,
) -> Iterator[Evidence]:
    """The evidence of every data set, by all passes but the first."""
    n_evaluations = sum(each.n_evaluations for each in passes)
    n_particles = settings.n_passes * settings.n_chains * settings.n_states
    values, fewest, seen = (
        np.array([getattr(each, part) for each in passes[1:]]) for part in ("log_evidences", "n_effective", "seen")
    )
    for k, data in enumerate(nested):
        of_size = waste_free.Passes(values[:, k], n_evaluations, float(fewest[:, k].min()), seen[:, k], n_particles)
        yield estimate(network.relevant, data, of_size, stream.child("rows", data.n), settings.n_starts)
