"""What families share knows none of them: no family, and no score of one, is named in it.

The one exception is the model of study files that do not say theirs, which is part of their format. Source of
truth: the registry of families and scorers, and the text of the shared modules.
"""

import ast

from ockham import families
from ockham.studies.code_digests import ROOT
from ockham.studies.study_files import DEFAULT_MODEL

SHARED = [
    "contracts",
    "estimation",
    "io",
    "studies",
    "summaries",
    "table_results",
    "families.py",
    "api/scoring.py",
    "cli.py",
    "streams.py",
]


def names():
    """The families and the scores of their scorers."""
    found = set(families.family_names())
    for family in families.family_names():
        for scorer in families.scorer_names(family):
            found |= set(families.scorer(family, scorer).ESTIMATES)
    return found


def test_no_shared_module_names_a_family_or_a_score():
    known, said = names(), []
    assert {"discrete_network", "bridge_sampling", "annealed_importance_sampling"} <= known
    for part in SHARED:
        path = ROOT / part
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            words = (node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant))
            said += [(file.relative_to(ROOT).as_posix(), word) for word in words if word in known]
    assert said == [("studies/study_files.py", DEFAULT_MODEL)]
