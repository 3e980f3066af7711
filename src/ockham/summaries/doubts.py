"""How much of what is shown rests on scores that are not to be trusted."""

import xarray as xr

__all__ = ["fraction_doubted"]


def fraction_doubted(best: xr.Dataset) -> xr.DataArray:
    """The fraction of the structures with a score whose score is doubted, over (score, replicate, n); NaN for none.

    ``best`` is as ``best`` returns it.
    """
    known = best.log_evidence.isel(alias_correction=0, drop=True).notnull()
    fraction = (best.doubt != 0).where(known).mean("structure")
    return fraction.assign_attrs(long_name="fraction of the structures whose score is not to be trusted", units="1")
