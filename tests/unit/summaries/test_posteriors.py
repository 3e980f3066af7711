"""Under a uniform prior the posterior is the normalised evidence, however small.

Source of truth: ratios of small whole numbers.
"""

import numpy as np
import xarray as xr

from ockham.summaries.best import best
from ockham.summaries.posteriors import posterior, posteriors


def logs(*evidence, shift=0.0):
    return xr.DataArray(np.log(evidence) + shift, dims="structure")


def test_normalises_the_evidence():
    np.testing.assert_allclose(posterior(logs(1, 2, 5)), [1 / 8, 1 / 4, 5 / 8])


def test_does_not_underflow():
    np.testing.assert_allclose(posterior(logs(1, 2, 5, shift=-70_000)), [1 / 8, 1 / 4, 5 / 8], rtol=1e-10)


def test_is_nan_unless_every_structure_has_a_score_and_one_is_finite():
    assert posterior(logs(1, np.nan, 5)).isnull().all()
    assert posterior(xr.DataArray([-np.inf, -np.inf], dims="structure")).isnull().all()
    np.testing.assert_array_equal(posterior(xr.DataArray([-np.inf, -3.0], dims="structure")), [0, 1])


def test_reports_the_true_structure_with_and_without_aliases(store):
    values = np.log([[[1.0], [2.0], [5.0]]])
    found = posteriors(best(store(em=store.fit(bic=store.score("bic", values))))).sel(score="bic", replicate=0, n=10)
    np.testing.assert_allclose(found.posterior.sel(alias_correction="none"), 1 / 4)
    np.testing.assert_allclose(found.posterior.sel(alias_correction="log_aliases"), 2 * np.e**2 / (6 + 2 * np.e**2))
    assert found.uniform == 1 / 3


def test_the_divergence_is_from_the_first_score_that_says_it_is_a_reference(store):
    """An estimate before its substitute, whatever they are called; without either there is none."""
    values = {"bic": [1.0, 2.0, 5.0], "cheeseman_stutz": [1.0, 1.0, 2.0], "ais": [1.0, 3.0, 4.0]}
    scores = {name: store.score(name, np.log([[[x] for x in of]])) for name, of in values.items()}

    def found(**references):
        given = {name: values.assign_attrs(reference=references.get(name, "none")) for name, values in scores.items()}
        return posteriors(best(store(em=store.fit(**given)))).sel(alias_correction="none", replicate=0, n=10).divergence

    substitute = found(ais="substitute")
    assert substitute.attrs["reference"] == "ais"
    by_hand = np.sum(np.array([1, 3, 4]) / 8 * np.log(np.array([1, 3, 4]) / [1, 2, 5]))
    np.testing.assert_allclose(substitute.sel(score="bic"), by_hand)
    estimated = found(ais="substitute", bic="estimated", cheeseman_stutz="known")
    assert estimated.attrs["reference"] == "bic"
    assert found().attrs["reference"] == ""
    assert found().isnull().all()
