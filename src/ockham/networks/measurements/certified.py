"""What ``ockham.evidence`` would say of random networks, without the exact sum, and the CPU seconds that it takes."""

from math import isinf, nan
from time import process_time
from typing import TYPE_CHECKING, Any

from pydantic import Field

from ockham import contracts, families
from ockham.contracts import Doubt, Draw
from ockham.estimation.certifying import certify
from ockham.streams import Stream, cell_stream

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Settings", "check", "measure"]

LABEL = "random"
RUNS_PLAN = True
"""The scorers of the family's plan, by their names, so that what is measured rests on their source too."""


class Settings(contracts.Settings):
    """Of how many networks, and what is asked for."""

    networks: int = Field(default=10, ge=1, le=10**6, description="how many, from the first replicate on")
    error: float = Field(default=0.1, ge=1e-6, le=1e6, description="standard error to reach, in nats")
    seconds: float = Field(
        default=600.0, gt=0, le=1e6, description="wall time for one; more than it takes, so that no clock has a part"
    )


def check(study: Any, settings: Settings) -> None:
    """Refuse a study without random networks, or with too few."""
    if study.random is None or len(study.replicates.indices()) < settings.networks:
        raise ValueError("measurements.certified: needs as many random networks; set space: random, and prior_draws")


def measure(study: Any, draw: Draw, settings: Settings) -> "xr.Dataset":
    """What is known of the evidence of the first networks.

    Parameters
    ----------
    study : Study
        Of random networks.
    draw : Draw
        Of the first replicate; the others are drawn again.
    settings : Settings

    Returns
    -------
    xarray.Dataset
        Over (replicate,): ``log_evidence``, its ``standard_error`` and ``at_least``, what it is above, in nats, NaN
        where they are not known; ``degrees_of_freedom``, NaN for infinitely many; the flags of ``doubt``; ``checked``,
        whether another estimator agrees; and ``seconds``, of CPU time.
    """
    import xarray as xr  # slow to import, and the settings above are read wherever a study is

    root, rows = Stream(study.root_seed, "data", study.stream_name), []
    replicates = study.replicates.indices()[: settings.networks]
    for replicate in replicates:
        source = study.family.draw(study, study.sizes, replicate, root, None)
        rows.append(_one(study, source, settings))
    about = {
        "log_evidence": ("log evidence", "nats"),
        "standard_error": ("standard error of the log evidence", "nats"),
        "degrees_of_freedom": ("degrees of freedom of the standard error", "1"),
        "at_least": ("what the log evidence is above", "nats"),
        "doubt": ("why the log evidence is not to be trusted", "1"),
        "checked": ("whether another estimator agrees", "1"),
        "seconds": ("CPU time", "s"),
    }
    found = {
        name: ("replicate", list(values), {"long_name": long_name, "units": units})
        for (name, (long_name, units)), values in zip(about.items(), zip(*rows, strict=True), strict=True)
    }
    result = xr.Dataset(found, {"replicate": replicates})
    result["doubt"] = result.doubt.astype("u1").assign_attrs(Doubt.attributes())
    result["checked"] = result.checked.astype("u1")
    return result


def _one(study: Any, source: Draw, settings: Settings) -> tuple[float, ...]:
    """A row for one network, in the order of the variables above."""
    model = study.family.model_of(study, source, LABEL)
    data = study.family.prepare(study, source, max(study.sizes))
    stream = cell_stream(study.root_seed, study.stream_name, source.replicate, max(study.sizes), LABEL, 0)
    begun = process_time()
    sources = families.sources(model, data, stream.child("certified"))._replace(exact=None)
    (found,), _ = certify([sources], settings.error, settings.seconds)
    freedom = found.evidence.degrees_of_freedom
    return (
        found.log_evidence, found.standard_error, nan if isinf(freedom) else freedom, found.at_least,
        int(found.doubt), int(bool(found.checked_by)), process_time() - begun,
    )  # fmt: skip
