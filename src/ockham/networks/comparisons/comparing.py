"""Log Bayes factors between any discrete networks on a table."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from math import inf
from time import monotonic
from typing import Any

from ockham.errors import ConfigError, OckhamWarning
from ockham.estimation.model_posterior import bayes_factors, model_posterior
from ockham.io.arguments import flag
from ockham.io.blas import one_blas_thread
from ockham.io.frames import MISSING_TEXTS, CategoricalTable, read_table
from ockham.io.progress import progress_bar
from ockham.networks.classes.priors import Prior, distinct_rows
from ockham.networks.comparisons.comparison import Comparison
from ockham.networks.comparisons.given_models import named_models, network_given, structure_given
from ockham.networks.comparisons.structures import Structure
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.streams import Stream
from ockham.table_results.evidences import Certify, Task, certify_models, n_cores
from ockham.table_results.limits import error_of, seconds_of, seed_of
from ockham.table_results.selecting import SECONDS

__all__ = ["compare", "compared", "networks_given", "warn_of_unknown"]


def compare(
    models: Any,
    table: Any,
    *,
    weights: Any = None,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    header: bool = True,
    error: float = 0.1,
    seconds: float = SECONDS,
    prior: float | str = 1.0,
    seed: int = 0,
    progress: bool = True,
) -> Comparison:
    """Log Bayes factors, with errors, between discrete networks with hidden variables on a table.

    Parameters
    ----------
    models : mapping of str to model, or sequence of models
        Each a ``DiscreteNetwork``; the path of a BIF file, or of a YAML file with the keys of a listed structure; or a
        directed graph of networkx, pgmpy or pyAgrum. Without names they have those of their files or graphs.

        Variables are matched with columns by name, and every column must be a variable. In BIF files and objects a
        variable without a column is hidden, and probabilities do not count; a ``DiscreteNetwork`` and a YAML file say
        which are hidden. The states of a column are those of the table, and those that a model has beside.
    table : path, data frame, array_like or CategoricalTable
        As ``ockham.read_table`` takes it, which says what ``weights``, ``missing``, ``drop`` and ``header`` are.
        Missing cells are summed out.
    error : float
        Standard error of every log evidence to reach, in nats.
    seconds : float
        Wall time after which it ends with what is known; so does Ctrl-C.
    prior : float or str
        Of models that have none of their own, which are all but a ``DiscreteNetwork`` and a YAML file with the key
        ``prior``: a hyperparameter of Dirichlet distributions, or ``bdeu:1`` for an equivalent sample size that is
        divided over each table.
    seed : int
        Root of the random streams; the same runs give the same bits, though how many there are depends on the machine.
    progress : bool
        Whether to show on a terminal or in a notebook how far it is.

    Returns
    -------
    Comparison

    Warns
    -----
    OckhamWarning
        When an evidence stays unknown; and for each warning that the table has.

    Raises
    ------
    DataError
        For what is no table of categorical items.
    ModelError
        For a model that cannot be read, or does not fit the table: its name, the variable, and the remedy.
    ConfigError
        For another argument that cannot be.
    """
    named = named_models(models, "models", 2, "the evidence of one is ockham.evidence(model, data)")
    error = error_of(error)
    seconds = seconds_of(seconds)
    common = Prior.of(prior)
    root = seed_of(seed)
    shown = flag(progress, "progress", ConfigError)
    structures = {name: structure_given(name, model) for name, model in named.items()}
    read = read_table(table, missing=missing, drop=drop, weights=weights, header=header)
    networks = networks_given(structures, read, common)
    if not isinstance(table, CategoricalTable):
        for warning in read.warnings:
            warnings.warn(warning, OckhamWarning, stacklevel=2)
    with one_blas_thread(), progress_bar(seconds, shown=shown) as tell:
        found = compared(networks, read, error, seconds, Stream(root, "compare"), tell)
    warn_of_unknown(found, stacklevel=2)
    return found


def networks_given(
    structures: Mapping[str, Structure | DiscreteNetwork], table: CategoricalTable, prior: Prior
) -> dict[str, DiscreteNetwork]:
    """The networks on a table, by name."""
    return {name: network_given(name, structures[name], table, prior) for name in sorted(structures)}


def compared(
    networks: Mapping[str, DiscreteNetwork],
    table: CategoricalTable,
    error: float,
    seconds: float,
    stream: Stream,
    tell: Callable[[float, str], None],
    certify: Certify = certify_models,
) -> Comparison:
    """Networks on a table, each on the stream of its name; without time nothing is begun."""
    begun = monotonic()
    tasks = [Task(each, _columns(each, table), stream.child(name)) for name, each in networks.items()]
    found, interrupted = certify(
        tasks, error, seconds, lambda elapsed, words: tell(elapsed, f"evidence: {words}"), n_cores()
    )
    by_name = zip(networks, found, strict=True)
    evidences = dict(sorted(by_name, key=lambda pair: -pair[1].log_evidence if pair[1].trusted else inf))
    of_posterior = stream.child("posterior")
    return Comparison(
        data=distinct_rows(table),
        labels=dict(zip(table.names, table.categories, strict=True)),
        notes=table.notes,
        models={name: networks[name] for name in evidences},
        evidences=evidences,
        posterior=model_posterior(evidences, of_posterior),
        bayes_factors=bayes_factors(evidences, next(iter(evidences)), of_posterior),
        error=error,
        seed=stream.root,
        seconds=monotonic() - begun,
        interrupted=interrupted,
    )


def warn_of_unknown(found: Comparison, stacklevel: int) -> None:
    """Warn the caller of the evidences that stayed unknown, and why."""
    if unknown := [f"{name}: {each}" for name, each in found.evidences.items() if not each.trusted]:
        words = "; ".join(unknown)
        warnings.warn(f"the evidence of some models is not known: {words}", OckhamWarning, stacklevel=stacklevel + 1)


def _columns(network: DiscreteNetwork, table: CategoricalTable) -> UniqueRows:
    """The distinct rows, with the columns in the order of the network's observed variables."""
    columns = [table.names.index(network.names[i]) for i in network.observed]
    return UniqueRows.of(
        table.states[:, columns],
        [network.cardinalities[i] for i in network.observed],
        "the table",
        missing=True,
        weights=table.weights,
    )
