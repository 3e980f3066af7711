"""Three small studies, one of each family, for tests that need any study: contents of files, to be changed with ``|``.

Their cells take milliseconds, and their data no archive.
"""

import yaml

from ockham import families
from ockham.studies.grids import study_class
from ockham.studies.study_files import DEFAULT_MODEL

__all__ = ["MACHINES", "NETWORKS", "ORDERS", "study_of", "write"]

NETWORKS = {
    "study": "tiny",
    "root_seed": 3,
    "structures": {"space": "bipartite", "hidden_cardinalities": [2], "observed_cardinalities": [2, 3]},
    "only": ["0-0", "1-1"],
    "true_structure": "1-1",
    "replicates": {"prior_draws": 2},
    "sizes": [5, 10],
    "scorers": {"em": {"runs": 2}, "vb": {"runs": 2}},
}
MACHINES = {
    "study": "tiny",
    "model": "restricted_boltzmann",
    "root_seed": 3,
    "data": {"source": "simulated", "n_visible": 3, "n_hidden": 1},
    "n_hidden": [1, 2],
    "replicates": {"prior_draws": 2},
    "sizes": [5, 10],
    "scorers": {"ais": {"runs": 2, "settings": {"n_steps": 5, "n_chains": 4}}},
}
ORDERS = {
    "study": "tiny",
    "model": "node_order",
    "root_seed": 3,
    "data": {"source": "random_network", "variables": 5},
    "max_indegree": 2,
    "replicates": {"prior_draws": 1},
    "sizes": [10, 20],
    "scorers": {
        "ais": {"runs": 2, "split": {}, "settings": {"length": 1, "steps": 400}},
        "mc3": {"runs": 2, "split": {}, "settings": {"ratios": 2, "thin": 1, "steps": 600}},
    },
}


def study_of(content):
    """The study that a file of such a content is of."""
    family = families.family(content.get("model", DEFAULT_MODEL))
    return study_class(family)(**{key: value for key, value in content.items() if key != "model"})


def write(folder, content, name="tiny.yaml"):
    """The file of a study in a folder, and its path."""
    path = folder / name
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path
