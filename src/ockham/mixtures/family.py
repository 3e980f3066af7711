"""Finite mixtures of mixed items, as the workflow and ``ockham.score`` know them."""

from collections.abc import Iterable, Mapping, Sequence
from math import lgamma
from typing import Any, ClassVar

import numpy as np

from ockham import contracts
from ockham.contracts import Draw, Plan, Sampler, Variable
from ockham.errors import ModelError
from ockham.io.arguments import shown
from ockham.mixtures.data.drawing import draw_rows
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.data.rounding import check_rounding
from ockham.mixtures.data.tables import MixedTable
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.settings import MixtureSettings
from ockham.streams import Stream

__all__ = ["FAMILY", "Mixtures"]

IN_UNITS = ("gaussian", "poisson")
"""Kinds of items whose hyperparameters are in units of the item."""


class Mixtures(contracts.Family[MixtureSettings, FiniteMixture, MixedRows]):
    """Latent classes, items of whatever kinds independent given the class, each with a conjugate prior."""

    name = "finite_mixture"
    settings = MixtureSettings
    default_scorer = "vb"
    summaries = "ockham.mixtures.summaries:summarise"
    record = "ockham.papers.generic:PAPER"
    plan = Plan(
        exact="exact",
        bounds=("vb",),
        samplers=(
            Sampler("bridge"),
            Sampler("smc", {"n_passes": 4, "n_chains": 16}, doubled="n_chains"),
            Sampler("ais_completions", {"n_chains": 32, "n_steps": 32, "max_rows": 1000}, doubled="n_steps"),
        ),
    )
    state_type: ClassVar[str] = "f8"
    beside_scores = ("n_parameters", "log_aliases", "n_classes")

    def draw(
        self,
        study: MixtureSettings,
        sizes: Sequence[int],
        replicate: int,
        stream: Stream,
        published: Mapping[str, np.ndarray] | None,
    ) -> Draw:
        """Rows of a mixture whose parameters are a draw of the prior, or of a table in a random order."""
        truth, stream = study.truth, stream.child(replicate)
        if study.data is not None:
            rows = study.data.rows(max(sizes), stream.child("order").generator())
            return Draw(replicate, np.full(study.n_entries, np.nan), rows, tuple(truth.items))
        parameters = truth.sample(truth.nothing, stream.child("parameters").generator())
        rows = draw_rows(truth, parameters, max(sizes), study.missing, stream.child("states"))
        entries = np.concatenate([parameters.log_weights, parameters.natural.ravel()])
        return Draw(replicate, entries, rows, tuple(truth.items))

    def drawn_from(self, study: MixtureSettings, sizes: Sequence[int]) -> Any:
        """The true mixture, what is missing, and the longest data set; the numbers of classes to compare may change.

        Of a table its content, and what its columns are.
        """
        if study.data is not None:
            return (
                study.truth.digest,
                list(study.columns),
                max(sizes),
                study.data.model_dump(mode="json", exclude={"file"}),
            )
        return study.truth.digest, list(study.columns), study.missing, max(sizes)

    def prepare(self, study: MixtureSettings, draw: Draw, n: int) -> MixedRows:
        """The distinct rows."""
        source = f"replicate {draw.replicate}"
        rows = MixedRows.of(draw.states[:n], study.columns, source, empty=True)
        check_rounding(rows, study.columns, source)
        return rows

    def read(self, model: FiniteMixture, data: Any) -> MixedRows:
        """Numbers, shape (n, n_items), NaN or masked where a cell is missing; or ``MixedRows``, which have weights."""
        if not isinstance(model, FiniteMixture):
            raise ModelError(f"model: {shown(model)} is no FiniteMixture")
        if isinstance(data, MixedTable):
            data = data.of(model.items)
        is_read = isinstance(data, MixedRows)
        rows: MixedRows = data if is_read else MixedRows.of(data, model.items)
        if is_read:
            rows.check_fits(model.items)
        check_rounding(rows, model.items, "the data")
        return rows

    def rests_on(self, model: FiniteMixture) -> str:
        """The priors of numbers and counts, whose scale no data set says."""
        in_units = [name for name, item in model.items.items() if item.kind in IN_UNITS]
        return f"it rests on the priors of {', '.join(map(repr, in_units))[:200]}" if in_units else ""

    def of_scores(self, study: MixtureSettings, sizes: Sequence[int], draws: Iterable[Draw]) -> Mapping[str, Variable]:
        """Parameters, aliases and classes of every mixture."""
        models = study.models.values()
        aliases = [lgamma(m.n_classes + 1) for m in models]
        return {
            "n_parameters": Variable(("structure",), [m.n_parameters for m in models], "Free parameters d(m)"),
            "log_aliases": Variable(("structure",), aliases, "ln S, log number of aliases", "nats"),
            "n_classes": Variable(("structure",), [m.n_classes for m in models], "Classes K"),
        }


FAMILY = Mixtures()
