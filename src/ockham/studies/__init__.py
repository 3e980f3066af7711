"""The papers' studies: what each one adds to its configuration, and the computation of its cells."""

from pathlib import Path

from ockham.errors import ConfigError
from ockham.machines.settings import load_boltzmann_study
from ockham.networks.settings import Study, load_study
from ockham.orders.settings import NODE_ORDER, load_order_study
from ockham.papers.beal_ghahramani_2006 import parameters as beal_ghahramani_2006
from ockham.studies.grids import GridStudy
from ockham.studies.study_files import DISCRETE_NETWORK, RESTRICTED_BOLTZMANN, StudyFile, model_of

__all__ = ["PAPERS", "PUBLISHED", "load", "load_grid"]

PUBLISHED = {"beal_ghahramani_2006": beal_ghahramani_2006.PARAMETERS}
"""Paper to the parameters that it prints."""

PAPERS = (*PUBLISHED, "chickering_heckerman_1997", "chen_welling_2013", "niinimaki_koivisto_2013")
"""The papers whose figures and tables are known."""


def load(path: str | Path, needed: str | None = None) -> StudyFile:
    """The study of a YAML file, or of one of its conditions as ``<file>:<condition>``, of any or the needed model."""
    model = model_of(path)
    if model not in MODELS:
        raise ConfigError(f"{path}: model: {model!r} is unknown; known are {', '.join(MODELS)}")
    if needed is not None and model != needed:
        raise ConfigError(f"{path}: model: is {model!r}; give a study of the model {needed!r} here")
    study = MODELS[model](path)
    if study.paper is not None and study.paper not in PAPERS:
        raise ConfigError(f"{path}: paper: {study.paper!r} is unknown; known are {', '.join(PAPERS)}")
    return study


def load_grid(path: str | Path) -> GridStudy:
    """The study of a YAML file, or of one of its conditions, of a model whose structures are scored on a grid."""
    study = load(path)
    if not isinstance(study, GridStudy):
        raise ConfigError(f"{path}: model: is {study.model!r}, which has no cells; give a study of another model here")
    return study


def _discrete_networks(path: str | Path) -> Study:
    """A study whose published parameters fit where they are used."""
    study = load_study(path)
    if study.paper in PUBLISHED and not study.replicates.published:
        raise ConfigError(
            f"{path}: replicates.published: a study of a paper needs it for the paper's tables; set it true"
        )
    if study.paper in PUBLISHED and study.true_structure not in study.networks:
        raise ConfigError(f"{path}: only: a study of a paper must score its true structure, {study.true_structure}")
    if study.replicates.published:
        if study.paper not in PUBLISHED:
            raise ConfigError(
                f"{path}: replicates.published: only a study of a paper has them; set paper or prior_draws"
            )
        truth = study.truth
        given = {name: table.shape for name, table in PUBLISHED[study.paper].items()}
        needed = {name: (truth.n_configurations[i], truth.cardinalities[i]) for i, name in enumerate(truth.names)}
        if given != needed:
            raise ConfigError(
                f"{path}: true_structure: {study.true_structure} needs tables of shape {needed}, "
                f"the published parameters have {given}"
            )
    return study


MODELS = {
    DISCRETE_NETWORK: _discrete_networks,
    NODE_ORDER: load_order_study,
    RESTRICTED_BOLTZMANN: load_boltzmann_study,
}
"""Kind of model to what loads its studies."""
