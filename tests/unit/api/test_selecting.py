"""Tables go to the models of their items: categories alone to networks, with their numbers, others to mixtures.

Sources of truth: what each family finds by itself.
"""

import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ockham
from ockham.api.selecting import read
from ockham.cli import main
from ockham.io.frames import MISSING_TEXTS, CategoricalTable
from ockham.mixtures.data.tables import MixedTable
from ockham.mixtures.items import Categorical, Gaussian
from ockham.networks.classes.selecting import select_categorical
from ockham.networks.classes.selection import CategoricalSelection
from ockham.table_results.selecting import Demand

ANSWERS = pd.DataFrame({"a": list("xyxyxyxx"), "b": [1, 2, 3, 1, 2, 3, 1, 1], "c": list("uuvvuvuv")})
MIXED = ANSWERS.assign(size=[0.5, 1.5, 2.25, 0.75, 1.0, 3.5, 2.5, 1.25])


def test_categories_alone_have_the_numbers_of_networks():
    found = ockham.select(ANSWERS, [1, 2], priors=[1, "bdeu:1"], progress=False)
    alone = select_categorical(ockham.read_table(ANSWERS), Demand.of([1, 2], 0.1, 120.0, 0, False), [1, "bdeu:1"])
    assert isinstance(found, CategoricalSelection)
    pd.testing.assert_frame_equal(found.table, alone.table, check_exact=True)
    pd.testing.assert_frame_equal(found.panel, alone.panel, check_exact=True)
    said = dict.fromkeys(ANSWERS, "categorical")
    again = ockham.select(ANSWERS, [1, 2], items=said, priors=[1, "bdeu:1"], progress=False)
    pd.testing.assert_frame_equal(found.table, again.table, check_exact=True)


def test_numbers_said_to_be_categories_are():
    few = MIXED.assign(size=[0.5, 1.5] * 4)
    assert isinstance(read(few), CategoricalTable)
    three = MIXED.assign(size=[0.5, 1.5, 2.5, 0.5] * 2)
    assert isinstance(read(three), MixedTable)
    assert isinstance(read(three, {"size": "nominal"}), CategoricalTable)


def test_mixtures_of_categories_alone_have_the_same_evidence():
    """Items with hyperparameters of their own go to mixtures, whose exact evidence is that of networks."""
    found = ockham.select(ANSWERS, [1, 2, 3], priors=[1], progress=False)
    items = {"a": Categorical(2), "b": Categorical(3), "c": Categorical(2)}
    mixture = ockham.select(ANSWERS, [1, 2, 3], items=items, priors=[1], progress=False)
    for k, evidence in found.evidences.items():
        assert mixture.evidences[k].log_evidence == pytest.approx(evidence.log_evidence, rel=1e-12)


def test_what_is_read_already_is_taken():
    table = ockham.read_mixed_table(MIXED, {"size": Gaussian(1.5, 0.5)})
    found = ockham.select(table, [2], priors=[1, 2], progress=False)
    assert {under.models[2].items["size"] for under in (found.main, *found.others)} == {Gaussian(1.5, 0.5)}
    with pytest.raises(ockham.DataError, match="the table: is read already; say what columns are where it is read"):
        ockham.select(table, [2], items={"size": "count"})


HOW = {"missing": ["9"], "drop": ["a"], "weights": "a", "header": False}


@pytest.mark.parametrize("argument", HOW)
def test_how_to_read_what_is_read_already_is_refused(argument, tmp_path):
    given, table = {argument: HOW[argument]}, ockham.read_table(ANSWERS)
    models = [tmp_path / "one.yaml", tmp_path / "two.yaml"]
    for model in models:
        model.write_text("cardinalities: {a: 2, b: 3, c: 2}")
    for call in (
        lambda: ockham.read_table(table, **given),
        lambda: ockham.select(table, [1], **given),
        lambda: ockham.select(ockham.read_mixed_table(MIXED), [1], **given),
        lambda: ockham.compare(models, table, **given),
        lambda: ockham.search(table, **given),
        lambda: ockham.arcs(table, **given),
    ):
        with pytest.raises(
            ockham.DataError, match="the table: is read already; give missing, drop, weights and header"
        ):
            call()


def test_what_says_nothing_of_a_table_that_is_read_is_taken():
    table, mixed = ockham.read_table(ANSWERS), ockham.read_mixed_table(MIXED)
    for nothing in ({"drop": []}, {"drop": np.array([], dtype=str)}, {"missing": list(reversed(MISSING_TEXTS))}):
        assert ockham.read_table(table, **nothing) is table
        assert read(table, **nothing) is table
        assert read(mixed, **nothing) is mixed


def test_remedies_are_arguments_and_options_that_there_are():
    said = r"\(items={'size': 'gaussian'} or --items size=gaussian\)"
    with pytest.raises(ockham.DataError, match=f"as an identifier has; .* {said}$"):
        read(pd.DataFrame({"size": range(20), "a": ["x", "y"] * 10}))
    counts = pd.DataFrame({"size": [0, 1, 9000, 2, 5, 7000, 3, 8, 9, 4, 6, 11] * 3, "a": ["x", "y"] * 18})
    assert any(
        re.search(f"a variance of .* if it was measured, say so {said}$", text) for text in read(counts).warnings
    )


def run(*arguments):
    return CliRunner().invoke(main, ["select", *map(str, arguments)])


def test_the_command_says_what_columns_are_and_takes_corrections(tmp_path):
    path = tmp_path / "mixed.csv"
    MIXED.rename(columns={"b": "b=,1"}).to_csv(path, index=False)
    fast = ["--classes", "1:2", "--prior", "1", "--prior", "within=0.25,concentration=2"]
    result = run(path, *fast, "--items", "b=,1=ordered,a=nominal")
    assert result.exit_code == 0, result.output
    assert "b=,1: ordered, as was said; 3 states: 1 (4), 2 (2), 3 (2)" in result.output
    assert "size: gaussian, inferred; means of classes around 1.656 with" in result.output
    assert "concentration 2, within 0.25, rates 1" in result.output
    assert "The evidence rests on the priors" in result.output
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "mixed.csv", "mixed_classes.html", "mixed_classes.nc", "mixed_classes.png",
    ]  # fmt: skip


@pytest.mark.parametrize("items", ["size", "size=", "=count", "a=nominal,size"])
def test_what_are_no_types_is_a_wrong_option(items, tmp_path):
    (tmp_path / "a.csv").write_text("size\n1\n2\n")
    result = run(tmp_path / "a.csv", "--items", items)
    assert result.exit_code == 2
    assert "is not as income=gaussian,visits=count" in result.stderr


def two_kinds(mixed):
    """Sixty rows whose kind is plain, in a random order, and their kinds; of some items numbers, if they are mixed."""
    rng = np.random.default_rng(3)
    kinds = rng.permutation(np.repeat([0, 1], [24, 36]))
    frame = pd.DataFrame(rng.random((60, 8)) < np.where(kinds, 0.92, 0.08)[:, None], columns=list("abcdefgh"))
    return (frame.assign(size=rng.normal(6.0 * kinds).round(3)) if mixed else frame), kinds


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_memberships_of_a_selection_s_data_are_in_the_order_of_its_table(mixed, weighted):
    """Also where rows are all different, and where they occur as often as a column says."""
    frame, kinds = two_kinds(mixed)
    if weighted:
        frame = frame.assign(times=1 + np.arange(60) % 3)
    found = ockham.select(frame, [2], weights="times" if weighted else None, priors=[1], progress=False)
    fit = ockham.fit_classes(found.models[2], found.data, labels=found.labels, n_draws=200, progress=False)
    memberships = fit.memberships
    assert len(memberships.assigned) == 60
    assert (memberships.assigned == 2 - kinds).mean() > 0.9
    assert memberships.counts.tolist() == (frame.times.tolist() if weighted else [1] * 60)
    assert fit.sizes.mean[0] > fit.sizes.mean[1]


def test_what_a_column_of_frequencies_looks_like_is_told():
    """Also where it has so many values that it is taken for a count or a number."""
    frame, _ = two_kinds(False)
    for many in (frame.assign(freq=1 + np.arange(60) % 26), frame.assign(n=1 + np.arange(60) % 4)):
        (warning,) = read(many).warnings
        name = many.columns[-1]
        assert warning.startswith(f"column {name!r}: is read as an item; if it has frequencies of rows, give weights=")
        assert not read(many, weights=name).warnings


def test_a_selection_of_categories_has_profiles_and_memberships():
    """The largest class first; memberships are Bayes's rule at the profiles, a row for each of the table."""
    frame, kinds = two_kinds(False)
    frame = frame.astype(object)
    frame.loc[5, "c"] = None
    found = ockham.select(frame, [1, 2], priors=[1], progress=False)
    assert found.described == 2
    profiles = found.profiles()
    sizes = profiles.loc[("size", "")].to_numpy()
    assert sizes[0] > sizes[1]
    assert sizes.sum() == pytest.approx(1)
    joint = np.tile(sizes, (60, 1))
    for name in frame:
        of = profiles.loc[name]
        np.testing.assert_allclose(of.sum(), 1)
        for row, cell in enumerate(frame[name]):
            joint[row] *= 1.0 if cell is None else of.loc[f"probability of {cell}"].to_numpy()
    np.testing.assert_allclose(found.memberships(), joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)
    assert (found.memberships().to_numpy().argmax(axis=1) == 1 - kinds).mean() > 0.9
    assert "<h2>Profiles of 2 classes</h2>" in found.to_html()
    assert found.profiles(1).loc[("size", "")].tolist() == [1]
    with pytest.raises(ockham.ConfigError, match="n_classes: 3 has no fit; there are fits of 1, 2"):
        found.profiles(3)
