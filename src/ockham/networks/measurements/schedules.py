"""Annealing schedules of several curvatures; Figure 6 (d) of [BealGhahramani2006]."""

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.estimation.schedules import nonlinear_schedule

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Settings", "measure"]


class Settings(contracts.Settings):
    """Which schedules."""

    curvatures: list[Annotated[float, Field(gt=0, le=1e9)]] = Field(
        default=[0.02, 0.05, 0.1, 0.2, 0.5, 2.0], min_length=1, max_length=1000, description="e_tau of each, eq. (69)"
    )
    n_steps: int = Field(default=200, ge=1, le=100_000, description="K, steps of each")


def measure(study: object, draw: object, settings: Settings) -> "xr.Dataset":
    """``temperature`` over (curvature, fraction); it depends on neither study nor data."""
    import xarray as xr  # slow to import, and the settings above are read wherever a study is

    schedules = xr.DataArray(
        [nonlinear_schedule(settings.n_steps, curvature) for curvature in settings.curvatures],
        coords={
            "curvature": settings.curvatures,
            "fraction": np.arange(settings.n_steps + 1) / settings.n_steps,
        },
        attrs={"long_name": "inverse temperature tau(k)", "units": "1"},
    )
    schedules.curvature.attrs = {"long_name": "e_tau of eq. (69)", "units": "1"}
    schedules.fraction.attrs = {"long_name": "step of the schedule, k / K", "units": "1"}
    return schedules.to_dataset(name="temperature")
