"""A table of 8 rows with missing cells, and models of it."""

import numpy as np
import pandas as pd
import pytest
from reference.foreign_models import PARENTS, STATES_OF, YAML, PyAgrum, bif, graph, of_pgmpy

import ockham

RNG = np.random.default_rng(7)
STATES = np.c_[RNG.integers(0, 2, (8, 2)), [0, 1, 2, 1, 0, 2, 2, 1]]
TINY = pd.DataFrame(np.array(list("abc"))[STATES], columns=["x", "y", "z"])
TINY.iloc[1, 0] = TINY.iloc[4, 2] = None


@pytest.fixture(scope="session")
def tiny():
    return TINY


@pytest.fixture
def forms(tmp_path):
    """The same structure in every form."""
    (tmp_path / "of_yaml.yaml").write_text(YAML)
    (tmp_path / "of_bif.bif").write_text(bif(STATES_OF, PARENTS))
    return {
        "yaml": tmp_path / "of_yaml.yaml",
        "bif": str(tmp_path / "of_bif.bif"),
        "networkx": graph(PARENTS, h={"cardinality": 2, "hidden": True}, x={"hidden": False}),
        "pgmpy": of_pgmpy(),
        "pyagrum": PyAgrum(),
    }


@pytest.fixture(scope="session")
def comparison(tiny):
    """Three models, all exact."""
    return ockham.compare(
        {
            "hidden": graph(PARENTS, h={"cardinality": 2}),
            "chain": graph({"y": ["x"], "z": ["y"]}),
            "independent": graph({}, x={}, y={}, z={}),
        },
        tiny,
        progress=False,
    )
