"""What each score costs beyond the fit that it rests on, model by model ([ChickeringHeckerman1997], section 4.6)."""

from collections.abc import Callable

import numpy as np
import xarray as xr

from ockham.estimation.timing import cpu_seconds
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.fit_scores import bic, cheeseman_stutz
from ockham.networks.inference.information import ObservedInformation
from ockham.networks.scorers import candidate
from ockham.networks.settings import Study
from ockham.streams import cell_stream
from ockham.studies.cells import observed
from ockham.studies.records import Draw

__all__ = ["cost_curves"]


def cost_curves(study: Study, source: Draw, repeats: int = 3) -> xr.Dataset:
    """CPU seconds of every score on the largest data set of one replicate, for each structure with a hidden variable.

    Parameters
    ----------
    study : Study
        With entries ``em`` and ``candidate``, whose settings are taken.
    source : Draw
    repeats : int
        Of every measurement; the shortest is kept.

    Returns
    -------
    xarray.Dataset
        ``seconds`` over (quantity, structure): the fits ``em_map`` and ``em_ml``, and each score without the fit that
        it rests on; ``n_parameters`` over (structure,); ``n``.
    """
    n = max(study.sizes)
    data = observed(study, source, n)
    columns, sizes = {}, {}
    for label, network in study.networks.items():
        if network.hidden:
            times = _times(study, network, source.replicate, n, label, data)
            columns[label] = {name: cpu_seconds(function, repeats) for name, function in times.items()}
            columns[label]["candidate"] = max(columns[label]["candidate"] - columns[label]["em_map"], 0.0)
            sizes[label] = network.n_parameters
    names = list(next(iter(columns.values())))
    seconds = [[columns[label][name] for label in columns] for name in names]
    return xr.Dataset(
        {
            "seconds": (("quantity", "structure"), seconds, {"long_name": "CPU time", "units": "s"}),
            "n_parameters": ("structure", list(sizes.values()), {"long_name": "number of parameters", "units": "1"}),
            "n": ((), n, {"long_name": "Data set size", "units": "1"}),
        },
        {"quantity": names, "structure": list(columns)},
    )


def _times(study: Study, network: DiscreteNetwork, replicate: int, n: int, label: str, data) -> dict[str, Callable]:
    """What is to be timed; the Candidate method with its fit."""
    stream = cell_stream(study.root_seed, study.stream_name, replicate, n, label, 0)
    settings = study.scorer_settings["em"]
    fit = em.search(network, data, stream, settings)
    fit_ml = em.search(network, data, stream, settings, np.zeros(network.n_entries))
    information = ObservedInformation(network, data, fit.log_parameters)
    return {
        "em_map": lambda: em.search(network, data, stream, settings),
        "em_ml": lambda: em.search(network, data, stream, settings, np.zeros(network.n_entries)),
        "candidate": lambda: candidate.score(network, data, study.scorer_settings["candidate"], stream),
        "laplace": lambda: np.linalg.slogdet(ObservedInformation(network, data, fit.log_parameters).whole()),
        "laplace_block": lambda: [np.linalg.slogdet(block) for block in information.blocks()],
        "laplace_diagonal": lambda: np.log(np.abs(information.diagonal())).sum(),
        "cheeseman_stutz": lambda: cheeseman_stutz(network, fit),
        "cheeseman_stutz_ml": lambda: cheeseman_stutz(network, fit_ml),
        "bic": lambda: bic(network, fit, data.n),
        "bic_ml": lambda: bic(network, fit_ml, data.n),
    }
