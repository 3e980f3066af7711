"""Discrete directed networks with hidden variables, as the workflow and ``ockham.score`` know them."""

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any, ClassVar

import numpy as np

from ockham import contracts
from ockham.contracts import Draw, Plan, Resources, Sampler, Scored, Variable
from ockham.errors import ModelError
from ockham.io.arguments import in_order, shown
from ockham.io.frames import CategoricalTable
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.mixtures import mixture_parameters
from ockham.networks.data.random_networks import MAX_OBSERVED, Kind, Problem, random_problem
from ockham.networks.data.real import read
from ockham.networks.data.table_rows import rows_of_table
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.separation import separation
from ockham.networks.settings import MixtureParameters, NetworkSettings, RealData, TableData
from ockham.streams import Stream

__all__ = ["FAMILY", "Networks"]

SMALLEST_START = 0.0025


class Networks(contracts.Family[NetworkSettings, DiscreteNetwork, UniqueRows]):
    """Any acyclic graph over discrete variables, any of them hidden, with Dirichlet priors."""

    name = "discrete_network"
    settings = NetworkSettings
    default_scorer = "vb"
    summaries = "ockham.networks.summaries:summarise"
    record = "ockham.papers.generic:PAPER"
    plan = Plan(
        exact="exact",
        bounds=("vb",),
        samplers=(
            Sampler("bridge"),
            Sampler("tempered_smc", {"n_states": 64}, doubled="n_states", two_sided=True),
            Sampler("smc", {"n_passes": 4, "n_chains": 4}, doubled="n_chains"),
            Sampler("ais_completions", {"n_chains": 32, "n_steps": 32, "max_rows": 2000}, doubled="n_steps"),
        ),
    )
    measurements: ClassVar[Mapping[str, str]] = {
        "certified": "ockham.networks.measurements.certified",
        "cost_curves": "ockham.networks.measurements.cost_curves",
        "schedules": "ockham.networks.measurements.schedules",
    }

    beside_scores = (
        "n_parameters", "log_aliases", "n_hidden_configurations", "replicate", "n", "separation",
        "n_rows", "hyperparameter", "n_hidden_states",
    )  # fmt: skip

    def draw(
        self,
        study: NetworkSettings,
        sizes: Sequence[int],
        replicate: int,
        stream: Stream,
        published: Mapping[str, np.ndarray] | None,
    ) -> Draw:
        """Replicate 0 has the published parameters, others have draws of the prior, or of mixtures; tables none."""
        stream = stream.child(replicate)
        if study.random is not None:
            return _random_draw(study.random.kind, max(sizes), replicate, stream)
        truth = study.truth
        if isinstance(study.data, RealData):
            return Draw(replicate, np.full(truth.n_entries, np.nan), read(study.data.name), truth.names)
        if isinstance(study.data, TableData):
            rng = stream.child("order").generator()
            states = study.data.rows(replicate, study.columns, max(sizes), rng)
            return Draw(replicate, np.full(truth.n_entries, np.nan), states, study.columns)
        rng = stream.child("parameters").generator()
        if replicate == 0 and published is not None:
            parameters = np.concatenate([published[name].ravel() for name in truth.names])
        elif isinstance(study.data, MixtureParameters):
            given = study.data
            parameters = mixture_parameters(truth, rng, given.class_sizes, given.deviation, given.zeros)
        else:
            parameters = np.exp(sample_log(truth, rng))
        states = draw(truth, parameters, max(sizes), stream.child("states").generator())
        return Draw(replicate, parameters, states.astype(np.int16), truth.names)

    def record_for(self, study: NetworkSettings) -> str:
        """Networks that are others in every replicate are no structures to compare."""
        return "" if study.random is not None else self.record

    def drawn_from(self, study: NetworkSettings, sizes: Sequence[int]) -> Any:
        """The true structure, or the content of tables, and the longest data set, as others may be added to it."""
        if isinstance(study.data, TableData):
            return study.columns, max(sizes), study.data.model_dump(mode="json", exclude={"file", "files"})
        if study.random is not None:
            return study.random.model_dump(mode="json"), max(sizes)
        return study.truth.digest, max(sizes), study.data.model_dump(mode="json")

    def model_of(self, study: NetworkSettings, draw: Draw, label: str) -> DiscreteNetwork:
        """A structure by its label, or the random network of the replicate."""
        return study.models[label] if study.random is None else _problem(study.random.kind, draw).network

    def prepare(self, study: NetworkSettings, draw: Draw, n: int) -> UniqueRows:
        """The distinct rows of the observed variables."""
        if study.random is not None:
            return _problem(study.random.kind, draw).rows
        columns = list(study.truth.observed)
        cardinalities = [study.truth.cardinalities[i] for i in columns]
        missing = isinstance(study.data, RealData | TableData)
        return UniqueRows.of(draw.states[:n, columns], cardinalities, f"replicate {draw.replicate}", missing=missing)

    def read(self, model: DiscreteNetwork, data: Any) -> UniqueRows:
        """States counted from 0, shape (n, n_observed); masked, NaN or -1 where a cell is missing.

        Or a CategoricalTable, with weights if it has some; or UniqueRows.
        """
        if not isinstance(model, DiscreteNetwork):
            raise ModelError(f"model: {shown(model)} is no DiscreteNetwork")
        names = [model.names[i] for i in model.observed]
        cardinalities = [model.cardinalities[i] for i in model.observed]
        if isinstance(data, CategoricalTable):
            return rows_of_table(data, names, cardinalities)
        if isinstance(data, UniqueRows):
            data.check_fits(model)
            return data
        return UniqueRows.of(in_order(data, names, "the data"), cardinalities, missing=True)

    def start(self, study: NetworkSettings, parameters: np.ndarray) -> np.ndarray:
        """The true parameters, but a printed .00 is taken as half of its last digit, for a chain is stuck at 0."""
        inside = np.maximum(parameters, SMALLEST_START)
        start: np.ndarray = inside / np.add.reduceat(inside, study.truth.row_starts[:-1])[study.truth.rows]
        return start

    def of_draw(self, study: NetworkSettings) -> Mapping[str, Variable]:
        """Which variables are hidden, and which parameter each entry is; nothing of random networks."""
        if study.random is not None:
            return {}
        truth = study.truth
        shapes = list(zip(truth.n_configurations, truth.cardinalities, strict=True))
        hidden = np.array([i in truth.hidden for i in range(truth.n_variables)], dtype=np.int8)
        owner = np.repeat(np.arange(truth.n_variables), np.diff(truth.offsets)).astype(np.int32)
        configuration = np.concatenate([np.repeat(np.arange(q), r) for q, r in shapes]).astype(np.int32)
        value = np.concatenate([np.tile(np.arange(r), q) for q, r in shapes]).astype(np.int32)
        return {
            "hidden": Variable(("variable",), hidden, "Whether the variable is hidden from the scorers"),
            "entry_variable": Variable(("entry",), owner, "Index of the variable of each parameter"),
            "entry_configuration": Variable(("entry",), configuration, "Parent configuration, first parent slowest"),
            "entry_value": Variable(("entry",), value, "Value of the variable"),
        }

    def of_scores(self, study: NetworkSettings, sizes: Sequence[int], draws: Iterable[Draw]) -> Mapping[str, Variable]:
        """Parameters, aliases and hidden states of every structure; of mixtures, how far apart classes are.

        Of random networks, of which every replicate has another, rows, hyperparameter and hidden states of each.
        """
        models = study.models.values()
        hidden = [s.n_hidden_configurations for s in models]
        found = {
            "n_parameters": Variable(("structure",), [s.n_parameters for s in models], "Free parameters d(m)"),
            "log_aliases": Variable(
                ("structure",), [log(s.n_aliases) for s in models], "ln S, log number of aliases", "nats"
            ),
            "n_hidden_configurations": Variable(("structure",), hidden, "Joint states of the hidden variables"),
        }
        if study.random is not None:
            return found | _of_random_networks(study.random.kind, draws)
        if isinstance(study.data, MixtureParameters):
            replicates, values = [], []
            for source in draws:
                replicates.append(source.replicate)
                values.append([
                    separation(study.truth, self.prepare(study, source, n), source.parameters) for n in sizes
                ])  # fmt: skip
            found["replicate"] = Variable(("replicate",), replicates, "Replicate")
            found["n"] = Variable(("n",), list(sizes), "Data set size")
            found["separation"] = Variable(("replicate", "n"), values, "separation of the true classes")
        return found

    def resources(self, study: Scored, entry: str) -> Resources:
        """Time for sampling, which on thousands of rows takes minutes; fits take seconds."""
        estimates = study.scorer_module(entry).ESTIMATES.values()
        return Resources(minutes=5 if all(estimate.over_runs == "max" for estimate in estimates) else 20)


def _random_draw(kind: Kind, largest: int, replicate: int, stream: Stream) -> Draw:
    """A random network as the number that it is drawn by, and its rows; where it has no more columns or rows, -1."""
    seed = int(stream.child("random network").generator().integers(2**53))
    problem = random_problem(kind, largest, Stream(seed, "random network"))
    states = np.full((largest, MAX_OBSERVED), MISSING, dtype=np.int16)
    n, n_observed = problem.states.shape
    states[:n, :n_observed] = problem.states
    cardinalities = (*problem.cardinalities, *[1] * (MAX_OBSERVED - n_observed))
    return Draw(replicate, np.array([float(seed)]), states, cardinalities=cardinalities)


def _problem(kind: Kind, draw: Draw) -> Problem:
    """The random network of a draw, with its rows."""
    return random_problem(kind, len(draw.states), Stream(int(draw.parameters[0]), "random network"))


def _of_random_networks(kind: Kind, draws: Iterable[Draw]) -> dict[str, Variable]:
    found = [(draw.replicate, _problem(kind, draw)) for draw in draws]
    networks = [problem.network for _, problem in found]
    along = ("replicate",)
    return {
        "replicate": Variable(along, [replicate for replicate, _ in found], "Replicate"),
        "n_rows": Variable(along, [len(problem.states) for _, problem in found], "Rows"),
        "hyperparameter": Variable(along, [network.prior.min() for network in networks], "Dirichlet hyperparameter"),
        "n_hidden_states": Variable(
            along, [network.n_hidden_configurations for network in networks], "Joint states of the hidden variables"
        ),
    }


FAMILY = Networks()
