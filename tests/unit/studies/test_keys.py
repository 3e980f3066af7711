"""What stored numbers rest on is in their digests: the family, its source, and the true parameters where runs start.

Source of truth: changes of one of these at a time.
"""

from dataclasses import replace
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import numpy as np
import pytest
from reference.tiny_study import NETWORKS, study_of

from ockham import families
from ockham.networks.family import Networks
from ockham.studies.cells import draw_replicate, expected_keys
from ockham.studies.code_digests import code_digest
from ockham.studies.keys import draw_specification, measurements_of, scorer_digest, summaries_specification

FROM_TRUTH = {"scorer": "ais", "structures": ["1-1"], "from_truth": True, "split": {}}
STUDY = study_of(NETWORKS | {"scorers": {"ais": {"structures": ["1-1"], "split": {}}, "ais_truth": FROM_TRUTH}})


@pytest.mark.parametrize(("entry", "differ"), [("ais", [False, False]), ("ais_truth", [False, True])])
def test_cells_that_start_from_the_truth_depend_on_its_parameters(entry, differ):
    """Other parameters may have drawn the same data."""
    draws = {replicate: draw_replicate(STUDY, replicate) for replicate in (1, 2)}
    other = draws | {2: replace(draws[2], parameters=np.nextafter(draws[2].parameters, 0))}
    block = STUDY.blocks(entry)["all"]
    before, after = (expected_keys(STUDY, block, given) for given in (draws, other))
    assert ((before != after).all(axis=(1, 2, 3)) == differ).all()
    assert ((before != after).any(axis=(1, 2, 3)) == differ).all()


def test_data_of_two_families_of_one_class_are_apart(monkeypatch):
    before = draw_specification(STUDY, 1)
    assert draw_specification(STUDY, 1) == before
    monkeypatch.setattr(Networks, "name", "another")
    assert draw_specification(STUDY, 1) != before


FILES = {
    "plugged/registered.py": "from plugged.family import Mine\nFAMILY = Mine()\n",
    "plugged/family.py": "class Mine: ...\n",
    "plugged/data.py": "",
    "plugged/model.py": "",
    "plugged/other.py": "",
    "apart/scorer.py": "from plugged import data\nfrom plugged.model import Model\n",
}
REST_ON = {
    "plugged/registered.py": {"draw"},
    "plugged/family.py": {"draw"},
    "plugged/data.py": {"scorer"},
    "plugged/model.py": {"scorer"},
    "plugged/other.py": set(),
    "apart/scorer.py": {"scorer"},
}


@pytest.fixture
def plugged(tmp_path, monkeypatch):
    """A study of a family that one module registers and another defines, and whose scorer another distribution has."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("mine", "plugged.registered:FAMILY", "ockham.families")
    monkeypatch.setattr(families, "_points", lambda group: {"mine": point})
    mine = type("Mine", (), {"__module__": "plugged.family", "name": "mine", "drawn_from": lambda *given: None})
    yield SimpleNamespace(
        family=mine(), stream_name="tiny", root_seed=1, sizes=[3], replicates=SimpleNamespace(published=False),
        scorer_module=lambda entry: SimpleNamespace(__name__="apart.scorer"),
    )  # fmt: skip
    code_digest.cache_clear()


@pytest.mark.parametrize("file", FILES)
def test_what_is_registered_rests_on_the_source_of_all_distributions_that_it_is_of(file, plugged, tmp_path):
    """Draws on the module that registers the family, and scorers from elsewhere on the family's own distribution."""

    def digests():
        code_digest.cache_clear()
        return {"draw": draw_specification(plugged, 1), "scorer": scorer_digest(plugged, "any")}

    before = digests()
    (tmp_path / file).write_text(f"{FILES[file]}# a remark\n")
    after = digests()
    assert {what for what in before if before[what] != after[what]} == REST_ON[file]


def test_measurements_that_conditions_share_are_told_apart():
    few, many = (
        study_of(NETWORKS | {"condition": name, "measurements": {"schedules": {"n_steps": n}}})
        for name, n in (("few", 2), ("many", 3))
    )
    assert measurements_of([few]) == {"schedules": (few, "schedules")}
    assert measurements_of([few, many]) == {"few/schedules": (few, "schedules"), "many/schedules": (many, "schedules")}
    assert summaries_specification([few, many]) != summaries_specification([many, few])
