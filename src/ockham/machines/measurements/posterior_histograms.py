"""Posterior densities of single parameters of a Boltzmann machine, by three methods; [ChenWelling2013], 4.1."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ockham import contracts
from ockham.contracts import Draw
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import annealing, langevin
from ockham.machines.inference.fit import Fit, Fitting, search
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.streams import cell_stream

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["DISTRIBUTIONS", "Settings", "measure"]

DISTRIBUTIONS = ("hamiltonian", "langevin", "laplace")
N_CHAINS, N_BURN_IN, N_DRAWS, INTERVAL, N_LEAPFROG = 10, 500, 1000, 5, 10
N_SHOWN, N_BINS = 6, 40


class Settings(contracts.Settings):
    """None: how much is drawn is part of the figure."""


def measure(study: Any, draw: Draw, settings: Settings) -> "xr.Dataset":
    """Densities of some parameters around one mode, by exact Hamiltonian and brief Langevin sampling, and by Laplace.

    Both samplers start at the MAP parameters and take half of the smallest posterior deviation as their step, so that
    they stay in the mode.

    Parameters
    ----------
    study : Study
        Of machines; its largest data set is taken, and the machine nearest to three hidden units.
    draw : Draw
    settings : Settings

    Returns
    -------
    xarray.Dataset
        ``density`` over (distribution, parameter, bin), per unit of the parameter, and ``value`` over (parameter, bin),
        the middle of each bin; parameters are named by their place in theta.
    """
    label, model = min(study.models.items(), key=lambda item: abs(item[1].n_hidden - 3))
    n = max(study.sizes)
    data = BinaryRows.of(draw.states[:n])
    stream = cell_stream(study.root_seed, study.stream_name, draw.replicate, n, label, 0)
    fit = search(model, data, Fitting(expectations="exact", n_starts=5), stream)
    precision = fit.posterior.precision(fit.theta)
    step_size = 0.5 / np.sqrt(np.linalg.eigvalsh(precision)[-1])
    deviations = np.sqrt(np.diag(np.linalg.inv(precision)))
    samples = [
        _hamiltonian(model, data, fit, step_size, stream.child("hamiltonian").generator()),
        _langevin(model, data, fit, step_size, stream.child("langevin").generator()),
    ]
    shown = np.linspace(0, model.n_parameters - 1, N_SHOWN).round().astype(int)
    values, densities = [], []
    for j in shown:
        together = np.concatenate([draws[:, j] for draws in samples])
        edges = np.linspace(together.min(), together.max(), N_BINS + 1)
        middle = 0.5 * (edges[1:] + edges[:-1])
        gaussian = np.exp(-0.5 * ((middle - fit.theta[j]) / deviations[j]) ** 2) / (deviations[j] * np.sqrt(2 * np.pi))
        densities.append([*(np.histogram(draws[:, j], edges, density=True)[0] for draws in samples), gaussian])
        values.append(middle)
    import xarray as xr  # slow to import, and the settings above are read wherever a study is

    return xr.Dataset(
        {
            "density": (
                ("distribution", "parameter", "bin"),
                np.moveaxis(np.array(densities), 1, 0),
                {"long_name": "posterior density of one parameter", "units": "1"},
            ),
            "value": (("parameter", "bin"), values, {"long_name": "parameter", "units": "1"}),
        },
        {"distribution": list(DISTRIBUTIONS), "parameter": shown},
    )


def _hamiltonian(
    model: RestrictedBoltzmann, data: BinaryRows, fit: Fit, step_size: float, rng: np.random.Generator
) -> np.ndarray:
    """Draws, (n_chains * n_draws, n_parameters), of annealing's transition at the posterior's temperature."""
    at_posterior, steps, draws = np.ones(2), np.array([step_size]), []
    for _ in range(N_CHAINS):
        theta = fit.theta
        for t in range(-N_BURN_IN, N_DRAWS):
            theta = annealing.run(model, data, theta, at_posterior, steps, N_LEAPFROG, rng).theta
            if t >= 0:
                draws.append(theta)
    return np.array(draws)


def _langevin(
    model: RestrictedBoltzmann, data: BinaryRows, fit: Fit, step_size: float, rng: np.random.Generator
) -> np.ndarray:
    gradient = langevin.BriefGradient(model, data, 100)
    start = np.tile(fit.theta, (N_CHAINS, 1))
    draws = langevin.run(
        gradient, start, rng,
        step_size=step_size, n_burn_in=N_BURN_IN * INTERVAL, n_draws=N_DRAWS, interval=INTERVAL,
    )  # fmt: skip
    return draws.reshape(-1, model.n_parameters)
