"""Every registered family keeps the contract: its parts are there, and its data are decided by their stream.

Source of truth: the declarations of the family, of its settings and of ``contracts.Family``. A family that is
registered needs a case in ``tiny.py`` and no line here.
"""

import json
from inspect import signature

import numpy as np
import pytest
from contracts.tiny import TINY

from ockham import contracts, families
from ockham.contracts import Draw, Family, FamilySettings, Resources, Variable
from ockham.streams import Stream
from ockham.studies.grids import study_class

pytestmark = pytest.mark.parametrize("name", families.family_names())
SIZES = [4, 9]


def study_of(name, sizes=SIZES):
    """A study of a family, with an entry for each of its scorers."""
    family, tiny = families.family(name), TINY[name]
    scorers = {scorer: {"settings": tiny.quick.get(scorer, {})} for scorer in families.scorer_names(name)}
    common = {"study": "tiny", "root_seed": 5, "replicates": {"prior_draws": 2}, "sizes": sizes, "scorers": scorers}
    return study_class(family)(**common, **tiny.study)


def draw(study, replicate=1, stream=5):
    return study.family.draw(study, study.sizes, replicate, Stream(stream, "data"), None)


def bits(found):
    return found.parameters.tobytes(), found.states.tobytes()


def fits(variable, sizes):
    """Whether a variable has the declared dimensions, and those with a known size have that."""
    assert isinstance(variable, Variable)
    assert variable.long_name
    assert variable.units
    shape = np.shape(variable.values)
    return len(shape) == len(variable.dimensions) and all(
        sizes.setdefault(dimension, size) == size for dimension, size in zip(variable.dimensions, shape, strict=True)
    )


def test_a_family_has_its_parts(name):
    family = families.family(name)
    assert isinstance(family, Family)
    assert issubclass(family.settings, FamilySettings)
    assert family.default_scorer in families.scorer_names(name)
    assert list(signature(families.load(family.summaries)).parameters) == ["stores", "measured"]
    assert np.dtype(family.state_type).kind in "iuf"


def test_measurements_have_settings_with_defaults_and_descriptions(name):
    for place in families.family(name).measurements.values():
        settings = families.load(f"{place}:Settings")
        assert issubclass(settings, contracts.Settings)
        assert settings(**settings().model_dump()) == settings()
        assert all(field.description for field in settings.model_fields.values())
        assert list(signature(families.load(f"{place}:measure")).parameters) == ["study", "draw", "settings"]


def test_models_know_their_family_and_have_a_digest_each(name):
    study = study_of(name)
    assert all(families.family_of(model) is study.family for model in (TINY[name].model, *study.models.values()))
    digests = [model.digest for model in study.models.values()]
    assert all(isinstance(digest, str) for digest in digests)
    assert len(set(digests)) == len(digests)
    assert [model.digest for model in study_of(name).models.values()] == digests


def test_settings_say_what_a_draw_has(name):
    study = study_of(name)
    found = draw(study)
    assert isinstance(found, Draw)
    assert found.states.shape == (max(SIZES), study.n_variables)
    assert found.states.dtype == np.dtype(study.family.state_type)
    assert found.parameters.shape == (study.n_entries,)
    cardinalities = study.cardinalities or found.cardinalities
    if found.states.dtype.kind != "f":
        assert len(cardinalities) == study.n_variables
        assert (found.states < cardinalities).all()
    assert study.true_label is None or study.true_label in study.models
    assert study.extent
    json.dumps(study.family.drawn_from(study, study.sizes))


def test_the_stream_and_the_replicate_decide_a_draw(name):
    study = study_of(name)
    for replicate in (1, 2):
        assert bits(draw(study, replicate)) == bits(draw(study, replicate))
        assert draw(study, replicate).replicate == replicate
    assert len({bits(draw(study)), bits(draw(study, 2)), bits(draw(study, stream=6))}) == 3


def test_a_longer_draw_begins_with_the_shorter(name):
    short, long = draw(study_of(name)), draw(study_of(name, [*SIZES, 20]))
    assert long.parameters.tobytes() == short.parameters.tobytes()
    np.testing.assert_array_equal(long.states[: max(SIZES)], short.states)


def test_every_size_is_prepared_as_a_callers_data_are_read(name):
    study = study_of(name)
    found = draw(study)
    data = [study.family.prepare(study, found, n) for n in SIZES]
    assert len({one.digest for one in data}) == len(SIZES)
    assert [one.n for one in data] == SIZES
    assert type(study.family.read(TINY[name].model, TINY[name].rows)) is type(data[0])
    module = study.scorer_module(study.family.default_scorer)
    settings = study.scorer_settings[study.family.default_scorer]
    for label, model in study.models.items():
        assert module.score(model, data[0], settings, Stream(5, label))


def test_what_stores_have_beside_draws_and_scores_fits_them(name):
    study = study_of(name)
    draws = [draw(study, replicate) for replicate in (1, 2)]
    sizes = {"variable": study.n_variables, "entry": study.n_entries}
    assert all(fits(variable, sizes) for variable in study.family.of_draw(study).values())
    sizes = {"structure": len(study.models), "n": len(SIZES), "replicate": 2}
    added = study.family.of_scores(study, study.sizes, draws)
    assert all(fits(variable, sizes) for variable in added.values())
    assert all(variable.dimensions == (label,) for label, variable in added.items() if label in sizes)
    assert "structure" not in added


def test_every_entry_says_what_its_jobs_ask_for(name):
    study = study_of(name)
    for entry in study.scorers:
        asked = study.family.resources(study, entry)
        assert isinstance(asked, Resources)
        assert isinstance(asked.megabytes, int)
        assert isinstance(asked.minutes, int)
        assert min(asked) > 0


def test_cells_of_a_replicate_size_structure_and_run_have_streams_of_their_own(name):
    """Sizes may share one; what differs in a replicate, a run, the study or the root seed may not."""
    family = families.family(name)
    label = next(iter(study_of(name).models))

    def first(root=5, study="tiny", entry="entry", replicate=1, n=4, run=0):
        return family.cell_stream(root, study, entry, replicate, n, label, run).generator().integers(2**63)

    assert first() == first()
    assert len({first(), first(root=6), first(study="other"), first(replicate=2), first(run=1)}) == 5
