"""How often the coins of a study showed heads."""

from typing import Any

import numpy as np

from ockham import contracts
from ockham.contracts import Draw

__all__ = ["Settings", "measure"]


class Settings(contracts.Settings):
    """None."""


def measure(study: Any, draw: Draw, settings: Settings) -> Any:
    """A dataset of xarray: ``fraction`` of heads over (n, coin)."""
    import xarray as xr  # slow to import, and the settings above are read wherever a study is

    fraction = np.array([draw.states[:n].mean(axis=0) for n in study.sizes])
    about = {"long_name": "fraction of heads", "units": "1"}
    return xr.Dataset({"fraction": (("n", "coin"), fraction, about)}, coords={"n": study.sizes})
