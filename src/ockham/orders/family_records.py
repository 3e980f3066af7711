"""The store of family scores: computed once for a data set, read by every sampler and exact sum."""

from pathlib import Path

import numpy as np

from ockham.errors import ModelError, StoreError
from ockham.io.netcdf import add_labels, add_variable, opened, provenance, read_array, read_attribute, replacing
from ockham.orders.inference.family_scores import FamilyScores
from ockham.orders.parent_sets import parent_sets

__all__ = ["read_family_scores", "write_family_scores"]


def write_family_scores(path: Path, scores: FamilyScores, specification: str, sample_size: float) -> None:
    """Store the scores, readable with ``xarray.open_dataset``."""
    with replacing(path) as file:
        file.title = "BDeu scores of families"
        file.specification = specification
        file.max_indegree = scores.max_indegree
        file.equivalent_sample_size = sample_size
        for name, value in provenance().items():
            setattr(file, name, value)
        masks = parent_sets(scores.n_nodes, scores.max_indegree)
        file.createDimension("node", scores.n_nodes)
        file.createDimension("parent_set", len(masks))
        add_labels(file, "node", scores.names)
        add_variable(file, "cardinality", "i4", ("node",), scores.cardinalities, "Number of values", "1")
        add_variable(file, "parent_set", "u8", ("parent_set",), masks, "Parent set as a mask over the other nodes", "1")
        add_variable(file, "log_score", "f8", ("node", "parent_set"), scores.log_scores, "Log BDeu score", "nats")


def read_family_scores(path: Path, specification: str) -> FamilyScores:
    """The scores of a file.

    Raises
    ------
    StoreError
        When it is damaged, or was computed from other data, with other settings or by other code.
    """
    with opened(path) as file:
        if read_attribute(path, file, "specification", str) != specification:
            raise StoreError(
                f"{path}: attribute specification: the scores are of other data, settings or code; remove the file and "
                "compute it again"
            )
        try:
            scores = FamilyScores(
                tuple(read_array(path, file, "node", ("node",), "U").tolist()),
                tuple(read_array(path, file, "cardinality", ("node",), "i").tolist()),
                read_attribute(path, file, "max_indegree", int),
                read_array(path, file, "log_score", ("node", "parent_set"), "f8"),
            )
        except ModelError as error:
            raise StoreError(f"{path}: {error}; move the file away and compute it again") from error
        masks = read_array(path, file, "parent_set", ("parent_set",), "u8")
        if not np.array_equal(masks, parent_sets(scores.n_nodes, scores.max_indegree)):
            raise StoreError(f"{path}: variable 'parent_set': the sets are in another order; compute the file again")
        return scores
