"""What stored numbers rest on, as digests: of a draw, of a block, of one cell of it, and of what follows from them.

A digest that differs makes a job run, and a cell be computed again; whatever a number depends on is in one.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ockham import families
from ockham.contracts import Draw
from ockham.streams import Stream
from ockham.studies.code_digests import code_digest
from ockham.studies.grids import Block, Study

__all__ = [
    "block_specification", "cell_base", "cell_key", "draw_specification", "drawing_digest", "drawing_modules",
    "measurement_specification", "measurements_of", "measuring_digest", "measuring_modules", "scorer_digest",
    "scorer_modules", "scores_specification", "summaries_specification", "summarising_digest", "summarising_modules",
]  # fmt: skip


def draw_specification(study: Study, replicate: int) -> str:
    """SHA-256 of what a replicate's data depend on."""
    own = study.family.drawn_from(study, study.sizes)
    return _sha256(study.family.name, study.stream_name, study.root_seed, own, replicate, drawing_digest(study))


def drawing_digest(study: Study) -> str:
    """SHA-256 of the source that a study's data depend on."""
    return code_digest(*drawing_modules(study))


def drawing_modules(study: Study) -> tuple[str, ...]:
    """The modules that the digest of the source of a study's data begins at."""
    published = study.replicates.published
    of_paper = [families.module_name(families.paper(str(study.paper)).parameters)] if published else []
    return (*families.modules(study.family), *of_paper)


def block_specification(study: Study, block: Block) -> str:
    """SHA-256 of what a block's content depends on, the data apart."""
    settings = study.scorer_settings[block.scorer].model_dump(mode="json")
    models = {label: study.models[label].digest for label in block.structures}
    draws = {replicate: draw_specification(study, replicate) for replicate in block.replicates}
    return _sha256(
        study.name, study.root_seed, block.model_dump(), settings, models, draws, scorer_digest(study, block.scorer),
        study.scorers[block.scorer].from_truth, study.scorers[block.scorer].role,
    )  # fmt: skip


def scorer_digest(study: Study, entry: str) -> str:
    """SHA-256 of the source that the numbers of an entry of the scorers depend on."""
    tops = tuple(sorted({module.split(".")[0] for module in families.modules(study.family)}))
    return code_digest(*scorer_modules(study, entry), also=tops)


def scorer_modules(study: Study, entry: str) -> tuple[str, ...]:
    """The module that the digest of the source of an entry begins at."""
    return (study.scorer_module(entry).__name__,)


def scores_specification(study: Study) -> str:
    """SHA-256 of what the store of all scores depends on: the configuration, and the code of data, scores and store."""
    collecting = code_digest("ockham.studies.collecting", *families.modules(study.family))
    return _sha256(
        study.digest, drawing_digest(study), [scorer_digest(study, entry) for entry in study.scorers], collecting
    )


def measurement_specification(study: Study, name: str) -> str:
    """SHA-256 of what a measurement depends on."""
    settings = study.measurement_settings[name].model_dump(mode="json")
    code = measuring_digest(study, name)
    return _sha256(study.digest, settings, draw_specification(study, study.measured_replicate), code)


def measuring_digest(study: Study, name: str) -> str:
    """SHA-256 of the source that a measurement depends on, and the scorers that it says to run by their names."""
    return code_digest(*measuring_modules(study, name))


def measuring_modules(study: Study, name: str) -> tuple[str, ...]:
    """The modules that the digest of the source of a measurement begins at."""
    module, plan = families.measurement(study.family.name, name), families.plan_of(study.family)
    by_name: list[str] = []
    if getattr(module, "RUNS_PLAN", False):
        named = (plan.exact, *plan.bounds, *(sampler.scorer for sampler in plan.samplers))
        by_name = [families.scorer(study.family.name, scorer).__name__ for scorer in named if scorer]
    return (*families.modules(study.family), module.__name__, *by_name)


def measurements_of(studies: Sequence[Study]) -> dict[str, tuple[Study, str]]:
    """What is measured for a study, or for its conditions, by its group in the summaries.

    That is the measurement's name, below the name of its condition where several conditions have it.
    """
    times = Counter(name for study in studies for name in study.measurements)
    return {
        name if times[name] == 1 else f"{study.condition}/{name}": (study, name)
        for study in studies
        for name in study.measurements
    }


def summaries_specification(studies: Sequence[Study]) -> str:
    """SHA-256 of what the summaries of a study, or of its conditions, depend on."""
    measured = {
        label: measurement_specification(study, name) for label, (study, name) in measurements_of(studies).items()
    }
    code = summarising_digest(studies[0])
    return _sha256([scores_specification(study) for study in studies], measured, code)


def summarising_digest(study: Study) -> str:
    """SHA-256 of the source that summaries depend on, but for the scores and measurements."""
    return code_digest(*summarising_modules(study))


def summarising_modules(study: Study) -> tuple[str, ...]:
    """The modules that the digest of the source of summaries begins at."""
    return (*families.modules(study.family), families.module_name(study.family.summaries))


def cell_base(study: Study, entry: str, source: Draw, data_digest: str, structure: str) -> str:
    """What the cells of an entry on one data set and structure depend on, their streams apart."""
    code = scorer_digest(study, entry)
    if study.scorers[entry].from_truth:
        parameters = hashlib.sha256(source.parameters.tobytes()).hexdigest()
        code += f" from truth {parameters} {code_digest(*families.modules(study.family))}"
    settings = study.scorer_settings[entry].model_dump_json()
    return f"{settings}|{code}|{data_digest}|{study.family.model_of(study, source, structure).digest}"


def cell_key(base: str, stream: Stream) -> int:
    """Non-zero 63-bit key of a cell; ``base`` digests the data, the model, the settings and the code."""
    digest = hashlib.sha256(f"{base}|{stream.root}|{stream.name}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1 or 1


def _sha256(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
