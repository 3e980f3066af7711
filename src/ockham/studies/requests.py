"""What the scoring jobs of a study ask a cluster for."""

from ockham.contracts import Resources
from ockham.studies.grids import Study

__all__ = ["AROUND", "asked"]

AROUND = 1000
"""Megabytes that are not the family's to know: up to three Snakemakes around a job take 600, and some jobs exceed what
is common for their scorer."""


def asked(study: Study, entry: str) -> Resources:
    """What the family says of an entry of the scorers, with room for what runs around its jobs."""
    found = study.family.resources(study, entry)
    return found._replace(megabytes=found.megabytes + AROUND)
