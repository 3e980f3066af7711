"""What the family of networks draws, prepares and says of its structures; test_cells.py has draws of the prior.

Source of truth: numbers set by hand.
"""

from math import log

import numpy as np
import pytest

from ockham.contracts import Draw
from ockham.errors import DataError
from ockham.networks import family
from ockham.networks.family import FAMILY
from ockham.streams import Stream
from ockham.studies.grids import study_class

STREAM = Stream(1, "data")


def study_of(classes=(1, 2, 3), features=(2, 3), **changes):
    given = {
        "study": "tiny", "root_seed": 1, "true_structure": "classes-2", "replicates": {"prior_draws": 1}, "sizes": [4],
        "structures": {"space": "naive_bayes", "classes": list(classes), "feature_cardinalities": list(features)},
        "data": {"source": "mixture"}, "scorers": {"em": {}},
    }  # fmt: skip
    return study_class(FAMILY)(**given | changes)


def test_parameters_of_mixtures_are_those_that_the_study_describes():
    alike = study_of(data={"source": "mixture", "class_sizes": "equal", "deviation": 0.0})
    found = FAMILY.draw(alike, [4], 1, STREAM, None).parameters
    classes, first, second = (alike.truth.family(i, found) for i in range(3))
    assert classes.tolist() == [[0.5, 0.5]]
    for rows in (first, second):
        np.testing.assert_allclose(rows[0], rows[1], rtol=1e-12)
    apart = FAMILY.draw(study_of(), [4], 1, STREAM, None).parameters
    assert abs(np.subtract(*study_of().truth.family(1, apart))).max() > 0.01


@pytest.fixture
def real(monkeypatch):
    """A study of a real data set, with states in place of its files; every tenth cell is missing."""
    study = study_of(
        features=(2,), true_structure=None, sizes=[47], data={"source": "data_set", "name": "small_soybean"},
        structures={"space": "naive_bayes", "classes": [2], "feature_cardinalities": "data"},
    )  # fmt: skip
    states = np.random.default_rng(1).integers(0, study.cardinalities, (47, study.n_variables)).astype(np.int16)
    states[::10] = -1
    monkeypatch.setattr(family, "read", lambda name: states if name == "small_soybean" else None)
    return study, states


def test_a_real_data_set_has_no_parameters_and_may_have_missing_cells(real):
    study, states = real
    found = FAMILY.draw(study, [47], 1, STREAM, None)
    assert np.isnan(found.parameters).all()
    assert found.parameters.shape == (study.n_entries,)
    assert found.states is states
    assert (FAMILY.prepare(study, found, 47).rows == -1).any()
    assert study.true_label is None
    spoiled = Draw(1, np.empty(0), np.full((4, 3), -1))
    with pytest.raises(DataError, match=r"replicate 1: .*holds state -1"):
        FAMILY.prepare(study_of(), spoiled, 4)


def test_a_start_from_the_truth_is_inside():
    study = study_of(classes=(2,), features=(2,))
    found = FAMILY.start(study, np.array([0.5, 0.5, 1.0, 0.0, 0.25, 0.75]))
    np.testing.assert_allclose(found, [0.5, 0.5, 1 / 1.0025, 0.0025 / 1.0025, 0.25, 0.75], rtol=1e-15)


def test_every_parameter_of_a_draw_says_which_it_is():
    found = FAMILY.of_draw(study_of(features=(3,)))
    assert found["hidden"].values.tolist() == [1, 0]
    assert found["entry_variable"].values.tolist() == [0, 0, 1, 1, 1, 1, 1, 1]
    assert found["entry_configuration"].values.tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert found["entry_value"].values.tolist() == [0, 1, 0, 1, 2, 0, 1, 2]


def test_structures_have_their_parameters_aliases_and_classes():
    found = FAMILY.of_scores(study_of(data={"source": "prior"}), [10], [])
    assert found["n_parameters"].values == [0 + 3, 1 + 2 * 3, 2 + 3 * 3]
    np.testing.assert_allclose(found["log_aliases"].values, [0, log(2), log(6)], atol=1e-15)
    assert found["n_hidden_configurations"].values == [1, 2, 3]
    assert set(found) == {"n_parameters", "log_aliases", "n_hidden_configurations"}


def test_mixtures_have_how_far_apart_their_classes_are_by_replicate_and_size():
    study = study_of(classes=(1, 2), features=(2,), sizes=[2, 4], replicates={"prior_draws": 2})
    states = np.array([[0, 0], [0, 0], [1, 1], [0, 0]], dtype=np.int16)
    draws = [
        Draw(1, np.array([0.5, 0.5, 1, 0, 0, 1]), states),
        Draw(2, np.array([0.5, 0.5, 0.3, 0.7, 0.3, 0.7]), states),
    ]
    found = FAMILY.of_scores(study, study.sizes, iter(draws))
    np.testing.assert_allclose(found["separation"].values, [[1, 1], [0, 0]], atol=1e-12)
    assert (found["replicate"].values, found["n"].values) == ([1, 2], [2, 4])


def test_jobs_of_samplers_ask_for_more_time_than_those_of_fits():
    study = study_of(scorers={"em": {}, "bridge": {}, "exact": {}, "ais_half": {"scorer": "ais", "role": "half"}})
    asked = {entry: FAMILY.resources(study, entry).minutes for entry in study.scorers}
    assert asked == {"em": 5, "bridge": 20, "exact": 5, "ais_half": 20}
