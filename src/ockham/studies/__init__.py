"""The papers' studies: what each one adds to its configuration, and the computation of its cells."""

from pathlib import Path

from ockham.errors import ConfigError
from ockham.settings import Study, load_study
from ockham.studies import beal_ghahramani_2006

__all__ = ["PUBLISHED", "load"]

PUBLISHED = {"beal_ghahramani_2006": beal_ghahramani_2006.PARAMETERS}


def load(path: str | Path) -> Study:
    """The study of a YAML file, with its published parameters known to fit the true structure where it uses them."""
    study = load_study(path)
    if study.replicates.published:
        if study.study not in PUBLISHED:
            raise ConfigError(
                f"{path}: replicates.published: study {study.study!r} has no published parameters; "
                f"those of {', '.join(PUBLISHED)} are known. Use prior_draws"
            )
        sizes = {name: table.shape for name, table in PUBLISHED[study.study].items()}
        truth = study.truth
        expected = {
            name: (truth.n_configurations[i], truth.cardinalities[i]) for i, name in enumerate(truth.names)
        }
        if sizes != expected:
            raise ConfigError(
                f"{path}: true_structure: {study.true_structure} needs tables of shape {expected}, "
                f"the published parameters have {sizes}"
            )
    return study
