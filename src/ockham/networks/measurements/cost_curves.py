"""What each score costs beyond the fit that it rests on, model by model ([ChickeringHeckerman1997], section 4.6)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Draw
from ockham.estimation.timing import cpu_seconds
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.em import Search
from ockham.networks.inference.fit_scores import bic, cheeseman_stutz
from ockham.networks.inference.information import ObservedInformation
from ockham.networks.scorers import candidate
from ockham.streams import Stream, cell_stream

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Settings", "check", "measure"]


FIT_OF = dict.fromkeys(
    ("candidate", "laplace", "laplace_block", "laplace_diagonal", "cheeseman_stutz", "bic"), "em_map"
) | dict.fromkeys(("cheeseman_stutz_ml", "bic_ml"), "em_ml")
"""Score to the fit that it rests on."""


class Settings(contracts.Settings):
    """How often."""

    repeats: int = Field(default=3, ge=1, le=1000, description="of every measurement; the shortest is kept")


def check(study: Any, settings: Settings) -> None:
    """Refuse a study that lacks what is measured."""
    hidden = [network for network in study.models.values() if network.hidden]
    if not hidden or not {"em", "candidate"} <= set(study.scorer_settings):
        raise ValueError(
            "measurements.cost_curves: needs entries em and candidate, and a structure with a hidden variable; add "
            "them, or leave it out"
        )


def measure(study: Any, draw: Draw, settings: Settings) -> "xr.Dataset":
    """CPU seconds of every score on the largest data set of one replicate, for each structure with a hidden variable.

    Parameters
    ----------
    study : Study
        Of networks, with entries ``em`` and ``candidate``, whose settings are taken.
    draw : Draw
    settings : Settings

    Returns
    -------
    xarray.Dataset
        ``seconds`` over (quantity, structure): the fits ``em_map`` and ``em_ml``, and each score without the fit that
        it rests on, which ``fit`` over (quantity,) names; ``n_parameters`` over (structure,); ``n``.
    """
    n = max(study.sizes)
    data = study.family.prepare(study, draw, n)
    search, chain = study.scorer_settings["em"], study.scorer_settings["candidate"]
    columns, sizes = {}, {}
    for label, network in study.models.items():
        if network.hidden:
            stream = cell_stream(study.root_seed, study.stream_name, draw.replicate, n, label, 0)
            times = _times(network, data, stream, search, chain)
            columns[label] = {name: cpu_seconds(function, settings.repeats) for name, function in times.items()}
            columns[label]["candidate"] = max(columns[label]["candidate"] - columns[label][FIT_OF["candidate"]], 0.0)
            sizes[label] = network.n_parameters
    names = list(next(iter(columns.values())))
    seconds = [[columns[label][name] for label in columns] for name in names]
    import xarray as xr  # slow to import, and the settings above are read wherever a study is

    return xr.Dataset(
        {
            "seconds": (("quantity", "structure"), seconds, {"long_name": "CPU time", "units": "s"}),
            "n_parameters": ("structure", list(sizes.values()), {"long_name": "number of parameters", "units": "1"}),
            "n": ((), n, {"long_name": "Data set size", "units": "1"}),
        },
        {
            "quantity": names,
            "structure": list(columns),
            "fit": ("quantity", [FIT_OF.get(name, "") for name in names], {"long_name": "fit that the score rests on"}),
        },
    )


def _times(
    network: DiscreteNetwork, data: UniqueRows, stream: Stream, search: Search, chain: candidate.Settings
) -> dict[str, Callable[[], object]]:
    """What is to be timed, each whole; the Candidate method with its fit."""
    no_prior = np.zeros(network.n_entries)
    fit, fit_ml = em.search(network, data, stream, search), em.search(network, data, stream, search, no_prior)

    def information() -> ObservedInformation:
        return ObservedInformation(network, data, fit.log_parameters)

    return {
        "em_map": lambda: em.search(network, data, stream, search),
        "em_ml": lambda: em.search(network, data, stream, search, no_prior),
        "candidate": lambda: candidate.score(network, data, chain, stream),
        "laplace": lambda: np.linalg.slogdet(information().whole()),
        "laplace_block": lambda: [np.linalg.slogdet(block) for block in information().blocks()],
        "laplace_diagonal": lambda: np.log(np.abs(information().diagonal())).sum(),
        "cheeseman_stutz": lambda: cheeseman_stutz(network, fit),
        "cheeseman_stutz_ml": lambda: cheeseman_stutz(network, fit_ml),
        "bic": lambda: bic(network, fit, data.n),
        "bic_ml": lambda: bic(network, fit_ml, data.n),
    }
