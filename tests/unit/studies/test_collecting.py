"""The store of all scores has every cell at its place, and holes where an entry scores a part of the grid only.

Source of truth: the files of the blocks.
"""

import numpy as np
import pytest
import xarray as xr
from reference.stored_studies import compute
from reference.tiny_study import NETWORKS, write

from ockham.studies.collecting import open_store

MIXTURES = NETWORKS | {
    "structures": {"space": "naive_bayes", "classes": [1, 2], "feature_cardinalities": [2, 3]},
    "true_structure": "classes-2",
    "data": {"source": "mixture", "deviation": 1.0},
    "replicates": {"prior_draws": 3},
    "only": None,
}
PARTS = {"replicates": [2], "sizes": [10], "structures": ["classes-2"]}


@pytest.mark.parametrize("part", [*PARTS, "all of them"])
def test_mixtures_collect_from_a_part_of_the_grid(part, tmp_path):
    """What the family adds is over all replicates and sizes, so every entry is, too."""
    given = {part: PARTS[part]} if part in PARTS else PARTS
    scorers = {"em": {"runs": 2}, "vb": {"split": {}, **given}}
    compute(tmp_path, write(tmp_path, MIXTURES | {"scorers": scorers}))
    with open_store(tmp_path / "tiny/scores.nc") as tree:
        assert tree.attrs["rests_on"] == ""
        assert tree["separation"].dims == ("replicate", "n")
        assert tree["separation"].notnull().all()
        whole = tree["em/map"]
        assert whole.notnull().all()
        found = tree["vb"].to_dataset()
        for dimension in ("replicate", "n", "structure"):
            np.testing.assert_array_equal(found[dimension], whole[dimension])
        stored = xr.load_dataset(tmp_path / "tiny/scores/vb/all.nc")
        here = {d: stored[d].values for d in ("replicate", "n", "structure")}
        for name in ("variational_bayes", "key"):
            np.testing.assert_array_equal(found[name].sel(here), stored[name])
        assert int(found.variational_bayes.count()) == stored.variational_bayes.size
        assert int((found.key != 0).sum()) == stored.key.size


def test_blocks_of_which_one_has_no_error_collect_into_the_same_types(tmp_path):
    """The estimate of one row has none; keys of 63 bits do not fit into floats."""
    scorers = {"wbic": {"split": {"n": 1}, "settings": {"max_steps": 50, "n_states": 4}}}
    compute(tmp_path, write(tmp_path, MIXTURES | {"sizes": [1, 10], "scorers": scorers}))
    blocks = [xr.load_dataset(path) for path in (tmp_path / "tiny/scores/wbic").glob("*.nc")]
    assert len({frozenset(block.data_vars) for block in blocks}) == len(blocks) == 2
    with open_store(tmp_path / "tiny/scores.nc") as tree:
        found = tree["wbic"].to_dataset()
        assert found.data_vars.keys() == set().union(*(block.data_vars for block in blocks))
        for block in blocks:
            here = {d: block[d].values for d in ("replicate", "n", "structure")}
            for name, stored in block.data_vars.items():
                assert found[name].dtype == stored.dtype, name
                np.testing.assert_array_equal(found[name].sel(here), stored)


def test_blocks_of_structures_collect_in_whatever_order_their_labels_are(tmp_path):
    """Labels ascend in the one block and descend in the other."""
    structures = MIXTURES["structures"] | {"classes": [1, 2, 3, 10]}
    scorers = {"em": {}, "vb": {"split": {"structure": 2}}}
    compute(tmp_path, write(tmp_path, MIXTURES | {"structures": structures, "scorers": scorers}))
    labels = ["classes-1", "classes-2", "classes-3", "classes-10"]
    with open_store(tmp_path / "tiny/scores.nc") as tree:
        assert tree.structure.values.tolist() == labels
        found = tree["vb/variational_bayes"]
        for path in (tmp_path / "tiny/scores/vb").glob("*.nc"):
            stored = xr.load_dataset(path).variational_bayes
            here = {d: stored[d].values for d in ("replicate", "n", "structure")}
            np.testing.assert_array_equal(found.sel(here), stored)
        assert found.notnull().all()
