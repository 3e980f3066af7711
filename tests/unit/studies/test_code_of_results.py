"""Claim: a manifest's digests of code are those that its data and scores were keyed by, and a changed one is named.

Truth: the digests that make jobs run again; manifests changed by hand.
"""

import json

import pytest
from reference.tiny_study import NETWORKS, study_of

from ockham.studies import code_of_results
from ockham.studies.code_of_results import DIGITS, code_of, files_of, other_code
from ockham.studies.keys import drawing_digest, scorer_digest

CONFIG = NETWORKS | {"only": None, "sizes": [10], "scorers": {"em": {"runs": 2}, "vb": {}}}


def manifest_of(study):
    return json.loads(json.dumps({"configuration_digest": study.digest, "code": code_of(study)}))


def test_the_digests_are_those_that_jobs_run_by():
    study = study_of(CONFIG)
    found = code_of(study)
    assert found["data"] == drawing_digest(study)[:DIGITS]
    assert found["scores/em"] == scorer_digest(study, "em")[:DIGITS] != found["scores/vb"]
    assert {"summaries", "shown"} < found.keys()


def test_every_digest_is_of_the_files_that_it_begins_at():
    study = study_of(CONFIG)
    found = {part: {path.name for path in files} for part, files in files_of(study).items()}
    assert found.keys() == code_of(study).keys()
    assert {"em.py", "vb.py"} & found["scores/em"] == {"em.py"}
    assert {"family.py", "certified.py"} & found["data"] == {"family.py"}


def test_nothing_is_named_where_nothing_changed():
    study = study_of(CONFIG)
    assert other_code(manifest_of(study), study) == []


@pytest.mark.parametrize("part", ["data", "scores/em", "summaries", "shown"])
def test_what_changed_is_named(part):
    study = study_of(CONFIG)
    told = manifest_of(study)
    told["code"][part] = "0" * DIGITS
    assert other_code(told, study) == [part]
    del told["code"][part]
    assert other_code(told, study) == [part]


def test_other_source_of_a_scorer_is_named(monkeypatch):
    study = study_of(CONFIG)
    told = manifest_of(study)
    of_today = code_of_results.scorer_digest
    monkeypatch.setattr(code_of_results, "scorer_digest", lambda s, e: "1" * 64 if e == "vb" else of_today(s, e))
    assert other_code(told, study) == ["scores/vb"]


def test_another_configuration_is_named():
    other = study_of(CONFIG | {"sizes": [10, 20]})
    assert other_code(manifest_of(study_of(CONFIG)), other) == ["configuration"]


def test_a_manifest_without_digests_does_not_tell():
    study = study_of(CONFIG)
    assert other_code({"configuration_digest": study.digest}, study) is None
