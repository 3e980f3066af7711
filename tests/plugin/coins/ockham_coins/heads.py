"""How often the coins of a study showed heads."""

import numpy as np
import xarray as xr

from ockham import contracts
from ockham.contracts import Draw
from ockham.studies.grids import Study

__all__ = ["Settings", "measure"]


class Settings(contracts.Settings):
    """None."""


def measure(study: Study, draw: Draw, settings: Settings) -> xr.Dataset:
    """``fraction`` of heads over (n, coin)."""
    fraction = np.array([draw.states[:n].mean(axis=0) for n in study.sizes])
    about = {"long_name": "fraction of heads", "units": "1"}
    return xr.Dataset({"fraction": (("n", "coin"), fraction, about)}, coords={"n": study.sizes})
