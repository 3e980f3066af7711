"""Every registered scorer keeps the contract: one shape, typed results, streams that decide everything.

Sources of truth: the declarations in ``ESTIMATES`` and ``ARRAYS``; the same data in another order. A scorer that is
registered is tested without a line here; one of a new family needs a case in ``tiny.py``.
"""

from dataclasses import FrozenInstanceError
from inspect import signature
from math import isfinite, isnan
from typing import get_args

import numpy as np
import pytest
from contracts.tiny import TINY
from pydantic import ValidationError

from ockham import contracts, families
from ockham.contracts import Array, Bound, Estimator, Evidence, OverRuns, Scorer
from ockham.errors import DataError, ModelError
from ockham.streams import Stream

SCORERS = [(family, scorer) for family in families.family_names() for scorer in families.scorer_names(family)]
NAMES = [".".join(names) for names in SCORERS]
every_scorer = pytest.mark.parametrize(("family", "scorer"), SCORERS, ids=NAMES)
every_size = pytest.mark.parametrize(
    ("family", "scorer", "n"),
    [(*names, n) for names in SCORERS for n in TINY[names[0]].sizes],
    ids=[f"{name}-{n}" for (family, _), name in zip(SCORERS, NAMES, strict=True) for n in TINY[family].sizes],
)
OF_NO_STREAM = ("exact", "blocks")
"""Scorers that draw nothing."""


def run(family, scorer, rows=None, repeat=0):
    tiny, module = TINY[family], families.scorer(family, scorer)
    data = families.family(family).read(tiny.model, tiny.rows if rows is None else rows)
    settings = module.Settings(**tiny.quick.get(scorer, {}))
    return module.score(tiny.model, data, settings, Stream(5, "contract", repeat))


def values(module, evidences):
    """Bits of every number of a result, but for times."""
    arrays = getattr(module, "ARRAYS", {})
    return {
        name: (
            float(e.log_evidence).hex(),
            float(e.standard_error).hex(),
            float(e.effective_sample_size).hex(),
            float(e.degrees_of_freedom).hex(),
            e.doubt,
            e.n_evaluations,
            dict(e.diagnostics),
            {label: array.tobytes() for label, array in e.arrays.items() if arrays[label].units != "s"},
        )
        for name, e in evidences.items()
    }


@every_scorer
def test_a_module_has_the_shape(family, scorer):
    module = families.scorer(family, scorer)
    assert isinstance(module, Scorer)
    assert set(module.__all__) == {"ESTIMATES", "Settings", "score"} | (
        {"ARRAYS", "SAMPLER", "check", "doubted", "goes_first"} & set(vars(module))
    )
    assert module.__name__.endswith(f".scorers.{scorer}")
    assert issubclass(module.Settings, contracts.Settings)
    for estimator in module.ESTIMATES.values():
        assert isinstance(estimator, Estimator)
        assert estimator.long_name
        assert estimator.bound in get_args(Bound)
        assert estimator.over_runs in get_args(OverRuns)
    parameters = list(signature(module.score).parameters.values())
    assert all(parameter.default is parameter.empty for parameter in parameters[:4])
    assert [parameter.name for parameter in parameters[4:]] in ([], ["start"])
    assert all(parameter.default is None for parameter in parameters[4:])
    if hasattr(module, "check"):
        assert len(signature(module.check).parameters) == 3
    if hasattr(module, "doubted"):
        assert len(signature(module.doubted).parameters) == 1


@every_scorer
def test_arrays_are_declared_with_dimensions_labels_and_kinds(family, scorer):
    module = families.scorer(family, scorer)
    arrays = getattr(module, "ARRAYS", {})
    for array in arrays.values():
        assert isinstance(array, Array)
        assert array.dimensions
        assert len(set(array.dimensions)) == len(array.dimensions)
        assert array.long_name
        assert array.units
        assert np.dtype(array.kind).kind in "fiu"
    assert not set(arrays) & set(module.ESTIMATES)


@pytest.mark.parametrize("family", families.family_names())
def test_no_two_scorers_of_a_family_share_the_name_of_an_estimate(family):
    names = [name for scorer in families.scorer_names(family) for name in families.scorer(family, scorer).ESTIMATES]
    assert names
    assert len(names) == len(set(names))


@every_scorer
def test_settings_are_frozen_closed_and_have_defaults(family, scorer):
    settings_class = families.scorer(family, scorer).Settings
    settings = settings_class()
    assert settings_class(**settings.model_dump()) == settings
    assert all(field.description for field in settings_class.model_fields.values())
    for name in settings_class.model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(settings, name, getattr(settings, name))
        with pytest.raises(ValidationError):
            settings_class(**{name: "many"})
    with pytest.raises(ValidationError, match="Extra inputs"):
        settings_class(not_a_setting=1)


@every_scorer
def test_results_are_named_typed_and_finite(family, scorer):
    found = run(family, scorer)
    assert set(found) == set(families.scorer(family, scorer).ESTIMATES)
    for evidence in found.values():
        assert isinstance(evidence, Evidence)
        assert isinstance(evidence.log_evidence, float)
        assert isfinite(evidence.log_evidence)
        assert isinstance(evidence.standard_error, float)
        assert isnan(evidence.standard_error) or evidence.standard_error >= 0
        assert isinstance(evidence.n_evaluations, int)
        assert evidence.n_evaluations > 0
        assert all(isinstance(name, str) and isfinite(value) for name, value in evidence.diagnostics.items())
        with pytest.raises(FrozenInstanceError):
            evidence.log_evidence = 0.0


@every_scorer
def test_arrays_have_the_declared_dimensions_and_kinds(family, scorer):
    """In one cell a dimension has one size, and the evidences of a run share its arrays and diagnostics."""
    declared = getattr(families.scorer(family, scorer), "ARRAYS", {})
    found = list(run(family, scorer).values())
    sizes = {}
    for evidence in found:
        assert set(evidence.arrays) == set(declared)
        assert all(evidence.arrays[name] is array for name, array in found[0].arrays.items())
        assert not set(evidence.diagnostics) & set(declared)
    for name, array in found[0].arrays.items():
        assert array.dtype == np.dtype(declared[name].kind)
        assert array.ndim == len(declared[name].dimensions)
        for dimension, size in zip(declared[name].dimensions, array.shape, strict=True):
            assert sizes.setdefault(dimension, size) == size


@every_size
def test_the_stream_decides_every_bit(family, scorer, n):
    module, rows = families.scorer(family, scorer), TINY[family].rows[:n]
    assert values(module, run(family, scorer, rows)) == values(module, run(family, scorer, rows))


@every_scorer
def test_another_run_is_another_unless_nothing_is_drawn(family, scorer):
    module = families.scorer(family, scorer)
    same = values(module, run(family, scorer, repeat=1)) == values(module, run(family, scorer))
    assert same == (scorer in OF_NO_STREAM)


@every_scorer
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_changes_no_bit(family, scorer, seed):
    module, rows = families.scorer(family, scorer), TINY[family].rows
    shuffled = np.random.default_rng(seed).permutation(rows)
    assert (shuffled != rows).any()
    assert values(module, run(family, scorer, shuffled)) == values(module, run(family, scorer))


@every_scorer
@pytest.mark.parametrize("more", [-1, 1])
def test_data_of_another_width_are_refused(family, scorer, more):
    rows = TINY[family].rows
    other = rows[:, :more] if more < 0 else np.c_[rows, rows[:, :more]]
    with pytest.raises(DataError, match=rf"\b{rows.shape[1] + more} (columns|variables), the .*\b{rows.shape[1]} "):
        run(family, scorer, other)


CHECKED = [
    names
    for names in SCORERS
    # Which takes the large model, for one row has few completions: test_ais_completions.py has what it refuses.
    if hasattr(families.scorer(*names), "check") and names != ("discrete_network", "ais_completions")
]


@pytest.mark.parametrize(("family", "scorer"), CHECKED, ids=map(".".join, CHECKED))
def test_a_check_refuses_beforehand_what_the_scorer_refuses(family, scorer):
    tiny, module = TINY[family], families.scorer(family, scorer)
    assert module.check(tiny.model, len(tiny.rows), module.Settings(**tiny.quick.get(scorer, {}))) is None
    refused = module.Settings(**tiny.refused.get(scorer, {}))
    model, rows = (tiny.model, tiny.rows[:1]) if scorer in tiny.refused else tiny.large
    with pytest.raises(ModelError) as beforehand:
        module.check(model, len(rows), refused)
    data = families.family(family).read(model, rows)
    with pytest.raises(ModelError) as later:
        module.score(model, data, refused, Stream(5, "contract"))
    assert str(later.value) == str(beforehand.value)
