"""Whether results of a study of node orders are what its configuration and this code give: some runs are repeated."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ockham.errors import StoreError
from ockham.orders.estimates import PRIORS
from ockham.orders.family_records import read_family_scores
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.records import (
    TIMES,
    exact_specification,
    families_specification,
    read_collected_samples,
    read_exact,
    read_samples,
)
from ockham.orders.runs import data_of, exact_values, sample_block, scores_of, sums_of
from ockham.orders.settings import OrderBlock, OrderStudy
from ockham.streams import Stream
from ockham.studies.findings import Finding, same_bits

__all__ = ["order_files", "verify_orders"]


def order_files(study: OrderStudy, folder: Path) -> set[Path]:
    """The files that the workflow stores of a study, or of a condition, but for what follows from ``scores.nc``."""
    samples = {_sample_path(folder, block) for scorer in study.scorers for block in study.blocks(scorer).values()}
    return samples | {folder / name for name in ("families.nc", "exact.nc", "scores.nc")}


def verify_orders(study: OrderStudy, folder: Path, n_runs: int, seed: int) -> Iterator[Finding]:
    """Score every family anew, and repeat some runs of every sampler, and the exact values where any run is repeated.

    Every file must be of this configuration, data and code; ``scores.nc`` must hold the bits of the others. Times are
    not compared.
    """
    scores = scores_of(study, data_of(study))
    yield from _check_families(study, folder / "families.nc", scores)
    if study.exact.orders or study.exact.graphs:
        yield from _check_exact(study, folder / "exact.nc", scores, repeat=n_runs > 0)
    for scorer in study.scorers:
        yield from _verify_sampler(study, folder, scorer, scores, n_runs, seed)


def _sample_path(folder: Path, block: OrderBlock) -> Path:
    return folder / f"samples/{block.scorer}/{block.name}.nc"


def _check_families(study: OrderStudy, path: Path, expected: FamilyScores) -> Iterator[Finding]:
    try:
        stored = read_family_scores(path, families_specification(study))
    except StoreError as error:
        yield Finding(True, str(error))
        return
    same = (stored.names, stored.cardinalities) == (expected.names, expected.cardinalities)
    same &= same_bits(stored.log_scores, expected.log_scores)
    text = "as computed anew" if same else "DIFFERENT from what is computed anew; compute the file again"
    yield Finding(not same, f"{path}: scores of {expected.log_scores.size} families: {text}")


def _check_exact(study: OrderStudy, path: Path, scores: FamilyScores, repeat: bool) -> Iterator[Finding]:
    try:
        stored = read_exact(path, study.data.variables, exact_specification(study))
        collected = read_exact(path.with_name("scores.nc"), study.data.variables, None)
    except StoreError as error:
        yield Finding(True, str(error))
        return
    for name, array in stored.items():
        if not same_bits(array, collected[name]):
            yield Finding(True, f"{path.with_name('scores.nc')}: variable {name}: DIFFERENT from {path}")
    for prior, (log_evidence, arcs) in exact_values(study, scores).items() if repeat else ():
        which = PRIORS.index(prior)
        for name, value in (("exact_log_evidence", np.float64(log_evidence)), ("exact_arcs", arcs)):
            same = same_bits(stored[name][which], value)
            text = "as computed anew" if same else "DIFFERENT from what is computed anew"
            yield Finding(not same, f"{path}: variable {name}: prior {prior}: {text}")


def _verify_sampler(
    study: OrderStudy, folder: Path, scorer: str, scores: FamilyScores, n_runs: int, seed: int
) -> Iterator[Finding]:
    entry, blocks = study.scorers[scorer], study.blocks(scorer)
    rng = Stream(seed, "verify", study.name, scorer).generator()
    chosen = set(rng.choice(entry.runs, min(n_runs, entry.runs), replace=False).tolist())
    n_sound, n_compared, n_same = 0, 0, 0
    try:
        collected = read_collected_samples(folder / "scores.nc", study, scorer)
    except StoreError as error:
        yield Finding(True, str(error))
        collected = {}
    for block in blocks.values():
        path = _sample_path(folder, block)
        try:
            stored = read_samples(path, study, block)
        except StoreError as error:
            yield Finding(True, str(error))
            continue
        others = [
            name for name, array in stored.items() if collected and not _has(collected.get(name), block.runs, array)
        ]
        for name in others:
            yield Finding(True, f"{folder / 'scores.nc'}: group {scorer}, variable {name}: DIFFERENT from {path}")
        n_sound += not others
        if repeated := [run for run in block.runs if run in chosen]:
            sums = sums_of(study, scores, entry.steps * len(block.runs))
            for run in repeated:
                different = list(_differences(path, study, block, sums, stored, run))
                yield from different
                n_compared += 1
                n_same += not different
    yield Finding(
        False,
        f"{folder}: {scorer}: {n_sound} of {len(blocks)} files are sound; {n_same} of {n_compared} runs that were "
        "repeated are the same",
    )


def _has(whole: np.ndarray | None, runs: list[int], array: np.ndarray) -> bool:
    return whole is not None and max(runs) < len(whole) and same_bits(whole[runs], array)


def _differences(path, study, block, sums, stored, run) -> Iterator[Finding]:
    """What is not the same, to the bit, when a run is repeated."""
    again = sample_block(study, block.model_copy(update={"runs": [run]}), sums)
    for name, array in again.items():
        old = stored.get(name)
        if name not in TIMES and (old is None or not same_bits(old[[block.runs.index(run)]], array)):
            yield Finding(True, f"{path}: variable {name}: run {run}: DIFFERENT from the same run repeated")
