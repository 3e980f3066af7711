"""The stored file has all that the selection has, but not the data.

Source of truth: the selection, read back from the file.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.contracts import Doubt
from ockham.io.netcdf import describe, write


@pytest.fixture(params=["selection", "doubtful"])
def stored(request, tmp_path):
    found = request.getfixturevalue(request.param)
    write(tmp_path / "a.nc", found.to_xarray())
    assert "probability(prior, n_classes)" in describe(tmp_path / "a.nc")
    with xr.open_dataset(tmp_path / "a.nc") as dataset:
        yield found, dataset.load()


def test_everything_is_there(stored):
    found, dataset = stored
    for p, under in enumerate((found.main, *found.others)):
        assert dataset["prior"][p] == under.prior.name
        np.testing.assert_array_equal(dataset["probability"][p], under.posterior.probability)
        np.testing.assert_array_equal(dataset["probability_high"][p], under.posterior.high)
        for k, evidence in under.evidences.items():
            there = dataset.isel(prior=p).sel(n_classes=k)
            assert there["log_evidence"].item() == pytest.approx(evidence.log_evidence, nan_ok=True)
            assert Doubt(int(there["doubt"])) == evidence.doubt
            assert there["scorer"].item() == evidence.scorer
    for k in found.classes:
        there, fit = dataset.sel(n_classes=k), found.fits.get(k)
        if fit is None:
            assert np.isnan(there["bic"])
            assert there["map_class_size"].isnull().all()
            continue
        assert there["variational_bayes"] == fit.scores["variational_bayes"].log_evidence
        assert there["g2"] == fit.statistics.g2
        np.testing.assert_array_equal(there["bivariate_residual"], fit.statistics.residuals)
        network = found.models[k]
        sizes = network.family(0, fit.parameters)[0] if network.hidden else [1.0]
        np.testing.assert_array_equal(there["map_class_size"][:k], sizes)
        profile = there["map_profile"].sel(item="w").isel(state=slice(3))
        np.testing.assert_array_equal(profile[:k], network.family(network.observed[3], fit.parameters))
        assert there["map_profile"].sel(item="x").isel(state=2).isnull().all()
    assert dataset["state_label"].sel(item="w").values.tolist() == ["a", "b", "c"]
    assert dataset.attrs["methods"] == found.methods
    assert dataset.attrs["n_rows"] == 9
    assert dataset["doubt"].attrs["flag_meanings"].split()[0] == "few_effective_samples"


def test_runs_are_kept(selection):
    dataset = selection.to_xarray()
    runs = [run for under in (selection.main, *selection.others) for e in under.evidences.values() for run in e.runs]
    assert dataset["run_log_evidence"].values.tolist() == [run.evidence.log_evidence for run in runs]
    assert dataset.sizes["run"] == len(runs) == 12
    assert dataset["run_prior"][-1] == "BDeu, equivalent sample size 1"


def test_the_rows_of_the_table_are_not(selection):
    dataset = selection.to_xarray()
    n_rows = len(selection.data.rows)
    assert n_rows not in dataset.sizes.values()
