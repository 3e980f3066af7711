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

from ockham.cli import main
from ockham.studies.schema import schema

CONFIG = Path(__file__).parents[3] / "config"
STUDIES = sorted(path for path in CONFIG.rglob("*.yaml") if "study" in yaml.safe_load(path.read_text()))
VALID = {"study": "one", "root_seed": 1, "max_indegree": 2, "model": "node_order",
    "data": {"name": "mushroom", "rows": 20, "variables": 6},
    "scorers": {"ais": {"sampler": "ais", "length": 1, "steps": 9000}},
}  # fmt: skip
BROKEN = {
    "unknown key": {"max_parents": 2},
    "another kind's key": {"n_hidden": [1]},
    "unknown model": {"model": "tree"},
    "wrong type": {"root_seed": "one"},
    "unknown key of a condition": {"conditions": {"few": {"max_parents": 2}}},
    "conditions in a condition": {"conditions": {"few": {"conditions": {}}}},
    "name of a condition": {"conditions": {"Few!": 3}},
}


def test_the_stored_schema_is_that_of_the_command():
    stored = json.loads((CONFIG / "schema.json").read_text(encoding="utf-8"))
    assert stored == schema() == json.loads(CliRunner().invoke(main, ["schema"]).stdout)
    jsonschema.Draft202012Validator.check_schema(stored)


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: str(path.relative_to(CONFIG)))
def test_files_of_the_repository_are_valid(path):
    jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), schema())


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_broken_files_are_not(change):
    jsonschema.validate(VALID, schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(copy.deepcopy(VALID) | change, schema())


@pytest.mark.parametrize("key", ["study", "root_seed", "scorers"])
def test_files_that_lack_a_key_are_not(key):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({name: value for name, value in VALID.items() if name != key}, schema())
