"""Restricted Boltzmann machines, as the workflow and ``ockham.score`` know them."""

import os
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any, ClassVar

import numpy as np

from ockham import contracts
from ockham.contracts import Draw, Plan, Resources, Sampler, Scored, Variable
from ockham.errors import DataError, ModelError
from ockham.io.arguments import shown
from ockham.io.frames import CategoricalTable
from ockham.machines.data import newsgroups
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, states, visible_distribution
from ockham.machines.settings import MachineSettings, Simulated
from ockham.streams import Stream

__all__ = ["FAMILY", "Machines"]

MAX_ATTEMPTS = 100_000


class Machines(contracts.Family[MachineSettings, RestrictedBoltzmann, BinaryRows]):
    """Binary units in two layers, every parameter Gaussian a priori."""

    name = "restricted_boltzmann"
    settings = MachineSettings
    default_scorer = "laplace"
    summaries = "ockham.machines.summaries:summarise"
    plan = Plan(samplers=(Sampler("ais", {"n_steps": 250}, doubled="n_steps"),))
    measurements: ClassVar[Mapping[str, str]] = {
        "posterior_histograms": "ockham.machines.measurements.posterior_histograms"
    }

    beside_scores = ("n_parameters", "log_aliases", "n_hidden")

    def draw(
        self,
        study: MachineSettings,
        sizes: Sequence[int],
        replicate: int,
        stream: Stream,
        published: Mapping[str, np.ndarray] | None,
    ) -> Draw:
        """Rows of a machine whose parameters are a draw of the prior, or documents in random order."""
        stream, truth = stream.child(replicate), study.truth
        if isinstance(study.data, Simulated):
            parameters = truth.sample(stream.child("parameters").generator())
            rng = stream.child("states").generator()
            drawn = rng.choice(2**truth.n_visible, max(sizes), p=visible_distribution(truth, parameters))
            return Draw(replicate, parameters, states(truth.n_visible)[drawn].astype(np.int16))
        documents, rng = newsgroups.read(study.data.words), stream.child("documents").generator()
        for _ in range(MAX_ATTEMPTS):
            chosen = documents[rng.permutation(len(documents))[: max(sizes)]]
            if not study.data.every_word or chosen[: min(sizes)].any(axis=0).all():
                return Draw(replicate, np.full(truth.n_parameters, np.nan), chosen.astype(np.int16))
        raise DataError(
            f"every_word: no {min(sizes)} documents with all {study.data.words} words were found in {MAX_ATTEMPTS} "
            "attempts; give a larger smallest size, or set every_word to false"
        )

    def drawn_from(self, study: MachineSettings, sizes: Sequence[int]) -> Any:
        """The machine that rows are drawn from, or the documents, and the longest and shortest data set."""
        return study.data.model_dump(mode="json"), study.deviation, max(sizes), min(sizes)

    def prepare(self, study: MachineSettings, draw: Draw, n: int) -> BinaryRows:
        """The distinct rows."""
        return BinaryRows.of(draw.states[:n], f"replicate {draw.replicate}")

    def read(self, model: RestrictedBoltzmann, data: Any) -> BinaryRows:
        """Zeros and ones, shape (n, n_visible)."""
        if not isinstance(model, RestrictedBoltzmann):
            raise ModelError(f"model: {shown(model)} is no RestrictedBoltzmann")
        if isinstance(data, str | os.PathLike | CategoricalTable):
            raise DataError(
                f"the data: {shown(data)} is no array or data frame of zeros and ones; give one, such as what "
                "pandas.read_csv returns"
            )
        return BinaryRows.of(data)

    def of_scores(self, study: MachineSettings, sizes: Sequence[int], draws: Iterable[Draw]) -> Mapping[str, Variable]:
        """Parameters, aliases and hidden units of every machine."""
        models = study.models.values()
        return {
            "n_parameters": Variable(("structure",), [m.n_parameters for m in models], "Free parameters d(m)"),
            "log_aliases": Variable(
                ("structure",), [log(m.n_aliases) for m in models], "ln S, log number of aliases", "nats"
            ),
            "n_hidden": Variable(("structure",), [m.n_hidden for m in models], "Hidden units K"),
        }

    def resources(self, study: Scored, entry: str) -> Resources:
        """At the paper's scale a job takes a quarter of an hour; 100,000 draws of the prior take 1.7 GB."""
        return Resources(3000, 30)


FAMILY = Machines()
