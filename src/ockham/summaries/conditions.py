"""Model selection and averaging by each score, over the conditions of a study of mixtures."""

from collections.abc import Mapping

import xarray as xr

from ockham.summaries.best import best

__all__ = ["STANDARD", "selection", "summarise_conditions"]

STANDARD = "candidate"
"""The score that the others are judged by."""


def summarise_conditions(stores: Mapping[str, xr.DataTree], costs: xr.Dataset | None = None) -> xr.DataTree:
    """The scores of every condition over runs, one group for each, named like the conditions.

    A group has the variables of ``best``, ``selected`` and ``log_bayes_factor`` of ``selection``, and ``separation``
    where the store has it. ``costs``, where given, are another group.
    """
    groups = {}
    for name, scores in stores.items():
        highest = _with_closed_form(best(scores))
        group = highest.merge(selection(highest.log_evidence.sel(alias_correction="log_aliases", drop=True)))
        if "separation" in scores:
            group["separation"] = scores["separation"]
        groups[name] = group
    root = xr.Dataset(attrs={"conditions": " ".join(groups)})
    return xr.DataTree.from_dict({"/": root, **groups} | ({} if costs is None else {"costs": costs}))


def _with_closed_form(highest: xr.Dataset) -> xr.Dataset:
    """With one class nothing is hidden, and every score is given the closed form there, as in the paper.

    It is that of Cheeseman-Stutz, whose completed data are then the data.
    """
    closed = highest.log_evidence.sel(score="cheeseman_stutz", drop=True)
    only = highest.structure == "classes-1"
    return highest.assign(
        log_evidence=highest.log_evidence.where(~only, closed).assign_attrs(highest.log_evidence.attrs)
    )


def selection(log_evidence: xr.DataArray) -> xr.Dataset:
    """What each score selects, and how it weighs the second-best structure of the standard against the best.

    Parameters
    ----------
    log_evidence : xarray.DataArray
        Over (score, replicate, n, structure), structures in the order of their size, nats.

    Returns
    -------
    xarray.Dataset
        Over (score, replicate, n): ``selected``, the index of the structure with the highest score among those that
        have one, and ``log_bayes_factor``, ln p(D | m1) - ln p(D | m2) in nats, where m1 and m2 have the highest
        evidences by the Candidate method; section 4.5 of [ChickeringHeckerman1997].
    """
    selected = log_evidence.fillna(float("-inf")).argmax("structure").where(log_evidence.notnull().any("structure"))
    standard = log_evidence.sel(score=STANDARD, drop=True).fillna(float("-inf"))
    first = standard.argmax("structure")
    second = standard.where(standard.structure != standard.structure[first], float("-inf")).argmax("structure")
    factor = log_evidence.isel(structure=first) - log_evidence.isel(structure=second)
    return xr.Dataset(
        {
            "selected": selected.assign_attrs(long_name="index of the structure with the highest score", units="1"),
            "log_bayes_factor": factor.drop_vars("structure", errors="ignore").assign_attrs(
                long_name="log Bayes factor of the two best structures by the Candidate method", units="nats"
            ),
        }
    )
