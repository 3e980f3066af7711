"""One labelled tree of every score of a study, from the files of its blocks."""

from collections.abc import Mapping, Sequence
from math import log
from pathlib import Path

import numpy as np
import xarray as xr

from ockham.errors import StoreError
from ockham.estimation.schedules import nonlinear_schedule
from ockham.io.netcdf import opened, provenance
from ockham.networks.inference.separation import separation
from ockham.networks.settings import MixtureParameters, Study
from ockham.studies.cells import observed
from ockham.studies.records import NO_KEY, block_specification, read_block, read_draw

__all__ = ["collect", "open_store"]


def collect(
    study: Study, paths: Mapping[str, Sequence[str | Path]], data_paths: Sequence[str | Path] = ()
) -> xr.DataTree:
    """The scores of a study.

    Parameters
    ----------
    study : Study
    paths : mapping of str to sequence of path
        Scorer to the files of its blocks, in the order of ``study.blocks(scorer)``.
    data_paths : sequence of path
        The files of the replicates' data, for the separation of mixtures.

    Returns
    -------
    DataTree
        The root has, per structure, ``n_parameters`` and ``log_aliases`` (ln S, nats), and for mixtures, per replicate
        and n, the ``separation`` of the true classes. Each scorer is a group with
        dimensions (replicate, n, structure, run), scores in nats without alias correction, NaN where not computed.

    Raises
    ------
    StoreError
        When a file was computed under another configuration or by other code, or lacks cells.
    """
    root = xr.Dataset(
        {
            "n_parameters": ("structure", [s.n_parameters for s in study.networks.values()]),
            "log_aliases": ("structure", [log(s.n_aliases) for s in study.networks.values()]),
        },
        coords={"structure": list(study.networks)},
        attrs={
            "title": "Scores of every structure, one group per scorer",
            "comment": f"xarray.open_dataset(path, group=...) reads the scores; groups: {', '.join(paths)}",
            "study": study.name,
            "true_structure": study.true_structure or "",
            "configuration_digest": study.digest,
            "root_seed": str(study.root_seed),
            **provenance(),
        },
    )
    root["n_parameters"].attrs = {"long_name": "Free parameters d(m)", "units": "1"}
    root["log_aliases"].attrs = {"long_name": "ln S, log number of aliases", "units": "nats"}
    if isinstance(study.data, MixtureParameters):
        root["separation"] = _separations(study, data_paths)
    groups = {scorer: _scorer(study, scorer, files) for scorer, files in paths.items()}
    if any(hasattr(study.scorer_settings[scorer], "curvature") for scorer in study.scorers):
        groups["schedules"] = _schedules()
    return xr.DataTree.from_dict({"/": root, **groups})


def open_store(path: str | Path) -> xr.DataTree:
    """A store of scores or of summaries, to be closed by the caller.

    Raises
    ------
    StoreError
        When it is damaged, or no store.
    """
    with opened(path):
        return xr.open_datatree(path)


def _separations(study: Study, paths: Sequence[str | Path]) -> xr.DataArray:
    draws = [read_draw(Path(path), study) for path in paths]
    values = [[separation(study.truth, observed(study, d, n), d.parameters) for n in study.sizes] for d in draws]
    coordinates = {"replicate": [d.replicate for d in draws], "n": study.sizes}
    about = {"long_name": "separation of the true classes", "units": "1"}
    return xr.DataArray(values, coordinates, attrs=about)


def _scorer(study: Study, scorer: str, files: Sequence[str | Path]) -> xr.Dataset:
    parts = []
    for path, block in zip(files, study.blocks(scorer).values(), strict=True):
        values = read_block(Path(path), study, block)
        if values.specification != block_specification(study, block):
            raise StoreError(
                f"{path}: attribute specification: computed under another configuration or by other code; "
                "run the workflow again, or move the file away"
            )
        if (values.keys == NO_KEY).any():
            raise StoreError(f"{path}: variable key: some cells are not computed; run the workflow again")
        with opened(path):
            part = xr.load_dataset(path)
        if part["key"].shape != block.shape:
            raise StoreError(f"{path}: variable key: more cells than the block has; move the file away and run again")
        parts.append(part)
    whole = xr.combine_by_coords(parts, combine_attrs="drop_conflicts")
    whole = whole.reindex(structure=list(study.networks), fill_value={"key": NO_KEY})
    attributes = {name: whole.attrs[name] for name in ("scorer_settings", "scorer_code")}
    attributes["scorer"] = study.scorers[scorer].scorer or scorer
    attributes["from_truth"] = int(study.scorers[scorer].from_truth)
    return whole.drop_attrs(deep=False).assign_attrs(attributes)


def _schedules() -> xr.Dataset:
    """Annealing schedules of other curvatures than the study's, beside it; Figure 6 (d) of [BealGhahramani2006]."""
    curvatures, n_steps = [0.02, 0.05, 0.1, 0.2, 0.5, 2.0], 200
    schedules = xr.DataArray(
        [nonlinear_schedule(n_steps, curvature) for curvature in curvatures],
        coords={"curvature": curvatures, "fraction": np.arange(n_steps + 1) / n_steps},
        attrs={"long_name": "inverse temperature tau(k)", "units": "1"},
    )
    schedules.curvature.attrs = {"long_name": "e_tau of eq. (69)", "units": "1"}
    schedules.fraction.attrs = {"long_name": "step of the schedule, k / K", "units": "1"}
    return schedules.to_dataset(name="temperature")
