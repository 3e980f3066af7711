"""What code a study's figures and tables rest on, by digests, so that what is published can be held to today's code."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ockham import families
from ockham.studies.code_digests import code_digest, source_files
from ockham.studies.grids import Study
from ockham.studies.keys import (
    drawing_digest,
    drawing_modules,
    measuring_digest,
    measuring_modules,
    scorer_digest,
    scorer_modules,
    summarising_digest,
    summarising_modules,
)
from ockham.studies.shown import record_of, shown_by

__all__ = ["code_of", "files_of", "other_code"]

DIGITS = 12
"""Of a SHA-256 that are kept."""


def code_of(study: Study, conditions: Sequence[Study] = ()) -> dict[str, str]:
    """Digests of the source of the data, of every entry of the scorers, and of all that follows, by their names.

    The figures and tables, ``shown``, are those of all ``conditions`` together, of which the study is one.
    """
    showing = _showing_modules(conditions or [study])
    digests = {
        "data": drawing_digest(study),
        **{f"scores/{entry}": scorer_digest(study, entry) for entry in study.scorers},
        **{f"measured/{name}": measuring_digest(study, name) for name in study.measurements},
        "summaries": summarising_digest(study),
        **({"shown": code_digest(*showing)} if showing else {}),
    }
    return {name: digest[:DIGITS] for name, digest in digests.items()}


def files_of(study: Study, conditions: Sequence[Study] = ()) -> dict[str, set[Path]]:
    """The source files that each of the digests of ``code_of`` is of."""
    modules = {
        "data": drawing_modules(study),
        **{f"scores/{entry}": scorer_modules(study, entry) for entry in study.scorers},
        **{f"measured/{name}": measuring_modules(study, name) for name in study.measurements},
        "summaries": summarising_modules(study),
        "shown": _showing_modules(conditions or [study]),
    }
    return {name: source_files(*of) for name, of in modules.items()}


def _showing_modules(together: Sequence[Study]) -> list[str]:
    """The modules of the functions that make the figures and tables of studies."""
    paper = record_of(together)
    figures, tables = shown_by(paper, together)
    shown = [paper.figures[name] for name in figures] + [paper.tables[name] for name in tables] if paper else []
    return sorted({families.module_name(about.function) for about in shown})


def other_code(manifest: Mapping[str, Any], study: Study, conditions: Sequence[Study] = ()) -> list[str] | None:
    """What was made by other code than today's, by the manifest; ``configuration`` too; None where it does not tell."""
    stored, now = manifest.get("code"), code_of(study, conditions)
    if stored is None:
        return None
    changed = [name for name in sorted({*stored, *now}) if stored.get(name) != now.get(name)]
    return ["configuration"] * (manifest["configuration_digest"] != study.digest) + changed
