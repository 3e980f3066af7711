"""A store of family scores that is not what it should be is refused, and left as it is.

Each case is a sound file with one thing changed. The source of truth is the list of what is wrong.
"""

import numpy as np
import pytest
from bad_input.support import changed, read_content, snapshot, write, write_content
from bad_input.test_stores import BYTES, attribute, resized, retyped, without
from ockham.orders.family_records import read_family_scores, write_family_scores

from ockham.errors import StoreError
from ockham.orders.data.structure_data import read_csv
from ockham.orders.inference.family_scores import bdeu_scores

AWAY = "move the file away"
CASES = {
    **{
        f"no attribute {name}": (without("attributes", name), f"has no attribute '{name}': .*{AWAY}")
        for name in ("specification", "max_indegree")
    },
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in ("node", "cardinality", "parent_set", "log_score")
    },
    "of other data": (attribute("specification", "0" * 64), "attribute specification: .*remove the file and compute"),
    "specification is a number": (attribute("specification", 5), "attribute 'specification' is .*, not str"),
    "specification is a list": (attribute("specification", [1, 2]), "attribute 'specification' is .*, not str"),
    "indegree is a word": (attribute("max_indegree", "two"), "attribute 'max_indegree' is 'two', not int"),
    "indegree is a fraction": (attribute("max_indegree", 2.0), "attribute 'max_indegree' is .*, not int"),
    "indegree is a list": (attribute("max_indegree", [1, 2]), "attribute 'max_indegree' is .*, not int"),
    "indegree is negative": (attribute("max_indegree", -1), "3 nodes with .*indegree -1: give .*compute it again"),
    "indegree is enormous": (attribute("max_indegree", 10**15), "3 nodes with .*indegree 1000000000000000"),
    "indegree is another": (attribute("max_indegree", 1), "scores of shape .3, 4.; 3 nodes with indegree 1"),
    "nodes are numbers": (retyped("node", "i4", values=[0, 1, 2]), "variable 'node' is of type int32, not U"),
    "cardinalities are words": (
        retyped("cardinality", str, values=np.array(["a", "b", "c"], dtype=object)), "'cardinality' is of type",
    ),
    "cardinalities are fractions": (
        retyped("cardinality", "f8", values=[2, 2, 2]), "variable 'cardinality' is of type float64, not i",
    ),
    "sets are signed": (retyped("parent_set", "i8"), "variable 'parent_set' is of type int64, not u8"),
    "sets are in another order": (retyped("parent_set", "u8", values=[0, 2, 1, 3]), "'parent_set': .*another order"),
    "scores are short": (retyped("log_score", "f4"), "variable 'log_score' is of type float32, not f8"),
    "scores are transposed": (
        retyped("log_score", "f8", ("parent_set", "node"), np.zeros((4, 3))), "variable 'log_score' has dimensions",
    ),
    "a score is none": (retyped("log_score", "f8", values=np.full((3, 4), np.nan)), "score is NaN or .inf; .*compute"),
    "a score has no bound": (retyped("log_score", "f8", values=np.full((3, 4), np.inf)), "score is NaN or .inf"),
    "a node is missing": (resized(node=2), "2 nodes with 2 cardinalities and indegree 2"),
    "no node": (resized(node=0), "0 nodes"),
    "a set too many": (resized(parent_set=5), "scores of shape .3, 5.; 3 nodes with indegree 2"),
    "more than memory holds": (
        lambda content: changed(
            content, ("dimensions.parent_set", 10**12),
            (("variables", "log_score"), (("node", "parent_set"), "f8", None)),
            (("variables", "parent_set"), (("parent_set",), "u8", None)),
        ),
        "variable 'log_score' has 3,000,000,000,000 values, over 1,000,000,000",
    ),
}  # fmt: skip


@pytest.fixture
def store(tmp_path):
    """A sound store with its specification and its content."""
    data = read_csv(write(tmp_path / "table.csv", b"a,b,c\n0,0,1\n1,0,0\n1,1,1\n"))
    specification = "data, settings and code"
    path = tmp_path / "scores.nc"
    write_family_scores(path, bdeu_scores(data, 2), specification, 1.0)
    return path, specification, read_content(path)


def check(path, specification, message):
    before = snapshot(path.parent)
    with pytest.raises(StoreError, match=f"(?s){message}") as caught:
        read_family_scores(path, specification)
    assert str(caught.value).startswith(f"{path}: ")
    assert snapshot(path.parent) == before


def test_the_sound_store_is_read(store):
    path, specification, content = store
    write_content(path, content)
    assert read_family_scores(path, specification).names == ("a", "b", "c")


@pytest.mark.parametrize("case", CASES)
def test_a_broken_store_is_refused(case, store):
    path, specification, content = store
    change, message = CASES[case]
    write_content(path, change(content))
    check(path, specification, message)


@pytest.mark.parametrize("case", BYTES)
def test_what_is_no_whole_netcdf_file_is_refused(case, store):
    path, specification, _ = store
    write(path, BYTES[case](path.read_bytes()))
    check(path, specification, "not a readable netCDF file .*truncated or foreign: move it away")
