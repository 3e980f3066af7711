"""The JSON schema takes every study file of the repository and refuses misspelt ones.

Source of truth: the files, and a validator of JSON schemas that is not ours.
"""

import copy
import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from ockham import families
from ockham.cli import main
from ockham.studies.json_schema import schema

CONFIG = Path(__file__).parents[3] / "config"
STUDIES = sorted(path for path in CONFIG.rglob("*.yaml") if "study" in yaml.safe_load(path.read_text()))
FAMILIES = ("discrete_network", "restricted_boltzmann", "node_order", "finite_mixture")
"""Those of the package itself: the stored schema does not depend on what else is installed."""
VALID = {
    "study": "one", "root_seed": 1, "max_indegree": 2, "model": "node_order", "sizes": [20],
    "data": {"source": "data_set", "name": "mushroom", "variables": 6}, "replicates": {"prior_draws": 1},
    "scorers": {"ais": {"settings": {"length": 1, "steps": 9000}}},
}  # fmt: skip
BROKEN = {
    "unknown key": {"max_parents": 2},
    "another kind's key": {"n_hidden": [1]},
    "unknown model": {"model": "tree"},
    "wrong type": {"root_seed": "one"},
    "number as a role": {"scorers": {"ais": {"role": 3}}},
    "list of measurements": {"measurements": ["linear_extensions"]},
    "name of an entry": {"scorers": {"a/b": {"scorer": "ais"}}},
    "name of a measurement": {"measurements": {"../linear_extensions": {}}},
    "settings beside an entry": {"scorers": {"ais": {"length": 1}}},
    "unknown key of a condition": {"conditions": {"few": {"max_parents": 2}}},
    "conditions in a condition": {"conditions": {"few": {"conditions": {}}}},
    "name of a condition": {"conditions": {"Few!": 3}},
}


def test_the_stored_schema_is_that_of_the_command():
    stored = json.loads((CONFIG / "schema.json").read_text(encoding="utf-8"))
    assert stored == schema(FAMILIES)
    jsonschema.Draft202012Validator.check_schema(stored)


def test_the_command_prints_that_of_all_families_that_are_installed(monkeypatch):
    def printed():
        return json.loads(CliRunner().invoke(main, ["schema"]).stdout)

    assert set(FAMILIES) <= set(families.family_names())
    assert printed() == schema(families.family_names())
    monkeypatch.setattr(families, "family_names", lambda: FAMILIES[:1])
    assert printed() == schema(FAMILIES[:1]) != schema(FAMILIES)


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: str(path.relative_to(CONFIG)))
def test_files_of_the_repository_are_valid(path):
    jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), schema(FAMILIES))


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_broken_files_are_not(change):
    jsonschema.validate(VALID, schema(FAMILIES))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(copy.deepcopy(VALID) | change, schema(FAMILIES))


@pytest.mark.parametrize("key", ["study", "root_seed", "scorers"])
def test_files_that_lack_a_key_are_not(key):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({name: value for name, value in VALID.items() if name != key}, schema(FAMILIES))


@pytest.mark.parametrize("label", ["a/b", "../../x", "{x}", "$(touch x)", "a" * 300, ""])
def test_what_cannot_be_the_label_of_a_structure_is_refused(label):
    one = {"cardinalities": {"y": 2}}
    study = {
        "study": "one", "root_seed": 1, "sizes": [20], "replicates": {"prior_draws": 1}, "scorers": {"em": {}},
        "structures": {"space": "listed", "structures": {"Of_2-a": one}}, "true_structure": "Of_2-a",
    }  # fmt: skip
    jsonschema.validate(study, schema(FAMILIES))
    study["structures"]["structures"][label] = one
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(study, schema(FAMILIES))
