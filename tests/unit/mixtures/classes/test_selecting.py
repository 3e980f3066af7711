"""``ockham.select`` on mixed tables: exact evidences where these are cheap, and what is found of simulated classes.

Sources of truth: ``ockham.evidence`` on the same models, Bayes's rule, and a table simulated from three classes.
"""

import re
import threading
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from reference.html_pages import Parsed

import ockham
from ockham.contracts import Doubt, Evidence
from ockham.estimation.model_posterior import model_posterior
from ockham.io.netcdf import write
from ockham.mixtures.classes import describing
from ockham.mixtures.classes.describing import Description
from ockham.mixtures.data.priors import MixedPrior
from ockham.mixtures.family import Mixtures
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Gaussian, Ordered, Poisson
from ockham.streams import Stream
from ockham.table_results.selection_showing import classes_in_words


@pytest.mark.filterwarnings("ignore:bicp?. unknown")  # below Cheeseman-Stutz
def test_evidences_are_those_of_the_models(selection):
    others = [{"within": 0.25}, {"within": 0.75}, {"rates": 2.0}, {"shape": 1.0}]
    priors = [MixedPrior(), MixedPrior(0.5), *(MixedPrior(**other) for other in others)]
    assert [under.prior for under in (selection.main, *selection.others)] == priors
    for under in (selection.main, *selection.others):
        truths = np.array([ockham.evidence(under.models[k], selection.data, progress=False) for k in (1, 2, 3)])
        truths = np.array([found.log_evidence for found in truths])
        np.testing.assert_array_equal([under.evidences[k].log_evidence for k in (1, 2, 3)], truths)
        weights = np.exp(truths - truths.max())
        np.testing.assert_allclose(under.posterior.probability, weights / weights.sum(), rtol=1e-12)
    assert len({under.evidences[2].log_evidence for under in (selection.main, *selection.others)}) == len(priors)
    for k, fit in selection.fits.items():
        for name in ("cheeseman_stutz", "variational_bayes"):
            assert fit.scores[name].log_evidence <= selection.evidences[k].log_evidence + 1e-9
        again = ockham.score(selection.models[k], selection.data, "em", progress=False)
        assert {name: fit.scores[name].log_evidence for name in again} == {n: e.log_evidence for n, e in again.items()}


def test_models_have_what_the_prior_says(selection):
    heights = np.array([1.71, 1.82, 1.65, 1.9, 1.55, 1.6, 1.77, 1.81, 1.69])
    item = selection.models[2].items["height"]
    assert (item.centre, item.deviation) == pytest.approx((heights.mean(), heights.std() / 2))
    narrow = selection.others[1].models[2].items["height"]
    assert narrow.deviation == pytest.approx(heights.std() / 4)
    assert selection.others[3].models[1].items["visits"] == Poisson(2.8, 2.0)
    assert selection.others[4].models[1].items["height"].shape == 1.0
    thin = selection.others[0].models[3]
    assert (thin.concentration, thin.items["grade"]) == (0.5, Ordered(3, 1.0))


def test_results_say_what_they_rest_on(selection):
    assert selection.remarks[-1].startswith("Under the prior") or "rests on the priors" in selection.remarks[-1]
    rests_on = next(said for said in selection.remarks if "rests on the priors of numbers and counts" in said)
    assert rests_on.endswith("results under other priors say how far it does.")
    alone = replace(selection, others=())
    assert any(said.endswith("what each column was read as says them.") for said in alone.remarks)
    for words in (
        "10 rows of 1 categorical, 1 ordered, 1 numerical (Gaussian in every class) and 1 count (Poisson in every",
        "0.5 times that of the item (shape 2)",
        "gamma priors of shape 1 around the mean",
        "The evidence depends on these hyperparameters.",
        "Missing cells (5.0% of all, in 2 rows)",
        "for K = 1 to 3 by the exact sum over all partitions of the rows (of one class, a closed form)",
    ):
        assert words in selection.methods
    cited = set(re.findall(r"[(;] ?([A-Z][^();]*?, \d{4})", selection.methods))
    assert len(cited) == len(selection.references) == 7
    assert repr(selection).startswith("<MixedSelection: 10 rows, 4 items; highest evidence among 1 to 3 classes: ")


def test_tables_have_every_number(selection):
    table = selection.table
    assert table.index.tolist() == [1, 2, 3]
    np.testing.assert_array_equal(table["log_evidence"], [e.log_evidence for e in selection.evidences.values()])
    profiles = selection.profiles(2)
    assert profiles.loc["size"].to_numpy().sum() == pytest.approx(1)
    assert profiles.loc["size"].to_numpy()[0, 0] >= 0.5
    assert profiles.loc["colour"].sum().tolist() == pytest.approx([1, 1])
    assert profiles.loc[("height", "mean")].between(1.5, 2).all()
    assert profiles.index.tolist()[-3:] == [("grade", f"probability of {g}") for g in (1, 2, 3)]
    assert selection.panel.shape == (6, 4)


def test_memberships_are_of_the_rows_of_the_table(selection, tiny):
    """By Bayes's rule from the profiles, in the order of the table."""
    found, profiles = selection.memberships(2), selection.profiles(2)
    for r, row in tiny.iterrows():
        shares = profiles.loc["size"].to_numpy()[0].copy()
        if row["colour"] is not None and row["colour"] == row["colour"]:
            shares *= profiles.loc[("colour", f"probability of {row['colour']}")]
        if row["height"] == row["height"]:
            z = (row["height"] - profiles.loc[("height", "mean")]) / profiles.loc[("height", "standard deviation")]
            shares *= np.exp(-0.5 * z**2) / profiles.loc[("height", "standard deviation")]
        shares *= np.exp(-profiles.loc[("visits", "rate")]) * profiles.loc[("visits", "rate")] ** row["visits"]
        shares *= profiles.loc[("grade", f"probability of {row['grade']}")]
        np.testing.assert_allclose(found.loc[r], shares / shares.sum(), rtol=1e-9)
    with pytest.raises(ockham.ConfigError, match="n_classes: 7 has no fit; there are fits of 1, 2, 3"):
        selection.memberships(7)


def test_the_page_has_everything_and_asks_for_nothing(selection):
    parsed = Parsed(selection.to_html())
    for text in (selection.methods, *selection.references, *selection.remarks, "Memberships of rows", "Fit of items"):
        assert " ".join(text.split()) in parsed.text
    assert "gaussian, inferred; means of classes around 1.722 with" in parsed.text
    pictures = [attributes["src"] for tag, attributes in parsed.elements if tag == "img"]
    assert len(pictures) == 2
    assert all(picture.startswith("data:image/svg+xml;base64,") for picture in pictures)
    assert "nan" not in parsed.text


def test_the_page_has_intervals_and_checks_of_the_leading_number(tiny):
    """Of two classes that nothing confuses, for names that chains exchange have no intervals."""
    heights, visits = [1.5, 1.52, 1.48, 1.51, 1.5, 1.9, 1.92, 1.88, 1.91, 1.9], [0, 1, 0, 2, 1, 30, 28, 31, 30, 33]
    apart = tiny.assign(height=heights, visits=visits)
    selection = ockham.select(apart, [1, 2], items={"visits": "count", "grade": "ordered"}, progress=False)
    k, (fit, checks) = selection.described, selection.description
    assert fit.n_classes == k == 2
    parsed = Parsed(selection.to_html())
    mean, lower, upper = (part[0] for part in fit.profiles["height"]["mean"])
    assert f"{mean:.3g} ({lower:.3g} to {upper:.3g})" in parsed.text
    for check in (checks.largest_misfit, *checks.of_items):
        assert check.name in parsed.text
        assert f"{check.lower:.3g} to {check.upper:.3g}" in parsed.text
    content = selection.to_xarray()
    assert int(content["described"]) == k
    names = list(zip(content["quantity_item"].values, content["quantity_name"].values, strict=True))
    stored = content["fitted_upper"][names.index(("height", "mean")), :k]
    np.testing.assert_array_equal(stored, fit.profiles["height"]["mean"].upper)
    found = dict(zip(content["check_name"].values, content["check_p_value"].values, strict=True))
    assert found["visits: largest"] == next(c.p_value for c in checks.of_items if c.name == "visits: largest")


def test_without_time_the_page_says_that_there_are_no_intervals(selection):
    bare = replace(selection, description=None)
    assert "There was no time for posterior draws" in Parsed(bare.to_html()).text
    assert "check_name" not in bare.to_xarray()


def test_where_the_highest_evidence_is_a_bound_its_number_is_described(selection):
    evidences = dict(selection.evidences)
    bound = max(found.log_evidence for found in evidences.values()) + 1
    unknown = Evidence(np.nan, doubt=Doubt.NOT_MIXED)
    evidences[3] = replace(evidences[3], evidence=unknown, scorer="", at_least=bound)
    found = replace(
        selection,
        main=replace(selection.main, evidences=evidences, posterior=model_posterior(evidences, Stream(1))),
        description=None,
    )
    assert found.posterior.leading == ()
    assert found.described == 3
    text = Parsed(found.to_html()).text
    assert f"the highest lower bound, {bound:.2f}, is that of 3 classes." in text
    evidences[3] = replace(evidences[3], at_least=bound - 50)
    lower = replace(selection.main, evidences=evidences, posterior=model_posterior(evidences, Stream(1)))
    assert replace(selection, main=lower, description=None).described in (1, 2)


def test_a_description_that_takes_too_long_is_left(tiny, monkeypatch):
    stop, stopped = threading.Event(), []
    monkeypatch.setattr(describing, "fitted", lambda *_: stopped.append(stop.wait(60)))
    assert describing.describe(FiniteMixture(1, {"x": Gaussian()}), None, {}, 0, 0.2) is None
    assert stopped == []
    stop.set()


def test_a_table_unlike_the_model_is_remarked(selection):
    """Whatever the draws said, a p-value that is small."""
    fit, checks = selection.description
    bad = replace(checks, largest_misfit=replace(checks.largest_misfit, p_value=0.0))
    remarks = replace(selection, description=Description(fit, bad)).remarks
    assert any("the p-value of the largest misfit of items is < 0.005" in remark for remark in remarks)
    good = replace(checks, largest_misfit=replace(checks.largest_misfit, p_value=0.5))
    remarks = replace(selection, description=Description(fit, good)).remarks
    assert not any("largest misfit" in remark for remark in remarks)


def test_the_picture_has_an_item_a_panel(selection):
    made = selection.plot_profiles(2)
    titles = [axes.get_title() for axes in made.axes if axes.get_title()]
    assert titles == list(selection.labels)
    rates = [patch.get_height() for patch in made.axes[2].patches]
    np.testing.assert_allclose(rates, selection.profiles(2).loc[("visits", "rate")])
    densities = [line.get_ydata() for line in made.axes[1].lines]
    assert [len(line) for line in densities] == [201, 201]


def test_the_store_has_everything_but_the_data(selection, tmp_path):
    write(tmp_path / "a.nc", selection.to_xarray())
    with xr.open_dataset(tmp_path / "a.nc") as stored:
        for p, under in enumerate((selection.main, *selection.others)):
            assert stored["prior"][p] == under.prior.name
            assert stored["item_prior"][p].sel(item="height") == repr(under.models[1].items["height"])
            for k, evidence in under.evidences.items():
                there = stored.isel(prior=p).sel(n_classes=k)
                assert there["log_evidence"] == evidence.log_evidence
                assert Doubt(int(there["doubt"])) == evidence.doubt
        for k, fit in selection.fits.items():
            there = stored.sel(n_classes=k)
            np.testing.assert_array_equal(there["dependence"], fit.statistics.residuals)
            np.testing.assert_array_equal(there["misfit"], fit.statistics.misfits)
            np.testing.assert_array_equal(there["map_profile"][:, :k], selection.profiles(k))
        assert stored.attrs["data"] == selection.data.digest
        assert not any(stored.sizes[name] == selection.data.n for name in stored.sizes)


def mixed(n, seed):
    """Three classes far apart in two numbers, a count and two answers."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(3, n, p=[0.4, 0.35, 0.25])
    agrees = np.array([[0.9, 0.1], [0.1, 0.1], [0.5, 0.9]])[kind]
    frame = pd.DataFrame(np.where(rng.random((n, 2)) < agrees, "yes", "no"), columns=["a", "b"])
    return frame.assign(
        x=rng.normal(np.array([0, 5, -5])[kind], 1),
        y=rng.normal(np.array([3, -3, 0])[kind], 1),
        v=rng.poisson(np.array([2, 9, 25])[kind]),
    )


def test_three_classes_are_found(monkeypatch):
    monkeypatch.setattr(Mixtures, "plan", Mixtures.plan._replace(samplers=Mixtures.plan.samplers[:1]))
    table = mixed(60, 3)
    found = ockham.select(table, [2, 3], priors=[1], error=0.3, seconds=300, progress=False)
    assert found.chosen == found.described == 3
    assert found.posterior.probability[0] < 1e-3
    assert isinstance(found.models[3].items["x"], Gaussian)
    sizes = found.profiles().loc["size"].to_numpy()[0]
    assert np.abs(sizes - [0.4, 0.35, 0.25]).max() < 4 * np.sqrt(0.25 / 60)
    assert found.fits[3].statistics.entropy > 0.95


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"priors": ["bdeu:1"]}, "prior: 'bdeu:1' is no number and no text such as 'within=0.25,rates=2'"),
        ({"priors": [1, "rates=2"], "drop": ["visits"]}, "prior: rates is of poisson items, of which the table has"),
        ({"priors": [MixedPrior(within=2.0)]}, "within: 2.0 must be a number"),
        ({"items": {"height": "count"}}, "column 'height': holds .*, which is no count"),
        ({"items": {"weight": "count"}}, "has no column 'weight'"),
        ({"items": {"height": "round"}}, "items: 'round' of column 'height' is none of"),
    ],
)
@pytest.mark.filterwarnings("ignore::ockham.OckhamWarning")
def test_arguments_are_checked(arguments, message, tiny):
    with pytest.raises(ockham.OckhamError, match=message):
        ockham.select(tiny, **{"classes": [1], "progress": False} | arguments)


@pytest.mark.filterwarnings("ignore::ockham.OckhamWarning")
def test_more_classes_than_rows_are_right(tiny):
    found = ockham.select(tiny.iloc[:4], [1, 9], priors=[1], progress=False)
    assert [evidence.standard_error for evidence in found.evidences.values()] == [0, 0]
    assert np.isfinite(found.table[["log_evidence", "map", "bic", "variational_bayes"]].to_numpy()).all()
    assert "nan" not in Parsed(found.to_html()).text


@pytest.mark.parametrize(
    ("numbers", "words"), [([1], "1 class"), ([2, 4], "2 and 4 classes"), ([1, 2, 3], "1 to 3 classes")]
)
def test_numbers_of_classes_are_said_in_words(numbers, words):
    assert classes_in_words(*numbers) == words
