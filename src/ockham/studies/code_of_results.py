"""What code a study's figures and tables rest on, by digests, so that what is published can be held to today's code."""

from collections.abc import Mapping, Sequence
from typing import Any

from ockham import families
from ockham.studies.code_digests import code_digest
from ockham.studies.grids import Study
from ockham.studies.keys import drawing_digest, measuring_digest, scorer_digest, summarising_digest
from ockham.studies.shown import record_of, shown_by

__all__ = ["code_of", "other_code"]

DIGITS = 12
"""Of a SHA-256 that are kept."""


def code_of(study: Study, conditions: Sequence[Study] = ()) -> dict[str, str]:
    """Digests of the source of the data, of every entry of the scorers, and of all that follows, by their names.

    The figures and tables, ``shown``, are those of all ``conditions`` together, of which the study is one.
    """
    together = conditions or [study]
    paper = record_of(together)
    figures, tables = shown_by(paper, together)
    shown = [paper.figures[name] for name in figures] + [paper.tables[name] for name in tables] if paper else []
    digests = {
        "data": drawing_digest(study),
        **{f"scores/{entry}": scorer_digest(study, entry) for entry in study.scorers},
        **{f"measured/{name}": measuring_digest(study, name) for name in study.measurements},
        "summaries": summarising_digest(study),
        **({"shown": code_digest(*sorted({families.module_name(about.function) for about in shown}))} if shown else {}),
    }
    return {name: digest[:DIGITS] for name, digest in digests.items()}


def other_code(manifest: Mapping[str, Any], study: Study, conditions: Sequence[Study] = ()) -> list[str] | None:
    """What was made by other code than today's, by the manifest; ``configuration`` too; None where it does not tell."""
    stored, now = manifest.get("code"), code_of(study, conditions)
    if stored is None:
        return None
    changed = [name for name in sorted({*stored, *now}) if stored.get(name) != now.get(name)]
    return ["configuration"] * (manifest["configuration_digest"] != study.digest) + changed
