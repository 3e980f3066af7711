"""What scorers return, and what they say of their estimates, held to what every part of the package takes for granted.

A scorer from outside that breaks it would be stored, trusted and shown.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from math import inf
from numbers import Real
from re import fullmatch
from typing import Any, get_args

import numpy as np

from ockham.contracts import NAME, RESERVED, Bound, Doubt, Estimator, Evidence, OverRuns, Reference

__all__ = ["BESIDE", "estimator_problem", "evidence_problem", "taken_beside"]

BESIDE = ("standard_error", "degrees_of_freedom", "effective_sample_size", "doubt")
"""What a store has beside every estimate, as ``<estimate>_<what>``."""
N_EVALUATIONS = "n_evaluations"


def estimator_problem(estimator: Estimator) -> str:
    """What is wrong with what is said of an estimate, or nothing."""
    for field, choices in (("bound", Bound), ("over_runs", OverRuns), ("reference", Reference)):
        value = getattr(estimator, field)
        if value not in get_args(choices):
            return f"{field}: {_shown(value)} is none of {', '.join(get_args(choices))}"
    return ""


def evidence_problem(evidence: Evidence, estimates: Collection[str]) -> str:
    """What is wrong with an estimate that a scorer of these returns, or nothing."""
    n_evaluations: Any = evidence.n_evaluations
    doubt: Any = evidence.doubt
    diagnostics: Any = evidence.diagnostics
    for field in ("log_evidence", "standard_error", "degrees_of_freedom", "effective_sample_size"):
        value = getattr(evidence, field)
        if type(value) is not float and not isinstance(value, float | np.floating | int | np.integer):
            return f"{field}: {_shown(value)} is no number"
    if evidence.log_evidence == inf:
        return "log_evidence: is infinite; NaN says that there is none"
    if evidence.standard_error < 0 or (evidence.standard_error == inf and evidence.trusted):
        return f"standard_error: {evidence.standard_error} is none; NaN says that nothing is known of it"
    if evidence.degrees_of_freedom <= 0:
        return f"degrees_of_freedom: {evidence.degrees_of_freedom} is not above 0; inf is of normal intervals"
    if evidence.effective_sample_size < 0:
        return f"effective_sample_size: {evidence.effective_sample_size} is below 0; NaN is of no weighted mean"
    if not isinstance(n_evaluations, int | np.integer) or n_evaluations < 0:
        return f"n_evaluations: {_shown(n_evaluations)} is no number of passes over the data"
    if not isinstance(doubt, Doubt):
        return f"doubt: {_shown(doubt)} is no ockham.contracts.Doubt"
    if not isinstance(diagnostics, Mapping):
        return f"diagnostics: {_shown(diagnostics)} is no mapping"
    if problem := _names_problem(tuple(diagnostics), tuple(estimates)):
        return f"diagnostics: {problem}"
    for name, value in diagnostics.items():
        if type(value) is not float and not isinstance(value, Real | np.bool_):
            return f"diagnostics: {name}: {_shown(value)} is no number"
    return ""


def taken_beside(estimates: Collection[str]) -> tuple[str, ...]:
    """Names that a store has beside estimates, so that a scorer of these can store nothing else under them."""
    return (*RESERVED, N_EVALUATIONS, *(f"{estimate}_{what}" for estimate in estimates for what in BESIDE))


def _shown(value: object) -> str:
    return repr(value)[:100]


@lru_cache(maxsize=1000)
def _names_problem(names: tuple[str, ...], estimates: tuple[str, ...]) -> str:
    """Of names of diagnostics, which every cell has again."""
    for name in names:
        if not isinstance(name, str) or fullmatch(NAME, name) is None:
            return f"the name {_shown(name)} does not consist of at most 100 small letters, digits and _"
        if name in (*taken_beside(estimates), *estimates):
            return f"the name {name!r} is taken, by what Ockham itself stores"
    return ""
