"""Claim: benchmarks/published.py names what was written since a commit, and not what only words or places tell apart.

Truth: sources by hand.
"""

import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "benchmarks"
BEFORE = '''"""Words."""
import a
__all__ = ["g"]
MOST = 3
class One:
    """Words."""
    size: int = 1
    """Words."""
    def f(self):
        """Words."""
        return 1
def g(x):
    if x:
        return MOST
'''


@pytest.fixture(scope="module")
def definitions():
    sys.path.insert(0, str(FOLDER))
    try:
        return runpy.run_path(str(FOLDER / "published.py"))["definitions"]
    finally:
        sys.path.remove(str(FOLDER))


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("Words.", "Other words.", set()),
        ("import a\n", "# a remark\nimport a\n\n\n", set()),
        ('["g"]', '["One", "g"]', set()),
        ("MOST = 3", "MOST = 4", {"MOST"}),
        ("return 1", "return 2", {"One"}),
        ("size: int = 1", "size: int = 2", {"One"}),
        ("return MOST", "return x", {"g"}),
        ("def g(x)", "def h(x)", {"g", "h"}),
    ],
)
def test_what_is_written_otherwise_is_named(definitions, old, new, names):
    assert old in BEFORE
    before, after = definitions(BEFORE), definitions(BEFORE.replace(old, new))
    assert {name for name in {*before, *after} if before.get(name) != after.get(name)} == names


def test_every_name_of_a_module_has_one_place(definitions):
    assert set(definitions(BEFORE)) == {"MOST", "One", "g"}
