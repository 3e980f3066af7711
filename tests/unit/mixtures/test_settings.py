"""Claim: a study's file of mixtures says its items and classes, or is refused with the key and a remedy.

Sources of truth: the files of the repository; the list of bad settings below.
"""

from pathlib import Path

import pytest
from pydantic import ValidationError

from ockham.mixtures.items import Categorical, Gaussian
from ockham.mixtures.settings import MixtureSettings
from ockham.studies.loading import load

CONFIG = Path(__file__).parents[3] / "config"
SOUND = {
    "items": {"x": {"type": "gaussian", "centre": 2.0}, "c": {"type": "categorical", "n_values": 3, "copies": 2}},
    "classes": [1, 3],
    "true_classes": 2,
}


def test_items_are_made_in_order_with_copies():
    settings = MixtureSettings(**SOUND)
    assert settings.columns == {"x": Gaussian(2.0), "c_1": Categorical(3), "c_2": Categorical(3)}
    assert list(settings.models) == ["classes-1", "classes-3"]
    assert settings.true_label == "classes-2"
    assert settings.n_entries == 2 * (1 + 3 + 2 * 3)


def test_the_small_twin_has_the_entries_of_the_study():
    full, small = (load(f"{CONFIG / folder / 'mixed_classes.yaml'}:mixed") for folder in ("", "smoke"))
    assert list(full.scorers) == list(small.scorers)
    assert {item.kind for item in full.columns.values()} == {item.kind for item in small.columns.values()}


BAD = {
    "numbers of classes must increase": {"classes": [3, 1]},
    "the name 'c_1' is given twice": {"items": SOUND["items"] | {"c_1": {"type": "poisson"}}},
    "does not match any of the expected tags": {"items": {"x": {"type": "normal"}}},
    "greater than or equal to 2": {"items": {"x": {"type": "ordered", "n_values": 1}}},
    "Extra inputs are not permitted": {"items": {"x": {"type": "poisson", "rate": 1.0}}},
    "at least 1 item": {"items": {}},
    "less than 1": {"missing": 1.0},
    "statistics, over 1,000,000 together": {
        "items": {"c": {"type": "categorical", "n_values": 1000, "copies": 1000}}, "classes": [99],
    },
}  # fmt: skip


@pytest.mark.parametrize("words", BAD)
def test_bad_settings_are_refused(words):
    with pytest.raises(ValidationError, match=words):
        MixtureSettings(**SOUND | BAD[words])


def test_published_parameters_are_refused():
    with pytest.raises(ValueError, match="give prior_draws: 1 or more, and no published ones"):
        MixtureSettings(**SOUND).check_grid([10], True, 1)
